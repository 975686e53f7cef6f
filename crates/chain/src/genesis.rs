//! How a chain begins.

use borsh::{BorshDeserialize, BorshSerialize};

use crate::params::Params;
use crate::units::{Address, Coins, Hash, hash};

/// How a chain begins. Its hash identifies the chain.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Genesis {
    /// The name of the chain.
    pub name: String,
    /// When it begins, in milliseconds since 1970.
    pub time: u64,
    /// The parameters at first.
    pub params: Params,
    /// Who has how much at first, besides what is staked.
    pub accounts: Vec<(Address, Coins)>,
    /// The first validators.
    pub validators: Vec<FirstValidator>,
}

/// A validator from the beginning.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct FirstValidator {
    /// The key it makes blocks and deals with.
    pub consensus: Address,
    /// Whose stake it is.
    pub operator: Address,
    /// How much.
    pub stake: Coins,
}

impl Genesis {
    /// Identifies the chain.
    pub fn chain(&self) -> Hash {
        hash("fairdeal/chain/genesis/v1", &[&borsh::to_vec(self).expect("plain data can be written to memory")])
    }
}
