//! What happens to coins.

use borsh::{BorshDeserialize, BorshSerialize};

use crate::units::{Address, Coins};

/// Something that happened to coins.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// Somebody sent coins to somebody.
    Transferred {
        /// Who.
        from: Address,
        /// To whom.
        to: Address,
        /// How many.
        coins: Coins,
    },
    /// Coins were destroyed.
    Burned {
        /// How many.
        coins: Coins,
    },
}
