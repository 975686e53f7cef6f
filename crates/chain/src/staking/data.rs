//! What staking keeps.

use borsh::{BorshDeserialize, BorshSerialize};

use crate::units::{Address, Coins};

/// A validator, or somebody who would like to be one.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Validator {
    /// Whose stake it is.
    pub operator: Address,
    /// How much it is, without what is being unbonded.
    pub stake: Coins,
    /// The height of the last block it made.
    pub proposed: u64,
    /// Its last turns to make a block, the latest in the lowest bit: 1 for each that it missed.
    pub missed: u32,
    /// What it may do.
    pub standing: Standing,
    /// How often it was at fault, until that is forgotten.
    pub faults: u16,
    /// How often it was jailed for silence, until that is forgotten.
    pub silences: u16,
    /// The game clock at its last offence.
    pub offended: u64,
    /// Whether it has paid for signing twice, which counts once.
    pub signed_twice: bool,
    /// The epochs that it has a seat in.
    pub epochs: Vec<u64>,
    /// The number of its next unbonding.
    pub unbondings: u64,
}

/// What a validator may do.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Everything.
    Free,
    /// It was silent: it deals, but proposes and votes only after it was released.
    Silenced {
        /// The game clock from which it can be released.
        until: u64,
    },
    /// It was at fault: it takes part in nothing new until it was released.
    Jailed {
        /// The game clock from which it can be released.
        until: u64,
    },
    /// It takes part in nothing any more.
    Removed,
}

impl Validator {
    /// A new one.
    pub const fn new(operator: Address, stake: Coins) -> Self {
        Self {
            operator,
            stake,
            proposed: 0,
            missed: 0,
            standing: Standing::Free,
            faults: 0,
            silences: 0,
            offended: 0,
            signed_twice: false,
            epochs: Vec::new(),
            unbondings: 0,
        }
    }
}

/// Stake that is being taken out.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Unbonding {
    /// How much.
    pub coins: Coins,
    /// The epochs that must be over before the delay begins: those that the validator had a seat in when it asked. Later
    /// seats are drawn by what it has left.
    pub epochs: Vec<u64>,
}

/// Who decides blocks, with their power, in the order of their keys. Never empty in a chain that began with a
/// validator.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Sets {
    /// Those who decide the next block.
    pub next: Vec<(Address, Coins)>,
    /// Those who decide the block after the next: the header of the next names them.
    pub after_next: Vec<(Address, Coins)>,
}
