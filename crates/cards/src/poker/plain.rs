//! The same ranking computed instead of looked up, for WebAssembly.
//!
//! `pokers` brings tables of 200 kB and, for that target, a generator of random numbers that asks JavaScript. A browser ranks
//! a few hands in a deal, so it needs neither. Values are as in [`HandRank`](crate::HandRank): the category above twelve
//! bits that ascend within it, with other gaps than those of `pokers`.

use std::ops::{Add, AddAssign};

/// A hand as a set of cards: bit `4 * rank + suit`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Hand(u64);

/// All cards, each as a hand, by `4 * rank + suit`.
pub(super) const CARDS: [Hand; 52] = {
    let mut cards = [Hand(0); 52];
    let mut at = 0;
    while at < cards.len() {
        #[expect(clippy::indexing_slicing, reason = "runs in the compiler, which refuses a wrong index")]
        {
            cards[at] = Hand(1 << at);
        }
        at += 1;
    }
    cards
};

/// Ranks as a set: bit 0 is a two, bit 12 an ace.
type Ranks = u64;

#[cfg_attr(not(target_family = "wasm"), allow(dead_code, reason = "tests only compare values"))]
impl Hand {
    pub(super) const fn get_mask(self) -> u64 {
        self.0
    }

    pub(super) const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// How good the best five of five to seven cards are.
    pub(super) fn evaluate(self) -> u16 {
        // By how often a rank is there at least: once, twice, three times, four times.
        let mut at_least: [Ranks; 4] = [0; 4];
        let mut suits: [Ranks; 4] = [0; 4];
        for rank in 0..13 {
            let held = self.0 >> (4 * rank) & 0b1111;
            for (times, ranks) in (1..).zip(&mut at_least) {
                *ranks |= u64::from(held.count_ones() >= times) << rank;
            }
            for (suit, ranks) in suits.iter_mut().enumerate() {
                *ranks |= (held >> suit & 1) << rank;
            }
        }
        let [any, pairs, threes, fours] = at_least;
        let suited = suits.into_iter().find(|ranks| ranks.count_ones() >= 5);
        if let Some(high) = suited.and_then(straight) {
            return value(9, high);
        }
        if fours != 0 {
            let four = highest(fours, 1);
            return value(8, 13 * place(four) + place(highest(any & !four, 1)));
        }
        if threes != 0 {
            let three = highest(threes, 1);
            let pair = highest(pairs & !three, 1);
            if pair != 0 {
                return value(7, 13 * place(three) + place(pair));
            }
        }
        if let Some(ranks) = suited {
            return value(6, place(highest(ranks, 5)));
        }
        if let Some(high) = straight(any) {
            return value(5, high);
        }
        if threes != 0 {
            return value(4, 78 * place(threes) + place(highest(any & !threes, 2)));
        }
        if pairs.count_ones() >= 2 {
            let two = highest(pairs, 2);
            return value(3, 13 * place(two) + place(highest(any & !two, 1)));
        }
        if pairs != 0 {
            return value(2, 286 * place(pairs) + place(highest(any & !pairs, 3)));
        }
        // The worst hand is where `pokers` has it.
        value(1, place(highest(any, 5)) + WORST - place(SEVEN_HIGH))
    }
}

impl Add for Hand {
    type Output = Hand;

    #[expect(clippy::suspicious_arithmetic_impl, reason = "cards are added to a set")]
    fn add(self, other: Hand) -> Hand {
        Hand(self.0 | other.0)
    }
}

impl AddAssign for Hand {
    fn add_assign(&mut self, other: Hand) {
        *self = *self + other;
    }
}

const WORST: u64 = 40;
/// 7, 5, 4, 3 and 2.
const SEVEN_HIGH: Ranks = 0b10_1111;
const WHEEL: Ranks = 1 << 12 | 0b1111;

fn value(category: u16, step: u64) -> u16 {
    // A step has at most twelve bits: 13 * 286 is the largest.
    (category << 12) + u16::try_from(step).unwrap_or(0)
}

/// The highest straight, from 1 (five high) to 10 (ace high).
fn straight(ranks: Ranks) -> Option<u64> {
    let run = (0..9).rev().find(|low| ranks >> low & 0b1_1111 == 0b1_1111);
    let wheel = (ranks & WHEEL == WHEEL).then_some(1);
    run.map(|low| low + 2).or(wheel)
}

/// The highest of these ranks, this many or fewer.
fn highest(ranks: Ranks, count: u32) -> Ranks {
    let mut left = ranks;
    while left.count_ones() > count {
        left &= left - 1;
    }
    left
}

/// The place of a set among all sets with as many ranks, the highest rank compared first: the sum of binomials.
fn place(ranks: Ranks) -> u64 {
    let members = (0..13).filter(|rank| ranks >> rank & 1 == 1);
    members.zip(1..).map(|(rank, size)| choose(rank, size)).sum()
}

fn choose(from: u64, size: u64) -> u64 {
    (0..size).fold(1, |product, i| product * from.saturating_sub(i) / (i + 1))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::poker::tests::for_each_five;
    use crate::{Card, HandRank, rank_cards};

    fn plain(cards: &[Card]) -> HandRank {
        let hand = cards.iter().fold(Hand::default(), |hand, card| {
            let (rank, suit) = card.natural().unwrap();
            hand + CARDS[4 * usize::from(rank.number() - 2) + usize::from(suit.index())]
        });
        HandRank::from_pokers(hand.evaluate())
    }

    #[test]
    fn computed_and_looked_up_ranks_are_in_the_same_order() {
        let mut same = BTreeMap::new();
        for_each_five(|cards| {
            let (looked_up, computed) = (rank_cards(&cards).unwrap(), plain(&cards));
            assert_eq!(*same.entry(looked_up).or_insert(computed), computed, "{cards:?}");
            assert_eq!(looked_up.category(), computed.category(), "{cards:?}");
        });
        assert_eq!(same.len(), usize::from(HandRank::COUNT));
        assert!(same.values().is_sorted_by(|worse, better| worse < better));
        assert_eq!(same.get(&HandRank::BEST), Some(&HandRank::BEST));
        assert_eq!(same.get(&HandRank::WORST), Some(&HandRank::WORST));
    }

    #[test]
    fn six_and_seven_cards_are_as_good_as_looked_up() {
        // Five cards are right, so one hand of each rank says which value belongs to which.
        let mut computed_of = BTreeMap::new();
        for_each_five(|cards| {
            computed_of.insert(rank_cards(&cards).unwrap(), plain(&cards));
        });
        let deck: Vec<Card> = Card::naturals().collect();
        // Steps of a linear congruential generator: any hands will do, as long as they are many.
        let mut state = 1_u64;
        for round in 0..200_000 {
            let mut hand: Vec<Card> = Vec::new();
            while hand.len() < 6 + round % 2 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let card = deck[usize::try_from((state >> 33) % 52).unwrap()];
                if !hand.contains(&card) {
                    hand.push(card);
                }
            }
            assert_eq!(Some(&plain(&hand)), computed_of.get(&rank_cards(&hand).unwrap()), "{hand:?}");
        }
    }
}
