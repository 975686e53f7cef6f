//! Hostile clients: their attacks are refused or contained, and the tables continue.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest as _;
use tungstenite::{Message, WebSocket};

use super::http::{is_closed, raw, request};
use super::players::Table;
use super::process::{Server, free_address};

/// A server with a table where a match is running.
struct Scene {
    server: Server,
    table: Table,
    _data: tempfile::TempDir,
}

impl Scene {
    fn new() -> Self {
        Self::of("blackout", &json!({ "max": 17 }))
    }

    fn of(game: &'static str, settings: &Value) -> Self {
        let data = tempfile::tempdir().unwrap();
        let server = Server::without_limits(free_address(), data.path(), None);
        let table = Table::begin(server.address, game, settings);
        Self { server, table, _data: data }
    }

    fn at(&self) -> SocketAddr {
        self.server.address
    }

    fn command(&self, key: &str, command: &Value) -> (u16, String) {
        let path = format!("/api/v1/tables/{}/commands", self.table.id);
        let answer = request(self.at(), "POST", &path, Some(key), Some(command)).unwrap();
        (answer.status, if answer.body.is_empty() { String::new() } else { answer.json()["error"].to_string() })
    }

    /// The table continues: people act and their actions arrive.
    fn goes_on(&mut self) {
        let before = self.table.accepted.len();
        for _ in 0..400 {
            self.table.step(&[self.server.address]).expect("the server answers");
            if self.table.accepted.len() > before + 3 {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("the table has stopped");
    }

    /// The seat whose turn it is, with its move and the height.
    fn turn(&mut self) -> (usize, Value, u64) {
        for _ in 0..400 {
            for seat in 0..2 {
                let state = self.table.state(self.server.address, seat).unwrap();
                let height = state["height"].as_u64().unwrap_or(0);
                if let Some(bid) = state["moves"].get("bid") {
                    return (seat, json!({ "bid": bid["least"] }), height);
                }
                if let Some(card) = state["moves"].get("play").and_then(|cards| cards.get(0)) {
                    return (seat, json!({ "play": card["slot"] }), height);
                }
                if state["phase"] == "between" {
                    self.table.step(&[self.server.address]).unwrap();
                }
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("it is nobody's turn");
    }

    fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.server.pid())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().split(' ').next().unwrap().parse().unwrap()
    }
}

#[test]
fn nobody_acts_for_another_or_twice_or_at_an_old_height() {
    let mut scene = Scene::new();
    let (seat, action, height) = scene.turn();
    let act = |height: u64| json!({ "act": { "height": height, "action": action } });
    let stranger = request(scene.at(), "POST", "/api/v1/players", None, Some(&json!({ "name": "Mallory" }))).unwrap();
    let stranger = stranger.json()["key"].as_str().unwrap().to_owned();
    let other = scene.table.keys[1 - seat].clone();
    let own = scene.table.keys[seat].clone();
    assert_eq!(scene.command(&stranger, &act(height)), (409, "\"not_seated\"".to_owned()));
    assert_eq!(scene.command(&other, &act(height)), (409, "\"not_asked\"".to_owned()));
    assert_eq!(scene.command(&own, &act(height + 1)), (409, "\"height\"".to_owned()));
    assert_eq!(scene.command(&"0".repeat(64), &act(height)), (409, "\"not_seated\"".to_owned()));
    assert_eq!(scene.command("nonsense", &act(height)).0, 401);
    // A seat named in the message is not part of this protocol.
    let forged = json!({ "act": { "height": height, "action": action, "seat": seat } });
    assert_eq!(scene.command(&stranger, &forged).0, 400);
    assert_eq!(scene.command(&own, &act(height)).0, 204);
    assert_eq!(scene.command(&own, &act(height)), (409, "\"height\"".to_owned()));
    scene.table.accepted.push((height, seat as u64, action.clone()));
    scene.goes_on();
    scene.table.check(scene.at());
}

#[test]
fn nonsense_and_enormous_messages_are_refused() {
    let mut scene = Scene::new();
    let key = scene.table.keys[0].clone();
    let path = format!("/api/v1/tables/{}/commands", scene.table.id);
    let head = format!("Authorization: Bearer {key}\r\nContent-Type: application/json\r\n");
    let deep = "[".repeat(60_000);
    for body in
        ["", "{", "null", "[]", "{\"act\":{}}", "{\"act\":1,\"stand\":{}}", "{\"say\":{\"text\":\"\"}}", &deep, "\u{0}"]
    {
        let answer = raw(scene.at(), "POST", &path, &head, body).unwrap();
        assert!((400..500).contains(&answer.status), "{body:.20}: {answer:?}");
    }
    // Too long: it may be cut off before it is read to its end.
    let long = format!("{{\"say\":{{\"text\":\"{}\"}}}}", "x".repeat(3 << 20));
    if let Ok(answer) = raw(scene.at(), "POST", &path, &head, &long) {
        assert!((400..500).contains(&answer.status), "{}", answer.status);
    }
    let header = format!("X-Long: {}\r\n", "x".repeat(1 << 20));
    if let Ok(answer) = raw(scene.at(), "GET", "/", &header, "") {
        assert!((400..500).contains(&answer.status), "{}", answer.status);
    }
    scene.goes_on();
}

#[test]
fn paths_lead_nowhere_else() {
    let mut scene = Scene::new();
    for path in [
        "/tables/../../../etc/passwd",
        "/assets/x/../../../Cargo.toml",
        "/assets/x/..%2f..%2fCargo.toml",
        "/assets/x/%2e%2e/table.js%00",
        "/tables/%00",
        "/tables/0000000000000000",
        "/tables/0000000000000000/socket",
        "/tables/0000000000000000/record",
        "/api/v1/tables/zzzz",
        "/api/v1/codes/12345",
        "/api/v1/codes/%F0%9F%98%80",
        "//",
        "/.git/config",
        &format!("/{}", "a".repeat(8000)),
    ] {
        let answer = raw(scene.at(), "GET", path, "", "").unwrap();
        assert!((400..500).contains(&answer.status), "{path:.60}: {}", answer.status);
        assert!(!answer.body.contains("[package]") && !answer.body.contains("root:"), "{path:.60}");
    }
    scene.goes_on();
}

/// Sends this as it is; returns the status of the response, and its text.
fn plain(at: SocketAddr, text: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(at).unwrap();
    // Shorter than the server itself would wait for the rest.
    stream.set_read_timeout(Some(Duration::from_secs(15))).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.unwrap_or_else(|| panic!("no answer to {text:?}: {answer:?}")), answer)
}

#[test]
fn requests_with_missing_or_repeated_headers_are_refused_at_once() {
    let scene = Scene::new();
    let get = |head: &str| plain(scene.at(), &format!("GET /new HTTP/1.1\r\n{head}Connection: close\r\n\r\n")).0;
    assert_eq!(get("Host: cards.example\r\n"), 200);
    assert_eq!(get(""), 400);
    assert_eq!(get("Host: cards.example\r\nHost: cards.example\r\n"), 400);
    assert_eq!(get("Host: cards.example\r\nHost: evil.example\r\n"), 400);
    // The server does not wait for a request that is too long.
    for (path, kind, length) in [
        ("/api/v1/players", "application/json", 65_537),
        ("/api/v1/players", "application/json", 99_999_999_999_u64),
        ("/join", "application/x-www-form-urlencoded", 32_769),
    ] {
        let head = format!("Host: x\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n");
        let (status, answer) = plain(scene.at(), &format!("POST {path} HTTP/1.1\r\n{head}\r\n{{"));
        assert_eq!(status, 413, "{path}: {answer}");
        assert!(!path.starts_with("/api/") || answer.contains("\"error\":\"too_long\""), "{answer}");
    }
}

#[test]
fn keys_and_numbers_may_be_written_as_common_libraries_do() {
    let scene = Scene::new();
    let key = &scene.table.keys[0];
    for scheme in ["Bearer", "bearer", "BEARER"] {
        let head = format!("Authorization: {scheme} {key}\r\nContent-Type: application/json\r\n");
        let answer = raw(scene.at(), "PUT", "/api/v1/me", &head, "{\"name\":\"Anna 7.0\",\"avatar\":7.0}").unwrap();
        assert_eq!(answer.status, 200, "{scheme}: {answer:?}");
        assert_eq!((answer.json()["avatar"].as_u64(), answer.json()["name"].as_str()), (Some(7), Some("Anna 7.0")));
    }
    let head = format!("Authorization: Bearer {key}\r\nContent-Type: application/json\r\n");
    for avatar in ["7.5", "7.0e9", "\"7.0\""] {
        let body = format!("{{\"name\":\"Anna\",\"avatar\":{avatar}}}");
        assert_eq!(raw(scene.at(), "PUT", "/api/v1/me", &head, &body).unwrap().status, 400, "{avatar}");
    }
}

#[test]
fn other_sites_can_neither_write_nor_open_sockets() {
    let mut scene = Scene::new();
    let key = &scene.table.keys[0];
    let at = scene.at();
    let cookie = format!("Cookie: fairdeal={key}\r\n");
    let commands = format!("/api/v1/tables/{}/commands", scene.table.id);
    let say = "{\"say\":{\"text\":\"hello\"}}";
    let json = "Content-Type: application/json\r\n";
    for origin in ["Origin: https://evil.example\r\n", "Origin: null\r\n", "Sec-Fetch-Site: cross-site\r\n", ""] {
        let answer = raw(at, "POST", &commands, &format!("{cookie}{json}{origin}"), say).unwrap();
        assert_eq!(answer.status, 403, "{origin:?}");
        let upgrade =
            "Upgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n";
        let socket = format!("/tables/{}/socket", scene.table.id);
        let answer = raw(at, "GET", &socket, &format!("{cookie}{upgrade}{origin}"), "").unwrap();
        assert_eq!(answer.status, 403, "{origin:?}");
    }
    let ours = format!("Origin: http://{at}\r\n");
    assert_eq!(raw(at, "POST", &commands, &format!("{cookie}{json}{ours}"), say).unwrap().status, 204);
    scene.goes_on();
}

#[test]
fn scripts_in_names_and_chat_are_only_text() {
    let scene = Scene::new();
    let at = scene.at();
    let evil = "<script>alert(1)</script>";
    let made = request(at, "POST", "/api/v1/players", None, Some(&json!({ "name": &evil[..24] }))).unwrap();
    assert_eq!(made.status, 201, "{made:?}");
    let key = made.json()["key"].as_str().unwrap().to_owned();
    let new = json!({ "game": "holdem", "players": 2, "sit": true, "listed": true });
    let table = request(at, "POST", "/api/v1/tables", Some(&key), Some(&new)).unwrap().json();
    let id = table["table"].as_str().unwrap();
    let say = json!({ "say": { "text": "\"><img src=x onerror=alert(1)>" } });
    assert_eq!(
        request(at, "POST", &format!("/api/v1/tables/{id}/commands"), Some(&key), Some(&say)).unwrap().status,
        204
    );
    for path in [format!("/tables/{id}"), "/".to_owned()] {
        let page = request(at, "GET", &path, Some(&key), None).unwrap();
        assert_eq!(page.status, 200, "{path}");
        assert!(!page.body.contains("<script>alert") && !page.body.contains("<img src=x"), "{path}");
        let policy = page.header("content-security-policy").expect("a policy");
        // WebAssembly may be compiled; text may not be evaluated.
        let policy = policy.replace(" 'wasm-unsafe-eval'", "");
        assert!(policy.contains("script-src 'self';") && !policy.contains("unsafe"), "{policy}");
    }
}

#[test]
fn a_client_that_does_not_read_holds_nobody_up() {
    let mut scene = Scene::new();
    let key = scene.table.keys[0].clone();
    let request = format!(
        "GET /tables/{}/socket HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {key}\r\nConnection: Upgrade\r\n\
         Upgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n",
        scene.table.id,
        scene.at()
    );
    let open = |at: SocketAddr| {
        let mut stream = TcpStream::connect(at).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut first = [0; 12];
        stream.read_exact(&mut first).unwrap();
        assert_eq!(&first, b"HTTP/1.1 101");
        stream
    };
    let deaf: Vec<TcpStream> = (0..super::count(50, 500)).map(|_| open(scene.at())).collect();
    for _ in 0..super::count(10, 100) {
        scene.goes_on();
    }
    // A frame that announces more than is allowed ends its socket, and nothing else.
    let mut stream = open(scene.at());
    stream.write_all(&[0x81, 0xff, 0, 0, 0, 0, 0x7f, 0, 0, 0, 1, 2, 3, 4]).unwrap();
    is_closed(&mut stream);
    scene.goes_on();
    let memory = scene.memory();
    assert!(memory < 400_000, "{memory} kB for {} who do not read", deaf.len());
}

#[test]
fn many_half_open_connections_do_not_stop_anybody() {
    let mut scene = Scene::new();
    allow_many_files();
    let many = super::count(1_000, 10_000);
    let mut open = Vec::new();
    for n in 0..many {
        let Ok(mut stream) = TcpStream::connect(scene.at()) else { break };
        if n % 2 == 0 {
            stream.write_all(b"GET / HTTP/1.1\r\nHost: half").unwrap();
        }
        open.push(stream);
    }
    assert!(open.len() > many as usize / 2, "{} connections", open.len());
    for _ in 0..5 {
        scene.goes_on();
    }
    eprintln!("{} half-open connections, {} kB", open.len(), scene.memory());
    // A client that has made no request for a while is disconnected.
    open.iter_mut().for_each(is_closed);
    scene.goes_on();
}

/// A browser's socket at a table.
struct Browser(WebSocket<TcpStream>);

impl Browser {
    fn open(scene: &Scene, key: &str) -> Self {
        let stream = TcpStream::connect(scene.at()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let address = format!("ws://{}/tables/{}/socket", scene.at(), scene.table.id);
        let mut request = address.into_client_request().unwrap();
        request.headers_mut().insert("Authorization", format!("Bearer {key}").parse().unwrap());
        Self(tungstenite::client(request, stream).unwrap().0)
    }

    /// The next message of this kind.
    fn hear(&mut self, kind: &str) -> Value {
        loop {
            let Message::Text(text) = self.0.read().unwrap() else { continue };
            let message: Value = serde_json::from_str(&text).unwrap();
            if let Some(body) = message.get(kind) {
                return body.clone();
            }
        }
    }

    fn is_refused(&mut self, message: &Value) {
        self.0.send(Message::text(message.to_string())).unwrap();
        assert!(self.hear("refused").as_str().is_some_and(|why| !why.is_empty()), "{message}");
    }
}

#[test]
fn old_repeated_and_foreign_clicks_are_refused_over_a_browsers_socket() {
    let mut scene = Scene::of("holdem", &json!({ "hand_limit": 500, "blind_every": 0, "starting_chips": 1_000_000 }));
    let height = |scene: &Scene| scene.table.state(scene.at(), 0).unwrap()["height"].as_u64().unwrap();
    let seat = loop {
        let asked = (0..2).find(|seat| !scene.table.state(scene.at(), *seat).unwrap()["moves"].is_null());
        match asked {
            Some(seat) => break seat,
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let now = height(&scene);
    let press = |height: u64| json!({ "press": { "key": "c", "height": height, "draft": null } });
    let place = |height: u64| json!({ "place": { "place": 0, "height": height, "draft": null } });
    let mut own = Browser::open(&scene, &scene.table.keys[seat]);
    let mut other = Browser::open(&scene, &scene.table.keys[1 - seat]);
    let mut stranger = Browser::open(&scene, &"ab".repeat(32));
    assert!(own.hear("parts")["parts"].to_string().contains("data-key=\\\"c\\\""), "there is a button for it");
    for wrong in [now + 1, now - 1, 0, u64::MAX] {
        own.is_refused(&press(wrong));
        own.is_refused(&place(wrong));
    }
    for right in [press(now), place(now)] {
        stranger.is_refused(&right);
    }
    other.is_refused(&press(now));
    assert_eq!(height(&scene), now, "nothing has happened");
    own.0.send(Message::text(press(now).to_string())).unwrap();
    while height(&scene) == now {
        std::thread::sleep(Duration::from_millis(5));
    }
    for old in [press(now), place(now)] {
        own.is_refused(&old);
        other.is_refused(&old);
    }
    scene.goes_on();
    scene.table.check(scene.at());
}

fn allow_many_files() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
}
