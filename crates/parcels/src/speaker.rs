//! What a host says to everybody.
//!
//! Some hosts can only notify all guests at once. What several guests are sent is then said once: the bytes go into one
//! more stream, which all hear, and each line only says where the message is. A guest that has missed a part of it asks
//! for it. The lines keep their order, and nothing depends on how many listen.
//!
//! ```text
//! shared     3 · session u32 · from u32 · bytes · CRC-32      one piece, with the tag 0
//! ```

use core::time::Duration;
use std::collections::{BTreeMap, VecDeque};

use crate::crc::Crc;
use crate::fast::{Cut, HEAD, Parcel, Place, SHARED_ADDED};
use crate::{Limits, MOST_PIECE};

/// The tag of what is said to everybody.
pub const TAG: u8 = 0;
/// The shortest and the longest message that is said to everybody.
const LEAST_SAID: usize = 100;
const MOST_SAID: usize = 64 << 10;
/// How many bytes are remembered.
const MOST_KEPT: usize = 128 << 10;
/// Pieces smaller than this are not worth it.
const LEAST_PIECE: usize = 100;
/// What was said again is not said another time before this has passed.
const JUST_SAID: Duration = Duration::from_millis(150);
/// How many parts may wait to be said again.
const MOST_AGAIN: usize = 64;

/// Says to everybody what several are sent.
#[derive(Debug)]
pub struct Speaker {
    session: u32,
    /// The bytes that are remembered, and the number of the first.
    stream: VecDeque<u8>,
    start: u32,
    /// The number of the first byte that was not written yet.
    fresh: u32,
    said: VecDeque<Place>,
    listeners: BTreeMap<u32, Listener>,
    /// What has to be written again, and what was, and when.
    again: VecDeque<(u32, u32)>,
    repeated: BTreeMap<u32, Duration>,
    not_before: Duration,
}

#[derive(Clone, Copy, Debug)]
struct Listener {
    piece: usize,
    pause: Duration,
    /// What was said before it listened it has not heard.
    since: u32,
    /// It may ask for everything from this byte on.
    needs: Option<u32>,
}

impl Speaker {
    /// Nobody listens yet. The session is a random number.
    pub const fn new(session: u32) -> Self {
        Self {
            session,
            stream: VecDeque::new(),
            start: 0,
            fresh: 0,
            said: VecDeque::new(),
            listeners: BTreeMap::new(),
            again: VecDeque::new(),
            repeated: BTreeMap::new(),
            not_before: Duration::ZERO,
        }
    }

    /// The guest with this session listens, and takes such pieces.
    pub(crate) fn listen(&mut self, guest: u32, piece: usize, limits: Limits) {
        let since = self.end();
        let listener = Listener { piece: piece.min(MOST_PIECE), pause: limits.pause, since, needs: None };
        self.listeners.entry(guest).or_insert(listener);
    }

    /// The guest with this session is gone.
    pub fn leave(&mut self, guest: u32) {
        self.listeners.remove(&guest);
    }

    /// The guest with this session may still ask for everything from this byte on; `None` if it has everything.
    pub(crate) fn needs(&mut self, guest: u32, from: Option<u32>) {
        if let Some(listener) = self.listeners.get_mut(&guest) {
            listener.needs = from;
        }
    }

    fn end(&self) -> u32 {
        self.start.saturating_add(u32::try_from(self.stream.len()).unwrap_or(u32::MAX))
    }

    fn piece(&self) -> usize {
        self.listeners.values().map(|listener| listener.piece).min().unwrap_or_default()
    }

    /// Says a message; returns where this guest finds it. `None` if it has to be sent to it alone.
    pub(crate) fn say(&mut self, guest: u32, message: &[u8]) -> Option<Place> {
        let place = self.place(guest, message)?;
        let listener = self.listeners.get_mut(&guest)?;
        listener.needs = Some(listener.needs.map_or(place.from, |needs| needs.min(place.from)));
        Some(place)
    }

    fn place(&mut self, guest: u32, message: &[u8]) -> Option<Place> {
        let listener = self.listeners.get(&guest).filter(|_| self.listeners.len() > 1)?;
        if !(LEAST_SAID..=MOST_SAID).contains(&message.len()) || self.piece() < LEAST_PIECE {
            return None;
        }
        let (length, crc) = (u32::try_from(message.len()).ok()?, Crc::new().and(message).value());
        let same = |place: &&Place| (place.length, place.crc) == (length, crc) && self.is_at(**place, message);
        if let Some(place) = self.said.iter().rev().find(same) {
            return Some(*place).filter(|place| place.from >= listener.since);
        }
        while self.stream.len() + message.len() > MOST_KEPT {
            // What nobody has heard yet must not be forgotten, nor what somebody may still ask for: they would wait for it
            // for ever.
            let needed = self.listeners.values().filter_map(|listener| listener.needs).min().unwrap_or(u32::MAX);
            let first = *self.said.front().filter(|place| place.to() <= self.fresh.min(needed))?;
            self.said.pop_front();
            self.stream.drain(..usize::try_from(first.to() - self.start).unwrap_or_default().min(self.stream.len()));
            self.start = first.to();
        }
        let place = Place { session: self.session, from: self.end(), length, crc };
        place.from.checked_add(length)?;
        self.stream.extend(message);
        self.said.push_back(place);
        Some(place)
    }

    fn is_at(&self, place: Place, message: &[u8]) -> bool {
        let from = usize::try_from(place.from.saturating_sub(self.start)).unwrap_or(usize::MAX);
        self.stream.iter().skip(from).take(message.len()).eq(message)
    }

    /// A guest has missed these bytes.
    pub fn again(&mut self, from: u32, length: u16, now: Duration) {
        let to = from.saturating_add(length.into()).min(self.fresh);
        self.repeated.retain(|_, at| *at + JUST_SAID > now);
        let from = from.max(self.start);
        let known = self.again.iter().any(|(begin, end)| *begin <= from && to <= *end);
        if from < to && !known && !self.repeated.contains_key(&from) && self.again.len() < MOST_AGAIN {
            self.again.push_back((from, to));
            self.repeated.insert(from, now);
        }
    }

    /// The piece that everybody has to be notified of now, or when there may be one.
    ///
    /// # Errors
    /// Says when to ask again; `None` if something has to be said first.
    pub fn poll(&mut self, now: Duration) -> Result<Vec<u8>, Option<Duration>> {
        let size = self.piece().saturating_sub(HEAD + SHARED_ADDED);
        if size == 0 || self.again.is_empty() && self.fresh >= self.end() {
            return Err(None);
        }
        if now < self.not_before {
            return Err(Some(self.not_before));
        }
        let size = u32::try_from(size).unwrap_or(u32::MAX);
        let (from, to) = match self.again.pop_front() {
            Some((from, to)) => {
                let cut = to.min(from.saturating_add(size));
                if cut < to {
                    self.again.push_front((cut, to));
                }
                (from.max(self.start), cut)
            }
            None => (self.fresh, self.end().min(self.fresh.saturating_add(size))),
        };
        self.fresh = self.fresh.max(to);
        let place = |number: u32| usize::try_from(number.saturating_sub(self.start)).unwrap_or(usize::MAX);
        let bytes: Vec<u8> = self.stream.iter().take(place(to)).skip(place(from)).copied().collect();
        if bytes.is_empty() {
            // It was forgotten meanwhile.
            return Err(Some(now));
        }
        self.not_before = now + self.listeners.values().map(|listener| listener.pause).max().unwrap_or_default();
        let parcel = Parcel::Shared { session: self.session, from, bytes };
        Cut::new(TAG, parcel.encode(0)).next(MOST_PIECE).ok_or(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::ZERO;

    fn heard(speaker: &mut Speaker, now: Duration) -> Vec<(u32, usize)> {
        let mut heard = Vec::new();
        while let Ok(piece) = speaker.poll(now) {
            let Ok(Parcel::Shared { from, bytes, .. }) = Parcel::decode(&piece[HEAD..], 0) else { panic!("{piece:?}") };
            heard.push((from, bytes.len()));
        }
        heard
    }

    fn speaker() -> Speaker {
        let mut speaker = Speaker::new(7);
        for guest in [1, 2] {
            speaker.listen(guest, 315, Limits::default());
        }
        speaker
    }

    #[test]
    fn what_several_are_sent_is_said_once() {
        let mut speaker = speaker();
        let place = speaker.say(1, &[5; 700]).unwrap();
        assert_eq!(speaker.say(2, &[5; 700]), Some(place));
        assert_eq!(heard(&mut speaker, NOW), [(0, 300), (300, 300), (600, 100)]);
        assert_eq!(speaker.say(2, &[5; 700]), Some(place), "it is remembered for a while");
        assert_eq!(speaker.say(2, &[6; 700]).map(|place| place.from), Some(700));
        speaker.listen(3, 315, Limits::default());
        assert_eq!(speaker.say(3, &[5; 700]), None, "somebody who came later has not heard it");
    }

    #[test]
    fn what_is_not_worth_it_is_not_said() {
        let mut speaker = speaker();
        assert_eq!(speaker.say(1, &[5; 99]), None);
        assert_eq!(speaker.say(1, &[5; MOST_SAID + 1]), None);
        assert_eq!(speaker.say(9, &[5; 700]), None, "nobody knows this guest");
        speaker.leave(2);
        assert_eq!(speaker.say(1, &[5; 700]), None, "nobody else listens");
        speaker.listen(2, 20, Limits::default());
        assert_eq!(speaker.say(1, &[5; 700]), None, "somebody has small pieces");
    }

    #[test]
    fn what_was_missed_is_said_again_but_not_all_the_time() {
        let mut speaker = speaker();
        speaker.say(1, &[5; 700]).unwrap();
        speaker.again(0, 700, NOW);
        assert_eq!(heard(&mut speaker, NOW).len(), 3, "nothing was said yet");
        speaker.again(100, 500, NOW);
        speaker.again(100, 500, NOW);
        speaker.again(200, 100, NOW);
        speaker.again(5000, 100, NOW);
        assert_eq!(heard(&mut speaker, NOW), [(100, 300), (400, 200)]);
        speaker.again(100, 500, NOW);
        assert_eq!(heard(&mut speaker, NOW), []);
        speaker.again(100, 500, JUST_SAID);
        assert_eq!(heard(&mut speaker, JUST_SAID).len(), 2);
    }

    #[test]
    fn the_oldest_is_forgotten_but_nothing_unheard_or_needed() {
        let mut speaker = speaker();
        let mut said = 0;
        while speaker.say(1, &[said; 30_000]).is_some() {
            said += 1;
        }
        assert_eq!(said, 4, "no more fits before somebody has heard it");
        heard(&mut speaker, NOW);
        assert_eq!(speaker.say(1, &[4; 30_000]), None, "somebody may still ask for the first");
        speaker.needs(1, Some(30_000));
        assert_eq!(speaker.say(1, &[4; 30_000]).map(|place| place.from), Some(120_000));
        heard(&mut speaker, NOW);
        for said in 5..100 {
            speaker.needs(1, None);
            assert!(speaker.say(1, &[said; 30_000]).is_some());
            heard(&mut speaker, NOW);
            assert!(speaker.stream.len() <= MOST_KEPT && speaker.said.len() <= 4);
        }
        speaker.again(0, u16::MAX, NOW);
        assert_eq!(heard(&mut speaker, NOW), [], "it is forgotten");
        for number in 0..1000 {
            speaker.again(speaker.start + number, 1, NOW);
        }
        assert!(speaker.again.len() <= MOST_AGAIN && speaker.repeated.len() <= MOST_AGAIN);
    }

    #[test]
    fn the_longest_pause_is_kept() {
        let mut speaker = speaker();
        let pause = Duration::from_millis(10);
        speaker.listen(3, 512, Limits { pause, ..Limits::default() });
        speaker.say(1, &[5; 700]).unwrap();
        assert!(speaker.poll(NOW).is_ok());
        assert_eq!(speaker.poll(NOW), Err(Some(pause)));
        assert!(speaker.poll(pause).is_ok());
    }
}
