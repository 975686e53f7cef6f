//! A network in memory with one log, all from a seed.
//!
//! Messages are lost, delayed and repeated on their way to the log. There the messages of each author keep their order,
//! and all replicas read the same entries, each at its own pace. Authors are known for sure, as with signed messages.
//! Deadlines are entries of the log.

use std::collections::{BTreeMap, BTreeSet};

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use sha2::{Digest, Sha256};
use table::record::By;
use table::{Awaiting, Draw as _, Move, Rules, Seat, Table};

use super::liars::{Liar, Lying};
use crate::joint::{Duty, Node, Replica, Said, Terms, Verdict};

/// How bad the network is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weather {
    /// The percentage of messages lost on their way to the log.
    pub loss: u32,
    /// The percentage of messages that arrive twice.
    pub twice: u32,
    /// A message takes up to this long, and replicas read the log at different times.
    pub delay: u32,
}

impl Weather {
    /// Everything arrives at once.
    pub const FAIR: Self = Self { loss: 0, twice: 0, delay: 0 };
    /// A fifth is lost, a fifth arrives twice, and nothing is on time.
    pub const FOUL: Self = Self { loss: 20, twice: 20, delay: 50 };
}

/// Deadlines after which a run counts as stuck.
const MOST_DEADLINES: u32 = 200;

pub(super) type Spoken<R> = Said<<R as Rules>::Action>;

/// Decides for a player, from the replica, its seat and randomness.
pub type Decide<'a, R> =
    dyn FnMut(&Replica<R>, Seat, &mut ChaCha8Rng) -> Option<Move<<R as Rules>::Action, <R as Rules>::Choice>> + 'a;

/// An entry of the log.
#[derive(Clone, Debug)]
pub enum Logged<R: Rules> {
    /// Somebody said this.
    Said(By, Said<R::Action>),
    /// Somebody is late.
    Late(By),
}

/// Replicas, the log, and the messages on their way to it.
pub struct Network<R: Rules> {
    replicas: Vec<Replica<R>>,
    weather: Weather,
    rng: ChaCha8Rng,
    now: u64,
    sent: u64,
    queue: BTreeMap<(u64, u64), Letter<R>>,
    log: Vec<Logged<R>>,
    /// How far each has read the log.
    read: Vec<usize>,
    /// What each has said and is not in the log, and the number of the next message of each in the log.
    pending: Vec<Vec<Letter<R>>>,
    next: Vec<u64>,
    numbers: Vec<u64>,
    lying: Option<(usize, Lying<R>)>,
    missed: BTreeSet<Duty>,
    /// Verdicts of honest replicas that blame somebody.
    pub faults: Vec<(By, By)>,
    /// Everything each has sent, in order: the bytes on the wire.
    pub wire: Vec<(By, usize, &'static str)>,
}

/// A message on its way to the log.
#[derive(Clone)]
struct Letter<R: Rules> {
    from: usize,
    /// Counts the messages of each author, which reach the log in this order.
    number: u64,
    said: Spoken<R>,
}

impl<R: Rules> Network<R> {
    /// Everybody at a table with this deal, each with a replica.
    pub fn new(terms: Terms, table: &Table<R>, weather: Weather, seed: [u8; 32]) -> Self {
        let mut everybody = terms.members();
        everybody.extend(terms.players.iter().map(By::Seat).filter(|by| !terms.is_member(*by)));
        let replica =
            |(number, by): (u64, By)| Replica::new(table.clone(), Node::new(terms, by, node_seed(&seed, number)));
        let replicas: Vec<_> = (0..).zip(everybody).map(replica).collect();
        let count = replicas.len();
        Self {
            replicas,
            weather,
            rng: ChaCha8Rng::from_seed(seed),
            now: 0,
            sent: 0,
            queue: BTreeMap::new(),
            log: Vec::new(),
            read: vec![0; count],
            pending: (0..count).map(|_| Vec::new()).collect(),
            next: vec![0; count],
            numbers: vec![0; count],
            lying: None,
            missed: BTreeSet::new(),
            faults: Vec::new(),
            wire: Vec::new(),
        }
    }

    /// Makes one of them a cheat.
    pub fn corrupt(&mut self, place: usize, liar: Liar, seed: [u8; 32]) {
        let cut = self.rng.below(6);
        self.lying = Some((place, Lying::new(liar, cut, seed)));
    }

    /// The replicas.
    pub fn replicas(&self) -> &[Replica<R>] {
        &self.replicas
    }

    /// The log so far.
    pub fn log(&self) -> &[Logged<R>] {
        &self.log
    }

    /// Whether the liar has lied.
    pub fn lied(&self) -> bool {
        self.lying.as_ref().is_some_and(|(_, lying)| lying.lied)
    }

    /// What somebody has been late with.
    pub const fn missed(&self) -> &BTreeSet<Duty> {
        &self.missed
    }

    /// The honest replicas.
    pub fn honest(&self) -> impl Iterator<Item = &Replica<R>> {
        let liar = self.lying.as_ref().map(|(place, _)| *place);
        self.replicas.iter().enumerate().filter(move |(place, _)| Some(*place) != liar).map(|(_, replica)| replica)
    }

    /// Plays until the deal is over for every honest replica, and everything has been read.
    pub fn run(&mut self, decide: &mut Decide<'_, R>) {
        let mut deadlines = 0;
        let mut rounds = 0;
        loop {
            self.collect(decide);
            if let Some(((at, _), letter)) = self.queue.pop_first() {
                self.now = at;
                if self.put_in_order(letter) {
                    rounds = 0;
                }
                self.read_on(false);
                continue;
            }
            if self.read_on(true) {
                continue;
            }
            if self.honest().all(|replica| replica.table().awaiting() == Awaiting::Over) {
                return;
            }
            // Nothing is on its way: everybody repeats what is not in the log, at last without losses.
            rounds += 1;
            if rounds <= 4 && self.say_again(rounds == 4) {
                continue;
            }
            rounds = 0;
            deadlines += 1;
            assert!(deadlines < MOST_DEADLINES, "the deal does not end");
            self.call_late();
        }
    }

    /// A deadline: those that everybody waits for are late.
    fn call_late(&mut self) {
        let late = self.honest().next().map(Replica::missing).unwrap_or_default();
        assert!(self.honest().all(|replica| replica.missing() == late), "honest replicas wait for others");
        assert!(!late.is_empty(), "nobody is missing, and the deal does not go on");
        for (by, duty) in late {
            self.missed.insert(duty);
            self.log.push(Logged::Late(by));
        }
    }

    /// Everybody decides and speaks.
    fn collect(&mut self, decide: &mut Decide<'_, R>) {
        for place in 0..self.replicas.len() {
            let Some(replica) = self.replicas.get_mut(place) else { continue };
            if let Some(seat) = replica.is_asked()
                && let Some(decided) = decide(replica, seat, &mut self.rng)
            {
                replica.decide(decided);
            }
            let mut said = replica.take_outbox();
            if let Some((liar, lying)) = &mut self.lying
                && *liar == place
            {
                let heard = self.log.get(..self.read.get(place).copied().unwrap_or(0)).unwrap_or_default();
                said = lying.tell(replica, heard, said);
            }
            for said in said {
                self.speak(place, said);
            }
        }
    }

    fn speak(&mut self, from: usize, said: Spoken<R>) {
        if let (Said::Dealing(message), Some(replica)) = (&said, self.replicas.get(from)) {
            self.wire.push((replica.node().me(), dealing::encode(&**message).len(), message.place.kind()));
        }
        let (Some(number), Some(pending)) = (self.numbers.get_mut(from), self.pending.get_mut(from)) else { return };
        let letter = Letter { from, number: *number, said };
        *number += 1;
        pending.push(letter.clone());
        self.post(&letter, false);
    }

    fn post(&mut self, letter: &Letter<R>, surely: bool) {
        let Weather { loss, twice, delay } = self.weather;
        if !surely && self.rng.below(100) < loss {
            return;
        }
        let copies = if self.rng.below(100) < twice { 2 } else { 1 };
        for _ in 0..copies {
            let delay = if delay == 0 || surely { 0 } else { u64::from(self.rng.below(delay)) };
            self.sent += 1;
            self.queue.insert((self.now + 1 + delay, self.sent), letter.clone());
        }
    }

    /// Adds a message to the log, if it is its author's next one.
    fn put_in_order(&mut self, letter: Letter<R>) -> bool {
        let Letter { from, number, said } = letter;
        let Some(next) = self.next.get_mut(from).filter(|next| **next == number) else { return false };
        *next += 1;
        if let Some(pending) = self.pending.get_mut(from) {
            pending.retain(|letter| letter.number != number);
        }
        if let Some(replica) = self.replicas.get(from) {
            self.log.push(Logged::Said(replica.node().me(), said));
        }
        true
    }

    /// Replicas read the log: some, or all of them to its end. `false` if nobody had anything to read.
    fn read_on(&mut self, all: bool) -> bool {
        let mut any = false;
        for place in 0..self.replicas.len() {
            while let Some(entry) = self.read.get(place).and_then(|read| self.log.get(*read)).cloned() {
                if !all && self.weather.delay > 0 && self.rng.one_in(2) {
                    break;
                }
                any = true;
                if let Some(read) = self.read.get_mut(place) {
                    *read += 1;
                }
                self.hand_over(place, entry);
            }
        }
        any
    }

    fn hand_over(&mut self, place: usize, entry: Logged<R>) {
        let lies = self.lying.as_ref().is_some_and(|(liar, _)| *liar == place);
        let Some(replica) = self.replicas.get_mut(place) else { return };
        let me = replica.node().me();
        match entry {
            Logged::Said(by, said) => {
                if let (Verdict::Fault(fault), false) = (replica.receive(by, said), lies) {
                    self.faults.push((me, fault.by));
                }
            }
            Logged::Late(by) => {
                replica.late(by);
            }
        }
    }

    /// Everybody says again what is not in the log; `false` if there is nothing to say.
    fn say_again(&mut self, surely: bool) -> bool {
        let letters: Vec<Letter<R>> = self.pending.iter().flatten().cloned().collect();
        letters.iter().for_each(|letter| self.post(letter, surely));
        !letters.is_empty()
    }
}

fn node_seed(seed: &[u8; 32], number: u64) -> [u8; 32] {
    Sha256::new().chain_update(seed).chain_update(number.to_le_bytes()).finalize().into()
}

impl<R: Rules> core::fmt::Debug for Network<R> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Network({} replicas, {} entries in the log)", self.replicas.len(), self.log.len())
    }
}
