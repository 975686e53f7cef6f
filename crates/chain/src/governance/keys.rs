//! The spaces of governance.

use super::{Choice, Plan, Proposal};
use crate::store::key;
use crate::units::Address;

key! {
    /// A proposal that is being voted on, by its number.
    pub struct ProposalOf(u64) => Proposal, in 0x30;
    /// The vote of a validator (its consensus key) on a proposal.
    pub struct VoteOf(u64, Address) => Choice, in 0x31;
    /// The number of the next proposal.
    pub struct NextProposal() => u64, in 0x32;
    /// The last upgrade that was decided.
    pub struct PlanKey() => Plan, in 0x33;
}
