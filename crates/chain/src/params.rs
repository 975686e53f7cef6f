//! What governance can change: one list of parameters for every module.

use core::fmt;

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

    /// Whether a chain can live with these.
    pub fn check(&self) -> Result<(), OutOfRange> {
        self.bank.check()?;
        self.staking.check()?;
        self.governance.check()?;
        self.tables.check()?;
        self.dealer.check()
    }
}

/// A parameter that no chain can live with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfRange {
    /// Which.
    pub name: &'static str,
    /// At least.
    pub least: u64,
    /// At most.
    pub most: u64,
    /// What it was.
    pub got: u64,
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, least, most, got } = self;
        write!(f, "{name} must be from {least} to {most}, not {got}")
    }
}

impl core::error::Error for OutOfRange {}

/// Checks one parameter.
pub(crate) fn in_range(name: &'static str, got: u64, least: u64, most: u64) -> Result<(), OutOfRange> {
    if (least..=most).contains(&got) { Ok(()) } else { Err(OutOfRange { name, least, most, got }) }
}
