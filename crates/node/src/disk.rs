//! What a node keeps on its disk: the state, the blocks, and what it has proposed.
//!
//! Every decided block is one transaction of the database: after a crash, a block has been executed as a whole or not at
//! all. The state itself is in memory; here are its entries, as they were after the last block.

use core::fmt;
use std::path::Path;
use std::sync::Arc;

use borsh::{BorshDeserialize, BorshSerialize};
use chain::light::{Certificate, Validators};
use chain::staking::Evidence;
use chain::store::Store;
use chain::{Address, Block, Event, Executed, Hash, Receipt, State};
use consensus::Part;
use redb::{Database, ReadableDatabase, ReadableTable, ReadableTableMetadata, TableDefinition, WriteTransaction};
use tokio::sync::watch;

/// The entries of the state.
const ENTRIES: TableDefinition<'_, &[u8], &[u8]> = TableDefinition::new("entries");
/// Decided blocks, by height.
const BLOCKS: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("blocks");
/// What happened, by cursor: the height, and the event.
const EVENTS: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("events");
/// Where a transaction was carried out, by its name: height and place.
const PLACES: TableDefinition<'_, &[u8; 32], (u64, u32)> = TableDefinition::new("places");
/// Blocks that have been proposed and not yet decided, by height, round and hash.
const PARTS: TableDefinition<'_, (u64, u32, &[u8; 32]), &[u8]> = TableDefinition::new("parts");
/// Hands that have ended, with what proves them, by table and number.
const HANDS: TableDefinition<'_, (u64, u32), &[u8]> = TableDefinition::new("hands");

/// Evidence of validators who signed twice, by their consensus keys.
const EVIDENCE: TableDefinition<'_, &[u8; 32], &[u8]> = TableDefinition::new("evidence");
/// Single numbers, by name.
const NUMBERS: TableDefinition<'_, &str, u64> = TableDefinition::new("numbers");
/// The height from which on blocks must be read again at the start.
const NEEDED: &str = "needed";

/// A decided block, as it is kept.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Kept {
    /// The block.
    pub block: Block,
    /// What proves that it was decided.
    pub certificate: Certificate,
    /// Who decided it.
    pub validators: Validators,
    /// What became of its transactions.
    pub receipts: Vec<Receipt>,
}

/// Why something cannot be read or written.
#[derive(Debug)]
pub enum DiskError {
    /// The database says no.
    Database(redb::Error),
    /// It belongs to another chain.
    OtherChain,
    /// Something is there that cannot be read.
    Damaged(&'static str),
}

impl fmt::Display for DiskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Database(redb::Error::DatabaseAlreadyOpen) => f.write_str("another node is using this folder"),
            Self::Database(why) => write!(f, "the database cannot be used: {why}"),
            Self::OtherChain => f.write_str("the database belongs to another chain than the genesis"),
            Self::Damaged(what) => write!(f, "the database is damaged: {what} cannot be read"),
        }
    }
}

impl core::error::Error for DiskError {}

impl<E: Into<redb::Error>> From<E> for DiskError {
    fn from(why: E) -> Self {
        Self::Database(why.into())
    }
}

type Result<T> = core::result::Result<T, DiskError>;

/// The database of a node.
pub struct Disk {
    database: Database,
    /// Why something could not be written. After that, nothing can, until the database is opened again.
    failed: watch::Sender<Option<String>>,
}

impl fmt::Debug for Disk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Disk")
    }
}

impl Disk {
    /// Opens the database in this file, or makes a new one.
    pub fn open(file: &Path) -> Result<Self> {
        let database = Database::create(file)?;
        let write = database.begin_write()?;
        write.open_table(ENTRIES)?;
        write.open_table(BLOCKS)?;
        write.open_table(EVENTS)?;
        write.open_table(PLACES)?;
        write.open_table(PARTS)?;
        write.open_table(HANDS)?;
        write.open_table(EVIDENCE)?;
        write.open_table(NUMBERS)?;
        write.commit()?;
        Ok(Self { database, failed: watch::channel(None).0 })
    }

    /// Waits until something cannot be written, and says why.
    pub async fn failed(&self) -> String {
        let mut failed = self.failed.subscribe();
        match failed.wait_for(Option::is_some).await {
            Ok(why) => why.clone().unwrap_or_default(),
            Err(_) => "the database is closed".to_owned(),
        }
    }

    /// Writes all of this, or nothing.
    fn write(&self, all: impl FnOnce(&WriteTransaction) -> Result<()>) -> Result<()> {
        let written = self.database.begin_write().map_err(DiskError::from).and_then(|write| {
            all(&write)?;
            Ok(write.commit()?)
        });
        written.inspect_err(|why| drop(self.failed.send_replace(Some(why.to_string()))))
    }

    /// The state after the last block; `None` if there is none yet.
    pub fn state(&self) -> Result<Option<State>> {
        let read = self.database.begin_read()?;
        let table = read.open_table(ENTRIES)?;
        if table.is_empty()? {
            return Ok(None);
        }
        let mut entries: Vec<(Vec<u8>, Arc<[u8]>)> = Vec::new();
        for entry in table.iter()? {
            let (key, value) = entry?;
            entries.push((key.value().to_vec(), value.value().into()));
        }
        Ok(Some(State::from_store(Store::load(entries))))
    }

    /// Begins with this state: that of a genesis, or of a snapshot.
    pub fn begin(&self, state: &State) -> Result<()> {
        self.write(|write| {
            let mut entries = write.open_table(ENTRIES)?;
            for (key, value) in state.store().entries() {
                entries.insert(key, &*value)?;
            }
            Ok(())
        })
    }

    /// A block was decided and executed: all of it at once. From the height `needed` on, blocks must be read again when the
    /// node is started again.
    pub fn decided(
        &self,
        kept: &Kept,
        executed: &Executed,
        hands: &[((u64, u32), Vec<u8>)],
        needed: u64,
    ) -> Result<()> {
        let height = kept.block.header.height;
        self.write(|write| {
            let mut entries = write.open_table(ENTRIES)?;
            for (key, value) in &executed.changes {
                match value {
                    Some(value) => entries.insert(key.as_slice(), &**value)?,
                    None => entries.remove(key.as_slice())?,
                };
            }
            write.open_table(BLOCKS)?.insert(height, bytes(kept).as_slice())?;
            let mut events = write.open_table(EVENTS)?;
            for (cursor, event) in executed.events.numbered() {
                events.insert(cursor, bytes(&(height, event)).as_slice())?;
            }
            let mut places = write.open_table(PLACES)?;
            for (place, signed) in (0..).zip(&kept.block.transactions) {
                places.insert(&signed.id(), (height, place))?;
            }
            let mut ended = write.open_table(HANDS)?;
            for (hand, export) in hands {
                ended.insert(*hand, export.as_slice())?;
            }
            write.open_table(NUMBERS)?.insert(NEEDED, needed)?;
            // What was proposed for this height and before is of no use any more.
            write.open_table(PARTS)?.retain(|(at, _, _), _| at > height)?;
            Ok(())
        })
    }

    /// Remembers a block that was proposed.
    pub fn remember(&self, part: &Part) -> Result<()> {
        let key = (part.height, part.round, &part.block.header.hash());
        self.write(|write| {
            write.open_table(PARTS)?.insert(key, bytes(part).as_slice())?;
            Ok(())
        })
    }

    /// All proposed blocks that are remembered.
    pub fn parts(&self) -> Result<Vec<Part>> {
        let read = self.database.begin_read()?;
        let mut parts = Vec::new();
        for entry in read.open_table(PARTS)?.iter()? {
            parts.push(decode(entry?.1.value(), "a proposal")?);
        }
        Ok(parts)
    }

    /// A decided block.
    pub fn block(&self, height: u64) -> Result<Option<Kept>> {
        let read = self.database.begin_read()?;
        let found = read.open_table(BLOCKS)?.get(height)?;
        found.map(|kept| decode(kept.value(), "a block")).transpose()
    }

    /// The height of the earliest block that is there.
    pub fn earliest(&self) -> Result<Option<u64>> {
        let read = self.database.begin_read()?;
        Ok(read.open_table(BLOCKS)?.first()?.map(|(height, _)| height.value()))
    }

    /// The height from which on blocks must be read again at the start, if that is known.
    pub fn needed(&self) -> Result<Option<u64>> {
        let read = self.database.begin_read()?;
        Ok(read.open_table(NUMBERS)?.get(NEEDED)?.map(|height| height.value()))
    }

    /// The cursor of the first event of this height or a later one.
    pub fn cursor_at(&self, height: u64) -> Result<u64> {
        let read = self.database.begin_read()?;
        let events = read.open_table(EVENTS)?;
        let (Some((first, _)), Some((last, _))) = (events.first()?, events.last()?) else { return Ok(0) };
        // Events are numbered without gaps, and their heights never fall.
        let (mut from, mut to) = (first.value(), last.value() + 1);
        while from < to {
            let middle = from + (to - from) / 2;
            let event = events.get(middle)?.ok_or(DiskError::Damaged("an event"))?;
            let (at, _): (u64, Event) = decode(event.value(), "an event")?;
            (from, to) = if at < height { (middle + 1, to) } else { (from, middle) };
        }
        Ok(from)
    }

    /// Remembers that a validator has signed twice.
    pub fn accuse(&self, evidence: &Evidence) -> Result<()> {
        self.write(|write| {
            write.open_table(EVIDENCE)?.insert(&evidence.consensus.0, bytes(evidence).as_slice())?;
            Ok(())
        })
    }

    /// Forgets that a validator has signed twice: it has paid for it, or it was too long ago.
    pub fn acquit(&self, consensus: &Address) -> Result<()> {
        self.write(|write| {
            write.open_table(EVIDENCE)?.remove(&consensus.0)?;
            Ok(())
        })
    }

    /// Evidence that has not counted yet.
    pub fn evidence(&self) -> Result<Vec<Evidence>> {
        let read = self.database.begin_read()?;
        let mut evidence = Vec::new();
        for entry in read.open_table(EVIDENCE)?.iter()? {
            evidence.push(decode(entry?.1.value(), "evidence")?);
        }
        Ok(evidence)
    }

    /// Where a transaction was carried out, and what became of it.
    pub fn receipt(&self, id: &Hash) -> Result<Option<(u64, Receipt)>> {
        let read = self.database.begin_read()?;
        let Some((height, place)) = read.open_table(PLACES)?.get(id)?.map(|place| place.value()) else {
            return Ok(None);
        };
        let place = usize::try_from(place).unwrap_or(usize::MAX);
        let receipt = self.block(height)?.and_then(|kept| kept.receipts.get(place).cloned());
        Ok(receipt.map(|receipt| (height, receipt)))
    }

    /// What happened from this cursor on, in order: at most so many events with so many bytes, but at least one.
    pub fn events(&self, from: u64, most: usize, most_bytes: usize) -> Result<Vec<(u64, u64, Event)>> {
        let read = self.database.begin_read()?;
        let (mut events, mut bytes) = (Vec::new(), 0);
        for entry in read.open_table(EVENTS)?.range(from..)?.take(most) {
            let (cursor, event) = entry?;
            bytes += event.value().len();
            if bytes > most_bytes && !events.is_empty() {
                break;
            }
            let (height, event) = decode(event.value(), "an event")?;
            events.push((cursor.value(), height, event));
        }
        Ok(events)
    }

    /// What happened in this block. `cursor` is where its events begin, and is moved to those of the next one.
    pub fn events_of(&self, height: u64, cursor: &mut u64) -> Result<Vec<Event>> {
        let read = self.database.begin_read()?;
        let mut events = Vec::new();
        for entry in read.open_table(EVENTS)?.range(*cursor..)? {
            let (at, event) = entry?;
            let (of, event): (u64, Event) = decode(event.value(), "an event")?;
            if of > height {
                break;
            }
            *cursor = at.value() + 1;
            events.push(event);
        }
        Ok(events)
    }

    /// What proves a hand that has ended.
    pub fn hand(&self, table: u64, hand: u32) -> Result<Option<Vec<u8>>> {
        let read = self.database.begin_read()?;
        Ok(read.open_table(HANDS)?.get((table, hand))?.map(|export| export.value().to_vec()))
    }

    /// The last hands that have ended at a table, the latest first.
    pub fn last_hands(&self, table: u64, most: usize) -> Result<Vec<u32>> {
        let read = self.database.begin_read()?;
        let mut hands = Vec::new();
        for entry in read.open_table(HANDS)?.range((table, 0)..=(table, u32::MAX))?.rev().take(most) {
            hands.push(entry?.0.value().1);
        }
        Ok(hands)
    }
}

fn bytes(value: &impl BorshSerialize) -> Vec<u8> {
    borsh::to_vec(value).expect("plain data can be written to memory")
}

fn decode<T: BorshDeserialize>(bytes: &[u8], what: &'static str) -> Result<T> {
    borsh::from_slice(bytes).map_err(|_| DiskError::Damaged(what))
}
