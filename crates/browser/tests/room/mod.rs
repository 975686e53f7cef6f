//! Pages with a module each, and a hub, in one process. A page carries out effects in order and can be reloaded.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "what goes wrong here fails a test")]
#![allow(dead_code, reason = "not every test uses everything")]
#![allow(clippy::disallowed_types, reason = "calls are timed, and nothing depends on it")]

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use browser::{Call, Effect, Event, Module};
use games::AnyGame;
use peer::frame::{From, FromHub, ToHub, Why};
use peer::{Entry, Hub, TableKey, Ticket};
use rand::rngs::ChaCha20Rng;
use rand::{Rng as _, SeedableRng as _};
use results::Secret;
use serde_json::{Value, json};

/// How often the hub shows that it is there.
const SIGNS: u64 = 5_000;

/// A page: what it has stored, and what it has shown.
pub(crate) struct Page {
    module: Module,
    pub(crate) kept: String,
    pub(crate) secret: Vec<u8>,
    pub(crate) log: Vec<Vec<u8>>,
    pub(crate) told: Vec<Value>,
    pub(crate) failed: Option<String>,
    /// What has to be sent, and the connections that were opened.
    out: Vec<Out>,
    /// When it was loaded: its own clock begins then.
    loaded: u64,
    /// Nothing is carried to it or from it, and it is not told.
    pub(crate) dead: bool,
    /// How long calls took, with the length of the frame that came and the longest that went.
    pub(crate) took: Vec<(Duration, usize, usize)>,
}

enum Out {
    Connect,
    Frame(Vec<u8>),
}

impl Page {
    /// A page with the module for this game, that has stored nothing.
    fn new(game: AnyGame) -> Self {
        let module = games::with_game!(game, G => Module::new::<G>());
        let (kept, secret, log, told) = (String::new(), Vec::new(), Vec::new(), Vec::new());
        let (out, took) = (Vec::new(), Vec::new());
        Self { module, kept, secret, log, told, failed: None, out, loaded: 0, dead: false, took }
    }

    fn call(&mut self, room: &mut Clock, event: Event<'_>) {
        let mut random = [0; 32];
        room.rng.fill_bytes(&mut random);
        let came = if let Event::Frame(frame) = &event { frame.len() } else { 0 };
        let call = Call { clock: 1_700_000_000_000 + room.now, now: room.now - self.loaded, random, event };
        let begun = Instant::now();
        let effects = self.module.answer(call);
        let took = begun.elapsed();
        let sent = effects.iter().map(|effect| if let Effect::Send(frame) = effect { frame.len() } else { 0 });
        self.took.push((took, came, sent.max().unwrap_or(0)));
        for effect in effects {
            match effect {
                Effect::Keep(kept) => self.kept = kept,
                Effect::Log { height, entry } => {
                    self.log.push(entry);
                    assert_eq!(height, u64::try_from(self.log.len()).unwrap());
                }
                Effect::Secret(secret) => self.secret = secret,
                Effect::Connect { address, .. } => {
                    assert!(address.starts_with("ws://hub/private/") && address.contains("/socket"), "{address}");
                    self.out.push(Out::Connect);
                }
                Effect::Send(frame) => self.out.push(Out::Frame(frame)),
                Effect::Tell(json) => self.told.push(serde_json::from_str(&json).unwrap()),
                Effect::Erase => self.secret.clear(),
                Effect::Wake(after) => assert!(after <= 5_000),
                Effect::Failed(why) => self.failed = Some(why),
            }
        }
    }

    /// The last thing of this kind that it was told.
    pub(crate) fn last(&self, kind: &str) -> Option<&Value> {
        self.told.iter().rev().find_map(|told| told.get(kind))
    }

    /// Everything of this kind that it was told.
    pub(crate) fn all(&self, kind: &str) -> Vec<&Value> {
        self.told.iter().filter_map(|told| told.get(kind)).collect()
    }
}

/// Time and randomness.
pub(crate) struct Clock {
    pub(crate) now: u64,
    pub(crate) rng: ChaCha20Rng,
}

/// A connection at the hub's end.
#[derive(Default)]
struct Connection {
    open: bool,
    /// They have no ticket.
    knocks: bool,
    number: Option<u8>,
    /// How many there were before it, and it.
    opened: usize,
    incoming: VecDeque<Vec<u8>>,
}

pub(crate) struct Room {
    /// Whose module the next page has: at first that of Hold'em, then that of what the host offers.
    pub(crate) game: AnyGame,
    pub(crate) key: TableKey,
    pub(crate) hub_key: Secret,
    hub: Hub,
    pub(crate) entries: Vec<Entry>,
    pub(crate) pages: Vec<Page>,
    connections: Vec<Connection>,
    pub(crate) clock: Clock,
    /// Changes what the hub sends to somebody.
    pub(crate) tamper: Option<fn(usize, FromHub) -> Option<FromHub>>,
}

impl Room {
    pub(crate) fn new(seed: u64) -> Self {
        let (key, hub_key) = (TableKey::new([7; 32]), Secret::from_bytes(&[9; 32]).unwrap());
        let hub = Hub::new(key.table(), key.access().public(), hub_key.clone());
        let clock = Clock { now: 0, rng: ChaCha20Rng::seed_from_u64(seed) };
        let (game, entries, pages, connections) = (AnyGame::Holdem, Vec::new(), Vec::new(), Vec::new());
        Self { game, key, hub_key, hub, entries, pages, connections, clock, tamper: None }
    }

    pub(crate) fn ticket(&self) -> String {
        Ticket { at: "http://hub".to_owned(), key: self.key.clone(), hub: self.hub_key.public() }.to_string()
    }

    /// Somebody comes: the first one hosts this.
    pub(crate) fn come(&mut self, name: &str, offer: Option<Value>) -> usize {
        let game = offer.as_ref().and_then(|offer| AnyGame::from_name(offer["game"].as_str()?));
        self.game = game.unwrap_or(self.game);
        let place = self.pages.len();
        let identity = Secret::from_bytes(&[u8::try_from(place).unwrap() + 50; 32]).unwrap().nsec();
        self.come_with(&json!({ "ticket": self.ticket(), "name": name, "identity": *identity, "offer": offer }))
    }

    /// Somebody comes and watches.
    pub(crate) fn watch(&mut self) -> usize {
        self.come_with(&json!({ "ticket": self.ticket(), "identity": null }))
    }

    pub(crate) fn come_with(&mut self, wish: &Value) -> usize {
        self.pages.push(Page::new(self.game));
        self.connections.push(Connection::default());
        let place = self.pages.len() - 1;
        self.pages[place].call(&mut self.clock, Event::New(&wish.to_string()));
        self.settle();
        // Nobody says anything before it is quiet.
        self.wait(200);
        place
    }

    /// Somebody without a ticket knocks.
    pub(crate) fn knock(&mut self, name: &str) -> usize {
        self.pages.push(Page::new(self.game));
        self.connections.push(Connection::default());
        let place = self.pages.len() - 1;
        let wish = json!({ "at": "http://hub", "table": self.key.table().to_string(), "name": name });
        self.pages[place].call(&mut self.clock, Event::Knock(&wish.to_string()));
        self.settle();
        place
    }

    /// A page is loaded again: only what it has stored is left.
    pub(crate) fn reload(&mut self, place: usize) {
        let Page { kept, secret, log, told, .. } = std::mem::replace(&mut self.pages[place], Page::new(self.game));
        self.connections[place] = Connection::default();
        let mut page =
            Page { kept: kept.clone(), secret: secret.clone(), log: log.clone(), told, ..Page::new(self.game) };
        page.loaded = self.clock.now;
        let entries = log.iter().map(Vec::as_slice).collect();
        page.call(&mut self.clock, Event::Resume { kept: &kept, secret: &secret, entries });
        self.pages[place] = page;
    }

    pub(crate) fn want(&mut self, place: usize, want: &Value) {
        self.pages[place].call(&mut self.clock, Event::Want(&want.to_string()));
        self.settle();
        self.wait(200);
    }

    /// A computer plays for somebody from now on. Nothing more happens.
    pub(crate) fn auto(&mut self, place: usize) {
        self.pages[place].call(&mut self.clock, Event::Want("{\"auto\":true}"));
    }

    pub(crate) fn ask(&mut self, place: usize, question: &Value) -> Value {
        self.pages[place].call(&mut self.clock, Event::Ask(&question.to_string()));
        self.pages[place].told.pop().unwrap_or_else(|| panic!("{:?}", self.pages[place].failed))["answer"].clone()
    }

    /// Everybody accepts, and computers play for them. The last one has accepted when this returns, and nothing more has
    /// happened.
    pub(crate) fn begin(&mut self) {
        for place in 0..self.pages.len() {
            self.want(place, &json!({ "auto": true }));
        }
        self.want(0, &json!("start"));
        let players =
            (0..self.pages.len()).filter(|place| self.pages[*place].last("lobby").unwrap()["to_accept"] == true);
        let mut players: Vec<usize> = players.collect();
        let last = players.pop().unwrap();
        for place in players {
            self.want(place, &json!("accept"));
        }
        self.pages[last].call(&mut self.clock, Event::Want("\"accept\""));
    }

    /// Carries frames until nothing more is said.
    pub(crate) fn settle(&mut self) {
        while self.step() {}
    }

    /// Carries what belongs to the beginning of a connection.
    pub(crate) fn settle_connection(&mut self, place: usize) {
        for out in std::mem::take(&mut self.pages[place].out) {
            match out {
                Out::Connect => self.connect(place),
                Out::Frame(frame) => self.say(place, &frame),
            }
        }
    }

    /// Carries one thing; `false` if there is nothing.
    pub(crate) fn step(&mut self) -> bool {
        for place in 0..self.pages.len() {
            let mut out = std::mem::take(&mut self.pages[place].out);
            if self.pages[place].dead {
                out.clear();
                self.connections[place].incoming.clear();
            }
            let some = !out.is_empty();
            for out in out {
                match out {
                    Out::Connect => self.connect(place),
                    Out::Frame(frame) => self.say(place, &frame),
                }
            }
            if some {
                return true;
            }
        }
        for place in 0..self.pages.len() {
            if let Some(frame) = self.connections[place].incoming.pop_front() {
                self.clock.now += 1;
                self.pages[place].call(&mut self.clock, Event::Frame(&frame));
                return true;
            }
        }
        false
    }

    /// Time passes for everybody, who are called as often as they ask for.
    pub(crate) fn wait(&mut self, milliseconds: u64) {
        let mut left = milliseconds;
        while left > 0 {
            let some = left.min(500);
            self.tick(some);
            self.settle();
            left -= some;
        }
    }

    /// Time passes in one step, and nothing is carried yet.
    pub(crate) fn tick(&mut self, milliseconds: u64) {
        self.pass(milliseconds);
        for page in &mut self.pages {
            page.call(&mut self.clock, Event::Tick);
        }
    }

    /// Time passes, and no page is called. The hub shows that it is there.
    pub(crate) fn pass(&mut self, milliseconds: u64) {
        let before = self.clock.now;
        self.clock.now += milliseconds;
        if before / SIGNS != self.clock.now / SIGNS {
            self.here();
        }
    }

    /// How many connections somebody has opened.
    pub(crate) fn opened(&self, place: usize) -> usize {
        self.connections[place].opened
    }

    /// Plays until everybody is done.
    pub(crate) fn play(&mut self) {
        for _ in 0..2_000 {
            self.settle();
            if self.pages.iter().all(|page| page.told.iter().any(|told| told["done"] == true)) {
                return;
            }
            self.wait(200);
        }
        panic!("it does not end: {:?}", self.pages.iter().map(|page| page.told.last()).collect::<Vec<_>>());
    }

    /// A connection is lost.
    pub(crate) fn lose(&mut self, place: usize) {
        let opened = self.connections[place].opened;
        self.connections[place] = Connection { opened, ..Connection::default() };
        self.pages[place].call(&mut self.clock, Event::Closed("cut"));
    }

    /// The hub ends a connection.
    pub(crate) fn close(&mut self, place: usize, why: Why) {
        self.send(place, FromHub::Closed(why));
        self.settle();
    }

    fn connect(&mut self, place: usize) {
        let opened = self.connections[place].opened + 1;
        self.connections[place] = Connection { opened, ..Connection::default() };
        self.send(place, FromHub::Challenge([place.try_into().unwrap(); 32]));
    }

    fn send(&mut self, place: usize, frame: FromHub) {
        let frame = match self.tamper {
            Some(tamper) => tamper(place, frame),
            None => Some(frame),
        };
        self.connections[place].incoming.extend(frame.map(|frame| dealing::encode(&frame)));
    }

    fn here(&mut self) {
        let numbers = self.connections.iter().filter(|connection| connection.open).filter_map(|c| c.number);
        let here = numbers.fold(0, |here, number| here | 1 << number);
        for place in 0..self.pages.len() {
            if self.connections[place].open {
                self.send(place, FromHub::Here(here));
            }
        }
    }

    fn say(&mut self, place: usize, frame: &[u8]) {
        match dealing::decode::<ToHub>(frame).unwrap() {
            ToHub::Hello(hello) => {
                let challenge = [place.try_into().unwrap(); 32];
                assert!(hello.has_ticket(&self.key.access().public(), &challenge));
                let (hub, head) = (self.hub_key.public(), self.hub.head());
                self.connections[place].open = true;
                self.connections[place].number = hello.member.map(|(number, _)| number);
                self.send(place, FromHub::Welcome { hub, head });
                for entry in self.entries.clone().iter().skip(usize::try_from(hello.have.height).unwrap()) {
                    self.send(place, FromHub::Entry(dealing::encode(entry)));
                }
                self.here();
            }
            ToHub::Append(bytes) => {
                let envelope = match self.hub.receive(self.connections[place].number, &bytes, self.clock.now) {
                    Ok(envelope) => envelope,
                    Err(_) => return self.send(place, FromHub::Refused { sequence: 0, why: Why::Unfit }),
                };
                let Ok(entry) = self.hub.order(envelope, 1_700_000_000_000 + self.clock.now, &[0; 32]) else {
                    return self.send(place, FromHub::Refused { sequence: 0, why: Why::Unfit });
                };
                let number = self.hub.keep(&entry).unwrap();
                self.entries.push(entry.clone());
                let newcomer = self.connections[place].number.replace(number).is_none();
                for place in 0..self.pages.len() {
                    if self.connections[place].open {
                        self.send(place, FromHub::Entry(dealing::encode(&entry)));
                    }
                }
                if newcomer {
                    self.here();
                }
            }
            ToHub::Knock(table) => {
                assert_eq!(table, self.key.table());
                self.connections[place].knocks = true;
                let hub = self.hub_key.public();
                self.send(place, FromHub::Welcome { hub, head: peer::Head::begin(table, &hub) });
            }
            ToHub::Beside { to, words } if to != 0 => {
                let from = From::Member(self.connections[place].number.unwrap());
                self.send(usize::try_from(to).unwrap(), FromHub::Beside { from, words });
            }
            ToHub::Beside { words, .. } => {
                let from = match self.connections[place].knocks {
                    true => From::Knock(place.try_into().unwrap()),
                    false => From::Member(self.connections[place].number.unwrap()),
                };
                let inside = |other: &usize| *other != place && self.connections[*other].open;
                for other in (0..self.pages.len()).filter(inside).collect::<Vec<_>>() {
                    self.send(other, FromHub::Beside { from, words: words.clone() });
                }
            }
            other => panic!("{other:?}"),
        }
    }
}
