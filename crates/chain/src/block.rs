//! Blocks: transactions in the order in which they count.

use borsh::{BorshDeserialize, BorshSerialize};

use crate::tx::Signed;
use crate::units::{Address, Hash, hash};

/// What a block says about itself.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The chain: the hash of its genesis.
    pub chain: Hash,
    /// Its number, from 1.
    pub height: u64,
    /// The hash of the block before; zeros for the first.
    pub parent: Hash,
    /// When it was made, in milliseconds since 1970, by the clock of its proposer.
    pub time: u64,
    /// Who made it: a validator's consensus key.
    pub proposer: Address,
    /// The round in which it was first proposed. Those whose turn was in an earlier round have missed it.
    pub round: u32,
    /// The root of the state before it.
    pub root: Hash,
    /// The hash of the validators who decide the block after it.
    pub next_validators: Hash,
    /// The hash of its transactions.
    pub transactions: Hash,
}

/// A block.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Its header.
    pub header: Header,
    /// Its transactions, in order.
    pub transactions: Vec<Signed>,
}

impl Header {
    /// Identifies the block.
    pub fn hash(&self) -> Hash {
        hash("fairdeal/chain/header/v1", &[&borsh::to_vec(self).expect("plain data can be written to memory")])
    }
}

/// The hash of transactions in this order.
pub fn transactions_hash(transactions: &[Signed]) -> Hash {
    let hashes: Vec<Hash> = transactions.iter().map(Signed::id).collect();
    hash("fairdeal/chain/transactions/v1", &hashes.iter().map(Hash::as_slice).collect::<Vec<_>>())
}
