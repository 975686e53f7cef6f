//! Why a table refuses.

use core::fmt;

use games::holdem::Illegal;

use super::{BadTerms, SEATS};
use crate::bank;
use crate::units::Coins;

/// Why a table refuses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// There is no table with this number.
    NoSuchTable,
    /// The terms of a new table are not allowed.
    Terms(BadTerms),
    /// Not enough coins.
    Bank(bank::Refused),
    /// An amount must be above 0.
    Nothing,
    /// Only the creator can close a table.
    NotCreator,
    /// Somebody sits at the table.
    NotEmpty,
    /// This player already has a seat.
    AlreadySeated {
        /// Which.
        seat: u8,
    },
    /// This player has no seat at the table.
    NotSeated,
    /// There is no such seat.
    NoSuchSeat,
    /// Somebody sits there.
    SeatTaken,
    /// Every seat is taken.
    Full,
    /// The stack after buying chips would be too small or too large.
    BuyIn {
        /// At least.
        least: Coins,
        /// At most.
        most: Coins,
        /// What it would be.
        got: Coins,
    },
    /// More chips than the validators who deal could be made to pay for.
    TooManyChips {
        /// The most at a table.
        most: Coins,
        /// What it would be.
        got: Coins,
    },
    /// The bond would exceed what the table asks for.
    BondTooLarge {
        /// The most.
        most: Coins,
        /// What it would be.
        got: Coins,
    },
    /// The key is not a group element, or the proof does not show that its owner knows the secret.
    Key,
    /// The player sits out already.
    AlreadyOut,
    /// The player neither sits out nor is about to leave.
    NotOut,
    /// No hand is being played.
    NoHand,
    /// Another hand is being played.
    OtherHand {
        /// Which.
        now: u32,
    },
    /// The player is not in the hand.
    NotInHand,
    /// The hand is so long that a raise must be all-in.
    OnlyAllIn,
    /// By the rules of the hand.
    Hand(table::Refused<Illegal>),
    /// Nobody's time is up.
    NothingDue,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchTable => f.write_str("there is no table with this number"),
            Self::Terms(why) => why.fmt(f),
            Self::Bank(why) => why.fmt(f),
            Self::Nothing => f.write_str("the amount must be above 0"),
            Self::NotCreator => f.write_str("only its creator can close a table"),
            Self::NotEmpty => f.write_str("a table can be closed only when nobody sits at it"),
            Self::AlreadySeated { seat } => {
                write!(f, "this player already sits at the table, in seat {}", seat.saturating_add(1))
            }
            Self::NotSeated => f.write_str("this player does not sit at the table"),
            Self::NoSuchSeat => write!(f, "a table has {SEATS} seats"),
            Self::SeatTaken => f.write_str("somebody else sits there"),
            Self::Full => f.write_str("every seat is taken"),
            Self::BuyIn { least, most, got } => {
                write!(f, "the stack after buying chips must be from {least} to {most}, not {got}")
            }
            Self::TooManyChips { most, got } => {
                write!(f, "the table may have at most {most} chips at present, not {got}")
            }
            Self::BondTooLarge { most, got } => write!(f, "the bond may be at most {most}, not {got}"),
            Self::Key => f.write_str("the key must come with a proof by its owner for this chain, table and address"),
            Self::AlreadyOut => f.write_str("this player already sits out"),
            Self::NotOut => f.write_str("this player neither sits out nor is leaving"),
            Self::NoHand => f.write_str("no hand is being played at this table"),
            Self::OtherHand { now } => write!(f, "hand {now} is being played"),
            Self::NotInHand => f.write_str("this player is not in the hand"),
            Self::OnlyAllIn => f.write_str("the hand has taken so long that a raise must be all-in"),
            Self::Hand(why) => why.fmt(f),
            Self::NothingDue => f.write_str("nobody's time is up at this table"),
        }
    }
}

impl core::error::Error for Refused {}

impl From<bank::Refused> for Refused {
    fn from(why: bank::Refused) -> Self {
        Self::Bank(why)
    }
}

impl From<table::Refused<Illegal>> for Refused {
    fn from(why: table::Refused<Illegal>) -> Self {
        Self::Hand(why)
    }
}
