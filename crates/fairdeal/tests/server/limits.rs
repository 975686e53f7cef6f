//! Clients that want too much: each limit rejects the clients that exceed it, and nobody else.

use std::io::{Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::net::TcpSocket;

use super::http::{Answer, raw};
use super::process::{Server, free_address};

/// A server with these options that trusts this machine's `X-Forwarded-For` header.
pub(super) struct Limited {
    pub(super) server: Server,
    data: tempfile::TempDir,
}

/// A client at an address.
#[derive(Clone)]
pub(super) struct Client {
    server: SocketAddr,
    from: String,
    key: Option<String>,
}

impl Limited {
    pub(super) fn new(options: &[&str]) -> Self {
        let data = tempfile::tempdir().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
        command.env("RUST_LOG", "server=debug").stderr(std::fs::File::create(data.path().join("log")).unwrap());
        command.args(["serve", "--listen", &free_address().to_string(), "--data"]).arg(data.path()).args(options);
        Self { server: Server::of(command), data }
    }

    /// The server's log.
    pub(super) fn log(&self) -> String {
        std::fs::read_to_string(self.data.path().join("log")).unwrap()
    }

    /// The value of a counter.
    pub(super) fn counted(&self, name: &str) -> u64 {
        let text = raw(self.server.address, "GET", "/metrics", "", "").unwrap().body;
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("fairdeal_{name} ")));
        line.unwrap_or_else(|| panic!("{name}: {text}")).parse().unwrap()
    }

    /// A client at an address, without a key.
    pub(super) fn stranger(&self, from: &str) -> Client {
        Client { server: self.server.address, from: from.to_owned(), key: None }
    }

    /// A client at an address, with a key.
    pub(super) fn player(&self, from: &str) -> Client {
        let stranger = self.stranger(from);
        let made = stranger.send("POST", "/api/v1/players", &json!({ "name": "Mallory" }));
        assert_eq!(made.status, 201, "{made:?}");
        Client { key: made.json()["key"].as_str().map(str::to_owned), ..stranger }
    }
}

impl Client {
    pub(super) fn get(&self, path: &str) -> u16 {
        self.send("GET", path, &Value::Null).status
    }

    pub(super) fn send(&self, method: &str, path: &str, body: &Value) -> Answer {
        let key = self.key.as_ref().map(|key| format!("Authorization: Bearer {key}\r\n")).unwrap_or_default();
        let head = format!("X-Forwarded-For: {}\r\n{key}Content-Type: application/json\r\n", self.from);
        let body = if body.is_null() { String::new() } else { body.to_string() };
        raw(self.server, method, path, &head, &body).unwrap()
    }

    pub(super) fn table(&self) -> Answer {
        self.send("POST", "/api/v1/tables", &json!({ "game": "holdem", "players": 2, "sit": true }))
    }

    /// Opens a socket: the status of the response, and the connection.
    pub(super) fn socket(&self, path: &str) -> (String, TcpStream) {
        let mut stream = TcpStream::connect(self.server).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nX-Forwarded-For: {}\r\nAuthorization: Bearer {}\r\n\
             Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\
             Sec-WebSocket-Version: 13\r\n\r\n",
            self.server,
            self.from,
            self.key.as_deref().unwrap(),
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut first = [0; 12];
        stream.read_exact(&mut first).unwrap();
        (String::from_utf8_lossy(&first[9..]).into_owned(), stream)
    }
}

/// The path of a table's socket.
pub(super) fn at(table: &str) -> String {
    format!("/tables/{table}/socket")
}

/// Some requests get this status, then some are rejected, no matter how slow the machine is.
fn some_then_none(mut ask: impl FnMut() -> u16, fine: u16) {
    assert_eq!(ask(), fine);
    for _ in 0..1_000 {
        match ask() {
            429 => return,
            status => assert_eq!(status, fine),
        }
    }
    panic!("there is no limit");
}

#[test]
fn requests_from_one_address_are_limited() {
    let limited = Limited::new(&["--requests-per-second", "1"]);
    let eager = limited.stranger("198.51.100.1");
    some_then_none(|| eager.get("/new"), 200);
    assert_eq!(limited.stranger("198.51.100.2").get("/new"), 200);
}

#[test]
fn messages_from_one_player_are_limited_over_http_and_over_sockets() {
    let limited = Limited::new(&["--messages-per-second", "1", "--requests-per-second", "0"]);
    let (eager, other) = (limited.player("198.51.100.1"), limited.player("198.51.100.2"));
    let table = eager.table().json()["table"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/tables/{table}/commands");
    let say = json!({ "say": { "text": "hello" } });
    some_then_none(|| eager.send("POST", &path, &say).status, 204);
    assert_eq!(other.send("POST", &path, &say).status, 204);
    let (status, mut stream) = other.socket(&at(&table));
    assert_eq!(status, "101");
    is_told_that_it_sent_too_much(&mut stream, b"nonsense");
}

/// Sends something over a socket often enough; each message is answered.
fn is_told_that_it_sent_too_much(stream: &mut TcpStream, text: &[u8]) {
    for _ in 0..100 {
        // Masked with zeros.
        stream.write_all(&[0x81, 0x80 | u8::try_from(text.len()).unwrap(), 0, 0, 0, 0]).unwrap();
        stream.write_all(text).unwrap();
    }
    let mut heard = Vec::new();
    while !String::from_utf8_lossy(&heard).contains("Too many requests") {
        let mut some = [0; 4096];
        let count = stream.read(&mut some).expect("it is told that it sent too much");
        assert!(count > 0, "it is told, not closed");
        heard.extend_from_slice(&some[..count]);
    }
}

#[test]
fn hints_are_limited_more_than_other_messages() {
    let limited = Limited::new(&["--messages-per-second", "1000"]);
    let eager = limited.player("198.51.100.1");
    let table = eager.table().json()["table"].as_str().unwrap().to_owned();
    let (status, mut stream) = eager.socket(&at(&table));
    assert_eq!(status, "101");
    is_told_that_it_sent_too_much(&mut stream, b"{\"hint\":{}}");
}

#[test]
fn wrong_codes_from_one_address_are_limited_and_right_ones_are_not() {
    let limited = Limited::new(&["--requests-per-second", "0", "--wrong-codes-per-minute", "1"]);
    let owner = limited.player("198.51.100.1");
    let code = owner.table().json()["code"].as_str().unwrap().to_owned();
    let right = format!("/api/v1/codes/{code}");
    let wrong = if code == "000000" { "000001" } else { "000000" };
    let (guesser, friend) = (limited.player("198.51.100.2"), limited.player("198.51.100.3"));
    for _ in 0..50 {
        assert_eq!(friend.get(&right), 200);
        assert_eq!(friend.get(&format!("/join/{code}")), 303);
    }
    // A text that is not a code is not a guess.
    for _ in 0..50 {
        assert_eq!(guesser.get("/api/v1/codes/12345"), 400);
    }
    let mut ways = [format!("/api/v1/codes/{wrong}"), format!("/join/{wrong}")].into_iter().cycle();
    some_then_none(|| guesser.get(&ways.next().unwrap()), 404);
    assert_eq!(guesser.get(&right), 429, "otherwise the answer would reveal that it is right");
    let typed = raw(
        limited.server.address,
        "POST",
        "/join",
        "X-Forwarded-For: 198.51.100.2\r\nContent-Type: application/x-www-form-urlencoded\r\n",
        &format!("code={code}"),
    );
    assert_eq!(typed.unwrap().status, 429);
    assert_eq!(friend.get(&right), 200);
    assert_eq!(friend.get(&format!("/join/{wrong}")), 404);
}

#[test]
fn wrong_codes_from_a_wide_network_are_limited_and_others_find_their_tables() {
    let limited = Limited::new(&["--requests-per-second", "0"]);
    let owner = limited.player("198.51.100.1");
    let made = owner.table().json();
    let (code, table) = (made["code"].as_str().unwrap(), made["table"].as_str().unwrap());
    let right = format!("/api/v1/codes/{code}");
    let codes = (0..).map(|n| format!("{n:06}")).filter(|other| other != code);
    // Every guess comes from another network of one customer.
    let guess = |(n, code): (u32, String)| {
        let household = n % 256 * 256 + n / 256;
        limited.stranger(&format!("2001:db8:1:{household:x}::1")).get(&format!("/api/v1/codes/{code}"))
    };
    let answers: Vec<u16> = (0..400).zip(codes).map(guess).collect();
    let looked_up = answers.iter().filter(|status| **status == 404).count();
    assert!((80..200).contains(&looked_up), "{looked_up} of 400");
    assert_eq!(answers.iter().filter(|status| **status == 429).count(), 400 - looked_up);
    let inside = limited.stranger("2001:db8:1:ffff::1");
    assert_eq!(inside.get(&right), 429, "otherwise the answer would reveal that it is right");
    assert_eq!(inside.get(&format!("/tables/{table}")), 200, "an invitation link does not use the code");
    assert_eq!(limited.stranger("2001:db8:2::1").get(&right), 200, "others are not affected");
    assert_eq!(limited.counted("wrong_codes_total"), looked_up as u64);
    assert_eq!(limited.counted("codes_refused_total"), 400 - looked_up as u64 + 1);
    let log = limited.log();
    let lines: Vec<&str> = log.lines().filter(|line| line.contains("too many wrong codes")).collect();
    assert!(lines.len() == 1 && lines[0].contains("2001:db8:1::/48"), "{lines:?}");
}

#[test]
fn new_tables_from_one_address_are_limited_and_so_are_all_tables_in_use() {
    let limited = Limited::new(&["--tables-per-minute", "3"]);
    let (eager, other) = (limited.player("198.51.100.1"), limited.player("198.51.100.2"));
    some_then_none(|| eager.table().status, 201);
    assert_eq!(other.table().status, 201);

    let limited = Limited::new(&["--tables-per-minute", "0", "--max-tables", "2", "--requests-per-second", "0"]);
    let eager = limited.player("198.51.100.1");
    // Tables that do not exist do not count.
    for n in 0..20 {
        assert_eq!(eager.get(&format!("/api/v1/tables/{n:016x}")), 404);
    }
    for _ in 0..2 {
        let made = eager.table();
        assert_eq!(made.status, 201, "{made:?}");
        assert_eq!(eager.get(&format!("/tables/{}", made.json()["table"].as_str().unwrap())), 200);
    }
    let third = eager.table();
    assert_eq!((third.status, third.json()["error"].as_str()), (429, Some("too_many")));
}

/// A connection from another address of this machine.
fn connect(from: [u8; 4], to: SocketAddr) -> TcpStream {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let stream = runtime.block_on(async {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::new(IpAddr::V4(Ipv4Addr::from(from)), 0)).unwrap();
        socket.connect(to).await.unwrap().into_std().unwrap()
    });
    stream.set_nonblocking(false).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream
}

/// Makes a request over a kept connection; returns whether it is answered, not closed.
fn is_answered(stream: &mut TcpStream) -> bool {
    let mut heard = Vec::new();
    let mut byte = [0];
    if stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").is_err() {
        return false;
    }
    while !heard.ends_with(b"\r\n\r\nok\n") {
        if stream.read_exact(&mut byte).is_err() {
            return false;
        }
        heard.extend(byte);
    }
    heard.starts_with(b"HTTP/1.1 200")
}

#[test]
fn connections_from_one_address_are_limited() {
    // Not this machine, so that it is not trusted as a proxy.
    let elsewhere = "--trusted-proxy=192.0.2.1,192.0.2.128/25";
    let limited = Limited::new(&["--connections-per-address=5", "--requests-per-second=0", elsewhere]);
    let at = limited.server.address;
    let mut held: Vec<TcpStream> = (0..5).map(|_| connect([127, 0, 0, 2], at)).collect();
    assert!(held.iter_mut().all(is_answered));
    let mut sixth = connect([127, 0, 0, 2], at);
    assert!(!is_answered(&mut sixth));
    assert!(is_answered(&mut connect([127, 0, 0, 3], at)), "others are not affected");
    assert!(held.iter_mut().all(is_answered), "nor are earlier connections");
    held.pop();
    // The place is free again once the server has noticed.
    while !is_answered(&mut connect([127, 0, 0, 2], at)) {
        std::thread::yield_now();
    }
    // An untrusted header changes nothing.
    let told = raw(at, "GET", "/metrics", "X-Forwarded-For: 198.51.100.1\r\n", "").unwrap();
    assert_eq!(told.status, 200, "it still comes from here");
}

#[test]
fn sockets_from_one_address_and_from_one_player_are_limited() {
    let limited = Limited::new(&["--connections-per-address", "3"]);
    let (eager, other) = (limited.player("198.51.100.1"), limited.player("198.51.100.2"));
    let table = eager.table().json()["table"].as_str().unwrap().to_owned();
    let mut held: Vec<(String, TcpStream)> = (0..3).map(|_| eager.socket(&at(&table))).collect();
    assert!(held.iter().all(|(status, _)| status == "101"));
    let neighbour = Client { from: "198.51.100.1".to_owned(), ..other.clone() };
    assert_eq!(neighbour.socket(&at(&table)).0, "429", "the address has no more");
    let moved = Client { from: "198.51.100.3".to_owned(), ..eager.clone() };
    assert_eq!(moved.socket(&at(&table)).0, "429", "the player has no more");
    assert_eq!(other.socket(&at(&table)).0, "101");
    held.pop();
    while neighbour.socket(&at(&table)).0 != "101" {
        std::thread::yield_now();
    }
}

#[test]
fn proxies_may_be_named_in_the_configuration_file() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("fairdeal.toml");
    let config_text = config.to_str().unwrap();
    // Requests forwarded from elsewhere do not count as coming from this machine.
    for (proxy, believed) in [("127.0.0.0/8", true), ("192.0.2.1", false)] {
        std::fs::write(&config, format!("trusted-proxy = [\"{proxy}\", \"2001:db8::/32\"]\n")).unwrap();
        let limited = Limited::new(&["--config", config_text]);
        let status = limited.stranger("198.51.100.1").get("/metrics");
        assert_eq!(status, if believed { 404 } else { 200 }, "{proxy}");
    }
    std::fs::write(&config, "trusted-proxy = [\"proxy.example\"]\n").unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    let out = command.args(["serve", "--config", config_text, "--data"]).arg(folder.path()).output().unwrap();
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.code() == Some(2) && said.contains("trusted-proxy: \"proxy.example\""), "{said}");
}
