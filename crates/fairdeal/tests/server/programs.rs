//! Programs at a server: the interface, bots over sockets, and what operators do beside it.

use std::net::TcpStream;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest as _;
use tungstenite::{Message, WebSocket};

use super::http::request;
use super::process::{Server, free_address};

/// A bot at a table, over a socket.
pub(crate) struct Bot {
    socket: WebSocket<TcpStream>,
    /// The kinds of messages it was sent, in order.
    heard: Vec<String>,
}

impl Bot {
    pub(crate) fn sit(server: &Server, table: &str, key: &str) -> Self {
        let stream = TcpStream::connect(server.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let address = format!("ws://{}/api/v1/tables/{table}/play", server.address);
        let mut request = address.into_client_request().unwrap();
        request.headers_mut().insert("Authorization", format!("Bearer {key}").parse().unwrap());
        let (socket, _) = tungstenite::client(request, stream).unwrap();
        Self { socket, heard: Vec::new() }
    }

    /// The next message, with its kind.
    pub(crate) fn hear(&mut self) -> (String, Value) {
        loop {
            let Message::Text(text) = self.socket.read().unwrap() else { continue };
            let message: Value = serde_json::from_str(&text).unwrap();
            let (kind, body) = message.as_object().unwrap().iter().next().unwrap();
            self.heard.push(kind.clone());
            return (kind.clone(), body.clone());
        }
    }

    pub(crate) fn answer(&mut self, answer: &Value) {
        self.socket.send(Message::text(answer.to_string())).unwrap();
    }
}

pub(crate) fn key(server: &Server, name: &str) -> String {
    let made = request(server.address, "POST", "/api/v1/players", None, Some(&json!({ "name": name }))).unwrap();
    made.json()["key"].as_str().unwrap().to_owned()
}

#[test]
fn two_bots_play_a_match_over_sockets() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::without_limits(free_address(), data.path(), None);
    let (ada, bob) = (key(&server, "Ada"), key(&server, "Bob"));
    let new = json!({ "game": "blackout", "players": 2, "settings": { "max": 3 }, "sit": true });
    let table = request(server.address, "POST", "/api/v1/tables", Some(&ada), Some(&new)).unwrap().json();
    let table = table["table"].as_str().unwrap().to_owned();
    let mut bots = [Bot::sit(&server, &table, &ada), Bot::sit(&server, &table, &bob)];
    bots[0].answer(&json!({ "command": { "start": {} } }));
    std::thread::scope(|scope| {
        for (n, bot) in bots.iter_mut().enumerate() {
            scope.spawn(move || {
                let mut refused = 0;
                loop {
                    let (kind, body) = bot.hear();
                    match kind.as_str() {
                        "ask" => {
                            let id = body["id"].as_u64().unwrap();
                            if n == 0 && refused == 0 {
                                // Nonsense is refused, and it may answer again.
                                bot.answer(&json!({ "id": id, "action": { "bid": 99 } }));
                                refused = id;
                                continue;
                            }
                            bot.answer(&answer(id, &body["moves"]));
                        }
                        "refused" => {
                            assert_eq!(body["id"].as_u64(), Some(refused), "{body}");
                            bot.answer(&json!({ "id": refused, "action": { "bid": 0 } }));
                        }
                        "over" => return,
                        _ => {}
                    }
                }
            });
        }
    });
    for bot in &bots {
        let count = |kind: &str| bot.heard.iter().filter(|heard| *heard == kind).count();
        assert_eq!((count("hello"), count("deal"), count("end"), count("over")), (1, 5, 5, 1), "{:?}", bot.heard);
        // Two bids and two cards for every trick: 1, 2, 3, 2, 1.
        assert_eq!(count("did"), 5 * 2 + 2 * 9, "{:?}", bot.heard);
    }
}

fn answer(id: u64, moves: &Value) -> Value {
    match moves.get("bid") {
        Some(bid) => json!({ "id": id, "action": { "bid": bid["least"] } }),
        None => json!({ "id": id, "action": { "play": moves["play"][0]["slot"] } }),
    }
}

#[test]
fn operators_look_at_tables_beside_a_running_server() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::without_limits(free_address(), data.path(), None);
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
        let out = command.args(args).arg("--data").arg(data.path()).output().unwrap();
        (out.status.code(), String::from_utf8(out.stdout).unwrap(), String::from_utf8(out.stderr).unwrap())
    };
    assert_eq!(run(&["table", "list"]).1, "There are no tables.\n");
    let made: Value = serde_json::from_str(&run(&["table", "quickstart", "--json"]).1).unwrap();
    let id = made["table"].as_str().unwrap();
    assert!(run(&["table", "list"]).1.contains(id));
    let shown: Value = serde_json::from_str(&run(&["table", "show", id, "--json"]).1).unwrap();
    assert_eq!(shown["game"], "blackout");
    assert_eq!(shown["settings"]["max"], 5);
    // Everybody has bet 1 in the first round; somebody plays a card now.
    assert_eq!(shown["view"]["phase"], "playing", "{shown}");
    let bids = shown["view"]["players"].as_array().unwrap().iter().map(|player| player["bid"].clone());
    assert_eq!(bids.collect::<Vec<_>>(), [json!(1), json!(1), json!(1)], "{shown}");
    // Whoever looks on does nothing there, and sees no hand.
    let logged = |shown: &Value| shown["entries"].clone();
    assert_eq!(logged(&serde_json::from_str(&run(&["table", "show", id, "--json"]).1).unwrap()), logged(&shown));
    let mut hidden = Vec::new();
    for player in made["players"].as_array().unwrap() {
        let key = player["key"].as_str();
        let seen = request(server.address, "GET", &format!("/api/v1/tables/{id}"), key, None).unwrap().json();
        hidden.extend(super::logs::cards(&seen["view"]["hand"]));
    }
    assert_eq!(hidden.len(), 3, "{hidden:?}");
    assert!(super::logs::cards(&shown).iter().all(|card| !hidden.contains(card)), "{shown}");
    // The server knows it too, and one of the three can play there.
    let key = made["players"][0]["key"].as_str().unwrap();
    let state = request(server.address, "GET", &format!("/api/v1/tables/{id}"), Some(key), None).unwrap().json();
    assert_eq!(state["seat"], 0, "{state}");
    let copy = data.path().join("copy.sqlite");
    assert_eq!(run(&["database", "backup", copy.to_str().unwrap()]).0, Some(0));
    assert_eq!(run(&["database", "backup", copy.to_str().unwrap()]).0, Some(2), "nothing is overwritten");
    assert_eq!(run(&["database", "restore", copy.to_str().unwrap()]).0, Some(2), "not while a server runs");
    drop(server);
    let (code, out, err) = run(&["database", "restore", copy.to_str().unwrap()]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("What was there is in"), "{out}");
    assert!(run(&["table", "list"]).1.contains(id));
    assert_eq!(run(&["table", "show", "nonsense"]).0, Some(2));
    assert_eq!(run(&["table", "show", "0000000000000000"]).0, Some(2));
}
