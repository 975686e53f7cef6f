//! What programs can ask for, as OpenAPI.

use games::AnyGame;
use serde_json::{Value, json};

use crate::room::AVATARS;

/// The description of the interface of a server at this address.
pub(super) fn openapi(public: &str) -> Value {
    let id = json!({ "name": "id", "in": "path", "required": true, "description": "The table: 16 hexadecimal digits", "schema": { "type": "string", "pattern": "^[0-9a-f]{16}$" } });
    let code = json!({ "name": "code", "in": "path", "required": true, "description": "Six digits", "schema": { "type": "string", "pattern": "^[0-9]{6}$" } });
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "fairdeal",
            "version": env!("CARGO_PKG_VERSION"),
            "license": { "name": "MIT OR Apache-2.0" },
            "description": "Card games over HTTP. Get a key at POST /api/v1/players and send it as Authorization: Bearer KEY. Whoever has the key is that player. Every action names the height it answers; one that answers an old height is refused (409, error \"height\"), so nothing is ever done twice."
        },
        "servers": [{ "url": public }],
        "paths": {
            "/api/v1/players": { "post": {
                "summary": "Become a player",
                "requestBody": body("NewPlayer"),
                "responses": { "201": answer("A new player; the key is shown only here", "Player"), "400": failed(), "429": failed() }
            } },
            "/api/v1/games": { "get": {
                "summary": "The games, how many can play, and what can be set",
                "responses": { "200": json_answer("All games", json!({ "type": "array", "items": { "$ref": "#/components/schemas/Game" } })) }
            } },
            "/api/v1/tables": {
                "get": {
                    "summary": "The open tables that are listed",
                    "responses": { "200": json_answer("Up to 200 tables", json!({ "type": "array", "items": { "$ref": "#/components/schemas/Listed" } })), "503": failed() }
                },
                "post": {
                    "summary": "Make a table",
                    "security": [{ "key": [] }],
                    "requestBody": body("NewTable"),
                    "responses": { "201": answer("The table", "Made"), "400": failed(), "401": failed(), "403": failed(), "429": failed(), "503": failed() }
                }
            },
            "/api/v1/tables/{id}": { "get": {
                "summary": "A table as you see it",
                "description": "view is what your seat sees, or everybody if you do not sit there; moves is what you can do now, as in docs/bots.md.",
                "parameters": [id],
                "security": [{}, { "key": [] }],
                "responses": { "200": answer("The table", "Table"), "404": failed(), "503": failed() }
            } },
            "/api/v1/tables/{id}/commands": { "post": {
                "summary": "Sit, stand, start, act, choose, talk",
                "description": "One object with one key, the command. Answers 204 once it is stored.",
                "parameters": [id],
                "security": [{ "key": [] }],
                "requestBody": body("Command"),
                "responses": { "204": { "description": "It is done and stored" }, "400": failed(), "401": failed(), "403": failed(), "404": failed(), "409": failed(), "429": failed(), "503": failed() }
            } },
            "/api/v1/tables/{id}/play": { "get": {
                "summary": "A socket for a bot",
                "description": "A WebSocket with the messages of docs/bots.md, one per frame. Sits down in a free seat if you do not sit there yet.",
                "parameters": [id],
                "security": [{ "key": [] }],
                "responses": { "101": { "description": "The socket is open" }, "400": failed(), "401": failed(), "403": failed(), "404": failed(), "409": failed() }
            } },
            "/api/v1/codes/{code}": { "get": {
                "summary": "The table with an invitation code",
                "parameters": [code],
                "responses": { "200": json_answer("The table", json!({ "type": "object", "required": ["table", "game", "phase"] })), "400": failed(), "404": failed(), "503": failed() }
            } }
        },
        "components": {
            "securitySchemes": { "key": { "type": "http", "scheme": "bearer" } },
            "schemas": schemas()
        }
    })
}

fn schemas() -> Value {
    let table = json!({ "type": "string", "pattern": "^[0-9a-f]{16}$" });
    let seat = json!({ "type": "integer", "minimum": 0, "maximum": 15 });
    let count = json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX });
    let height = json!({ "type": "integer", "minimum": 0, "maximum": u64::MAX });
    let hex = json!({ "type": "string", "pattern": "^[0-9a-f]{64}$" });
    let level = json!({ "type": "string", "enum": ["random", "easy", "normal", "hard"] });
    let one = |name: &str, inner: Value| json!({ "type": "object", "required": [name], "additionalProperties": false, "properties": { name: inner } });
    let nothing = json!({ "type": "object", "additionalProperties": false });
    let object = |required: &[&str], properties: Value| json!({ "type": "object", "required": required, "additionalProperties": false, "properties": properties });
    json!({
        "Error": { "type": "object", "required": ["error", "message"], "properties": { "error": { "type": "string", "description": "A word that stays the same" }, "message": { "type": "string" } } },
        "NewPlayer": object(&["name"], json!({ "name": { "type": "string", "minLength": 1, "maxLength": 24 }, "avatar": { "type": ["integer", "null"], "minimum": 1, "maximum": AVATARS - 1 } })),
        "Player": { "type": "object", "required": ["player", "key"], "properties": { "player": { "type": "string" }, "key": { "type": "string", "description": "Keep it secret" } } },
        "Game": { "type": "object", "required": ["name", "title", "about", "least_players", "most_players", "rules", "settings"] },
        "Listed": { "type": "object", "required": ["table", "code", "game", "phase", "seats"] },
        "NewTable": object(&["game", "players"], json!({
            "game": { "type": "string", "enum": AnyGame::ALL.iter().map(|game| game.name()).collect::<Vec<_>>() }, "players": { "type": "integer", "minimum": 1, "maximum": 16 },
            "settings": { "type": ["object", "null"], "description": "What is not named has its default" },
            "listed": { "type": "boolean", "default": false },
            "reveal": { "type": ["string", "null"], "enum": ["auto", "after_deal", "after_match", null], "description": "When the house publishes its seeds" },
            "pace": { "type": ["integer", "null"], "minimum": 0, "maximum": 4_294_967_295u32, "description": "Milliseconds that a computer waits before it moves" },
            "computers": { "type": "array", "items": level, "maxItems": 16, "description": "From the last seat on" },
            "sit": { "type": "boolean", "default": false, "description": "Sit down in the first seat" },
            "seeds": { "type": "boolean", "default": false, "description": "You will send seeds for every shuffle" }
        })),
        "Made": { "type": "object", "required": ["table", "code", "link"], "properties": { "table": table, "code": { "type": "string", "pattern": "^[0-9]{6}$" }, "link": { "type": "string" } } },
        "Table": { "type": "object", "required": ["table", "log", "game", "phase", "seats"], "properties": {
            "table": table, "log": { "type": "integer", "description": "How many entries the log has" }, "phase": { "enum": ["gathering", "playing", "between", "over"] },
            "height": { "type": "integer", "description": "What an action must name" }, "awaited": { "type": "array", "items": seat },
            "seat": { "type": ["integer", "null"], "description": "Where you sit" }
        } },
        "Command": { "oneOf": [
            one("sit", object(&[], json!({ "seat": { "type": ["integer", "null"], "minimum": 0, "maximum": 15 }, "seeds": { "type": "boolean" } }))),
            one("stand", nothing.clone()),
            one("computer", object(&["seat"], json!({ "seat": seat, "level": { "type": ["string", "null"], "enum": ["random", "easy", "normal", "hard", null] } }))),
            one("start", nothing.clone()),
            one("commit", object(&["deck", "commitment"], json!({ "deck": count, "commitment": hex }))),
            one("reveal", object(&["deck", "seed", "nonce"], json!({ "deck": count, "seed": hex, "nonce": hex }))),
            one("act", object(&["height", "action"], json!({ "height": height, "action": {} }))),
            one("choose", object(&["height", "choice"], json!({ "height": height, "choice": {} }))),
            one("ready", object(&["deal"], json!({ "deal": count }))),
            one("back", nothing),
            one("say", object(&["text"], json!({ "text": { "type": "string", "minLength": 1, "maxLength": 400 } })))
        ] }
    })
}

fn body(schema: &str) -> Value {
    json!({ "required": true, "content": { "application/json": { "schema": reference(schema) } } })
}

fn answer(about: &str, schema: &str) -> Value {
    json_answer(about, reference(schema))
}

fn json_answer(about: &str, schema: Value) -> Value {
    json!({ "description": about, "content": { "application/json": { "schema": schema } } })
}

fn failed() -> Value {
    answer("It was not done; why", "Error")
}

fn reference(schema: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{schema}") })
}
