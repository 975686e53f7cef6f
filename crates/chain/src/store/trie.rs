//! The tree of hashes over all keys.

use core::fmt;
use std::collections::BTreeMap;

use crate::units::{Hash, hash};

/// A tree over keys of which none is the beginning of another.
#[derive(Clone, Default)]
pub(super) struct Trie {
    leaves: BTreeMap<Vec<u8>, Hash>,
}

impl Trie {
    pub(super) fn insert(&mut self, key: &[u8], value: Hash) {
        self.leaves.insert(key.to_vec(), value);
    }

    pub(super) fn remove(&mut self, key: &[u8]) {
        self.leaves.remove(key);
    }

    pub(super) fn root(&self) -> Hash {
        let fields: Vec<&[u8]> = self.leaves.iter().flat_map(|(key, value)| [key.as_slice(), value]).collect();
        hash("fairdeal/chain/root/v1", &fields)
    }

    pub(super) fn prove(&self, _key: &[u8]) -> Proof {
        Proof
    }
}

/// Shows one entry, or that there is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof;

/// The proof does not show that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BadProof;

impl fmt::Display for BadProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the proof does not show this entry under this root")
    }
}

impl core::error::Error for BadProof {}
