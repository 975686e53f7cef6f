//! What can be asked.

use borsh::BorshSerialize;
use chain::bank::AccountOf;
use chain::dealer::CourseKey;
use chain::staking::{self, ValidatorOf};
use chain::store::MOST_KEY;
use chain::tables::{HandOf, RingOf};
use chain::{Address, Event, Hash, Receipt, Signed, hex, unhex};
use serde::Deserialize;
use serde_json::{Value, json};

use super::lines::is_nonsense;
use super::snapshots;
use crate::core::Shared;
use crate::faucet::{Faucet, NoGift};
use crate::pool::NotLetIn;

/// The most entries that one request proves.
const MOST_ENTRIES: usize = 64;
/// The most events in one answer.
const MOST_EVENTS: usize = 256;
/// The most bytes of entries or events in one answer, except that there is always one.
const MOST_BYTES: usize = 2 << 20;
/// The most validators or tables in one answer.
const MOST_LISTED: usize = 500;

/// Why a request is not answered: a code of JSON-RPC, and words.
pub(super) type Wrong = (i32, String);

/// The code for a transaction that could never be let in anywhere.
const NONSENSE: i32 = -32001;

pub(super) fn expected(what: &str) -> Wrong {
    (-32602, format!("expected {what}"))
}

pub(super) fn broken(why: impl core::fmt::Display) -> Wrong {
    tracing::error!(%why, "a request cannot be answered");
    (-32603, "the node cannot read its own data".to_owned())
}

/// A request.
#[derive(Deserialize)]
pub(super) struct Request {
    #[serde(default)]
    id: Value,
    #[serde(default)]
    method: Option<String>,
    #[serde(default)]
    params: Value,
}

impl Request {
    /// Reads one; otherwise returns the reply that says what was expected.
    pub(super) fn read(text: &str) -> Result<Self, Value> {
        serde_json::from_str(text).map_err(|_| wrong(&Value::Null, -32700, "expected a request in JSON"))
    }

    /// The cursor to tell news from, if this asks for news; at most `next`, and that if it names none.
    pub(super) fn subscribes(&self, next: u64) -> Option<u64> {
        let from = self.params.get("from").and_then(Value::as_u64).unwrap_or(next).min(next);
        (self.method.as_deref() == Some("subscribe")).then_some(from)
    }

    /// The reply with this result.
    pub(super) fn reply(&self, result: Value) -> Value {
        json!({ "jsonrpc": "2.0", "id": self.id, "result": result })
    }

    /// The reply, and whether the request was nonsense that took work to find out.
    pub(super) fn answer(&self, shared: &Shared, faucet: Option<&Faucet>) -> (Value, bool) {
        let asked = match self.method.as_deref() {
            Some("faucet") => gift(shared, faucet, &self.params),
            Some(method) => ask(shared, method, &self.params),
            None => Err((-32600, "expected a method".to_owned())),
        };
        match asked {
            Ok(result) => (self.reply(result), false),
            Err((code, message)) => (wrong(&self.id, code, &message), code == NONSENSE),
        }
    }
}

fn wrong(id: &Value, code: i32, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

/// The reply if answering has failed.
pub(super) fn failed() -> (Value, bool) {
    (wrong(&Value::Null, -32603, "the request cannot be answered"), false)
}

fn ask(shared: &Shared, method: &str, params: &Value) -> Result<Value, Wrong> {
    match method {
        "status" => Ok(status(shared)),
        "genesis" => Ok(json!({ "genesis": in_hex(&*shared.genesis) })),
        "snapshot" => snapshots::offer(shared),
        "snapshot_part" => snapshots::part(shared, params),
        "submit" => submit(shared, params),
        "receipt" => receipt(shared, params),
        "account" => account(shared, params),
        "validators" => Ok(validators(shared)),
        "tables" => Ok(tables(shared, params["from"].as_u64().unwrap_or(0))),
        "header" => header(shared, params),
        "block" => block(shared, params),
        "entries" => entries(shared, params),
        "events" => {
            let from = params["from"].as_u64().ok_or_else(|| expected("a cursor in \"from\""))?;
            Ok(since(shared, from).0)
        }
        "hand" => hand(shared, params),
        "hands" => hands(shared, params),
        _ => Err((-32601, format!("there is no method {method:?}; see docs/node.md for those that there are"))),
    }
}

/// What happened from this cursor on, as a message, and the next cursor.
pub(super) fn news(shared: &Shared, from: u64) -> (Value, u64) {
    let (params, next) = since(shared, from);
    (json!({ "jsonrpc": "2.0", "method": "news", "params": params }), next)
}

/// What happened from this cursor on, and the next cursor.
fn since(shared: &Shared, from: u64) -> (Value, u64) {
    let height = shared.seen.borrow().height;
    let events = shared.disk().events(from, MOST_EVENTS, MOST_BYTES).unwrap_or_else(|why| {
        shared.counts.disk_error();
        tracing::error!(%why, "events cannot be read");
        Vec::new()
    });
    let next = events.last().map_or(from, |(cursor, ..)| cursor + 1);
    let events: Vec<Value> = events.iter().map(|(cursor, height, event)| told(*cursor, *height, event)).collect();
    (json!({ "height": height, "cursor": next, "events": events }), next)
}

/// An event: where it is, what it is called, and all of it.
fn told(cursor: u64, height: u64, event: &Event) -> Value {
    let debug = format!("{event:?}");
    let name: String = debug.chars().take_while(|c| c.is_alphanumeric() || *c == '(').collect();
    json!({ "cursor": cursor, "height": height, "event": name.replace('(', "."), "data": in_hex(event) })
}

pub(super) fn in_hex(value: &impl BorshSerialize) -> String {
    hex(&borsh::to_vec(value).expect("plain data can be written to memory"))
}

fn bytes(params: &Value, name: &str, what: &str) -> Result<Vec<u8>, Wrong> {
    params[name].as_str().and_then(unhex).ok_or_else(|| expected(&format!("{what} in hex in {name:?}")))
}

pub(super) fn number(params: &Value, name: &str) -> Result<u64, Wrong> {
    params[name].as_u64().ok_or_else(|| expected(&format!("a number in {name:?}")))
}

fn address(params: &Value, name: &str) -> Result<Address, Wrong> {
    let text = params[name].as_str().ok_or_else(|| expected(&format!("an address in {name:?}")))?;
    text.parse().map_err(|_| expected(&format!("an address like deal1… in {name:?}")))
}

fn status(shared: &Shared) -> Value {
    let (duties, ordinary) = shared.waiting();
    shared.look(|state| {
        let (tip, store) = (state.tip(), state.store());
        let epoch = store.get(&CourseKey()).and_then(|course| course.current);
        json!({
            "chain": hex(&tip.chain), "height": tip.height, "hash": hex(&tip.hash), "time": tip.time,
            "clock": tip.clock, "cursor": tip.cursor, "root": hex(&store.root()), "epoch": epoch,
            "validators": staking::validators(store).len(),
            "waiting": { "duties": duties, "transactions": ordinary },
        })
    })
}

fn submit(shared: &Shared, params: &Value) -> Result<Value, Wrong> {
    let bytes = bytes(params, "transaction", "a signed transaction")?;
    let signed: Signed = borsh::from_slice(&bytes).map_err(|_| expected("a signed transaction"))?;
    let id = signed.id();
    match shared.submit(signed) {
        // Whoever sends it again wants to be sure that it is here.
        Ok(_) | Err(NotLetIn::Known) => Ok(json!({ "id": hex(&id) })),
        Err(why) => {
            shared.counts.refused_transaction();
            Err((if is_nonsense(why) { NONSENSE } else { -32000 }, why.to_string()))
        }
    }
}

/// Coins for somebody who has none, on a chain to try out.
fn gift(shared: &Shared, faucet: Option<&Faucet>, params: &Value) -> Result<Value, Wrong> {
    let to = address(params, "address")?;
    let given = faucet.ok_or(NoGift::Closed).and_then(|faucet| faucet.give(shared, to));
    given.map(|id| json!({ "id": hex(&id) })).map_err(|why| (-32000, why.to_string()))
}

fn receipt(shared: &Shared, params: &Value) -> Result<Value, Wrong> {
    let id = Hash::try_from(bytes(params, "id", "the id of a transaction")?).map_err(|_| expected("32 bytes"))?;
    let found = shared.disk().receipt(&id).map_err(broken)?;
    Ok(found.map_or(Value::Null, |(height, receipt)| {
        let (outcome, why) = match receipt {
            Receipt::Done => ("done", None),
            Receipt::Failed(why) => ("failed", Some(why)),
            Receipt::Void(why) => ("void", Some(why)),
        };
        json!({ "height": height, "outcome": outcome, "why": why })
    }))
}

fn account(shared: &Shared, params: &Value) -> Result<Value, Wrong> {
    let address = address(params, "address")?;
    let account = shared.look(|state| state.store().get_or_default(&AccountOf(address)));
    Ok(json!({ "address": address.to_string(), "coins": account.balance.0, "nonce": account.nonce }))
}

fn validators(shared: &Shared) -> Value {
    shared.look(|state| {
        let store = state.store();
        let deciding = staking::validators(store);
        let list = store.all::<ValidatorOf>().take(MOST_LISTED).map(|(ValidatorOf(consensus), validator)| {
            json!({
                "consensus": consensus.to_string(), "operator": validator.operator.to_string(),
                "stake": validator.stake.0, "standing": format!("{:?}", validator.standing),
                "decides": deciding.iter().any(|(one, _)| *one == consensus),
            })
        });
        list.collect()
    })
}

/// Tables from this number on.
fn tables(shared: &Shared, from: u64) -> Value {
    shared.look(|state| {
        let store = state.store();
        let list = store.all::<RingOf>().filter(|(RingOf(number), _)| *number >= from).take(MOST_LISTED);
        let list = list.map(|(RingOf(number), ring)| {
            let players: Vec<Value> = (0..)
                .zip(&ring.chairs)
                .filter_map(|(seat, chair): (u8, _)| {
                    let player = chair.player.as_ref()?;
                    Some(json!({ "seat": seat, "address": player.address.to_string(), "stack": player.stack.0 }))
                })
                .collect();
            let terms = &ring.terms;
            json!({
                "table": number, "label": terms.label, "max_players": terms.max_players,
                "small_blind": terms.small_blind.0, "big_blind": terms.big_blind.0,
                "min_buy_in": terms.min_buy_in.0, "max_buy_in": terms.max_buy_in.0, "bond": terms.player_bond.0,
                "players": players, "hand": store.get(&HandOf(number)).map(chain::tables::Hand::number),
            })
        });
        list.collect()
    })
}

/// A header with its certificate and its validators. With it, a client checks the entries of the block before.
fn header(shared: &Shared, params: &Value) -> Result<Value, Wrong> {
    let height = number(params, "height")?;
    let decided = shared.header(height).map_err(broken)?;
    Ok(decided.map_or(Value::Null, |decided| json!({ "height": height, "decided": in_hex(&decided) })))
}

fn block(shared: &Shared, params: &Value) -> Result<Value, Wrong> {
    let height = number(params, "height")?;
    let kept = shared.disk().block(height).map_err(broken)?;
    Ok(kept.map_or(
        Value::Null,
        |kept| json!({ "height": height, "block": in_hex(&kept.block), "certificate": in_hex(&kept.certificate) }),
    ))
}

/// Entries of the state after the last block, with proofs against its root, which the header of the next block names.
fn entries(shared: &Shared, params: &Value) -> Result<Value, Wrong> {
    let keys = params["keys"].as_array().ok_or_else(|| expected("a list of keys in \"keys\""))?;
    if keys.len() > MOST_ENTRIES {
        return Err(expected(&format!("at most {MOST_ENTRIES} keys")));
    }
    let read = |key: &Value| key.as_str().and_then(unhex).filter(|key| key.len() <= MOST_KEY);
    let keys: Vec<Vec<u8>> = keys.iter().map(read).collect::<Option<_>>().ok_or_else(|| expected("keys in hex"))?;
    let (state, mut bytes, mut entries) = (shared.state(), 0, Vec::new());
    for key in &keys {
        let (value, proof) = state.store().prove(key).ok_or_else(|| broken("the state is being changed"))?;
        bytes += value.as_ref().map_or(0, |value| value.len());
        if bytes > MOST_BYTES && !entries.is_empty() {
            return Err(expected("fewer keys: together, their entries are too long for one answer"));
        }
        let value = value.map(|value| hex(&value));
        entries.push(json!({ "key": hex(key), "value": value, "proof": in_hex(&proof) }));
    }
    Ok(json!({ "height": state.tip().height, "root": hex(&state.store().root()), "entries": entries }))
}

fn hand(shared: &Shared, params: &Value) -> Result<Value, Wrong> {
    let (table, hand) = (number(params, "table")?, number(params, "hand")?);
    let hand = u32::try_from(hand).map_err(|_| expected("the number of a hand"))?;
    let export = shared.disk().hand(table, hand).map_err(broken)?;
    Ok(export.map_or(Value::Null, |export| json!({ "table": table, "hand": hand, "export": hex(&export) })))
}

fn hands(shared: &Shared, params: &Value) -> Result<Value, Wrong> {
    let hands = shared.disk().last_hands(number(params, "table")?, 50).map_err(broken)?;
    Ok(json!(hands))
}
