//! How people lay a hand on the table: what belongs together side by side, from low to high.

use table::Look;

use super::class::straights;
use super::{Class, Few, Hand, classify, place};
use crate::Held;

impl Few {
    /// The cards as players lay them out: straights in a row, pairs and the like together with the weightier part first,
    /// anything else by rank. A joker lies where the card it stands for would be, and at the end if it can be any. Cards
    /// that are no hand, or that are not all known, stay as they are.
    pub fn laid_out(self, faces: &impl Look) -> Vec<Held> {
        let held: Vec<Held> = self.iter().map(|slot| Held { slot, card: faces.face(slot) }).collect();
        let cards: Option<Vec<_>> = held.iter().map(|held| held.card).collect();
        let Some(hand) = cards.and_then(|cards| classify(&cards).ok()) else { return held };
        let (jokers, mut naturals): (Vec<Held>, Vec<Held>) = held.into_iter().partition(|held| place_of(held) == 0);
        naturals.sort_by_key(place_of);
        match hand.class() {
            Class::Straight | Class::StraightFlush => in_a_row(&naturals, jokers),
            Class::TwoPair | Class::FullHouse | Class::FourOfAKind => in_groups(&hand, &naturals, jokers),
            Class::Single | Class::Pair | Class::Triple | Class::Flush | Class::FiveOfAKind => {
                naturals.into_iter().chain(jokers).collect()
            }
        }
    }
}

fn place_of(held: &Held) -> u8 {
    held.card.map_or(0, place)
}

/// The rank of a natural card, three being 0.
fn rank_of(held: &Held) -> u8 {
    place_of(held).saturating_sub(1) / 4
}

/// Rank after rank, jokers in the gaps. Jokers do not raise a hand, so they stand below it rather than above.
fn in_a_row(naturals: &[Held], jokers: Vec<Held>) -> Vec<Held> {
    let ranks = naturals.iter().fold(0, |ranks, held| ranks | 1u16 << rank_of(held));
    // The first straight begins with the ace, each other one rank higher.
    let first = (11..).zip(straights()).find(|(_, straight)| ranks & !straight == 0).map_or(0, |(first, _)| first);
    let mut jokers = jokers.into_iter();
    let at = |rank: u8| naturals.iter().find(|held| rank_of(held) == rank % 13).copied();
    (first..first + 5).filter_map(|rank| at(rank).or_else(|| jokers.next())).collect()
}

/// The parts that count, jokers with those they complete, then the card that does not count.
fn in_groups(hand: &Hand, naturals: &[Held], jokers: Vec<Held>) -> Vec<Held> {
    let sizes: &[usize] = match hand.class() {
        Class::TwoPair => &[2, 2],
        Class::FullHouse => &[3, 2],
        _ => &[4],
    };
    let parts = || [hand.first, hand.second].into_iter().zip(sizes);
    let mut jokers = jokers.into_iter();
    let mut laid = Vec::with_capacity(5);
    for (part, size) in parts() {
        laid.extend(naturals.iter().filter(|held| rank_of(held) == part.rank()));
        laid.extend(jokers.by_ref().take(size.saturating_sub(part.len())));
    }
    laid.extend(naturals.iter().filter(|held| parts().all(|(part, _)| part.rank() != rank_of(held))));
    laid
}
