//! Secret choices: first everybody closes, then everybody opens.

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
    /// What was chosen; `None` for a choice that was not what its author had closed.
    open: BTreeMap<Seat, Option<Vec<u8>>>,
}

impl Choosing {
    /// Forgets what belongs to another height.
    pub(super) fn at(&mut self, height: u64) {
        if self.height != height {
            *self = Self { height, ..Self::default() };
        }
    }

    pub(super) fn commit(&mut self, height: u64, seat: Seat, hash: [u8; 32]) -> bool {
        self.at(height);
        self.closed.insert(seat, hash).is_none()
    }

    /// Have all closed who are to choose?
    pub(super) fn is_closed(&self, height: u64, seats: Seats) -> bool {
        self.height == height && seats.iter().all(|seat| self.closed.contains_key(&seat))
    }

    /// What reveals build on: everything that was closed.
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
        if self.open.contains_key(&seat) {
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
        self.open.insert(seat, Some(choice.to_vec())).is_none()
    }

    /// Who has not chosen yet.
    pub(super) fn missing(&self, height: u64, seats: Seats) -> Seats {
        if self.height != height {
            return seats;
        }
        // As long as somebody has not closed, nobody is to open.
        let unclosed: Seats =
            seats.iter().filter(|s| !self.closed.contains_key(s) && !self.open.contains_key(s)).collect();
        if unclosed.is_empty() { seats.iter().filter(|s| !self.open.contains_key(s)).collect() } else { unclosed }
    }

    /// What this seat chose: `None` if it has not, `Some(None)` if it broke its word.
    pub(super) fn chosen(&self, height: u64, seat: Seat) -> Option<Option<&[u8]>> {
        (self.height == height).then(|| self.open.get(&seat))?.map(Option::as_deref)
    }
}

/// What closes a choice.
pub(super) fn closing(terms: &Terms, height: u64, seat: Seat, choice: &[u8], nonce: &[u8; 32]) -> [u8; 32] {
    dealing::Commitment::new(&format!("choice/{height}"), &terms.session, &[seat.index()], choice, nonce).0
}
