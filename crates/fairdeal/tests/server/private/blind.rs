//! What the server has of a private table: sealed bytes, and nothing that opens them.

use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::process::Command as Process;

use std::net::TcpStream;

use ::peer::frame::{FromHub, Hello, ToHub};
use ::peer::{Body, Head, TableKey, Ticket};
use games::holdem::Holdem;
use sha2::{Digest as _, Sha256};
use table::record::hex;
use tungstenite::client::IntoClientRequest as _;
use tungstenite::{Message, WebSocket};

use super::super::process::{Server, free_address};
use super::liars::{HOLDEM, Scene};
use super::{PATIENCE, Player, random, settle, table};

/// Whether these bytes are in any file of this folder.
fn files_contain(folder: &Path, bytes: &[u8]) -> bool {
    std::fs::read_dir(folder)
        .unwrap()
        .flatten()
        .filter(|entry| entry.path().is_file())
        .any(|entry| std::fs::read(entry.path()).unwrap().windows(bytes.len()).any(|some| some == bytes))
}

/// Whether these bytes are anywhere in the memory of a process.
fn memory_contains(pid: u32, bytes: &[u8]) -> bool {
    let mut memory = std::fs::File::open(format!("/proc/{pid}/mem")).unwrap();
    let maps = std::fs::read_to_string(format!("/proc/{pid}/maps")).unwrap();
    maps.lines().filter(|line| line.split(' ').nth(1).is_some_and(|rights| rights.starts_with("rw"))).any(|line| {
        let (from, to) = line.split(' ').next().unwrap().split_once('-').unwrap();
        let [from, to] = [from, to].map(|at| u64::from_str_radix(at, 16).unwrap());
        let mut all = vec![0; usize::try_from(to - from).unwrap()];
        memory.seek(SeekFrom::Start(from)).unwrap();
        // Some of it may be gone meanwhile.
        memory.read_exact(&mut all).is_ok() && all.windows(bytes.len()).any(|some| some == bytes)
    })
}

#[test]
fn the_key_of_a_private_table_is_never_in_the_servers_files_logs_or_memory() {
    let data = tempfile::tempdir().unwrap();
    let log = data.path().join("log");
    let mut command = Process::new(env!("CARGO_BIN_EXE_fairdeal"));
    command.env("RUST_LOG", "trace").stderr(std::fs::File::create(&log).unwrap());
    command.args(["serve", "--listen", &free_address().to_string(), "--data"]).arg(data.path());
    let mut server = Server::of(command);
    let made = table(server.address);
    let (mut ada, mut bob) = (Player::join(&made.ticket, 1), Player::join(&made.ticket, 2));
    let secret = b"the queen of hearts, twice".to_vec();
    ada.say(&Body::Act { height: 1, on: [1; 32], action: secret.clone() });
    settle(&mut ada, &mut bob, 3);
    let key = made.ticket.key.bytes();
    let link = made.ticket.to_string();
    let (_, after) = link.split_once('#').unwrap();
    let digits = hex(key);
    let secrets: [&[u8]; 4] = [key, digits.as_bytes(), after.as_bytes(), &secret];
    let id = made.ticket.table();
    for bytes in secrets {
        assert!(
            !memory_contains(server.pid(), bytes),
            "{:?} is in the server's memory",
            String::from_utf8_lossy(bytes)
        );
    }
    assert!(memory_contains(server.pid(), &id.0), "this would be found");
    server.stop();
    for bytes in secrets {
        assert!(!files_contain(data.path(), bytes), "{:?} is in a file", String::from_utf8_lossy(bytes));
    }
    assert!(files_contain(data.path(), id.to_string().as_bytes()), "this is found");
    assert!(files_contain(data.path(), &ada.entries[2][..64]), "entries are there as they are");
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains("private table created"), "{log}");
    assert!(!log.contains(&id.to_string()), "anyone with the id could knock");
    let code = made.code.unwrap();
    assert!(!log.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == code), "{log}");
}

#[test]
fn what_the_server_stores_and_sends_has_the_same_lengths_whatever_is_said() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(free_address(), data.path(), None, &[]);
    // Two runs with the same kinds of messages and other contents.
    let runs = [[b"AS".as_slice(), b"{\"raise\":40}", &[1; 90]], [b"2C", b"{\"fold\":true, \"a\":1}", &[200; 85]]];
    let lengths = runs.map(|bodies| {
        let made = table(server.address);
        let mut ada = Player::join(&made.ticket, 1);
        let mut bob = Player::join(&made.ticket, 2);
        for action in bodies {
            ada.say(&Body::Act { height: 7, on: [action[0]; 32], action: action.to_vec() });
            bob.say(&Body::Seed([action[0]; 32]));
            bob.say(&Body::Overdue { who: action[0], since: action[0].into() });
        }
        settle(&mut ada, &mut bob, 11);
        let kinds: Vec<_> = ada.heard.iter().map(|(author, body)| (*author, std::mem::discriminant(body))).collect();
        // The two write at the same time, so the order of the log may differ; lengths by author do not.
        let mut sent: Vec<_> =
            ada.heard.iter().zip(&ada.lengths).map(|((author, _), length)| (*author, *length)).collect();
        sent.sort_unstable();
        (kinds.len(), sent, stored(data.path(), &made.ticket.table().to_string()))
    });
    assert_eq!(lengths[0], lengths[1]);
    assert_eq!(lengths[0].0, 11);
}

/// A hash of the protocol, as docs/peer.md describes it.
fn hash(domain: &str, part: &[u8]) -> [u8; 32] {
    let mut sha = Sha256::new().chain_update(b"fairdeal/peer/v1/");
    for bytes in [domain.as_bytes(), part] {
        sha = sha.chain_update(u32::try_from(bytes.len()).unwrap().to_le_bytes()).chain_update(bytes);
    }
    sha.finalize().into()
}

/// Somebody who watches, and notes the kind and the length of everything the server sends.
struct Watching(WebSocket<TcpStream>);

impl Watching {
    fn open(ticket: &Ticket) -> Self {
        let address = ticket.at.trim_start_matches("http://");
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let request = format!("ws://{address}/private/{}/socket", ticket.table()).into_client_request().unwrap();
        let mut socket = tungstenite::client(request, stream).unwrap().0;
        let first = socket.read().unwrap().into_data();
        let FromHub::Challenge(challenge) = dealing::decode(&first).unwrap() else { panic!("a challenge") };
        let have = Head::begin(ticket.table(), &ticket.hub);
        let hello = ToHub::Hello(Hello::new(&ticket.key, have, None, &challenge, &random()));
        socket.send(Message::Binary(dealing::encode(&hello).into())).unwrap();
        Self(socket)
    }

    /// The kinds and lengths of all frames until this many entries have come; who is connected is left out.
    fn frames(&mut self, entries: usize) -> Vec<(u8, usize)> {
        let (mut frames, mut seen) = (Vec::new(), 0);
        while seen < entries {
            let Message::Binary(bytes) = self.0.read().unwrap() else { continue };
            match dealing::decode(&bytes).unwrap() {
                FromHub::Here(_) => continue,
                FromHub::Entry(_) => seen += 1,
                _ => {}
            }
            frames.push((bytes[0], bytes.len()));
        }
        // Members write at the same time, so the order of the log may differ.
        frames.sort_unstable();
        frames
    }
}

/// What a server has of a match in which nobody shows a card.
#[derive(PartialEq, Debug)]
struct Visible {
    sent: Vec<(u8, usize)>,
    stored: (Vec<i64>, i64),
    by_author: Vec<(Option<u8>, usize)>,
}

/// A match that ends when the player whose turn it is leaves, once everything that can be said is said. Returns what
/// the server has of it, who had to move, and the cards that only their owners have seen.
fn match_without_showdown() -> (Visible, u8, Vec<String>) {
    let data = tempfile::tempdir().unwrap();
    let server = Server::without_limits(free_address(), data.path(), None);
    let ticket = table(server.address).ticket;
    let mut watching = Watching::open(&ticket);
    let mut scene = Scene::<Holdem>::at(ticket.clone(), 2, None);
    // Nobody moves: the next deck is shuffled meanwhile.
    scene.peers.iter_mut().for_each(|wired| wired.peer.waits = true);
    scene.start(HOLDEM);
    scene.until("the cards of this deal and the next are there", |scene| {
        scene.peers.iter().all(|wired| wired.session().preparing().ahead && wired.peer.member.unsaid() == 0)
            && scene.peers[0].entries.len() == scene.peers[1].entries.len()
    });
    let mover = scene.peers.iter().position(|wired| wired.session().is_asked().is_some()).unwrap();
    let faces = scene.peers.iter().flat_map(|wired| {
        let known = wired.session().known().unwrap();
        known.own.iter().map(|(slot, card)| format!("{slot} {card}")).collect::<Vec<_>>()
    });
    let faces: Vec<String> = faces.collect();
    assert_eq!(faces.len(), 4, "two cards each");
    // While the table lives, nothing of what is said there is in the server's memory or files.
    let key: &TableKey = &ticket.key;
    let mut secrets = vec![
        ("the table's key", key.bytes().to_vec()),
        ("the key that seals", hash("seal", key.bytes()).to_vec()),
        ("the key that proves a ticket", key.access().bytes().to_vec()),
    ];
    for wired in &scene.peers {
        secrets.push(("a member's key", wired.peer.member.key().bytes().to_vec()));
        secrets.push(("an identity", wired.peer.identity.public().bytes().to_vec()));
    }
    for (what, bytes) in &secrets {
        assert!(!memory_contains(server.pid(), bytes), "{what} is in the server's memory");
        assert!(!files_contain(data.path(), bytes), "{what} is in a file");
    }
    assert!(
        memory_contains(server.pid(), &scene.peers[0].entries[3].said().unwrap().envelope.sealed),
        "this would be found"
    );
    scene.peers[mover].peer.member.say(&Body::Leave);
    scene.play();
    let entries = &scene.peers[0].entries;
    let by_author = entries.iter().map(|entry| {
        let author = match entry.said().unwrap().envelope.author {
            ::peer::Author::Member(number) => Some(number),
            ::peer::Author::Newcomer { .. } => None,
        };
        (author, dealing::encode(entry).len())
    });
    let mut by_author: Vec<_> = by_author.collect();
    by_author.sort_unstable();
    let visible = Visible {
        sent: watching.frames(entries.len()),
        stored: stored(data.path(), &ticket.table().to_string()),
        by_author,
    };
    (visible, u8::try_from(mover).unwrap(), faces)
}

#[test]
fn two_matches_that_differ_in_hidden_cards_look_the_same_to_the_server() {
    let (first, mover, faces) = match_without_showdown();
    assert!(first.by_author.len() > 20 && first.sent.len() >= first.by_author.len(), "{first:?}");
    // Who moves first is drawn by lot, and everybody can see that.
    for _ in 0..20 {
        let (second, moves, others) = match_without_showdown();
        if moves == mover {
            assert_ne!(faces, others, "other cards");
            assert_eq!(first, second);
            return;
        }
    }
    panic!("the same player moved first in 20 matches");
}

/// The lengths of what is stored about a table.
fn stored(data: &Path, table: &str) -> (Vec<i64>, i64) {
    use sqlx::Connection as _;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let address = format!("sqlite:{}", data.join("fairdeal.sqlite").display());
        let mut database = sqlx::SqliteConnection::connect(&address).await.unwrap();
        let rows: Vec<(i64,)> = sqlx::query_as(
            "SELECT length(body) FROM private_entries WHERE table_id = $1 ORDER BY length(body)",
        )
        .bind(table)
        .fetch_all(&mut database)
        .await
        .unwrap();
        let (row,): (i64,) = sqlx::query_as(
            "SELECT length(access) + length(secret) + length(code) + length(game) + length(name) FROM private_tables WHERE id = $1",
        )
        .bind(table)
        .fetch_one(&mut database)
        .await
        .unwrap();
        (rows.into_iter().map(|(length,)| length).collect(), row)
    })
}
