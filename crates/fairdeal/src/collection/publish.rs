//! `fairdeal results publish`: a player's results, for a relay or a station.

use std::io::Write;
use std::path::Path;
use std::str::FromStr;

use games::AnyGame;
use relays::RelayUrl;
use relays::address::means_relay;
use results::{Checked, Secret, Verdict};
use serde_json::json;

use super::store::Store;
use super::{found, load, now};
use crate::Done;
use crate::failure::{Failure, complain};
use crate::keyring::{self, Owner};
use crate::peer::{At, Unreachable};
use crate::relay::client::Published;
use crate::relay::sharing::{push, trouble};
use crate::relay::{Client, wait_for};

/// Where results are published.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// A NOSTR relay.
    Relay(RelayUrl),
    /// A station with a server.
    Station(At),
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "expected a relay (wss://…) or a station (https://…)".to_owned();
        if means_relay(text) {
            return text.parse().map(Self::Relay).map_err(|_| wrong());
        }
        match text.parse() {
            Ok(at @ At::Net { .. }) => Ok(Self::Station(at)),
            _ => Err(wrong()),
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Relay(relay) => relay.fmt(f),
            Self::Station(at) => at.fmt(f),
        }
    }
}

pub(super) fn run(
    store: &Store,
    data: &Path,
    (to, ids): (&Place, &[String]),
    json: bool,
    out: &mut impl Write,
) -> Result<Done, Failure> {
    let secret = keyring::load(data, Owner::Player)?;
    let mut loaded = load(store, AnyGame::ALL)?;
    loaded.forget_impossible(store, now()?);
    let mut chosen: Vec<&Checked> = Vec::new();
    for id in ids {
        chosen.extend(found(&loaded, id)?.iter().map(|(result, _)| *result));
    }
    if ids.is_empty() {
        chosen = loaded.worth_sharing();
    }
    chosen.retain(|result| signed_by(result, &secret));
    if chosen.is_empty() {
        return Err(Failure::input("there is no result here that you signed"));
    }
    let published = publish(to, &chosen, &secret)?;
    let Published { kept, refused, why } = &published;
    if json {
        writeln!(out, "{}", json!({ "to": to.to_string(), "sent": kept, "not_kept": refused, "why": why }))?;
    } else {
        match kept {
            0 if *refused == 0 => writeln!(out, "{to}: everything is there already")?,
            1 => writeln!(out, "{to}: 1 result sent")?,
            _ => writeln!(out, "{to}: {kept} results sent")?,
        }
    }
    if *refused > 0 {
        let why = why.as_deref().filter(|why| !why.is_empty()).unwrap_or("it does not say why");
        complain(format_args!("{to} did not keep {refused}: {why}"));
        return Ok(Done::CheckFailed);
    }
    Ok(Done::Well)
}

/// Whether somebody has signed a result, and nothing in it is forged.
fn signed_by(result: &Checked, secret: &Secret) -> bool {
    let own = result.body().facts().players.iter().position(|player| player.key == secret.public());
    own.is_some_and(|own| result.signers().contains(&own)) && !matches!(result.verdict(), Verdict::Forged { .. })
}

/// Publishes everything that the owner of this data folder has signed.
pub(crate) fn publish_own(to: &Place, data: &Path) -> Result<Published, Failure> {
    let secret = keyring::load(data, Owner::Player)?;
    let loaded = Store::new(data.to_owned()).load(AnyGame::ALL, &mut |_| ())?;
    let own: Vec<&Checked> = loaded.worth_sharing().into_iter().filter(|one| signed_by(one, &secret)).collect();
    publish(to, &own, &secret)
}

/// Publishes results; says how many were not there before.
fn publish(to: &Place, results: &[&Checked], author: &Secret) -> Result<Published, Failure> {
    let now = now()?;
    match to {
        Place::Relay(relay) => wait_for(async {
            let mut client = Client::connect(relay).await.map_err(|why| trouble(relay, &why))?;
            let bar = lab::sim::progress_bar(u64::try_from(results.len()).unwrap_or(u64::MAX), "results");
            let told = &mut |count: usize| bar.inc(u64::try_from(count).unwrap_or_default());
            let published = push(&mut client, results, author, now, told).await;
            bar.finish_and_clear();
            published.map_err(|why| match why {
                Failure::Input(why) => Failure::input(format!("{relay}: {why}")),
                other => other,
            })
        }),
        Place::Station(at) => wait_for(async {
            let mut published = Published::default();
            for result in results {
                match at.request("POST", "/api/v1/results", &result.signed().text()).await {
                    Ok(_) => published.kept += 1,
                    Err(Unreachable::Refused { why, .. }) => {
                        published.refused += 1;
                        published.why.get_or_insert(why);
                    }
                    Err(why) => return Err(Failure::input(format!("{at}: {why}"))),
                }
            }
            Ok(published)
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_relay_or_a_station() {
        for text in ["wss://relay.example.org", "http://127.0.0.1:7777"] {
            assert_eq!(text.parse::<Place>().unwrap().to_string(), text);
        }
        for wrong in ["", "relay.example.org", "wss://", "ftp://x", "bluetooth://X1", "https://x/y"] {
            assert!(wrong.parse::<Place>().is_err(), "{wrong}");
        }
    }
}
