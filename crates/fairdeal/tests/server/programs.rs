//! Programs at a server: the API, bots over sockets, and operator commands.

use std::net::TcpStream;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest as _;
use tungstenite::{Message, WebSocket};

use dealers::house::{Commitments, Seed};
use table::Seat;
use table::record::{hex, unhex};

use super::http::request;
use super::process::{Server, free_address};

/// A bot at a table, over a socket.
pub(crate) struct Bot {
    socket: WebSocket<TcpStream>,
    /// The kinds of messages it was sent, in order.
    heard: Vec<String>,
    /// Messages that nobody has asked for yet.
    waiting: Vec<(String, Value)>,
}

impl Bot {
    pub(crate) fn sit(server: &Server, table: &str, key: &str) -> Self {
        Self::open(server, table, key, "")
    }

    fn open(server: &Server, table: &str, key: &str, query: &str) -> Self {
        let stream = TcpStream::connect(server.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let address = format!("ws://{}/api/v1/tables/{table}/play{query}", server.address);
        let mut request = address.into_client_request().unwrap();
        request.headers_mut().insert("Authorization", format!("Bearer {key}").parse().unwrap());
        let (socket, _) = tungstenite::client(request, stream).unwrap();
        Self { socket, heard: Vec::new(), waiting: Vec::new() }
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

    /// The next message of this kind; others are kept.
    fn hear_of(&mut self, kind: &str) -> Value {
        loop {
            if let Some(found) = self.waiting.iter().position(|(of, _)| of == kind) {
                return self.waiting.remove(found).1;
            }
            let message = self.hear();
            self.waiting.push(message);
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
                                // Nonsense is refused, and the bot may answer again.
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
fn a_bot_with_seeds_sees_all_commitments_before_it_reveals() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::without_limits(free_address(), data.path(), None);
    let (ada, bob) = (key(&server, "Ada"), key(&server, "Bob"));
    let new = json!({ "game": "blackout", "players": 3, "settings": { "max": 1 }, "sit": true, "seeds": true, "computers": ["easy"], "pace": 0 });
    let made = request(server.address, "POST", "/api/v1/tables", Some(&ada), Some(&new)).unwrap().json();
    let table = made["table"].as_str().unwrap().to_owned();
    let mut bots = [Bot::open(&server, &table, &ada, ""), Bot::open(&server, &table, &bob, "?seeds=true")];
    bots[0].answer(&json!({ "command": { "start": {} } }));
    let seed = |seat: usize| Seed { seed: [seat as u8 + 1; 32], nonce: [9; 32] };
    let mut lists = Vec::new();
    for asked in ["commitments", "seeds"] {
        for (n, bot) in bots.iter_mut().enumerate() {
            let body = bot.hear_of("seeds");
            assert_eq!((&body["asked"], &body["seat"], &body["deck"]), (&json!(asked), &json!(n), &json!(0)), "{body}");
            let session: [u8; 32] = unhex(body["session"].as_str().unwrap()).unwrap().try_into().unwrap();
            let seed = seed(n);
            let answer = if asked == "commitments" {
                assert!(body.get("commitments").is_none(), "{body}");
                let commitment = seed.commitment(&session, 0, Seat::new(n as u8).unwrap());
                json!({ "commit": { "deck": 0, "commitment": hex(&commitment.0) } })
            } else {
                let shown: Commitments = serde_json::from_value(body["commitments"].clone()).unwrap();
                assert_eq!(shown.seats.len(), 3);
                lists.push(shown.words(&session, 0));
                json!({ "reveal": { "deck": 0, "seed": hex(&seed.seed), "nonce": hex(&seed.nonce) } })
            };
            let what = answer.as_object().unwrap().keys().next().unwrap().clone();
            for how in ["taken", "already"] {
                // The last seed makes the deck, and then it is too late for anything.
                let how = if how == "already" && asked == "seeds" && n == 1 { "late" } else { how };
                bot.answer(&json!({ "command": answer }));
                assert_eq!(bot.hear_of("answered"), json!({ "deck": 0, "what": what, "how": how }));
            }
        }
    }
    assert_eq!(lists[0], lists[1], "both saw the same");
}

/// The example in `examples/seat.py`, started as `docs/bots.md` describes.
#[test]
fn a_program_that_keeps_the_commitments_can_check_the_record() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::without_limits(free_address(), data.path(), None);
    let (ada, bob) = (key(&server, "Ada"), key(&server, "Bob"));
    let new = json!({ "game": "blackout", "players": 3, "settings": { "max": 3 }, "sit": true, "seeds": true, "computers": ["easy"], "pace": 0 });
    let made = request(server.address, "POST", "/api/v1/tables", Some(&ada), Some(&new)).unwrap().json();
    let table = made["table"].as_str().unwrap();
    let commands = format!("/api/v1/tables/{table}/commands");
    let ask =
        |key: &str, body: Value| request(server.address, "POST", &commands, Some(key), Some(&body)).unwrap().status;
    assert_eq!(ask(&bob, json!({ "sit": { "seeds": true } })), 204);
    assert_eq!(ask(&ada, json!({ "start": {} })), 204);
    let example = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/seat.py");
    let seats = [(&ada, "ada.jsonl"), (&bob, "bob.jsonl")].map(|(key, file)| {
        let mut command = Command::new("python3");
        command.arg(&example).arg(format!("http://{}", server.address)).args([table, key]).arg(data.path().join(file));
        command.stderr(std::process::Stdio::piped()).spawn().unwrap()
    });
    for seat in seats {
        let ended = seat.wait_with_output().unwrap();
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    }
    let record = request(server.address, "GET", &format!("/tables/{table}/record"), Some(&ada), None).unwrap().body;
    std::fs::write(data.path().join("record.jsonl"), record).unwrap();
    let verify = |kept: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
        let out = command.current_dir(data.path()).args(["verify", "--kept", kept, "record.jsonl"]).output().unwrap();
        (out.status.code(), String::from_utf8(out.stdout).unwrap(), String::from_utf8(out.stderr).unwrap())
    };
    for file in ["ada.jsonl", "bob.jsonl"] {
        let (code, out, err) = verify(file);
        assert_eq!(code, Some(0), "{out}{err}");
        assert!(out.contains("all commitments are those that were kept before any seed was revealed"), "{out}");
        assert!(out.contains("words, the same for all who saw the same commitments"), "{out}");
    }
    // Commitments of another house do not match this record.
    let kept = std::fs::read_to_string(data.path().join("ada.jsonl")).unwrap();
    let house = kept.find("\"house\":\"").unwrap() + 9;
    let digit = if kept[house..].starts_with('0') { "1" } else { "0" };
    let changed = format!("{}{digit}{}", &kept[..house], &kept[house + 1..]);
    std::fs::write(data.path().join("changed.jsonl"), changed).unwrap();
    let (code, _, err) = verify("changed.jsonl");
    assert_eq!(code, Some(1), "{err}");
    assert!(err.contains("are not those kept before the seeds were revealed"), "{err}");
}

#[test]
fn operators_look_at_tables_while_a_server_is_running() {
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
    let listed = run(&["table", "list"]).1;
    let [heads, row] = listed.lines().collect::<Vec<_>>()[..] else { panic!("{listed}") };
    assert!(row.starts_with(id), "{listed}");
    for (head, word) in [("phase", "playing"), ("game", "blackout")] {
        assert_eq!(heads.find(head), row.find(word), "{listed}");
    }
    let shown: Value = serde_json::from_str(&run(&["table", "show", id, "--json"]).1).unwrap();
    assert_eq!(shown["game"], "blackout");
    assert_eq!(shown["settings"]["max"], 5);
    // Everybody has bid 1 in the first round; now it is time to play a card.
    assert_eq!(shown["view"]["phase"], "playing", "{shown}");
    let bids = shown["view"]["players"].as_array().unwrap().iter().map(|player| player["bid"].clone());
    assert_eq!(bids.collect::<Vec<_>>(), [json!(1), json!(1), json!(1)], "{shown}");
    // Looking at a table changes nothing there, and shows no hand.
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
    assert_eq!(run(&["database", "restore", copy.to_str().unwrap()]).0, Some(2), "not while a server is running");
    drop(server);
    let (code, out, err) = run(&["database", "restore", copy.to_str().unwrap()]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("The old database is in"), "{out}");
    assert!(run(&["table", "list"]).1.contains(id));
    assert_eq!(run(&["table", "show", "nonsense"]).0, Some(2));
    assert_eq!(run(&["table", "show", "0000000000000000"]).0, Some(2));
}
