use std::cmp::Reverse;
use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::{Category, Rank, Suit, parse_cards};

fn rank(text: &str) -> HandRank {
    rank_cards(&parse_cards(text).unwrap()).unwrap()
}

/// The rules told without any table: the category, then the ranks in order of importance.
fn by_the_rules(cards: [Card; 5]) -> (Category, [u8; 5]) {
    let mut numbers = cards.map(|card| card.rank().unwrap().number());
    let alike = |number: u8| numbers.iter().filter(|other| **other == number).count();
    let mut weighed = numbers.map(|number| (alike(number), number));
    weighed.sort_by_key(|weight| Reverse(*weight));
    numbers = weighed.map(|(_, number)| number);
    let shape = weighed.map(|(alike, _)| alike);

    if numbers == [14, 5, 4, 3, 2] {
        numbers = [5, 4, 3, 2, 1];
    }
    let flush = cards.iter().all(|card| card.suit() == cards[0].suit());
    let straight = shape == [1; 5] && numbers[0] - numbers[4] == 4;
    let category = match (shape, straight, flush) {
        (_, true, true) => Category::StraightFlush,
        ([4, ..], _, _) => Category::FourOfAKind,
        ([3, _, _, 2, _], _, _) => Category::FullHouse,
        (_, false, true) => Category::Flush,
        (_, true, false) => Category::Straight,
        ([3, ..], _, _) => Category::ThreeOfAKind,
        ([2, _, 2, ..], _, _) => Category::TwoPair,
        ([2, ..], _, _) => Category::Pair,
        _ => Category::HighCard,
    };
    (category, numbers)
}

fn for_each_five(mut visit: impl FnMut([Card; 5])) {
    let deck: Vec<Card> = Card::naturals().collect();
    for a in 0..52 {
        for b in 0..a {
            for c in 0..b {
                for d in 0..c {
                    for e in 0..d {
                        visit([deck[a], deck[b], deck[c], deck[d], deck[e]]);
                    }
                }
            }
        }
    }
}

#[test]
fn all_hands_of_five_are_ordered_by_the_rules() {
    let mut hands_of_category = BTreeMap::new();
    // Filled for every position by the first hand found there; all others must agree.
    let mut rules_at = vec![None; usize::from(HandRank::COUNT)];
    for_each_five(|cards| {
        let rank = rank_cards(&cards).unwrap();
        let rules = by_the_rules(cards);
        assert_eq!(rank.category(), rules.0, "{cards:?}");
        let at = usize::from(rank.position()) - 1;
        assert_eq!(*rules_at[at].get_or_insert(rules), rules, "{cards:?}");
        *hands_of_category.entry(rules.0).or_insert(0) += 1;
    });

    let rules_at: Vec<_> = rules_at.into_iter().map(Option::unwrap).collect();
    assert!(rules_at.is_sorted_by(|better, worse| better > worse));
    let expected = [
        (Category::StraightFlush, 40),
        (Category::FourOfAKind, 624),
        (Category::FullHouse, 3_744),
        (Category::Flush, 5_108),
        (Category::Straight, 10_200),
        (Category::ThreeOfAKind, 54_912),
        (Category::TwoPair, 123_552),
        (Category::Pair, 1_098_240),
        (Category::HighCard, 1_302_540),
    ];
    assert_eq!(hands_of_category, BTreeMap::from(expected));
}

#[test]
fn the_ends_of_the_scale_are_where_they_should_be() {
    assert_eq!(rank("AS KS QS JS TS"), HandRank::BEST);
    assert_eq!(rank("7S 5H 4D 3C 2S"), HandRank::WORST);
    assert_eq!(rank("5S 4S 3S 2S AS").position(), 10);
    assert_eq!(rank("AS AH AD AC KS").position(), 11);
}

#[test]
fn suits_never_break_ties() {
    assert_eq!(rank("AS KS 9D 7C 2H"), rank("AC KD 9H 7S 2S"));
    assert_eq!(rank("AS KS QS JS TS 2D 3D"), rank("AD KD QD JD TD 9D 8D"));
}

#[test]
fn a_hand_needs_five_to_seven_cards() {
    let eight = parse_cards("2C 3C 4C 5C 7D 8D 9D TS").unwrap();
    for count in 0..=8 {
        let got = rank_cards(&eight[..count]);
        match count {
            5..=7 => assert!(got.is_ok()),
            _ => assert_eq!(got, Err(RankError::Count { got: count })),
        }
    }
}

#[test]
fn a_hand_refuses_jokers_lots_and_doubles() {
    let refused = |text| rank_cards(&parse_cards(text).unwrap()).unwrap_err();
    let lot = Card::lot(3).unwrap();
    let two = Card::new(Rank::Two, Suit::Clubs);
    assert_eq!(
        refused("JK 3C 4C 5C 7D"),
        RankError::NotNatural(Card::JOKER)
    );
    assert_eq!(refused("3C 4C 5C 7D d3"), RankError::NotNatural(lot));
    assert_eq!(refused("2C 3C 4C 5C 2C"), RankError::Duplicate(two));
}

#[test]
fn a_refused_card_leaves_the_hand_as_it_was() {
    let cards = parse_cards("2C 3C 4C 5C 7D 8D 9D").unwrap();
    let full = PokerHand::of(&cards).unwrap();
    let mut hand = full;
    for code in (0..=u8::MAX).filter_map(Card::from_code) {
        assert!(hand.add(code).is_err());
    }
    assert_eq!(hand, full);
    assert_eq!(hand.len(), 7);
    assert_eq!(hand.cards(), cards.into_iter().collect());
    assert!(PokerHand::new().is_empty());
}

proptest! {
    #[test]
    fn any_cards_give_a_rank_exactly_when_they_make_a_hand(
        codes in proptest::collection::vec(0u8..=53, 0..10),
    ) {
        let cards: Vec<Card> = codes.into_iter().filter_map(Card::from_code).collect();
        let different: CardSet = cards.iter().copied().collect();
        let is_hand = (5..=7).contains(&cards.len()) && usize::from(different.len()) == cards.len();
        prop_assert_eq!(rank_cards(&cards).is_ok(), is_hand);
    }

    #[test]
    fn six_or_seven_cards_rank_as_their_best_five(
        cards in proptest::sample::subsequence(Card::naturals().collect::<Vec<_>>(), 6..=7),
    ) {
        let best = (0..1u8 << cards.len())
            .filter(|choice| choice.count_ones() == 5)
            .map(|choice| {
                let five: Vec<Card> = (0..cards.len())
                    .filter(|at| choice >> at & 1 == 1)
                    .map(|at| cards[at])
                    .collect();
                rank_cards(&five).unwrap()
            })
            .max();
        prop_assert_eq!(rank_cards(&cards).ok(), best);
    }
}
