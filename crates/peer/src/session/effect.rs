//! What an entry does: it counts, it has no effect, or it shows that its author did wrong.

use core::fmt;

use dealers::joint;
use table::Seat;

use crate::waits::NoVote;

/// What an entry did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// It counts.
    Counts,
    /// It has no effect, and nobody is to blame.
    Void(Nothing),
    /// Its author did wrong.
    Fault(Box<Fault>),
}

/// Why an entry has no effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nothing {
    /// It cannot be opened or read.
    Unreadable,
    /// Its author does not play.
    NotAPlayer,
    /// It does not belong there.
    NotNow,
    /// The dealing does not wait for it.
    Dealing(joint::Void),
    /// A vote that does not count.
    Vote(NoVote),
    /// A rematch needs a new table with a new key.
    SameTable,
}

impl fmt::Display for Nothing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable => f.write_str("it cannot be read"),
            Self::NotAPlayer => f.write_str("its author does not play"),
            Self::NotNow => f.write_str("it does not belong there"),
            Self::Dealing(why) => why.fmt(f),
            Self::Vote(why) => why.fmt(f),
            Self::SameTable => f.write_str("a rematch needs a table with a new key"),
        }
    }
}

/// Something that a player did wrong, at a height of the log where it can be looked up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Who.
    pub seat: Seat,
    /// The height of the log after the entry that shows it.
    pub height: u64,
    /// What.
    pub what: Wrong,
}

/// What a player did wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// They opened another seed than they had committed to.
    Seed,
    /// A message or a move that is wrong.
    Dealing(joint::Why),
    /// By a move they said something about their closed cards that was not true.
    Claim,
    /// A signature under something else than the result.
    Signature,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seed => f.write_str("the opened seed is not the one committed to"),
            Self::Dealing(why) => why.fmt(f),
            Self::Claim => f.write_str("what they said about their closed cards was not true"),
            Self::Signature => f.write_str("the signature is not for the result of this match"),
        }
    }
}
