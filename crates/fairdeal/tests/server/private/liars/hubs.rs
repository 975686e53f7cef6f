//! Hubs that do not keep to the protocol. They can be slow, or leave somebody out; everything else they do is proven by
//! their own signatures.
//!
//! No product can do that, so this hub is written here: it talks to programs over real sockets, and its clock runs fast.

use std::collections::BTreeMap;
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ::dealing::{decode, encode};
use ::peer::frame::{FromHub, ToHub};
use ::peer::{Author, Body, Entry, Fork, Head, Hub, NotNext, Record, TableKey, Ticket, Unfit, Why};
use games::AnyGame;
use games::blackout::Blackout;
use games::ongdu::Ongdu;
use results::Secret;
use tungstenite::{Message, WebSocket};

use super::super::random;
use super::{BLACKOUT, MATCH, ONGDU, Scene};

/// Two logs of one table. Readers of the second see what the hub wants them to see.
struct Liar {
    hubs: [Hub; 2],
    logs: [Vec<Entry>; 2],
    /// By the key of a member: which log they are shown.
    shown: BTreeMap<[u8; 32], usize>,
    /// From this height on, the order differs: the second log lacks what this member says.
    fork: Option<(u64, u8)>,
    /// What this member says is thrown away from this height on.
    censored: Option<(u64, u8)>,
    begun: Instant,
    /// How much faster than real time its clock runs.
    speed: u32,
}

/// A hub at a port of this machine.
struct Lying {
    ticket: Ticket,
    liar: Arc<Mutex<Liar>>,
}

impl Lying {
    fn open(speed: u32) -> Self {
        let (table, key) = (TableKey::new(random()), liar_secret());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let at = format!("http://{}", listener.local_addr().unwrap());
        let hub = || Hub::new(table.table(), table.access().public(), key.clone());
        let liar = Liar {
            hubs: [hub(), hub()],
            logs: [Vec::new(), Vec::new()],
            shown: BTreeMap::new(),
            fork: None,
            censored: None,
            begun: Instant::now(),
            speed,
        };
        let liar = Arc::new(Mutex::new(liar));
        let shared = Arc::clone(&liar);
        // Ends with the test program.
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let liar = Arc::clone(&shared);
                std::thread::spawn(move || serve(stream, &liar));
            }
        });
        Self { ticket: Ticket { at, key: table, hub: key.public() }, liar }
    }

    fn change(&self, change: impl FnOnce(&mut Liar)) {
        change(&mut self.liar.lock().unwrap());
    }
}

impl Liar {
    fn clock(&self) -> u64 {
        let passed = self.begun.elapsed() * self.speed;
        1_800_000_000_000 + u64::try_from(passed.as_millis()).unwrap()
    }

    /// Puts an envelope into one log or both.
    fn take(&mut self, from: Option<&[u8; 32]>, bytes: &[u8]) {
        let Ok(envelope) = decode::<::peer::Envelope>(bytes) else { return };
        let number = match &envelope.author {
            Author::Member(number) => Some(*number),
            Author::Newcomer { key, .. } => {
                self.shown.entry(*key.bytes()).or_insert(0);
                None
            }
        };
        let height = self.hubs[0].head().height;
        if self.censored.is_some_and(|(from, who)| height >= from && number == Some(who)) {
            return;
        }
        let shown = from.and_then(|key| self.shown.get(key)).copied().unwrap_or(0);
        let forked = self.fork.is_some_and(|(from, _)| height >= from);
        let (clock, aux) = (self.clock(), random());
        for log in 0..2 {
            // After the fork, everybody writes into the log they see.
            if forked && log != shown {
                continue;
            }
            let hub = &mut self.hubs[log];
            if let Ok(entry) = hub.order(envelope.clone(), clock, &aux) {
                hub.keep(&entry).unwrap();
                self.logs[log].push(entry);
            }
        }
    }

    /// What this reader is sent.
    fn log(&self, reader: Option<&[u8; 32]>) -> &[Entry] {
        &self.logs[reader.and_then(|key| self.shown.get(key)).copied().unwrap_or(0)]
    }
}

/// One connection: no hub trusts less in what it is told than this one.
fn serve(stream: TcpStream, liar: &Mutex<Liar>) {
    let Ok(mut socket) = tungstenite::accept(stream) else { return };
    let say =
        |socket: &mut WebSocket<TcpStream>, frame: &FromHub| socket.send(Message::Binary(encode(frame).into())).is_ok();
    if !say(&mut socket, &FromHub::Challenge([1; 32])) {
        return;
    }
    let (mut sent, mut member) = loop {
        match socket.read() {
            Ok(Message::Binary(bytes)) => {
                let Ok(ToHub::Hello(hello)) = decode(&bytes) else { return };
                let liar = liar.lock().unwrap();
                let key = hello.member.and_then(|(number, _)| liar.hubs[0].chain().member(number).copied());
                let height = usize::try_from(hello.have.height).unwrap();
                let head = liar.hubs[0].head();
                drop(liar);
                let hub = liar_secret().public();
                if !say(&mut socket, &FromHub::Welcome { hub, head }) {
                    return;
                }
                break (height, key.map(|key| *key.bytes()));
            }
            Ok(_) => {}
            Err(_) => return,
        }
    };
    socket.get_mut().set_read_timeout(Some(Duration::from_millis(5))).unwrap();
    loop {
        match socket.read() {
            Ok(Message::Binary(bytes)) => {
                if let Ok(ToHub::Append(envelope)) = decode(&bytes) {
                    if let Ok(::peer::Envelope { author: Author::Newcomer { key, .. }, .. }) = decode(&envelope) {
                        member = Some(*key.bytes());
                    }
                    liar.lock().unwrap().take(member.as_ref(), &envelope);
                }
            }
            Ok(_) => {}
            Err(tungstenite::Error::Io(why))
                if matches!(why.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) => {}
            Err(_) => return,
        }
        let next: Vec<Entry> =
            liar.lock().unwrap().log(member.as_ref()).get(sent..).map(<[Entry]>::to_vec).unwrap_or_default();
        sent += next.len();
        for entry in next {
            if !say(&mut socket, &FromHub::Entry(encode(&entry))) {
                return;
            }
        }
    }
}

fn liar_secret() -> Secret {
    Secret::from_bytes(&[88; 32]).unwrap()
}

#[test]
fn a_hub_that_forks_the_order_signs_the_proof_itself() {
    let hub = Lying::open(1);
    let mut scene = Scene::<Ongdu>::at(hub.ticket.clone(), 2, None);
    scene.start(ONGDU);
    scene.until("the match goes on", |scene| scene.peers.iter().all(|wired| wired.entries.len() > 10));
    // From now on, the second player sees another log.
    let second = *scene.peers[1].peer.member.key().public().bytes();
    hub.change(|liar| {
        let height = liar.hubs[0].head().height;
        liar.fork = Some((height, 0));
        liar.shown.insert(second, 1);
    });
    let grown = |hub: &Lying| {
        let liar = hub.liar.lock().unwrap();
        let [one, other] = &liar.logs;
        let common = one.iter().zip(other).take_while(|(one, other)| one == other).count();
        let built = other
            .iter()
            .skip(common)
            .any(|entry| usize::try_from(entry.said().unwrap().envelope.seen.height).unwrap() > common);
        (one.len() > common && other.len() > common, built)
    };
    scene.until("both logs have grown", |_| grown(&hub).0);
    // The second player writes on what they see.
    scene.peers[1].peer.member.say(&Body::Here);
    scene.until("something builds on the second log", |_| grown(&hub).1);
    let records: Vec<Record> = hub
        .liar
        .lock()
        .unwrap()
        .logs
        .clone()
        .map(|entries| Record { key: hub.ticket.key.clone(), hub: hub.ticket.hub, entries })
        .into();
    let [one, other] = &records[..] else { panic!() };
    // Two entries in one place, both signed.
    let common = one.entries.iter().zip(&other.entries).take_while(|(one, other)| one == other).count();
    let mut reader = ::peer::Member::new(hub.ticket.key.clone(), hub.ticket.key.access(), hub.ticket.hub);
    let before = one.entries[..common].iter().map(|entry| reader.hear(entry).unwrap().head).last().unwrap();
    let at = |record: &Record| record.entries[common].said().unwrap().clone();
    let fork = Fork { before, one: at(one), other: at(other) };
    assert!(fork.is_proof(hub.ticket.table(), &hub.ticket.hub));
    // Each log alone looks honest; together they convict the hub, and nobody else.
    let (said, code) = super::verify(&[one], &[]);
    assert_eq!((code, &said["ok"]), (Some(0), &true.into()), "{said}");
    let (_, code) = super::verify(&[one, other], &[]);
    assert_eq!(code, Some(1));
    let (said, _) = super::verify(&[other, one], &[]);
    assert_eq!(said["ok"], true, "the first of them, alone: {said}");
    // The hub cannot bring the logs together again: what was written on one has no place on the other.
    let mut joined = one.clone();
    let found = ::peer::verify(one);
    let head = Head { height: found.entries, hash: found.heads.last().unwrap().0 };
    let builds = |entry: &&Entry| entry.said().unwrap().envelope.seen.height > before.height;
    let foreign = other.entries[common..].iter().find(builds).unwrap().said().unwrap();
    joined.entries.push(Entry::order(
        hub.ticket.table(),
        head,
        foreign.envelope.clone(),
        u64::MAX / 2,
        &liar_secret(),
        &random(),
    ));
    let found = ::peer::verify(&joined);
    assert!(
        matches!(found.hub, Some((_, NotNext::Unfit(Unfit::ForeignHead(_) | Unfit::Sequence { .. })))),
        "{found:?}"
    );
    let (said, code) = super::verify(&[&joined], &[]);
    assert_eq!((code, &said["private"]["wrong"][0]["by"]), (Some(1), &"hub".into()), "{said}");
}

#[test]
fn a_hub_that_leaves_out_a_player_wins_nothing_by_it_if_a_player_runs_it() {
    // Its clock runs forty times as fast, and so do those of the players.
    let hub = Lying::open(40);
    let mut scene = Scene::<Blackout>::at(hub.ticket.clone(), 2, None);
    let game = AnyGame::Blackout;
    // The first player says that they run the hub.
    scene.peers[0].peer.start(game, BLACKOUT, Some(0));
    scene.until("the match has begun", |scene| scene.peers.iter().all(|wired| wired.peer.session.is_some()));
    scene.until("the match goes on", |scene| scene.peers[0].entries.len() > 10);
    hub.change(|liar| liar.censored = Some((0, 1)));
    let fast = |hub: &Lying| hub.liar.lock().unwrap().clock();
    let begun = Instant::now();
    while !scene.peers.iter().all(|wired| wired.session().ended().is_some()) {
        assert!(begun.elapsed() < MATCH, "{}", scene.describe());
        let clock = fast(&hub);
        for wired in &mut scene.peers {
            wired.connected = wired.connected.min(clock);
            wired.step(clock);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    // Nobody pays, and nobody is blamed: everybody can see that it happened, nobody can prove why.
    for wired in &scene.peers {
        let ended = wired.session().ended().unwrap();
        assert!(matches!(ended.why, Why::Disputed { .. }), "{:?}", ended.why);
        assert!(ended.result().is_none() && wired.session().faults().is_empty());
    }
    assert_eq!(scene.peers[0].entries.len(), scene.peers[1].entries.len());
    let (said, code) = super::verify(&[&scene.peers[1].record(&scene.ticket)], &[]);
    assert_eq!((code, &said["ok"], &said["private"]["ended"]), (Some(0), &true.into(), &"disputed".into()), "{said}");
    let open = said["not_proven"].to_string();
    assert!(open.contains("the hub took everything it was sent"), "{said}");
}

#[test]
fn an_entry_that_the_hub_has_changed_is_not_taken() {
    let hub = Lying::open(1);
    let scene = Scene::<Ongdu>::at(hub.ticket.clone(), 2, None);
    let record = scene.peers[0].record(&scene.ticket);
    let (key, table) = (liar_secret(), hub.ticket.key.clone());
    // It cannot read what is sealed, so it can only guess; and it cannot sign for the author.
    let mut forged = record.clone();
    let head = Head::begin(table.table(), &key.public());
    let first = forged.entries[0].said().unwrap().clone();
    let mut envelope = first.envelope.clone();
    let last = envelope.sealed.len() - 1;
    envelope.sealed[last] ^= 1;
    forged.entries[0] = Entry::order(table.table(), head, envelope, first.clock, &key, &random());
    forged.entries.truncate(1);
    let (said, code) = super::verify(&[&forged], &[]);
    assert_eq!(code, Some(1));
    assert_eq!(said["private"]["wrong"][0]["by"], "hub", "{said}");
    assert!(said["private"]["wrong"][0]["what"].as_str().unwrap().contains("had to refuse"), "{said}");
    assert!(!scene.peers[0].peer.heard.iter().any(|(_, body)| matches!(body, Body::Seed(_))));
}
