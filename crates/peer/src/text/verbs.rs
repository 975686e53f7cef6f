//! What players say, one line each.

use dealers::joint;
use results::game_name;
use serde_json::Value;
use table::Slot;
use table::record::hex;

use super::{Kind, name_of};
use crate::body::Body;
use crate::lobby::Lobby;
use crate::start::Start;

/// What cannot be opened or read.
pub(super) const UNREADABLE: &str = "UNREADABLE";

/// How a card is written.
pub(super) type Cards<'a> = dyn Fn(Slot) -> String + 'a;

/// A card whose face is not known: deck and place.
pub(super) fn place(slot: Slot) -> String {
    format!("{}.{}", slot.deck, slot.index)
}

/// What a body says.
pub(super) fn of_body(body: &Body, who: &str, lobby: &Lobby, card: &Cards<'_>) -> String {
    match body {
        Body::Join(_) => "CARD_GAME_JOIN".to_owned(),
        Body::Start(_) => "GAME_READY".to_owned(),
        Body::Stand { hub, .. } => format!("HUB_STAND:{}", hub.hex()),
        // The ticket is a secret.
        Body::Again(_) => {
            let game = lobby.offered().map_or("?", |offered| game_name(offered.start.game));
            format!("CARD_GAME_INVITE:{game}")
        }
        Body::SeedHash { hash, .. } => format!("SEED_HASH:{}", hex(hash)),
        Body::Seed(seed) => format!("SEED_REVEAL:{}", hex(seed)),
        Body::Dealing { set, message } => of_dealing(*set, message, who, card),
        Body::Act { action, .. } => {
            let action = serde_json::from_slice(action).unwrap_or(Value::Null);
            of_action(&action, who, None, card)
        }
        Body::Overdue { who, .. } => format!("PING:{}", name_of(lobby, *who)),
        Body::Leave => "LEAVE".to_owned(),
        Body::Here => "PING".to_owned(),
        Body::Abandon => "ABANDON".to_owned(),
        Body::Sign { result, .. } => format!("RESULT_SIG:{who}:{}", hex(&result.0)),
    }
}

/// More about a body that has no place in its line.
pub(super) fn about(body: &Body) -> Option<String> {
    match body {
        Body::Stand { at, .. } => Some(format!("could be the hub, at {at}")),
        Body::Again(_) => Some("a rematch".to_owned()),
        _ => None,
    }
}

/// What kind of line it is; this many do their part in dealing.
pub(super) const fn kind(body: &Body, of: u8) -> Kind {
    match body {
        Body::Dealing { message, .. } => match &message.body {
            joint::Body::Show { .. } | joint::Body::Commit(_) | joint::Body::Reveal { .. } | joint::Body::Choice(_) => {
                Kind::Said
            }
            _ => Kind::Dealing { of },
        },
        _ => Kind::Said,
    }
}

/// What a match is played with, in words.
pub(super) fn terms(start: &Start, name: impl Fn(u8) -> String) -> String {
    let seats: Vec<String> = start.seats.iter().map(|(number, _)| name(*number)).collect();
    let settings: Vec<String> = start.settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let settings = if settings.is_empty() { String::new() } else { format!(", {}", settings.join(" ")) };
    let opened = match start.threshold {
        None => "a card is opened by all".to_owned(),
        Some(threshold) => format!("a card is opened by {threshold}"),
    };
    format!("{}: {}{settings}; {opened}", start.game.name(), seats.join(", "))
}

fn of_dealing(set: u32, message: &joint::Message, who: &str, card: &Cards<'_>) -> String {
    match (&message.body, message.place) {
        (joint::Body::Show { slots, .. }, _) => {
            let cards: Vec<String> = slots.iter().map(|slot| card(*slot)).collect();
            format!("REVEAL:{who}:{}", cards.join(","))
        }
        (joint::Body::Commit(hash), _) => format!("BET_COMMIT:{who}:{}", hex(hash)),
        (joint::Body::Reveal { choice, .. } | joint::Body::Choice(choice), _) => {
            match serde_json::from_slice(choice).unwrap_or(Value::Null) {
                Value::Number(amount) => format!("BET:{who}:{amount}"),
                other => format!("CHOICE:{who}:{}", of_choice(&other, card)),
            }
        }
        (_, joint::Place::Shuffle(deck)) => format!("SHUFFLE_STEP:{deck}"),
        (_, joint::Place::Shares(height) | joint::Place::Sealed(height)) => format!("REVEAL_TOKEN:{height}"),
        (_, place) => format!("KEY:{set}:{}", place.kind()),
    }
}

/// A choice that is not a bet: a card, or three layers separated by semicolons.
fn of_choice(choice: &Value, card: &Cards<'_>) -> String {
    match choice {
        Value::Object(fields) => {
            let layers = ["top", "middle", "bottom"].map(|layer| fields.get(layer));
            let parts: Vec<String> = match layers {
                [Some(top), Some(middle), Some(bottom)] => {
                    [top, middle, bottom].into_iter().map(|layer| plain(layer, card)).collect()
                }
                _ => fields.values().map(|value| plain(value, card)).collect(),
            };
            parts.join(";")
        }
        other => plain(other, card),
    }
}

/// Chips that an action does not name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Amounts {
    /// What has to be matched.
    bet_to: i64,
    /// What the seat has put in on this street.
    bet: i64,
    /// What it has left.
    stack: i64,
}

impl Amounts {
    /// From what everybody sees of a hand of Hold'em before the action.
    pub(super) fn of(view: &Value, seat: usize) -> Option<Self> {
        let player = view.get("players")?.get(seat)?;
        let number = |value: &Value, name: &str| value.get(name).and_then(Value::as_i64);
        Some(Self { bet_to: number(view, "bet_to")?, bet: number(player, "bet")?, stack: number(player, "stack")? })
    }

    fn to_call(self) -> i64 {
        (self.bet_to - self.bet).clamp(0, self.stack)
    }
}

/// A move, in the words of its game.
pub(super) fn of_action(action: &Value, who: &str, amounts: Option<Amounts>, card: &Cards<'_>) -> String {
    let field = |of: &Value, name: &str| plain(of.get(name).unwrap_or(&Value::Null), card);
    match action {
        Value::String(word) => of_word(word, who, amounts),
        Value::Object(fields) => match fields.iter().next() {
            Some((name, to)) if name == "raise_to" => format!("ACTION:{who}:raise:{}", plain(to, card)),
            Some((name, cards)) if name == "discard" => format!("DISCARD:{who}:{}", plain(cards, card)),
            Some((name, Value::Array(melds))) if name == "meld" => {
                let melds: Vec<String> = melds.iter().map(|meld| plain(meld, card)).collect();
                format!("MELD:{who}:{}", melds.join(";"))
            }
            Some((name, laid)) if name == "lay_off" => {
                format!("LAYOFF:{who}:{}:{}", field(laid, "meld"), field(laid, "cards"))
            }
            Some((name, swap)) if name == "swap" => {
                let then = swap.get("then").unwrap_or(&Value::Null);
                // The joker goes to another meld, or into a new one.
                let then = match then.get("lay_off") {
                    Some(laid) => field(laid, "meld"),
                    None => field(then, "meld"),
                };
                format!("SWAP:{who}:{}:{}:{then}", field(swap, "meld"), field(swap, "card"))
            }
            Some((name, value)) => format!("ACTION:{who}:{}:{}", clean(name), plain(value, card)),
            None => format!("ACTION:{who}:?"),
        },
        _ => format!("ACTION:{who}:?"),
    }
}

fn of_word(word: &str, who: &str, amounts: Option<Amounts>) -> String {
    match (word, amounts) {
        ("draw_stock", _) => format!("DRAW:{who}:pile"),
        ("draw_discard", _) => format!("DRAW:{who}:discard"),
        ("fold" | "check", _) | ("call", None) => format!("ACTION:{who}:{word}:0"),
        ("call", Some(amounts)) => format!("ACTION:{who}:call:{}", amounts.to_call()),
        ("all_in", Some(amounts)) if amounts.bet + amounts.stack > amounts.bet_to => {
            format!("ACTION:{who}:raise:{}", amounts.bet + amounts.stack)
        }
        ("all_in", Some(amounts)) => format!("ACTION:{who}:call:{}", amounts.stack),
        (word, _) => format!("ACTION:{who}:{}", clean(word)),
    }
}

/// A value without quotation marks; lists are separated by commas, and cards are written as such.
fn plain(value: &Value, card: &Cards<'_>) -> String {
    match value {
        Value::String(text) => {
            // A joker names the card that it stands for.
            let (slot, stands_for) = text.split_once('=').map_or((text.as_str(), None), |(slot, to)| (slot, Some(to)));
            match (slot.parse::<Slot>(), stands_for) {
                (Ok(slot), None) => card(slot),
                (Ok(slot), Some(to)) => format!("{}={}", card(slot), clean(to)),
                (Err(_), _) => clean(text),
            }
        }
        Value::Array(list) => list.iter().map(|value| plain(value, card)).collect::<Vec<_>>().join(","),
        Value::Null => "?".to_owned(),
        Value::Object(_) => "?".to_owned(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

/// Letters and digits: an author can put anything into an action that is refused.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() || "_.-".contains(c) { c } else { '?' }).collect()
}
