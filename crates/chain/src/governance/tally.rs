//! Counting votes.

use borsh::{BorshDeserialize, BorshSerialize};

use super::{Choice, Params, VoteOf};
use crate::staking;
use crate::store::Store;
use crate::units::Coins;

/// The stake by choice.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// For it.
    pub yes: Coins,
    /// Against it.
    pub no: Coins,
    /// Against it, with a veto.
    pub veto: Coins,
    /// Neither.
    pub abstain: Coins,
    /// All that could have voted.
    pub all: Coins,
}

/// What the votes say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    Passed,
    Rejected,
    Vetoed,
    NoQuorum,
}

impl Tally {
    /// Counts the votes on a proposal by the stake that validators have now.
    pub fn count(store: &Store, proposal: u64) -> Self {
        let mut tally = Self::default();
        for (consensus, validator) in staking::voters(store) {
            let stake = validator.stake;
            tally.all += stake;
            match store.get(&VoteOf(proposal, consensus)) {
                Some(Choice::Yes) => tally.yes += stake,
                Some(Choice::No) => tally.no += stake,
                Some(Choice::Veto) => tally.veto += stake,
                Some(Choice::Abstain) => tally.abstain += stake,
                None => {}
            }
        }
        tally
    }

    pub(super) fn verdict(&self, params: &Params) -> Verdict {
        let decided = self.yes + self.no + self.veto;
        let cast = decided + self.abstain;
        if cast == Coins::ZERO || !reaches(cast, self.all, params.quorum_bps) {
            Verdict::NoQuorum
        } else if self.veto > Coins::ZERO && reaches(self.veto, cast, params.veto_bps) {
            Verdict::Vetoed
        } else if parts(self.yes) > u128::from(decided.0) * u128::from(params.threshold_bps) {
            Verdict::Passed
        } else {
            Verdict::Rejected
        }
    }
}

fn parts(of: Coins) -> u128 {
    u128::from(of.0) * 10_000
}

fn reaches(part: Coins, whole: Coins, bps: u16) -> bool {
    parts(part) >= u128::from(whole.0) * u128::from(bps)
}
