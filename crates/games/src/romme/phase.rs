//! Where a round of Rommé is, and how it can end.

use serde::Serialize;
use table::{Seat, Slot};

/// Where the round is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) enum Phase {
    /// A lot says who deals.
    Rolling,
    Dealing,
    /// The seat must say where it draws from.
    Draw(Seat),
    /// The next card of the stock is on its way to the seat, perhaps after a shuffle.
    Drawing {
        seat: Seat,
        shuffle: bool,
    },
    Play(Turn),
    /// The hands are opened.
    Settling(End),
    Over(End),
}

/// A turn after the draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Turn {
    pub(super) seat: Seat,
    pub(super) drawn: Drawn,
    /// Whether the player had laid anything before this turn.
    pub(super) had_opened: bool,
}

/// A card drawn, and where from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Drawn {
    /// Only the drawer has seen it.
    Stock(Slot),
    /// Everybody has seen it.
    Discard(Slot),
}

/// How the round ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) struct End {
    pub(super) ending: Ending,
    /// The seat that scores nothing; its hand stays closed.
    pub(super) winner: Option<Seat>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) enum Ending {
    WentOut,
    Romme,
    HandRomme,
    Blocked,
    LeftAlone,
}

impl Ending {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::WentOut => "went out",
            Self::Romme => "rommé",
            Self::HandRomme => "hand rommé",
            Self::Blocked => "blocked",
            Self::LeftAlone => "left alone",
        }
    }

    /// What the points of the others are multiplied by.
    pub(super) const fn times(self) -> i64 {
        match self {
            Self::WentOut | Self::Blocked | Self::LeftAlone => 1,
            Self::Romme => 2,
            Self::HandRomme => 3,
        }
    }
}
