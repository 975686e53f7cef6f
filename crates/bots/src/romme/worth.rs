//! The value of a hand: the best way to divide its cards into melds, halves of melds and the rest.
//!
//! Every card costs something until it is sure to be laid: its points, which count if another player goes out,
//! and the time it takes to get rid of it. A card in a meld, or one that fits a meld on the table, costs next
//! to nothing. Two cards that are half a meld cost less the more cards can still complete it. The value of a
//! hand is the cheapest way to divide it up ([`super::layout`] finds it).

use cards::{Card, Rank, Suit};
use games::romme;

use super::seen::{Spots, Unseen, bit, bits, step};

/// How much a joker counts as a card that completes a half: it can complete only one of them.
const JOKER_OUT: f64 = 0.4;

/// Everything that matters for a hand apart from its cards.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    /// The cards that can still come.
    pub(super) unseen: Unseen,
    /// Where cards can be added.
    pub(super) spots: Spots,
    /// The seat has laid its first melds.
    pub(super) opened: bool,
    /// The points its first melds need.
    pub(super) need: u16,
    /// The last card must be discarded.
    pub(super) keep: bool,
    /// How many more turns the seat can expect.
    pub(super) turns: f64,
    /// The value of going out now.
    pub(super) out: f64,
    /// The weights of its parts.
    pub(super) weights: Weights,
}

/// How much the parts of a hand weigh, in points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// The chance that a point in hand will count.
    pub(super) fear: f64,
    /// The value of getting rid of a card.
    pub(super) pace: f64,
    /// The value of a joker in hand.
    pub(super) joker: f64,
    /// The value of being able to open.
    pub(super) opening: f64,
    /// The fraction of its price that a card costs in a meld that cannot be laid yet.
    pub(super) waiting: f64,
    /// The cost of a half, which waits for a card that then completes nothing else.
    pub(super) half: f64,
    /// How many new cards the seat sees in a turn: the one drawn, and often the top of the pile.
    pub(super) looks: f64,
    /// What an unseen neighbour adds to the chance of a lone card.
    pub(super) neighbour: f64,
}

impl Scene {
    /// The cost of a card that will not be laid.
    pub(super) fn price(&self, card: Card) -> f64 {
        f64::from(romme::in_hand(card)) * self.weights.fear + self.weights.pace
    }

    /// The cost of two cards that are half a meld.
    pub(super) fn half(&self, a: Card, b: Card) -> f64 {
        let jokers = JOKER_OUT * f64::from(self.unseen.count(Card::JOKER));
        let done = self.chance(f64::from(self.outs(a, b)) + jokers);
        let waiting = if self.opened { 0.0 } else { self.weights.waiting };
        (self.price(a) + self.price(b)) * (1.0 - done * (1.0 - waiting)) + self.weights.half
    }

    /// The cost of a card that goes with no other.
    pub(super) fn lone(&self, card: Card) -> f64 {
        self.price(card) * (1.0 - self.lone_chance(card).min(0.9))
    }

    /// How many unseen natural cards would complete these two.
    pub(super) fn outs(&self, a: Card, b: Card) -> u8 {
        self.unseen.of(completing(a, b))
    }

    /// The chance that one of this many cards comes in time.
    fn chance(&self, outs: f64) -> f64 {
        let each = (self.weights.looks * outs / self.unseen.total).min(1.0);
        1.0 - (1.0 - each).powf(self.turns)
    }

    /// The chance that a lone card will be laid after all.
    fn lone_chance(&self, card: Card) -> f64 {
        let around = f64::from(self.unseen.of(around(card)));
        let beside = if self.opened { self.beside_the_table(card) } else { 0.0 };
        self.weights.neighbour * around + 0.6 * self.chance(beside)
    }

    /// How many unseen cards would make a place on the table for this one.
    fn beside_the_table(&self, card: Card) -> f64 {
        let fitting = self.spots.fitting();
        let next = [-1, 1].into_iter().filter_map(|by| step(card, by)).filter(|next| fitting & bit(*next) != 0);
        next.map(|next| f64::from(self.unseen.count(next))).sum()
    }
}

/// The natural cards that are half a meld with this one.
pub(super) fn around(card: Card) -> u64 {
    let near = [-2, -1, 1, 2].into_iter().filter_map(|by| step(card, by));
    near.fold(same_rank(card) & !bit(card), |set, card| set | bit(card))
}

/// The natural cards that complete a meld with these two.
pub(super) fn completing(a: Card, b: Card) -> u64 {
    if a.rank() == b.rank() {
        return if a == b { 0 } else { same_rank(a) & !bit(a) & !bit(b) };
    }
    let beyond = |card: Card, by: i8| step(card, by).filter(|_| card.rank() != Some(Rank::Ace));
    let row = |low: Card, high: Card| {
        if step(low, 1) == Some(high) {
            [beyond(low, -1), beyond(high, 1)]
        } else if step(low, 2) == Some(high) {
            [step(low, 1), None]
        } else {
            [None, None]
        }
    };
    let found = [row(a, b), row(b, a)];
    found.iter().flatten().flatten().fold(0, |set, card| set | bit(*card))
}

/// All cards of a rank.
fn same_rank(card: Card) -> u64 {
    let suits = Suit::ALL.into_iter();
    card.rank().map_or(0, |rank| suits.fold(0, |set, suit| set | bit(Card::new(rank, suit))))
}

/// The pairs of these cards that are half a meld.
pub(super) fn halves(held: u64) -> impl Iterator<Item = (Card, Card)> {
    bits(held).flat_map(move |a| {
        let after = held & around(a) & !(bit(a) | (bit(a) - 1));
        bits(after).map(move |b| (a, b))
    })
}
