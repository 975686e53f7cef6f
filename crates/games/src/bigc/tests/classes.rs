//! Which cards make a hand.

use cards::{Card, parse_cards};
use proptest::prelude::*;

use crate::bigc::{Class, Hand, NotAHand, classify, place};

fn hand(text: &str) -> Hand {
    classify(&parse_cards(text).unwrap()).unwrap_or_else(|why| panic!("{text}: {why}"))
}

fn key(text: &str) -> String {
    cards::CardList(&hand(text).key()).to_string()
}

#[test]
fn cards_run_from_the_three_of_diamonds_to_the_two_of_spades() {
    let text = "3D 3C 3H 3S 4D 4C 4H 4S 5D 5C 5H 5S 6D 6C 6H 6S 7D 7C 7H 7S 8D 8C 8H 8S 9D 9C 9H 9S TD TC TH TS \
                JD JC JH JS QD QC QH QS KD KC KH KS AD AC AH AS 2D 2C 2H 2S";
    let places: Vec<u8> = parse_cards(text).unwrap().into_iter().map(place).collect();
    assert!(places.iter().copied().eq(1..=52));
    assert_eq!(place(Card::JOKER), 0);
}

#[test]
fn the_vectors_of_the_rule_book_have_their_classes_and_keys() {
    for (cards, class, expected) in [
        ("3D 4C 4S 2D 2S", Class::TwoPair, "2S,2D,4S,4C"),
        ("4D 5D 6D 9D TD", Class::Flush, "TD"),
        ("4D 4S JK JK 3C", Class::FourOfAKind, "4S"),
        ("7H JK JK JK JK", Class::StraightFlush, "7H"),
        ("4D 4S JK JK JK", Class::FiveOfAKind, "4S"),
        ("4D 9S JK JK JK", Class::FourOfAKind, "9S"),
        ("4D 5D JK JK JK", Class::StraightFlush, "5D"),
        ("4D 4D JK JK JK", Class::FiveOfAKind, "4D"),
        ("4D 4S 9C 9H JK", Class::FullHouse, "9H,9C,JK,4S,4D"),
        ("3D 7S KC JK JK", Class::TwoPair, "KC,JK,7S,JK"),
        ("3D 4S 5C JK JK", Class::Straight, "5C"),
        ("AS 2D 3C 4S 5H", Class::Straight, "2D"),
        ("JD QC KS AH 2D", Class::Straight, "2D"),
        ("4D 4C 9D KC JK", Class::TwoPair, "KC,JK,4C,4D"),
        ("5D 7D 9D JK JK", Class::StraightFlush, "9D"),
    ] {
        assert_eq!((hand(cards).class(), key(cards).as_str()), (class, expected), "{cards}");
    }
    for cards in ["QD KC AS 2H 3D", "4D 4C 4S 9D KC", "4D 8C 9D KC JK"] {
        assert_eq!(classify(&parse_cards(cards).unwrap()), Err(NotAHand::NoClass), "{cards}");
    }
}

#[test]
fn smaller_hands_are_of_one_rank_with_a_card_that_is_no_joker() {
    assert_eq!(hand("9H").class(), Class::Single);
    assert_eq!(key("JK 9H"), "9H,JK");
    assert_eq!(key("9D JK 9S"), "9S,9D,JK");
    assert_eq!(key("JK 9D JK"), "9D,JK,JK");
    let refused = |text: &str| classify(&parse_cards(text).unwrap()).unwrap_err();
    assert_eq!(refused("JK"), NotAHand::OnlyJokers);
    assert_eq!(refused("JK JK JK"), NotAHand::OnlyJokers);
    assert_eq!(refused("JK JK JK JK JK"), NotAHand::OnlyJokers);
    assert_eq!(refused("9H 8H"), NotAHand::NotOneRank);
    assert_eq!(refused("9H 8H JK"), NotAHand::NotOneRank);
    assert_eq!(refused("9H 9H 9H 9H"), NotAHand::WrongSize(4));
    assert_eq!(classify(&[]), Err(NotAHand::WrongSize(0)));
    assert_eq!(classify(&[Card::lot(3).unwrap()]), Err(NotAHand::NoCard(Card::lot(3).unwrap())));
}

#[test]
fn two_decks_make_flushes_with_equal_ranks() {
    assert_eq!(hand("4D 4D 9D KD JK").class(), Class::Flush);
    assert_eq!(hand("4D 4D 9D 9D KD").class(), Class::Flush);
    assert_eq!(hand("4D 4D 4D 9D 9D").class(), Class::FullHouse);
    assert_eq!(hand("4D 4D 4D 4D 9D").class(), Class::FourOfAKind);
}

#[test]
fn hands_are_told_in_words() {
    assert_eq!(hand("4D 4C 9D KC JK").to_string(), "two pair, KC,JK and 4C,4D");
    assert_eq!(hand("AS 2D 3C 4S 5H").to_string(), "straight, 2D high");
    assert_eq!(hand("AS").to_string(), "single, AS");
}

#[test]
fn strata_run_from_two_pair_to_straight_flush() {
    use Class::{FiveOfAKind, Flush, FourOfAKind, FullHouse, Straight, StraightFlush, TwoPair};
    let classes = [TwoPair, Flush, Straight, FullHouse, FourOfAKind, FiveOfAKind, StraightFlush];
    assert!(classes.is_sorted());
    assert!(classes.iter().map(|class| class.stratum().unwrap()).eq(0..7));
    assert_eq!(Class::Triple.stratum(), None);
}

/// The class of five cards without jokers, straight from the definitions.
fn plain_class(places: [u8; 5]) -> Option<Class> {
    let rank = |p: u8| (p - 1) / 4;
    let mut counts: Vec<usize> = (0..13).map(|r| places.iter().filter(|p| rank(**p) == r).count()).collect();
    let letters = "A23456789TJQKA2";
    let ranks: Vec<char> = places.iter().map(|p| "3456789TJQKA2".chars().nth(usize::from(rank(*p))).unwrap()).collect();
    let windows = (0..=10).map(|i| &letters[i..i + 5]);
    let straight = windows.clone().any(|w| w.chars().all(|c| ranks.contains(&c)));
    let flush = places.iter().all(|p| p % 4 == places[0] % 4);
    counts.sort_unstable_by(|a, b| b.cmp(a));
    let [most, second] = [counts[0], counts[1]];
    Some(match (most, second) {
        _ if straight && flush => Class::StraightFlush,
        (5, _) => Class::FiveOfAKind,
        (4, _) => Class::FourOfAKind,
        (3, 2) => Class::FullHouse,
        _ if straight => Class::Straight,
        _ if flush => Class::Flush,
        (2, 2) => Class::TwoPair,
        _ => return None,
    })
}

/// The strongest class that any cards in the place of the jokers give.
fn strongest(naturals: &[u8], jokers: usize, least: u8) -> Option<Class> {
    if jokers == 0 {
        return plain_class(naturals.try_into().unwrap());
    }
    let substitutes = (least..=52).map(|substitute| {
        let cards: Vec<u8> = naturals.iter().copied().chain([substitute]).collect();
        strongest(&cards, jokers - 1, substitute)
    });
    substitutes.flatten().max()
}

/// Five cards of several packs; half of the time from few ranks and suits, so that hands are common.
fn five_cards(jokers: usize) -> impl Strategy<Value = Vec<Card>> {
    let any = prop::collection::vec(0..52u8, 5 - jokers);
    let near = (0..52u8, prop::collection::vec((0..4u8, 0..2u8), 5 - jokers));
    let near = near.prop_map(|(base, steps)| steps.iter().map(|(r, s)| (base + r + s * 13) % 52).collect::<Vec<u8>>());
    prop_oneof![any, near].prop_map(move |codes| {
        let naturals = codes.into_iter().map(|code| Card::from_code(code).unwrap());
        naturals.chain((0..jokers).map(|_| Card::JOKER)).collect()
    })
}

fn agrees_with_every_substitution(cards: &[Card]) {
    let naturals: Vec<u8> = cards.iter().filter(|c| !c.is_joker()).map(|c| place(*c)).collect();
    let expected = strongest(&naturals, 5 - naturals.len(), 1);
    let found = classify(cards).ok();
    assert_eq!(found.map(|hand| hand.class()), expected, "{cards:?}");
    let Some(hand) = found else { return };
    let key: Vec<u8> = hand.key().into_iter().map(place).collect();
    let highest = naturals.iter().max().unwrap();
    match hand.class() {
        Class::Flush | Class::Straight | Class::StraightFlush | Class::FiveOfAKind => assert_eq!(key, [*highest]),
        Class::FourOfAKind | Class::TwoPair | Class::FullHouse => {
            // Whatever counts is in the hand, each card as often at most.
            let mut left: Vec<u8> = cards.iter().map(|card| place(*card)).collect();
            for counted in key {
                let at = left.iter().position(|p| *p == counted).expect("a key card is in the hand");
                left.remove(at);
            }
        }
        Class::Single | Class::Pair | Class::Triple => panic!("five cards"),
    }
}

proptest! {
    #[test]
    fn classes_agree_with_every_substitution_of_no_or_one_joker(cards in prop_oneof![five_cards(0), five_cards(1)]) {
        agrees_with_every_substitution(&cards);
    }

    #[test]
    fn the_order_of_the_cards_does_not_matter(cards in five_cards(2), turn in 0..5usize) {
        let mut turned = cards.clone();
        turned.rotate_left(turn);
        prop_assert_eq!(classify(&cards), classify(&turned));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn classes_agree_with_every_substitution_of_two_or_three_jokers(cards in prop_oneof![five_cards(2), five_cards(3)]) {
        agrees_with_every_substitution(&cards);
    }
}

#[test]
fn four_jokers_are_always_a_straight_flush() {
    for card in Card::naturals() {
        let hand = classify(&[card, Card::JOKER, Card::JOKER, Card::JOKER, Card::JOKER]).unwrap();
        assert_eq!((hand.class(), hand.key()), (Class::StraightFlush, vec![card]));
    }
}
