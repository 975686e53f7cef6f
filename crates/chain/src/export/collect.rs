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
    /// What was said in key generations, by epoch and attempt.
    keys: BTreeMap<(u64, u32), Vec<KeysEntry>>,
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
}

#[derive(Clone, Debug)]
enum How {
    Beacon(Vec<Said>),
    Lost(Vec<Said>),
}

impl Collector {
    /// A block has been executed; `state` is what it led to. Returns the hands that ended with it.
    pub fn observe(&mut self, block: &Block, executed: &Executed, state: &State) -> Vec<Export> {
        self.hear(block, &executed.receipts);
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

    /// The same of a block of the past, whose hands have been exported already.
    pub fn learn(&mut self, block: &Block, receipts: &[Receipt], events: &[Event]) {
        self.hear(block, receipts);
        for event in events {
            match event {
                Event::Dealer(event) => self.dealer(event, block),
                Event::Tables(tables::Event::HandSettled { table, hand, .. }) => {
                    self.decks.remove(&(*table, *hand));
                }
                _ => {}
            }
        }
    }

    /// What members said in a block.
    fn hear(&mut self, block: &Block, receipts: &[Receipt]) {
        for (signed, receipt) in block.transactions.iter().zip(receipts) {
            if *receipt != Receipt::Done {
                continue;
            }
            match &signed.tx.body {
                Body::Dealer(dealer::Tx::Keys { epoch, attempt, member, message }) => {
                    let said = KeysEntry::Said(*member, message.clone());
                    self.keys.entry((*epoch, *attempt)).or_default().push(said);
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
            dealer::Event::KeysLate { epoch, .. } => {
                // Judged at the end of the block, after everything that was said in it.
                let attempt = self.epochs.get(epoch).map_or(0, |begun| begun.attempt);
                self.keys.entry((*epoch, attempt)).or_default().push(KeysEntry::TimeUp);
            }
            dealer::Event::DealerEpochBegun { epoch, attempt, .. } => {
                self.epochs.insert(*epoch, Begun { attempt: *attempt, parent: block.header.parent });
            }
            dealer::Event::DealerEpochClosed { epoch } => {
                self.epochs.remove(epoch);
                self.keys.retain(|(of, _), _| of != epoch);
                self.drawings.remove(epoch);
            }
            dealer::Event::DeckDropped { table, hand } => {
                self.decks.remove(&(*table, *hand));
            }
            _ => {}
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
            keys: self.keys.get(&(number, begun.attempt)).cloned().unwrap_or_default(),
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
