//! The bank's spaces of the store.

use super::Account;
use crate::store::key;
use crate::units::{Address, Coins};

key! {
    /// Somebody's account.
    pub struct AccountOf(Address) => Account, in 0x10;
    /// How many coins have been destroyed.
    pub struct Burned() => Coins, in 0x11;
}
