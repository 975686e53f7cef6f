//! The spaces of staking.

use super::{Sets, Unbonding, Validator};
use crate::store::key;
use crate::units::Address;

key! {
    /// A validator, by its consensus key.
    pub struct ValidatorOf(Address) => Validator, in 0x20;
    /// Stake that is being taken out: when it is due on the game clock ([`UnbondingOf::WAITING`] before its delay
    /// begins), the validator's consensus key, and a number.
    pub struct UnbondingOf(u64, Address, u64) => Unbonding, in 0x21;
    /// Who decides blocks.
    pub struct SetsKey() => Sets, in 0x22;
}

impl UnbondingOf {
    /// The delay has not begun, because an epoch that the validator has a seat in is not over.
    pub const WAITING: u64 = u64::MAX;
}
