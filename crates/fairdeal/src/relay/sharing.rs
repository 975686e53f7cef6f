//! Results and leaderboards for a relay: only what it does not have, so doing it again changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use games::AnyGame;
use relays::{Filter, Kind, RelayUrl, Seconds, board, result};
use results::{Checked, Hash, Leaderboard, Secret, Timestamp, Verdict};

use super::client::{Client, Published, Trouble};
use crate::failure::Failure;
use crate::keyring::random;

/// How many events are asked for at once. Relays may give fewer.
pub(super) const PAGE: usize = 500;
/// How many results a relay is asked about at once.
const ABOUT: usize = 50;
/// How many events may have the same second: relays give pages by time, and cannot divide a second.
const EACH_SECOND: usize = 50;

/// Publishes these results, as far as the relay does not have them with all their signatures.
pub(crate) async fn push(
    client: &mut Client,
    results: &[&Checked],
    author: &Secret,
    now: Timestamp,
    done: &mut (dyn FnMut(usize) + Send),
) -> Result<Published, Failure> {
    let mut published = Published::default();
    let mut at = now.seconds();
    for part in results.chunks(ABOUT) {
        let missing = missing(client, part).await.map_err(Failure::input)?;
        done(part.len() - missing.len());
        let own = own_times(client, &missing, author).await.map_err(Failure::input)?;
        let mut events = Vec::with_capacity(missing.len());
        for result in missing {
            // A relay keeps the later one.
            let own = own.get(&result::mark(result.signed())).map(|own| own.saturating_add(1));
            events.push(result::write(result.signed(), own.unwrap_or(at).max(at)).sign(author, &random()?));
        }
        at = at.saturating_sub(u64::try_from(part.len().div_ceil(EACH_SECOND)).unwrap_or(1));
        let Published { kept, refused, why } = client.publish(&events, done).await.map_err(Failure::input)?;
        published.kept += kept;
        published.refused += refused;
        published.why = published.why.or(why);
    }
    Ok(published)
}

/// Those of which the relay has not all the signatures that are here.
async fn missing<'a>(client: &mut Client, results: &[&'a Checked]) -> Result<Vec<&'a Checked>, Trouble> {
    if results.is_empty() {
        return Ok(Vec::new());
    }
    let marks: Vec<(Hash, &Checked)> = results.iter().map(|result| (result::mark(result.signed()), *result)).collect();
    let filter = Filter { limit: Some(PAGE), ..Filter::of(Kind::RESULT) };
    let filter = filter.with('d', marks.iter().map(|(mark, _)| mark.to_string()).collect());
    let mut there: BTreeMap<Hash, BTreeSet<usize>> = BTreeMap::new();
    for event in client.ask(&filter, PAGE).await?.events {
        let Ok(signed) = result::read(&event) else { continue };
        let mark = result::mark(&signed);
        let checked = signed.check();
        // One forged signature makes the whole file worthless for others.
        if !matches!(checked.verdict(), Verdict::Forged { .. }) {
            there.entry(mark).or_default().extend(checked.signers());
        }
    }
    let lacks = |mark: &Hash, result: &Checked| {
        let there = there.get(mark);
        result.signers().iter().any(|signer| there.is_none_or(|there| !there.contains(signer)))
    };
    Ok(marks.into_iter().filter(|(mark, result)| lacks(mark, result)).map(|(_, result)| result).collect())
}

/// When the author's own events about these results were published, as far as the relay has some.
async fn own_times(
    client: &mut Client,
    results: &[&Checked],
    author: &Secret,
) -> Result<BTreeMap<Hash, Seconds>, Trouble> {
    if results.is_empty() {
        return Ok(BTreeMap::new());
    }
    let filter = Filter { limit: Some(PAGE), ..Filter::of(Kind::RESULT) }.by(author.public());
    let filter = filter.with('d', results.iter().map(|result| result::mark(result.signed()).to_string()).collect());
    let mut own: BTreeMap<Hash, Seconds> = BTreeMap::new();
    for event in client.ask(&filter, PAGE).await?.events {
        if let Some(mark) = event.tag("d").and_then(Hash::from_hex) {
            let at = own.entry(mark).or_default();
            *at = event.at().max(*at);
        }
    }
    Ok(own)
}

/// The station's boards on a relay, and when each was published.
pub(crate) async fn boards(
    client: &mut Client,
    station: &Secret,
) -> Result<BTreeMap<AnyGame, (u64, Leaderboard)>, Trouble> {
    let mut boards: BTreeMap<AnyGame, (u64, Leaderboard)> = BTreeMap::new();
    for event in client.ask(&board::of_station(station.public()), PAGE).await?.events {
        let Ok(read) = board::read(&event) else { continue };
        if boards.get(&read.game()).is_none_or(|(at, _)| *at < event.at()) {
            boards.insert(read.game(), (event.at(), read));
        }
    }
    Ok(boards)
}

/// Publishes boards that say something else than those on the relay.
pub(crate) async fn push_boards(
    client: &mut Client,
    boards: &[Leaderboard],
    there: &BTreeMap<AnyGame, (u64, Leaderboard)>,
    station: &Secret,
) -> Result<Published, Failure> {
    let mut events = Vec::new();
    for whole in boards {
        let first = whole.first(board::MOST_ROWS, station, &random()?);
        let same = there.get(&whole.game()).is_some_and(|(_, board)| board.rows() == first.rows());
        let nothing = whole.rows().is_empty() && !there.contains_key(&whole.game());
        if !same && !nothing {
            events.push(board::write(&first).sign(station, &random()?));
        }
    }
    client.publish(&events, &mut |_| ()).await.map_err(Failure::input)
}

/// One line about a relay that is of no use.
pub(crate) fn trouble(relay: &RelayUrl, why: &Trouble) -> Failure {
    Failure::input(format!("{relay}: {why}"))
}
