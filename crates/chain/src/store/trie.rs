//! The entries of a state in a tree of hashes over their keys: a crit-bit tree, so it depends only on the entries and not
//! on their history.
//!
//! A leaf holds one key. An inner node names the first place where the keys below it differ, and has those with a 0
//! there on its left and those with a 1 on its right; so leaves come in the order of their keys. Places are counted
//! in bits, nine for each byte: a 1 that says there is a byte, and its eight bits from the highest. The key ends where
//! that first bit is 0, so two different keys always differ somewhere, even if one is the beginning of the other.
//!
//! Nodes are shared between copies of the tree, so that a copy costs nothing: whoever answers questions has the state of
//! one block, while the next one is executed. Hashes are computed when they are asked for: a block that changes some keys
//! hashes the paths to them once.
//!
//! A [`Proof`] is the path that the bits of a key lead along, from the root to the one leaf where the key would be. If
//! that leaf has the key, the entry is shown; if it has another, there is no entry, since a tree that had one would have
//! led to it.

use core::fmt;
use std::sync::{Arc, OnceLock};

use borsh::{BorshDeserialize, BorshSerialize};

use super::{Entry, value_hash};
use crate::units::{Hash, hash};

/// The most bytes of a key. Those of the chain are far shorter.
pub const MOST_KEY: usize = 1_000;

/// Entries by their keys.
#[derive(Clone, Default)]
pub(super) struct Trie {
    root: Option<Arc<Node>>,
    count: usize,
}

#[derive(Clone)]
enum Node {
    Leaf(Leaf),
    Inner(Inner),
}

#[derive(Clone)]
struct Leaf {
    key: Arc<[u8]>,
    entry: Arc<Entry>,
    hash: OnceLock<Hash>,
}

#[derive(Clone)]
struct Inner {
    /// Where the keys below differ first.
    at: u16,
    left: Arc<Node>,
    right: Arc<Node>,
    hash: OnceLock<Hash>,
}

impl Trie {
    pub(super) const fn len(&self) -> usize {
        self.count
    }

    pub(super) fn get(&self, key: &[u8]) -> Option<&Arc<Entry>> {
        let leaf = self.root.as_ref()?.leaf_towards(key);
        (*leaf.key == *key).then_some(&leaf.entry)
    }

    /// Puts an entry in, and returns the one that it replaces.
    pub(super) fn insert(&mut self, key: Arc<[u8]>, entry: Arc<Entry>) -> Option<Arc<Entry>> {
        let Some(root) = &mut self.root else {
            self.root = Some(Arc::new(Node::Leaf(Leaf { key, entry, hash: OnceLock::new() })));
            self.count = 1;
            return None;
        };
        let before = root.leaf_towards(&key);
        let differs = first_difference(&before.key, &key);
        let before = differs.is_none().then(|| Arc::clone(&before.entry));
        let mut node = root;
        // Down to the node that the leaf replaces, or that it becomes a neighbour of.
        while let Node::Inner(inner) = &**node
            && differs.is_none_or(|at| inner.at < at)
        {
            let Node::Inner(inner) = Arc::make_mut(node) else { return before };
            inner.hash = OnceLock::new();
            node = if bit(&key, inner.at) { &mut inner.right } else { &mut inner.left };
        }
        let right = differs.is_some_and(|at| bit(&key, at));
        let new = Arc::new(Node::Leaf(Leaf { key, entry, hash: OnceLock::new() }));
        *node = match differs {
            None => new,
            Some(at) => {
                self.count += 1;
                let old = Arc::clone(node);
                let (left, right) = if right { (old, new) } else { (new, old) };
                Arc::new(Node::Inner(Inner { at, left, right, hash: OnceLock::new() }))
            }
        };
        before
    }

    /// Takes an entry out.
    pub(super) fn remove(&mut self, key: &[u8]) -> Option<Arc<Entry>> {
        let before = Arc::clone(self.get(key)?);
        self.root = self.root.as_ref().and_then(|root| without(root, key));
        self.count -= 1;
        Some(before)
    }

    pub(super) fn root(&self) -> Hash {
        self.root.as_ref().map_or_else(empty_hash, |root| root.hash())
    }

    /// All entries from this key on, in order.
    pub(super) fn from<'a>(&'a self, start: &[u8]) -> Leaves<'a> {
        Leaves { left: self.root.as_ref().map(|root| root.from(start)).unwrap_or_default() }
    }

    pub(super) fn prove(&self, key: &[u8]) -> Proof {
        let mut path = Vec::new();
        let Some(mut node) = self.root.as_ref() else { return Proof { path, end: End::Empty } };
        loop {
            match &**node {
                Node::Inner(inner) => {
                    let (next, other) = inner.towards(key);
                    path.push(Step { at: inner.at, other: other.hash() });
                    node = next;
                }
                Node::Leaf(leaf) if *leaf.key == *key => return Proof { path, end: End::Found },
                Node::Leaf(leaf) => {
                    return Proof { path, end: End::Other { key: leaf.key.to_vec(), value: leaf.value() } };
                }
            }
        }
    }
}

/// Leaves in the order of their keys.
pub(super) struct Leaves<'a> {
    /// What is still to come, the next last.
    left: Vec<&'a Node>,
}

impl<'a> Iterator for Leaves<'a> {
    type Item = (&'a Arc<[u8]>, &'a Arc<Entry>);

    fn next(&mut self) -> Option<Self::Item> {
        let mut node = self.left.pop()?;
        loop {
            match node {
                Node::Leaf(leaf) => return Some((&leaf.key, &leaf.entry)),
                Node::Inner(inner) => {
                    self.left.push(&inner.right);
                    node = &inner.left;
                }
            }
        }
    }
}

impl Leaf {
    fn value(&self) -> Hash {
        value_hash(self.entry.bytes())
    }
}

impl Node {
    fn hash(&self) -> Hash {
        match self {
            Self::Leaf(leaf) => *leaf.hash.get_or_init(|| leaf_hash(&leaf.key, &leaf.value())),
            Self::Inner(inner) => {
                *inner.hash.get_or_init(|| inner_hash(inner.at, &inner.left.hash(), &inner.right.hash()))
            }
        }
    }

    /// The nodes whose leaves are those from this key on, the first last.
    fn from<'a>(&'a self, start: &[u8]) -> Vec<&'a Self> {
        let differs = first_difference(&self.leaf_towards(start).key, start);
        let (mut node, mut later) = (self, Vec::new());
        while let Self::Inner(inner) = node
            && differs.is_none_or(|at| inner.at < at)
        {
            let right = bit(start, inner.at);
            if !right {
                later.push(&*inner.right);
            }
            node = if right { &inner.right } else { &inner.left };
        }
        // All keys below this node differ from the first one in the same place, so all are before it or all after.
        if differs.is_none_or(|at| !bit(start, at)) {
            later.push(node);
        }
        later
    }

    /// The leaf that the bits of this key lead to.
    fn leaf_towards(&self, key: &[u8]) -> &Leaf {
        let mut node = self;
        loop {
            match node {
                Self::Leaf(leaf) => return leaf,
                Self::Inner(inner) => node = inner.towards(key).0,
            }
        }
    }
}

impl Inner {
    /// The child that this key leads to, and the other one.
    fn towards(&self, key: &[u8]) -> (&Arc<Node>, &Arc<Node>) {
        if bit(key, self.at) { (&self.right, &self.left) } else { (&self.left, &self.right) }
    }
}

/// The tree below a node without a key that is in it; `None` if nothing is left.
fn without(node: &Arc<Node>, key: &[u8]) -> Option<Arc<Node>> {
    let Node::Inner(inner) = &**node else { return None };
    let (next, other) = inner.towards(key);
    let Some(next) = without(next, key) else { return Some(Arc::clone(other)) };
    let other = Arc::clone(other);
    let (left, right) = if bit(key, inner.at) { (other, next) } else { (next, other) };
    Some(Arc::new(Node::Inner(Inner { at: inner.at, left, right, hash: OnceLock::new() })))
}

/// Bits per byte of a key: one that says that there is a byte, and its own.
const BITS: u16 = 9;

/// The bit of a key in this place. After its end, all are 0.
fn bit(key: &[u8], at: u16) -> bool {
    match (key.get(usize::from(at / BITS)), at % BITS) {
        (None, _) => false,
        (Some(_), 0) => true,
        (Some(byte), place) => (byte >> (8 - place)) & 1 == 1,
    }
}

/// The first place where two keys differ; `None` if they are the same.
fn first_difference(a: &[u8], b: &[u8]) -> Option<u16> {
    let common = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let start = u16::try_from(common).ok().and_then(|bytes| bytes.checked_mul(BITS));
    let start = start.expect("keys of the state are shorter than MOST_KEY");
    match (a.get(common), b.get(common)) {
        (None, None) => None,
        (Some(a), Some(b)) => (1..BITS).find(|place| ((a ^ b) >> (8 - place)) & 1 == 1).map(|place| start + place),
        (Some(_), None) | (None, Some(_)) => Some(start),
    }
}

fn empty_hash() -> Hash {
    hash("fairdeal/chain/state/empty/v1", &[])
}

fn leaf_hash(key: &[u8], value: &Hash) -> Hash {
    hash("fairdeal/chain/state/leaf/v1", &[key, value])
}

fn inner_hash(at: u16, left: &Hash, right: &Hash) -> Hash {
    // One field instead of three, all of fixed length: so it takes two rounds of the hash and not three.
    let mut node = [0; 66];
    let (place, children) = node.split_at_mut(2);
    place.copy_from_slice(&at.to_le_bytes());
    for (into, child) in children.chunks_exact_mut(32).zip([left, right]) {
        into.copy_from_slice(child);
    }
    hash("fairdeal/chain/state/inner/v1", &[&node])
}

/// Shows one entry of a state, or that there is none, to somebody who knows the root.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// From the root to the leaf.
    path: Vec<Step>,
    end: End,
}

/// An inner node on the way.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
struct Step {
    /// Where the keys below differ.
    at: u16,
    /// The hash of the side that the key is not on.
    other: Hash,
}

/// Where the way ends.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
enum End {
    /// The state is empty.
    Empty,
    /// At the leaf of the key.
    Found,
    /// At the leaf of another key.
    Other { key: Vec<u8>, value: Hash },
}

impl Proof {
    /// Checks that the state with this root has this value for this key, or that it has none.
    pub fn verify(&self, root: &Hash, key: &[u8], value: Option<&[u8]>) -> Result<(), BadProof> {
        if key.len() > MOST_KEY {
            return Err(BadProof);
        }
        let leaf = match (&self.end, value) {
            (End::Empty, None) if self.path.is_empty() => empty_hash(),
            (End::Found, Some(value)) => leaf_hash(key, &value_hash(value)),
            (End::Other { key: other, value }, None) if self.leads_to(key, other) => leaf_hash(other, value),
            (End::Empty | End::Found | End::Other { .. }, _) => return Err(BadProof),
        };
        // Places ascend from the root to the leaf, which also bounds how many there can be.
        if !self.path.is_sorted_by(|a, b| a.at < b.at) {
            return Err(BadProof);
        }
        let found = self.path.iter().rev().fold(leaf, |below, step| {
            if bit(key, step.at) {
                inner_hash(step.at, &step.other, &below)
            } else {
                inner_hash(step.at, &below, &step.other)
            }
        });
        if found == *root { Ok(()) } else { Err(BadProof) }
    }

    /// Whether another key is on the same way as this key, so that its leaf is where this key's would be.
    fn leads_to(&self, key: &[u8], other: &[u8]) -> bool {
        other.len() <= MOST_KEY && other != key && self.path.iter().all(|step| bit(key, step.at) == bit(other, step.at))
    }
}

/// The proof does not show that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BadProof;

impl fmt::Display for BadProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the proof does not show this entry under this root")
    }
}

impl core::error::Error for BadProof {}
