//! Votes on parameters, the treasury and upgrades.
//!
//! Anybody can propose something with a deposit. Operators vote for their validators while the proposal is open, and
//! can change their minds; what counts is the stake at the end. A proposal passes if enough stake has voted, enough of
//! that for it, and not too much with a veto. It is carried out at once, or fails if the chain has changed so that it
//! cannot be. The deposit comes back, except from a proposal that nobody cared about or that was vetoed.
//!
//! An upgrade names a version of the rules and the height from which it is in force. A program that does not know that
//! version cannot execute that block and has to stop.

mod data;
mod event;
mod execute;
mod keys;
mod params;
mod tally;
#[cfg(test)]
mod tests;

pub use data::{Action, Change, Choice, Failed, Outcome, Plan, Proposal};
pub use event::Event;
pub use execute::{Refused, Tx, end_block, execute, held, rules_version};
pub use keys::{NextProposal, PlanKey, ProposalOf, VoteOf};
pub use params::Params;
pub use tally::Tally;

/// The version of the rules that a chain begins with.
pub const FIRST_VERSION: u32 = 1;

/// The newest version of the rules that this program knows.
pub const KNOWN_VERSION: u32 = 1;
