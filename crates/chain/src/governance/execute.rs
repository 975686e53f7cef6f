//! What one can propose, and what becomes of it.

use core::fmt;

use borsh::{BorshDeserialize, BorshSerialize};

use super::tally::Verdict;
use super::{
    Action, Choice, Event, FIRST_VERSION, Failed, NextProposal, Outcome, Plan, PlanKey, Proposal, ProposalOf, Tally,
    VoteOf,
};
use crate::bank::{self, TREASURY};
use crate::execute::Cx;
use crate::params::{OutOfRange, Params, ParamsKey};
use crate::staking::{Standing, ValidatorOf};
use crate::store::Store;
use crate::units::{Address, Coins};

/// What one can ask.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub enum Tx {
    /// Proposes something, for a deposit.
    Propose {
        /// What.
        action: Action,
    },
    /// Votes for a validator, by its operator. A later vote replaces an earlier one.
    Vote {
        /// On what.
        proposal: u64,
        /// For which validator: its consensus key.
        consensus: Address,
        /// How.
        choice: Choice,
    },
}

impl Tx {
    /// The work of carrying it out, in microseconds, besides checking its signature.
    pub const fn work(&self) -> u64 {
        match self {
            Self::Propose { .. } => 200,
            Self::Vote { .. } => 20,
        }
    }
}

/// Why it is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// A chain cannot live with such a parameter.
    Param(OutOfRange),
    /// At least one coin must be spent.
    Nothing,
    /// An upgrade must be to a later version.
    Version {
        /// At least.
        least: u32,
    },
    /// An upgrade must come later.
    Height {
        /// At least, if the vote ended at once.
        least: u64,
    },
    /// Too many votes are open.
    Open {
        /// The most.
        most: u16,
    },
    /// The deposit cannot be paid.
    Bank(bank::Refused),
    /// There is no such proposal, or its vote is over.
    NotOpen,
    /// There is no such validator.
    Unknown,
    /// The validator is somebody else's.
    NotOperator {
        /// Whose.
        operator: Address,
    },
    /// The validator was removed for good.
    Removed,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Param(why) => why.fmt(f),
            Self::Nothing => f.write_str("at least one coin must be spent"),
            Self::Version { least } => write!(f, "the next version of the rules is at least {least}"),
            Self::Height { least } => write!(f, "an upgrade cannot come before height {least}"),
            Self::Open { most } => write!(f, "at most {most} votes can be open at a time"),
            Self::Bank(why) => why.fmt(f),
            Self::NotOpen => f.write_str("there is no open vote with this number"),
            Self::Unknown => f.write_str("there is no validator with this consensus key"),
            Self::NotOperator { operator } => write!(f, "only {operator} can vote for this validator"),
            Self::Removed => f.write_str("a validator that was removed has no vote"),
        }
    }
}

impl core::error::Error for Refused {}

/// Carries out a transaction.
pub fn execute(cx: &mut Cx<'_>, from: Address, tx: &Tx) -> Result<(), Refused> {
    match tx {
        Tx::Propose { action } => propose(cx, from, action),
        Tx::Vote { proposal, consensus, choice } => vote(cx, from, *proposal, *consensus, *choice),
    }
}

/// What happens by itself: votes whose time is over are counted.
pub fn end_block(cx: &mut Cx<'_>) {
    let clock = cx.now.parent_clock;
    let over = cx.store.all::<ProposalOf>().filter(|(_, proposal)| proposal.ends <= clock);
    for key in over.map(|(key, _)| key).collect::<Vec<_>>() {
        decide(cx, key);
    }
}

/// All coins that governance keeps: deposits.
pub fn held(store: &Store) -> Coins {
    store.all::<ProposalOf>().map(|(_, proposal)| proposal.deposit).sum()
}

/// The version of the rules that is in force at this height, as far as it has been decided.
pub fn rules_version(store: &Store, height: u64) -> u32 {
    store.get(&PlanKey()).map_or(FIRST_VERSION, |plan| if height < plan.height { plan.before } else { plan.version })
}

fn propose(cx: &mut Cx<'_>, proposer: Address, action: &Action) -> Result<(), Refused> {
    let (all, height) = (cx.params(), cx.now.height);
    let params = all.governance.clone();
    let replaces = match action {
        Action::Change(change) => {
            change.check().map_err(Refused::Param)?;
            Some(change.replaces(all))
        }
        Action::Spend { coins: Coins::ZERO, .. } => return Err(Refused::Nothing),
        Action::Spend { .. } => None,
        Action::Upgrade { version, height: from } => {
            let (least, earliest) = (rules_version(cx.store, height) + 1, height.saturating_add(params.upgrade_notice));
            if *version < least {
                return Err(Refused::Version { least });
            }
            if *from < earliest {
                return Err(Refused::Height { least: earliest });
            }
            None
        }
    };
    if cx.store.all::<ProposalOf>().count() >= params.most_open.into() {
        return Err(Refused::Open { most: params.most_open });
    }
    let (deposit, ends) = (params.deposit, cx.now.clock.saturating_add(params.period));
    bank::debit(cx, proposer, deposit).map_err(Refused::Bank)?;
    let number = cx.store.get_or_default(&NextProposal());
    cx.store.put(&NextProposal(), number + 1);
    cx.store.put(&ProposalOf(number), Proposal { proposer, deposit, ends, action: action.clone(), replaces });
    cx.emit(Event::Proposed { proposal: number, proposer, ends });
    Ok(())
}

fn vote(cx: &mut Cx<'_>, from: Address, proposal: u64, consensus: Address, choice: Choice) -> Result<(), Refused> {
    let open = cx.store.get(&ProposalOf(proposal)).ok_or(Refused::NotOpen)?;
    if open.ends <= cx.now.parent_clock {
        return Err(Refused::NotOpen);
    }
    let validator = cx.store.get(&ValidatorOf(consensus)).ok_or(Refused::Unknown)?;
    let operator = validator.operator;
    if operator != from {
        return Err(Refused::NotOperator { operator });
    }
    if validator.standing == Standing::Removed {
        return Err(Refused::Removed);
    }
    cx.store.put(&VoteOf(proposal, consensus), choice);
    cx.emit(Event::Voted { proposal, consensus, choice });
    Ok(())
}

/// Counts the votes on a proposal, carries it out if it has passed, and forgets it.
fn decide(cx: &mut Cx<'_>, ProposalOf(number): ProposalOf) {
    let tally = Tally::count(cx.store, number);
    let verdict = tally.verdict(&cx.params().governance);
    let votes: Vec<_> = cx.store.starting::<VoteOf>(&number.to_be_bytes()).map(|(key, _)| key).collect();
    for vote in votes {
        cx.store.remove(&vote);
    }
    let Some(Proposal { proposer, deposit, action, replaces, .. }) = cx.store.remove(&ProposalOf(number)) else {
        return;
    };
    let (outcome, deposit_to) = match verdict {
        Verdict::NoQuorum => (Outcome::NoQuorum, TREASURY),
        Verdict::Vetoed => (Outcome::Vetoed, TREASURY),
        Verdict::Rejected => (Outcome::Rejected, proposer),
        Verdict::Passed => match carry_out(cx, action, replaces) {
            Ok(()) => (Outcome::Passed, proposer),
            Err(why) => (Outcome::Failed(why), proposer),
        },
    };
    bank::credit(cx, deposit_to, deposit);
    cx.emit(Event::Decided { proposal: number, tally, outcome });
}

fn carry_out(cx: &mut Cx<'_>, action: Action, replaces: Option<crate::Hash>) -> Result<(), Failed> {
    match action {
        Action::Change(change) => {
            let mut params: Params = cx.params().clone();
            if replaces != Some(change.replaces(&params)) {
                return Err(Failed::Stale);
            }
            change.apply(&mut params);
            cx.store.put(&ParamsKey(), params);
        }
        Action::Spend { to, coins } => {
            bank::debit(cx, TREASURY, coins).map_err(|_| Failed::Treasury)?;
            bank::credit(cx, to, coins);
        }
        Action::Upgrade { version, height } => {
            let before = rules_version(cx.store, cx.now.height);
            let earliest = cx.now.height.saturating_add(cx.params().governance.upgrade_notice);
            if version <= before || height < earliest {
                return Err(Failed::Upgrade);
            }
            cx.store.put(&PlanKey(), Plan { before, version, height });
        }
    }
    Ok(())
}
