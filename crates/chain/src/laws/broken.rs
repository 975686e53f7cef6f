//! What must never happen, whatever anybody does.

use core::fmt;

use crate::execute::BadBlock;
use crate::units::Coins;

/// Something that must never happen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Broken {
    /// A block was refused.
    Block(BadBlock),
    /// Two replicas have different states after the same blocks.
    Replicas {
        /// At this height.
        height: u64,
    },
    /// Coins were made or lost.
    Supply {
        /// How many there were.
        before: Coins,
        /// How many there are.
        after: Coins,
    },
    /// An honest validator was punished.
    Innocent {
        /// Who, by number.
        validator: u8,
        /// For what.
        why: String,
    },
    /// A hand was aborted although enough honest members were left to deal it.
    Aborted {
        /// The hand.
        hand: u32,
        /// How many honest seats dealt it.
        honest: usize,
    },
    /// Nothing happens any more.
    Stuck {
        /// At this height.
        height: u64,
    },
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Block(why) => why.fmt(f),
            Self::Replicas { height } => write!(f, "two replicas differ at height {height}"),
            Self::Supply { before, after } => write!(f, "there were {before} coins, and now there are {after}"),
            Self::Innocent { validator, why } => write!(f, "validator {validator} is honest, but was punished: {why}"),
            Self::Aborted { hand, honest } => write!(f, "hand {hand} was aborted although {honest} seats were honest"),
            Self::Stuck { height } => write!(f, "no hand has ended for a long time, at height {height}"),
        }
    }
}

impl core::error::Error for Broken {}
