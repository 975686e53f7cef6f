//! Verdicts on messages.

use core::fmt;

use dealing::{BadShuffle, Invalid, dkg::BadDealing};
use table::record::By;

use super::message::Place;

/// The verdict on a message, at its place in the log. It is final, and the same for everybody.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It was due and is correct.
    Valid,
    /// It does not count, and nobody is to blame.
    Void(Void),
    /// It is wrong, and only its author can have caused that.
    Fault(Box<Fault>),
}

/// Why a message does not count, though nobody is to blame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Void {
    /// This author never sends such a message.
    NotYours,
    /// Its author has been left out.
    LeftOut,
    /// Nobody waits for it, or not any more.
    NotAwaited,
    /// Its author has already said something in this place.
    Second,
    /// It builds on something else than what the log says, for example on keys of somebody who was left out
    /// meanwhile.
    OtherGround,
    /// The cards that the action lays down have not been shown.
    NotShown,
}

impl fmt::Display for Void {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotYours => "its author never sends such a message",
            Self::LeftOut => "its author has been left out",
            Self::NotAwaited => "nobody waits for it",
            Self::Second => "its author has already said something in this place",
            Self::OtherGround => "it builds on something else than what the log says",
            Self::NotShown => "the cards it lays down have not been shown",
        })
    }
}

/// What a member or player did wrong, with the message that shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Who. This comes from the channel, never from the message.
    pub by: By,
    /// What.
    pub why: Why,
    /// The message that shows it.
    pub exhibit: Exhibit,
}

/// A message that shows a fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exhibit {
    /// Its author: the culprit, or the member that proved with a complaint that it was given a wrong share.
    pub by: By,
    /// Where it belongs; `None` for an action.
    pub place: Option<Place>,
    /// The message, encoded; an action as JSON: its height, the table it answers and what it does.
    pub bytes: Vec<u8>,
}

/// What is wrong with a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
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
    /// The rules do not allow this action or choice.
    Illegal(String),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadKey => f.write_str("the key comes without proof that its author knows the secret"),
            Self::BadDealing(why) => write!(f, "the dealing in the key generation is wrong: {why}"),
            Self::BadShareDealt { to } => write!(f, "{to} got a wrong share in the key generation"),
            Self::FalseComplaint { against } => write!(f, "the complaint about {against} is false: the share is right"),
            Self::BadShuffle(why) => write!(f, "the shuffle is not proven: {why}"),
            Self::BadShares(why) => write!(f, "the shares are not proven: {why}"),
            Self::WrongCount { needed, got } => write!(f, "{needed} shares are needed, but {got} came"),
            Self::NotItsCard => f.write_str("the shown cards belong to another player"),
            Self::BadReveal => f.write_str("the revealed choice does not match the commitment"),
            Self::Illegal(why) => write!(f, "against the rules: {why}"),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.by, self.why)
    }
}

/// Why a message is not valid.
#[derive(Debug)]
pub(super) enum Unfit {
    Void(Void),
    Fault(Why),
}

impl From<Void> for Unfit {
    fn from(void: Void) -> Self {
        Self::Void(void)
    }
}

impl From<Why> for Unfit {
    fn from(why: Why) -> Self {
        Self::Fault(why)
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
        /// At least this many: nobody may be able to open a card alone, nor a third of a committee.
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
