//! Fees and limits of blocks.

use borsh::{BorshDeserialize, BorshSerialize};

use crate::units::Coins;

/// Fees and limits of blocks.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Params {
    /// What a unit of gas costs.
    pub gas_price: Coins,
    /// How many ten-thousandths of a fee the proposer gets; the treasury gets the rest.
    pub proposer_bps: u16,
    /// The most bytes of a block's transactions.
    pub block_bytes: u64,
    /// The most gas of a block's transactions, in microseconds of work.
    pub block_gas: u64,
}

impl Default for Params {
    fn default() -> Self {
        Self { gas_price: Coins(1), proposer_bps: 5_000, block_bytes: 2_000_000, block_gas: 1_000_000 }
    }
}
