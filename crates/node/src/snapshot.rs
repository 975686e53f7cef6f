//! Snapshots: how a new node begins without all the blocks.
//!
//! A snapshot is the state after some block, and the header of the next block, which names the root of that state and
//! which the validators have signed. Nobody is believed: a [`Light`] that begins with something trusted (the genesis if
//! it is young enough, or a block that the operator vouches for) must take the header, and the state must have its root.
//! There are no secrets in a state, so there are none in a snapshot.

use core::fmt;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use borsh::{BorshDeserialize, BorshSerialize};
use chain::light::{Decided, Doubt, Light};
use chain::store::BadSnapshot;
use chain::{Header, State};

use crate::core::Shared;
use crate::disk::DiskError;

/// What a file begins with.
const BEGIN: &[u8] = b"fairdeal/snapshot/1\n";
/// The most bytes of a state that is written or read.
pub const MOST_BYTES: u64 = 1 << 30;
/// A new snapshot is made for others at most this often.
const AGAIN: Duration = Duration::from_secs(60);
/// So many are kept, for those who are still reading the one before.
const KEPT: usize = 2;

/// A state, with what proves it.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Snapshot {
    /// The header of the block that led to the state.
    pub last: Header,
    /// The next block, whose header names the root of the state.
    pub next: Decided,
    /// The state.
    pub state: Vec<u8>,
}

/// Why a snapshot is not believed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unbelievable {
    /// The header is not proven.
    Header(Doubt),
    /// The trusted block is after the snapshot.
    Older {
        /// The height of the trusted block.
        trusted: u64,
    },
    /// The state is another one than the header names, or none at all.
    State(BadSnapshot),
    /// The state says that it is of another height or chain than its header.
    Place,
}

impl fmt::Display for Unbelievable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header(Doubt::Expired) => f.write_str(
                "the genesis or the trusted block is older than stake stays liable: \
                 ask somebody you trust for a newer block and give it with --trust HEIGHT:HASH",
            ),
            Self::Header(why) => write!(f, "the snapshot's header is not proven: {why}"),
            Self::Older { trusted } => {
                write!(f, "the snapshot is older than the trusted block {trusted}: take a newer snapshot")
            }
            Self::State(why) => why.fmt(f),
            Self::Place => f.write_str("the snapshot's state is of another block than its header says"),
        }
    }
}

impl core::error::Error for Unbelievable {}

impl Snapshot {
    /// The state, if `light` takes the header that names its root. Before, it must have been moved close enough to it; what
    /// it trusts must not be older than `trusted` milliseconds.
    pub fn check(&self, light: &mut Light, now: u64, trusted: u64) -> Result<State, Unbelievable> {
        let next = &self.next.header;
        if light.height() > next.height {
            return Err(Unbelievable::Older { trusted: light.height() });
        }
        if light.height() == next.height {
            if *light.hash() != next.hash() {
                return Err(Unbelievable::Header(Doubt::Parent));
            }
            if now.saturating_sub(light.time()) > trusted {
                return Err(Unbelievable::Header(Doubt::Expired));
            }
        } else {
            light.skip(&self.last, &self.next, now, trusted).map_err(Unbelievable::Header)?;
        }
        let state = State::from_snapshot(&self.state, light.root()).map_err(Unbelievable::State)?;
        let tip = state.tip();
        let place = (tip.chain, tip.height, tip.hash);
        if place == (*light.chain(), self.last.height, self.last.hash()) { Ok(state) } else { Err(Unbelievable::Place) }
    }

    /// Writes it into a new file.
    pub fn write(&self, file: &Path) -> Result<(), String> {
        let said = |why: std::io::Error| format!("{}: {why}", file.display());
        let mut out = File::create_new(file).map_err(said)?;
        out.write_all(BEGIN).map_err(said)?;
        borsh::to_writer(&mut out, self).map_err(said)?;
        out.sync_all().map_err(said)
    }

    /// Reads a file.
    pub fn read(file: &Path) -> Result<Self, String> {
        let said = |why: &dyn fmt::Display| format!("{}: {why}", file.display());
        let input = File::open(file).map_err(|why| said(&why))?;
        let mut bytes = Vec::new();
        input.take(MOST_BYTES + (4 << 20)).read_to_end(&mut bytes).map_err(|why| said(&why))?;
        let rest = bytes.strip_prefix(BEGIN).ok_or_else(|| said(&"this is not a snapshot of a chain"))?;
        borsh::from_slice(rest).map_err(|_| said(&"the snapshot is cut off or damaged"))
    }
}

/// Snapshots for others.
#[derive(Debug, Default)]
pub(crate) struct Offers(Mutex<VecDeque<(Instant, Arc<Snapshot>)>>);

impl Offers {
    /// A snapshot that is not too old; `None` if there is none yet.
    pub(crate) fn newest(&self, shared: &Shared) -> Result<Option<Arc<Snapshot>>, DiskError> {
        // Whoever asks meanwhile waits: two at a time would only take longer.
        let mut offers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((made, snapshot)) = offers.back()
            && made.elapsed() < AGAIN
        {
            return Ok(Some(Arc::clone(snapshot)));
        }
        let Some(snapshot) = take(shared)? else { return Ok(None) };
        let snapshot = Arc::new(snapshot);
        offers.push_back((Instant::now(), Arc::clone(&snapshot)));
        while offers.len() > KEPT {
            offers.pop_front();
        }
        Ok(Some(snapshot))
    }

    /// The snapshot of the state after this block, if it was offered lately.
    pub(crate) fn of(&self, height: u64) -> Option<Arc<Snapshot>> {
        let offers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = offers.iter().find(|(_, snapshot)| snapshot.last.height == height);
        found.map(|(_, snapshot)| Arc::clone(snapshot))
    }
}

/// The state before the last block, with what proves it.
fn take(shared: &Shared) -> Result<Option<Snapshot>, DiskError> {
    let Some(state) = shared.state_before() else { return Ok(None) };
    let height = state.tip().height;
    let (Some(last), Some(next)) = (shared.header(height)?, shared.header(height + 1)?) else { return Ok(None) };
    Ok(Some(Snapshot { last: last.header, next, state: state.snapshot() }))
}

#[cfg(test)]
mod tests;
