//! How things are, as JSON for the page.

use dealers::joint::Duty as Part;
use peer::place::{AtDoor, CannotStart, Foyer, Now, Person, Post, names};
use peer::{Duty, Ended, Fault, Seen, Session};
use results::Callsign;
use serde_json::{Value, json};
use table::Game;

use crate::kept::Kept;
use crate::trouble;

/// A table before a match.
pub(crate) fn lobby(foyer: &Foyer, post: &Post, kept: &Kept, knocks: &[AtDoor]) -> Value {
    let offer = kept.offer.as_ref().and_then(|offer| offer.offer());
    let lobby = foyer.guest.lobby();
    let offered = lobby.offered().map(|offered| {
        json!({
            "game": offered.start.game.name(), "settings": offered.start.settings, "threshold": offered.start.threshold,
            "seats": offered.start.seats.iter().map(|(number, _)| *number).collect::<Vec<u8>>(),
        })
    });
    let cannot_start = offer.as_ref().and_then(|offer| foyer.members_to_play(offer).err());
    let needs = match &cannot_start {
        Some(CannotStart::TooFew(least)) => Some(*least),
        Some(CannotStart::NotTheHost | CannotStart::Bad(_)) | None => None,
    };
    let knocks =
        knocks.iter().map(|AtDoor { number, name, words }| json!({ "number": number, "name": name, "words": words }));
    json!({ "lobby": {
        "game": offer.as_ref().map(|offer| offer.game.name()),
        "seats": offer.as_ref().map(|offer| offer.seats),
        "people": foyer.people(|number| post.is_here(number)).iter().map(person).collect::<Vec<_>>(),
        "me": foyer.guest.member().number(),
        "is_host": foyer.is_host(),
        "cannot_start": cannot_start.map(|why| why.to_string()),
        "needs": needs,
        "offered": offered,
        "to_accept": foyer.has_to_accept(),
        "knocks": knocks.collect::<Vec<_>>(),
        "online": online(post.online()),
    } })
}

fn person(person: &Person) -> Value {
    let Person { number, name, callsign, computer_of, here, host, accepted } = person;
    json!({
        "number": number, "name": name, "callsign": callsign, "computer_of": computer_of, "here": here, "host": host,
        "accepted": accepted,
    })
}

/// `true`, or why there is no connection.
fn online(online: &Result<(), String>) -> Value {
    match online {
        Ok(()) => Value::Bool(true),
        Err(why) => Value::String(why.clone()),
    }
}

/// A match.
pub(crate) fn state<G: Game>(session: &Session<G>, post: &Post, now: u64) -> Value {
    let Now {
        me,
        names,
        table,
        asked,
        deal,
        standing,
        waits,
        thinking,
        here,
        seeds,
        keys,
        shuffled,
        ahead,
        hopeless,
        online: connection,
        ..
    } = Now::with(session, post, now);
    let waits = waits.iter().map(
        |wait| json!({ "seat": wait.seat, "duty": duty(wait.duty), "for_ms": wait.for_ms, "limit_ms": wait.limit_ms }),
    );
    json!({
        "game": G::NAME, "me": me, "names": names, "height": table.as_ref().map(|table| table.height().0), "asked": asked,
        "deal": deal, "standing": standing, "waits": waits.collect::<Vec<_>>(), "thinking": thinking, "here": here,
        "seeds": seeds, "keys": keys, "shuffled": shuffled, "ahead": ahead, "hopeless": hopeless,
        "faults": session.faults().iter().map(fault_told).collect::<Vec<_>>(),
        "online": online(&connection),
    })
}

/// What a seat has to do, in a word.
const fn duty(duty: Duty) -> &'static str {
    match duty {
        Duty::Seed => "seed",
        Duty::Play(Part::Key | Part::Dealing | Part::Ready, _) => "keys",
        Duty::Play(Part::Beacon, _) => "lots",
        Duty::Play(Part::Shuffle, _) => "shuffle",
        Duty::Play(Part::Shares, _) => "shares",
        Duty::Play(Part::Act, _) => "act",
        Duty::Play(Part::Choose, _) => "choose",
        Duty::Play(Part::Reveal, _) => "reveal",
        Duty::Sign => "sign",
    }
}

/// Something that happened.
pub(crate) fn seen<G: Game>(seen: &Seen<G>) -> Value {
    match seen {
        Seen::Deal { number, .. } => json!({ "deal": number }),
        Seen::Acted { seat, action, .. } => json!({ "acted": { "seat": seat, "action": action } }),
        Seen::Chose { choices, .. } => json!({ "chose": choices }),
        Seen::DealOver { outcome, standing, .. } => json!({ "ended": { "outcome": outcome, "standing": standing } }),
        Seen::Late(seat) => json!({ "late": seat }),
        Seen::Back(seat) => json!({ "back": seat }),
        Seen::Left(seat) => json!({ "conceded": seat }),
        Seen::Fault(fault) => {
            json!({ "fault": fault_told(fault) })
        }
    }
}

/// What somebody did wrong.
pub(crate) fn fault_told(fault: &Fault) -> Value {
    json!({
        "seat": fault.seat, "height": fault.height, "kind": trouble::fault(&fault.what), "what": fault.what.to_string(),
    })
}

/// How a match ended.
pub(crate) fn over<G: Game>(session: &Session<G>) -> Option<Value> {
    let ended = session.ended()?;
    Some(json!({
        "names": names(session), "me": session.me(), "why": ended.why.to_string(), "end": trouble::end(ended.why), "standing": ended.standing,
        "deals": ended.deals, "unsigned": ended.unsigned(), "complete": ended.is_complete(),
        "result": ended.result().map(|result| result.text()),
        "attest": attest(session, ended),
        "export": ended.export().filter(|_| ended.is_complete()).map(|export| export.text()),
        "again": ended.again().map(|(seat, ticket)| json!({ "seat": seat, "ticket": ticket.to_string() })),
    }))
}

/// What a player signs who wants to say with another key that a result is theirs: the parts of a NOSTR event.
fn attest<G: Game>(session: &Session<G>, ended: &Ended) -> Option<Value> {
    let player = session.begun().players.get(usize::from(session.me()?.index()))?;
    let body = ended.result()?.body();
    let (key, facts) = (player.join.identity, body.facts());
    Some(json!({
        "body": body.text(), "id": facts.id.to_string(), "at": facts.at.seconds(), "key": key.hex(),
        "callsign": Callsign::of_player(&key).to_string(),
    }))
}
