//! How far the results of a relay are known.
//!
//! A relay gives events from the latest to the earliest. A walk that is cut off is taken up where it ended; the next one
//! begins now, and ends a day before the one before began: clocks differ, and publishing takes time.

use std::path::{Path, PathBuf};

use relays::RelayUrl;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use table::record::hex;

use crate::durable::{self, Readers};
use crate::failure::Failure;

/// Authors' clocks may be behind, and they may publish a little late.
const OVERLAP: u64 = 86_400;

/// How far the results of one relay are known.
#[derive(Serialize, Deserialize, Default, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Position {
    relay: String,
    /// Everything up to then is known.
    seen: u64,
    /// A walk that is not over.
    walk: Option<Walk>,
}

/// A walk from the latest event to the earliest that may be unknown.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Walk {
    /// When it began.
    began: u64,
    /// Everything after this is known.
    pub(crate) until: u64,
    /// Everything before this is known.
    pub(crate) since: u64,
}

impl Position {
    /// What is remembered of this relay. What cannot be read is begun anew.
    pub(crate) fn read(data: &Path, relay: &RelayUrl) -> Self {
        let read = std::fs::read(file(data, relay)).ok().and_then(|bytes| serde_json::from_slice::<Self>(&bytes).ok());
        let fresh = || Self { relay: relay.to_string(), ..Self::default() };
        read.filter(|read| read.relay == relay.to_string()).unwrap_or_else(fresh)
    }

    /// Forgets how far it was.
    pub(crate) fn forget(&mut self) {
        (self.seen, self.walk) = (0, None);
    }

    /// The walk to go on with: one that was cut off, or a new one.
    pub(crate) fn walk(&mut self, now: u64) -> Walk {
        let new = Walk { began: now, until: now.saturating_add(3600), since: self.seen.saturating_sub(OVERLAP) };
        // With a clock that was wrong, nothing is left out.
        let new = if self.seen > now { Walk { since: 0, ..new } } else { new };
        *self.walk.get_or_insert(new)
    }

    /// Whether a walk was cut off, so that another one is due after it.
    pub(crate) fn is_walking(&self) -> bool {
        self.walk.is_some()
    }

    /// Everything after this time is known; brings it to the disk.
    pub(crate) fn reached(&mut self, until: u64, data: &Path, relay: &RelayUrl) -> Result<(), Failure> {
        if let Some(walk) = &mut self.walk {
            walk.until = until;
        }
        self.keep(data, relay)
    }

    /// The walk is over.
    pub(crate) fn arrived(&mut self, data: &Path, relay: &RelayUrl) -> Result<(), Failure> {
        if let Some(walk) = self.walk.take() {
            self.seen = walk.began;
        }
        self.keep(data, relay)
    }

    fn keep(&self, data: &Path, relay: &RelayUrl) -> Result<(), Failure> {
        let path = file(data, relay);
        let text = serde_json::to_vec(self).map_err(Failure::input)?;
        durable::replace(&path, &text, Readers::Usual).map_err(|why| Failure::file(&path, "write", &why))
    }
}

fn file(data: &Path, relay: &RelayUrl) -> PathBuf {
    let name: String = hex(&<[u8; 32]>::from(Sha256::digest(relay.to_string()))).chars().take(16).collect();
    data.join(results::paths::COLLECTION).join("relays").join(format!("{name}.json"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_that_is_cut_off_is_taken_up_and_the_next_one_overlaps() {
        let folder = tempfile::tempdir().unwrap();
        let relay: RelayUrl = "wss://relay.example.org".parse().unwrap();
        let again = || Position::read(folder.path(), &relay);
        let mut first = again();
        assert_eq!(first.walk(1_000_000), Walk { began: 1_000_000, until: 1_003_600, since: 0 });
        first.reached(500, folder.path(), &relay).unwrap();
        let mut second = again();
        assert!(second.is_walking());
        assert_eq!(second.walk(2_000_000), Walk { began: 1_000_000, until: 500, since: 0 });
        second.arrived(folder.path(), &relay).unwrap();
        let mut third = again();
        assert!(!third.is_walking());
        assert_eq!(third.walk(2_000_000).since, 1_000_000 - OVERLAP);
        assert_eq!(again().walk(900_000).since, 0, "the clock was set back");
        std::fs::write(file(folder.path(), &relay), "nonsense").unwrap();
        assert_eq!(again().walk(2_000_000).since, 0);
    }
}
