//! A host that can only speak to all guests at once: everybody gets what is meant for them, once and in order, however
//! much each of them misses.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::print_stdout, reason = "a test may fail by a panic")]

use std::collections::BTreeMap;
use std::time::Duration;

use parcels::{Limits, Link, MOST_PIECE, Output, Speaker, State};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

const GUESTS: usize = 3;
const DELAY: Duration = Duration::from_millis(7);

/// A host with a line for each guest, and what is on its way.
struct Room {
    rng: ChaCha8Rng,
    now: Duration,
    speaker: Speaker,
    host: Vec<Link>,
    guests: Vec<Link>,
    /// When a piece arrives, and where: at a guest, or at the host from one.
    flying: BTreeMap<(Duration, u64), (usize, bool, Vec<u8>)>,
    count: u64,
    /// One piece in so many is lost, for each guest on its own; 0 means none.
    lost: u32,
    /// How many bytes the host has notified.
    notified: usize,
    received: Vec<Vec<Vec<u8>>>,
}

impl Room {
    fn new(seed: u64, lost: u32) -> Self {
        let sessions = 1..=u32::try_from(GUESTS).unwrap();
        let limits = Limits { pause: Duration::from_millis(10), ..Limits::default() };
        let mut room = Self {
            rng: ChaCha8Rng::seed_from_u64(seed),
            now: Duration::ZERO,
            speaker: Speaker::new(99),
            host: sessions.clone().map(|session| Link::host(100 + session, Limits::default())).collect(),
            guests: sessions.map(|session| Link::guest(session, limits)).collect(),
            flying: BTreeMap::new(),
            count: 0,
            lost,
            notified: 0,
            received: vec![Vec::new(); GUESTS],
        };
        for link in room.host.iter_mut().chain(&mut room.guests) {
            link.back(MOST_PIECE, Duration::ZERO);
        }
        room
    }

    /// A piece is on its way to a guest, or from it to the host.
    fn fly(&mut self, guest: usize, to_guest: bool, piece: &[u8]) {
        if self.lost == 0 || self.rng.random_range(0..self.lost) != 0 {
            self.count += 1;
            self.flying.insert((self.now + DELAY, self.count), (guest, to_guest, piece.to_vec()));
        }
    }

    fn notify(&mut self, piece: &[u8]) {
        self.notified += piece.len();
        for guest in 0..GUESTS {
            self.fly(guest, true, piece);
        }
    }

    fn step(&mut self) {
        let mut next = Vec::new();
        loop {
            match self.speaker.poll(self.now) {
                Ok(piece) => self.notify(&piece),
                Err(at) => break next.extend(at),
            }
        }
        for guest in 0..GUESTS {
            loop {
                match self.host[guest].poll(self.now) {
                    Output::Write(piece) => self.notify(&piece),
                    Output::Missed(from, length) => {
                        self.speaker.again(from, length, self.now);
                        next.push(self.now + Duration::from_millis(1));
                    }
                    Output::Received(message) => unreachable!("nobody has sent {message:?}"),
                    Output::Wait(at) => break next.extend(at),
                }
            }
            loop {
                match self.guests[guest].poll(self.now) {
                    Output::Write(piece) => self.fly(guest, false, &piece),
                    Output::Received(message) => self.received[guest].push(message),
                    Output::Missed(..) => unreachable!("a guest says nothing to everybody"),
                    Output::Wait(at) => break next.extend(at),
                }
            }
        }
        next.extend(self.flying.keys().next().map(|(at, _)| *at));
        self.now = self.now.max(next.into_iter().min().expect("somebody wants something"));
        while let Some(first) = self.flying.first_entry().filter(|first| first.key().0 <= self.now) {
            let (guest, to_guest, piece) = first.remove();
            let link = if to_guest { &mut self.guests[guest] } else { &mut self.host[guest] };
            let _ = link.heard(&piece, self.now);
            self.host[guest].settle(&mut self.speaker);
        }
    }

    /// Sends messages to all, and some to one alone, until everything has arrived.
    fn play(&mut self, count: usize, most: usize) -> usize {
        while self.host.iter().chain(&self.guests).any(|link| link.state() != State::Fast) {
            self.step();
        }
        let mut sent = vec![Vec::new(); GUESTS];
        for (link, sent) in self.host.iter_mut().zip(&mut sent) {
            // With this, the speaker knows who listens.
            link.send_with(b"welcome".to_vec(), &mut self.speaker).unwrap();
            sent.push(b"welcome".to_vec());
        }
        let before = self.notified;
        for _ in 0..count {
            let mut message = vec![0; self.rng.random_range(1..most)];
            self.rng.fill(&mut message[..]);
            let alone = self.rng.random_bool(0.1).then(|| self.rng.random_range(0..GUESTS));
            for guest in (0..GUESTS).filter(|guest| alone.is_none_or(|alone| alone == *guest)) {
                while self.host[guest].unsent() > 3 * most {
                    self.step();
                }
                self.host[guest].send_with(message.clone(), &mut self.speaker).unwrap();
                sent[guest].push(message.clone());
            }
        }
        for step in 0.. {
            assert!(step < 10_000_000, "no end in sight");
            if self.received.iter().zip(&sent).all(|(received, sent)| received.len() >= sent.len()) {
                break;
            }
            self.step();
        }
        let until = self.now + Duration::from_secs(20);
        while self.now < until {
            self.step();
        }
        assert!(self.received == sent, "other messages came out than went in");
        assert!(self.host.iter().all(|link| link.is_done() && link.unsent() == 0));
        self.notified - before
    }
}

fn seed() -> u64 {
    let seed = std::env::var_os("PARCELS_SEED").and_then(|seed| seed.to_str()?.parse().ok());
    let seed = seed.unwrap_or_else(|| std::process::id().into());
    println!("PARCELS_SEED={seed}");
    seed
}

#[test]
fn what_everybody_is_sent_is_said_once() {
    let mut room = Room::new(1, 0);
    let notified = room.play(200, 4000);
    let sent: usize = room.received.iter().flatten().map(Vec::len).sum();
    assert!(notified * 2 < sent, "{notified} bytes for {sent}");
}

#[test]
fn whatever_each_of_them_misses_everybody_gets_everything_once_and_in_order() {
    let seed = seed();
    for lost in [100, 10, 4] {
        Room::new(seed, lost).play(500, 3000);
    }
}
