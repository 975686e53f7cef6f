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

/// The number of the first epoch, whose committee is drawn without a beacon.
const FIRST: u64 = 1;

/// Collects what proves the hands of a chain. It must see every block from some height on, and proves the hands that have
/// nothing to do with blocks before it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Collector {
    epochs: BTreeMap<u64, Begun>,
    /// What was said in key generations, by epoch and attempt.
    keys: BTreeMap<(u64, u32), Vec<KeysEntry>>,
    /// How the committees of epochs were drawn; that of the first needs no word.
    drawings: BTreeMap<u64, Since<How>>,
    beacon: Option<Since<Vec<Said>>>,
    decks: BTreeMap<(u64, u32), Since<Vec<Said>>>,
}

/// Something that is known from this height on.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Since<T> {
    height: u64,
    what: T,
}

/// What a member said.
type Said = (u8, Vec<u8>);

/// A key generation.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Begun {
    height: u64,
    attempt: u32,
    parent: Hash,
}

#[derive(Clone, PartialEq, Eq, Debug)]
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

    /// The height from which on blocks have to be seen again to know everything that is known now; `None` if nothing is.
    pub fn since(&self) -> Option<u64> {
        let epochs = self.epochs.values().map(|begun| begun.height);
        let drawings = self.drawings.values().map(|drawn| drawn.height);
        let beacon = self.beacon.iter().map(|beacon| beacon.height);
        let decks = self.decks.values().map(|deck| deck.height);
        epochs.chain(drawings).chain(beacon).chain(decks).min()
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
                    if let Some(beacon) = &mut self.beacon {
                        beacon.what.push((*member, contribution.clone()));
                    }
                }
                Body::Dealer(dealer::Tx::Deck { table, deck, member, message }) => {
                    if let Some(deck) = self.decks.get_mut(&(*table, *deck)) {
                        deck.what.push((*member, message.clone()));
                    }
                }
                _ => {}
            }
        }
    }

    fn dealer(&mut self, event: &dealer::Event, block: &Block) {
        let height = block.header.height;
        match event {
            dealer::Event::BeaconBegun { .. } => self.beacon = Some(Since { height, what: Vec::new() }),
            dealer::Event::BeaconFinalized { epoch, .. } => self.drawn(*epoch, How::Beacon),
            dealer::Event::BeaconLost { epoch } => self.drawn(*epoch, How::Lost),
            dealer::Event::KeysLate { epoch, .. } => {
                // Judged at the end of the block, after everything that was said in it.
                let attempt = self.epochs.get(epoch).map_or(0, |begun| begun.attempt);
                self.keys.entry((*epoch, attempt)).or_default().push(KeysEntry::TimeUp);
            }
            dealer::Event::DealerEpochBegun { epoch, attempt, .. } => {
                self.epochs.insert(*epoch, Begun { height, attempt: *attempt, parent: block.header.parent });
                // What was said in an attempt that failed proves nothing any more.
                self.keys.retain(|(of, tried), _| of != epoch || tried == attempt);
            }
            dealer::Event::DealerEpochClosed { epoch } => {
                self.epochs.remove(epoch);
                self.keys.retain(|(of, _), _| of != epoch);
                self.drawings.remove(epoch);
            }
            dealer::Event::DealerHandInitialized { table, hand, .. } => {
                self.decks.insert((*table, *hand), Since { height, what: Vec::new() });
            }
            dealer::Event::DeckDropped { table, hand } => {
                self.decks.remove(&(*table, *hand));
            }
            _ => {}
        }
    }

    /// The committee of an epoch was drawn. If the beacon began before the first block that was seen, some contributions
    /// are missing.
    fn drawn(&mut self, epoch: u64, how: impl FnOnce(Vec<Said>) -> How) {
        let beacon = self.beacon.take();
        self.drawings.extend(beacon.map(|Since { height, what }| (epoch, Since { height, what: how(what) })));
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
        let drawing = match self.drawings.get(&number).map(|drawn| drawn.what.clone()) {
            None if number == FIRST => Drawing::First,
            None => return None,
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
            deck: self.decks.remove(&(table, hand))?.what,
            played,
            stacks,
        })
    }
}

fn proven<K: Key>(store: &Store, key: &K) -> Option<Proven> {
    let (value, proof) = store.prove(&key.bytes())?;
    Some(Proven { value: value?.to_vec(), proof })
}
