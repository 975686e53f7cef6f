//! A guest, a line that loses pieces, and a real hub.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use ::peer::frame::Why;
use ::peer::{Fresh, Guest, Private, TableKey, Ticket};
use futures_util::{SinkExt as _, StreamExt as _};
use results::Secret;
use tokio::io::DuplexStream;
use tokio::sync::{Semaphore, mpsc};
use tokio::time::{Instant, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::Role;

use super::carry::{Host, carry};
use super::pretend::{self, Line};
use super::serving::{MOST_LINES, guests};
use super::{NoRadio, Sign, Wire};
use crate::peer::hub::About;
use crate::peer::net::{Command, Event, Held, Link, Who};
use crate::peer::own::{Listening, Opened, OwnHub};

const PATIENCE: Duration = Duration::from_secs(60);

/// A hub with a table, which can be reached over a pretended radio under this name.
struct Room {
    ticket: Ticket,
    _hub: OwnHub,
    _runtime: tokio::runtime::Runtime,
    _folder: tempfile::TempDir,
}

impl Room {
    fn new(name: &str, line: Line) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let opened = Opened::new(&folder.path().join("hub.sqlite"), Listening::Here).unwrap();
        let (listen, key): (SocketAddr, _) = (opened.listen(), TableKey::new([7; 32]));
        let about =
            About { game: "holdem".to_owned(), seats: 2, name: "Friday".to_owned(), listed: false, knock: true };
        let (hub, _) = opened.make(&key, &about).unwrap();
        let running = opened.run().unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let coming = pretend::host(name, line);
        runtime.spawn(guests(coming, Arc::new(Semaphore::new(MOST_LINES)), listen, key.table()));
        let ticket = Ticket { at: format!("bluetooth://{name}"), key, hub };
        Self { ticket, _hub: running, _runtime: runtime, _folder: folder }
    }

    fn member(&self) -> Link {
        self.member_with(9)
    }

    /// A member with the key that these bytes make.
    fn member_with(&self, byte: u8) -> Link {
        let who = Who::Member { ticket: self.ticket.clone(), key: Secret::from_bytes(&[byte; 32]).unwrap() };
        Link::open(who, Held::default()).unwrap()
    }

    /// What that member knows of the log.
    fn guest(&self, byte: u8) -> Guest {
        let (key, identity) =
            (Secret::from_bytes(&[byte; 32]).unwrap(), Secret::from_bytes(&[byte + 100; 32]).unwrap());
        Guest::new(self.ticket.key.clone(), key, self.ticket.hub, Some(identity), Private::new(&[byte; 32]))
    }
}

/// Waits for an event like this.
fn wait(link: &Link, like: impl Fn(&Event) -> bool) -> Event {
    loop {
        let event = link.events().recv_timeout(PATIENCE).expect("it happens");
        if like(&event) {
            return event;
        }
    }
}

#[test]
fn a_member_talks_to_a_hub_over_a_line_that_loses_pieces() {
    for (name, piece, lost) in [("TEST-1", 20, 17), ("TEST-2", 512, 0)] {
        let line = Line { piece, lost, everybody: false };
        let room = Room::new(name, line);
        let link = room.member();
        let Event::Connected { hub, .. } = wait(&link, |event| matches!(event, Event::Connected { .. })) else {
            unreachable!("only this was waited for")
        };
        assert_eq!(hub, room.ticket.hub);
        // The longest envelope there may be, which is none.
        link.send(Command::Append(vec![0; ::peer::MOST_ENVELOPE]));
        let refused = wait(&link, |event| matches!(event, Event::Refused { .. }));
        assert_eq!(refused, Event::Refused { sequence: 0, why: Why::Malformed });
    }
}

#[test]
fn two_guests_have_two_lines() {
    let room = Room::new("TEST-3", Line { piece: 100, lost: 50, everybody: false });
    let links = [room.member(), room.member()];
    for link in &links {
        wait(link, |event| matches!(event, Event::Connected { .. }));
    }
}

/// All guests hear all that the host writes, each with its own losses; what is said to all of them reaches each once.
#[test]
fn everybody_hears_every_entry_from_a_host_that_speaks_to_all_at_once() {
    let room = Room::new("TEST-4", Line { piece: 200, lost: 20, everybody: true });
    let mut members: Vec<(Guest, Link)> = (1..=3).map(|byte| (room.guest(byte), room.member_with(byte))).collect();
    for (_, link) in &members {
        wait(link, |event| matches!(event, Event::Connected { .. }));
    }
    for joins in 0..members.len() {
        let (guest, link) = &mut members[joins];
        guest.join("somebody", None, [7; 32], &[8; 32]);
        let envelope = guest.write(&Fresh { nonce: [1; 24], aux: [2; 32] }).expect("there is something to say");
        link.send(Command::Append(dealing::encode(&envelope)));
        for (guest, link) in &mut members {
            let event = wait(link, |event| matches!(event, Event::Entry(_) | Event::Refused { .. }));
            let Event::Entry(entry) = event else { unreachable!("{event:?}") };
            guest.hear(&dealing::decode(&entry).unwrap()).expect("the next entry, once");
        }
    }
    for (guest, _) in &members {
        assert_eq!(guest.member().chain().head().height, 3);
    }
}

/// One end of a socket in memory, and the other.
async fn sockets() -> [WebSocketStream<DuplexStream>; 2] {
    let (one, other) = tokio::io::duplex(64 << 10);
    [
        WebSocketStream::from_raw_socket(one, Role::Client, None).await,
        WebSocketStream::from_raw_socket(other, Role::Server, None).await,
    ]
}

/// A way for pieces to somebody who knows only Geogram's form, and so does not hear hellos.
fn deaf_to_hellos() -> (mpsc::Sender<Vec<Vec<u8>>>, mpsc::Receiver<Vec<u8>>) {
    let (write, mut written) = mpsc::channel::<Vec<Vec<u8>>>(64);
    let (hear, heard) = mpsc::channel(64);
    tokio::spawn(async move {
        while let Some(pieces) = written.recv().await {
            for piece in pieces.into_iter().filter(|piece| piece.first() != Some(&0xfd)) {
                let _ = hear.send(piece).await;
            }
        }
    });
    (write, heard)
}

/// The receiver says nothing for two and a half minutes, and the socket must not think that nobody is there.
#[tokio::test(start_paused = true)]
async fn a_line_in_geograms_form_lives_while_the_longest_envelope_is_on_its_way() {
    let (there, back) = (deaf_to_hellos(), deaf_to_hellos());
    let wire = |heard, write| {
        let (limits, connection) = (parcels::Limits::default(), None);
        Wire { heard, write, piece: 20, limits, everybody: false, connection }
    };
    let ([mut guest, guests], [hosts, mut host]) = (sockets().await, sockets().await);
    let link = |session, of: fn(u32, parcels::Limits) -> parcels::Link| of(session, parcels::Limits::default());
    tokio::spawn(carry(link(7, parcels::Link::guest), wire(back.1, there.0), guests, Host::default()));
    tokio::spawn(carry(link(8, parcels::Link::host), wire(there.1, back.0), hosts, Host::default()));
    let message = Message::Binary(vec![7; parcels::slow::MOST_PART].into());
    // The first message shows that somebody is there.
    guest.send(Message::Binary(vec![8].into())).await.unwrap();
    guest.send(message.clone()).await.unwrap();
    let begun = Instant::now();
    let alive = tokio::spawn(async move {
        // A member gives up a socket from which nothing has come for a minute.
        while let Ok(Some(Ok(_))) = timeout(PATIENCE, guest.next()).await {}
        Instant::now()
    });
    let arrived = async {
        loop {
            match host.next().await.expect("the line lives").unwrap() {
                Message::Binary(bytes) if bytes.len() > 1 => return Message::Binary(bytes),
                _ => {}
            }
        }
    };
    assert_eq!(timeout(Duration::from_secs(600), arrived).await.unwrap(), message);
    assert!(begun.elapsed() > Duration::from_secs(120), "it is slow: {:?}", begun.elapsed());
    let arrived = Instant::now();
    assert!(alive.await.unwrap() > arrived, "the socket was told that the other end is there");
}

#[test]
fn a_table_that_is_out_of_range_is_said_so() {
    let who = Who::Knock { at: "bluetooth://NOBODY-1".parse().unwrap(), table: TableKey::new([7; 32]).table() };
    let link = Link::open(who, Held::default()).unwrap();
    let Event::Lost(why) = wait(&link, |event| matches!(event, Event::Lost(_))) else { unreachable!("as above") };
    assert!(why.contains("Bluetooth"), "{why}");
}

#[test]
fn signs_of_strangers_are_checked() {
    let table = TableKey::new([7; 32]).table();
    let sign = Sign::new(table, "Friday", "holdem");
    assert_eq!(Sign::read(&sign.text()), Some(sign.clone()));
    assert_eq!(sign.table(), Some(table));
    for wrong in [
        Sign::new(table, "x\u{1b}[2J", "holdem"),
        Sign::new(table, "Friday", "chess"),
        Sign::new(table, &"x".repeat(100), "holdem"),
        Sign { v: 2, ..sign.clone() },
        Sign { table: "12".to_owned(), ..sign },
    ] {
        assert_eq!(Sign::read(&wrong.text()), None, "{wrong:?}");
    }
    assert_eq!(Sign::read(&[b' '; 600]), None);
}

#[test]
fn every_reason_against_bluetooth_is_one_line() {
    for why in [NoRadio::Without, NoRadio::Unusable("x".to_owned()), NoRadio::OutOfRange("X1ABCD-7".to_owned())] {
        assert!(why.to_string().contains("Bluetooth") && !why.to_string().contains('\n'));
    }
}
