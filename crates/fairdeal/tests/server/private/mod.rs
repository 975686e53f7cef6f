//! Private tables: what several people write is one log for all of them, no matter what happens to the server, and
//! the server cannot read any of it.

mod blind;
mod hostile;
mod knocking;
mod liars;
mod lost;

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use ::peer::frame::{From, Why};
use ::peer::{Body, Entry, Fresh, Head, Member, TableKey, Ticket};
use fairdeal::peer::At;
use fairdeal::peer::hub::{About, Created, create};
use fairdeal::peer::net::{Command, Ended, Event, Held, Link, Who};
use results::Secret;

use super::http::{raw, request};
use super::postgres::Postgres;
use super::process::{Server, free_address};

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(60);

pub(super) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).unwrap();
    bytes
}

fn about(listed: bool) -> About {
    let (game, name) = ("holdem".to_owned(), "Friday".to_owned());
    About { game, seats: 4, name, listed, knock: true }
}

/// A new private table at a server.
fn table(server: SocketAddr) -> Created {
    let at: At = format!("http://{server}").parse().unwrap();
    create(&at, TableKey::new(random()), &about(false)).unwrap()
}

/// The same ticket for another server of the same database.
fn at(ticket: &Ticket, server: SocketAddr) -> Ticket {
    Ticket { at: format!("http://{server}"), ..ticket.clone() }
}

/// Somebody at a private table.
struct Player {
    member: Member,
    held: Held,
    link: Link,
    /// What was said in the log, by whom.
    heard: Vec<(u8, Body)>,
    /// The lengths of all entries.
    lengths: Vec<usize>,
    /// The entries themselves.
    entries: Vec<Vec<u8>>,
    here: u64,
    connections: u32,
    refused: Vec<Why>,
    beside: Vec<(From, Vec<u8>)>,
    ended: Option<Ended>,
    /// Something was refused and has to be sent again, once nothing more is refused.
    again: bool,
}

impl Player {
    /// Connects with a ticket; the key tells one player from another.
    fn open(ticket: &Ticket, key: u8) -> Self {
        let key = Secret::from_bytes(&[key; 32]).unwrap();
        let held = Held::default();
        let member = Member::new(ticket.key.clone(), key.clone(), ticket.hub);
        let link = Link::open(Who::Member { ticket: ticket.clone(), key }, held.clone()).unwrap();
        Self {
            member,
            held,
            link,
            heard: Vec::new(),
            lengths: Vec::new(),
            entries: Vec::new(),
            here: 0,
            connections: 0,
            refused: Vec::new(),
            beside: Vec::new(),
            ended: None,
            again: false,
        }
    }

    /// Connects and joins.
    fn join(ticket: &Ticket, key: u8) -> Self {
        let mut player = Self::open(ticket, key);
        // What is said just before the connection is there would be said again, and the repeat refused.
        player.until("connected", |player| player.connections > 0);
        player.say(&Body::Here);
        player.until("joined", |player| player.member.number().is_some());
        player
    }

    /// Connects again, with what they have of the log.
    fn reconnect(&mut self, ticket: &Ticket, key: u8) {
        let key = Secret::from_bytes(&[key; 32]).unwrap();
        self.link = Link::open(Who::Member { ticket: ticket.clone(), key }, self.held.clone()).unwrap();
        let before = self.connections;
        self.until("connected", |player| player.connections > before);
    }

    fn say(&mut self, body: &Body) {
        self.member.say(body);
        self.send();
    }

    fn send(&mut self) {
        while let Some(envelope) = self.member.write(&Fresh { nonce: random(), aux: random() }) {
            self.link.send(Command::Append(dealing::encode(&envelope)));
        }
    }

    fn head(&self) -> Head {
        self.member.chain().head()
    }

    /// Hears what happens until this is so.
    fn until(&mut self, what: &str, so: impl Fn(&Self) -> bool) {
        let end = Instant::now() + PATIENCE;
        while !so(self) {
            assert!(Instant::now() < end, "{what}: at {:?}, {:?} {:?}", self.head(), self.refused, self.ended);
            self.hear(Duration::from_millis(100));
        }
    }

    /// Hears one thing, if anything happens.
    fn hear(&mut self, patience: Duration) {
        let Ok(event) = self.link.events().recv_timeout(patience) else {
            if std::mem::take(&mut self.again) {
                self.member.send_again();
                self.send();
            }
            return;
        };
        match event {
            Event::Connected { .. } => {
                self.connections += 1;
                self.member.send_again();
                self.send();
            }
            Event::Lost(_) | Event::Woken => {}
            Event::Ended(why) => self.ended = Some(why),
            Event::Entry(bytes) => {
                let entry: Entry = dealing::decode(&bytes).unwrap();
                let heard = self.member.hear(&entry).expect("the hub sends the next entry");
                self.held.push(&bytes, heard.head);
                if let Some(number) = self.member.number() {
                    self.held.joined(number);
                }
                if let Some(body) = heard.body {
                    self.heard.push((heard.number, body));
                }
                self.lengths.push(bytes.len());
                self.entries.push(bytes);
                self.send();
            }
            Event::Refused { why, .. } => {
                self.refused.push(why);
                if let Why::TooMuch(wait) = why {
                    std::thread::sleep(Duration::from_millis(wait.into()).min(Duration::from_secs(15)));
                }
                self.again = true;
            }
            Event::Here(here) => self.here = here,
            Event::Beside { from, words } => self.beside.push((from, words)),
        }
    }

    /// Everything said is in the log, and everything in the log is heard.
    fn settle(&mut self, height: u64) {
        self.until("all is said and heard", |player| player.is_settled(height));
    }

    fn is_settled(&self, height: u64) -> bool {
        self.member.unsaid() == 0 && self.head().height >= height
    }
}

/// The same for two who write at the same time; then both have the same log.
fn settle(one: &mut Player, other: &mut Player, height: u64) {
    let end = Instant::now() + PATIENCE;
    while !(one.is_settled(height) && other.is_settled(height) && one.head() == other.head()) {
        assert!(Instant::now() < end, "{:?} {:?}, {:?} {:?}", one.head(), one.refused, other.head(), other.refused);
        one.hear(Duration::from_millis(20));
        other.hear(Duration::from_millis(20));
    }
}

/// Some move.
fn act(number: u64) -> Body {
    Body::Act { height: number, on: [0; 32], action: format!("{number:04}").into_bytes() }
}

/// The moves in a log, by author, in the order of the log.
fn moves(player: &Player, author: u8) -> Vec<u64> {
    let said = player.heard.iter().filter(|(number, _)| *number == author);
    said.filter_map(|(_, body)| if let Body::Act { height, .. } = body { Some(*height) } else { None }).collect()
}

#[test]
fn two_members_write_and_read_one_log_and_a_server_that_is_killed_loses_nothing() {
    let data = tempfile::tempdir().unwrap();
    let address = free_address();
    let mut server = Server::start(address, data.path(), None, &[]);
    let made = table(address);
    let (mut ada, mut bob) = (Player::join(&made.ticket, 1), Player::join(&made.ticket, 2));
    ada.until("both are here", |player| player.here == 0b11);
    let kills = super::count(3, 20);
    let mut said = 0;
    for kill in 0..=kills {
        for _ in 0..10 {
            said += 1;
            ada.say(&act(said));
            bob.say(&act(said));
        }
        if kill < kills {
            // Some of it is stored, some is on its way, some not yet sent.
            std::thread::sleep(Duration::from_millis(u64::from(kill * 13 % 40)));
            server.kill();
            server = Server::start(address, data.path(), None, &[]);
        }
    }
    let height = 2 + 2 * said;
    settle(&mut ada, &mut bob, height);
    assert_eq!(ada.head(), bob.head());
    assert_eq!(ada.head().height, height, "nothing is in the log twice");
    assert!(ada.connections > 1);
    for player in [&ada, &bob] {
        for author in 0..2 {
            assert_eq!(moves(player, author), (1..=said).collect::<Vec<_>>(), "nothing is lost, nothing out of order");
        }
    }
    // Somebody who comes later reads the same.
    let mut late = Player::open(&made.ticket, 3);
    late.until("it is read", |player| player.head() == ada.head());
    assert_eq!(late.heard, ada.heard);
    server.stop();
}

#[test]
fn two_servers_on_one_database_give_one_order() {
    let data = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let database = runtime.block_on(Postgres::shared().database());
    let mut servers =
        ["one", "two"].map(|name| Server::without_limits(free_address(), &data.path().join(name), Some(&database)));
    let made = table(servers[0].address);
    let mut ada = Player::join(&made.ticket, 1);
    let mut bob = Player::join(&at(&made.ticket, servers[1].address), 2);
    ada.until("both are here", |player| player.here == 0b11);
    bob.until("both are here", |player| player.here == 0b11);
    ada.link.send(Command::Beside { to: 0, words: b"hello".to_vec() });
    bob.until("chat", |player| player.beside == [(From::Member(0), b"hello".to_vec())]);
    let many = u64::from(super::count(30, 300));
    for number in 1..=many {
        ada.say(&act(number));
        bob.say(&act(number));
        ada.hear(Duration::from_millis(1));
        bob.hear(Duration::from_millis(1));
    }
    let height = 2 + 2 * many;
    settle(&mut ada, &mut bob, height);
    assert_eq!(ada.entries, bob.entries, "the same entries, byte for byte");
    assert_eq!(ada.head().height, height);
    for author in 0..2 {
        assert_eq!(moves(&ada, author), (1..=many).collect::<Vec<_>>());
    }
    let conflicts: u64 = servers.iter().map(|server| counted(server, "conflicts_total")).sum();
    eprintln!("{many} entries each over two servers: {conflicts} conflicts");
    // One dies, and its member goes on at the other.
    servers[1].kill();
    drop(bob);
    let mut bob_again = Player::open(&made.ticket, 2);
    bob_again.until("it is read", |player| player.head().height == height);
    bob_again.reconnect(&made.ticket, 2);
    bob_again.say(&act(many + 1));
    ada.settle(height + 1);
    assert_eq!(ada.heard.last(), Some(&(1, act(many + 1))));
}

/// The value of a counter.
fn counted(server: &Server, name: &str) -> u64 {
    let text = raw(server.address, "GET", "/metrics", "", "").unwrap().body;
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("fairdeal_{name} ")));
    line.unwrap_or_else(|| panic!("{name}: {text}")).parse().unwrap()
}

#[test]
fn a_second_connection_of_the_same_member_takes_the_place_of_the_first() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(free_address(), data.path(), None, &[]);
    let made = table(server.address);
    let mut first = Player::join(&made.ticket, 1);
    let mut other = Player::join(&made.ticket, 2);
    let mut second = Player::open(&made.ticket, 1);
    second.until("it is read", |player| player.member.number() == Some(0) && player.head().height == 2);
    // It said hello as a spectator, because it did not know its number yet; after a new connection it is the member.
    second.reconnect(&made.ticket, 1);
    first.until("replaced", |player| player.ended.is_some());
    assert_eq!(first.ended, Some(Ended::Hub(Why::Replaced)));
    // The others notice nothing.
    other.say(&act(1));
    other.settle(3);
    assert_eq!(other.here, 0b11);
}

#[test]
fn a_server_restored_from_a_backup_gets_back_what_its_members_have() {
    let data = tempfile::tempdir().unwrap();
    let (address, backup) = (free_address(), data.path().join("backup"));
    let mut server = Server::start(address, data.path(), None, &[]);
    let made = table(address);
    let mut ada = Player::join(&made.ticket, 1);
    let operate = |what: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_fairdeal"));
        command.args(["database", what]).arg(&backup).arg("--data").arg(data.path());
        let done = command.output().unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    operate("backup");
    // Bob joins and both play on; the backup knows nothing of it.
    let mut bob = Player::join(&made.ticket, 2);
    for number in 1..=5 {
        ada.say(&act(number));
        bob.say(&act(number));
    }
    settle(&mut ada, &mut bob, 12);
    let before = ada.entries.clone();
    server.stop();
    operate("restore");
    let _server = Server::start(address, data.path(), None, &[]);
    // Both write at once, and the hub takes back its own entries first.
    ada.say(&act(6));
    bob.say(&act(6));
    settle(&mut ada, &mut bob, 14);
    assert_eq!(ada.entries, bob.entries);
    assert_eq!(ada.entries[..12], before);
    let mut late = Player::open(&made.ticket, 3);
    late.until("it is read", |player| player.head() == ada.head());
}

#[test]
fn a_listed_table_is_in_the_lobby_for_what_it_is() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::without_limits(free_address(), data.path(), None);
    let at: At = format!("http://{}", server.address).parse().unwrap();
    let [shown, hidden] = [true, false].map(|listed| create(&at, TableKey::new(random()), &about(listed)).unwrap());
    let lobby = raw(server.address, "GET", "/", "Accept-Language: de\r\n", "").unwrap().body;
    let id = shown.ticket.table().to_string();
    for text in [
        "Private Tische",
        "Friday",
        "Texas Hold",
        "4 Plätze",
        "Der Server sieht keine Karten",
        &shown.code.clone().unwrap(),
        &id,
    ] {
        assert!(lobby.contains(text), "{text}: {lobby}");
    }
    assert!(!lobby.contains(&hidden.ticket.table().to_string()));
    for (lang, text) in [("en", "sees no cards"), ("de", "sieht keine Karten")] {
        let head = format!("Accept-Language: {lang}\r\n");
        let page = raw(server.address, "GET", &format!("/private/{id}"), &head, "").unwrap();
        assert!(page.status == 200 && page.body.contains(text) && page.body.contains("fairdeal join"), "{page:?}");
    }
    assert_eq!(raw(server.address, "GET", &format!("/private/{}", "0".repeat(64)), "", "").unwrap().status, 404);
    assert_eq!(raw(server.address, "GET", "/private/xyz", "", "").unwrap().status, 404);
    // The code leads to the same page.
    let body = format!("code={}", shown.code.unwrap());
    let head = "Content-Type: application/x-www-form-urlencoded\r\n";
    let joined = raw(server.address, "POST", "/join", head, &body).unwrap();
    assert_eq!(joined.header("location"), Some(format!("/private/{id}").as_str()), "{joined:?}");
    // The same id is not given away twice.
    let again = create(&at, shown.ticket.key.clone(), &about(true)).unwrap_err();
    assert!(matches!(again, fairdeal::peer::Unreachable::Refused { status: 409, .. }), "{again:?}");
    let nonsense = serde_json::json!({ "table": "x", "access": "y", "game": "chess", "seats": 99, "name": "" });
    assert_eq!(request(server.address, "POST", "/api/v1/private", None, Some(&nonsense)).unwrap().status, 400);
}

#[test]
fn a_players_own_computer_can_be_the_hub() {
    let data = tempfile::tempdir().unwrap();
    let database = format!("sqlite:{}", data.path().join("hub.sqlite").display());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let key = TableKey::new(random());
    let (end, ended) = tokio::sync::oneshot::channel::<()>();
    let (ticket, serving) = runtime.block_on(async {
        let store = server::store::Store::open(&database).await.unwrap();
        let making = server::private::Making {
            table: server::ids::PrivateId(key.table().0),
            access: key.access().public(),
            game: "holdem".to_owned(),
            seats: 2,
            name: "Ann's laptop".to_owned(),
            listed: false,
            knock: true,
        };
        let made = server::private::make(&store, making).await.unwrap();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = format!("http://{}", listener.local_addr().unwrap());
        let serving = tokio::spawn(server::private::serve(listener, store, async {
            let _ = ended.await;
        }));
        (Ticket { at, key, hub: made.hub }, serving)
    });
    let (mut ada, mut bob) = (Player::join(&ticket, 1), Player::join(&ticket, 2));
    ada.say(&act(1));
    settle(&mut ada, &mut bob, 3);
    assert_eq!(ada.head(), bob.head());
    // Nobody else's tables, and no pages of a lobby.
    let server = ticket.at.trim_start_matches("http://").parse().unwrap();
    assert_eq!(raw(server, "GET", "/", "", "").unwrap().status, 404);
    let other = create(&ticket.at.parse().unwrap(), TableKey::new(random()), &about(false));
    assert!(other.is_err(), "{other:?}");
    // When it stops, everybody is told, and comes back as soon as it is there again.
    end.send(()).unwrap();
    let mut told = std::iter::from_fn(|| ada.link.events().recv_timeout(PATIENCE).ok());
    let told = told.find(|event| !matches!(event, Event::Here(_)));
    assert_eq!(told, Some(Event::Lost(Why::Closing.to_string())));
    runtime.block_on(serving).unwrap();
}
