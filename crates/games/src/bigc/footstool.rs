//! Whether a hand may be played on another, and whether it makes a footstool of it.
//!
//! A hand that is an exact equal in all that counts is a full footstool; one that is higher by a single
//! step is a half one. The owner of the lower hand draws two cards, or one. A step leads from a card to
//! the next in the card order, from 4♠ to 5♦, and none from 2♠ to 3♦.

use core::cmp::Ordering;

use serde::Serialize;

use super::class::{Class, Hand, Part};

/// What a hand does to the one it is played on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Footstool {
    /// It is higher, and that is all.
    None,
    /// It is one step higher.
    Half,
    /// It is its equal.
    Full,
}

impl Footstool {
    /// How many cards the owner of the lower hand draws.
    pub const fn penalty(self) -> u8 {
        match self {
            Self::None => 0,
            Self::Half => 1,
            Self::Full => 2,
        }
    }
}

/// What `new` does to `previous`, or `None` if it may not be played on it: it has another number of
/// cards, or is neither higher nor an exact equal.
///
/// `two_joker_triple_low`: a triple with two jokers is below every other triple of its rank.
///
/// ```
/// use games::bigc::{Footstool, classify, on_top};
/// let hand = |text: &str| classify(&cards::parse_cards(text).unwrap()).unwrap();
/// assert_eq!(on_top(&hand("4D 4S"), &hand("4C 4H"), false), Some(Footstool::Half));
/// assert_eq!(on_top(&hand("3D"), &hand("2S"), false), None);
/// ```
pub fn on_top(new: &Hand, previous: &Hand, two_joker_triple_low: bool) -> Option<Footstool> {
    if new.class().size() != previous.class().size() {
        return None;
    }
    match new.class().cmp(&previous.class()) {
        Ordering::Less => None,
        Ordering::Greater => Some(Footstool::None),
        Ordering::Equal => same_class(new, previous, two_joker_triple_low),
    }
}

fn same_class(new: &Hand, old: &Hand, two_joker_triple_low: bool) -> Option<Footstool> {
    let high = new.first.high().cmp(&old.first.high());
    let next_step = old.first.high() + 1;
    let (order, half) = match new.class() {
        Class::Single | Class::Flush | Class::Straight | Class::StraightFlush => (high, new.first.high() == next_step),
        Class::FourOfAKind | Class::FiveOfAKind => (high, new.first.contains(next_step)),
        Class::Pair => (new.first.cmp(&old.first), one_step(new.first, old.first)),
        Class::Triple if two_joker_triple_low => {
            let weight = |part: Part| (part.rank(), part.len() > 1, part);
            (weight(new.first).cmp(&weight(old.first)), step_of_high(new.first, old.first))
        }
        Class::Triple => (new.first.cmp(&old.first), one_step(new.first, old.first)),
        // Two pair are higher by their high pair alone: with equal high pairs only an exact equal can follow.
        Class::TwoPair => {
            let equal = new.first == old.first && new.second != old.second;
            let order = if equal { Ordering::Less } else { new.first.cmp(&old.first) };
            (order, one_step(new.first, old.first) && one_step(new.second, old.second))
        }
        Class::FullHouse => {
            let order = (new.first, new.second).cmp(&(old.first, old.second));
            (order, one_step(new.first, old.first) && one_step(new.second, old.second))
        }
    };
    match order {
        Ordering::Less => None,
        Ordering::Equal => Some(Footstool::Full),
        Ordering::Greater if half => Some(Footstool::Half),
        Ordering::Greater => Some(Footstool::None),
    }
}

/// Is this part higher, and only by a step?
fn one_step(new: Part, old: Part) -> bool {
    new > old && step_of_high(new, old)
}

/// Has it the card one step above the other's high card, or a copy of that high card at its own top?
fn step_of_high(new: Part, old: Part) -> bool {
    new.contains(old.high() + 1) || new.high() == old.high()
}
