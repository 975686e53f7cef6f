//! Hands of five cards, built class by class from the ranks and suits in a hand.
//!
//! Of every class there is one for each key that the cards can have, and where a hand of that class is to be beaten,
//! one for each kind of footstool. Cards that do not count are the lowest that will do.

use super::Class;
use super::class::straights;
use super::options::{Build, Natural, Options, subsets};

/// Takes what was built, says whether it is of the class that it was built for.
type Check<'a> = &'a mut dyn FnMut(Build, Class) -> bool;

/// Builds the hands of one class.
type BuildAll = fn(&Options, Check<'_>);

impl Options {
    /// Builds hands of this class and of all above it.
    pub(super) fn each_five(&self, least: Class, check: Check<'_>) {
        let classes: [(Class, BuildAll); 7] = [
            (Class::FourOfAKind, Self::fours),
            (Class::FiveOfAKind, Self::fives),
            (Class::FullHouse, Self::full_houses),
            (Class::TwoPair, Self::two_pairs),
            (Class::Straight, Self::straights),
            (Class::StraightFlush, Self::straight_flushes),
            (Class::Flush, Self::flushes),
        ];
        for (_, build_all) in classes.into_iter().filter(|(class, _)| *class >= least) {
            build_all(self, check);
        }
    }

    /// The cards of other ranks than these, equal faces once, lowest first.
    fn spares(&self, not: [u8; 2]) -> impl Iterator<Item = &[Natural]> {
        let copies = self.naturals.chunk_by(|a, b| a.place == b.place).filter_map(|copies| copies.get(..1));
        copies.filter(move |card| card.first().is_some_and(|card| !not.contains(&card.rank())))
    }

    /// The place one step above the high card on the table, if a hand of this class lies there; else 0.
    fn step(&self, class: Class) -> u8 {
        self.beat.filter(|beat| beat.class() == class).map_or(0, |beat| beat.high() + 1)
    }

    fn fours(&self, check: Check<'_>) {
        for rank in self.ranks() {
            let number = rank.first().map_or(0, |natural| natural.rank());
            for naturals in 1..=4.min(rank.len()) {
                let Some(jokers) = self.some_jokers(4 - naturals) else { continue };
                topped(rank, naturals, self.step(Class::FourOfAKind), &mut |four| {
                    // Three jokers join the higher of two cards, and make a straight flush where they can.
                    let fits = |spare: &Natural| naturals > 1 || spare.rank() < number;
                    let mut spares = self.spares([number; 2]).filter(|spare| spare.iter().all(fits));
                    spares.any(|spare| check(four.with(spare).with_jokers(jokers), Class::FourOfAKind));
                });
            }
        }
    }

    fn fives(&self, check: Check<'_>) {
        for rank in self.ranks() {
            // A single card and four jokers are a straight flush.
            for naturals in 2..=5.min(rank.len()) {
                let Some(jokers) = self.some_jokers(5 - naturals) else { continue };
                topped(rank, naturals, self.step(Class::FiveOfAKind), &mut |five| {
                    check(five.with_jokers(jokers), Class::FiveOfAKind);
                });
            }
        }
    }

    fn full_houses(&self, check: Check<'_>) {
        for (i, low) in self.ranks().enumerate().filter(|(_, rank)| rank.len() > 1) {
            for high in self.ranks().skip(i + 1).filter(|rank| rank.len() > 1) {
                // A joker makes the triple of the higher pair.
                for (triple, naturals, pair, jokers) in [(low, 3, high, 0), (high, 3, low, 0), (high, 2, low, 1)] {
                    let Some(jokers) = self.some_jokers(jokers) else { continue };
                    subsets(triple, naturals, Build::NONE, &mut |triple| {
                        subsets(pair, 2, triple, &mut |both| {
                            check(both.with_jokers(jokers), Class::FullHouse);
                        });
                    });
                }
            }
        }
    }

    fn two_pairs(&self, check: Check<'_>) {
        let number = |rank: &[Natural]| rank.first().map_or(0, |natural| natural.rank());
        let least = self.beat.map_or(0, |beat| if beat.class() == Class::TwoPair { beat.first.rank() } else { 0 });
        for (i, low) in self.ranks().enumerate() {
            for high in self.ranks().skip(i + 1).filter(|high| number(high) >= least) {
                for (highs, lows) in [(2, 2), (1, 2), (2, 1), (1, 1)] {
                    let Some(jokers) = self.some_jokers(4 - highs - lows) else { continue };
                    if high.len() < highs || low.len() < lows {
                        continue;
                    }
                    // Jokers join the highest single cards, so the fifth card must be below those they are to join.
                    let below = match (highs, lows) {
                        (2, 2) => u8::MAX,
                        (1, 2) => number(high),
                        _ => number(low),
                    };
                    let fifth = |spare: &&[Natural]| spare.iter().all(|spare| spare.rank() < below);
                    subsets(high, highs, Build::NONE, &mut |high_pair| {
                        subsets(low, lows, high_pair, &mut |both| {
                            // With some fifth cards it would be a straight or a flush.
                            let mut spares = self.spares([number(low), number(high)]).filter(fifth);
                            spares.any(|spare| check(both.with(spare).with_jokers(jokers), Class::TwoPair));
                        });
                    });
                }
            }
        }
    }

    /// For every straight, every rank that can be the highest natural in it, and every card of that rank.
    fn straights(&self, check: Check<'_>) {
        for straight in straights() {
            let ranks = (0..13u8).filter(|rank| straight & (1 << rank) != 0);
            for (i, top) in ranks.clone().enumerate() {
                let below = ranks.clone().take(i).map(|rank| self.of_rank(rank)).filter(|rank| !rank.is_empty());
                // With three jokers it would be four of a kind.
                let jokers = 4 - below.clone().count();
                let Some(jokers) = self.some_jokers(jokers).filter(|jokers| jokers.len() <= 2) else { continue };
                for high in self.of_rank(top).chunk_by(|a, b| a.place == b.place).filter_map(|same| same.get(..1)) {
                    let suit = high.first().map_or(0, |high| high.suit());
                    let build = below.clone().fold(Build::NONE, |build, rank| {
                        let other = rank.iter().position(|card| card.suit() != suit).unwrap_or(0);
                        build.with(rank.get(other..=other).unwrap_or(&[]))
                    });
                    check(build.with(high).with_jokers(jokers), Class::Straight);
                }
            }
        }
    }

    /// For every straight and suit, every card that can be the highest natural in it.
    fn straight_flushes(&self, check: Check<'_>) {
        for suit in 0..4 {
            for straight in straights() {
                let mut build = Build::NONE;
                for rank in (0..13u8).filter(|rank| straight & (1 << rank) != 0) {
                    let Some(card) = self.of_rank(rank).iter().find(|card| card.suit() == suit) else { continue };
                    build = build.with(core::slice::from_ref(card));
                    if let Some(jokers) = self.some_jokers(5 - build.len()) {
                        check(build.with_jokers(jokers), Class::StraightFlush);
                    }
                }
            }
        }
    }

    /// For every card that can be the highest of a flush, one with each number of jokers.
    fn flushes(&self, check: Check<'_>) {
        for suit in 0..4 {
            let of_suit: Vec<Natural> = self.naturals.iter().filter(|n| n.suit() == suit).copied().collect();
            for (i, high) in of_suit.iter().enumerate() {
                if of_suit.get(i + 1).is_some_and(|next| next.place == high.place) {
                    continue;
                }
                for naturals in 3..=5.min(i + 1) {
                    let Some(jokers) = self.some_jokers(5 - naturals) else { continue };
                    let build = Build::NONE.with(core::slice::from_ref(high)).with_jokers(jokers);
                    // The first four that do not make more of it.
                    let below = of_suit.get(..i).unwrap_or(&[]);
                    let _ = any_subset(below, naturals - 1, build, &mut |build| check(build, Class::Flush));
                }
            }
        }
    }
}

/// Ways to take `n` cards of a rank: for every high card one without the card at `step` and one with it, as far as
/// there are.
fn topped(rank: &[Natural], n: usize, step: u8, take: &mut dyn FnMut(Build)) {
    for (i, high) in rank.iter().enumerate() {
        if i + 1 < n || rank.get(i + 1).is_some_and(|next| next.place == high.place) {
            continue;
        }
        let below = rank.get(..i).unwrap_or(&[]);
        let stepping = below.iter().position(|card| card.place == step && high.place != step);
        let build = Build::NONE.with(core::slice::from_ref(high));
        let add = |build: Build, card: &Natural| {
            if build.len() < n { build.with(core::slice::from_ref(card)) } else { build }
        };
        let plain = below.iter().filter(|card| stepping.is_none() || card.place != step).fold(build, add);
        if plain.len() == n {
            take(plain);
        }
        if let Some(at) = stepping.filter(|_| n > 1) {
            let first = below.get(at..=at).unwrap_or(&[]).iter();
            let others = below.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, card)| card);
            take(first.chain(others).fold(build, add));
        }
    }
}

/// Tries ways to take `n` of these, lowest first, until one is taken.
fn any_subset(of: &[Natural], n: usize, build: Build, take: &mut dyn FnMut(Build) -> bool) -> bool {
    if n == 0 {
        return take(build);
    }
    (0..of.len()).any(|i| match of.get(i..) {
        Some([first, rest @ ..]) if rest.len() + 1 >= n => {
            any_subset(rest, n - 1, build.with(core::slice::from_ref(first)), take)
        }
        _ => false,
    })
}
