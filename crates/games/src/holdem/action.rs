//! What a seat can do in Hold'em, and why it may be refused.

use core::fmt;

use serde::{Deserialize, Serialize};
use table::{Chips, NoClaim};

/// What a seat can do in its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Gives up every interest in the pots.
    Fold,
    /// Pays nothing, where nothing is to be paid.
    Check,
    /// Matches the bet, or as much of it as the stack allows.
    Call,
    /// Bets or raises to this total for the street: never the increment.
    RaiseTo(Chips),
    /// The whole stack: a call if it is no more than the amount to call, else a bet or raise.
    AllIn,
}

/// Nothing in Hold'em depends on closed cards: hands are shown, and suits need not be followed.
pub type Claim = NoClaim<Illegal>;

/// Why a seat may not bet or raise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoRaise {
    /// Its stack is no more than the amount to call.
    StackTooSmall,
    /// It has acted, and nobody has made a full raise since.
    NotReopened,
    /// No other player has chips to answer with.
    NobodyCanAnswer,
}

impl fmt::Display for NoRaise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::StackTooSmall => "the stack is no more than the amount to call",
            Self::NotReopened => "there has been no full raise since the seat acted",
            Self::NobodyCanAnswer => "no other player has any chips left",
        })
    }
}

/// Why an action is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Illegal {
    /// The seat is not (or no longer) in this hand.
    NotSeated,
    /// Not what is to be done now.
    WrongPhase,
    /// Another seat is to act.
    NotYourTurn,
    /// There is a bet to answer.
    CheckNotAllowed {
        /// What a call would cost.
        to_call: Chips,
    },
    /// There is no bet to answer.
    NothingToCall,
    /// A bet is a number of chips above zero.
    AmountOutOfRange {
        /// What was named.
        got: Chips,
    },
    /// The seat has not that much.
    NotEnoughChips {
        /// The total for the street that its whole stack makes.
        most: Chips,
        /// What was named.
        got: Chips,
    },
    /// The seat may only call or fold.
    RaiseNotAllowed(NoRaise),
    /// Less than the last full bet or raise on top, and not all-in.
    RaiseTooSmall {
        /// The least total for the street.
        least: Chips,
        /// What was named.
        got: Chips,
    },
    /// A hand cannot be compared: a card that should lie open does not.
    CardMissing,
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSeated => f.write_str("the seat is not in this hand"),
            Self::WrongPhase => f.write_str("this cannot be done now"),
            Self::NotYourTurn => f.write_str("it is another seat's turn"),
            Self::CheckNotAllowed { to_call } => write!(f, "there is a bet: calling costs {to_call}"),
            Self::NothingToCall => f.write_str("there is nothing to call"),
            Self::AmountOutOfRange { got } => write!(f, "a bet must be above zero, not {got}"),
            Self::NotEnoughChips { most, got } => write!(f, "at most {most} on this street (all-in), not {got}"),
            Self::RaiseNotAllowed(why) => write!(f, "cannot bet or raise: {why}"),
            Self::RaiseTooSmall { least, got } => write!(f, "a bet or raise must go to at least {least}, not {got}"),
            Self::CardMissing => f.write_str("a card that should be face up is missing"),
        }
    }
}

impl core::error::Error for Illegal {}
