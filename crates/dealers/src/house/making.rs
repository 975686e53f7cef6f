//! Collecting the seeds of one deck: everybody commits, then everybody reveals.
//!
//! ```text
//! Committing  the house has committed; seats commit, in any order        time up: the rest is left out
//! Revealing   seats that committed reveal, in any order                  time up: the rest is left out
//! Complete    every seat has revealed, or is left out and on record
//! ```
//!
//! Nobody reveals before everybody has committed, so nobody can fit a seed to those of others; and everybody who is
//! asked to reveal is shown all commitments, the house's included ([`Making::commitments`]). Nobody can hold the others
//! up: a seat that does not answer in time is left out, and so is one whose seed does not fit its commitment.

use core::fmt;
use std::collections::BTreeMap;

use dealing::Commitment;
use table::{Seat, Seats};

use super::commitments::{Commitments, Pledge};
use super::lines::Said;
use super::{LeftOut, Publish, Seed};
use crate::Pen;

/// The progress of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Awaited,
    Committed(Commitment),
    Revealed([u8; 32]),
    Out(LeftOut),
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
    /// The seat takes part, or it has kept the others waiting too often to be asked again so soon.
    NotResting,
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
            Self::NotResting => "this seat takes part already, or must sit out some more decks first",
        })
    }
}

impl core::error::Error for Refusal {}

/// The seeds of one deck.
pub(super) struct Making {
    pub(super) deck: u32,
    pub(super) house: Seed,
    publish: Publish,
    /// What the house has committed to.
    pledged: Commitment,
    asked: Asked,
    parts: BTreeMap<Seat, Part>,
    /// What seats have committed to, whatever became of it.
    commitments: BTreeMap<Seat, Commitment>,
}

impl Making {
    /// The house commits, and waits for these seats.
    pub(super) fn begin(deck: u32, house: Seed, publish: Publish, seats: Seats, pen: &mut Pen) -> Self {
        let commitment = house.house_commitment(pen.session(), deck, publish);
        say(pen, &Said::HouseCommit { deck, publish, commitment });
        let parts = seats.iter().map(|seat| (seat, Part::Awaited)).collect();
        let (asked, commitments) = (Asked::Commitments, BTreeMap::new());
        Self { deck, house, publish, pledged: commitment, asked, parts, commitments }
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
                (_, Part::Awaited | Part::Committed(_) | Part::Revealed(_) | Part::Out(_)) => false,
            };
            if waits {
                awaited.insert(*seat);
            }
        }
        awaited
    }

    /// All commitments, and why there is none of other seats. They stand as soon as the first seed is asked for, and
    /// not before.
    pub(super) fn commitments(&self) -> Option<Commitments> {
        let pledge = |(seat, part): (&Seat, &Part)| match (self.commitments.get(seat), part) {
            (Some(commitment), _) => Some(Pledge::Commitment(*commitment)),
            (None, Part::Out(why)) => Some(Pledge::LeftOut(*why)),
            (None, Part::Awaited | Part::Committed(_) | Part::Revealed(_)) => None,
        };
        let seats = self.parts.iter().map(pledge).collect::<Option<_>>()?;
        (self.asked == Asked::Seeds).then_some(Commitments { publish: self.publish, house: self.pledged, seats })
    }

    pub(super) fn commit(&mut self, seat: Seat, commitment: Commitment, pen: &mut Pen) -> Result<(), Refusal> {
        let part = self.parts.get_mut(&seat).ok_or(Refusal::NotSeated)?;
        match part {
            Part::Awaited => *part = Part::Committed(commitment),
            Part::Committed(_) | Part::Revealed(_) => return Err(Refusal::Already),
            Part::Out(_) => return Err(Refusal::TooLate),
        }
        self.commitments.insert(seat, commitment);
        say(pen, &Said::Commit { seat, deck: self.deck, commitment });
        self.go_on();
        Ok(())
    }

    pub(super) fn reveal(&mut self, seat: Seat, revealed: &Seed, pen: &mut Pen) -> Result<(), Refusal> {
        let deck = self.deck;
        let part = self.parts.get_mut(&seat).ok_or(Refusal::NotSeated)?;
        match (self.asked, &*part) {
            (_, Part::Out(_)) => return Err(Refusal::TooLate),
            (_, Part::Revealed(_)) => return Err(Refusal::Already),
            (Asked::Commitments, _) | (_, Part::Awaited) => return Err(Refusal::TooEarly),
            (Asked::Seeds, Part::Committed(commitment)) => {
                if revealed.commitment(pen.session(), deck, seat) != *commitment {
                    *part = Part::Out(LeftOut::Mismatch);
                    say(pen, &Said::LeftOut { deck, seat, why: LeftOut::Mismatch });
                    return Err(Refusal::Mismatch);
                }
                *part = Part::Revealed(revealed.seed);
                say(pen, &Said::Reveal { seat, deck, seed: revealed.seed, nonce: revealed.nonce });
            }
        }
        Ok(())
    }

    /// Seats that have not answered by now are left out.
    pub(super) fn time_up(&mut self, pen: &mut Pen) {
        let why = match self.asked {
            Asked::Commitments => LeftOut::NoCommitment,
            Asked::Seeds => LeftOut::NoSeed,
        };
        self.awaited().iter().for_each(|seat| self.leave_out(seat, why, pen));
        self.go_on();
    }

    /// Nothing more comes from this seat, for a reason that fits whether or not it has committed; a seed that it has
    /// revealed stays in.
    pub(super) fn leave_out(&mut self, seat: Seat, why: LeftOut, pen: &mut Pen) {
        match self.parts.get(&seat) {
            Some(Part::Awaited | Part::Committed(_)) => {}
            Some(Part::Revealed(_) | Part::Out(_)) | None => return,
        }
        self.parts.insert(seat, Part::Out(why));
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
            Part::Awaited | Part::Committed(_) | Part::Out(_) => None,
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
