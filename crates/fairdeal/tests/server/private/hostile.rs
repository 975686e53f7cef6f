//! Members and strangers who do not keep to the protocol: each is refused or contained, and the others play on.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use ::peer::frame::{FromHub, Hello, MOST_FRAME, ToHub, Why};
use ::peer::{Body, Envelope, Fresh, Head, TableKey, Ticket};
use results::Secret;
use tungstenite::client::IntoClientRequest as _;
use tungstenite::{Message, WebSocket};

use super::super::process::{Server, free_address};
use super::{PATIENCE, Player, act, counted, random, settle, table};

/// A bare socket, for what no honest program sends.
struct Raw {
    socket: WebSocket<TcpStream>,
    challenge: [u8; 32],
}

impl Raw {
    fn open(ticket: &Ticket) -> Self {
        let address = ticket.at.trim_start_matches("http://");
        Self::over(ticket, TcpStream::connect(address).unwrap())
    }

    /// A socket that takes very little before it is read.
    fn narrow(ticket: &Ticket) -> Self {
        let address = ticket.at.trim_start_matches("http://").parse().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let stream = runtime.block_on(async {
            let socket = tokio::net::TcpSocket::new_v4().unwrap();
            socket.set_recv_buffer_size(4096).unwrap();
            socket.connect(address).await.unwrap().into_std().unwrap()
        });
        stream.set_nonblocking(false).unwrap();
        Self::over(ticket, stream)
    }

    fn over(ticket: &Ticket, stream: TcpStream) -> Self {
        Self::asking(ticket, stream, "")
    }

    fn asking(ticket: &Ticket, stream: TcpStream, query: &str) -> Self {
        let address = ticket.at.trim_start_matches("http://");
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let request = format!("ws://{address}/private/{}/socket{query}", ticket.table()).into_client_request().unwrap();
        let (socket, _) = tungstenite::client(request, stream).unwrap();
        let mut raw = Self { socket, challenge: [0; 32] };
        let FromHub::Challenge(challenge) = raw.hear() else { panic!("a hub begins with a challenge") };
        raw.challenge = challenge;
        raw
    }

    /// Says hello with this key of a table, as this member.
    fn hello(ticket: &Ticket, key: &TableKey, have: Head, member: Option<(u8, u8)>) -> (Self, FromHub) {
        Self::open(ticket).greet(ticket, key, have, member)
    }

    fn greet(mut self, ticket: &Ticket, key: &TableKey, have: Head, member: Option<(u8, u8)>) -> (Self, FromHub) {
        let secret = member.map(|(number, key)| (number, Secret::from_bytes(&[key; 32]).unwrap()));
        let member = secret.as_ref().map(|(number, key)| (*number, key));
        let mut hello = Hello::new(key, have, member, &self.challenge, &random());
        hello.table = ticket.table();
        self.say(&ToHub::Hello(hello));
        let answer = self.hear();
        (self, answer)
    }

    fn say(&mut self, frame: &ToHub) {
        self.socket.send(Message::Binary(dealing::encode(frame).into())).unwrap();
    }

    fn hear(&mut self) -> FromHub {
        loop {
            if let Message::Binary(bytes) = self.socket.read().unwrap() {
                return dealing::decode(&bytes).unwrap();
            }
        }
    }

    /// The next frame that is not about others.
    fn answer(&mut self) -> FromHub {
        loop {
            match self.hear() {
                FromHub::Here(_) | FromHub::Entry(_) => {}
                other => return other,
            }
        }
    }
}

fn begin(ticket: &Ticket) -> Head {
    Head::begin(ticket.table(), &ticket.hub)
}

/// An envelope as anybody with the ticket could write it.
fn envelope(ticket: &Ticket, key: u8, author: u8, sequence: u32, seen: Head) -> ToHub {
    let (key, body) = (Secret::from_bytes(&[key; 32]).unwrap(), dealing::encode(&Body::Here));
    let fresh = Fresh { nonce: random(), aux: random() };
    ToHub::Append(dealing::encode(&Envelope::write(&ticket.key, &key, Some(author), sequence, seen, &body, &fresh)))
}

/// A table with two members, and a third who is up to no good.
struct Scene {
    ticket: Ticket,
    ada: Player,
    bob: Player,
    server: Server,
    _data: tempfile::TempDir,
}

impl Scene {
    fn new() -> Self {
        Self::with(&[])
    }

    fn with(options: &[&str]) -> Self {
        let data = tempfile::tempdir().unwrap();
        let server = Server::start(free_address(), data.path(), None, options);
        let ticket = table(server.address).ticket;
        let (mut ada, bob) = (Player::join(&ticket, 1), Player::join(&ticket, 2));
        // The third joins, and goes.
        drop(Player::join(&ticket, 3));
        ada.settle(3);
        Self { ticket, ada, bob, server, _data: data }
    }

    /// The two play on, and both know everything.
    fn goes_on(&mut self) {
        let height = self.ada.head().height.max(self.bob.head().height);
        self.ada.say(&act(height));
        self.bob.say(&act(height));
        settle(&mut self.ada, &mut self.bob, height + 2);
        assert_eq!((&self.ada.refused, &self.bob.refused), (&vec![], &vec![]));
        assert_eq!((self.ada.connections, self.bob.connections), (1, 1), "nobody lost the connection");
    }
}

#[test]
fn without_the_ticket_or_as_somebody_else_nobody_gets_in() {
    let mut scene = Scene::new();
    let (ticket, head) = (scene.ticket.clone(), scene.ada.head());
    let refused = |key: &TableKey, have, member| Raw::hello(&ticket, key, have, member).1;
    assert_eq!(refused(&TableKey::new(random()), begin(&ticket), None), FromHub::Closed(Why::NotAdmitted));
    assert_eq!(refused(&ticket.key, head, Some((0, 3))), FromHub::Closed(Why::NotAdmitted), "another's number");
    assert_eq!(refused(&ticket.key, head, Some((9, 3))), FromHub::Closed(Why::NotAdmitted), "nobody's number");
    let foreign = Head { hash: [9; 32], ..head };
    assert_eq!(refused(&ticket.key, foreign, Some((2, 3))), FromHub::Closed(Why::Unfit));
    let mut silent = Raw::open(&ticket);
    let begun = Instant::now();
    assert_eq!(silent.hear(), FromHub::Closed(Why::TimeUp), "who says nothing has to go, and may come back");
    assert!(begun.elapsed() > Duration::from_secs(5));
    scene.goes_on();
}

#[test]
fn a_page_sees_every_five_seconds_that_the_hub_is_there_and_a_program_is_pinged() {
    let scene = Scene::new();
    let (ticket, head) = (scene.ticket.clone(), scene.ada.head());
    let connect = |query: &str| {
        let stream = TcpStream::connect(ticket.at.trim_start_matches("http://")).unwrap();
        let (mut raw, _) = Raw::asking(&ticket, stream, query).greet(&ticket, &ticket.key, head, None);
        assert!(matches!(raw.hear(), FromHub::Here(_)));
        raw
    };
    let (mut page, mut program) = (connect("?signs"), connect(""));
    let here = page.hear();
    assert!(matches!(here, FromHub::Here(members) if members == 0b11), "{here:?}");
    let frame = program.socket.read().unwrap();
    assert!(matches!(frame, Message::Ping(_)), "{frame:?}");
}

#[test]
fn an_envelope_with_no_place_in_the_log_is_refused_to_its_author_alone() {
    let mut scene = Scene::new();
    let (ticket, head) = (scene.ticket.clone(), scene.ada.head());
    let (mut raw, welcome) = Raw::hello(&ticket, &ticket.key, head, Some((2, 3)));
    assert!(matches!(welcome, FromHub::Welcome { .. }), "{welcome:?}");
    let refused = |raw: &mut Raw, frame: &ToHub| {
        raw.say(frame);
        match raw.answer() {
            FromHub::Refused { why, .. } => why,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(refused(&mut raw, &envelope(&ticket, 3, 0, 1, head)), Why::Unfit, "a forged sender");
    assert_eq!(refused(&mut raw, &envelope(&ticket, 4, 2, 1, head)), Why::Unfit, "a forged signature");
    assert_eq!(refused(&mut raw, &envelope(&ticket, 3, 2, 0, head)), Why::Unfit, "a repeat");
    assert_eq!(refused(&mut raw, &envelope(&ticket, 3, 2, 7, head)), Why::Unfit, "a gap");
    let invented = Head { hash: [9; 32], ..head };
    assert_eq!(refused(&mut raw, &envelope(&ticket, 3, 2, 1, invented)), Why::Unfit, "an invented head");
    assert_eq!(refused(&mut raw, &ToHub::Append(vec![7; 300])), Why::Malformed);
    scene.goes_on();
    // They can still say something that fits.
    raw.say(&envelope(&ticket, 3, 2, 1, head));
    scene.ada.settle(6);
    assert_eq!(scene.ada.heard.last(), Some(&(2, Body::Here)));
}

#[test]
fn a_flooding_member_is_slowed_down_and_closed_and_the_others_play_on() {
    let mut scene = Scene::new();
    let (ticket, head) = (scene.ticket.clone(), scene.ada.head());
    let (mut raw, _) = Raw::hello(&ticket, &ticket.key, head, Some((2, 3)));
    raw.socket.get_mut().set_write_timeout(Some(Duration::from_millis(200))).unwrap();
    let junk = Message::Binary(dealing::encode(&ToHub::Append(vec![7; 100])).into());
    let until = Instant::now() + PATIENCE;
    while Instant::now() < until {
        match raw.socket.send(junk.clone()) {
            Ok(()) => {}
            Err(tungstenite::Error::Io(why)) if why.kind() == std::io::ErrorKind::WouldBlock => scene.goes_on(),
            Err(_) => break,
        }
        if counted(&scene.server, "floods_total") > 0 {
            break;
        }
        for _ in 0..200 {
            if raw.socket.send(junk.clone()).is_err() {
                break;
            }
        }
        scene.goes_on();
    }
    assert_eq!(counted(&scene.server, "floods_total"), 1);
    scene.goes_on();
}

#[test]
fn a_member_who_writes_too_much_is_told_to_wait() {
    // The hub's own limits, without those of the socket.
    let mut scene = Scene::with(&["--messages-per-second", "0"]);
    let (ticket, head) = (scene.ticket.clone(), scene.ada.head());
    let (mut raw, _) = Raw::hello(&ticket, &ticket.key, head, Some((2, 3)));
    // All of them fit; but not so many at once.
    for sequence in 1..=2000 {
        raw.say(&envelope(&ticket, 3, 2, sequence, head));
    }
    let FromHub::Refused { why: Why::TooMuch(wait), .. } = raw.answer() else { panic!() };
    assert!((1..60_000).contains(&wait), "{wait}");
    scene.ada.until("some are taken", |ada| ada.head().height >= 300);
    scene.goes_on();
}

#[test]
fn a_frame_that_is_too_long_ends_the_connection_before_it_is_read() {
    let mut scene = Scene::new();
    let (ticket, head) = (scene.ticket.clone(), scene.ada.head());
    let (mut raw, _) = Raw::hello(&ticket, &ticket.key, head, Some((2, 3)));
    // A header that announces a terabyte.
    let stream = raw.socket.get_mut();
    stream.write_all(&[0x82, 0xff, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]).unwrap();
    let mut rest = Vec::new();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let _ = stream.read_to_end(&mut rest);
    scene.goes_on();
    let (mut raw, _) = Raw::hello(&ticket, &ticket.key, head, Some((2, 3)));
    let _ = raw.socket.send(Message::Binary(vec![3; MOST_FRAME + 1].into()));
    assert!((0..100).any(|_| raw.socket.read().is_err()));
    // Text is not spoken here.
    let (mut raw, _) = Raw::hello(&ticket, &ticket.key, head, Some((2, 3)));
    raw.socket.send(Message::Text("hello".into())).unwrap();
    assert_eq!(raw.answer(), FromHub::Closed(Why::Malformed));
    // Nor is an entry that nobody has asked for.
    let (mut raw, _) = Raw::hello(&ticket, &ticket.key, head, Some((2, 3)));
    raw.say(&ToHub::Entry(scene.ada.entries[0].clone()));
    assert_eq!(raw.answer(), FromHub::Closed(Why::Malformed));
    scene.goes_on();
}

#[test]
fn somebody_who_does_not_read_delays_nobody() {
    let mut scene = Scene::new();
    let ticket = scene.ticket.clone();
    // More than fits into the queues on the way.
    let large = Body::Act { height: 1, on: [0; 32], action: vec![b'x'; 4000] };
    for _ in 0..100 {
        scene.ada.say(&large);
    }
    scene.ada.settle(103);
    let slow = || Raw::narrow(&ticket).greet(&ticket, &ticket.key, begin(&ticket), None).0;
    let slow: Vec<Raw> = (0..5).map(|_| slow()).collect();
    for _ in 0..5 {
        scene.goes_on();
    }
    // When one of them reads at last, everything is there, in order.
    let mut late = slow.into_iter().next().unwrap();
    let mut reader = ::peer::Member::new(ticket.key.clone(), Secret::from_bytes(&[9; 32]).unwrap(), ticket.hub);
    while reader.chain().head() != scene.ada.head() {
        if let FromHub::Entry(bytes) = late.hear() {
            reader.hear(&dealing::decode(&bytes).unwrap()).unwrap();
        }
    }
}

#[test]
fn a_device_that_falls_asleep_is_soon_seen_to_be_away() {
    let mut scene = Scene::new();
    let ticket = scene.ticket.clone();
    // It is connected, and answers nothing any more.
    let (asleep, _) = Raw::hello(&ticket, &ticket.key, scene.ada.head(), Some((2, 3)));
    scene.ada.until("all are here", |ada| ada.here == 0b111);
    scene.ada.until("one is away", |ada| ada.here == 0b011);
    scene.goes_on();
    drop(asleep);
}
