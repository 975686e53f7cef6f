//! Knocking at a table without a ticket, until somebody there lets one in.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use ::peer::frame::From;
use ::peer::{Knock, Knocking, TableId, Ticket};
use rand::SeedableRng as _;
use rand::rngs::ChaCha20Rng;
use relays::RelayUrl;
use results::{Callsign, Secret};

use super::At;
use super::hub;
use super::nearby;
use super::net::{Command, Event, Held, Link, Who};
use super::own::USUAL_PORT;
use super::radio::{self, Sign};
use crate::failure::Failure;
use crate::interrupt;
use crate::keyring::random;
use crate::relay::{meeting, wait_for};

/// How long tables nearby have to answer.
const TO_FIND: Duration = Duration::from_secs(3);
/// How long they have over Bluetooth, where hosts advertise about once a second.
const TO_FIND_BY_RADIO: Duration = Duration::from_secs(6);

/// After this long without an answer they knock again: perhaps nobody was at the table.
const AGAIN: Duration = Duration::from_secs(10);

/// A door to knock at.
pub(super) struct Door {
    at: At,
    table: TableId,
    /// The table's name, from its creator.
    pub(super) name: String,
    /// The game, from the same.
    pub(super) game: String,
}

/// The table with a code at a hub: `CODE@HOST`.
pub(super) fn by_code(code: &str, host: &str) -> Result<Door, Failure> {
    if code.chars().any(|c| !c.is_ascii_digit() && c != ' ' && c != '-') || code.is_empty() {
        return Err(Failure::input(format!("{code}@{host}: the code before @ has six digits")));
    }
    let at = address(host)?;
    let found = hub::door(&at, code).map_err(|why| Failure::input(format!("{code}@{host}: {why}")))?;
    let found =
        found.ok_or_else(|| Failure::input(format!("{code}@{host}: this code leads to a table for browsers")))?;
    Ok(Door { at, table: found.table, name: found.name, game: found.game })
}

/// A hub as people type it: a link, or a host with or without a port.
fn address(host: &str) -> Result<At, Failure> {
    let wrong = |why: super::Unreachable| Failure::input(format!("{host}: {why}"));
    if host.contains("://") {
        return host.parse().map_err(wrong);
    }
    let has_port = host
        .rsplit_once(':')
        .is_some_and(|(before, port)| port.parse::<u16>().is_ok() && (!before.contains(':') || before.ends_with(']')));
    let port = if has_port { String::new() } else { format!(":{USUAL_PORT}") };
    format!("http://{host}{port}").parse().map_err(wrong)
}

/// The table in the same network or in range of Bluetooth, if there is one, or the one with this name.
pub(super) fn nearby(name: Option<&str>, note: &mut dyn FnMut(&str) -> Result<(), Failure>) -> Result<Door, Failure> {
    let in_range = std::thread::spawn(|| radio::find(TO_FIND_BY_RADIO));
    let in_network = nearby::find(TO_FIND);
    let in_range = in_range.join().unwrap_or_else(|_| Ok(Vec::new()));
    let mut found = Vec::new();
    match (in_network, in_range) {
        (Err(network), Err(radio)) => return Err(Failure::input(format!("{network}; {radio}"))),
        (network, radio) => {
            match network {
                Ok(tables) => found.extend(tables.into_iter().filter_map(in_the_network)),
                Err(why) => note(&why.to_string())?,
            }
            match radio {
                Ok(tables) => found.extend(tables.into_iter().filter_map(in_range_of_bluetooth)),
                Err(why) => note(&why.to_string())?,
            }
        }
    }
    // A table that both know is reached through the network, which is faster.
    let mut known = BTreeSet::new();
    found.retain(|door| known.insert(door.table) && name.is_none_or(|name| door.name == name));
    let names: Vec<String> = found.iter().map(|table| format!("{:?} ({})", table.name, table.game)).collect();
    match found.len() {
        0 => Err(Failure::input("no table nearby answers; ask for the ticket, or for the code and the address")),
        1 => Ok(found.swap_remove(0)),
        _ => Err(Failure::input(format!("several tables answer; name one with --table: {}", names.join(", ")))),
    }
}

/// How somebody gets to a table that they found on a relay.
pub(super) enum Way {
    /// They were invited.
    Ticket(Ticket),
    /// The table is offered to everybody.
    Door(Door),
}

/// The table on a relay to which somebody was invited or, if there is none, that is offered; or the one with this name.
/// Names can be copied, so an offer is also called by the key of its hub, which the table's ticket says.
pub(super) fn on_relay(
    url: &str,
    name: Option<&str>,
    identity: &Secret,
    note: &mut dyn FnMut(&str) -> Result<(), Failure>,
) -> Result<Way, Failure> {
    let relay: RelayUrl = url.parse().map_err(|why| Failure::input(format!("{url}: {why}")))?;
    let found = wait_for(async {
        meeting::find(&relay, identity).await.map_err(|why| Failure::input(format!("{relay}: {why}")))
    })?;
    let fits = |called: &str| name.is_none_or(|name| called == name);
    let mut ways: Vec<(String, Way)> = Vec::new();
    for (invitation, from) in found.invitations {
        if let Ok(ticket) = invitation.ticket.parse::<Ticket>()
            && fits(&invitation.name)
        {
            let from = Callsign::of_player(&from);
            ways.push((
                format!("{:?} ({}), {from} invites you", invitation.name, invitation.game.name()),
                Way::Ticket(ticket),
            ));
        }
    }
    if ways.is_empty() {
        for (offer, through) in found.offers {
            let (table, game, key) = (TableId(offer.table), offer.game.name().to_owned(), through.key.npub());
            if !fits(&offer.name) && !fits(&key) {
                continue;
            }
            let text = format!("{:?} ({game}) at {key}", offer.name);
            ways.push((text, Way::Door(Door { at: At::Relay(through), table, name: offer.name, game })));
        }
    }
    match ways.len() {
        0 => Err(Failure::input(format!("{relay}: nobody has invited you, and no table is offered"))),
        1 => {
            let (text, way) = ways.swap_remove(0);
            if matches!(way, Way::Ticket(_)) {
                note(&text)?;
            }
            Ok(way)
        }
        _ => {
            let names: Vec<String> = ways.into_iter().map(|(text, _)| text).take(20).collect();
            Err(Failure::input(format!("there are several tables; name one with --table: {}", names.join(", "))))
        }
    }
}

fn in_the_network(table: nearby::Nearby) -> Option<Door> {
    let at = format!("http://{}", table.at.first()?).parse().ok()?;
    Some(Door { at, table: table.table, name: table.name, game: table.game })
}

fn in_range_of_bluetooth((host, sign): (String, Sign)) -> Option<Door> {
    let table = sign.table()?;
    Some(Door { at: At::Radio(host), table, name: sign.name, game: sign.game })
}

/// What somebody at the door has to know.
pub(super) enum AtDoor {
    /// They knock.
    Knocking,
    /// Somebody has answered: the words that both compare.
    Words([&'static str; 4]),
    /// The connection is lost.
    Offline(String),
}

/// Knocks, and waits until somebody at the table opens.
pub(super) fn knock(
    door: &Door,
    name: &str,
    say: &mut dyn FnMut(AtDoor) -> Result<(), Failure>,
) -> Result<Ticket, Failure> {
    let who = Who::Knock { at: door.at.clone(), table: door.table };
    let open = || Link::open(who.clone(), Held::default()).map_err(Failure::input);
    let mut link = open()?;
    let mut rng = ChaCha20Rng::from_seed(random()?);
    let tell = |link: &Link, words: &Knock| link.send(Command::Beside { to: 0, words: dealing::encode(words) });
    let (mut hub, mut knocking, mut knocked) = (None, None, None);
    let mut unanswered: Option<Instant> = None;
    loop {
        if interrupt::asked() {
            return Err(Failure::Interrupted);
        }
        if unanswered.is_some_and(|since| since.elapsed() > AGAIN) {
            unanswered = None;
            link = open()?;
        }
        let Ok(event) = link.events().recv_timeout(Duration::from_millis(200)) else { continue };
        match event {
            Event::Connected { hub: key, .. } => {
                hub = Some(key);
                // Words beside the log are lost with the connection.
                let (began, commit) = Knocking::new(door.table, name, &mut rng);
                (knocking, knocked, unanswered) = (Some(began), None, Some(Instant::now()));
                tell(&link, &commit);
                say(AtDoor::Knocking)?;
            }
            Event::Lost(why) => say(AtDoor::Offline(why))?,
            Event::Ended(why) => return Err(Failure::input(why)),
            Event::Beside { from: From::Member(_), words } => {
                let Ok(words) = dealing::decode(&words) else { continue };
                match words {
                    Knock::Answer(key) => {
                        // The first who answers counts.
                        let Some(began) = knocking.take() else { continue };
                        let (agreed, reveal) = began.answered(key).map_err(Failure::input)?;
                        unanswered = None;
                        tell(&link, &reveal);
                        say(AtDoor::Words(agreed.words()))?;
                        knocked = Some(agreed);
                    }
                    Knock::Admit(sealed) => {
                        let Some(agreed) = &knocked else { continue };
                        let key = agreed.admitted(&sealed).map_err(Failure::input)?;
                        let hub = hub.ok_or_else(|| Failure::input("the hub has not said who it is"))?;
                        return Ok(Ticket { at: door.at.to_string(), key, hub });
                    }
                    Knock::Decline => return Err(Failure::input("nobody at the table lets you in")),
                    Knock::Commit { .. } | Knock::Reveal { .. } => {}
                }
            }
            Event::Beside { .. } | Event::Entry(_) | Event::Refused { .. } | Event::Here(_) | Event::Woken => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_a_link_or_a_name_with_or_without_a_port() {
        for (typed, meant) in [
            ("192.168.1.5", "http://192.168.1.5:7788"),
            ("192.168.1.5:9", "http://192.168.1.5:9"),
            ("[::1]", "http://[::1]:7788"),
            ("[::1]:9", "http://[::1]:9"),
            ("laptop.local", "http://laptop.local:7788"),
            ("https://cards.example.org", "https://cards.example.org"),
        ] {
            assert_eq!(address(typed).unwrap().to_string(), meant, "{typed}");
        }
        assert!(address("a b").is_err() && address("").is_err());
    }
}
