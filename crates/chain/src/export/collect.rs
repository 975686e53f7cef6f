//! Collects what proves a hand, from the blocks as they are executed.

use std::collections::BTreeMap;

use super::{Drawing, Export, KeysEntry, Proven};
use crate::Receipt;
use crate::block::Block;
use crate::dealer::{self, EpochOf, RecordOf};
use crate::event::Event;
use crate::execute::{Executed, State};
use crate::store::{Key, Store};
use crate::tables;
use crate::tx::Body;
use crate::units::{Coins, Hash};

/// Collects what proves the hands of a chain. Must see every block from the first one on.
#[derive(Clone, Debug, Default)]
pub struct Collector {
    epochs: BTreeMap<u64, Begun>,
    /// How the committees of epochs were drawn; that of the first needs no word.
    drawings: BTreeMap<u64, How>,
    beacon: Vec<Said>,
    decks: BTreeMap<(u64, u32), Vec<Said>>,
}

/// What a member said.
type Said = (u8, Vec<u8>);

/// A key generation.
#[derive(Clone, Debug)]
struct Begun {
    attempt: u32,
    parent: Hash,
    keys: Vec<KeysEntry>,
}

#[derive(Clone, Debug)]
enum How {
    Beacon(Vec<Said>),
    Lost(Vec<(u8, Vec<u8>)>),
}

impl Collector {
    /// A block has been executed; `state` is what it led to. Returns the hands that ended with it.
    pub fn observe(&mut self, block: &Block, executed: &Executed, state: &State) -> Vec<Export> {
        let late =
            executed.events.list.iter().any(|event| matches!(event, Event::Dealer(dealer::Event::KeysLate { .. })));
        let mut reported = false;
        for (signed, receipt) in block.transactions.iter().zip(&executed.receipts) {
            if *receipt != Receipt::Done {
                continue;
            }
            match &signed.tx.body {
                Body::Dealer(dealer::Tx::Keys { epoch, member, message, .. }) => {
                    self.keys(*epoch, KeysEntry::Said(*member, message.clone()));
                }
                Body::Dealer(dealer::Tx::ReportDkgWithholding) => {
                    reported = true;
                    self.time_up();
                }
                Body::Dealer(dealer::Tx::Beacon { member, contribution, .. }) => {
                    self.beacon.push((*member, contribution.clone()));
                }
                Body::Dealer(dealer::Tx::Deck { table, deck, member, message }) => {
                    self.decks.entry((*table, *deck)).or_default().push((*member, message.clone()));
                }
                _ => {}
            }
        }
        if late && !reported {
            self.time_up();
        }
        let mut ended = Vec::new();
        for event in &executed.events.list {
            match event {
                Event::Dealer(event) => self.dealer(event, block),
                Event::Tables(tables::Event::HandSettled { table, hand, played, stacks }) => {
                    ended.extend(self.export(state, (*table, *hand), played.clone(), stacks.clone()));
                }
                _ => {}
            }
        }
        ended
    }

    fn dealer(&mut self, event: &dealer::Event, block: &Block) {
        match event {
            dealer::Event::BeaconFinalized { epoch, .. } => {
                let contributions = core::mem::take(&mut self.beacon);
                self.drawings.insert(*epoch, How::Beacon(contributions));
            }
            dealer::Event::BeaconLost { epoch } => {
                let contributions = core::mem::take(&mut self.beacon);
                self.drawings.insert(*epoch, How::Lost(contributions));
            }
            dealer::Event::DealerEpochBegun { epoch, attempt, .. } => {
                self.epochs.insert(*epoch, Begun { attempt: *attempt, parent: block.header.parent, keys: Vec::new() });
            }
            dealer::Event::DealerEpochClosed { epoch } => {
                self.epochs.remove(epoch);
                self.drawings.remove(epoch);
            }
            dealer::Event::DeckDropped { table, hand } => {
                self.decks.remove(&(*table, *hand));
            }
            _ => {}
        }
    }

    fn keys(&mut self, epoch: u64, entry: KeysEntry) {
        if let Some(begun) = self.epochs.get_mut(&epoch) {
            begun.keys.push(entry);
        }
    }

    /// Only one key generation runs at a time: that of the newest epoch.
    fn time_up(&mut self) {
        if let Some(mut begun) = self.epochs.last_entry() {
            begun.get_mut().keys.push(KeysEntry::TimeUp);
        }
    }

    fn export(
        &mut self,
        state: &State,
        (table, hand): (u64, u32),
        played: Vec<u8>,
        stacks: Vec<(u8, Coins)>,
    ) -> Option<Export> {
        let store = state.store();
        let number = store.get(&RecordOf(table, hand))?.epoch;
        let begun = self.epochs.get(&number)?;
        let previous = || Some(Box::new(proven(store, &EpochOf(number.checked_sub(1)?))?));
        let drawing = match self.drawings.get(&number).cloned() {
            None => Drawing::First,
            Some(How::Lost(contributions)) => Drawing::Lost { previous: previous()?, contributions },
            Some(How::Beacon(contributions)) => Drawing::Beacon { previous: previous()?, contributions },
        };
        Some(Export {
            chain: state.tip().chain,
            table,
            hand,
            height: state.tip().height,
            root: store.root(),
            record: proven(store, &RecordOf(table, hand))?,
            epoch: proven(store, &EpochOf(number))?,
            drawing,
            attempt: begun.attempt,
            parent: begun.parent,
            keys: begun.keys.clone(),
            deck: self.decks.remove(&(table, hand))?,
            played,
            stacks,
        })
    }
}

fn proven<K: Key>(store: &Store, key: &K) -> Option<Proven> {
    let (value, proof) = store.prove(&key.bytes())?;
    Some(Proven { value: value?.to_vec(), proof })
}
