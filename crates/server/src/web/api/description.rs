//! The API for programs, as OpenAPI. Request and response bodies are described in `schemas`.

use games::AnyGame;
use serde_json::{Value, json};

use super::schemas::schemas;

/// The description of the API of a server at this address.
pub(super) fn openapi(public: &str) -> Value {
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "fairdeal",
            "version": env!("CARGO_PKG_VERSION"),
            "license": { "name": "MIT OR Apache-2.0" },
            "description": "Card games over HTTP. Get a key at POST /api/v1/players and send it as Authorization: Bearer KEY. Anyone who has the key can act as that player. Every action names the height it answers; one that answers an old height is refused (409, error \"height\"), so nothing is ever done twice."
        },
        "servers": [{ "url": public }],
        "paths": paths(),
        "components": {
            "securitySchemes": { "key": { "type": "http", "scheme": "bearer" } },
            "schemas": schemas()
        }
    })
}

fn paths() -> Value {
    let id = json!({ "name": "id", "in": "path", "required": true, "description": "The table: 16 hexadecimal digits", "schema": { "type": "string", "pattern": "^[0-9a-f]{16}$" } });
    let code = json!({ "name": "code", "in": "path", "required": true, "description": "Six digits", "schema": { "type": "string", "pattern": "^[0-9]{6}$" } });
    let games: Vec<&str> = AnyGame::ALL.iter().map(|game| game.name()).collect();
    let game = json!({ "name": "game", "in": "query", "description": "Only this game", "schema": { "type": "string", "enum": games } });
    let before = json!({ "name": "before", "in": "query", "description": "The value of \"next\" in an earlier response", "schema": { "type": "string", "pattern": "^[0-9]{1,15}-[0-9a-f]{16}$" } });
    let seeds = json!({ "name": "seeds", "in": "query", "description": "Whether you will send seeds, if this seats you", "schema": { "type": "boolean", "default": false } });
    json!({
        "/api/v1/players": { "post": {
            "summary": "Become a player",
            "requestBody": body("NewPlayer"),
            "responses": responses(("201", answer("A new player; the key is shown only here", "Player")), &["400", "413", "429", "503"])
        } },
        "/api/v1/me": {
            "get": {
                "summary": "Your name and picture",
                "security": key(),
                "responses": responses(("200", answer("You", "Me")), &["401", "429", "503"])
            },
            "put": {
                "summary": "Change your name or picture",
                "description": "Also changes it at tables where you wait for a match to begin.",
                "security": key(),
                "requestBody": body("NewPlayer"),
                "responses": responses(("200", answer("You", "Me")), &["400", "401", "413", "429", "503"])
            }
        },
        "/api/v1/me/tables": { "get": {
            "summary": "Your unfinished tables",
            "security": key(),
            "responses": responses(("200", list("Up to 100 tables", "Listed")), &["401", "429", "503"])
        } },
        "/api/v1/me/history": { "get": {
            "summary": "Your finished matches, the latest first",
            "parameters": [game, before],
            "security": key(),
            "responses": responses(("200", answer("Up to 20 matches, and where the list continues", "History")), &["400", "401", "429", "503"])
        } },
        "/api/v1/me/statistics": { "get": {
            "summary": "Your finished matches, summed up per game",
            "security": key(),
            "responses": responses(("200", list("Every game you have played", "Statistics")), &["401", "429", "503"])
        } },
        "/api/v1/games": { "get": {
            "summary": "The games, how many can play, and their settings",
            "responses": responses(("200", list("All games", "Game")), &["429"])
        } },
        "/api/v1/quick": { "post": {
            "summary": "Sit down at a table that waits for players, or start a match with computers",
            "description": "Tables whose players are not there are skipped. If you already play this game against computers, or sit at a table of it with other people present, you get that table. Otherwise a match with computers begins.",
            "security": key(),
            "requestBody": body("Quick"),
            "responses": responses(("200", answer("Your table", "Which")), &["400", "401", "403", "413", "429", "503"])
        } },
        "/api/v1/tables": {
            "get": {
                "summary": "The listed open tables",
                "responses": responses(("200", list("Up to 200 tables", "Listed")), &["429", "503"])
            },
            "post": {
                "summary": "Create a table",
                "security": key(),
                "requestBody": body("NewTable"),
                "responses": responses(("201", answer("The table", "Made")), &["400", "401", "403", "413", "429", "503"])
            }
        },
        "/api/v1/tables/{id}": { "get": {
            "summary": "A table as you see it",
            "description": "view is what your seat sees, or the public view if you do not sit there; moves is what you can do now, as in docs/bots.md. 409 if the table was created under other rules than the server's.",
            "parameters": [id],
            "security": [{}, { "key": [] }],
            "responses": responses(("200", answer("The table", "Table")), &["404", "409", "429", "503"])
        } },
        "/api/v1/tables/{id}/commands": { "post": {
            "summary": "Sit, stand, start, act, choose, talk",
            "description": "One object with one key, the command. Answers 204 once it is stored.",
            "parameters": [id],
            "security": key(),
            "requestBody": body("Command"),
            "responses": responses(("204", json!({ "description": "Done and stored" })), &["400", "401", "403", "404", "409", "413", "429", "503"])
        } },
        "/api/v1/tables/{id}/hint": { "get": {
            "summary": "What a strong player would do in your place",
            "description": "In the language that Accept-Language prefers. command can be sent as it is.",
            "parameters": [id],
            "security": key(),
            "responses": responses(("200", answer("A move and its reasons", "Hint")), &["401", "404", "409", "429", "503"])
        } },
        "/api/v1/tables/{id}/again": { "post": {
            "summary": "A rematch of the same people",
            "description": "The first player to ask creates the table; the others get the same one. The match must be over.",
            "parameters": [id],
            "security": key(),
            "responses": responses(("200", answer("The next table", "Which")), &["401", "403", "404", "409", "429", "503"])
        } },
        "/api/v1/tables/{id}/record": { "get": {
            "summary": "The record of a match, with your own cards and those that everybody has seen",
            "description": "Lines of JSON, as in docs/record.md. Works during a match, too.",
            "parameters": [id],
            "security": [{}, { "key": [] }],
            "responses": responses(("200", json!({ "description": "The record", "content": { "application/jsonl": { "schema": { "type": "string" } } } })), &["404", "409", "429", "503"])
        } },
        "/api/v1/tables/{id}/play": { "get": {
            "summary": "A socket for a bot",
            "description": "A WebSocket with the messages of docs/bots.md, one per frame. Sits down in a free seat if you do not sit there yet.",
            "parameters": [id, seeds],
            "security": key(),
            "responses": responses(("101", json!({ "description": "The socket is open" })), &["400", "401", "403", "404", "409", "429", "503"])
        } },
        "/api/v1/private": { "post": {
            "summary": "Create a private table",
            "description": "A table whose entries the server cannot read: it only puts them in order. table and access follow from the table's key, which the server never gets. hub is the key that the server signs the order with; it belongs into the ticket. Members then connect to PATH/socket, a WebSocket with the frames of docs/peer.md. Nobody needs a player's key for that.",
            "requestBody": body("NewPrivate"),
            "responses": responses(("201", answer("The table", "MadePrivate")), &["400", "403", "409", "413", "429", "503"])
        } },
        "/api/v1/codes/{code}": { "get": {
            "summary": "The table with an invitation code",
            "description": "table if the house deals there; private if it is a private table, where you can knock.",
            "parameters": [code],
            "responses": responses(("200", answer("The table", "Found")), &["400", "404", "429", "503"])
        } }
    })
}

/// Only with a key.
fn key() -> Value {
    json!([{ "key": [] }])
}

/// The success response, and the failures.
fn responses((status, fine): (&str, Value), failed: &[&str]) -> Value {
    let failed = failed.iter().map(|status| ((*status).to_owned(), answer("Not done; the reason", "Error")));
    Value::Object(failed.chain([(status.to_owned(), fine)]).collect())
}

fn body(schema: &str) -> Value {
    json!({ "required": true, "content": { "application/json": { "schema": reference(schema) } } })
}

fn answer(about: &str, schema: &str) -> Value {
    json!({ "description": about, "content": { "application/json": { "schema": reference(schema) } } })
}

fn list(about: &str, schema: &str) -> Value {
    let list = json!({ "type": "array", "items": reference(schema) });
    json!({ "description": about, "content": { "application/json": { "schema": list } } })
}

fn reference(schema: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{schema}") })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::room::Command;

    /// The names a decoder's error message says it expected: the words in backticks after the first.
    fn expected(why: &str) -> BTreeSet<String> {
        why.split('`').skip(3).step_by(2).map(str::to_owned).collect()
    }

    #[test]
    fn every_route_is_described_and_nothing_else() {
        let source = include_str!("mod.rs");
        let mut routes = BTreeSet::new();
        for line in source.lines().filter_map(|line| line.trim().strip_prefix(".route(\"")) {
            let (path, methods) = line.split_once("\", ").unwrap();
            if path != "/api" && !path.contains('*') {
                for method in ["get", "post", "put", "delete", "patch"] {
                    if methods.contains(&format!("{method}(")) {
                        routes.insert(format!("{method} {path}"));
                    }
                }
            }
        }
        let paths = paths();
        let described = paths.as_object().unwrap().iter().flat_map(|(path, methods)| {
            methods.as_object().unwrap().keys().map(move |method| format!("{method} {path}"))
        });
        assert_eq!(described.collect::<BTreeSet<_>>(), routes);
        assert!(routes.len() >= 16, "{routes:?}");
    }

    #[test]
    fn every_command_is_described_with_its_fields_and_nothing_else() {
        let schemas = schemas();
        let described = schemas["Command"]["oneOf"].as_array().unwrap();
        let name = |command: &Value| command["required"][0].as_str().unwrap().to_owned();
        let why = serde_json::from_str::<Command>("{\"?\":{}}").unwrap_err().to_string();
        assert_eq!(described.iter().map(name).collect::<BTreeSet<_>>(), expected(&why), "{why}");
        for command in described {
            let (name, about) = (name(command), &command["properties"][name(command)]);
            let fields = about["properties"].as_object().cloned().unwrap_or_default();
            let fields: BTreeSet<String> = fields.keys().cloned().collect();
            let odd = json!({ name.as_str(): { "?": 1 } });
            let why = serde_json::from_value::<Command>(odd).unwrap_err().to_string();
            assert_eq!(fields, expected(&why), "{name}: {why}");
            // Without a required field it is refused, and with only those it is accepted.
            let required: BTreeSet<&str> =
                about["required"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
            let whole: serde_json::Map<String, Value> =
                required.iter().map(|field| ((*field).to_owned(), example(&about["properties"][field]))).collect();
            serde_json::from_value::<Command>(json!({ name.as_str(): whole }))
                .unwrap_or_else(|why| panic!("{name}: {why}"));
            for field in required {
                let mut less = whole.clone();
                less.remove(field);
                assert!(serde_json::from_value::<Command>(json!({ name.as_str(): less })).is_err(), "{name} {field}");
            }
        }
    }

    fn example(schema: &Value) -> Value {
        match schema["type"].as_str() {
            Some("integer") => json!(0),
            Some("boolean") => json!(true),
            Some("string") => json!("x"),
            _ => json!({}),
        }
    }
}
