//! A hand: its cards, what is staked on it, and how far it has been played.

use serde::{Serialize, Serializer};
use table::{Chips, Look, Seat, Slot};

use super::score::{Total, value};

/// The cards of one hand, without a list on the heap: hands and claims are copied millions of times.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Cards {
    slots: [Slot; Cards::MOST],
    len: usize,
}

impl Cards {
    /// No hand is larger: 21 cards make at least 21 points, so there is no hitting any more.
    pub(super) const MOST: usize = 21;

    #[inline]
    pub(super) fn as_slice(&self) -> &[Slot] {
        self.slots.get(..self.len).unwrap_or(&[])
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Slot> {
        self.as_slice().iter().copied()
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// Adds a card. A full hand stays as it is; rules refuse before that.
    #[inline]
    pub(super) fn push(&mut self, slot: Slot) {
        if let Some(place) = self.slots.get_mut(self.len) {
            *place = slot;
            self.len += 1;
        }
    }

    /// Takes the last card away.
    pub(super) fn pop(&mut self) -> Option<Slot> {
        let last = self.last()?;
        self.len -= 1;
        Some(last)
    }

    pub(super) fn first(&self) -> Option<Slot> {
        self.as_slice().first().copied()
    }

    pub(super) fn last(&self) -> Option<Slot> {
        self.as_slice().last().copied()
    }

    /// The two cards, if there are exactly two.
    #[inline]
    pub(super) fn pair(&self) -> Option<[Slot; 2]> {
        self.as_slice().try_into().ok()
    }

    /// The best total, if all faces are known.
    #[inline]
    pub(super) fn total(&self, faces: &impl Look) -> Option<Total> {
        let (mut points, mut aces) = (0, false);
        for slot in self.as_slice() {
            let value = value(faces.face(*slot)?);
            points += value;
            aces |= value == 1;
        }
        // Two aces at 11 would be 22, so at most one counts 11.
        let soft = aces && points <= 11;
        let points = if soft { points + 10 } else { points };
        Some(Total { points, soft, natural: points == 21 && self.len == 2 })
    }
}

impl FromIterator<Slot> for Cards {
    fn from_iter<I: IntoIterator<Item = Slot>>(iter: I) -> Self {
        let mut cards = Self::default();
        iter.into_iter().for_each(|slot| cards.push(slot));
        cards
    }
}

impl Serialize for Cards {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_slice().serialize(serializer)
    }
}

/// How far a hand has been played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It has yet to be finished.
    Playing,
    /// Finished; it counts against the bank, unless it is found to be above 21.
    Stood,
    /// Its player says that it is above 21.
    Bust,
    /// Its player has given up the match.
    Surrendered,
}

/// One hand. A player has several after a split.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Hand {
    pub(super) seat: Seat,
    pub(super) cards: Cards,
    pub(super) stake: Chips,
    /// The part of the stake that a double or a split has added to the first bet.
    pub(super) added: Chips,
    /// It comes from a split.
    pub(super) split: bool,
    pub(super) status: Status,
}

impl Hand {
    /// A hand without cards.
    pub(super) fn new(seat: Seat, stake: Chips) -> Self {
        let cards = Cards::default();
        Self { seat, cards, stake, added: Chips::ZERO, split: false, status: Status::Playing }
    }

    /// Doubles the stake; the card still to come is the last.
    pub(super) fn double(&mut self) {
        self.added += self.stake;
        self.stake = self.stake * 2;
        self.status = Status::Stood;
    }

    /// Gives the second of two cards to a new hand with the same stake.
    pub(super) fn split(&mut self) -> Self {
        self.split = true;
        let second = self.cards.pop();
        Self { cards: second.into_iter().collect(), added: self.stake, ..*self }
    }

    /// The total, if all faces are known. 21 with the first two cards after a split is no natural.
    pub(super) fn total(&self, faces: &impl Look) -> Option<Total> {
        let total = self.cards.total(faces)?;
        Some(Total { natural: total.natural && !self.split, ..total })
    }
}
