//! Verdicts on messages.

use core::fmt;

use dealing::{BadShuffle, Invalid, Malformed, dkg::BadDealing};
use table::record::By;

/// The verdict on a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It was due and is correct.
    Valid,
    /// It is too early to judge; it is kept until the table gets there.
    Kept,
    /// It is already known, or not needed.
    Skip,
    /// It is wrong, and only its author can have caused that.
    Fault(Fault),
}

/// What a member or player did wrong. The author comes from the channel, never from the message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Who.
    pub by: By,
    /// What.
    pub why: Why,
}

/// What is wrong with a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// It cannot be decoded.
    Malformed(Malformed),
    /// This author may not send it.
    NotYours,
    /// It differs from an earlier message by its author in the same place.
    Equivocation,
    /// A key comes without proof that its author knows the secret, or belongs to somebody else.
    BadKey,
    /// The dealing in the key generation fails a public check.
    BadDealing(BadDealing),
    /// A member was given a wrong share in the key generation.
    BadShareDealt {
        /// The member who complained and proved it.
        to: By,
    },
    /// It complained about a share that is right.
    FalseComplaint {
        /// Whose share it was.
        against: By,
    },
    /// The shuffle is not proven.
    BadShuffle(BadShuffle),
    /// The shares are not for these cards under this key.
    BadShares(Invalid),
    /// There are more or fewer shares than cards.
    WrongCount {
        /// How many are needed.
        needed: usize,
        /// How many came.
        got: usize,
    },
    /// It shows cards of another player.
    NotItsCard,
    /// The revealed choice does not match the commitment.
    BadReveal,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(why) => write!(f, "the message is malformed: {why}"),
            Self::NotYours => f.write_str("this author may not send such a message"),
            Self::Equivocation => f.write_str("it contradicts an earlier message by the same author"),
            Self::BadKey => f.write_str("the key comes without proof that its author knows the secret"),
            Self::BadDealing(why) => write!(f, "the dealing in the key generation is wrong: {why}"),
            Self::BadShareDealt { to } => write!(f, "{to} got a wrong share in the key generation"),
            Self::FalseComplaint { against } => write!(f, "the complaint about {against} is false: the share is right"),
            Self::BadShuffle(why) => write!(f, "the shuffle is not proven: {why}"),
            Self::BadShares(why) => write!(f, "the shares are not proven: {why}"),
            Self::WrongCount { needed, got } => write!(f, "{needed} shares are needed, but {got} came"),
            Self::NotItsCard => f.write_str("the shown cards belong to another player"),
            Self::BadReveal => f.write_str("the revealed choice does not match the commitment"),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.by, self.why)
    }
}

/// Why a table cannot be dealt on these terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadTerms {
    /// Too few players.
    Players,
    /// Too many members.
    Members {
        /// At most.
        most: u8,
    },
    /// The threshold is out of range.
    Threshold {
        /// At least this many: nobody may be able to open a card alone.
        least: u8,
        /// At most.
        most: u8,
    },
}

impl fmt::Display for BadTerms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Players => f.write_str("there are too few players to deal among themselves"),
            Self::Members { most } => write!(f, "a committee has at most {most} members"),
            Self::Threshold { least, most } => write!(f, "the threshold must be from {least} to {most}"),
        }
    }
}

impl core::error::Error for BadTerms {}
