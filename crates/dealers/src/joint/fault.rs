//! What a message turned out to be.

use core::fmt;

use dealing::{BadShuffle, Invalid, Malformed, dkg::BadDealing};
use table::record::By;

/// What became of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It was awaited and is right.
    Valid,
    /// It comes too early to tell; it is kept and judged when the table gets there.
    Kept,
    /// It is known already, or nobody needs it.
    Skip,
    /// It is wrong, and only its author can have made it so.
    Fault(Fault),
}

/// What somebody did wrong. The author is whoever the channel says, never what a message says.
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
    /// It is not encoded as it should be.
    Malformed(Malformed),
    /// Not for this author to send.
    NotYours,
    /// It differs from what the author said before in the same place.
    Equivocation,
    /// A key comes without a proof that its author knows the secret, or is somebody else's.
    BadKey,
    /// The part in the key generation cannot be checked by anybody.
    BadDealing(BadDealing),
    /// In the key generation, a member was given a share that is not the promised one.
    BadShareDealt {
        /// Who complained, and proved it.
        to: By,
    },
    /// It complained of a share that is right.
    FalseComplaint {
        /// Of whom.
        against: By,
    },
    /// The shuffle is not proven.
    BadShuffle(BadShuffle),
    /// The shares are not those of these cards under this key.
    BadShares(Invalid),
    /// There are more or fewer shares than cards.
    WrongCount {
        /// So many are needed.
        needed: usize,
        /// So many came.
        got: usize,
    },
    /// It shows cards that are not its own.
    NotItsCard,
    /// What was revealed is not what was committed to.
    BadReveal,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(why) => write!(f, "the message is malformed: {why}"),
            Self::NotYours => f.write_str("this is not for them to say"),
            Self::Equivocation => f.write_str("they said something else before in the same place"),
            Self::BadKey => f.write_str("the key comes without a proof that its secret is known"),
            Self::BadDealing(why) => write!(f, "the part in the key generation is wrong: {why}"),
            Self::BadShareDealt { to } => write!(f, "{to} got a wrong share in the key generation"),
            Self::FalseComplaint { against } => write!(f, "the share of {against} that was complained of is right"),
            Self::BadShuffle(why) => write!(f, "the shuffle is not proven: {why}"),
            Self::BadShares(why) => write!(f, "the shares are not proven: {why}"),
            Self::WrongCount { needed, got } => write!(f, "{needed} shares are needed, {got} came"),
            Self::NotItsCard => f.write_str("the cards shown are not their own"),
            Self::BadReveal => f.write_str("what was revealed is not what was committed to"),
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
        /// At least: one alone must never open a card.
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
