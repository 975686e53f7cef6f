//! A hand taken from the chain, with everything that proves it.
//!
//! A [`Collector`] follows the blocks and gives an [`Export`] for every hand that is over: how the committee was drawn and
//! generated its keys, every shuffle and every share, the actions and the settlement. [`Export::check`] needs nothing but
//! the export and a root that the validators have signed. It repeats all of it with the engines that the chain uses, and
//! compares the end with what the state says.
//!
//! **What it does not prove.** That the root is one that validators signed is for the caller to know. That t members did
//! not work together and read cards cannot be found out by anybody; neither can what players told each other.

mod check;
mod collect;
mod text;

use borsh::{BorshDeserialize, BorshSerialize};

pub use check::{BadExport, Checked};
pub use collect::Collector;
pub use text::{BEGIN, MOST_BYTES};

use crate::store::Proof;
use crate::units::{Coins, Hash};

/// A hand, and everything that proves it.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Export {
    /// The chain.
    pub chain: Hash,
    /// The table.
    pub table: u64,
    /// The hand.
    pub hand: u32,
    /// The height of the block after which the state had this root.
    pub height: u64,
    /// The root of that state.
    pub root: Hash,
    /// What the state says about the dealing of this hand.
    pub record: Proven,
    /// What the state says about the epoch that dealt it.
    pub epoch: Proven,
    /// How the committee was drawn.
    pub drawing: Drawing,
    /// How many key generations of this epoch had failed before.
    pub attempt: u32,
    /// The hash of the block before the one that began the key generation.
    pub parent: Hash,
    /// The key generation.
    pub keys: Vec<KeysEntry>,
    /// What members said about the deck, in order.
    pub deck: Vec<(u8, Vec<u8>)>,
    /// The hand, encoded: how it began, and every input.
    pub played: Vec<u8>,
    /// The stacks after it, by seat.
    pub stacks: Vec<(u8, Coins)>,
}

/// The encoded value of an entry, with its proof.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Proven {
    /// The value.
    pub value: Vec<u8>,
    /// Shows it against the root.
    pub proof: Proof,
}

/// How a committee was drawn.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub enum Drawing {
    /// The first one: with the hash of the genesis.
    First,
    /// With a random number made by the committee before.
    Beacon {
        /// What the state says about the epoch before.
        previous: Box<Proven>,
        /// The contributions, by member.
        contributions: Vec<(u8, Vec<u8>)>,
    },
    /// The committee before was lost: with what some of its members had contributed.
    Lost {
        /// What the state says about the epoch before.
        previous: Box<Proven>,
        /// The contributions, by member.
        contributions: Vec<(u8, Vec<u8>)>,
    },
}

/// An entry in the log of a key generation.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub enum KeysEntry {
    /// A member said this.
    Said(u8, Vec<u8>),
    /// The time was up: everybody who was awaited was left out.
    TimeUp,
}
