//! What can go wrong with nodes, and what is wrong with what they say.

use core::fmt;

use chain::light::Doubt;
use chain::{Hash, hex};

use crate::Place;

/// Why something is not known, or was not done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// No node is known.
    NoNode,
    /// Nobody can be reached there.
    Unreachable {
        /// Where.
        place: Place,
        /// What the system says.
        why: String,
    },
    /// A node does not answer.
    Silent {
        /// Which.
        place: Place,
    },
    /// The connection to a node has ended.
    Lost {
        /// Which.
        place: Place,
        /// What the system says.
        why: String,
    },
    /// A node says something that no node would say.
    Nonsense {
        /// Which.
        place: Place,
        /// What was expected.
        expected: &'static str,
    },
    /// A node does not prove what it says.
    Lie {
        /// Which.
        place: Place,
        /// What is wrong.
        lie: Lie,
    },
    /// A node belongs to another chain.
    OtherChain {
        /// Which.
        place: Place,
        /// The chain that was expected.
        expected: Hash,
        /// The chain it belongs to.
        found: Hash,
    },
    /// A node knows only what is older than what is known here: it is behind, or repeats the past.
    Old {
        /// Which.
        place: Place,
        /// The height that it knows.
        height: u64,
        /// The least height that would do.
        known: u64,
    },
    /// The last trusted block is too old to trust later ones from it.
    Expired,
    /// A node refuses, in its own words.
    Refused {
        /// Why, as it says.
        why: String,
    },
}

/// What is wrong with what a node says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lie {
    /// A block that does not follow from those that are trusted.
    Block(Doubt),
    /// A header that is not the one that a trusted block names.
    Past {
        /// Its height.
        height: u64,
    },
    /// An entry of the state without a proof of it.
    Entry,
    /// Other entries than those that were asked for.
    Entries,
}

impl Error {
    /// Whether another node may do better.
    pub const fn is_the_nodes(&self) -> bool {
        match self {
            Self::NoNode | Self::Expired | Self::Refused { .. } => false,
            Self::Unreachable { .. }
            | Self::Silent { .. }
            | Self::Lost { .. }
            | Self::Nonsense { .. }
            | Self::Lie { .. }
            | Self::OtherChain { .. }
            | Self::Old { .. } => true,
        }
    }

    /// Whether trying again later may help, without anybody doing something about it.
    pub const fn may_pass(&self) -> bool {
        matches!(self, Self::Unreachable { .. } | Self::Silent { .. } | Self::Lost { .. } | Self::Old { .. })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNode => f.write_str("there is no node to ask: name one"),
            Self::Unreachable { place, why } => write!(f, "no node can be reached at {place}: {why}"),
            Self::Silent { place } => write!(f, "the node at {place} does not answer"),
            Self::Lost { place, why } => write!(f, "the connection to the node at {place} was lost: {why}"),
            Self::Nonsense { place, expected } => {
                write!(f, "what answers at {place} is not a node, or a broken one: expected {expected}")
            }
            Self::Lie { place, lie } => write!(f, "the node at {place} does not prove what it says: {lie}"),
            Self::OtherChain { place, expected, found } => {
                let (expected, found) = (short(expected), short(found));
                write!(f, "the node at {place} belongs to chain {found}, not to {expected}")
            }
            Self::Old { place, height, known } => {
                write!(f, "the node at {place} is behind: it is at block {height}, and block {known} is known already")
            }
            Self::Expired => f.write_str(
                "the last block you trusted is too old to trust newer ones: get the hash of a recent block from somebody \
                 you trust",
            ),
            Self::Refused { why } => write!(f, "the node refuses: {why}"),
        }
    }
}

impl core::error::Error for Error {}

impl fmt::Display for Lie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Block(why) => why.fmt(f),
            Self::Past { height } => write!(f, "block {height} is not the one that later blocks follow"),
            Self::Entry => f.write_str("the proof does not show this entry of the state"),
            Self::Entries => f.write_str("it left out entries of the state that it was asked for"),
        }
    }
}

/// The beginning of a hash, enough to tell chains apart.
fn short(hash: &Hash) -> String {
    hex(hash).chars().take(12).collect()
}
