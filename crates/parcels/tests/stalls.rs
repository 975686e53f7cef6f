//! A whole table in one room: a host who can only speak to all guests at once, a log that grows while some of them are
//! deaf for a moment, lines that are cut and begun anew, and packs of cards as long as messages may be. However bad it was,
//! as soon as the air is good again, everybody gets everything.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::panic,
    reason = "a test may fail by a panic"
)]

use std::collections::BTreeMap;
use std::time::Duration;

use parcels::{Limits, Link, Output, Speaker, State};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

const DELAY: Duration = Duration::from_millis(7);
/// How far a host reads ahead on each line.
const AHEAD: usize = 32 << 10;
/// How long the air is bad, and how long the next message may take after that: the longest needs eight seconds in the
/// smallest pieces.
const BAD: Duration = Duration::from_secs(20);
const PATIENCE: Duration = Duration::from_secs(45);
/// Whoever heard nothing for this long begins a new line.
const SILENCE: Duration = Duration::from_secs(30);

/// A guest, both ends of the line, and what has come out of it.
struct Guest {
    host: Link,
    guest: Link,
    /// How many messages of the log went into this line or came out of one, and the same for what the guest says.
    sent: usize,
    received: usize,
    up: Vec<Vec<u8>>,
    up_sent: usize,
    up_received: usize,
    /// Hears nothing until then; is not connected until then.
    deaf: Duration,
    away: Option<Duration>,
    /// When this line began.
    begun: Duration,
    /// What was on its way before counts no more.
    epoch: u32,
}

/// Whose line it is on, in which epoch, whether the guest gets it, and the bytes.
type Piece = (usize, u32, bool, Vec<u8>);

struct Room {
    rng: ChaCha8Rng,
    now: Duration,
    speaker: Speaker,
    guests: Vec<Guest>,
    log: Vec<Vec<u8>>,
    flying: BTreeMap<(Duration, u64), Piece>,
    count: u64,
    sessions: u32,
    piece: usize,
    lost: u32,
}

fn message(rng: &mut ChaCha8Rng) -> Vec<u8> {
    let length = if rng.random_bool(0.15) { rng.random_range(30_000..65_000) } else { rng.random_range(0..3000) };
    let mut message = vec![0; length];
    rng.fill(&mut message[..]);
    message
}

impl Room {
    fn new(seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let log = (0..30).map(|_| message(&mut rng)).collect();
        let piece = [100, 185, 512, 512][rng.random_range(0..4)];
        let lost = [0, 100, 10, 4][rng.random_range(0..4)];
        let count = rng.random_range(2..=4);
        let mut room = Self {
            rng,
            now: Duration::ZERO,
            speaker: Speaker::new(99),
            guests: Vec::new(),
            log,
            flying: BTreeMap::new(),
            count: 0,
            sessions: 0,
            piece,
            lost,
        };
        for _ in 0..count {
            let (host, guest) = room.line();
            let up = (0..4).map(|_| message(&mut room.rng)).collect();
            room.guests.push(Guest {
                host,
                guest,
                sent: 0,
                received: 0,
                up,
                up_sent: 0,
                up_received: 0,
                deaf: Duration::ZERO,
                away: None,
                begun: Duration::ZERO,
                epoch: 0,
            });
        }
        room
    }

    /// A new line, with both ends connected.
    fn line(&mut self) -> (Link, Link) {
        self.sessions += 1;
        let pause = Duration::from_millis(10);
        let limits = Limits { pause, parcel: u16::try_from(self.piece - 11).unwrap() };
        let mut ends = (Link::host(1000 + self.sessions, Limits::default()), Link::guest(self.sessions, limits));
        ends.0.back(self.piece, self.now);
        ends.1.back(self.piece, self.now);
        ends
    }

    fn is_bad(&self) -> bool {
        self.now < BAD
    }

    fn fly(&mut self, guest: usize, to_guest: bool, piece: &[u8]) {
        let lost = self.is_bad() && self.lost != 0 && self.rng.random_range(0..self.lost) == 0;
        let (deaf, away) = (self.now < self.guests[guest].deaf, self.guests[guest].away.is_some());
        if !(lost || away || deaf && to_guest) {
            self.count += 1;
            let flying = (guest, self.guests[guest].epoch, to_guest, piece.to_vec());
            self.flying.insert((self.now + DELAY, self.count), flying);
        }
    }

    fn notify(&mut self, piece: &[u8]) {
        for guest in 0..self.guests.len() {
            self.fly(guest, true, piece);
        }
    }

    /// Something bad happens to a guest now and then.
    fn mishap(&mut self) {
        if !self.is_bad() {
            return;
        }
        for place in 0..self.guests.len() {
            let until = self.now + Duration::from_millis(self.rng.random_range(1..4000));
            match self.rng.random_range(0..4000) {
                0..=3 => self.guests[place].deaf = until,
                4 | 5 => {
                    let guest = &mut self.guests[place];
                    guest.away = Some(until);
                    guest.epoch += 1;
                    guest.host.cut();
                    guest.guest.cut();
                }
                _ => {}
            }
        }
    }

    /// Whoever was away is back: with the line that both remember, or with a new one that goes on where the guest is. A
    /// guest whose hellos nobody has answered thinks that nobody here knows this form, until it hears nothing for long.
    fn return_guests(&mut self) {
        for place in 0..self.guests.len() {
            let guest = &self.guests[place].guest;
            let dead =
                guest.state() == State::Slow && self.now >= self.guests[place].begun.max(guest.alive_at()) + SILENCE;
            if !dead && self.guests[place].away.is_none_or(|until| until > self.now) {
                continue;
            }
            self.guests[place].away = None;
            if !dead && self.rng.random_bool(0.5) {
                let (now, piece) = (self.now, self.piece);
                let guest = &mut self.guests[place];
                guest.host.back(piece, now);
                guest.guest.back(piece, now);
                continue;
            }
            if let Some(session) = self.guests[place].host.other() {
                self.speaker.leave(session);
            }
            let (host, line) = self.line();
            let guest = &mut self.guests[place];
            guest.begun = self.now;
            (guest.host, guest.guest) = (host, line);
            (guest.sent, guest.up_sent) = (guest.received, guest.up_received);
        }
    }

    /// The hub and the guests say what they have to say.
    fn say(&mut self) {
        // The log grows for as long as the air is bad.
        let most = BAD.as_millis() / u128::try_from(self.log.len()).unwrap();
        let there = usize::try_from(self.now.as_millis() / most).unwrap().min(self.log.len() - 1) + 1;
        for guest in &mut self.guests {
            while guest.sent < there && guest.host.unsent() < AHEAD {
                guest.host.send_with(self.log[guest.sent].clone(), &mut self.speaker).unwrap();
                guest.sent += 1;
            }
            while guest.up_sent < guest.up.len() && guest.guest.unsent() < AHEAD {
                guest.guest.send(guest.up[guest.up_sent].clone()).unwrap();
                guest.up_sent += 1;
            }
        }
    }

    fn step(&mut self) {
        self.mishap();
        self.return_guests();
        self.say();
        let mut next = vec![self.now + Duration::from_millis(100)];
        loop {
            match self.speaker.poll(self.now) {
                Ok(piece) => self.notify(&piece),
                Err(at) => break next.extend(at),
            }
        }
        for place in 0..self.guests.len() {
            loop {
                match self.guests[place].host.poll(self.now) {
                    Output::Write(piece) => self.notify(&piece),
                    Output::Missed(from, length) => {
                        self.speaker.again(from, length, self.now);
                        next.push(self.now + Duration::from_millis(1));
                    }
                    Output::Received(message) => {
                        let guest = &mut self.guests[place];
                        assert!(message == guest.up[guest.up_received], "the host gets something else");
                        guest.up_received += 1;
                    }
                    Output::Wait(at) => break next.extend(at),
                }
            }
            loop {
                match self.guests[place].guest.poll(self.now) {
                    Output::Write(piece) => self.fly(place, false, &piece),
                    Output::Received(message) => {
                        let guest = &mut self.guests[place];
                        assert!(message == self.log[guest.received], "a guest gets something else");
                        guest.received += 1;
                    }
                    Output::Missed(..) => unreachable!("a guest says nothing to everybody"),
                    Output::Wait(at) => break next.extend(at),
                }
            }
        }
        next.extend(self.flying.keys().next().map(|(at, _)| *at));
        self.now = self.now.max(next.into_iter().min().unwrap());
        while let Some(first) = self.flying.first_entry().filter(|first| first.key().0 <= self.now) {
            let (place, epoch, to_guest, piece) = first.remove();
            let guest = &mut self.guests[place];
            if epoch == guest.epoch {
                let link = if to_guest { &mut guest.guest } else { &mut guest.host };
                let _ = link.heard(&piece, self.now);
                guest.host.settle(&mut self.speaker);
            }
        }
    }

    fn is_over(&self) -> bool {
        let all = self.log.len();
        self.guests.iter().all(|guest| guest.received == all && guest.up_received == guest.up.len())
    }
}

fn play(seed: u64) {
    let mut room = Room::new(seed);
    let mut last = vec![(BAD, 0); room.guests.len()];
    while !room.is_over() {
        room.step();
        let mut stalls = false;
        for (guest, (since, before)) in room.guests.iter().zip(&mut last) {
            let so_far = guest.received + guest.up_received;
            if so_far > *before || so_far == room.log.len() + guest.up.len() {
                (*since, *before) = (room.now.max(BAD), so_far);
            }
            stalls |= room.now > *since + PATIENCE;
        }
        if stalls {
            for guest in &room.guests {
                println!(
                    "{} of {} went in, {} came out; {} of {} came from the guest; {:?} and {:?}, {} unsent",
                    guest.sent,
                    room.log.len(),
                    guest.received,
                    guest.up_received,
                    guest.up.len(),
                    guest.host.state(),
                    guest.guest.state(),
                    guest.host.unsent()
                );
            }
            panic!("a line stalls; PARCELS_SEED={seed}, pieces of {}, one in {} lost", room.piece, room.lost);
        }
    }
}

#[test]
fn nobody_waits_for_ever_however_bad_the_air_was() {
    let number = |name| std::env::var_os(name).and_then(|text| text.to_str()?.parse::<u64>().ok());
    let first = number("PARCELS_SEED").unwrap_or_else(|| std::process::id().into());
    for seed in first..first + number("PARCELS_SEEDS").unwrap_or(20) {
        play(seed);
    }
}
