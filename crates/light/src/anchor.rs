//! What is trusted: one block of a chain.

use borsh::{BorshDeserialize, BorshSerialize};
use chain::Genesis;
use chain::light::Light;

/// A block that is trusted, and for how long. To be kept between runs.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Anchor {
    /// The block.
    pub light: Light,
    /// For how many milliseconds after its time it can be trusted: as long as stake stays liable.
    pub trusted: u64,
}

impl Anchor {
    /// The beginning of a chain.
    pub fn new(genesis: &Genesis) -> Self {
        Self { light: Light::new(genesis), trusted: genesis.params.staking.unbonding }
    }

    /// As bytes, for a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        borsh::to_vec(self).unwrap_or_default()
    }

    /// From the bytes in a file; `None` if they are not an anchor.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        borsh::from_slice(bytes).ok()
    }
}
