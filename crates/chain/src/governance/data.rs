//! What governance keeps.

use borsh::{BorshDeserialize, BorshSerialize};

use crate::params::{OutOfRange, Params};
use crate::units::{Address, Coins, Hash, hash};
use crate::{bank, dealer, governance, staking, tables};

/// What a proposal wants.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Other parameters for a module.
    Change(Change),
    /// Coins from the treasury for somebody.
    Spend {
        /// For whom.
        to: Address,
        /// How many.
        coins: Coins,
    },
    /// Another version of the rules. Replaces a plan that is not in force yet.
    Upgrade {
        /// The version.
        version: u32,
        /// The height from which it is in force.
        height: u64,
    },
}

/// New parameters for one module.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// Fees and limits of blocks.
    Bank(bank::Params),
    /// Stake and penalties.
    Staking(staking::Params),
    /// Votes.
    Governance(governance::Params),
    /// Tables, and the most rake they may take.
    Tables(tables::Params),
    /// Dealing.
    Dealer(dealer::Params),
}

impl Change {
    /// Whether a chain can live with these.
    pub fn check(&self) -> Result<(), OutOfRange> {
        match self {
            Self::Bank(params) => params.check(),
            Self::Staking(params) => params.check(),
            Self::Governance(params) => params.check(),
            Self::Tables(params) => params.check(),
            Self::Dealer(params) => params.check(),
        }
    }

    /// Puts the new parameters in the place of the old.
    pub fn apply(self, params: &mut Params) {
        match self {
            Self::Bank(new) => params.bank = new,
            Self::Staking(new) => params.staking = new,
            Self::Governance(new) => params.governance = new,
            Self::Tables(new) => params.tables = new,
            Self::Dealer(new) => params.dealer = new,
        }
    }

    /// The hash of the parameters that it would replace: whoever proposes a change means it for these.
    pub(super) fn replaces(&self, params: &Params) -> Hash {
        let before = match self {
            Self::Bank(_) => Self::Bank(params.bank.clone()),
            Self::Staking(_) => Self::Staking(params.staking.clone()),
            Self::Governance(_) => Self::Governance(params.governance.clone()),
            Self::Tables(_) => Self::Tables(params.tables.clone()),
            Self::Dealer(_) => Self::Dealer(params.dealer.clone()),
        };
        hash("fairdeal/chain/params/v1", &[&borsh::to_vec(&before).expect("plain data can be written to memory")])
    }
}

/// A proposal that is being voted on.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Proposal {
    /// Who made it.
    pub proposer: Address,
    /// What they paid, and get back or not.
    pub deposit: Coins,
    /// When the vote ends, on the game clock.
    pub ends: u64,
    /// What it wants.
    pub action: Action,
    /// For a change of parameters, the hash of those that it replaces: if they have changed by the end, it fails.
    pub replaces: Option<Hash>,
}

/// A vote.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// For it.
    Yes,
    /// Against it.
    No,
    /// Against it, and the deposit should be lost.
    Veto,
    /// Neither, but the stake counts as having voted.
    Abstain,
}

/// What became of a proposal.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It was carried out.
    Passed,
    /// It would have been, but could not.
    Failed(Failed),
    /// More were against it.
    Rejected,
    /// Too many were so much against it that the deposit is lost.
    Vetoed,
    /// Too few voted, and the deposit is lost.
    NoQuorum,
}

/// Why something that was decided could not be carried out.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failed {
    /// The parameters have been changed since it was proposed.
    Stale,
    /// The treasury has not that much.
    Treasury,
    /// The upgrade would come too soon, or is no newer version.
    Upgrade,
}

/// Which version of the rules is in force.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Before the height.
    pub before: u32,
    /// From the height on.
    pub version: u32,
    /// The height.
    pub height: u64,
}
