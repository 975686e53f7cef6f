//! What the bank keeps.

use borsh::{BorshDeserialize, BorshSerialize};

use crate::units::Coins;

/// Somebody's account.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Account {
    /// Coins they can spend.
    pub balance: Coins,
    /// How many transactions they have made.
    pub nonce: u64,
}
