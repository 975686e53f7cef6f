//! A player's part in shuffling: what pages and programs are asked for, and what became of their answer.

use dealers::house::{Asked, Commitments, Refusal as Why};
use serde::Serialize;
use table::Seat;

use crate::hub::HubError;
use crate::room::{Awaited, Command, Refusal, Room};

/// The request to a seat.
#[derive(Serialize)]
pub(super) struct Request<'a> {
    deck: u32,
    asked: &'static str,
    session: &'a str,
    seat: Seat,
    /// Everybody's commitments: a seat sees them before it reveals its seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    commitments: Option<Commitments>,
}

impl<'a> Request<'a> {
    /// What this seat is asked for now.
    pub(super) fn to(room: &'a Room, seat: Seat) -> Option<Self> {
        let Awaited::Seeds(deck, asked, seats) = room.play()?.awaited() else { return None };
        seats.contains(seat).then(|| Self {
            deck,
            asked: name(asked),
            session: &room.terms().session,
            seat,
            commitments: commitments(room),
        })
    }

    /// Identifies the request.
    pub(super) const fn which(&self) -> (u32, &'static str) {
        (self.deck, self.asked)
    }
}

/// What is asked for, in one word.
pub(super) const fn name(asked: Asked) -> &'static str {
    match asked {
        Asked::Commitments => "commitments",
        Asked::Seeds => "seeds",
    }
}

/// All commitments to the deck that is being made, once everybody has committed.
pub(super) fn commitments(room: &Room) -> Option<Commitments> {
    room.play()?.house().commitments()
}

/// Whether this seat has stopped sending seeds, and would be asked again if it answered.
pub(super) fn may_wake(room: &Room, seat: Seat) -> bool {
    room.play().is_some_and(|play| play.house().is_silent(seat) && play.house().may_wake(seat))
}

/// What became of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Answered {
    deck: u32,
    what: &'static str,
    how: &'static str,
}

impl Answered {
    /// The reply, if this command is an answer.
    pub(super) const fn to(command: &Command) -> Option<Self> {
        match command {
            Command::Commit { deck, .. } => Some(Self { deck: *deck, what: "commit", how: "taken" }),
            Command::Reveal { deck, .. } => Some(Self { deck: *deck, what: "reveal", how: "taken" }),
            _ => None,
        }
    }

    /// What became of it: `taken`, `already` if this seat had answered before, or `late`.
    pub(super) fn when(self, done: Result<(), HubError>) -> Result<Self, HubError> {
        let how = match done {
            Ok(()) => "taken",
            Err(HubError::Refused(Refusal::Seed(Why::Already))) => "already",
            Err(HubError::Refused(Refusal::Seed(Why::TooLate | Why::NotThisDeck))) => "late",
            Err(why) => return Err(why),
        };
        Ok(Self { how, ..self })
    }
}
