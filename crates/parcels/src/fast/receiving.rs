//! What is received: bytes of the stream in any order become messages in order.

use core::time::Duration;
use std::collections::VecDeque;

use super::item::Item;
use super::overheard::Overheard;
use super::stretches::{Stretches, end};
use super::{Parcel, Stretch, WINDOW};
use crate::{Ignored, MOST_WAITING};

/// A receipt waits this long, so that one will do for several parcels.
const GATHER: Duration = Duration::from_millis(10);
/// How many stretches of bytes may wait for what is missing between them.
const MOST_EARLY: usize = 64;
/// How many stretches are told at a time.
const MOST_TOLD: usize = 16;
/// How many bytes a stretch has at most in a receipt, and the place of the first.
const STRETCH: usize = 6;
const PLACE: usize = 3;

/// One direction of a line.
#[derive(Debug, Default)]
pub(crate) struct Receiving {
    /// The number of the next byte in order.
    next: u32,
    /// Bytes after it.
    early: Stretches,
    /// What is in order and not yet a message.
    begun: Vec<u8>,
    /// Somebody has announced a message that cannot be: the stream does not go on.
    impossible: bool,
    /// What is said to everybody.
    overheard: Overheard,
    /// Messages for the owner, and how many bytes they have.
    ready: VecDeque<Vec<u8>>,
    bytes: usize,
    /// When a receipt has to be sent.
    receipt_at: Option<Duration>,
    /// Where the next receipt goes on, if one cannot tell everything, and how many stretches were told before.
    told: Option<(u32, usize)>,
}

impl Receiving {
    /// A part of the stream has arrived.
    pub(crate) fn heard(&mut self, from: u32, bytes: &[u8], now: Duration) -> Result<(), Ignored> {
        if self.impossible {
            return Err(Ignored::TooLong);
        }
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        let to = from.checked_add(length).ok_or(Ignored::Ahead)?;
        if to > self.next {
            let crowded = from > self.next && self.early.count() >= MOST_EARLY;
            if to - self.receipted() > WINDOW || crowded {
                return Err(Ignored::Ahead);
            }
            if self.bytes >= MOST_WAITING {
                return Err(Ignored::Full);
            }
            let known = usize::try_from(self.next.saturating_sub(from)).unwrap_or(usize::MAX);
            self.early.add(from.max(self.next), bytes.get(known..).unwrap_or_default());
            if let Some(bytes) = self.early.take(self.next) {
                self.next = end(self.next, &bytes);
                self.begun.extend_from_slice(&bytes);
            }
            self.take_in_order(now)?;
        }
        self.receipt_at.get_or_insert(now + GATHER);
        Ok(())
    }

    /// A part of what is said to everybody has arrived.
    pub(crate) fn overheard(&mut self, session: u32, from: u32, bytes: &[u8], now: Duration) -> Result<(), Ignored> {
        self.overheard.heard(session, from, bytes, now);
        if self.overheard.is_waiting() {
            self.take_in_order(now)?;
            if !self.overheard.is_waiting() {
                self.receipt_at.get_or_insert(now);
            }
        }
        Ok(())
    }

    fn take_in_order(&mut self, now: Duration) -> Result<(), Ignored> {
        while self.bytes < MOST_WAITING {
            let (message, length) = match Item::decode(&self.begun) {
                Ok(None) => return Ok(()),
                Ok(Some((Item::Message(message), length))) => (message.to_vec(), length),
                Ok(Some((Item::Said(place), length))) => match self.overheard.take(place, now) {
                    Some(message) => (message, length),
                    None => return Ok(()),
                },
                Err(_) => {
                    // Nothing more is receipted, so the line dies.
                    *self = Self {
                        impossible: true,
                        ready: core::mem::take(&mut self.ready),
                        bytes: self.bytes,
                        ..Self::default()
                    };
                    return Err(Ignored::TooLong);
                }
            };
            self.bytes += message.len() + 1;
            self.ready.push_back(message);
            self.begun.drain(..length);
        }
        Ok(())
    }

    /// Everything before this byte is receipted. What waits for something that was said to everybody is not.
    fn receipted(&self) -> u32 {
        let waiting = if self.overheard.is_waiting() { self.begun.len() } else { 0 };
        self.next.saturating_sub(u32::try_from(waiting).unwrap_or(u32::MAX))
    }

    /// The next message.
    pub(crate) fn take(&mut self, now: Duration) -> Option<Vec<u8>> {
        let message = self.ready.pop_front()?;
        self.bytes = self.bytes.saturating_sub(message.len() + 1);
        // There may be room for another.
        let _ = self.take_in_order(now);
        Some(message)
    }

    /// What has to be asked for, or the receipt that has to be sent now, with at most `room` bytes about what came early.
    /// What does not fit follows in others: each of them is of use without the others.
    pub(crate) fn due(&mut self, room: usize, now: Duration) -> Option<Parcel> {
        if let Some(again) = self.overheard.due(now) {
            return Some(again);
        }
        self.receipt_at.filter(|at| *at <= now)?;
        if self.overheard.is_waiting() {
            (self.receipt_at, self.told) = (None, None);
            return Some(Parcel::Receipt { next: self.receipted(), at: 0, later: Vec::new() });
        }
        let (mut told, before) = self.told.take().filter(|(told, _)| *told > self.next).unwrap_or((self.next, 0));
        let count = (room.saturating_sub(PLACE) / STRETCH).clamp(1, MOST_TOLD - before);
        let at = u16::try_from(told - self.next).unwrap_or(u16::MAX);
        let mut later = Vec::new();
        for (from, to) in self.early.from(told).take(count) {
            let (Ok(missing), Ok(there)) = (u16::try_from(from - told), u16::try_from(to - from)) else { break };
            later.push(Stretch { missing, there });
            told = to;
        }
        let so_far = before + later.len();
        if so_far < MOST_TOLD && self.early.from(told).next().is_some() {
            self.told = Some((told, so_far));
        } else {
            self.receipt_at = None;
        }
        Some(Parcel::Receipt { next: self.next, at: if later.is_empty() { 0 } else { at }, later })
    }

    /// The line is back: the other end has to know what has arrived.
    pub(crate) fn back(&mut self, now: Duration) {
        self.receipt_at = Some(now);
    }

    /// When a receipt has to be sent, or something asked for.
    pub(crate) fn wake_at(&self) -> Option<Duration> {
        self.receipt_at.into_iter().chain(self.overheard.wake_at()).min()
    }

    /// How many bytes are kept.
    pub(crate) fn kept(&self) -> usize {
        self.early.kept() + self.begun.len() + self.overheard.kept() + self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MOST_MESSAGE;
    use crate::crc::Crc;
    use crate::fast::Place;

    const NOW: Duration = Duration::ZERO;

    fn stream(messages: &[&[u8]]) -> Vec<u8> {
        let mut stream = Vec::new();
        for message in messages {
            stream.extend(u32::try_from(message.len()).unwrap().to_le_bytes());
            stream.extend_from_slice(message);
        }
        stream
    }

    fn taken(receiving: &mut Receiving) -> Vec<Vec<u8>> {
        core::iter::from_fn(|| receiving.take(NOW)).collect()
    }

    #[test]
    fn parcels_in_any_order_and_cut_in_any_way_make_messages_in_order() {
        let messages: [&[u8]; 4] = [b"fold", b"", b"check", b"raise to forty"];
        let stream = stream(&messages);
        let length = stream.len();
        // Every pair of cuts, the parts in every order and some of them overlapping.
        for one in 1..length {
            for two in one..length {
                let parts = [(0, one), (one.saturating_sub(2), two), (two - 1, length)];
                for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
                    let mut receiving = Receiving::default();
                    for (from, to) in order.map(|place| parts[place]) {
                        if from < to {
                            let number = u32::try_from(from).unwrap();
                            assert_eq!(receiving.heard(number, &stream[from..to], NOW), Ok(()));
                        }
                    }
                    assert_eq!(taken(&mut receiving), messages, "{parts:?} {order:?}");
                    assert_eq!((receiving.kept(), receiving.next), (0, u32::try_from(length).unwrap()));
                }
            }
        }
    }

    #[test]
    fn the_first_that_comes_for_a_number_counts() {
        let mut receiving = Receiving::default();
        for (from, bytes) in [(6, &b"ne"[..]), (3, b"\0x\x01\x02y"), (4, b"oxxx!"), (0, b"\x05\0\0\0....")] {
            assert_eq!(receiving.heard(from, bytes, NOW), Ok(()));
        }
        assert_eq!(taken(&mut receiving), [b"x\x01ne!"]);
    }

    #[test]
    fn a_receipt_says_what_is_there_and_what_is_missing() {
        let mut receiving = Receiving::default();
        let stream = stream(&[&[7; 100]]);
        for (from, to) in [(0, 10), (20, 30), (50, 60), (60, 65)] {
            let number = u32::try_from(from).unwrap();
            assert_eq!(receiving.heard(number, &stream[from..to], NOW), Ok(()));
        }
        assert_eq!(receiving.due(99, NOW), None, "one receipt for all");
        assert_eq!(receiving.wake_at(), Some(GATHER));
        let later = [Stretch { missing: 10, there: 10 }, Stretch { missing: 20, there: 15 }];
        let receipt = |at, later: &[Stretch]| Some(Parcel::Receipt { next: 10, at, later: later.to_vec() });
        assert_eq!(receiving.due(99, GATHER), receipt(0, &later));
        assert_eq!(receiving.due(99, GATHER), None);
        assert_eq!(receiving.heard(0, &stream[..10], NOW), Ok(()));
        assert!(receiving.wake_at().is_some(), "who repeats has not heard the receipt");
        assert_eq!(receiving.due(9, GATHER), receipt(0, &later[..1]));
        assert_eq!(receiving.due(9, GATHER), receipt(20, &later[1..]), "what does not fit follows");
        assert_eq!(receiving.due(9, GATHER), None);
    }

    #[test]
    fn somebody_who_never_ends_cannot_fill_the_memory() {
        let mut receiving = Receiving::default();
        assert_eq!(receiving.heard(WINDOW, &[1], NOW), Err(Ignored::Ahead));
        assert_eq!(receiving.heard(u32::MAX, &[1], NOW), Err(Ignored::Ahead));
        for gap in 1..1000 {
            let _ = receiving.heard(gap * 2, &[1], NOW);
        }
        assert_eq!(receiving.early.count(), MOST_EARLY);
        let longest = u32::try_from(MOST_MESSAGE).unwrap();
        assert_eq!(receiving.heard(0, &longest.to_le_bytes(), NOW), Ok(()));
        for part in 0..31 {
            assert_eq!(receiving.heard(4 + part * 4096, &[0; 4096], NOW), Ok(()));
        }
        let _ = receiving.heard(4 + 32 * 4096, &[0; 60_000], NOW);
        assert!(receiving.kept() <= MOST_MESSAGE + 0xFFFF, "{}", receiving.kept());
    }

    #[test]
    fn a_message_that_is_too_long_is_never_receipted() {
        let mut receiving = Receiving::default();
        let long = u32::try_from(MOST_MESSAGE + 1).unwrap();
        assert_eq!(receiving.heard(0, &long.to_le_bytes(), NOW), Err(Ignored::TooLong));
        assert_eq!(receiving.heard(0, &[0], NOW), Err(Ignored::TooLong));
        assert_eq!((receiving.kept(), receiving.wake_at()), (0, None));
    }

    #[test]
    fn nothing_more_is_taken_while_the_owner_takes_nothing() {
        let mut receiving = Receiving::default();
        let part = stream(&[&[0; 4092]]);
        let mut at = 0;
        while receiving.heard(at, &part, NOW).is_ok() {
            at += 4096;
        }
        assert_eq!(receiving.heard(at, &part, NOW), Err(Ignored::Full));
        assert!(receiving.kept() <= MOST_WAITING + 4097);
        assert!(receiving.take(NOW).is_some());
        assert_eq!(receiving.heard(at, &part, NOW), Ok(()));
    }

    #[test]
    fn a_message_that_was_said_to_everybody_comes_in_its_place() {
        let said = b"a card for everybody";
        let crc = Crc::new().and(said).value();
        let place = Place { session: 7, from: 500, length: 20, crc };
        let stream = [Item::Message(b"before"), Item::Said(place), Item::Message(b"after")];
        let lengths = stream.each_ref().map(|item| u32::try_from(item.encode().len()).unwrap());
        let all: Vec<u8> = stream.iter().flat_map(Item::encode).collect();
        let mut receiving = Receiving::default();
        assert_eq!(receiving.heard(0, &all, NOW), Ok(()));
        assert_eq!(taken(&mut receiving), [b"before"]);
        let receipt = |next| Some(Parcel::Receipt { next, at: 0, later: Vec::new() });
        assert_eq!(receiving.due(99, GATHER), receipt(lengths[0]), "what waits is not receipted");
        let later = Duration::from_secs(1);
        assert_eq!(receiving.due(99, later), Some(Parcel::Again { from: 500, length: 20 }));
        assert_eq!(receiving.overheard(7, 500, said, later), Ok(()));
        assert_eq!(taken(&mut receiving), [&said[..], b"after"]);
        assert_eq!(receiving.due(99, later), receipt(lengths.iter().sum()));
        assert_eq!(receiving.wake_at(), None);
    }

    #[test]
    fn somebody_who_refers_to_what_was_never_said_cannot_fill_the_memory() {
        let mut receiving = Receiving::default();
        let place = Place { session: 7, from: 500, length: 20, crc: 1 };
        assert_eq!(receiving.heard(0, &Item::Said(place).encode(), NOW), Ok(()));
        let mut at = 16;
        while receiving.heard(at, &[0; 4096], NOW).is_ok() {
            at += 4096;
        }
        assert_eq!(receiving.heard(at, &[0; 4096], NOW), Err(Ignored::Ahead));
        assert!(receiving.kept() <= 0xFFFF);
    }
}
