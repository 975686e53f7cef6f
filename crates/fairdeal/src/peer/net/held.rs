//! What the owner of a connection has on their disk, for the thread that talks to the hub.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ::peer::{Head, Standby};
use results::Public;

use crate::peer::At;

/// What the owner has of the log, safely stored. Clones are the same.
#[derive(Clone, Default)]
pub struct Held(Arc<Mutex<Stored>>);

#[derive(Default)]
pub(super) struct Stored {
    pub(super) entries: Vec<Arc<[u8]>>,
    pub(super) head: Option<Head>,
    pub(super) number: Option<u8>,
    /// Who could replace the hub: where, and with which key.
    pub(super) successors: Vec<(At, Public)>,
    /// How long a hub may be silent, or people may take to agree on another one.
    pub(super) patience: Duration,
    /// The hub in office, if it is not the first one.
    pub(super) office: Option<Public>,
}

impl Held {
    /// What somebody has who only wants to hear how the log goes on after this head.
    pub(in crate::peer) fn knowing(head: Head, number: Option<u8>) -> Self {
        Self(Arc::new(Mutex::new(Stored { head: Some(head), number, ..Stored::default() })))
    }

    /// An entry is stored, and this is the head after it.
    pub fn push(&self, entry: &[u8], head: Head) {
        let mut stored = self.stored();
        stored.entries.push(entry.into());
        stored.head = Some(head);
    }

    /// The owner's first entry is stored: this is their number. A hub learns it with the entry or with the next
    /// greeting: somebody who has lost their log, and finds themselves in it while they read it again, opens a new link.
    pub fn joined(&self, number: u8) {
        self.stored().number = Some(number);
    }

    /// Who could replace the hub, in this order, after it was silent for this long. Addresses that are none are left out.
    pub fn may_be_replaced(&self, by: &[Standby], patience: Duration) {
        let place = |standby: &Standby| Some((standby.at.parse().ok()?, standby.hub));
        let mut stored = self.stored();
        (stored.successors, stored.patience) = (by.iter().filter_map(place).collect(), patience);
    }

    /// The hub with this key puts the log in order from now on.
    pub fn in_office(&self, hub: Public) {
        self.stored().office = Some(hub);
    }

    pub(super) fn stored(&self) -> std::sync::MutexGuard<'_, Stored> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Held({} entries)", self.stored().entries.len())
    }
}
