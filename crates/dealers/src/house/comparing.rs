//! A record compared with what a player has kept.
//!
//! The record must have every deck that was kept, with the same commitments of the house and of all seats; nothing may
//! have been kept under another session of the same table; and the player's own seat must not be left out of a deck for
//! which it answered in time. What one player has kept says nothing about decks that this player was not asked for.

use core::fmt;
use std::collections::{BTreeMap, BTreeSet};

use dealing::Commitment;
use table::Seat;

use super::known::Part;
use super::{Answer, Commitments, Kept, LeftOut, Own};
use crate::Finding;

/// How a record differs from what was kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unlike {
    /// Nothing was kept about this session.
    Nothing,
    /// Something was kept about another session of the same table.
    OtherSession,
    /// The commitments of this deck are others than those kept.
    Differs(u32),
    /// Two different lists of commitments were kept for this deck.
    Twice(u32),
    /// This deck was kept, and the record does not have it.
    Missing(u32),
    /// The house had taken another commitment of this seat.
    Replaced(Seat),
    /// This seat was left out though it had answered.
    LeftOut(Seat),
}

impl fmt::Display for Unlike {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("nothing that was kept belongs to this record"),
            Self::OtherSession => {
                f.write_str("this table was begun twice: something was kept under another session, too")
            }
            Self::Differs(deck) => {
                write!(f, "the commitments of deck {deck} are not those kept before the seeds were revealed")
            }
            Self::Twice(deck) => write!(f, "two different lists of commitments were kept for deck {deck}"),
            Self::Missing(deck) => write!(f, "deck {deck} was kept, and the record does not have it"),
            Self::Replaced(seat) => write!(f, "the house had taken another commitment of {seat}"),
            Self::LeftOut(seat) => write!(f, "{seat} was left out though it had answered in time"),
        }
    }
}

/// What was kept, while a record is compared with it.
#[derive(Debug)]
pub(super) struct Comparing {
    all: Vec<Kept>,
    /// By deck, of the session at hand.
    here: BTreeMap<u32, Vec<Kept>>,
    other_session: bool,
    compared: BTreeSet<u32>,
}

impl Comparing {
    pub(super) const fn new(all: Vec<Kept>) -> Self {
        Self { all, here: BTreeMap::new(), other_session: false, compared: BTreeSet::new() }
    }

    /// A session begins.
    pub(super) fn begin(&mut self, session: &[u8; 32]) {
        self.here.clear();
        self.compared.clear();
        let mut tables = BTreeSet::new();
        for kept in self.all.iter().filter(|kept| kept.session == *session) {
            tables.insert(&kept.table);
            self.here.entry(kept.deck).or_default().push(kept.clone());
        }
        self.other_session = self.all.iter().any(|kept| kept.session != *session && tables.contains(&kept.table));
    }

    /// Can the record of this session be compared at all?
    pub(super) fn session(&self) -> Result<(), Unlike> {
        match (self.here.is_empty(), self.other_session) {
            (true, _) => Err(Unlike::Nothing),
            (false, true) => Err(Unlike::OtherSession),
            (false, false) => Ok(()),
        }
    }

    /// Compares a deck of the record, and says what follows. `all` is absent while the record does not say of every
    /// seat whether it committed.
    pub(super) fn deck(
        &mut self,
        number: u32,
        all: Option<&Commitments>,
        committed: &BTreeMap<Seat, Commitment>,
        parts: &BTreeMap<Seat, Part>,
    ) -> Result<Option<Finding>, Unlike> {
        if !self.compared.insert(number) {
            return Ok(None);
        }
        let Some(lines) = self.here.get(&number) else {
            return Ok(Some(Finding::open(
                "that the house committed before it knew the seeds: nothing was kept about these decks",
            )));
        };
        let mut shown = lines.iter().filter_map(|kept| kept.commitments.as_ref());
        let first = shown.next();
        if shown.any(|other| Some(other) != first) {
            return Err(Unlike::Twice(number));
        }
        if first.is_some() && first != all {
            return Err(Unlike::Differs(number));
        }
        let mut elsewhere = false;
        for Kept { seat, own, .. } in lines {
            if let Some(own) = own {
                elsewhere |= !own.is_in(*seat, committed.get(seat).copied(), parts.get(seat).copied())?;
            }
        }
        Ok(Some(match (first.is_some(), elsewhere) {
            (true, false) => {
                Finding::proven("all commitments are those that were kept before any seed was revealed to the house")
            }
            (true, true) => Finding::open(
                "whose seed was added for the seat that this was kept by: its commitment came from another device of the \
                 same player, or the house made it up",
            ),
            (false, _) => Finding::open(
                "that the house committed before it knew the seeds: the player was never shown the commitments",
            ),
        }))
    }

    /// The session is over.
    pub(super) fn end(&self) -> Result<(), Unlike> {
        match self.here.keys().find(|deck| !self.compared.contains(deck)) {
            Some(deck) => Err(Unlike::Missing(*deck)),
            None => Ok(()),
        }
    }
}

impl Own {
    /// Is what the seat sent in the record? Not if another device was faster.
    fn is_in(&self, seat: Seat, recorded: Option<Commitment>, part: Option<Part>) -> Result<bool, Unlike> {
        if let Some(Part::Out(why)) = part
            && self.contradicts(why)
        {
            return Err(Unlike::LeftOut(seat));
        }
        match recorded {
            Some(recorded) if recorded == self.commitment => Ok(true),
            Some(_) if self.commit == Answer::Taken => Err(Unlike::Replaced(seat)),
            Some(_) => Ok(false),
            None => Ok(true),
        }
    }

    /// Is it not true that the seat is left out for this?
    fn contradicts(&self, why: LeftOut) -> bool {
        let revealed = self.reveal.is_some_and(Answer::arrived);
        match why {
            LeftOut::NoCommitment | LeftOut::Silent | LeftOut::Declined => self.commit.arrived(),
            LeftOut::NoSeed | LeftOut::Mismatch => revealed,
            // A player can leave at any time before the seed has been taken.
            LeftOut::Computer | LeftOut::Gone => matches!(self.reveal, Some(Answer::Taken | Answer::Already)),
        }
    }
}
