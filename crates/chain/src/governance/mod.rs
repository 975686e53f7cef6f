//! Votes on parameters and upgrades.

use core::fmt;

use borsh::{BorshDeserialize, BorshSerialize};

use crate::execute::Cx;
use crate::store::Store;
use crate::units::{Address, Coins};

/// What one can ask.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Tx {
    Nothing,
}

/// Why it is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Refused {
    Nothing,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nothing")
    }
}

/// What happened.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Event {
    Nothing,
}

/// Votes.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Params {}

/// Carries out a transaction.
pub fn execute(_cx: &mut Cx<'_>, _from: Address, tx: &Tx) -> Result<(), Refused> {
    let Tx::Nothing = tx;
    Ok(())
}

/// What happens by itself.
pub fn end_block(_cx: &mut Cx<'_>) {}

/// All coins that governance keeps.
pub fn held(_store: &Store) -> Coins {
    Coins::ZERO
}
