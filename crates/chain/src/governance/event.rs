//! What happens in votes.

use borsh::{BorshDeserialize, BorshSerialize};

use super::{Choice, Outcome, Tally};
use crate::units::Address;

/// Something that happened in a vote.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// Somebody proposed something.
    Proposed {
        /// The number of the proposal.
        proposal: u64,
        /// Who.
        proposer: Address,
        /// When the vote ends, on the game clock.
        ends: u64,
    },
    /// A validator voted.
    Voted {
        /// On what.
        proposal: u64,
        /// Which validator: its consensus key.
        consensus: Address,
        /// How.
        choice: Choice,
    },
    /// A vote is over.
    Decided {
        /// On what.
        proposal: u64,
        /// The stake by choice.
        tally: Tally,
        /// What became of it.
        outcome: Outcome,
    },
}
