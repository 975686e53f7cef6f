//! Questions that change nothing at a table: new keys, tickets, and what a record proves.

use peer::{Entry, OtherGame, Record, Report, TableKey, Ticket, Verifying};
use qrcodegen::{QrCode, QrCodeEcc};
use results::{Callsign, Secret};
use serde::Deserialize;
use serde_json::{Value, json};
use table::record::{hex, unhex};
use zeroize::Zeroizing;

use crate::call::Effect;
use crate::kept::{new_key, random};
use crate::only::Only;
use crate::seat::{Around, Seat};
use crate::{telling, trouble};

/// What a page can ask.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Question {
    /// A new identity.
    Identity,
    /// Who somebody with this key is.
    Who(Zeroizing<String>),
    /// A new table: its key, and what a hub has to know.
    Table,
    /// The ticket of a table.
    Ticket { at: String, key: Zeroizing<String>, hub: String },
    /// What a ticket says.
    Read(Zeroizing<String>),
    /// A text as a QR code: its size, and its dark squares as the path of a picture.
    Qr(Zeroizing<String>),
    /// The record of this table.
    Record,
    /// What a record proves, or whose module can tell; without one, that of this table.
    Verify(Option<String>),
    /// The same in steps: begins, and says how many entries there are.
    Check(Option<String>),
    /// Checks so many more entries, and says what the record proves when these were the last.
    CheckOn(usize),
}

/// A record that is checked in steps.
pub(crate) struct Checking {
    verifying: Verifying,
    rest: std::vec::IntoIter<Entry>,
    done: usize,
}

/// Answers a question.
pub(crate) fn answer(
    question: &str,
    mut around: Around,
    only: Only,
    seat: Option<&Seat>,
    checking: &mut Option<Checking>,
) -> Result<Vec<Effect>, String> {
    let question: Question = serde_json::from_str(question).map_err(|why| format!("not a question: {why}"))?;
    let rng = &mut around.rng;
    let answer = match question {
        Question::Identity => who(&new_key(rng)),
        Question::Who(key) => who(&key.parse().map_err(|_| "this is not a key")?),
        Question::Table => {
            let key = TableKey::new(random(rng));
            json!({ "key": hex(key.bytes()), "table": key.table().to_string(), "access": key.access().public().hex() })
        }
        Question::Ticket { at, key, hub } => {
            let key = unhex(&key).and_then(|key| key.try_into().ok()).ok_or("this is not the key of a table")?;
            let hub = hub.parse().map_err(|_| "this is not the key of a hub")?;
            json!({ "ticket": Ticket { at, key: TableKey::new(key), hub }.to_string() })
        }
        Question::Read(ticket) => {
            let ticket: Ticket = ticket.parse().map_err(|why: peer::BadTicket| why.to_string())?;
            json!({ "at": ticket.at, "table": ticket.table().to_string(), "hub": ticket.hub.hex() })
        }
        Question::Qr(text) => qr(&text)?,
        Question::Record => json!({ "record": seat.ok_or("there is no table yet")?.record()?.text() }),
        Question::Verify(text) => {
            let (_, Checking { mut verifying, mut rest, .. }) = begin(only, text, seat)?;
            while rest.next().is_some_and(|entry| verifying.check(&entry)) {}
            verifying.report().map_or_else(other_game, |found| report(&found))
        }
        Question::Check(text) => {
            let (entries, begun) = begin(only, text, seat)?;
            *checking = Some(begun);
            json!({ "entries": entries })
        }
        Question::CheckOn(more) => check_on(checking, more).ok_or("nothing is being checked")?,
    };
    Ok(vec![Effect::Tell(json!({ "answer": answer }).to_string())])
}

fn qr(text: &str) -> Result<Value, String> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).map_err(|_| "the text is too long for a QR code")?;
    let size = code.size();
    let dark = (0..size).flat_map(|y| (0..size).map(move |x| (x, y))).filter(|(x, y)| code.get_module(*x, *y));
    let path: String = dark.map(|(x, y)| format!("M{x} {y}h1v1h-1z")).collect();
    Ok(json!({ "size": size, "path": path }))
}

fn who(key: &Secret) -> Value {
    let public = key.public();
    json!({
        "nsec": *key.nsec(), "npub": public.npub(), "public": public.hex(),
        "callsign": Callsign::of_player(&public).to_string(),
    })
}

/// A record that was given, or that of this table.
fn record(text: Option<String>, seat: Option<&Seat>) -> Result<Record, String> {
    match text {
        Some(text) => Record::parse(&text, true).map_err(|why| why.to_string()),
        None => seat.ok_or("there is no table yet")?.record(),
    }
}

/// Begins to check a record; returns how many entries it has.
fn begin(only: Only, text: Option<String>, seat: Option<&Seat>) -> Result<(usize, Checking), String> {
    let Record { key, hub, entries } = record(text, seat)?;
    let all = entries.len();
    Ok((all, Checking { verifying: only.check(&key, hub), rest: entries.into_iter(), done: 0 }))
}

/// Checks some more; returns how many were checked, or what was found.
fn check_on(checking: &mut Option<Checking>, more: usize) -> Option<Value> {
    let Checking { mut verifying, mut rest, mut done } = checking.take()?;
    for _ in 0..more {
        if !rest.next().is_some_and(|entry| verifying.check(&entry)) {
            let found = verifying.report().map(|found| json!({ "report": report(&found) }));
            return Some(found.unwrap_or_else(other_game));
        }
        done += 1;
    }
    *checking = Some(Checking { verifying, rest, done });
    Some(json!({ "done": done }))
}

/// The game whose module can check this.
fn other_game(OtherGame(game): OtherGame) -> Value {
    json!({ "other_game": game.name() })
}

fn report(report: &Report) -> Value {
    let Report { entries, void, hub, changes, played, .. } = report;
    let played = played.as_ref().map(|played| {
        let faults = played.faults.iter().map(telling::fault_told);
        json!({
            "id": played.id.to_string(), "game": played.begun.start.game.name(), "deals": played.deals,
            "names": played.begun.players.iter().map(|player| player.join.name.as_str()).collect::<Vec<_>>(),
            "faults": faults.collect::<Vec<_>>(), "late": played.late, "standing": played.standing,
            "ended": played.ended.map(|why| why.to_string()), "end": played.ended.map(trouble::end), "unsigned": played.unsigned,
            "result": played.result.as_ref().map(|result| result.text()),
        })
    });
    json!({
        "entries": entries, "void": void, "changes": changes.len(), "clean": report.is_clean(), "played": played,
        "hub": hub.as_ref().map(|(height, why)| json!({ "height": height, "kind": trouble::broken(why), "why": why.to_string() })),
    })
}
