//! What happens to validators.

use borsh::{BorshDeserialize, BorshSerialize};

use super::Offence;
use crate::units::{Address, Coins};

/// Something that happened to a validator, named by its consensus key.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// Somebody became one who can be a validator.
    ValidatorRegistered {
        /// Who.
        consensus: Address,
        /// Whose stake it is.
        operator: Address,
        /// How much.
        stake: Coins,
    },
    /// It staked more.
    Bonded {
        /// Who.
        consensus: Address,
        /// How much more.
        coins: Coins,
    },
    /// It began to take stake out.
    UnbondingBegun {
        /// Who.
        consensus: Address,
        /// How much.
        coins: Coins,
    },
    /// Stake was paid back to the operator.
    Unbonded {
        /// Who.
        consensus: Address,
        /// How much.
        coins: Coins,
    },
    /// It lost a part of its stake.
    ValidatorSlashed {
        /// Who.
        consensus: Address,
        /// For what.
        offence: Offence,
        /// How much.
        lost: Coins,
    },
    /// It may not propose and vote, and is drawn into committees only if it was merely silent.
    ValidatorJailed {
        /// Who.
        consensus: Address,
        /// For what.
        offence: Offence,
        /// The game clock from which it can be released.
        until: u64,
    },
    /// It was released.
    ValidatorReleased {
        /// Who.
        consensus: Address,
    },
    /// It was removed for good.
    ValidatorRemoved {
        /// Who.
        consensus: Address,
        /// For what.
        offence: Offence,
    },
    /// Others will decide the block after the next.
    ValidatorsChanged {
        /// How many they are.
        count: u32,
        /// Their power together.
        power: Coins,
    },
}
