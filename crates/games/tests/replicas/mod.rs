//! Replicas that read one log, one entry at a time. What each hears can be looked at, and any of them can be thrown
//! away and started again from the log.

use std::collections::{BTreeMap, VecDeque};

use dealers::joint::{Keepers, Node, Place, Replica, Said, Terms, Verdict};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use table::record::By;
use table::{Awaiting, Game, Height, Move, Moves as _, Order, Rules, Seat, Seats, Source, Table};

pub(crate) type Spoken<R> = Said<<R as Rules>::Action>;
pub(crate) type MoveOf<R> = Move<<R as Rules>::Action, <R as Rules>::Choice>;
pub(crate) type Orders = BTreeMap<u32, Vec<u16>>;

/// Three players, and each way to hold their key.
pub(crate) const PLAYERS: u8 = 3;
pub(crate) const TABLES: [Keepers; 3] = [
    Keepers::EveryPlayer,
    Keepers::Players { threshold: PLAYERS - 1 },
    Keepers::Committee { members: 4, threshold: 3 },
];

pub(crate) const SESSION: [u8; 32] = [7; 32];

pub(crate) fn table_of<G: Game>(players: u8) -> Table<G::Rules> {
    let setup = G::sample(&G::Settings::default(), players, 0).unwrap();
    Table::new(G::Rules::deal(&setup).unwrap(), Height(0))
}

pub(crate) fn terms(players: u8, keepers: Keepers) -> Terms {
    let terms = Terms { session: SESSION, players: Seats::first(players), keepers };
    terms.check().unwrap();
    terms
}

pub(crate) fn by(seat: u8) -> By {
    By::Seat(Seat::new(seat).unwrap())
}

/// A line of somebody's log.
#[derive(Clone)]
pub(crate) enum Noted<R: Rules> {
    Said(Spoken<R>),
    Heard(By, Spoken<R>),
}

/// Everybody at a table.
pub(crate) struct Hall<R: Rules> {
    terms: Terms,
    fresh: Table<R>,
    orders: Option<Orders>,
    number: u8,
    pub(crate) replicas: Vec<Replica<R>>,
    /// What is said and not yet in the log.
    queue: VecDeque<(By, Spoken<R>)>,
    /// The log, and how far each has read it.
    pub(crate) log: Vec<(By, Spoken<R>)>,
    read: Vec<usize>,
    pub(crate) logs: Vec<Vec<Noted<R>>>,
    /// What everybody has decided.
    pub(crate) script: BTreeMap<(u64, Seat), MoveOf<R>>,
    /// What was said in every place, encoded.
    said: BTreeMap<(By, Where), Vec<u8>>,
    /// Decks made of fresh packs, and how many cards they have.
    pub(crate) packs: BTreeMap<u32, u16>,
    /// Names the run in failures.
    pub(crate) name: String,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Where {
    Dealing(Place, [u8; 32]),
    Act(u64),
}

impl<R: Rules> Hall<R> {
    /// A deal of the usual settings. Everything random follows from the number.
    pub(crate) fn new<G: Game<Rules = R>>(
        settings: &G::Settings,
        players: u8,
        keepers: Keepers,
        number: u8,
        orders: Option<Orders>,
    ) -> Self {
        let setup = G::sample(settings, players, number.into()).unwrap();
        let fresh = Table::new(R::deal(&setup).unwrap(), Height(0));
        let terms = Terms { session: [number; 32], players: Seats::first(players), keepers };
        terms.check().unwrap();
        let mut hall = Self {
            terms,
            fresh,
            orders,
            number,
            replicas: Vec::new(),
            queue: VecDeque::new(),
            log: Vec::new(),
            read: Vec::new(),
            logs: Vec::new(),
            script: BTreeMap::new(),
            said: BTreeMap::new(),
            packs: BTreeMap::new(),
            name: format!("{} {keepers:?} seed {number}", G::NAME),
        };
        let mut everybody = terms.members();
        everybody.extend(terms.players.iter().map(By::Seat).filter(|by| !terms.is_member(*by)));
        hall.logs = everybody.iter().map(|_| Vec::new()).collect();
        hall.read = vec![0; everybody.len()];
        hall.replicas = everybody.into_iter().map(|by| hall.replica(by)).collect();
        hall
    }

    fn replica(&self, by: By) -> Replica<R> {
        let place = match by {
            By::Seat(seat) => seat.index(),
            By::Member(member) => 100 + member,
            By::House => 255,
        };
        let mut seed = [self.number; 32];
        seed[0] = place;
        let mut node = Node::new(self.terms, by, seed);
        if let Some(orders) = &self.orders {
            node.stack(orders.clone());
        }
        Replica::new(self.fresh.clone(), node)
    }

    /// Somebody who only reads the log.
    pub(crate) fn spectator(&self) -> Replica<R> {
        self.replica(By::House)
    }

    /// Where a seat's replica is.
    pub(crate) fn place(&self, seat: Seat) -> usize {
        self.replicas.iter().position(|replica| replica.node().me() == By::Seat(seat)).unwrap()
    }

    pub(crate) fn is_over(&self) -> bool {
        self.replicas.iter().all(|replica| replica.table().awaiting() == Awaiting::Over)
    }

    /// One thing happens; `false` if nothing more can.
    pub(crate) fn step(&mut self) -> bool {
        self.collect();
        if let Some(to) = (0..self.replicas.len()).find(|place| self.read[*place] < self.log.len()) {
            let (by, said) = self.log[self.read[to]].clone();
            self.read[to] += 1;
            self.logs[to].push(Noted::Heard(by, said.clone()));
            if let Verdict::Fault(fault) = self.replicas[to].receive(by, said) {
                panic!("{}: {fault} at {}", self.name, self.replicas[to].node().me());
            }
            return true;
        }
        if let Some(said) = self.queue.pop_front() {
            self.log.push(said);
            return true;
        }
        for place in 0..self.replicas.len() {
            if let Some(seat) = self.replicas[place].is_asked() {
                self.ask(place, seat);
                return true;
            }
        }
        false
    }

    /// Plays on until the deal is over.
    pub(crate) fn finish(&mut self) {
        while self.step() {}
        let waits: Vec<_> = self.replicas.iter().map(|replica| replica.table().awaiting()).collect();
        assert!(self.is_over(), "{}: it does not go on: {waits:?}", self.name);
    }

    /// Throws a replica away and starts it again from its log.
    pub(crate) fn restart(&mut self, place: usize) {
        let mut replica = self.replica(self.replicas[place].node().me());
        // First the log as far as it has read, then what it has said and is not in there.
        let (mut unheard, me) = (Vec::new(), replica.node().me());
        for noted in self.logs[place].clone() {
            match noted {
                Noted::Said(said) => unheard.push(said),
                Noted::Heard(by, said) => {
                    if by == me {
                        unheard.retain(|own| *own != said);
                    }
                    if let Verdict::Fault(fault) = replica.receive(by, said) {
                        panic!("{}: {fault} when started again", self.name);
                    }
                }
            }
        }
        unheard.into_iter().for_each(|said| replica.remember(said));
        let (before, after) = (self.replicas[place].table(), replica.table());
        assert_eq!(after.height(), before.height(), "{}: another height after a restart", self.name);
        assert!(after.state_hash() == before.state_hash(), "{}: another state after a restart", self.name);
        assert_eq!(self.replicas[place].node().own(), replica.node().own(), "{}: other cards", self.name);
        self.replicas[place] = replica;
    }

    fn ask(&mut self, place: usize, seat: Seat) {
        let replica = &mut self.replicas[place];
        let height = replica.table().height().0;
        let mut rng = ChaCha8Rng::seed_from_u64(height << 16 | u64::from(seat.index()) << 8 | u64::from(self.number));
        let mut pick = || replica.table().rules().moves(replica.known(), seat).pick(&mut rng).unwrap();
        match self.script.get(&(height, seat)).cloned() {
            // Asked before: what it has said binds it, and it may not be asked what it has done.
            Some(before) => {
                let commits = |at: &Where| matches!(at, Where::Dealing(Place::Commit(at), _) if *at == height);
                let closed = self.said.keys().any(|(by, at)| *by == By::Seat(seat) && commits(at));
                let acted = self.said.contains_key(&(By::Seat(seat), Where::Act(height)));
                assert!(!acted, "{}: {seat} is asked again at {height}", self.name);
                let other = (0..20).map(|_| pick()).find(|other| format!("{other:?}") != format!("{before:?}"));
                if let Some(other) = other.filter(|_| closed) {
                    replica.decide(other);
                    assert_eq!(replica.is_asked(), Some(seat), "{}: {seat} could choose anew", self.name);
                }
                replica.decide(before);
            }
            None => {
                let decided = pick();
                self.script.insert((height, seat), decided.clone());
                replica.decide(decided);
            }
        }
    }

    /// Takes what everybody says, and sends it off.
    fn collect(&mut self) {
        for place in 0..self.replicas.len() {
            for order in self.replicas[place].table().orders() {
                if let Order::Shuffle { deck, from: Source::Pack(pack) } = order {
                    self.packs.insert(deck, pack.len());
                }
            }
            let by = self.replicas[place].node().me();
            for said in self.replicas[place].take_outbox() {
                let (at, bytes) = encoded::<R>(&said);
                let before = self.said.entry((by, at)).or_insert_with(|| bytes.clone());
                assert!(*before == bytes, "{}: {by} says something else in {at:?}", self.name);
                self.logs[place].push(Noted::Said(said.clone()));
                self.queue.push_back((by, said));
            }
        }
    }
}

fn encoded<R: Rules>(said: &Spoken<R>) -> (Where, Vec<u8>) {
    match said {
        Said::Dealing(message) => (Where::Dealing(message.place, message.on), dealing::encode(&**message)),
        Said::Act { height, on, action } => (Where::Act(*height), serde_json::to_vec(&(on, action)).unwrap()),
    }
}

/// What was said, but for what it says: its place and its length.
pub(crate) fn shape<R: Rules>(said: &Spoken<R>) -> String {
    match (encoded::<R>(said), said) {
        ((_, bytes), Said::Dealing(message)) => format!("{:?} {}", message.place, bytes.len()),
        ((at, bytes), Said::Act { .. }) => format!("{at:?} {}", bytes.len()),
    }
}
