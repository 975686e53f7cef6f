//! A server's log at the finest level: everything that operators need, and nothing that is secret.

use std::process::Command;

use dealers::house::Seed;
use serde_json::{Value, json};
use table::Seat;
use table::record::{hex, unhex};

use super::http::request;
use super::process::{Server, free_address};
use super::programs::{Bot, key};

/// Whether it is a card, as everything here writes them.
fn is_card(word: &str) -> bool {
    matches!(word.as_bytes(), [rank, suit] if b"23456789TJQKA".contains(rank) && b"CDHS".contains(suit))
}

/// All cards in a response.
pub(crate) fn cards(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) if is_card(text) => vec![text.clone()],
        Value::Array(all) => all.iter().flat_map(cards).collect(),
        Value::Object(all) => all.values().flat_map(cards).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn no_key_code_seed_or_card_ever_gets_into_the_log() {
    let data = tempfile::tempdir().unwrap();
    let path = data.path().join("log");
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    command.env("RUST_LOG", "trace").stderr(std::fs::File::create(&path).unwrap());
    command.args(["serve", "--listen", &free_address().to_string(), "--data"]).arg(data.path());
    command.args(["--requests-per-second", "0", "--messages-per-second", "0", "--tables-per-minute", "3"]);
    let mut server = Server::of(command);
    let (ada, bob) = (key(&server, "Ada"), key(&server, "Bob"));
    let ask = |method: &str, path: &str, body: Value| {
        request(server.address, method, path, Some(&ada), (!body.is_null()).then_some(&body)).unwrap()
    };
    let new = json!({
        "game": "holdem", "players": 3, "settings": { "hand_limit": 10 }, "sit": true, "seeds": true,
        "computers": ["easy"], "pace": 0, "hints": "on",
    });
    let made = ask("POST", "/api/v1/tables", new.clone()).json();
    assert_eq!(ask("POST", "/api/v1/tables", new).status, 429, "the fourth in a minute, after two players");
    let (table, code) = (made["table"].as_str().unwrap(), made["code"].as_str().unwrap());
    let (path_of, commands) = (format!("/api/v1/tables/{table}"), format!("/api/v1/tables/{table}/commands"));
    let mut bot = Bot::sit(&server, table, &bob);
    assert_eq!(ask("POST", &commands, json!({ "start": {} })).status, 204);
    let state = ask("GET", &path_of, json!(null)).json();
    let session: [u8; 32] = unhex(state["session"].as_str().unwrap()).unwrap().try_into().unwrap();
    let seed = Seed { seed: [0xab; 32], nonce: [0xcd; 32] };
    // Ada adds a seed to every shuffle.
    let mix = |state: &Value| {
        let deck = state["seeds"]["deck"].as_u64().unwrap();
        let commitment = hex(&seed.commitment(&session, u32::try_from(deck).unwrap(), Seat::new(0).unwrap()).0);
        let order = if state["seeds"]["asked"] == "commitments" {
            json!({ "commit": { "deck": deck, "commitment": commitment } })
        } else {
            json!({ "reveal": { "deck": deck, "seed": hex(&seed.seed), "nonce": hex(&seed.nonce) } })
        };
        assert_eq!(ask("POST", &commands, order).status, 204, "{state}");
        commitment
    };
    let commitment = mix(&state);
    // Nonsense that names cards and seeds is refused without being repeated.
    assert_eq!(ask("POST", &commands, json!({ "act": { "height": 0, "action": { "AH": "KD" } } })).status, 409);
    let again = json!({ "reveal": { "deck": 9, "seed": hex(&seed.seed), "nonce": hex(&seed.nonce) } });
    assert_eq!(ask("POST", &commands, again).status, 409);
    let mut seen = Vec::new();
    for _ in 0..2000 {
        let state = ask("GET", &path_of, json!(null)).json();
        seen.extend(cards(&state));
        if state["phase"] != "playing" {
            break;
        }
        if state["awaited"] == json!([0]) && state["seeds"].is_object() {
            mix(&state);
        } else if state["awaited"] == json!([0]) {
            let hint = ask("GET", &format!("{path_of}/hint"), json!(null));
            assert_eq!(hint.status, 200, "{hint:?} {state}");
            let action = if state["moves"]["can_check"] == json!(true) { "check" } else { "call" };
            ask("POST", &commands, json!({ "act": { "height": state["height"], "action": action } }));
        } else if state["awaited"] == json!([1]) {
            let (kind, body) = bot.hear();
            if kind == "ask" {
                let action = if body["moves"]["can_check"] == json!(true) { "check" } else { "call" };
                bot.answer(&json!({ "id": body["id"], "action": action }));
            }
        }
    }
    assert!(seen.len() > 7, "{seen:?}");
    server.stop();
    let log = std::fs::read_to_string(&path).unwrap();
    for line in ["started", "table created", "match started", "refused", "limited", "ended"] {
        assert!(log.contains(line), "{line}: {log}");
    }
    let tag = table.parse::<server::ids::TableId>().unwrap().tag();
    assert!(log.contains(&tag) && log.contains("SQLite"), "{log}");
    assert!(!log.contains(table), "anyone who knows the id of a private table can go there");
    for secret in [&ada, &bob, &hex(&seed.seed), &hex(&seed.nonce), &commitment, &hex(&session)] {
        assert!(!log.contains(secret.as_str()), "{secret}");
    }
    let house = secret(data.path(), table);
    assert!(house.len() == 64 && !log.contains(&house));
    for word in log.split(|c: char| !c.is_ascii_alphanumeric()) {
        assert!(word != code && !is_card(word), "{word} in {log}");
    }
}

#[test]
fn a_table_of_an_unknown_game_is_named_once() {
    let data = tempfile::tempdir().unwrap();
    let path = data.path().join("log");
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    command.stderr(std::fs::File::create(&path).unwrap());
    command.args(["serve", "--listen", &free_address().to_string(), "--data"]).arg(data.path());
    let mut server = Server::of(command);
    let ada = key(&server, "Ada");
    let new = json!({ "game": "holdem", "players": 2, "listed": true, "sit": true });
    let made = request(server.address, "POST", "/api/v1/tables", Some(&ada), Some(&new)).unwrap().json();
    let table = made["table"].as_str().unwrap();
    let listed = || request(server.address, "GET", "/api/v1/tables", Some(&ada), None).unwrap().json().to_string();
    assert!(listed().contains(table));
    in_database(data.path(), "UPDATE tables SET game = 'tarot' WHERE id = $1 RETURNING game", table);
    assert!(!listed().contains(table) && !listed().contains(table));
    server.stop();
    let log = std::fs::read_to_string(&path).unwrap();
    assert_eq!(log.matches("unknown game").count(), 1, "{log}");
    assert!(!log.contains(table), "{log}");
}

/// The house's secret for a table.
fn secret(data: &std::path::Path, table: &str) -> String {
    in_database(data, "SELECT secret FROM tables WHERE id = $1", table)
}

/// What this statement about a table gives in the database of a server.
fn in_database(data: &std::path::Path, sql: &'static str, table: &str) -> String {
    use sqlx::Connection as _;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let address = format!("sqlite:{}", data.join("fairdeal.sqlite").display());
        let mut database = sqlx::SqliteConnection::connect(&address).await.unwrap();
        let row: (String,) = sqlx::query_as(sql).bind(table).fetch_one(&mut database).await.unwrap();
        row.0
    })
}
