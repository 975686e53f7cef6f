//! Who has written to a host whose radio says which device did, and how to pass it on.
//!
//! A hello with a new session begins a line. Several lines may share the connection of one device: everything else that it
//! writes goes to all of them, and each takes what is meant for it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use parcels::{Hello, Limits};
use tokio::sync::mpsc;

use super::{MOST_HEARD, Wire};

/// How many lines there are, and how many of one device: a player may bring computers, but a stranger must not take all
/// lines.
const MOST_GUESTS: usize = 32;
const MOST_OF_ONE: usize = 8;
/// How long a device whose lines are over stays connected.
const TO_RETURN: Duration = Duration::from_secs(10);

/// The guests of a host, with devices of some kind.
pub(super) struct Guests<D> {
    write: mpsc::Sender<Vec<Vec<u8>>>,
    lines: mpsc::Sender<Wire>,
    guests: Vec<Guest<D>>,
    /// Devices whose lines are over, and since when that is known.
    gone: BTreeMap<D, Instant>,
}

struct Guest<D> {
    device: D,
    heard: mpsc::Sender<Vec<u8>>,
    /// The session of the hello that its line began with; none in Geogram's form.
    session: Option<u32>,
}

impl<D: Copy + Ord> Guests<D> {
    /// Nobody yet: what is for them is written there, and their lines are handed out there.
    pub(super) const fn new(write: mpsc::Sender<Vec<Vec<u8>>>, lines: mpsc::Sender<Wire>) -> Self {
        Self { write, lines, guests: Vec::new(), gone: BTreeMap::new() }
    }

    /// A device has written something, and takes pieces of this size.
    pub(super) fn heard(&mut self, from: D, piece: usize, value: &[u8]) {
        self.tidy(Instant::now());
        let hello = Hello::decode(value).ok().map(|hello| hello.session);
        let meant = |guest: &&Guest<D>| guest.device == from && (hello.is_none() || guest.session == hello);
        if !self.guests.iter().any(|guest| meant(&guest)) {
            self.begin(from, piece, hello);
        }
        // What there is no room for is lost, and sent again.
        for guest in self.guests.iter().filter(meant) {
            let _ = guest.heard.try_send(value.to_vec());
        }
    }

    /// Begins a line, if there is room for one.
    fn begin(&mut self, device: D, piece: usize, session: Option<u32>) {
        let of_this = self.guests.iter().filter(|guest| guest.device == device).count();
        if self.guests.len() >= MOST_GUESTS || of_this >= MOST_OF_ONE {
            return;
        }
        let (hear, heard) = mpsc::channel(MOST_HEARD);
        let write = self.write.clone();
        let wire = Wire { heard, write, piece, limits: Limits::default(), everybody: true, connection: None };
        if self.lines.try_send(wire).is_ok() {
            self.guests.push(Guest { device, heard: hear, session });
            self.gone.remove(&device);
        }
    }

    /// Forgets lines that are over.
    fn tidy(&mut self, now: Instant) {
        for guest in self.guests.extract_if(.., |guest| guest.heard.is_closed()) {
            self.gone.entry(guest.device).or_insert(now);
        }
        self.gone.retain(|device, _| self.guests.iter().all(|guest| guest.device != *device));
    }

    /// The devices that should not be connected any more. Each is named once.
    pub(super) fn gone(&mut self, now: Instant) -> Vec<D> {
        self.tidy(now);
        let late = |since: &Instant| now.saturating_duration_since(*since) >= TO_RETURN;
        self.gone.extract_if(.., |_, since| late(since)).map(|(device, _)| device).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parcels::hello::Hears;

    fn hello(session: u32) -> Vec<u8> {
        Hello { session, to: 0, heard: Hears::Nobody, limits: Limits::default() }.encode()
    }

    fn guests() -> (Guests<u8>, mpsc::Receiver<Wire>) {
        let (lines, coming) = mpsc::channel(64);
        (Guests::new(mpsc::channel(1).0, lines), coming)
    }

    #[test]
    fn each_session_of_a_device_has_a_line_and_hears_what_is_for_it() {
        let (mut guests, mut coming) = guests();
        for (device, session) in [(1, 5), (1, 6), (2, 5), (1, 5)] {
            guests.heard(device, 100, &hello(session));
        }
        guests.heard(1, 100, b"a piece");
        let mut lines: Vec<Wire> = std::iter::from_fn(|| coming.try_recv().ok()).collect();
        let heard = lines.iter_mut().map(|line| std::iter::from_fn(|| line.heard.try_recv().ok()).collect::<Vec<_>>());
        let heard: Vec<Vec<Vec<u8>>> = heard.collect();
        let piece = b"a piece".to_vec();
        assert_eq!(heard, [vec![hello(5), hello(5), piece.clone()], vec![hello(6), piece], vec![hello(5)]]);
    }

    #[test]
    fn a_device_that_floods_with_hellos_does_not_take_all_lines() {
        let (mut guests, mut coming) = guests();
        for session in 1..10_000 {
            guests.heard(1, 100, &hello(session));
        }
        let mut lines: Vec<Wire> = std::iter::from_fn(|| coming.try_recv().ok()).collect();
        assert_eq!(lines.len(), MOST_OF_ONE);
        guests.heard(2, 100, &hello(1));
        assert!(coming.try_recv().is_ok(), "somebody else gets one");
        // One of its lines is over, so it gets another.
        drop(lines.pop());
        guests.heard(1, 100, &hello(20_000));
        assert!(coming.try_recv().is_ok());
    }

    #[test]
    fn what_nobody_takes_is_not_kept_without_end() {
        let (mut guests, mut coming) = guests();
        guests.heard(1, 100, &hello(1));
        for _ in 0..10 * MOST_HEARD {
            guests.heard(1, 100, b"noise");
        }
        assert_eq!(coming.try_recv().unwrap().heard.len(), MOST_HEARD);
    }

    #[test]
    fn a_device_whose_lines_are_over_is_named_once_unless_it_comes_back() {
        let (mut guests, mut coming) = guests();
        for device in [1, 2, 3] {
            guests.heard(device, 100, &hello(7));
        }
        let mut lines: Vec<Wire> = std::iter::from_fn(|| coming.try_recv().ok()).collect();
        lines.truncate(1);
        let now = Instant::now();
        assert!(guests.gone(now).is_empty(), "they may come back");
        guests.heard(2, 100, &hello(8));
        let back = coming.try_recv();
        let later = now + TO_RETURN + Duration::from_secs(1);
        assert_eq!((back.is_ok(), guests.gone(later)), (true, vec![3]));
        assert!(guests.gone(later).is_empty());
    }
}
