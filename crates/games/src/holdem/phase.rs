//! Where a hand of Hold'em can be.

use serde::Serialize;
use table::{Seat, Seats};

/// Cards on a full board.
pub(super) const BOARD: u8 = 5;

/// Where the hand is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) enum Phase {
    /// A lot among these decides who has the button.
    Drawing(Seats),
    /// Blinds are posted; cards are shuffled and dealt.
    Dealing,
    /// This seat is to act.
    Betting(Seat),
    /// The next cards of the board are opened; all that are missing if nobody can bet any more.
    Board,
    /// The live hands are opened.
    Showing,
    Over(Ending),
}

/// How the hand ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) enum Ending {
    AllFolded,
    Showdown,
}

/// A round of betting.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Street {
    /// Before the board.
    Preflop,
    /// Three cards.
    Flop,
    /// The fourth card.
    Turn,
    /// The fifth card.
    River,
}

impl Street {
    /// Open cards of the board.
    pub(super) const fn cards(self) -> u8 {
        match self {
            Self::Preflop => 0,
            Self::Flop => 3,
            Self::Turn => 4,
            Self::River => BOARD,
        }
    }

    pub(super) const fn next(self) -> Self {
        match self {
            Self::Preflop => Self::Flop,
            Self::Flop => Self::Turn,
            Self::Turn | Self::River => Self::River,
        }
    }
}

/// What a seat did last on this street, as others saw it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Did {
    /// Posted a blind or straddle.
    Post,
    /// Folded; stays to the end of the hand.
    Fold,
    /// Checked.
    Check,
    /// Called.
    Call,
    /// Bet.
    Bet,
    /// Raised.
    Raise,
    /// Left, and folded by that.
    Leave,
}
