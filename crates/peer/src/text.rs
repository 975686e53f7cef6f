//! What was said at a private table, as lines that a person can read: the messages of the Geogram card games.
//!
//! | verb | line |
//! |---|---|
//! | join | `CARD_GAME_INVITE:<game>` by the host, `CARD_GAME_JOIN` by others, and `JOIN_INFO:<npub>:<callsign>` |
//! | start | `GAME_READY` |
//! | stand | `HUB_STAND:<address>`; a change of the hub is `HUB_CHANGE:<number>:<callsign>` |
//! | seed hash, seed | `SEED_HASH:<hash>`, `SEED_REVEAL:<seed>`; `START_GAME` once all are open |
//! | keys, shuffle, shares, show | `KEY`, `SHUFFLE_STEP:<deck>`, `REVEAL_TOKEN:<height>`, `REVEAL:<callsign>:<slots>` |
//! | act, choice | `ACTION`, `BET_COMMIT`, `BET`, `DRAW`, `MELD`, `LAYOFF`, `SWAP`, `DISCARD` |
//! | overdue, leave, here | `PING:<callsign>`, `LEAVE`, `PING` |
//! | sign | `RESULT_SIG:<callsign>:<signature>` |
//! | again | `CARD_GAME_INVITE:<game>`, without the ticket, which is a secret |
//!
//! Cards on the wire are slots (`deck.index`), never faces: who wrote a line need not have known the face.

use dealers::joint;
use results::{Callsign, game_name};
use serde_json::Value;
use table::record::hex;

use crate::body::Body;
use crate::change::Roster;
use crate::lobby::Lobby;
use crate::member::{Heard, Member};
use crate::record::Record;

/// One line of a readable log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The height of the log before it.
    pub height: u64,
    /// The hub's clock, in milliseconds since 1970.
    pub clock: u64,
    /// Who said it: their callsign, or their number if they never introduced themselves.
    pub who: String,
    /// What they said.
    pub text: String,
}

/// The log as lines, up to the first entry that is not the next one.
pub fn lines(record: &Record) -> Vec<Line> {
    let mut reader = Member::new(record.key.clone(), record.key.access(), record.hub);
    let mut lobby = Lobby::new(record.key.table(), record.hub);
    let mut lines = Vec::new();
    for entry in &record.entries {
        let Ok(heard) = reader.hear(entry) else { break };
        if let Some(change) = &heard.change {
            let who = callsign(&lobby, &heard);
            let text = format!("HUB_CHANGE:{}:{who}", change.number);
            lines.push(Line { height: change.head.height, clock: heard.clock, who, text });
            continue;
        }
        let key = reader.chain().member(heard.number).copied();
        let before = lobby.joined().is_empty();
        let begins = key.zip(heard.body.as_ref()).and_then(|(key, body)| lobby.take(heard.number, &key, body).ok());
        let who = callsign(&lobby, &heard);
        let mut say = |text: String| {
            lines.push(Line { height: heard.head.height - 1, clock: heard.clock, who: who.clone(), text });
        };
        match &heard.body {
            None => say("?".to_owned()),
            Some(body) => of_body(body, &who, before, &lobby).into_iter().for_each(&mut say),
        }
        if let Some(Some(begun)) = begins {
            say("START_GAME".to_owned());
            reader.begin(Roster::of(&begun));
        }
    }
    lines
}

fn callsign(lobby: &Lobby, heard: &Heard) -> String {
    let joined = lobby.joined().get(&heard.number);
    joined.map_or_else(|| format!("#{}", heard.number), |joined| Callsign::of_player(&joined.join.identity).to_string())
}

fn of_body(body: &Body, who: &str, first: bool, lobby: &Lobby) -> Vec<String> {
    let name = |number: u8| {
        let joined = lobby.joined().get(&number);
        joined.map_or_else(|| format!("#{number}"), |joined| Callsign::of_player(&joined.join.identity).to_string())
    };
    match body {
        Body::Join(join) => {
            let join_info = format!("JOIN_INFO:{}:{who}", join.identity.npub());
            vec![if first { "CARD_GAME_INVITE".to_owned() } else { "CARD_GAME_JOIN".to_owned() }, join_info]
        }
        Body::Stand { at, .. } => vec![format!("HUB_STAND:{at}")],
        Body::Start(start) => vec![format!("GAME_READY:{}:{}", game_name(start.game), start.seats.len())],
        Body::SeedHash { hash, .. } => vec![format!("SEED_HASH:{}", hex(hash))],
        Body::Seed(seed) => vec![format!("SEED_REVEAL:{}", hex(seed))],
        Body::Dealing { set, message } => vec![of_dealing(*set, message, who)],
        Body::Act { action, .. } => {
            let action = serde_json::from_slice(action).unwrap_or(Value::Null);
            vec![of_action(&action, who)]
        }
        Body::Overdue { who, .. } => vec![format!("PING:{}", name(*who))],
        Body::Leave => vec!["LEAVE".to_owned()],
        Body::Here => vec!["PING".to_owned()],
        Body::Abandon => vec!["ABANDON".to_owned()],
        Body::Sign { result, .. } => vec![format!("RESULT_SIG:{who}:{}", hex(&result.0))],
        // The ticket is a secret.
        Body::Again(_) => vec![invitation(lobby)],
    }
}

/// An invitation to the game that was started at this table.
fn invitation(lobby: &Lobby) -> String {
    let game = lobby.offered().map(|offered| game_name(offered.start.game));
    game.map_or_else(|| "CARD_GAME_INVITE".to_owned(), |game| format!("CARD_GAME_INVITE:{game}"))
}

fn of_dealing(set: u32, message: &joint::Message, who: &str) -> String {
    match (&message.body, message.place) {
        (joint::Body::Show { slots, .. }, _) => {
            let slots: Vec<String> = slots.iter().map(ToString::to_string).collect();
            format!("REVEAL:{who}:{}", slots.join(","))
        }
        (joint::Body::Commit(hash), _) => format!("BET_COMMIT:{who}:{}", hex(hash)),
        (joint::Body::Reveal { choice, .. } | joint::Body::Choice(choice), _) => {
            let choice = serde_json::from_slice(choice).unwrap_or(Value::Null);
            match &choice {
                Value::Number(amount) => format!("BET:{who}:{amount}"),
                other => format!("CHOICE:{who}:{other}"),
            }
        }
        (_, joint::Place::Shuffle(deck)) => format!("SHUFFLE_STEP:{deck}"),
        (_, joint::Place::Shares(height) | joint::Place::Sealed(height)) => format!("REVEAL_TOKEN:{height}"),
        (_, place) => format!("KEY:{set}:{}", place.kind()),
    }
}

/// A move, in the words of its game.
fn of_action(action: &Value, who: &str) -> String {
    let word = |word: &str| match word {
        "draw_stock" => format!("DRAW:{who}:pile"),
        "draw_discard" => format!("DRAW:{who}:discard"),
        // An amount belongs to every action; these pay what they have to.
        "fold" | "check" | "call" => format!("ACTION:{who}:{word}:0"),
        other => format!("ACTION:{who}:{other}"),
    };
    match action {
        Value::String(text) => word(text),
        Value::Object(fields) => match fields.iter().next() {
            Some((name, to)) if name == "raise_to" => format!("ACTION:{who}:raise:{to}"),
            Some((name, cards)) if name == "discard" => format!("DISCARD:{who}:{}", plain(cards)),
            Some((name, melds)) if name == "meld" => format!("MELD:{who}:{}", melds_of(melds)),
            Some((name, laid)) if name == "lay_off" => {
                format!("LAYOFF:{who}:{}:{}", plain(laid.get("meld").unwrap_or(&Value::Null)), cards_of(laid))
            }
            Some((name, swap)) if name == "swap" => {
                let part = |name: &str| plain(swap.get(name).unwrap_or(&Value::Null));
                format!("SWAP:{who}:{}:{}:{}", part("meld"), part("card"), part("then"))
            }
            Some((name, value)) => format!("ACTION:{who}:{name}:{}", plain(value)),
            None => format!("ACTION:{who}:?"),
        },
        _ => format!("ACTION:{who}:{action}"),
    }
}

/// Melds, separated by semicolons.
fn melds_of(melds: &Value) -> String {
    let melds = melds.as_array().map_or(&[][..], Vec::as_slice);
    melds.iter().map(plain).collect::<Vec<_>>().join(";")
}

fn cards_of(laid: &Value) -> String {
    plain(laid.get("cards").unwrap_or(&Value::Null))
}

/// A value without quotation marks; lists are separated by commas.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().map(plain).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}
