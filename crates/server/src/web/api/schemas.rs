//! The request and response bodies of the API, as JSON Schema.

use games::AnyGame;
use serde_json::{Value, json};
use table::{Game as _, MAX_SEATS};

use crate::room::{AVATARS, LONGEST_NAME, LONGEST_TEXT};

/// A text of visible characters.
const SHOWN: &str = r"^[^\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]*$";

/// All schemas, by name.
pub(super) fn schemas() -> Value {
    let mut all = going_in();
    if let (Some(all), Value::Object(out)) = (all.as_object_mut(), going_out()) {
        all.extend(out);
    }
    all
}

/// Request bodies. They may have no other fields.
fn going_in() -> Value {
    json!({
        "NewPlayer": exactly(&["name"], json!({
            "name": { "type": "string", "minLength": 1, "maxLength": LONGEST_NAME, "pattern": SHOWN, "description": "Not only spaces, and no invisible characters" },
            "avatar": { "type": ["integer", "null"], "minimum": 1, "maximum": AVATARS - 1 }
        })),
        "Quick": exactly(&["game"], json!({
            "game": game(),
            "seeds": { "type": "boolean", "default": false, "description": "You will send seeds for every shuffle" },
            "alone": { "type": "boolean", "default": false, "description": "With computers only" }
        })),
        "NewTable": new_table(),
        "NewPrivate": exactly(&["table", "access", "game", "seats", "name"], json!({
            "table": { "type": "string", "pattern": "^[0-9a-f]{64}$", "description": "The table's id" },
            "access": { "type": "string", "pattern": "^[0-9a-f]{64}$", "description": "The public key that checks who knows the ticket" },
            "game": game(),
            "seats": { "type": "integer", "minimum": 1, "maximum": MAX_SEATS, "description": "For the lobby" },
            "name": { "type": "string", "minLength": 1, "maxLength": LONGEST_NAME, "pattern": SHOWN, "description": "For the lobby" },
            "listed": { "type": "boolean", "default": false, "description": "Whether the lobby lists it while somebody is connected" },
            "knock": { "type": "boolean", "default": true, "description": "Whether people with the code, but without a ticket, may knock" }
        })),
        "Command": commands()
    })
}

fn new_table() -> Value {
    let level = json!({ "type": "string", "enum": ["random", "easy", "normal", "hard"] });
    let mut new = exactly(
        &["game", "players"],
        json!({
            "game": game(),
            "players": { "type": "integer", "minimum": 1, "maximum": MAX_SEATS },
            "settings": { "type": ["object", "null"], "description": "Settings that are left out follow the game's preset if it has one, otherwise they have their defaults" },
            "listed": { "type": "boolean", "default": false },
            "reveal": { "type": ["string", "null"], "enum": ["auto", "after_deal", "after_match", null], "description": "When the house publishes its seeds" },
            "pace": { "type": ["integer", "null"], "minimum": 0, "maximum": u32::MAX, "description": "How many milliseconds a computer waits before it moves; the house's pauses before it opens cards follow from it, and 0 means no pauses" },
            "hints": { "type": ["string", "null"], "enum": ["alone", "on", "off", null], "description": "Who may ask for hints: a player who is alone with computers (the default), everybody, or nobody. The other players see who used one" },
            "computers": { "type": "array", "items": level, "maxItems": MAX_SEATS, "description": "They fill the seats from the last one" },
            "sit": { "type": "boolean", "default": false, "description": "Sit down in the first seat" },
            "seeds": { "type": "boolean", "default": false, "description": "You will send seeds for every shuffle" }
        }),
    );
    // The number of players has a different range in every game.
    let ranges = AnyGame::ALL.iter().map(|game| {
        let range = games::with_game!(*game, G => G::PLAYERS);
        let range = json!({ "minimum": range.start(), "maximum": range.end() });
        json!({ "if": { "properties": { "game": { "const": game.name() } } }, "then": { "properties": { "players": range } } })
    });
    let ranges = ranges.collect();
    if let Some(new) = new.as_object_mut() {
        new.insert("allOf".to_owned(), ranges);
    }
    new
}

fn commands() -> Value {
    let seat = json!({ "type": "integer", "minimum": 0, "maximum": MAX_SEATS - 1 });
    let count = json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX });
    let height = json!({ "type": "integer", "minimum": 0, "maximum": u64::MAX });
    let hex = json!({ "type": "string", "pattern": "^[0-9a-f]{64}$" });
    let one = |name: &str, about: &str, required: &[&str], fields: Value| json!({ "type": "object", "description": about, "required": [name], "additionalProperties": false, "properties": { name: exactly(required, fields) } });
    json!({ "oneOf": [
        one("sit", "Sit down, in this seat or in any free one", &[], json!({ "seat": { "type": ["integer", "null"], "minimum": 0, "maximum": MAX_SEATS - 1 }, "seeds": { "type": "boolean" } })),
        one("stand", "Stand up; during the match, for good", &[], json!({})),
        one("free", "Free the seat of a player who does not come, before the match; for the owner only", &["seat"], json!({ "seat": seat })),
        one("computer", "Put a computer in a seat, or remove it; for the owner only", &["seat"], json!({ "seat": seat, "level": { "type": ["string", "null"], "enum": ["random", "easy", "normal", "hard", null] } })),
        one("start", "Start the match; for the owner only", &[], json!({})),
        one("commit", "Commit to a seed for a deck", &["deck", "commitment"], json!({ "deck": count, "commitment": hex })),
        one("reveal", "Reveal it, once you have stored everybody's commitments", &["deck", "seed", "nonce"], json!({ "deck": count, "seed": hex, "nonce": hex })),
        one("wake", "Send seeds again, after not answering or not sending any so far", &[], json!({})),
        one("act", "Act, when it is your turn", &["height", "action"], json!({ "height": height, "action": {} })),
        one("choose", "Choose in secret", &["height", "choice"], json!({ "height": height, "choice": {} })),
        one("ready", "Continue after a deal", &["deal"], json!({ "deal": count })),
        one("back", "Come back after being marked away", &[], json!({})),
        one("rename", "Use your current name and picture at this table", &[], json!({})),
        one("mute", "Mute a player at this table, or unmute them; for the owner only. Without a player: all spectators", &["muted"], json!({ "player": { "type": ["string", "null"], "pattern": "^[0-9a-f]{32}$" }, "muted": { "type": "boolean" } })),
        one("say", "Say something to everybody at the table", &["text"], json!({ "text": { "type": "string", "minLength": 1, "maxLength": LONGEST_TEXT, "pattern": SHOWN } }))
    ] })
}

/// Response bodies. More fields may be added later.
fn going_out() -> Value {
    let table = json!({ "type": "string", "pattern": "^[0-9a-f]{16}$" });
    let code = json!({ "type": "string", "pattern": "^[0-9]{6}$" });
    let player = json!({ "type": "string", "pattern": "^[0-9a-f]{32}$" });
    let text = json!({ "type": "string" });
    let whole = json!({ "type": "integer" });
    let millis = json!({ "type": "integer", "description": "Milliseconds since 1970" });
    let phase = json!({ "type": "string", "enum": ["gathering", "playing", "over"] });
    json!({
        "Error": among(&["error", "message"], json!({ "error": { "type": "string", "description": "A code that never changes" }, "message": text })),
        "Player": among(&["player", "key"], json!({ "player": player, "key": { "type": "string", "pattern": "^[0-9a-f]{64}$", "description": "Keep it secret" } })),
        "Me": among(&["player", "name", "avatar"], json!({ "player": player, "name": text, "avatar": whole })),
        "Which": among(&["table"], json!({ "table": table })),
        "Found": among(&["game"], json!({
            "table": table, "game": game(), "phase": phase,
            "private": { "type": "string", "pattern": "^[0-9a-f]{64}$" }, "name": text, "seats": whole
        })),
        "MadePrivate": among(&["hub", "code", "path"], json!({
            "hub": { "type": "string", "pattern": "^[0-9a-f]{64}$", "description": "The hub's public key" },
            "code": { "type": ["string", "null"], "pattern": "^[0-9]{6}$", "description": "For people who knock" },
            "path": { "type": "string", "description": "The table's address at this server" }
        })),
        "Made": among(&["table", "code", "link"], json!({ "table": table, "code": code, "link": { "type": "string", "description": "For people" } })),
        "Game": among(&["name", "title", "about", "least_players", "most_players", "rules", "settings"], json!({
            "name": game(), "title": text, "about": text, "least_players": whole, "most_players": whole,
            "rules": { "type": "integer", "description": "The version of the rules" },
            "settings": { "type": "array", "items": among(&["name", "about", "default", "range"], json!({
                "name": text, "about": text, "default": { "type": "string", "description": "As text" }, "range": {},
                "follows": { "type": "string", "description": "The preset that sets it if it is not given" }
            })) }
        })),
        "Listed": among(&["table", "code", "game", "phase", "seats", "seconds", "created_at"], json!({
            "table": table, "code": code, "game": game(), "phase": phase, "created_at": millis,
            "seconds": { "type": "integer", "description": "Per move; 0 means no limit" },
            "seats": { "type": "array", "items": { "oneOf": [{ "type": "null" }, among(&["name", "avatar"], json!({
                "name": text, "avatar": whole, "computer": { "type": "string", "description": "Its level, if it is one" }
            }))] } }
        })),
        "Table": seen(),
        "Hint": among(&["what", "why", "command"], json!({
            "what": text, "why": { "type": "array", "items": text },
            "command": { "oneOf": [{ "type": "null" }, { "$ref": "#/components/schemas/Command" }] }
        })),
        "Statistics": among(&["game", "matches", "won", "shared", "deals", "total", "mean_place"], json!({
            "game": text, "matches": whole, "won": { "type": "integer", "description": "Matches won outright" },
            "shared": { "type": "integer", "description": "Matches with a shared first place" }, "deals": whole,
            "total": { "type": "integer", "description": "Sum of chips or points over all matches" }, "mean_place": { "type": "number" }
        })),
        "History": among(&["matches", "next"], json!({
            "next": { "type": ["string", "null"], "description": "Where the list continues, if it does" },
            "matches": { "type": "array", "items": among(&["table", "game", "over_at", "deals", "seat", "seats"], json!({
                "table": table, "game": text, "over_at": millis, "deals": whole, "seat": { "type": "integer", "description": "Your seat" },
                "seats": { "type": "array", "items": among(&["name", "place", "total", "computer"], json!({
                    "name": text, "place": whole, "total": whole, "computer": { "type": "boolean", "description": "No person was in this seat at the end" }
                })) }
            })) }
        }))
    })
}

/// A table as a player sees it.
fn seen() -> Value {
    let table = json!({ "type": "string", "pattern": "^[0-9a-f]{16}$" });
    let seat = json!({ "type": "integer", "minimum": 0, "maximum": MAX_SEATS - 1 });
    let numbers = json!({ "type": "array", "items": { "type": "integer" } });
    let chair = among(
        &["name", "player", "computer", "left", "hints"],
        json!({
            "name": { "type": "string" }, "player": { "type": ["string", "null"] },
            "computer": { "type": ["string", "null"], "description": "Its level, if it is one" },
            "left": { "type": "boolean", "description": "Whether a player left the match here" },
            "hints": { "type": "integer", "description": "The number of hints this seat was given in the match" }
        }),
    );
    let begun = "Once the match has begun. ";
    let required =
        ["table", "log", "game", "rules", "settings", "phase", "seats", "seat", "session", "next_table", "hints"];
    among(
        &required,
        json!({
            "table": table, "log": { "type": "integer", "description": "The number of log entries" },
            "game": game(), "rules": { "type": "integer" }, "settings": { "type": "object" },
            "phase": { "type": "string", "enum": ["gathering", "playing", "between", "over"] },
            "seats": { "type": "array", "items": { "oneOf": [{ "type": "null" }, chair] } },
            "seat": { "type": ["integer", "null"], "description": "Your seat" },
            "session": { "type": "string", "description": "Bound into all evidence" },
            "next_table": { "type": ["string", "null"], "description": "The table of the next match" },
            "hints": { "type": "boolean", "description": "Whether you may ask for hints" },
            "deal": { "type": "integer", "description": format!("{begun}The deal on the table, or the next one") },
            "height": { "type": "integer", "description": format!("{begun}The height that an action must name") },
            "awaited": { "type": "array", "items": seat, "description": format!("{begun}The seats the table waits for") },
            "seeds": { "oneOf": [{ "type": "null" }, among(&["deck", "asked"], json!({ "deck": { "type": "integer" }, "asked": { "type": "string", "enum": ["commitments", "seeds"] }, "commitments": commitments() }))] },
            "silent": { "type": "boolean", "description": format!("{begun}You did not answer, so you are no longer asked for seeds; \"wake\" changes that") },
            "due_at": { "type": ["integer", "null"], "description": format!("{begun}When something happens automatically") },
            "standing": among(&["total", "place", "over"], json!({ "total": numbers, "place": numbers, "over": { "type": "boolean" } })),
            "last_outcome": { "type": ["object", "null"], "description": format!("{begun}How the last deal ended") },
            "view": { "type": "object", "description": format!("{begun}What you see, as in docs/bots.md") },
            "moves": { "description": format!("{begun}Your legal moves, as in docs/bots.md; null if it is not your turn") }
        }),
    )
}

/// Everybody's commitments for a deck.
fn commitments() -> Value {
    let hash = json!({ "type": "string", "pattern": "^[0-9a-f]{64}$" });
    let why = json!({ "type": "string", "enum": ["no_commitment", "no_seed", "mismatch", "computer", "silent", "declined", "gone"] });
    let pledge = json!({ "oneOf": [among(&["commitment"], json!({ "commitment": hash })), among(&["left_out"], json!({ "left_out": why }))] });
    let all = json!({
        "publish": { "type": "string", "enum": ["never", "after_deal", "after_match"] }, "house": hash,
        "seats": { "type": "array", "items": pledge, "description": "From seat 0" }
    });
    let mut all = among(&["publish", "house", "seats"], all);
    if let Some(all) = all.as_object_mut() {
        all.insert("type".to_owned(), json!(["object", "null"]));
        all.insert("description".to_owned(), json!("Store it before you reveal your seed: docs/bots.md"));
    }
    all
}

fn game() -> Value {
    json!({ "type": "string", "enum": AnyGame::ALL.iter().map(|game| game.name()).collect::<Vec<_>>() })
}

/// An object with these properties and no others.
fn exactly(required: &[&str], properties: Value) -> Value {
    json!({ "type": "object", "required": required, "additionalProperties": false, "properties": properties })
}

/// An object that has at least these properties.
fn among(required: &[&str], properties: Value) -> Value {
    json!({ "type": "object", "required": required, "properties": properties })
}
