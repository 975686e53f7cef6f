//! [`Refused`]: why a table does not take an input.

use cards::Card;

use crate::{Awaiting, Height, Seat, Seats, Slot};

/// Why the table or the game refuses an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused<I> {
    /// The game refuses.
    Illegal(I),
    /// The game refuses this seat's choice.
    IllegalChoice(Seat, I),
    /// It answers another height.
    WrongHeight {
        /// The table is here.
        now: Height,
        /// It answers this.
        got: Height,
    },
    /// The table waits for something else.
    NotAwaited(Awaiting),
    /// This table has no such seat.
    NoSuchSeat(Seat),
    /// The face of this slot is missing from the input.
    NotShown(Slot),
    /// This slot is already open with another face.
    FaceChanged(Slot),
    /// The deck has no such card, or no further one.
    NoSuchCard(Slot, Card),
    /// The choices are not from exactly the seats that must choose, in order.
    WrongChoosers(Seats),
}

impl<I: core::fmt::Display> core::fmt::Display for Refused<I> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Illegal(why) => why.fmt(f),
            Self::IllegalChoice(seat, why) => write!(f, "the choice of {seat}: {why}"),
            Self::WrongHeight { now, got } => write!(f, "this answers height {got}, but the table is at height {now}"),
            Self::NotAwaited(awaiting) => write!(f, "the table waits for {awaiting}"),
            Self::NoSuchSeat(seat) => write!(f, "there is no {seat} at this table"),
            Self::NotShown(slot) => write!(f, "the face of slot {slot} is missing"),
            Self::FaceChanged(slot) => write!(f, "slot {slot} is already open with another face"),
            Self::NoSuchCard(slot, card) => write!(f, "slot {slot} cannot be {card}: the deck has no more of them"),
            Self::WrongChoosers(seats) => {
                write!(f, "choices must come from exactly these seats, in order: {seats:?}")
            }
        }
    }
}

impl<I: core::fmt::Debug + core::fmt::Display> core::error::Error for Refused<I> {}
