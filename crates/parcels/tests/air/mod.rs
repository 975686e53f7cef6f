//! A line in one process that does to pieces what a radio does, in its own time.

use std::collections::BTreeMap;
use std::time::Duration;

use parcels::{Limits, Link, Output};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

/// What goes wrong, each once in so many pieces; 0 means never.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Faults {
    pub(crate) lost: u32,
    pub(crate) doubled: u32,
    pub(crate) damaged: u32,
    /// Delayed by up to 300 ms, so that others overtake it.
    pub(crate) delayed: u32,
    /// The connection is cut for a while.
    pub(crate) cut: u32,
}

/// Two ends and what is between them.
pub(crate) struct Air {
    pub(crate) ends: [Link; 2],
    pub(crate) now: Duration,
    pub(crate) faults: Faults,
    /// How many bytes each end has written.
    pub(crate) written: [usize; 2],
    pub(crate) received: [Vec<Vec<u8>>; 2],
    /// When a piece arrives, and where.
    flying: BTreeMap<(Duration, u64), (usize, Vec<u8>)>,
    count: u64,
    rng: ChaCha8Rng,
    /// What one write carries, and how long it takes.
    piece: usize,
    pub(crate) delay: Duration,
    back_at: Option<Duration>,
}

impl Air {
    pub(crate) fn new(seed: u64, piece: usize, faults: Faults) -> Self {
        let ends = [Link::guest(1, Limits::default()), Link::host(2, Limits::default())];
        let (rng, delay) = (ChaCha8Rng::seed_from_u64(seed), Duration::from_millis(7));
        let mut air = Self {
            ends,
            now: Duration::ZERO,
            faults,
            written: [0; 2],
            received: [Vec::new(), Vec::new()],
            flying: BTreeMap::new(),
            count: 0,
            rng,
            piece,
            delay,
            back_at: None,
        };
        air.connect();
        air
    }

    fn connect(&mut self) {
        for end in &mut self.ends {
            end.back(self.piece, self.now);
        }
    }

    fn happens(&mut self, once_in: u32) -> bool {
        once_in != 0 && self.rng.random_range(0..once_in) == 0
    }

    fn write(&mut self, to: usize, mut piece: Vec<u8>) {
        assert!(piece.len() <= self.piece, "a write carries at most {} bytes", self.piece);
        self.written[1 - to] += piece.len();
        if self.happens(self.faults.cut) && self.back_at.is_none() {
            self.ends.iter_mut().for_each(Link::cut);
            self.flying.clear();
            self.back_at = Some(self.now + Duration::from_millis(self.rng.random_range(1..2000)));
            return;
        }
        if self.happens(self.faults.lost) {
            return;
        }
        if self.happens(self.faults.damaged) {
            let place = self.rng.random_range(0..piece.len() * 8);
            piece[place / 8] ^= 1 << (place % 8);
        }
        for _ in 0..=u8::from(self.happens(self.faults.doubled)) {
            let late = if self.happens(self.faults.delayed) { self.rng.random_range(1..300) } else { 0 };
            let at = self.now + self.delay + Duration::from_millis(late);
            self.count += 1;
            self.flying.insert((at, self.count), (to, piece.clone()));
        }
    }

    /// Does everything that can be done now, then goes on to the next moment at which something happens. Says whether
    /// there was one.
    pub(crate) fn step(&mut self) -> bool {
        let mut next = self.back_at;
        for end in 0..2 {
            loop {
                match self.ends[end].poll(self.now) {
                    Output::Write(piece) => self.write(1 - end, piece),
                    Output::Received(message) => self.received[end].push(message),
                    Output::Missed(..) => unreachable!("nobody speaks to everybody here"),
                    Output::Wait(until) => {
                        next = next.into_iter().chain(until).min();
                        break;
                    }
                }
            }
        }
        let arrives = self.flying.first_key_value().map(|((at, _), _)| *at);
        next = next.into_iter().chain(arrives).chain(self.back_at).min();
        let Some(next) = next else { return false };
        assert!(next > self.now || arrives.is_some_and(|at| at <= self.now), "a link asks for time that has passed");
        self.now = self.now.max(next);
        if self.back_at.is_some_and(|at| at <= self.now) {
            self.back_at = None;
            self.connect();
        }
        while let Some(entry) = self.flying.first_entry().filter(|entry| entry.key().0 <= self.now) {
            let (to, piece) = entry.remove();
            let _ = self.ends[to].heard(&piece, self.now);
        }
        true
    }
}

pub(crate) fn message(rng: &mut ChaCha8Rng, most: usize) -> Vec<u8> {
    let mut message = vec![0; rng.random_range(0..=most)];
    rng.fill(&mut message[..]);
    message
}
