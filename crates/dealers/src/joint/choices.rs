//! Secret choices: first everybody commits, then everybody reveals.

use sha2::{Digest, Sha256};
use table::{Awaiting, Map, Rules, Seat, Seats, Table};

use super::fault::{Unfit, Void, Why};
use super::message::Place;
use super::terms::Terms;

/// The choices that the table waits for.
#[derive(Clone, Debug, Default)]
pub(super) struct Choosing {
    /// The height at which the seats were asked. Their messages name it.
    round: u64,
    /// The height when last seen, and who had to choose then.
    height: u64,
    asked: Seats,
    closed: Map<Seat, [u8; 32]>,
    open: Map<Seat, Vec<u8>>,
}

impl Choosing {
    /// Looks at the table: does it ask for new choices? If somebody leaves while others have closed their choices,
    /// these stay closed: nobody may choose again after having seen what others chose.
    pub(super) fn look<R: Rules>(&mut self, table: &Table<R>) {
        let Awaiting::Choices(seats) = table.awaiting() else { return };
        let height = table.height().0;
        let goes_on = !R::CHOICES_NAME_SLOTS && !self.is_open() && (seats - self.asked).is_empty();
        if self.asked.is_empty() || (self.height != height && !goes_on) {
            *self = Self { round: height, ..Self::default() };
        }
        self.height = height;
        self.asked = seats;
    }

    /// The height that messages about the current choices name.
    pub(super) const fn round(&self) -> u64 {
        self.round
    }

    /// Is this seat's message in this place awaited?
    pub(super) fn awaits<R: Rules>(&self, table: &Table<R>, place: Place, seat: Seat) -> Result<(), Void> {
        let asked = matches!(table.awaiting(), Awaiting::Choices(seats) if seats.contains(seat));
        if !asked || place.height() != Some(self.round) {
            return Err(Void::NotAwaited);
        }
        let said = match place {
            Place::Commit(_) => self.closed.contains_key(&seat),
            Place::Reveal(_) if !self.is_closed() => return Err(Void::NotAwaited),
            _ => self.open.contains_key(&seat),
        };
        if said { Err(Void::Second) } else { Ok(()) }
    }

    /// Whether this is the commitment of this seat.
    pub(super) fn has_closed(&self, seat: Seat, hash: &[u8; 32]) -> bool {
        self.closed.get(&seat) == Some(hash)
    }

    pub(super) fn commit(&mut self, seat: Seat, hash: [u8; 32]) {
        self.closed.insert(seat, hash);
    }

    /// Whether all seats that must choose have committed.
    pub(super) fn is_closed(&self) -> bool {
        self.asked.iter().all(|seat| self.closed.contains_key(&seat))
    }

    /// Whether all choices are open.
    pub(super) fn is_open(&self) -> bool {
        self.asked.iter().all(|seat| self.open.contains_key(&seat))
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

    /// Does this open the commitment of this seat?
    pub(super) fn opens(&self, terms: &Terms, seat: Seat, choice: &[u8], nonce: &[u8; 32]) -> Result<(), Unfit> {
        let hash = closing(terms, self.round, seat, choice, nonce);
        if self.has_closed(seat, &hash) { Ok(()) } else { Err(Why::BadReveal.into()) }
    }

    pub(super) fn open(&mut self, seat: Seat, choice: &[u8]) {
        self.open.insert(seat, choice.to_vec());
    }

    /// Who has not committed yet; once all have, who has not revealed.
    pub(super) fn missing(&self) -> (Seats, bool) {
        let unsaid = |said: &dyn Fn(&Seat) -> bool| self.asked.iter().filter(|seat| !said(seat)).collect::<Seats>();
        let unclosed = unsaid(&|seat| self.closed.contains_key(seat) || self.open.contains_key(seat));
        if unclosed.is_empty() { (unsaid(&|seat| self.open.contains_key(seat)), true) } else { (unclosed, false) }
    }

    /// What this seat chose, once it is open.
    pub(super) fn chosen(&self, seat: Seat) -> Option<&[u8]> {
        self.open.get(&seat).map(Vec::as_slice)
    }
}

/// The commitment to a choice.
pub(super) fn closing(terms: &Terms, round: u64, seat: Seat, choice: &[u8], nonce: &[u8; 32]) -> [u8; 32] {
    dealing::Commitment::new(&format!("choice/{round}"), &terms.session, &[seat.index()], choice, nonce).0
}
