//! Blocks that have been proposed and not yet decided.
//!
//! A block that this node has called good must be there when it is decided, even after a crash. So it is on the disk
//! before anything is said about it, and it is called good only if it is held. Blocks for later heights are kept in memory
//! until their height comes, and so are those for later rounds until their round comes: a block says in which round it was
//! proposed, and whoever calls it good says that this round has begun. Whoever may propose can make a node hold only a few.

use std::collections::BTreeMap;

use chain::{Address, Hash};
use consensus::Part;

use crate::disk::{Disk, DiskError};

/// The most blocks that are held.
const MOST: usize = 64;
/// The most blocks of one proposer in one round. Two are enough to convict it.
const EACH: usize = 2;
/// A round may be this far ahead of the own one.
const ROUNDS_AHEAD: u32 = 16;
/// Blocks are kept for so many heights ahead, and of so many.
const HEIGHTS_AHEAD: u64 = 4;
const MOST_AHEAD: usize = 64;
/// The round of a block that came with its certificate.
const SYNCED: u32 = u32::MAX;

/// Blocks that have been proposed and not yet decided.
#[derive(Debug, Default)]
pub(crate) struct Proposals {
    /// On the disk too, by height, round and hash.
    held: BTreeMap<(u64, u32, Hash), Part>,
    /// For later heights and rounds, by height, proposer and round.
    ahead: BTreeMap<(u64, Address, u32), Part>,
    /// The height and round that this node is in.
    now: (u64, u32),
}

impl Proposals {
    /// What is on the disk.
    pub(crate) fn load(disk: &Disk) -> Result<Self, DiskError> {
        let held = disk.parts()?.into_iter();
        let held = held.map(|part| ((part.height, part.round, part.block.header.hash()), part)).collect();
        Ok(Self { held, ..Self::default() })
    }

    /// This node has begun a round.
    pub(crate) const fn began(&mut self, height: u64, round: u32) {
        self.now = (height, round);
    }

    /// Holds a block of the next height. Whether it is held now.
    pub(crate) fn hold(&mut self, disk: &Disk, part: &Part) -> Result<bool, DiskError> {
        let key = (part.height, part.round, part.block.header.hash());
        if self.held.contains_key(&key) {
            return Ok(true);
        }
        let latest = self.round(part.height).saturating_add(ROUNDS_AHEAD);
        let same = self.of_round(part.height, part.round).filter(|other| other.by == part.by).count();
        if part.round > latest || same >= EACH || self.held.len() >= MOST {
            return Ok(false);
        }
        self.hold_any(disk, part).map(|()| true)
    }

    /// The round of this height that this node is in.
    pub(crate) const fn round(&self, height: u64) -> u32 {
        if self.now.0 == height { self.now.1 } else { 0 }
    }

    /// Holds a block of this node's own.
    pub(crate) fn hold_any(&mut self, disk: &Disk, part: &Part) -> Result<(), DiskError> {
        disk.remember(part)?;
        self.held.insert((part.height, part.round, part.block.header.hash()), part.clone());
        Ok(())
    }

    /// Holds a block that came with its certificate, which needs nobody's signature.
    pub(crate) fn hold_synced(&mut self, disk: &Disk, block: chain::Block) -> Result<(), DiskError> {
        let (height, by) = (block.header.height, block.header.proposer);
        self.hold_any(disk, &Part { height, round: SYNCED, by, block, signature: [0; 64] })
    }

    /// Keeps a block of a later height or round, if it is not too many.
    pub(crate) fn keep(&mut self, next: u64, part: Part) {
        let (height, by, round) = (part.height, part.by, part.round);
        let mine = self.ahead.range((height, by, 0)..=(height, by, u32::MAX)).count();
        let soon =
            height <= next.saturating_add(HEIGHTS_AHEAD) && round <= self.round(height).saturating_add(ROUNDS_AHEAD);
        if soon && mine < EACH && self.ahead.len() < MOST_AHEAD {
            self.ahead.insert((height, by, round), part);
        }
    }

    /// The blocks that were kept for this round of this height, and for those before it.
    pub(crate) fn kept(&mut self, height: u64, round: u32) -> Vec<Part> {
        let due = |part: &Part| part.height < height || (part.height == height && part.round <= round);
        let (now, later): (Vec<_>, Vec<_>) =
            core::mem::take(&mut self.ahead).into_iter().partition(|(_, part)| due(part));
        self.ahead.extend(later);
        now.into_iter().map(|(_, part)| part).filter(|part| part.height == height).collect()
    }

    /// The blocks of a round that are held.
    pub(crate) fn of_round(&self, height: u64, round: u32) -> impl Iterator<Item = &Part> {
        self.held.range((height, round, [0; 32])..=(height, round, [u8::MAX; 32])).map(|(_, part)| part)
    }

    /// A block that is held.
    pub(crate) fn get(&self, height: u64, block: &Hash) -> Option<&Part> {
        self.held.iter().find(|((at, _, hash), _)| (at, hash) == (&height, block)).map(|(_, part)| part)
    }

    /// A block that is held with its proposer's signature.
    pub(crate) fn signed(&self, height: u64, block: &Hash) -> Option<&Part> {
        let found = self.held.iter().find(|((at, round, hash), _)| (at, hash) == (&height, block) && *round != SYNCED);
        found.map(|(_, part)| part)
    }

    /// A block was decided: those of its height and before are of no use any more.
    pub(crate) fn decided(&mut self, height: u64) {
        self.held.retain(|(at, _, _), _| *at > height);
        self.ahead.retain(|(at, _, _), _| *at > height);
    }
}

#[cfg(test)]
mod tests;
