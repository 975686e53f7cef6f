//! What governance can change: one list of parameters for every module.

use borsh::{BorshDeserialize, BorshSerialize};

use crate::store::{Store, key};
use crate::{bank, dealer, governance, staking, tables};

/// The parameters in force.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Params {
    /// Fees and limits of blocks.
    pub bank: bank::Params,
    /// Stake and penalties.
    pub staking: staking::Params,
    /// Votes.
    pub governance: governance::Params,
    /// Tables.
    pub tables: tables::Params,
    /// Dealing.
    pub dealer: dealer::Params,
}

key! {
    /// The parameters.
    pub struct ParamsKey() => Params, in 0x01;
}

impl Params {
    /// The parameters in force.
    pub fn of(store: &Store) -> &Self {
        store.get(&ParamsKey()).expect("the genesis sets the parameters")
    }
}
