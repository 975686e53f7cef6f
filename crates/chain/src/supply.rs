//! All coins of a chain.

use crate::store::Store;
use crate::units::Coins;
use crate::{bank, dealer, governance, staking, tables};

/// All coins there are, wherever they are: in accounts, staked, deposited, at tables, with the dealer, or destroyed.
/// Nothing that happens on a chain changes it.
pub fn supply(store: &Store) -> Coins {
    let modules = [bank::held, staking::held, governance::held, tables::held, dealer::held];
    modules.into_iter().map(|held| held(store)).sum()
}
