//! Where a deal of Big-C can be, and what lies on the table.

use serde::Serialize;
use table::{PerSeat, Run, Seat, Seats, Slot};

use super::{Few, Footstool, Hand};

/// Where the deal is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) enum Phase {
    Dealing,
    /// Tied seats choose a card to show.
    Choosing,
    Showing(Showing),
    /// These draw lots from this deck.
    Lots {
        deck: u32,
        among: Seats,
    },
    Playing(Round),
    /// Somebody draws, then the round goes on.
    Drawing(Round, Drawing),
    Over(Ending),
}

/// Cards chosen for the order of play, about to be opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Showing {
    pub(super) cards: PerSeat<Option<Slot>>,
    /// Tied seats one of whom has nothing left to show: lots will decide.
    pub(super) by_lot: Seats,
}

/// A round between two turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Round {
    pub(super) turn: Seat,
    /// Who has passed since the last hand; before the first, who has passed the role of chooser.
    pub(super) passed: Seats,
}

impl Round {
    pub(super) const fn new(turn: Seat) -> Self {
        Self { turn, passed: Seats::NONE }
    }
}

/// Cards on their way from the stock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Drawing {
    /// Absent once that seat has left.
    pub(super) to: Option<Seat>,
    pub(super) cards: Run,
}

/// A hand on the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Laid {
    pub(super) by: Seat,
    pub(super) cards: Few,
    pub(super) hand: Hand,
}

/// The draw deck: what is left of the deck with this number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Stock {
    pub(super) deck: u32,
    pub(super) next: u16,
    pub(super) end: u16,
}

impl Stock {
    pub(super) const fn left(self) -> u16 {
        self.end.saturating_sub(self.next)
    }

    pub(super) fn slots(self) -> impl Iterator<Item = Slot> {
        (self.next..self.end).map(move |index| Slot::new(self.deck, index))
    }
}

/// What a seat has done in this round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Did {
    /// Nothing yet.
    #[default]
    Nothing,
    /// Played a hand.
    Played,
    /// Passed.
    Passed,
    /// Passed the role of chooser, having only jokers.
    PassedRole,
}

/// A footstool that was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Stooled {
    /// Who made it.
    pub by: Seat,
    /// Who owned the lower hand.
    pub of: Seat,
    /// Half or full.
    pub kind: Footstool,
    /// Cards drawn for it.
    pub drawn: u8,
}

/// How the deal ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) enum Ending {
    WentOut(Seat),
    Blocked,
    LeftAlone(Seat),
    /// These showed a joker for the order of play, which breaks the deal.
    ShowedJoker(Seats),
}
