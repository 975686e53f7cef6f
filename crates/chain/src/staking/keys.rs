//! The spaces of staking.

use super::{Sets, Unbonding, Validator};
use crate::store::key;
use crate::units::Address;

key! {
    /// A validator, by its consensus key.
    pub struct ValidatorOf(Address) => Validator, in 0x20;
    /// Stake that is being taken out: when it is due on the game clock ([`UnbondingOf::WAITING`] while the validator
    /// has a seat), the validator's consensus key, and a number.
    pub struct UnbondingOf(u64, Address, u64) => Unbonding, in 0x21;
    /// Who decides blocks.
    pub struct SetsKey() => Sets, in 0x22;
}

impl UnbondingOf {
    /// The delay has not begun, because the validator has a seat in a committee.
    pub const WAITING: u64 = u64::MAX;
}
