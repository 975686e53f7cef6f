//! What an auditor knows of one deck.

use std::collections::BTreeMap;

use cards::Card;
use dealing::Commitment;
use dealing::merkle::Root;
use table::{Seat, Seats, Source};

use super::commitments::{Commitments, Pledge};
use super::flaw::Flaw;
use super::{LeftOut, Publish};

/// What is known of a deck.
#[derive(Debug)]
pub(super) struct Deck {
    pub(super) house: Commitment,
    pub(super) publish: Publish,
    pub(super) parts: BTreeMap<Seat, Part>,
    /// What seats have committed to, whatever became of it.
    pub(super) commitments: BTreeMap<Seat, Commitment>,
    pub(super) fixed: Option<Fixed>,
}

/// How far a seat is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Committed(Commitment),
    Revealed([u8; 32]),
    Out(LeftOut),
}

/// A deck whose every card is fixed.
#[derive(Debug)]
pub(super) struct Fixed {
    pub(super) count: u16,
    pub(super) root: Root,
    pub(super) from: Source,
    /// Opened for everybody.
    pub(super) open: Vec<Option<Card>>,
    /// Written down as seen by single seats.
    pub(super) private: Vec<Option<Card>>,
    /// The whole order, once it can be repeated.
    pub(super) order: Option<Vec<Card>>,
}

impl Deck {
    pub(super) fn leave_out(&mut self, seat: Seat, why: LeftOut) -> Result<(), Flaw> {
        let committed = match self.parts.get(&seat) {
            None => false,
            Some(Part::Committed(_)) => true,
            Some(Part::Revealed(_) | Part::Out(_)) => return Err(Flaw::Already(seat)),
        };
        if !why.fits(committed) {
            return Err(Flaw::WrongReason(seat));
        }
        self.parts.insert(seat, Part::Out(why));
        Ok(())
    }

    /// What everybody was to be shown before revealing, once it is known of every seat.
    pub(super) fn all_commitments(&self, players: u8) -> Option<Commitments> {
        let pledge = |seat: Seat| match (self.commitments.get(&seat), self.parts.get(&seat)) {
            (Some(commitment), _) => Some(Pledge::Commitment(*commitment)),
            (None, Some(Part::Out(why))) => Some(Pledge::LeftOut(*why)),
            (None, _) => None,
        };
        let seats = Seats::first(players).iter().map(pledge).collect::<Option<_>>()?;
        Some(Commitments { publish: self.publish, house: self.house, seats })
    }

    /// The seeds that were revealed, in seat order.
    pub(super) fn revealed(&self) -> impl Iterator<Item = (Seat, [u8; 32])> {
        self.parts.iter().filter_map(|(seat, part)| match part {
            Part::Revealed(seed) => Some((*seat, *seed)),
            Part::Committed(_) | Part::Out(_) => None,
        })
    }
}
