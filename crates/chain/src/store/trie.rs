//! The tree of hashes over all keys: a crit-bit tree, so it depends only on the entries and not on their history.
//!
//! A leaf holds one key. An inner node names the first place where the keys below it differ, and has those with a 0
//! there on its left and those with a 1 on its right; so leaves come in the order of their keys. Places are counted
//! in bits, nine for each byte: a 1 that says there is a byte, and its eight bits from the highest. The key ends where
//! that first bit is 0, so two different keys always differ somewhere, even if one is the beginning of the other.
//!
//! Nodes are shared between copies of the tree, and hashes are computed when they are asked for: a block that changes
//! some keys hashes the paths to them once.
//!
//! A [`Proof`] is the path that the bits of a key lead along, from the root to the one leaf where the key would be. If
//! that leaf has the key, the entry is shown; if it has another, there is no entry, since a tree that had one would have
//! led to it.

use core::fmt;
use std::sync::{Arc, OnceLock};

use borsh::{BorshDeserialize, BorshSerialize};

use super::value_hash;
use crate::units::{Hash, hash};

/// The most bytes of a key. Those of the chain are far shorter.
pub const MOST_KEY: usize = 1_000;

/// A tree over keys.
#[derive(Clone, Default)]
pub(super) struct Trie {
    root: Option<Arc<Node>>,
}

#[derive(Clone)]
enum Node {
    Leaf(Leaf),
    Inner(Inner),
}

#[derive(Clone)]
struct Leaf {
    key: Arc<[u8]>,
    value: Hash,
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
    pub(super) fn insert(&mut self, key: &[u8], value: Hash) {
        let leaf = Leaf { key: key.into(), value, hash: OnceLock::new() };
        let Some(root) = &mut self.root else {
            self.root = Some(Arc::new(Node::Leaf(leaf)));
            return;
        };
        let differs = first_difference(&root.leaf_towards(key).key, key);
        let mut node = root;
        // Down to the node that the leaf replaces, or that it becomes a neighbour of.
        while let Node::Inner(inner) = &**node
            && differs.is_none_or(|at| inner.at < at)
        {
            let Node::Inner(inner) = Arc::make_mut(node) else { return };
            inner.hash = OnceLock::new();
            node = if bit(key, inner.at) { &mut inner.right } else { &mut inner.left };
        }
        let new = Arc::new(Node::Leaf(leaf));
        *node = match differs {
            None => new,
            Some(at) => {
                let old = Arc::clone(node);
                let (left, right) = if bit(key, at) { (old, new) } else { (new, old) };
                Arc::new(Node::Inner(Inner { at, left, right, hash: OnceLock::new() }))
            }
        };
    }

    pub(super) fn remove(&mut self, key: &[u8]) {
        if let Some(root) = &self.root
            && *root.leaf_towards(key).key == *key
        {
            self.root = without(root, key);
        }
    }

    pub(super) fn root(&self) -> Hash {
        self.root.as_ref().map_or_else(empty_hash, |root| root.hash())
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
                    return Proof { path, end: End::Other { key: leaf.key.to_vec(), value: leaf.value } };
                }
            }
        }
    }
}

impl Node {
    fn hash(&self) -> Hash {
        match self {
            Self::Leaf(leaf) => *leaf.hash.get_or_init(|| leaf_hash(&leaf.key, &leaf.value)),
            Self::Inner(inner) => {
                *inner.hash.get_or_init(|| inner_hash(inner.at, &inner.left.hash(), &inner.right.hash()))
            }
        }
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
