//! What is received: parcels in any order become messages in order.

use core::time::Duration;
use std::collections::{BTreeMap, VecDeque};

use super::{Parcel, WINDOW};
use crate::{Ignored, MOST_MESSAGE, MOST_WAITING};

/// A receipt waits this long, so that one will do for several parcels.
const GATHER: Duration = Duration::from_millis(10);

/// One direction of a line.
#[derive(Debug, Default)]
pub(crate) struct Receiving {
    /// The number of the next parcel in order.
    next: u32,
    /// Parcels that have overtaken it.
    early: BTreeMap<u32, (bool, Vec<u8>)>,
    /// What is there of the next message.
    begun: Vec<u8>,
    /// Messages for the owner, and how many bytes they have.
    ready: VecDeque<Vec<u8>>,
    bytes: usize,
    /// When a receipt has to be sent.
    receipt_at: Option<Duration>,
}

impl Receiving {
    /// A part of a message has arrived.
    pub(crate) fn heard(&mut self, number: u32, last: bool, bytes: Vec<u8>, now: Duration) -> Result<(), Ignored> {
        if number >= self.next {
            if number - self.next >= WINDOW {
                return Err(Ignored::Ahead);
            }
            if self.bytes >= MOST_WAITING {
                return Err(Ignored::Full);
            }
            // Nothing of a message that gets too long is receipted, so it never gets further.
            if number == self.next && self.begun.len() + bytes.len() > MOST_MESSAGE {
                return Err(Ignored::TooLong);
            }
            self.early.entry(number).or_insert((last, bytes));
            self.take_in_order();
        }
        self.receipt_at.get_or_insert(now + GATHER);
        Ok(())
    }

    fn take_in_order(&mut self) {
        while let Some(entry) = self.early.first_entry().filter(|entry| *entry.key() == self.next) {
            let (last, bytes) = entry.remove();
            if self.begun.len() + bytes.len() > MOST_MESSAGE {
                return;
            }
            self.begun.extend_from_slice(&bytes);
            self.next = self.next.saturating_add(1);
            if last {
                self.bytes += self.begun.len() + 1;
                self.ready.push_back(core::mem::take(&mut self.begun));
            }
        }
    }

    /// The next message.
    pub(crate) fn take(&mut self) -> Option<Vec<u8>> {
        let message = self.ready.pop_front()?;
        self.bytes = self.bytes.saturating_sub(message.len() + 1);
        Some(message)
    }

    /// The receipt that has to be sent now.
    pub(crate) fn due(&mut self, now: Duration) -> Option<Parcel> {
        self.receipt_at.filter(|at| *at <= now)?;
        self.receipt_at = None;
        let bit = |number: &u32| number.checked_sub(self.next).and_then(|place| 1_u32.checked_shl(place));
        let later = self.early.keys().filter_map(bit).fold(0, |all, bit| all | bit);
        Some(Parcel::Receipt { next: self.next, later })
    }

    /// The line is back: the other end has to know what has arrived.
    pub(crate) fn back(&mut self, now: Duration) {
        self.receipt_at = Some(now);
    }

    /// When a receipt has to be sent.
    pub(crate) const fn wake_at(&self) -> Option<Duration> {
        self.receipt_at
    }

    /// How many bytes are kept.
    pub(crate) fn kept(&self) -> usize {
        let early = self.early.values().map(|(_, bytes)| bytes.len()).sum::<usize>();
        early + self.begun.len() + self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::ZERO;

    #[test]
    fn parcels_in_any_order_make_messages_in_order() {
        let mut receiving = Receiving::default();
        for (number, last, bytes) in [(2, true, "e"), (0, false, "ab"), (2, true, "e"), (3, true, ""), (1, true, "cd")]
        {
            assert_eq!(receiving.heard(number, last, bytes.into(), NOW), Ok(()));
            assert_eq!(receiving.heard(0, true, b"again".to_vec(), NOW), Ok(()));
        }
        let mut all = Vec::new();
        while let Some(message) = receiving.take() {
            all.push(message);
        }
        assert_eq!(all, [b"again".to_vec(), b"cd".to_vec(), b"e".to_vec(), Vec::new()], "the first of a number counts");
        assert_eq!((receiving.kept(), receiving.next), (0, 4));
    }

    #[test]
    fn a_receipt_says_what_is_there_and_what_is_missing() {
        let mut receiving = Receiving::default();
        for number in [0, 2, 5] {
            assert_eq!(receiving.heard(number, true, vec![1], NOW), Ok(()));
        }
        assert_eq!(receiving.due(NOW), None, "one receipt for all");
        assert_eq!(receiving.wake_at(), Some(GATHER));
        assert_eq!(receiving.due(GATHER), Some(Parcel::Receipt { next: 1, later: 0b10010 }));
        assert_eq!(receiving.due(GATHER), None);
        assert_eq!(receiving.heard(0, true, vec![1], NOW), Ok(()));
        assert!(receiving.wake_at().is_some(), "who repeats has not heard the receipt");
    }

    #[test]
    fn somebody_who_never_ends_cannot_fill_the_memory() {
        let mut receiving = Receiving::default();
        assert_eq!(receiving.heard(WINDOW, true, vec![1], NOW), Err(Ignored::Ahead));
        assert_eq!(receiving.heard(u32::MAX, true, vec![1], NOW), Err(Ignored::Ahead));
        let mut number = 0;
        while receiving.heard(number, false, vec![0; 4096], NOW).is_ok() {
            number += 1;
        }
        assert_eq!(receiving.heard(number, false, vec![0; 4096], NOW), Err(Ignored::TooLong));
        for number in number + 1..number + WINDOW {
            assert_eq!(receiving.heard(number, false, vec![0; 4096], NOW), Ok(()));
        }
        assert!(receiving.kept() <= MOST_MESSAGE + 4096 * usize::try_from(WINDOW).unwrap());
    }

    #[test]
    fn nothing_more_is_taken_while_the_owner_takes_nothing() {
        let mut receiving = Receiving::default();
        let mut number = 0;
        while receiving.heard(number, true, vec![0; 4096], NOW).is_ok() {
            number += 1;
        }
        assert_eq!(receiving.heard(number, true, vec![0; 4096], NOW), Err(Ignored::Full));
        assert!(receiving.kept() <= MOST_WAITING + 4097);
        assert!(receiving.take().is_some());
        assert_eq!(receiving.heard(number, true, vec![0; 4096], NOW), Ok(()));
    }
}
