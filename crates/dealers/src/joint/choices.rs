//! Secret choices: first everybody commits, then everybody reveals.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};
use table::{Seat, Seats};

use super::fault::Why;
use super::terms::Terms;

/// The choices at one height.
#[derive(Debug, Default)]
pub(super) struct Choosing {
    height: u64,
    closed: BTreeMap<Seat, [u8; 32]>,
    /// The choices; `None` for a seat that did not reveal what it committed to.
    open: BTreeMap<Seat, Option<Vec<u8>>>,
    /// Seats that are no longer waited for, at this height and later.
    absent: Seats,
}

impl Choosing {
    /// Forgets everything from other heights.
    pub(super) fn at(&mut self, height: u64) {
        if self.height != height {
            *self = Self { height, absent: self.absent, ..Self::default() };
        }
    }

    /// This seat's time is up: it makes no more choices.
    pub(super) fn pass_over(&mut self, seat: Seat) {
        self.absent.insert(seat);
    }

    /// Whether this is the commitment of this seat.
    pub(super) fn has_closed(&self, seat: Seat, hash: &[u8; 32]) -> bool {
        self.closed.get(&seat) == Some(hash)
    }

    pub(super) fn commit(&mut self, height: u64, seat: Seat, hash: [u8; 32]) -> bool {
        self.at(height);
        !self.absent.contains(seat) && self.closed.insert(seat, hash).is_none()
    }

    /// Whether all seats that must choose have committed.
    pub(super) fn is_closed(&self, height: u64, seats: Seats) -> bool {
        self.height == height && seats.iter().all(|seat| self.absent.contains(seat) || self.closed.contains_key(&seat))
    }

    /// What reveals build on: all commitments.
    pub(super) fn ground(&self) -> [u8; 32] {
        let mut hash = Sha256::new_with_prefix(b"fairdeal/choices/v1");
        for (seat, closed) in &self.closed {
            hash.update([seat.index()]);
            hash.update(closed);
        }
        hash.finalize().into()
    }

    pub(super) fn reveal(
        &mut self,
        terms: &Terms,
        height: u64,
        seat: Seat,
        choice: &[u8],
        nonce: &[u8; 32],
    ) -> Result<bool, Why> {
        if self.absent.contains(seat) || self.open.contains_key(&seat) {
            return Ok(false);
        }
        if self.closed.get(&seat) == Some(&closing(terms, height, seat, choice, nonce)) {
            self.open.insert(seat, Some(choice.to_vec()));
            Ok(true)
        } else {
            self.open.insert(seat, None);
            Err(Why::BadReveal)
        }
    }

    pub(super) fn bare(&mut self, height: u64, seat: Seat, choice: &[u8]) -> bool {
        self.at(height);
        !self.absent.contains(seat) && self.open.insert(seat, Some(choice.to_vec())).is_none()
    }

    /// Who has not chosen yet.
    pub(super) fn missing(&self, height: u64, seats: Seats) -> Seats {
        let seats = seats - self.absent;
        if self.height != height {
            return seats;
        }
        // Nobody reveals until everybody has committed.
        let unclosed: Seats =
            seats.iter().filter(|s| !self.closed.contains_key(s) && !self.open.contains_key(s)).collect();
        if unclosed.is_empty() { seats.iter().filter(|s| !self.open.contains_key(s)).collect() } else { unclosed }
    }

    /// What this seat chose: `None` if it has not yet, `Some(None)` if it broke its commitment or is no longer
    /// waited for.
    pub(super) fn chosen(&self, height: u64, seat: Seat) -> Option<Option<&[u8]>> {
        let open = self.open.get(&seat).filter(|_| self.height == height).map(Option::as_deref);
        open.or_else(|| self.absent.contains(seat).then_some(None))
    }
}

/// The commitment to a choice.
pub(super) fn closing(terms: &Terms, height: u64, seat: Seat, choice: &[u8], nonce: &[u8; 32]) -> [u8; 32] {
    dealing::Commitment::new(&format!("choice/{height}"), &terms.session, &[seat.index()], choice, nonce).0
}
