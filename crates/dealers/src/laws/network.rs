//! A network in memory that loses, delays, reorders and duplicates messages and splits, all from a seed.
//!
//! Authors are known for sure, as with signed messages, and everybody passes on what they hear. A committee's
//! messages go through one log that everybody reads in the same order, as on a chain.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use sha2::{Digest, Sha256};
use table::record::By;
use table::{Awaiting, Draw as _, Move, Rules, Seat, Table};

use super::liars::{Liar, Lying};
use crate::joint::{Keepers, Node, Replica, Said, Terms, Verdict};

/// How bad the network is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weather {
    /// The percentage of messages lost.
    pub loss: u32,
    /// The percentage of messages that arrive twice.
    pub twice: u32,
    /// A message takes up to this long.
    pub delay: u32,
    /// Until this time nothing passes between the first half of the replicas and the rest.
    pub split_until: u64,
}

impl Weather {
    /// Everything arrives, in order.
    pub const FAIR: Self = Self { loss: 0, twice: 0, delay: 0, split_until: 0 };
    /// A fifth is lost, a fifth arrives twice, everything is out of order, and at first the network is split in
    /// half.
    pub const FOUL: Self = Self { loss: 20, twice: 20, delay: 50, split_until: 300 };
}

/// Deadlines after which a run counts as stuck.
const MOST_DEADLINES: u32 = 100;

type Spoken<R> = Said<<R as Rules>::Action>;

/// Decides for a player, from the replica, its seat and randomness.
pub type Decide<'a, R> =
    dyn FnMut(&Replica<R>, Seat, &mut ChaCha8Rng) -> Option<Move<<R as Rules>::Action, <R as Rules>::Choice>> + 'a;

/// Replicas and the messages on their way between them.
pub struct Network<R: Rules> {
    replicas: Vec<Replica<R>>,
    weather: Weather,
    rng: ChaCha8Rng,
    now: u64,
    sent: u64,
    queue: BTreeMap<(u64, u64), Parcel<R>>,
    /// What each has said or heard, in order.
    known: Vec<Vec<Rc<Letter<R>>>>,
    digests: Vec<BTreeSet<[u8; 32]>>,
    /// The one log of a committee.
    log: Option<BTreeSet<[u8; 32]>>,
    lying: Option<(usize, Lying<R>)>,
    /// Verdicts of honest replicas that blame somebody.
    pub faults: Vec<(By, By)>,
    /// Everything each has sent to others, in order: the bytes on the wire.
    pub wire: Vec<(By, usize, &'static str)>,
}

struct Parcel<R: Rules> {
    to: usize,
    letter: Rc<Letter<R>>,
}

/// A message, stored once.
pub(super) struct Letter<R: Rules> {
    pub(super) by: By,
    pub(super) said: Spoken<R>,
    digest: [u8; 32],
}

impl<R: Rules> Letter<R> {
    fn new(by: By, said: Spoken<R>) -> Rc<Self> {
        let digest = digest::<R>(by, &said);
        Rc::new(Self { by, said, digest })
    }
}

impl<R: Rules> Network<R> {
    /// Everybody at a table with this deal, each with a replica.
    pub fn new(terms: Terms, table: &Table<R>, weather: Weather, seed: [u8; 32]) -> Self {
        let mut everybody = terms.members();
        everybody.extend(terms.players.iter().map(By::Seat).filter(|by| !terms.is_member(*by)));
        let replica =
            |(number, by): (u64, By)| Replica::new(table.clone(), Node::new(terms, by, node_seed(&seed, number)));
        let replicas: Vec<_> = (0..).zip(everybody).map(replica).collect();
        let committee = matches!(terms.keepers, Keepers::Committee { .. });
        Self {
            known: replicas.iter().map(|_| Vec::new()).collect(),
            digests: replicas.iter().map(|_| BTreeSet::new()).collect(),
            replicas,
            weather,
            rng: ChaCha8Rng::from_seed(seed),
            now: 0,
            sent: 0,
            queue: BTreeMap::new(),
            log: committee.then(BTreeSet::new),
            lying: None,
            faults: Vec::new(),
            wire: Vec::new(),
        }
    }

    /// Makes one of them a cheat.
    pub fn corrupt(&mut self, place: usize, liar: Liar, terms: Terms, table: &Table<R>, seed: [u8; 32]) {
        let Some(replica) = self.replicas.get(place) else { return };
        let number = u64::try_from(place).unwrap_or(0);
        let mut twin = Node::new(terms, replica.node().me(), node_seed(&seed, number));
        twin.stack(BTreeMap::new());
        let twin = (liar == Liar::Equivocator).then(|| Replica::new(table.clone(), twin));
        let cut = self.rng.below(6);
        self.lying = Some((place, Lying::new(liar, cut, twin, seed)));
    }

    /// The replicas.
    pub fn replicas(&self) -> &[Replica<R>] {
        &self.replicas
    }

    /// Whether the liar has lied.
    pub fn lied(&self) -> bool {
        self.lying.as_ref().is_some_and(|(_, lying)| lying.lied)
    }

    /// The honest replicas.
    pub fn honest(&self) -> impl Iterator<Item = &Replica<R>> {
        let liar = self.lying.as_ref().map(|(place, _)| *place);
        self.replicas.iter().enumerate().filter(move |(place, _)| Some(*place) != liar).map(|(_, replica)| replica)
    }

    /// Plays until the deal is over for every honest replica.
    pub fn run(&mut self, decide: &mut Decide<'_, R>) {
        let mut deadlines = 0;
        let mut rounds = 0;
        loop {
            self.collect(decide);
            if let Some(((at, _), parcel)) = self.queue.pop_first() {
                self.now = at;
                if self.deliver(parcel) {
                    rounds = 0;
                }
                continue;
            }
            if self.honest().all(|replica| replica.table().awaiting() == Awaiting::Over) {
                return;
            }
            // Nothing is on its way: everybody repeats what they know, this time without losses.
            rounds += 1;
            if rounds <= 4 {
                self.say_again(rounds == 4);
                continue;
            }
            rounds = 0;
            deadlines += 1;
            assert!(deadlines < MOST_DEADLINES, "the deal does not end");
            self.replicas.iter_mut().for_each(Replica::expire);
        }
    }

    /// Everybody decides and speaks.
    fn collect(&mut self, decide: &mut Decide<'_, R>) {
        loop {
            let mut any = false;
            for place in 0..self.replicas.len() {
                let Some(replica) = self.replicas.get_mut(place) else { continue };
                if let Some(seat) = replica.is_asked()
                    && let Some(decided) = decide(replica, seat, &mut self.rng)
                {
                    if let Some((liar, lying)) = &mut self.lying
                        && *liar == place
                    {
                        lying.decide(decided.clone());
                    }
                    replica.decide(decided);
                }
                let (by, said) = (replica.node().me(), replica.take_outbox());
                for said in said {
                    any = true;
                    if let Said::Dealing(message) = &said {
                        self.wire.push((by, dealing::encode(&**message).len(), message.place.kind()));
                    }
                    let letter = Letter::new(by, said);
                    self.learn(place, &letter);
                    self.send(place, &letter, false);
                }
            }
            if !any {
                return;
            }
        }
    }

    /// Sends something to everybody else.
    fn send(&mut self, from: usize, letter: &Rc<Letter<R>>, surely: bool) {
        for to in 0..self.replicas.len() {
            if to == from {
                continue;
            }
            let own = self.replicas.get(from).is_some_and(|replica| replica.node().me() == letter.by);
            let told = match (&mut self.lying, self.replicas.get(from)) {
                (Some((liar, lying)), Some(replica)) if *liar == from && own => {
                    let heard = self.known.get(from).map_or(&[][..], Vec::as_slice);
                    let told = lying.tell(replica, heard, to, &letter.said, &letter.digest);
                    told.map(|told| if told == letter.said { Rc::clone(letter) } else { Letter::new(letter.by, told) })
                }
                _ => Some(Rc::clone(letter)),
            };
            if let Some(letter) = told {
                self.post(from, Parcel { to, letter }, surely);
            }
        }
    }

    fn post(&mut self, from: usize, parcel: Parcel<R>, surely: bool) {
        let Weather { loss, twice, delay, split_until } = self.weather;
        let half = self.replicas.len() / 2;
        let split = self.now < split_until && (from < half) != (parcel.to < half);
        if !surely && (split || self.rng.below(100) < loss) {
            return;
        }
        let copies = if self.rng.below(100) < twice { 2 } else { 1 };
        for _ in 0..copies {
            let delay = if delay == 0 { 0 } else { u64::from(self.rng.below(delay)) };
            self.sent += 1;
            let copy = Parcel { to: parcel.to, letter: Rc::clone(&parcel.letter) };
            self.queue.insert((self.now + 1 + delay, self.sent), copy);
        }
    }

    /// Delivers a parcel; `true` if it contained something new.
    fn deliver(&mut self, parcel: Parcel<R>) -> bool {
        let Parcel { to, letter } = parcel;
        match &mut self.log {
            None => self.hand_over(to, &letter),
            // Everybody reads the log in this order.
            Some(log) => {
                log.insert(letter.digest) && {
                    (0..self.replicas.len()).for_each(|to| {
                        self.hand_over(to, &letter);
                    });
                    true
                }
            }
        }
    }

    fn hand_over(&mut self, to: usize, letter: &Rc<Letter<R>>) -> bool {
        let Some(replica) = self.replicas.get(to) else { return false };
        // In a committee even a node's own message counts only once it is in the log.
        let own = replica.node().me() == letter.by;
        if (own && self.log.is_none()) || (!self.learn(to, letter) && !own) {
            return false;
        }
        let lies = self.lying.as_ref().is_some_and(|(place, _)| *place == to);
        if let Some((_, lying)) = self.lying.as_mut().filter(|_| lies) {
            lying.hear(letter.by, letter.said.clone());
        }
        let Some(replica) = self.replicas.get_mut(to) else { return false };
        let me = replica.node().me();
        if let (Verdict::Fault(fault), false) = (replica.receive(letter.by, letter.said.clone()), lies) {
            self.faults.push((me, fault.by));
        }
        true
    }

    fn learn(&mut self, place: usize, letter: &Rc<Letter<R>>) -> bool {
        let new = self.digests.get_mut(place).is_some_and(|digests| digests.insert(letter.digest));
        if let Some(known) = self.known.get_mut(place).filter(|_| new) {
            known.push(Rc::clone(letter));
        }
        new
    }

    fn say_again(&mut self, surely: bool) {
        for from in 0..self.replicas.len() {
            for letter in self.known.get(from).cloned().unwrap_or_default() {
                self.send(from, &letter, surely);
            }
        }
    }
}

fn digest<R: Rules>(by: By, said: &Spoken<R>) -> [u8; 32] {
    let bytes = match said {
        Said::Dealing(message) => dealing::encode(&**message),
        Said::Act { height, on, action } => serde_json::to_vec(&(height, on, action)).unwrap_or_default(),
    };
    Sha256::new().chain_update(format!("{by:?}")).chain_update(bytes).finalize().into()
}

fn node_seed(seed: &[u8; 32], number: u64) -> [u8; 32] {
    Sha256::new().chain_update(seed).chain_update(number.to_le_bytes()).finalize().into()
}

impl<R: Rules> core::fmt::Debug for Network<R> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Network({} replicas, {} messages on their way)", self.replicas.len(), self.queue.len())
    }
}
