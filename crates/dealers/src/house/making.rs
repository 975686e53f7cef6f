//! Collecting the seeds of one deck: everybody commits, then everybody reveals.
//!
//! ```text
//! Committing  the house has committed; seats commit, in any order        time up: the rest is left out
//! Revealing   seats that committed reveal, in any order                  time up: the rest is left out
//! Complete    every seat has revealed, or is left out and on record
//! ```
//!
//! Nobody reveals before everybody has committed, so nobody can fit his seed to those of others. Nobody
//! can hold the others up: who does not answer in time is left out, and so is one whose seed does not fit
//! his commitment.

use core::fmt;
use std::collections::BTreeMap;

use dealing::Commitment;
use table::{Seat, Seats};

use super::lines::Said;
use super::{LeftOut, Publish, Seed};
use crate::Pen;

/// The progress of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Awaited,
    Committed(Commitment),
    Revealed([u8; 32]),
    Out,
}

/// What seats are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// Their commitments.
    Commitments,
    /// Their seeds, with nonces.
    Seeds,
}

/// Why a message of a seat is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// No seeds are collected for this deck now.
    NotThisDeck,
    /// There is no such seat, or it has left.
    NotSeated,
    /// The seat has already done so; a second time changes nothing.
    Already,
    /// Commitments are still missing; nobody reveals before all are in.
    TooEarly,
    /// Time is up, and the seat is left out.
    TooLate,
    /// The seed does not match the commitment: the seat is left out, and that is on record.
    Mismatch,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotThisDeck => "no seeds are collected for this deck now",
            Self::NotSeated => "nobody sits there",
            Self::Already => "this seat has already done so",
            Self::TooEarly => "not everybody has committed yet",
            Self::TooLate => "time is up",
            Self::Mismatch => "the seed does not match the commitment",
        })
    }
}

impl core::error::Error for Refusal {}

/// The seeds of one deck.
pub(super) struct Making {
    pub(super) deck: u32,
    pub(super) house: Seed,
    asked: Asked,
    parts: BTreeMap<Seat, Part>,
}

impl Making {
    /// The house commits, and waits for these seats.
    pub(super) fn begin(deck: u32, house: Seed, publish: Publish, seats: Seats, pen: &mut Pen) -> Self {
        let commitment = house.house_commitment(pen.session(), deck, publish);
        say(pen, &Said::HouseCommit { deck, publish, commitment });
        let parts = seats.iter().map(|seat| (seat, Part::Awaited)).collect();
        Self { deck, house, asked: Asked::Commitments, parts }
    }

    pub(super) const fn asked(&self) -> Asked {
        self.asked
    }

    /// Who has not answered yet.
    pub(super) fn awaited(&self) -> Seats {
        let mut awaited = Seats::NONE;
        for (seat, part) in &self.parts {
            let waits = match (self.asked, part) {
                (Asked::Commitments, Part::Awaited) | (Asked::Seeds, Part::Committed(_)) => true,
                (_, Part::Awaited | Part::Committed(_) | Part::Revealed(_) | Part::Out) => false,
            };
            if waits {
                awaited.insert(*seat);
            }
        }
        awaited
    }

    /// What a seat has committed to and not revealed yet.
    pub(super) fn committed(&self, seat: Seat) -> Option<Commitment> {
        match self.parts.get(&seat)? {
            Part::Committed(commitment) => Some(*commitment),
            Part::Awaited | Part::Revealed(_) | Part::Out => None,
        }
    }

    pub(super) fn commit(&mut self, seat: Seat, commitment: Commitment, pen: &mut Pen) -> Result<(), Refusal> {
        let part = self.parts.get_mut(&seat).ok_or(Refusal::NotSeated)?;
        match part {
            Part::Awaited => *part = Part::Committed(commitment),
            Part::Committed(_) | Part::Revealed(_) => return Err(Refusal::Already),
            Part::Out => return Err(Refusal::TooLate),
        }
        say(pen, &Said::Commit { seat, deck: self.deck, commitment });
        self.go_on();
        Ok(())
    }

    pub(super) fn reveal(&mut self, seat: Seat, revealed: &Seed, pen: &mut Pen) -> Result<(), Refusal> {
        let deck = self.deck;
        let part = self.parts.get_mut(&seat).ok_or(Refusal::NotSeated)?;
        match (self.asked, &*part) {
            (_, Part::Out) => return Err(Refusal::TooLate),
            (_, Part::Revealed(_)) => return Err(Refusal::Already),
            (Asked::Commitments, _) | (_, Part::Awaited) => return Err(Refusal::TooEarly),
            (Asked::Seeds, Part::Committed(commitment)) => {
                if revealed.commitment(pen.session(), deck, seat) != *commitment {
                    *part = Part::Out;
                    say(pen, &Said::LeftOut { deck, seat, why: LeftOut::Mismatch });
                    return Err(Refusal::Mismatch);
                }
                *part = Part::Revealed(revealed.seed);
                say(pen, &Said::Reveal { seat, deck, seed: revealed.seed, nonce: revealed.nonce });
            }
        }
        Ok(())
    }

    /// Whoever has not answered by now is left out.
    pub(super) fn time_up(&mut self, pen: &mut Pen) {
        self.awaited().iter().for_each(|seat| self.leave(seat, pen));
        self.go_on();
    }

    /// Nothing more will come from this seat.
    pub(super) fn leave(&mut self, seat: Seat, pen: &mut Pen) {
        let why = match self.parts.get(&seat) {
            Some(Part::Awaited) => LeftOut::NoCommitment,
            Some(Part::Committed(_)) => LeftOut::NoSeed,
            Some(Part::Revealed(_) | Part::Out) | None => return,
        };
        self.leave_out(seat, why, pen);
    }

    /// The house's own computer plays this seat; a seed that it has revealed stays in.
    pub(super) fn take_over(&mut self, seat: Seat, pen: &mut Pen) {
        match self.parts.get(&seat) {
            Some(Part::Awaited | Part::Committed(_)) => self.leave_out(seat, LeftOut::Computer, pen),
            Some(Part::Revealed(_) | Part::Out) | None => {}
        }
    }

    fn leave_out(&mut self, seat: Seat, why: LeftOut, pen: &mut Pen) {
        self.parts.insert(seat, Part::Out);
        say(pen, &Said::LeftOut { deck: self.deck, seat, why });
        self.go_on();
    }

    pub(super) fn is_complete(&self) -> bool {
        self.asked == Asked::Seeds && self.awaited().is_empty()
    }

    /// The seeds that were revealed, in seat order.
    pub(super) fn revealed(&self) -> impl Iterator<Item = (Seat, [u8; 32])> {
        self.parts.iter().filter_map(|(seat, part)| match part {
            Part::Revealed(seed) => Some((*seat, *seed)),
            Part::Awaited | Part::Committed(_) | Part::Out => None,
        })
    }

    fn go_on(&mut self) {
        if self.asked == Asked::Commitments && self.awaited().is_empty() {
            self.asked = Asked::Seeds;
        }
    }
}

/// Writes evidence to the record.
pub(super) fn say(pen: &mut Pen, said: &Said) {
    pen.write(said.by(), said.kind(), &said.payload());
}
