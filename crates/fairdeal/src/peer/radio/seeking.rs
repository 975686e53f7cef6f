//! Which of the devices that were heard is asked next, and how long it has to answer.
//!
//! Anybody can advertise as we do and then not answer. So each device has a few seconds, those that were never asked come
//! first, and one that is silent is asked again later, with more time: a connection that was begun goes on meanwhile.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// When a device that did not answer is asked again.
const TO_ASK_AGAIN: Duration = Duration::from_secs(1);
/// How long a device has to answer for the first time; each time it has as much more, up to the last.
const TO_ANSWER: Duration = Duration::from_secs(3);
const TO_ANSWER_AT_LAST: Duration = Duration::from_secs(12);

/// Devices that were heard.
pub(super) struct Seeking<D> {
    /// Those that have to be asked: how often each was, and when it is asked again.
    waiting: BTreeMap<D, (u32, Instant)>,
    known: BTreeSet<D>,
}

/// A device that is to be asked now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Turn<D> {
    pub(super) device: D,
    /// How long it has.
    pub(super) patience: Duration,
    asked: u32,
}

impl<D: Copy + Ord> Seeking<D> {
    pub(super) const fn new() -> Self {
        Self { waiting: BTreeMap::new(), known: BTreeSet::new() }
    }

    /// A device advertises.
    pub(super) fn heard(&mut self, device: D, now: Instant) {
        if !self.known.contains(&device) {
            self.waiting.entry(device).or_insert((0, now));
        }
    }

    /// When somebody has to be asked.
    pub(super) fn wake_at(&self) -> Option<Instant> {
        self.waiting.values().map(|(_, at)| *at).min()
    }

    /// The device to ask now: of those that have waited long enough, the one that was asked least often.
    pub(super) fn next(&mut self, now: Instant) -> Option<Turn<D>> {
        let due = self.waiting.iter().filter(|(_, (_, at))| *at <= now);
        let (device, asked) =
            due.map(|(device, place)| (*place, *device)).min().map(|((asked, _), one)| (one, asked))?;
        self.waiting.remove(&device);
        let patience = (TO_ANSWER * asked.saturating_add(1).min(8)).min(TO_ANSWER_AT_LAST);
        Some(Turn { device, patience, asked })
    }

    /// It did not answer.
    pub(super) fn silent(&mut self, turn: Turn<D>, now: Instant) {
        self.waiting.insert(turn.device, (turn.asked.saturating_add(1), now + TO_ASK_AGAIN));
    }

    /// Everything about it is known.
    pub(super) fn known(&mut self, turn: Turn<D>) {
        self.known.insert(turn.device);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_that_does_not_answer_does_not_keep_others_from_being_asked() {
        let (mut seeking, mut now) = (Seeking::new(), Instant::now());
        let begun = now;
        seeking.heard(1, now);
        let mut answered = Vec::new();
        while let Some(turn) = seeking.next(now) {
            if turn.device == 1 {
                // It takes all of its time; meanwhile others are heard.
                now += turn.patience;
                seeking.silent(turn, now);
                for device in 2..=9 {
                    seeking.heard(device, now);
                }
            } else {
                answered.push(turn.device);
                seeking.known(turn);
            }
        }
        assert_eq!(answered, [2, 3, 4, 5, 6, 7, 8, 9]);
        assert!(now - begun <= TO_ANSWER, "{:?}", now - begun);
        assert_eq!(seeking.wake_at(), Some(now + TO_ASK_AGAIN));
        now += TO_ASK_AGAIN;
        seeking.heard(7, now);
        seeking.heard(10, now);
        assert_eq!(seeking.next(now).map(|turn| turn.device), Some(10), "those that were never asked come first");
        let again = seeking.next(now).unwrap();
        assert_eq!((again.device, again.patience), (1, 2 * TO_ANSWER), "a slow one has more time");
        assert_eq!(seeking.next(now), None);
    }
}
