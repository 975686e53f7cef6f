//! Stake and penalties.

use borsh::{BorshDeserialize, BorshSerialize};

use super::Offence;
use crate::execute::MOST_PER_BLOCK;
use crate::params::{OutOfRange, in_range};
use crate::units::Coins;

const MINUTE: u64 = 60_000;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// Blocks that a validator may still decide after it has unbonded, with some to spare.
const LEAVING: u64 = 10;

/// Stake and penalties.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Params {
    /// The least stake of a validator.
    pub least_stake: Coins,
    /// The most validators.
    pub most_validators: u16,
    /// How long stake stays liable after it was taken out, in milliseconds of the game clock.
    pub unbonding: u64,
    /// How many blocks ago evidence of signing twice may be.
    pub evidence_blocks: u64,
    /// After how many milliseconds without an offence the earlier ones are forgotten.
    pub forget: u64,
    /// How many faults remove a validator for good.
    pub faults_to_remove: u16,
    /// What offences cost.
    pub penalties: Penalties,
    /// Where it goes.
    pub split: Split,
}

/// What one offence costs.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Penalty {
    /// Ten-thousandths of the stake.
    pub bps: u16,
    /// For how long it jails the first time, in milliseconds of the game clock; 0 if it does not.
    pub jail: u64,
}

/// What each offence costs.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Penalties {
    /// Ten-thousandths of the stake for signing twice, which also removes for good.
    pub double_sign_bps: u16,
    /// For a wrong message in a key generation.
    pub bad_keys: Penalty,
    /// For a wrong shuffle or share.
    pub bad_proof: Penalty,
    /// For silence that a hand was aborted for.
    pub withheld: Penalty,
    /// For silence in a key generation.
    pub silent_in_keys: Penalty,
    /// For silence when a hand waited, or in most turns to make a block.
    pub silent: Penalty,
}

/// How a penalty is divided, in ten-thousandths. The treasury gets the rest, and every part that has nobody to go to.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Split {
    /// To whoever reported the offence.
    pub reporter_bps: u16,
    /// To the players of the table that suffered.
    pub players_bps: u16,
    /// Destroyed.
    pub burned_bps: u16,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            least_stake: Coins(1_000),
            most_validators: 100,
            unbonding: 7 * DAY,
            evidence_blocks: 200_000,
            forget: 30 * DAY,
            faults_to_remove: 4,
            penalties: Penalties::default(),
            split: Split { reporter_bps: 500, players_bps: 2_500, burned_bps: 2_000 },
        }
    }
}

impl Default for Penalties {
    fn default() -> Self {
        Self {
            double_sign_bps: 500,
            bad_keys: Penalty { bps: 5_000, jail: DAY },
            bad_proof: Penalty { bps: 1_000, jail: HOUR },
            withheld: Penalty { bps: 1_000, jail: HOUR },
            silent_in_keys: Penalty { bps: 10, jail: 10 * MINUTE },
            silent: Penalty { bps: 10, jail: 10 * MINUTE },
        }
    }
}

impl Penalties {
    /// What this offence costs.
    pub const fn of(&self, offence: Offence) -> Penalty {
        match offence {
            Offence::DoubleSign => Penalty { bps: self.double_sign_bps, jail: 0 },
            Offence::BadKeys => self.bad_keys,
            Offence::BadProof => self.bad_proof,
            Offence::Withheld => self.withheld,
            Offence::SilentInKeys => self.silent_in_keys,
            Offence::Silent | Offence::Absent => self.silent,
        }
    }
}

impl Params {
    /// Whether a chain can live with these.
    pub fn check(&self) -> Result<(), OutOfRange> {
        in_range("least_stake", self.least_stake.0, 1, Coins::MOST.0)?;
        in_range("most_validators", self.most_validators.into(), 1, 1_000)?;
        in_range("evidence_blocks", self.evidence_blocks, 1, 10_000_000)?;
        // The game clock makes at most so much of a step per block, so this many milliseconds are at least as many
        // blocks as evidence lives.
        let least = (self.evidence_blocks + LEAVING) * MOST_PER_BLOCK;
        in_range("unbonding", self.unbonding, least, 366 * DAY)?;
        in_range("forget", self.forget, 0, 3_660 * DAY)?;
        in_range("faults_to_remove", self.faults_to_remove.into(), 1, 1_000)?;
        in_range("double_sign_bps", self.penalties.double_sign_bps.into(), 1, 10_000)?;
        let p = &self.penalties;
        let named = [
            ("bad_keys", p.bad_keys),
            ("bad_proof", p.bad_proof),
            ("withheld", p.withheld),
            ("silent_in_keys", p.silent_in_keys),
            ("silent", p.silent),
        ];
        for (name, penalty) in named {
            in_range(name, penalty.bps.into(), 0, 10_000)?;
            in_range(name, penalty.jail, 0, 366 * DAY)?;
        }
        let Split { reporter_bps, players_bps, burned_bps } = self.split;
        let parts = u64::from(reporter_bps) + u64::from(players_bps) + u64::from(burned_bps);
        in_range("split", parts, 0, 10_000)
    }
}
