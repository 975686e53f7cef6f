//! Matches over real sockets with a liar among the players, or for a hub: contained, the right one blamed with evidence
//! that `fairdeal verify` accepts, and the same outcome for all the others.
//!
//! - `lies`: what liars say instead.
//! - `dealing`: players who deal or move wrongly.
//! - `silent`: players who stop answering.
//! - `wire`: players and strangers who misuse the connection during a match.
//! - `hubs`: hubs that fork the order or leave somebody out.
//! - `guest`: no test, but a liar at a table where others play.

#[path = "../../../../../peer/tests/common/mod.rs"]
mod common;

mod dealing;
mod guest;
mod hubs;
mod lies;
mod silent;
mod wire;

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use ::peer::frame::Why;
use ::peer::{Entry, Fresh, Record, Session, Ticket};
use common::Peer;
use fairdeal::peer::net::{Command, Event, Held, Link, Who};
use games::AnyGame;
use rand::SeedableRng as _;
use rand::rngs::ChaCha20Rng;
use serde_json::Value;
use table::Game;

use super::super::process::{Server, free_address};
use super::{PATIENCE, random, table};

/// A match takes no longer than this, on a busy machine.
const MATCH: Duration = Duration::from_secs(300);

/// Short matches.
pub(super) const HOLDEM: &[(&str, &str)] = &[("starting_chips", "100"), ("blind_every", "1")];
const BLACKJACK: &[(&str, &str)] = &[("rounds", "2"), ("decks", "1"), ("reshuffle_below", "26")];
const ROMME: &[(&str, &str)] = &[("mode", "rounds"), ("rounds", "1")];
const BIGC: &[(&str, &str)] = &[("deals", "1"), ("hand_size", "5")];
const ONGDU: &[(&str, &str)] = &[("max_rounds", "1")];
const BLACKOUT: &[(&str, &str)] = &[("max", "2")];

/// Milliseconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    u64::try_from(since.as_millis()).unwrap()
}

/// A peer with a connection of its own.
pub(super) struct Wired<G: Game> {
    pub(super) peer: Peer<G>,
    link: Link,
    held: Held,
    pub(super) entries: Vec<Entry>,
    refused: Vec<Why>,
    /// Something was refused and has to be sent again, once nothing more is refused.
    again: bool,
    /// When it last caught up with the log.
    connected: u64,
    rng: ChaCha20Rng,
}

impl<G: Game> Wired<G> {
    fn open(ticket: &Ticket, name: &str, number: u8, plays: bool) -> Self {
        let peer = Peer::<G>::new(&ticket.key, ticket.hub, name, (number, random()), plays);
        let held = Held::default();
        let who = Who::Member { ticket: ticket.clone(), key: peer.member.key().clone() };
        let link = Link::open(who, held.clone()).unwrap();
        let rng = ChaCha20Rng::from_seed(random());
        Self { peer, link, held, entries: Vec::new(), refused: Vec::new(), again: false, connected: now(), rng }
    }

    /// Hears what there is, decides, and says what it has to say.
    fn step(&mut self, clock: u64) {
        let mut quiet = true;
        while let Ok(event) = self.link.events().try_recv() {
            quiet = false;
            match event {
                Event::Connected { .. } => {
                    self.connected = clock;
                    self.peer.member.send_again();
                }
                Event::Entry(bytes) => {
                    let entry: Entry = ::dealing::decode(&bytes).unwrap();
                    self.peer.hear(&entry, clock);
                    self.held.push(&bytes, self.peer.member.chain().head());
                    if let Some(number) = self.peer.member.number() {
                        self.held.joined(number);
                    }
                    self.entries.push(entry);
                }
                Event::Refused { why, .. } => {
                    self.refused.push(why);
                    self.again = true;
                }
                Event::Lost(_) | Event::Here(_) | Event::Beside { .. } | Event::Woken => {}
                Event::Ended(why) => panic!("{}: {why}", self.peer.name),
            }
        }
        if quiet && std::mem::take(&mut self.again) {
            // Too much was sent: a moment later there is room again.
            std::thread::sleep(Duration::from_millis(100));
            self.peer.member.send_again();
        }
        self.peer.decide(&mut self.rng);
        if let Some(session) = &mut self.peer.session {
            session.tick(self.connected, clock);
        }
        self.peer.pass_on();
        while let Some(envelope) = self.peer.member.write(&Fresh { nonce: random(), aux: random() }) {
            self.link.send(Command::Append(::dealing::encode(&envelope)));
        }
    }

    pub(super) fn session(&self) -> &Session<G> {
        self.peer.session.as_ref().unwrap()
    }

    fn record(&self, ticket: &Ticket) -> Record {
        Record { key: ticket.key.clone(), hub: ticket.hub, entries: self.entries.clone() }
    }
}

/// A table at a real server.
pub(super) struct Scene<G: Game> {
    pub(super) ticket: Ticket,
    pub(super) peers: Vec<Wired<G>>,
    /// Who does not keep to the rules, if anybody.
    liar: Option<usize>,
    _server: Option<(Server, tempfile::TempDir)>,
}

impl<G: Game> Scene<G> {
    /// A table with these many players, who have joined.
    fn new(players: u8) -> Self {
        let data = tempfile::tempdir().unwrap();
        let server = Server::without_limits(free_address(), data.path(), None);
        let ticket = table(server.address).ticket;
        Self::at(ticket, players, Some((server, data)))
    }

    pub(super) fn at(ticket: Ticket, players: u8, server: Option<(Server, tempfile::TempDir)>) -> Self {
        let mut scene = Self { ticket, peers: Vec::new(), liar: None, _server: server };
        for number in 0..players {
            let mut wired = Wired::open(&scene.ticket, &format!("player {}", number + 1), number, true);
            wired.peer.join(random());
            scene.peers.push(wired);
            let count = usize::from(number) + 1;
            scene.until("everybody has joined", |scene| {
                scene.peers.iter().all(|wired| wired.peer.lobby.joined().len() == count)
            });
        }
        scene
    }

    /// The first player starts the match.
    pub(super) fn start(&mut self, settings: &[(&str, &str)]) {
        self.peers[0].peer.start(AnyGame::from_name(G::NAME).unwrap(), settings, None);
        self.until("the match has begun", |scene| scene.peers.iter().all(|wired| wired.peer.session.is_some()));
    }

    /// Everybody hears and says everything until this is so.
    pub(super) fn until(&mut self, what: &str, so: impl Fn(&Self) -> bool) {
        self.until_with(what, |_| {}, so);
    }

    /// The same, and something else in between.
    fn until_with(&mut self, what: &str, mut between: impl FnMut(&mut Self), so: impl Fn(&Self) -> bool) {
        let end = Instant::now() + MATCH;
        while !so(self) {
            assert!(Instant::now() < end, "{what}:\n{}", self.describe());
            for wired in &mut self.peers {
                wired.step(now());
            }
            between(self);
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    fn describe(&self) -> String {
        let one = |wired: &Wired<G>| {
            let waits = wired.peer.session.as_ref().map(|session| format!("{:?}", session.waits().all()));
            let (height, unsaid) = (wired.entries.len(), wired.peer.member.unsaid());
            format!("{}: {height} entries, {unsaid} unsaid, {:?}, waits for {waits:?}", wired.peer.name, wired.refused)
        };
        self.peers.iter().map(one).collect::<Vec<_>>().join("\n")
    }

    fn honest(&self) -> impl Iterator<Item = &Wired<G>> {
        self.peers.iter().enumerate().filter(|(place, _)| Some(*place) != self.liar).map(|(_, wired)| wired)
    }

    /// Plays until the match has ended for every honest player, and all of them have signed it and read the same log.
    pub(super) fn play(&mut self) {
        self.until("the match ends", Self::is_over);
        let logs: Vec<_> = self.honest().map(|wired| wired.peer.member.chain().head()).collect();
        assert!(logs.iter().all(|head| *head == logs[0]), "the same log");
    }

    fn is_over(&self) -> bool {
        let head = self.honest().map(|wired| wired.peer.member.chain().head()).max();
        self.honest().all(|wired| {
            let session = wired.peer.session.as_ref();
            let signed = session
                .and_then(Session::ended)
                .is_some_and(|ended| ended.unsigned().iter().all(|seat| Some(usize::from(seat.index())) == self.liar));
            signed && wired.peer.member.unsaid() == 0 && Some(wired.peer.member.chain().head()) == head
        })
    }

    /// Every honest player has the same outcome, and blames the liar alone or nobody. Returns what was proven.
    fn outcome(&self, blamed: bool) -> Vec<String> {
        let about = |wired: &Wired<G>| {
            let session = wired.session();
            let ended = session.ended().unwrap();
            let faults: Vec<_> = session.faults().to_vec();
            let result = ended.result().map(results::Signed::text);
            (ended.why, ended.standing.clone(), ended.deals, faults, result)
        };
        let all: Vec<_> = self.honest().map(about).collect();
        assert!(all.iter().all(|one| *one == all[0]), "everybody has the same outcome: {all:?}");
        let faults = &all[0].3;
        assert_eq!(!faults.is_empty(), blamed, "{faults:?}");
        assert!(faults.iter().all(|fault| Some(usize::from(fault.seat.index())) == self.liar), "{faults:?}");
        faults.iter().map(|fault| fault.what.to_string()).collect()
    }

    /// What `fairdeal verify` says about the log of an honest player, and its exit code.
    fn verify(&self) -> (Value, Option<i32>) {
        let record = self.honest().next().unwrap().record(&self.ticket);
        verify(&[&record], &[])
    }

    /// The program names the liar and the entry that shows it, and exits with 1.
    fn is_verified(&self) {
        let (said, code) = self.verify();
        let liar = self.liar.unwrap();
        let name = &self.peers[liar].peer.name;
        let wrong = said["private"]["wrong"].as_array().unwrap();
        assert!(!wrong.is_empty() && code == Some(1), "{said}");
        for one in wrong {
            assert_eq!(
                (one["name"].as_str(), one["seat"].as_u64()),
                (Some(name.as_str()), Some(u64::try_from(liar).unwrap() + 1)),
                "{said}"
            );
            let entry = usize::try_from(one["entry"].as_u64().unwrap()).unwrap();
            let shows = &self.honest().next().unwrap().entries[entry - 1];
            assert!(
                !matches!(shows.said().unwrap().envelope.author, ::peer::Author::Newcomer { .. }),
                "an entry of the match"
            );
        }
    }
}

/// What `fairdeal verify --json` says about the first of these logs, and its exit code.
fn verify(records: &[&Record], more: &[&str]) -> (Value, Option<i32>) {
    let folder = tempfile::tempdir().unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    command.args(["verify", "--json"]).args(more);
    for (number, record) in records.iter().enumerate() {
        let path = folder.path().join(format!("{number}.jsonl"));
        std::fs::write(&path, record.text()).unwrap();
        command.arg(path);
    }
    let done = command.output().unwrap();
    let out = String::from_utf8(done.stdout).unwrap();
    let first = out.lines().next().unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&done.stderr)));
    (serde_json::from_str(first).unwrap(), done.status.code())
}

#[test]
fn an_honest_match_over_sockets_is_complete_and_verified() {
    let mut scene = Scene::<games::ongdu::Ongdu>::new(3);
    let spectator = Wired::open(&scene.ticket, "a spectator", 9, false);
    scene.peers.push(spectator);
    scene.start(ONGDU);
    scene.play();
    assert_eq!(scene.outcome(false), Vec::<String>::new());
    let (said, code) = scene.verify();
    assert_eq!((code, &said["ok"], &said["complete"]), (Some(0), &true.into(), &true.into()), "{said}");
    assert_eq!(said["private"]["result"]["state"], "complete", "{said}");
}
