//! `fairdeal station sync`: both sides have all results afterwards.
//!
//! First everything that comes is checked and kept, then everything that the other side lacks goes there, then the
//! boards. Each step is on the disk before the next, so that an interruption loses nothing.

use std::io::Write;
use std::path::Path;

use games::AnyGame;
use relays::RelayUrl;
use relays::address::means_relay;
use results::{Signed, Timestamp};
use serde_json::json;

use super::players::Players;
use super::{counted, counting, ranked, write_board};
use crate::Done;
use crate::collection::{Kept, KeptLogs, Loaded, Store, Taken, now, read_file};
use crate::failure::{Failure, complain};
use crate::keyring::{self, Owner};
use crate::relay::client::Published;
use crate::relay::position::Position;
use crate::relay::pulling::{Pulled, Way, pull};
use crate::relay::sharing::{boards, push, push_boards, trouble};
use crate::relay::{Client, wait_for};

/// How many files of a folder are checked together.
const PART: usize = 1000;

/// What went both ways.
#[derive(Default)]
struct Synced {
    taken: Taken,
    sent: Published,
    boards: usize,
    /// How many logs came, and how many went.
    logs: (usize, usize),
    /// What a relay sent that made no sense.
    ignored: u32,
    /// There is more for the next time.
    more: bool,
}

pub(super) fn run(data: &Path, with: &str, all: bool, json: bool, out: &mut impl Write) -> Result<Done, Failure> {
    let station = keyring::load(data, Owner::Station)?;
    let now = now()?;
    if means_relay(with) {
        let relay: RelayUrl = with.parse().map_err(|why| Failure::input(format!("{with}: {why}")))?;
        let synced = wait_for(with_relay(data, &relay, all, now, &station))?;
        return tell(&synced, &relay.to_string(), json, out);
    }
    if with.contains("://") {
        let why = format!("{with}: neither a folder nor a relay; the address of a relay begins with wss:// or ws://");
        return Err(Failure::input(why));
    }
    if all {
        return Err(Failure::input("--all is for relays; a folder is always read as a whole"));
    }
    let synced = with_folder(data, Path::new(with), now, &station)?;
    tell(&synced, with, json, out)
}

async fn with_relay(
    data: &Path,
    relay: &RelayUrl,
    all: bool,
    now: Timestamp,
    station: &results::Secret,
) -> Result<Synced, Failure> {
    let mut client = Client::connect(relay).await.map_err(|why| trouble(relay, &why))?;
    let mut synced = Synced::default();
    let mut position = Position::read(data, relay);
    if all {
        position.forget();
    }
    let bar = lab::sim::counter("events");
    let told = &mut |count: usize| bar.inc(u64::try_from(count).unwrap_or_default());
    let known = Players::read(data)?.listed();
    let way = Way { relay, data, now, known: &known };
    let pulled = pull(&mut client, &way, &mut position, &mut synced.taken, told).await;
    bar.finish_and_clear();
    match pulled? {
        Pulled::All => {}
        Pulled::More => synced.more = true,
        Pulled::CutOff => {
            let Taken { new, completed, .. } = synced.taken;
            let kept = new + completed;
            let why =
                format!("{relay}: the relay stopped answering; {kept} new results are kept. Repeat this to go on");
            return Err(Failure::input(why));
        }
    }
    let loaded = counted(data, now)?;
    let results = loaded.worth_sharing();
    let bar = lab::sim::progress_bar(u64::try_from(results.len()).unwrap_or(u64::MAX), "results");
    let told = &mut |count: usize| bar.inc(u64::try_from(count).unwrap_or_default());
    let sent = push(&mut client, &results, station, now, told).await;
    bar.finish_and_clear();
    synced.sent = sent.map_err(|why| about(relay, why))?;
    let there = boards(&mut client, station).await.map_err(|why| trouble(relay, &why))?;
    // A relay keeps the later one.
    let later = there.values().map(|(at, _)| at.saturating_add(1)).max().and_then(Timestamp::from_seconds);
    let at = later.map_or(now, |later| later.max(now));
    let ours = ranked(AnyGame::ALL, &counting(data, &loaded)?, &KeptLogs::new(data), at, station)?;
    ours.iter().try_for_each(|board| write_board(data, board))?;
    let published = push_boards(&mut client, &ours, &there, station).await.map_err(|why| about(relay, why))?;
    synced.boards = published.kept;
    synced.sent.refused += published.refused;
    synced.sent.why = synced.sent.why.or(published.why);
    synced.ignored = client.ignored();
    Ok(synced)
}

/// Says which relay it was.
fn about(relay: &RelayUrl, why: Failure) -> Failure {
    match why {
        Failure::Input(why) => Failure::input(format!("{relay}: {why}")),
        other => other,
    }
}

fn with_folder(data: &Path, folder: &Path, now: Timestamp, station: &results::Secret) -> Result<Synced, Failure> {
    let there = folder.canonicalize().map_err(|why| Failure::file(folder, "open", &why))?;
    if !there.is_dir() {
        return Err(Failure::input(format!("{}: not a folder", folder.display())));
    }
    if data.canonicalize().is_ok_and(|data| data == there) {
        return Err(Failure::input(format!("{}: this is the station's own data folder", folder.display())));
    }
    let (mine, theirs) = (Store::new(data.to_owned()), Store::new(there.clone()));
    let mut synced = Synced::default();
    let files = theirs.files(AnyGame::ALL)?;
    let bar = lab::sim::progress_bar(u64::try_from(files.len()).unwrap_or(u64::MAX), "files");
    for part in files.chunks(PART) {
        let mut results = Vec::with_capacity(part.len());
        for path in part {
            let name = path.strip_prefix(&there).unwrap_or(path).display().to_string();
            match read_file(path).and_then(|bytes| Signed::parse(&bytes).map_err(|why| why.to_string())) {
                Ok(signed) => results.push((name, signed)),
                Err(why) => synced.taken.refuse(name, why),
            }
        }
        synced.taken.take(&mine, results, now)?;
        bar.inc(u64::try_from(part.len()).unwrap_or_default());
    }
    bar.finish_and_clear();
    synced.more = synced.taken.left > 0;
    let loaded = counted(data, now)?;
    for result in loaded.worth_sharing() {
        synced.sent.kept += usize::from(theirs.keep(result)?.0 != Kept::Known);
    }
    synced.logs = exchange_logs(&mine, &theirs, &loaded, &mut synced.taken)?;
    for board in ranked(AnyGame::ALL, &counting(data, &loaded)?, &mine.proofs(), now, station)? {
        write_board(data, &board)?;
        if !board.rows().is_empty() {
            write_board(&there, &board)?;
            synced.boards += 1;
        }
    }
    Ok(synced)
}

/// Both sides have the logs that stand in for signatures, as far as one of them has them. Only a log that a result names is
/// taken, and only if it is right.
fn exchange_logs(mine: &Store, theirs: &Store, loaded: &Loaded, taken: &mut Taken) -> Result<(usize, usize), Failure> {
    let (wanted, ours, there) = (loaded.wanted_logs(), mine.logs(), theirs.logs());
    let (mut came, mut went) = (0, 0);
    for hash in &wanted {
        let (from, to, count) = match (ours.get(hash), there.get(hash)) {
            (None, Some((path, _))) => (path, mine, &mut came),
            (Some((path, _)), None) => (path, theirs, &mut went),
            _ => continue,
        };
        match to.keep_log(from) {
            Ok((kept, _, _)) => *count += usize::from(kept == Kept::New),
            Err(Failure::Check(why)) => taken.refuse(format!("log {hash}"), why),
            Err(why) => return Err(why),
        }
    }
    Ok((came, went))
}

fn tell(synced: &Synced, with: &str, json: bool, out: &mut impl Write) -> Result<Done, Failure> {
    let Synced { taken, sent, boards, logs, ignored, more } = synced;
    let Taken { new, completed, aside, refused, reasons, left, crowded, .. } = taken;
    if json {
        let reasons: Vec<_> = reasons.iter().map(|(name, why)| json!({ "name": name, "why": why })).collect();
        let all = json!({
            "with": with, "new": new, "completed": completed, "contradictions": aside, "refused": refused,
            "reasons": reasons, "left": left, "crowded": crowded.len(),
            "ignored": ignored, "sent": sent.kept, "not_kept": sent.refused, "leaderboards": boards, "more": more,
            "logs_new": logs.0, "logs_sent": logs.1,
        });
        writeln!(out, "{all}")?;
    } else {
        writeln!(out, "{with}: {}", came(taken))?;
        let gone = if sent.kept == 1 { "1 result".to_owned() } else { format!("{} results", sent.kept) };
        let boards = if *boards == 1 { "1 leaderboard".to_owned() } else { format!("{boards} leaderboards") };
        writeln!(out, "  sent: {gone}, {boards}")?;
        if *logs != (0, 0) {
            writeln!(out, "  logs: {} came, {} went", logs.0, logs.1)?;
        }
    }
    if *refused > 0 {
        let were = if *refused == 1 { "1 result was".to_owned() } else { format!("{refused} results were") };
        complain(format_args!("{were} not taken from {with}:"));
        for (name, why) in reasons {
            complain(format_args!("  {}: {}", in_one_line(name), in_one_line(why)));
        }
        if *refused > reasons.len() {
            complain(format_args!("  and {} more", refused - reasons.len()));
        }
    }
    if *left > 0 {
        complain(format_args!("{left} results have to wait: too many at once are not signed by all their players"));
    }
    if let Some(first) = crowded.first() {
        let first = Timestamp::from_seconds(*first).map_or_else(|| first.to_string(), |at| at.to_string());
        let others = match crowded.len() {
            1 => String::new(),
            count => format!(" (and of {} other seconds)", count - 1),
        };
        complain(format_args!(
            "{with} has more events of {first}{others} than it gives at once: results may be missing"
        ));
    }
    if sent.refused > 0 {
        let why = sent.why.as_deref().filter(|why| !why.is_empty()).unwrap_or("it does not say why");
        complain(format_args!("{with} did not keep {}: {why}", sent.refused));
    }
    if *more {
        complain("there is more; repeat this to go on");
    }
    Ok(if sent.refused > 0 || *more || !crowded.is_empty() { Done::CheckFailed } else { Done::Well })
}

/// Names of files come from elsewhere.
fn in_one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { '?' } else { letter }).collect()
}

/// What came, in words.
fn came(taken: &Taken) -> String {
    let mut words = match taken.new {
        1 => "1 new result".to_owned(),
        new => format!("{new} new results"),
    };
    if taken.completed > 0 {
        words += &format!(", {} with signatures that were missing", taken.completed);
    }
    if taken.aside > 0 {
        words += &format!(", {} that contradict what is kept", taken.aside);
    }
    words
}
