//! What happened in a world, counted.

use std::collections::{BTreeMap, BTreeSet};

use crate::event::Event;
use crate::execute::Executed;
use crate::staking::Offence;
use crate::units::{Address, Coins};
use crate::{Receipt, dealer, staking, tables};

/// What happened so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Blocks.
    pub blocks: u64,
    /// Bytes of all transactions.
    pub bytes: u64,
    /// Transactions that were carried out, that failed, and that did not count.
    pub transactions: [u64; 3],
    /// Hands begun.
    pub begun: u64,
    /// Hands played to their end.
    pub completed: u64,
    /// Hands aborted.
    pub aborted: u64,
    /// Epochs that came to deal.
    pub epochs: u64,
    /// Key generations that failed.
    pub failed_keys: u64,
    /// Decks that were ready for a hand.
    pub decks: u64,
    /// Shuffles accepted, and turns lost.
    pub shuffles: [u64; 2],
    /// Sealed and public shares accepted.
    pub shares: [u64; 2],
    /// Players whose time was up.
    pub timeouts: u64,
    /// Who lost stake, for what and how often, and how much in all.
    pub slashed: BTreeMap<Address, (BTreeMap<&'static str, u64>, Coins)>,
    /// Who was ever jailed.
    pub jailed: BTreeSet<Address>,
}

impl Tally {
    /// Counts a block.
    pub(super) fn count(&mut self, executed: &Executed) {
        self.blocks += 1;
        for receipt in &executed.receipts {
            let [done, failed, void] = &mut self.transactions;
            match receipt {
                Receipt::Done => *done += 1,
                Receipt::Failed(_) => *failed += 1,
                Receipt::Void(_) => *void += 1,
            }
        }
        for event in &executed.events.list {
            match event {
                Event::Tables(event) => self.count_table(event),
                Event::Dealer(event) => self.count_dealer(event),
                Event::Staking(staking::Event::ValidatorSlashed { consensus, offence, lost }) => {
                    let (offences, sum) = self.slashed.entry(*consensus).or_default();
                    *offences.entry(name(*offence)).or_default() += 1;
                    *sum += *lost;
                }
                Event::Staking(staking::Event::ValidatorJailed { consensus, .. }) => {
                    self.jailed.insert(*consensus);
                }
                Event::Bank(_) | Event::Staking(_) | Event::Governance(_) => {}
            }
        }
    }

    fn count_table(&mut self, event: &tables::Event) {
        match event {
            tables::Event::HandStarted { .. } => self.begun += 1,
            tables::Event::HandCompleted { .. } => self.completed += 1,
            tables::Event::HandAborted { .. } => self.aborted += 1,
            tables::Event::TimeoutApplied { .. } => self.timeouts += 1,
            _ => {}
        }
    }

    fn count_dealer(&mut self, event: &dealer::Event) {
        let ([shuffled, skipped], [sealed, public]) = (&mut self.shuffles, &mut self.shares);
        match event {
            dealer::Event::DealerEpochFinalized { .. } => self.epochs += 1,
            dealer::Event::DealerEpochAborted { .. } => self.failed_keys += 1,
            dealer::Event::DeckFinalized { .. } => self.decks += 1,
            dealer::Event::ShuffleAccepted { .. } => *shuffled += 1,
            dealer::Event::ShuffleSkipped { .. } => *skipped += 1,
            dealer::Event::EncShareAccepted { .. } => *sealed += 1,
            dealer::Event::PubShareAccepted { .. } => *public += 1,
            _ => {}
        }
    }
}

/// An offence in a few words.
const fn name(offence: Offence) -> &'static str {
    match offence {
        Offence::DoubleSign => "signed twice",
        Offence::BadKeys => "wrong in a key generation",
        Offence::BadProof => "wrong proof",
        Offence::SilentInKeys => "silent in a key generation",
        Offence::Silent => "silent",
        Offence::Withheld => "spoilt a hand by silence",
        Offence::Absent => "absent",
    }
}
