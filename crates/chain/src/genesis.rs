//! How a chain begins.

use core::fmt;
use std::collections::BTreeSet;

use borsh::{BorshDeserialize, BorshSerialize};

use crate::params::{OutOfRange, Params};
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

    /// All coins there will ever be.
    pub fn supply(&self) -> Coins {
        let staked = self.validators.iter().map(|first| first.stake);
        self.accounts.iter().map(|(_, coins)| *coins).chain(staked).sum()
    }

    /// Whether a chain can begin like this.
    pub fn check(&self) -> Result<(), BadGenesis> {
        self.params.check().map_err(BadGenesis::Param)?;
        if self.supply() > Coins::MOST {
            return Err(BadGenesis::Supply);
        }
        let keys: BTreeSet<Address> = self.validators.iter().map(|first| first.consensus).collect();
        if keys.is_empty() || keys.len() < self.validators.len() {
            return Err(BadGenesis::Validators);
        }
        let least = self.params.staking.least_stake;
        if self.validators.iter().any(|first| first.stake < least) {
            return Err(BadGenesis::Stake { least });
        }
        Ok(())
    }
}

/// Why no chain can begin like this.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadGenesis {
    /// No chain can live with such a parameter.
    Param(OutOfRange),
    /// There are more coins than a chain can count.
    Supply,
    /// There are no validators, or two with one key.
    Validators,
    /// A validator has staked too little.
    Stake {
        /// At least.
        least: Coins,
    },
}

impl fmt::Display for BadGenesis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Param(why) => why.fmt(f),
            Self::Supply => write!(f, "a chain has at most {} coins", Coins::MOST),
            Self::Validators => f.write_str("a chain begins with at least one validator, and each has its own key"),
            Self::Stake { least } => write!(f, "every validator must stake at least {least}"),
        }
    }
}

impl core::error::Error for BadGenesis {}
