//! What a host says to everybody, as a guest hears it.

use core::time::Duration;

use super::Parcel;
use super::item::Place;
use super::stretches::Stretches;
use crate::crc::Crc;

/// How many bytes are remembered, in how many stretches.
const MOST_OVERHEARD: usize = 128 << 10;
const MOST_STRETCHES: usize = 256;
/// How long nothing may follow before the rest is asked for: once something later has come, and otherwise.
const OVERTAKEN: Duration = Duration::from_millis(30);
const QUIET: Duration = Duration::from_millis(250);
/// How long it takes until it is asked for again.
const AGAIN: Duration = Duration::from_millis(400);
/// How many gaps are asked for at a time.
const MOST_ASKED: usize = 4;

/// What was heard, and what is missed.
#[derive(Debug, Default)]
pub(super) struct Overheard {
    session: u32,
    heard: Stretches,
    /// A message that is wanted, and when what is missing of it is asked for.
    wanted: Option<(Place, Duration)>,
    asking: Vec<Parcel>,
}

impl Overheard {
    pub(super) fn heard(&mut self, session: u32, from: u32, bytes: &[u8], now: Duration) {
        if self.session != session {
            *self = Self { session, wanted: self.wanted, ..Self::default() };
        }
        self.heard.add(from, bytes);
        let wanted = self.wanted.filter(|(place, _)| place.session == session).map(|(place, _)| place.from);
        self.heard.forget(MOST_OVERHEARD, MOST_STRETCHES, wanted);
        if let Some((place, _)) = self.wanted {
            self.wanted = Some((place, self.ask_at(place, now)));
        }
    }

    /// The message there, if it was heard; otherwise it is wanted from now on.
    pub(super) fn take(&mut self, place: Place, now: Duration) -> Option<Vec<u8>> {
        if self.session == place.session
            && let Some(message) = self.heard.get(place.from, place.to())
        {
            if Crc::new().and(message).value() == place.crc {
                self.wanted = None;
                return Some(message.to_vec());
            }
            // Something else was said there.
            self.heard.remove(place.from, place.to());
        }
        if self.wanted.is_none_or(|(wanted, _)| wanted != place) {
            self.wanted = Some((place, self.ask_at(place, now)));
        }
        None
    }

    /// Whether a message is wanted.
    pub(super) const fn is_waiting(&self) -> bool {
        self.wanted.is_some()
    }

    fn missing(&self, place: Place) -> Vec<(u32, u32)> {
        if self.session == place.session {
            self.heard.missing(place.from, place.to())
        } else {
            vec![(place.from, place.to())]
        }
    }

    /// When something that nothing more is heard of is asked for.
    fn ask_at(&self, place: Place, now: Duration) -> Duration {
        let gap = self.missing(place).first().map(|(from, _)| *from);
        let overtaken = gap.is_some_and(|from| self.session == place.session && self.heard.from(from).next().is_some());
        now + if overtaken { OVERTAKEN } else { QUIET }
    }

    /// What has to be asked for now.
    pub(super) fn due(&mut self, now: Duration) -> Option<Parcel> {
        if self.asking.is_empty() {
            let (place, at) = self.wanted.filter(|(_, at)| *at <= now)?;
            debug_assert!(at <= now);
            self.wanted = Some((place, now + AGAIN));
            let gaps = self.missing(place).into_iter().take(MOST_ASKED);
            let ask =
                |(from, to): (u32, u32)| Parcel::Again { from, length: u16::try_from(to - from).unwrap_or(u16::MAX) };
            self.asking = gaps.map(ask).collect();
            self.asking.reverse();
        }
        self.asking.pop()
    }

    pub(super) fn wake_at(&self) -> Option<Duration> {
        self.wanted.map(|(_, at)| at)
    }

    pub(super) fn kept(&self) -> usize {
        self.heard.kept()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn place(from: u32, message: &[u8]) -> Place {
        let length = u32::try_from(message.len()).unwrap();
        Place { session: 7, from, length, crc: Crc::new().and(message).value() }
    }

    #[test]
    fn a_message_that_was_heard_is_taken_as_often_as_it_is_named() {
        let mut overheard = Overheard::default();
        overheard.heard(7, 100, b"a card", ms(0));
        for _ in 0..2 {
            assert_eq!(overheard.take(place(100, b"a card"), ms(0)), Some(b"a card".to_vec()));
        }
        assert!(!overheard.is_waiting() && overheard.wake_at().is_none());
    }

    #[test]
    fn what_is_missing_is_asked_for_in_time_and_again() {
        let mut overheard = Overheard::default();
        let all = place(100, b"two cards");
        overheard.heard(7, 100, b"tw", ms(0));
        assert_eq!(overheard.take(all, ms(0)), None);
        assert_eq!((overheard.is_waiting(), overheard.wake_at()), (true, Some(ms(250))), "more may be on its way");
        overheard.heard(7, 106, b"rds", ms(100));
        assert_eq!(overheard.wake_at(), Some(ms(130)), "this was overtaken");
        assert_eq!(overheard.due(ms(129)), None);
        assert_eq!(overheard.due(ms(130)), Some(Parcel::Again { from: 102, length: 4 }));
        assert_eq!((overheard.due(ms(130)), overheard.wake_at()), (None, Some(ms(530))));
        assert_eq!(overheard.due(ms(530)), Some(Parcel::Again { from: 102, length: 4 }));
        overheard.heard(7, 102, b"o ca", ms(540));
        assert_eq!(overheard.take(all, ms(540)), Some(b"two cards".to_vec()));
        assert!(!overheard.is_waiting());
    }

    #[test]
    fn something_else_in_that_place_is_not_taken() {
        let mut overheard = Overheard::default();
        overheard.heard(7, 0, b"hearts", ms(0));
        assert_eq!(overheard.take(place(0, b"spades"), ms(0)), None);
        assert_eq!(overheard.kept(), 0);
        overheard.heard(7, 0, b"spades", ms(1));
        assert_eq!(overheard.take(place(0, b"spades"), ms(1)), Some(b"spades".to_vec()));
        overheard.heard(8, 0, b"x", ms(2));
        assert_eq!((overheard.kept(), overheard.take(place(0, b"spades"), ms(2))), (1, None), "another host");
    }

    #[test]
    fn nobody_can_fill_the_memory() {
        let mut overheard = Overheard::default();
        for number in 0..2000 {
            overheard.heard(7, number * 1000, &[0; 400], ms(0));
        }
        assert!(overheard.kept() <= MOST_OVERHEARD && overheard.heard.count() <= MOST_STRETCHES);
    }
}
