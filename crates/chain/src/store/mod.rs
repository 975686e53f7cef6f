//! The state of the chain: ordered keys and their values.
//!
//! Every kind of entry is a *space*: a [`Key`] type with the type of its values. Keys of one space have one length, and
//! begin with the byte of their space, so no key is the beginning of another. Values are kept as they are used, and
//! encoded when the state is hashed or stored.
//!
//! - Changes can be undone up to a [`Mark`], so that a transaction that fails changes nothing.
//! - [`Store::commit`] ends a block: it gives the new root, and the entries that changed.
//! - [`State::snapshot`](crate::State::snapshot) is a whole state as bytes.
//! - [`Store::prove`] shows one entry, or that there is none, to somebody who knows the root.

mod key;
mod snapshot;
mod spaces;
mod trie;

use core::any::Any;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use borsh::{BorshDeserialize, BorshSerialize};

pub(crate) use key::key;
pub use key::{Key, Part};
pub use snapshot::BadSnapshot;
pub use spaces::{SPACES, Space};
pub use trie::{BadProof, MOST_KEY, Proof};

use crate::units::{Hash, hash};
use trie::Trie;

/// A value of some space.
pub trait Value: BorshSerialize + BorshDeserialize + Clone + Send + Sync + 'static {}
impl<T: BorshSerialize + BorshDeserialize + Clone + Send + Sync + 'static> Value for T {}

/// The state. Copies share their entries, so that a copy between blocks costs nothing.
#[derive(Clone, Default)]
pub struct Store {
    entries: Trie,
    /// What each change replaced, in order.
    journal: Vec<Replaced>,
    /// Keys changed since the last commit.
    changed: BTreeSet<Arc<[u8]>>,
    /// The root of the last commit.
    root: Option<Hash>,
}

/// One value, as it is used, as it is stored, or both.
struct Entry {
    value: OnceLock<Arc<dyn Any + Send + Sync>>,
    bytes: OnceLock<Arc<[u8]>>,
    encode: fn(&(dyn Any + Send + Sync)) -> Vec<u8>,
}

/// A key, and what it had.
type Replaced = (Arc<[u8]>, Option<Arc<Entry>>);

/// A point that changes can be undone to.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Mark(usize);

/// What a commit changed: the keys with their new values, or nothing for those that are gone.
pub type Changes = Vec<(Vec<u8>, Option<Arc<[u8]>>)>;

impl Store {
    /// The value of a key.
    pub fn get<K: Key>(&self, key: &K) -> Option<&K::Value> {
        self.entries.get(&key.bytes()).and_then(|entry| entry.value())
    }

    /// The value of a key, or what stands for an absent one.
    pub fn get_or_default<K: Key<Value: Default>>(&self, key: &K) -> K::Value {
        self.get(key).cloned().unwrap_or_default()
    }

    /// Sets the value of a key.
    pub fn put<K: Key>(&mut self, key: &K, value: K::Value) {
        self.replace(key.bytes().into(), Some(Arc::new(Entry::new(value))));
    }

    /// Removes a key, and returns its value.
    pub fn remove<K: Key>(&mut self, key: &K) -> Option<K::Value> {
        let value = self.get(key).cloned()?;
        self.replace(key.bytes().into(), None);
        Some(value)
    }

    /// Changes the value of a key; `None` if there is none.
    pub fn edit<K: Key, T>(&mut self, key: &K, change: impl FnOnce(&mut K::Value) -> T) -> Option<T> {
        let mut value = self.get(key).cloned()?;
        let result = change(&mut value);
        self.put(key, value);
        Some(result)
    }

    /// All entries of a space, in the order of their keys.
    pub fn all<K: Key>(&self) -> impl Iterator<Item = (K, &K::Value)> {
        self.starting::<K>(&[])
    }

    /// The entries of a space whose keys begin with these bytes (after the byte of the space), in order.
    pub fn starting<K: Key>(&self, prefix: &[u8]) -> impl Iterator<Item = (K, &K::Value)> {
        let mut start = vec![K::SPACE];
        start.extend_from_slice(prefix);
        let within = start.clone();
        self.entries
            .from(&start)
            .take_while(move |(key, _)| key.starts_with(&within))
            .filter_map(|(key, entry)| Some((K::read(key)?, entry.value::<K::Value>()?)))
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.len() == 0
    }

    /// A point to which changes can be undone.
    pub fn mark(&self) -> Mark {
        Mark(self.journal.len())
    }

    /// Undoes everything since this point.
    pub fn undo(&mut self, mark: Mark) {
        while self.journal.len() > mark.0 {
            let Some((key, before)) = self.journal.pop() else { return };
            match before {
                Some(entry) => self.entries.insert(key, entry),
                None => self.entries.remove(&key),
            };
        }
        if self.journal.is_empty() {
            // Everything since the last commit has been undone.
            self.changed.clear();
        }
    }

    /// Ends a block: nothing before can be undone. Returns the root and what changed.
    pub fn commit(&mut self) -> (Hash, Changes) {
        self.journal.clear();
        let mut changes = Vec::new();
        for key in core::mem::take(&mut self.changed) {
            changes.push((key.to_vec(), self.entries.get(&key).map(|entry| Arc::clone(entry.bytes()))));
        }
        let root = self.entries.root();
        self.root = Some(root);
        (root, changes)
    }

    /// The root of the last commit.
    pub fn root(&self) -> Hash {
        self.root.unwrap_or_else(|| Trie::default().root())
    }

    /// The encoded value of a key as of the last commit, with a proof against its root; without a value, the proof
    /// shows that there is none. Only between blocks: `None` if something has changed since the commit.
    pub fn prove(&self, key: &[u8]) -> Option<(Option<Arc<[u8]>>, Proof)> {
        let bytes = self.entries.get(key).map(|entry| Arc::clone(entry.bytes()));
        self.changed.is_empty().then(|| (bytes, self.entries.prove(key)))
    }

    /// All entries as they are stored, in order: what a snapshot holds.
    pub fn entries(&self) -> impl Iterator<Item = (&[u8], Arc<[u8]>)> {
        self.entries.from(&[]).map(|(key, entry)| (&**key, Arc::clone(entry.bytes())))
    }

    /// A state from stored entries. Whether their values can be decoded is for the caller to check.
    pub fn load(entries: impl IntoIterator<Item = (Vec<u8>, Arc<[u8]>)>) -> Self {
        let mut store = Self::default();
        for (key, bytes) in entries {
            store.entries.insert(key.into(), Arc::new(Entry::stored(bytes)));
        }
        store.root = Some(store.entries.root());
        store
    }

    /// A part of the state with this root, from entries that somebody has proven: a key, its value if it has one, and the
    /// proof. Keys that have no value are proven not to have one.
    pub fn proven(
        root: &Hash,
        entries: impl IntoIterator<Item = (Vec<u8>, Option<Vec<u8>>, Proof)>,
    ) -> Result<Self, BadProof> {
        let mut store = Self::default();
        for (key, value, proof) in entries {
            proof.verify(root, &key, value.as_deref())?;
            if let Some(value) = value {
                if !spaces::is_entry(&key, &value) {
                    return Err(BadProof);
                }
                store.entries.insert(key.into(), Arc::new(Entry::stored(value.into())));
            }
        }
        Ok(store)
    }

    fn replace(&mut self, key: Arc<[u8]>, entry: Option<Arc<Entry>>) {
        let before = match entry {
            Some(entry) => self.entries.insert(Arc::clone(&key), entry),
            None => self.entries.remove(&key),
        };
        self.changed.insert(Arc::clone(&key));
        self.journal.push((key, before));
    }
}

impl core::fmt::Debug for Store {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Store({} entries)", self.entries.len())
    }
}

/// What a leaf of the trie holds of a value.
pub(crate) fn value_hash(bytes: &[u8]) -> Hash {
    hash("fairdeal/chain/value/v1", &[bytes])
}

impl Entry {
    fn new<V: Value>(value: V) -> Self {
        let value: Arc<dyn Any + Send + Sync> = Arc::new(value);
        let encode = |value: &(dyn Any + Send + Sync)| {
            let value = value.downcast_ref::<V>().expect("an entry is encoded as what it was made from");
            borsh::to_vec(value).expect("plain data can be written to memory")
        };
        Self { value: OnceLock::from(value), bytes: OnceLock::new(), encode }
    }

    fn stored(bytes: Arc<[u8]>) -> Self {
        Self { value: OnceLock::new(), bytes: OnceLock::from(bytes), encode: |_| Vec::new() }
    }

    /// The value; `None` if what was stored cannot be decoded.
    fn value<V: Value>(&self) -> Option<&V> {
        if self.value.get().is_none() {
            let value = borsh::from_slice::<V>(self.bytes.get()?).ok()?;
            // Somebody else may have been faster, with the same value.
            let _ = self.value.set(Arc::new(value));
        }
        self.value.get()?.downcast_ref()
    }

    fn bytes(&self) -> &Arc<[u8]> {
        self.bytes.get_or_init(|| {
            let value = self.value.get().expect("an entry has a value or bytes");
            (self.encode)(value.as_ref()).into()
        })
    }
}

#[cfg(test)]
mod tests;
