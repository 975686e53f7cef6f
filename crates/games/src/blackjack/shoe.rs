//! The cards of a round: what is left in the shoe, and a new one where that is not enough.

use core::ops::Range;

use cards::Pack;
use serde::{Deserialize, Serialize};
use table::{Order, Run, Slot, Source};

/// A shoe that earlier rounds have begun to use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shoe {
    /// The number of its deck.
    pub deck: u32,
    /// How many of its cards are used up.
    pub used: u16,
}

/// Where the cards of a round come from.
///
/// They are counted on from those used up before the round. Should the shoe run out, all of its cards are
/// on the table but those used up before the round: these are shuffled into a second deck, and the count
/// goes on through it.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Supply {
    packs: u8,
    /// The deck of the shoe.
    shoe: u32,
    /// The number of the deck that this round makes, if it makes one: the shoe, or the second deck.
    made: u32,
    /// The count at the beginning of the round; 0 if the shoe is new.
    first: u16,
    /// The count of the next card.
    next: u16,
    /// The cards drawn last come from a deck that is yet to be shuffled.
    shuffles: bool,
}

impl Supply {
    /// What is left in a shoe, or a new one.
    pub(super) fn new(packs: u8, shoe: Option<Shoe>, first_deck: u32) -> Self {
        let Shoe { deck, used } = shoe.unwrap_or(Shoe { deck: first_deck, used: 0 });
        Self { packs, shoe: deck, made: first_deck, first: used, next: used, shuffles: false }
    }

    /// How many cards can still be drawn in this round: all that are not on the table.
    pub(super) fn left(&self) -> u16 {
        (self.size() + self.first).saturating_sub(self.next)
    }

    /// How many cards lie in the shoe now, or in the second deck once that is in use.
    pub(super) fn in_shoe(&self) -> u16 {
        if self.next > self.size() { self.left() } else { self.size() - self.next }
    }

    /// Draws a card. The caller has looked that one is left.
    pub(super) fn draw(&mut self) -> Slot {
        self.shuffles |= self.next == 0 || self.next == self.size();
        self.next += 1;
        self.slot(self.next - 1)
    }

    /// Must a deck be shuffled before the cards drawn last can be dealt?
    pub(super) const fn shuffles(&self) -> bool {
        self.shuffles
    }

    /// The order to do so.
    pub(super) fn shuffle(&self) -> Order {
        let from = if self.first == 0 {
            Source::Pack(Pack::Cards { decks: self.packs, jokers: 0 })
        } else {
            Source::Slots((0..self.first).map(|count| self.slot(count)).collect())
        };
        Order::Shuffle { deck: self.made, from }
    }

    /// That has been done.
    pub(super) const fn shuffled(&mut self) {
        self.shuffles = false;
    }

    /// All cards drawn in this round.
    pub(super) fn drawn(&self) -> impl Iterator<Item = Run> {
        let mut from = self.first;
        core::iter::from_fn(move || {
            let end = if from < self.size() { self.next.min(self.size()) } else { self.next };
            let len = u8::try_from(end - from).unwrap_or(u8::MAX);
            let run = Run::of(self.slot(from), len);
            from += u16::from(len);
            (len > 0).then_some(run)
        })
    }

    /// The deck numbers in use.
    pub(super) fn decks(&self) -> Range<u32> {
        let makes_one = self.first == 0 || self.next >= self.size();
        self.shoe..self.made.saturating_add(u32::from(makes_one))
    }

    /// The shoe for the next round, with how many cards are left in it. None after a second deck, from
    /// which the cards on the table are missing: the next round begins with all cards.
    pub(super) fn afterwards(&self) -> Option<(Shoe, u16)> {
        let usable = (1..=self.size()).contains(&self.next);
        usable.then_some((Shoe { deck: self.shoe, used: self.next }, self.in_shoe()))
    }

    /// The cards of a full shoe.
    fn size(&self) -> u16 {
        52 * u16::from(self.packs)
    }

    fn slot(&self, count: u16) -> Slot {
        match count.checked_sub(self.size()) {
            None => Slot::new(self.shoe, count),
            Some(beyond) => Slot::new(self.made, beyond),
        }
    }
}
