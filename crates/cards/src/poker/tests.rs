use std::cmp::Reverse;
use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::{Category, Rank, Suit, parse_cards};

fn rank(text: &str) -> HandRank {
    rank_cards(&parse_cards(text).unwrap()).unwrap()
}

/// The rules without lookup tables: the category, then the ranks in order of importance.
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

pub(super) fn for_each_five(mut visit: impl FnMut([Card; 5])) {
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
    // The first hand found at a position fills it; all later ones must agree.
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

/// Calls `visit` for every choice of `count` ranks, descending, with no rank more than four times.
fn for_each_ranks(count: usize, chosen: &mut Vec<Rank>, visit: &mut impl FnMut(&[Rank])) {
    if chosen.len() == count {
        return visit(chosen);
    }
    for rank in Rank::ALL {
        let lower = chosen.last().is_none_or(|last| rank <= *last);
        if lower && chosen.iter().filter(|other| **other == rank).count() < 4 {
            chosen.push(rank);
            for_each_ranks(count, chosen, visit);
            chosen.pop();
        }
    }
}

fn best_of_fives(cards: &[Card]) -> Option<HandRank> {
    let choices = (0..1u8 << cards.len()).filter(|choice| choice.count_ones() == 5);
    let fives = choices.map(|choice| {
        let places = (0..cards.len()).filter(|at| choice >> at & 1 == 1);
        places.map(|at| cards[at]).collect::<Vec<Card>>()
    });
    fives.map(|five| rank_cards(&five).unwrap()).max()
}

#[test]
fn all_hands_of_six_and_seven_rank_as_their_best_five() {
    let mut hands = 0;
    for count in 6..=7 {
        for_each_ranks(count, &mut Vec::new(), &mut |ranks| {
            // Without a flush only the ranks matter. Taken in turn, no suit appears three times.
            let in_turn = ranks.iter().zip(Suit::ALL.into_iter().cycle());
            let mixed: Vec<Card> = in_turn.map(|(r, s)| Card::new(*r, s)).collect();
            assert_eq!(rank_cards(&mixed).ok(), best_of_fives(&mixed), "{mixed:?}");
            hands += 1;
            // With a flush only its own ranks matter; the property below mixes in other suits.
            let suited: Vec<Card> = ranks.iter().map(|r| Card::new(*r, Suit::Hearts)).collect();
            if let Ok(rank) = rank_cards(&suited) {
                assert_eq!(Some(rank), best_of_fives(&suited), "{suited:?}");
                hands += 1;
            }
        });
    }
    assert_eq!(hands, 18_395 + 49_205 + 1_716 + 1_716);
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
fn a_hand_refuses_jokers_lots_and_duplicates() {
    let refused = |text| rank_cards(&parse_cards(text).unwrap()).unwrap_err();
    let lot = Card::lot(3).unwrap();
    let two = Card::new(Rank::Two, Suit::Clubs);
    assert_eq!(refused("JK 3C 4C 5C 7D"), RankError::NotNatural(Card::JOKER));
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

/// All hearts, or all other cards.
fn of_hearts(wanted: bool) -> Vec<Card> {
    Card::naturals().filter(|card| (card.suit() == Some(Suit::Hearts)) == wanted).collect()
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
    fn cards_of_any_suits_rank_as_their_best_five(
        hearts in proptest::sample::subsequence(of_hearts(true), 3..=5),
        others in proptest::sample::subsequence(of_hearts(false), 2),
    ) {
        let cards = [hearts, others].concat();
        prop_assert_eq!(rank_cards(&cards).ok(), best_of_fives(&cards));
    }
}
