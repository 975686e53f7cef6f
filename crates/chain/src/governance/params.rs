//! How votes are held.

use borsh::{BorshDeserialize, BorshSerialize};

use crate::params::{OutOfRange, in_range};
use crate::units::Coins;

/// How votes are held.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Params {
    /// What a proposal deposits.
    pub deposit: Coins,
    /// How long a vote lasts, in milliseconds of the game clock.
    pub period: u64,
    /// Ten-thousandths of the stake that must vote.
    pub quorum_bps: u16,
    /// Of the votes for or against, more than this many ten-thousandths must be for.
    pub threshold_bps: u16,
    /// From this many ten-thousandths of the votes on, a veto rejects and the deposit is lost.
    pub veto_bps: u16,
    /// The most proposals at a time.
    pub most_open: u16,
    /// How many blocks after the vote an upgrade comes at the earliest.
    pub upgrade_notice: u64,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            deposit: Coins(100_000),
            period: 3 * 24 * 3_600_000,
            quorum_bps: 3_334,
            threshold_bps: 5_000,
            veto_bps: 3_334,
            most_open: 16,
            upgrade_notice: 10_000,
        }
    }
}

impl Params {
    /// Whether a chain can live with these. A vote must stay possible, or nothing could ever be changed again.
    pub fn check(&self) -> Result<(), OutOfRange> {
        in_range("deposit", self.deposit.0, 1, Coins::MOST.0 / 1_000)?;
        in_range("period", self.period, 60_000, 60 * 24 * 3_600_000)?;
        in_range("quorum_bps", self.quorum_bps.into(), 1_000, 8_000)?;
        in_range("threshold_bps", self.threshold_bps.into(), 5_000, 9_000)?;
        in_range("veto_bps", self.veto_bps.into(), 1_000, 10_000)?;
        in_range("most_open", self.most_open.into(), 1, 100)?;
        in_range("upgrade_notice", self.upgrade_notice, 1, 10_000_000)
    }
}
