//! Results from a relay, page by page, from the latest to the earliest.
//!
//! What comes is kept only if it is signed as it should be, so a relay can hold results back and nothing worse.
//!
//! Relays give pages by time, and cannot divide a second. Anybody can fill a second in which somebody else has published a
//! result, because authors choose their times: then a page lies in one second, and what else is in it cannot be had. Where
//! the players are known, it is asked for by their names; otherwise it is told.

use std::collections::BTreeSet;
use std::path::Path;

use relays::{Event, EventId, Filter, Kind, RelayUrl, Seconds, result};
use results::{Public, Timestamp};

use super::client::{Client, Page};
use super::position::Position;
use super::sharing::{PAGE, trouble};
use crate::collection::{Store, Taken};
use crate::failure::Failure;

/// How many events are read in one go; the rest is for the next time.
const MOST_EVENTS: usize = 100_000;
/// So many events in one second are more than honest programs publish, and as many as some relays give at once.
const CROWD: usize = 100;
/// About how many players a relay is asked at once.
const ABOUT: usize = 20;

/// How far pulling came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pulled {
    /// Everything that the relay gives is known.
    All,
    /// There is more, for the next time.
    More,
    /// The relay stopped in the middle of an answer.
    CutOff,
}

/// From where results come, and to where.
pub(crate) struct Way<'a> {
    pub(crate) relay: &'a RelayUrl,
    pub(crate) data: &'a Path,
    pub(crate) now: Timestamp,
    /// The players whose results matter; empty if all do.
    pub(crate) known: &'a [Public],
}

/// A page that lay in one second.
#[derive(Clone, Copy)]
struct Filled {
    second: Seconds,
    count: usize,
}

/// Takes over results that are not known yet. `told` hears how many events there were.
pub(crate) async fn pull(
    client: &mut Client,
    way: &Way<'_>,
    position: &mut Position,
    taken: &mut Taken,
    told: &mut dyn FnMut(usize),
) -> Result<Pulled, Failure> {
    let mut events = 0;
    loop {
        let was_cut_off = position.is_walking();
        let walk = position.walk(way.now.seconds());
        let mut until = walk.until;
        let mut before: BTreeSet<EventId> = BTreeSet::new();
        let mut filled: Option<Filled> = None;
        while until >= walk.since {
            if events >= MOST_EVENTS {
                return Ok(Pulled::More);
            }
            let since = Some(walk.since).filter(|since| *since > 0);
            let filter = Filter { since, until: Some(until), limit: Some(PAGE), ..Filter::of(Kind::RESULT) };
            let page = client.ask(&filter, PAGE).await.map_err(|why| trouble(way.relay, &why))?;
            let Some(oldest) = page.times().min() else { break };
            let count = page.times().count();
            events += count;
            told(count);
            // The relay has older ones, and did not give them before: it did not give all of that second, either.
            if let Some(filled) = filled.take() {
                divide(client, way, filled, taken).await?;
            }
            let left = taken.left;
            take(way, &page, &before, taken)?;
            // The next time begins with this page: what is taken now is known then, and the rest has its turn.
            if taken.left > left {
                return Ok(Pulled::More);
            }
            if !page.whole {
                return Ok(Pulled::CutOff);
            }
            before = page.events.iter().map(Event::id).collect();
            // The same second again, unless nothing else was in it.
            filled = (oldest == until && count > 1).then_some(Filled { second: until, count });
            let Some(next) = (if oldest < until { Some(oldest) } else { until.checked_sub(1) }) else { break };
            until = next;
            if filled.is_none() {
                position.reached(until, way.data, way.relay)?;
            }
        }
        if let Some(filled) = filled.filter(|filled| filled.count >= CROWD) {
            divide(client, way, filled, taken).await?;
        }
        position.arrived(way.data, way.relay)?;
        if !was_cut_off {
            return Ok(Pulled::All);
        }
    }
}

/// Keeps the results of a page. The last second of the page before comes again.
fn take(way: &Way<'_>, page: &Page, before: &BTreeSet<EventId>, taken: &mut Taken) -> Result<(), Failure> {
    let mut results = Vec::with_capacity(page.events.len());
    for event in page.events.iter().filter(|event| !before.contains(&event.id())) {
        let name = format!("event {}", event.id());
        match result::read(event) {
            Ok(signed) => results.push((name, signed)),
            Err(why) => taken.refuse(name, why.to_string()),
        }
    }
    taken.take(&Store::new(way.data.to_owned()), results, way.now)
}

/// Asks for what known players have in a second that is too full to be given at once. What may be hidden is remembered.
async fn divide(client: &mut Client, way: &Way<'_>, filled: Filled, taken: &mut Taken) -> Result<(), Failure> {
    let Filled { second, count } = filled;
    let mut hidden = way.known.is_empty();
    for players in way.known.chunks(ABOUT) {
        let times = Filter { since: Some(second), until: Some(second), limit: Some(PAGE), ..Filter::of(Kind::RESULT) };
        let filter = times.with('p', players.iter().map(Public::hex).collect());
        let page = client.ask(&filter, PAGE).await.map_err(|why| trouble(way.relay, &why))?;
        let left = taken.left;
        take(way, &page, &BTreeSet::new(), taken)?;
        hidden |= !page.whole || page.times().count() >= count || taken.left > left;
    }
    if hidden {
        taken.crowded.insert(second);
    }
    Ok(())
}
