//! What is sent: one envelope at a time, until it is receipted.

use core::time::Duration;
use std::collections::{BTreeSet, VecDeque};

use super::{Envelope, Letters, RECEIPT_WAIT, Receipt, Status, cut};
use crate::Ignored;

/// One direction of a line.
#[derive(Debug)]
pub(crate) struct Sending {
    session: u32,
    messages: VecDeque<Vec<u8>>,
    bytes: usize,
    /// How many messages were begun, and how many envelopes.
    begun: u32,
    enveloped: u32,
    /// The other envelopes of the message that is on its way.
    others: VecDeque<Envelope>,
    flying: Option<Flying>,
}

/// An envelope on its way.
#[derive(Debug)]
struct Flying {
    letters: Letters,
    parcels: Vec<Vec<u8>>,
    /// Those that have to be sent.
    due: BTreeSet<u16>,
    /// Whether each was sent at least once.
    complete: bool,
    /// Since when a receipt is awaited.
    since: Duration,
}

impl Sending {
    pub(crate) fn new(session: u32) -> Self {
        let (messages, others) = (VecDeque::new(), VecDeque::new());
        Self { session, messages, bytes: 0, begun: 0, enveloped: 0, others, flying: None }
    }

    pub(crate) fn push(&mut self, message: Vec<u8>) {
        self.bytes += message.len();
        self.messages.push_back(message);
    }

    pub(crate) fn kept(&self) -> usize {
        let others = self.others.iter().map(|envelope| envelope.bytes.len()).sum::<usize>();
        let flying = self.flying.iter().flat_map(|flying| &flying.parcels).map(Vec::len).sum::<usize>();
        self.bytes + others + flying
    }

    pub(crate) fn is_done(&self) -> bool {
        self.messages.is_empty() && self.others.is_empty() && self.flying.is_none()
    }

    /// The line is cut: nobody knows what has arrived.
    pub(crate) fn cut(&mut self) {
        if let Some(flying) = &mut self.flying {
            flying.all_due();
        }
    }

    /// The parcel that has to be sent now.
    pub(crate) fn due(&mut self, now: Duration) -> Option<Vec<u8>> {
        if self.flying.is_none() {
            self.begin(now);
        }
        let flying = self.flying.as_mut()?;
        if flying.due.is_empty() && flying.since + RECEIPT_WAIT <= now {
            flying.all_due();
        }
        let number = flying.due.pop_first()?;
        flying.since = now;
        flying.complete |= flying.due.is_empty();
        flying.parcels.get(usize::from(number)).cloned()
    }

    fn begin(&mut self, now: Duration) {
        if self.others.is_empty() {
            let Some(message) = self.messages.pop_front() else { return };
            self.bytes = self.bytes.saturating_sub(message.len());
            let id = format!("{:08x}-{}", self.session, self.begun);
            self.begun = self.begun.wrapping_add(1);
            self.others = Envelope::of(&id, &message).into();
        }
        let Some(envelope) = self.others.pop_front() else { return };
        let letters = Letters::of(self.enveloped);
        self.enveloped = self.enveloped.wrapping_add(1);
        let parcels = cut(letters, &envelope.encode()).unwrap_or_default();
        let mut flying = Flying { letters, parcels, due: BTreeSet::new(), complete: false, since: now };
        flying.all_due();
        self.flying = Some(flying);
    }

    /// When everything is sent again.
    pub(crate) fn wake_at(&self) -> Option<Duration> {
        self.flying.as_ref().filter(|flying| flying.due.is_empty()).map(|flying| flying.since + RECEIPT_WAIT)
    }

    /// Whether something has to be sent as soon as it may be.
    pub(crate) fn is_due(&self) -> bool {
        match &self.flying {
            Some(flying) => !flying.due.is_empty(),
            None => !self.messages.is_empty() || !self.others.is_empty(),
        }
    }

    /// What the other end says about a message.
    pub(crate) fn receipted(&mut self, receipt: &Receipt) -> Result<(), Ignored> {
        let ours = |flying: &&mut Flying| flying.letters == receipt.letters;
        let flying = self.flying.as_mut().filter(ours).ok_or(Ignored::NotSent)?;
        match &receipt.status {
            // Nobody can have everything before everything was sent.
            Status::Complete if !flying.complete => Err(Ignored::NotSent),
            Status::Complete => {
                self.flying = None;
                Ok(())
            }
            Status::Missing(parcels) => {
                let known = |number: &u16| usize::from(*number) < flying.parcels.len();
                if !parcels.iter().all(known) {
                    return Err(Ignored::NotSent);
                }
                flying.due.extend(parcels);
                Ok(())
            }
            Status::ChecksumFailed => {
                flying.all_due();
                Ok(())
            }
        }
    }
}

impl Flying {
    fn all_due(&mut self) {
        self.due = (0..).take(self.parcels.len()).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn all(sending: &mut Sending, now: Duration) -> usize {
        core::iter::from_fn(|| sending.due(now)).count()
    }

    fn receipt(letters: &[u8; 2], status: Status) -> Receipt {
        Receipt { letters: Letters(*letters), status }
    }

    #[test]
    fn one_envelope_is_on_its_way_until_it_is_receipted() {
        let mut sending = Sending::new(1);
        sending.push(vec![0; 400]);
        sending.push(vec![0; 40]);
        assert_eq!(all(&mut sending, at(0)), 3);
        assert_eq!((all(&mut sending, at(9)), sending.wake_at()), (0, Some(at(10))));
        assert_eq!(all(&mut sending, at(10)), 3, "nobody has said anything");
        assert_eq!(sending.receipted(&receipt(b"AA", Status::Missing(vec![1]))), Ok(()));
        assert_eq!(all(&mut sending, at(11)), 1);
        assert_eq!(sending.receipted(&receipt(b"AA", Status::ChecksumFailed)), Ok(()));
        assert_eq!(all(&mut sending, at(12)), 3);
        assert_eq!(sending.receipted(&receipt(b"AA", Status::Complete)), Ok(()));
        assert_eq!(all(&mut sending, at(12)), 1, "the next one");
        assert_eq!(sending.receipted(&receipt(b"AB", Status::Complete)), Ok(()));
        assert!(sending.is_done() && sending.kept() == 0);
    }

    #[test]
    fn receipts_for_what_was_not_sent_change_nothing() {
        let mut sending = Sending::new(1);
        assert_eq!(sending.receipted(&receipt(b"AA", Status::Complete)), Err(Ignored::NotSent));
        sending.push(vec![0; 400]);
        assert!(sending.due(at(0)).is_some());
        for (letters, status) in [
            (b"AA", Status::Complete),
            (b"AB", Status::ChecksumFailed),
            (b"AA", Status::Missing(vec![1, 3])),
            (b"ZZ", Status::Complete),
        ] {
            assert_eq!(sending.receipted(&receipt(letters, status)), Err(Ignored::NotSent));
        }
        assert_eq!(all(&mut sending, at(0)), 2, "the others are still to be sent");
    }
}
