//! Snapshots: a whole state as bytes.
//!
//! A version, the number of entries, and then every key with its value, in the order of the keys. There is only one
//! way to write a state. A snapshot is worth nothing without a root from somewhere trusted: the header of a block.

use core::fmt;
use std::sync::Arc;

use borsh::BorshDeserialize;

use super::Store;
use super::spaces::is_entry;
use crate::execute::{State, TipKey};
use crate::params::ParamsKey;
use crate::units::Hash;

/// The version of the encoding.
const VERSION: u8 = 1;

/// Why bytes are not the snapshot of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadSnapshot {
    /// It is of another version.
    Version {
        /// The one that can be read.
        expected: u8,
    },
    /// It ends in the middle of an entry.
    Short,
    /// There is something after the last entry.
    Long,
    /// The keys do not ascend.
    Order {
        /// The number of the first entry that is not after the one before, from 0.
        entry: u32,
    },
    /// An entry is of no known space, or its value cannot be decoded.
    Entry {
        /// Its number, from 0.
        entry: u32,
    },
    /// It lacks what every state has: where the chain is, or the parameters.
    Incomplete,
    /// It is another state than the one with this root.
    Root {
        /// The root of what it holds.
        got: Hash,
    },
}

impl fmt::Display for BadSnapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version { expected } => write!(f, "the snapshot must be of version {expected}"),
            Self::Short => f.write_str("the snapshot ends in the middle of an entry"),
            Self::Long => f.write_str("the snapshot goes on after its last entry"),
            Self::Order { entry } => write!(f, "entry {entry} of the snapshot must come after the entry before it"),
            Self::Entry { entry } => write!(f, "entry {entry} of the snapshot is not one that a state can have"),
            Self::Incomplete => f.write_str("the snapshot must say where the chain is and hold its parameters"),
            Self::Root { .. } => f.write_str("the snapshot is of another state than the one asked for"),
        }
    }
}

impl core::error::Error for BadSnapshot {}

impl State {
    /// The whole state as bytes.
    pub fn snapshot(&self) -> Vec<u8> {
        write(self.store())
    }

    /// The state with this root from a snapshot.
    pub fn from_snapshot(bytes: &[u8], root: &Hash) -> Result<Self, BadSnapshot> {
        let store = read(bytes)?;
        if store.get(&TipKey()).is_none() || store.get(&ParamsKey()).is_none() {
            return Err(BadSnapshot::Incomplete);
        }
        let got = store.root();
        if got == *root { Ok(Self::from_store(store)) } else { Err(BadSnapshot::Root { got }) }
    }
}

fn write(store: &Store) -> Vec<u8> {
    let mut out = vec![VERSION];
    let count = u32::try_from(store.len()).expect("a state has fewer than four thousand million entries");
    out.extend_from_slice(&count.to_le_bytes());
    for (key, value) in store.entries() {
        borsh::to_writer(&mut out, &(key, &*value)).expect("plain data can be written to memory");
    }
    out
}

/// Reads entries one by one, so what is allocated is bounded by the bytes that are there.
fn read(mut bytes: &[u8]) -> Result<Store, BadSnapshot> {
    let version = u8::deserialize(&mut bytes).map_err(|_| BadSnapshot::Short)?;
    if version != VERSION {
        return Err(BadSnapshot::Version { expected: VERSION });
    }
    let count = u32::deserialize(&mut bytes).map_err(|_| BadSnapshot::Short)?;
    let mut entries: Vec<(Vec<u8>, Arc<[u8]>)> = Vec::new();
    for entry in 0..count {
        let key = take(&mut bytes)?;
        let value = take(&mut bytes)?;
        if entries.last().is_some_and(|(last, _)| last.as_slice() >= key) {
            return Err(BadSnapshot::Order { entry });
        }
        if !is_entry(key, value) {
            return Err(BadSnapshot::Entry { entry });
        }
        entries.push((key.to_vec(), value.into()));
    }
    if bytes.is_empty() { Ok(Store::load(entries)) } else { Err(BadSnapshot::Long) }
}

/// Takes bytes after their length from the front.
fn take<'a>(bytes: &mut &'a [u8]) -> Result<&'a [u8], BadSnapshot> {
    let length = u32::deserialize(bytes).map_err(|_| BadSnapshot::Short)?;
    let length = usize::try_from(length).map_err(|_| BadSnapshot::Short)?;
    let (taken, rest) = bytes.split_at_checked(length).ok_or(BadSnapshot::Short)?;
    *bytes = rest;
    Ok(taken)
}
