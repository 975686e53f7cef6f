//! Fees and limits of blocks.

use borsh::{BorshDeserialize, BorshSerialize};

use crate::params::{OutOfRange, in_range};
use crate::tx::MOST_BYTES;
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
    /// How many ten-thousandths of both are kept free of ordinary transactions, for duties.
    pub duty_reserve_bps: u16,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            gas_price: Coins(1),
            proposer_bps: 5_000,
            block_bytes: 2_000_000,
            block_gas: 1_000_000,
            duty_reserve_bps: 5_000,
        }
    }
}

impl Params {
    /// Whether a chain can live with these. The largest transaction must always have room, ordinary or not.
    pub fn check(&self) -> Result<(), OutOfRange> {
        let largest = u64::try_from(MOST_BYTES).unwrap_or(u64::MAX);
        in_range("gas_price", self.gas_price.0, 0, 1_000_000_000)?;
        in_range("proposer_bps", self.proposer_bps.into(), 0, 10_000)?;
        // A block travels in one message, and no message has more than four million bytes.
        in_range("block_bytes", self.block_bytes, 4 * largest, 3_500_000)?;
        in_range("block_gas", self.block_gas, 200_000, 100_000_000)?;
        in_range("duty_reserve_bps", self.duty_reserve_bps.into(), 1_000, 7_500)
    }
}
