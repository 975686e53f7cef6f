//! The log of a private match: everybody's signatures, the order, every proof, the deadlines and the result.
//!
//! - `compared`: result files, held against the log.
//! - `telling`: what was found, in words and as JSON.
//!
//! Everything is checked by [`peer::verify_entries`](::peer::verify_entries); here it is read and explained.

mod compared;
mod telling;

use std::io::{BufRead, Write};

use ::peer::{NotNext, Player, Report as Found, TableId, verify_entries};
use results::{Callsign, Public};
use table::Seat;

use super::Beside;
use super::report::Report;
use crate::failure::Failure;
use crate::logfile::{LogFile, Stopped};

pub(super) use compared::ResultFile;
use compared::{Agreement, compare};

/// What came of one log.
pub(super) struct Checked {
    /// The table.
    table: TableId,
    found: Found,
    /// Why the file was not read to its end.
    stopped: Option<Stopped>,
    /// The line of the last entry that was read.
    line: u64,
    /// The result files about this match, and what came of them.
    compared: Vec<(String, Agreement)>,
    /// Another log of the same table, and the number of the first entry that is another there: the hub has signed both.
    fork: Option<(String, u64)>,
}

/// A log that was checked before, to be compared with others of the same table.
pub(super) struct Earlier {
    file: String,
    hub: (TableId, Public),
    found: Found,
}

/// Checks the log in this stream, which has this many bytes if that is known.
pub(super) fn verify(
    input: impl BufRead,
    bytes: Option<u64>,
    beside: &mut Beside,
    report: &mut Report<impl Write>,
) -> Result<(), Failure> {
    let bar = bytes.map(|bytes| lab::sim::progress_bar(bytes, "bytes"));
    let mut progress = |bytes| bar.iter().for_each(|bar| bar.inc(bytes));
    let mut file = match LogFile::open(input, &mut progress) {
        Ok(file) => file,
        Err(why) => {
            report.file_error(&why)?;
            return report.end_file();
        }
    };
    let (key, hub) = (file.key.clone(), file.hub);
    let found = verify_entries(&key, hub, &mut file);
    let (line, stopped) = (file.line(), file.stopped.take());
    bar.iter().for_each(|bar| bar.finish_and_clear());
    let compared = found.played.iter().flat_map(|played| compare(played, &mut beside.results)).collect();
    let hub = (key.table(), hub);
    let same = beside.earlier.iter().filter(|other| other.hub == hub);
    let mut forks = same.filter_map(|other| Some((other.file.clone(), other.found.forked(&found)?)));
    let fork = forks.next();
    beside.earlier.push(Earlier { file: report.file().to_owned(), hub, found: found.clone() });
    report.private(&Checked { table: key.table(), found, stopped, line, compared, fork })
}

impl Checked {
    /// Whether the file is what everybody at the table has, and everybody kept to the rules.
    pub(super) fn is_valid(&self) -> bool {
        self.found.is_clean() && self.fork.is_none() && !matches!(self.stopped, Some(Stopped::Damaged(_)))
    }

    /// Whether it has the end of the match.
    pub(super) fn is_complete(&self) -> bool {
        self.stopped.is_none() && self.found.played.as_ref().is_some_and(|played| played.ended.is_some())
    }

    /// How many result files about this match say something else.
    pub(super) fn contradicted(&self) -> u64 {
        let others = self.compared.iter().filter(|(_, agreement)| !agreement.is_same());
        u64::try_from(others.count()).unwrap_or(u64::MAX)
    }

    /// Where the file is damaged: the line, and why.
    fn damage(&self) -> Option<(u64, String)> {
        match (&self.found.hub, &self.stopped) {
            (Some((_, why)), _) if !is_proof(why) => Some((self.line, why.to_string())),
            (_, Some(Stopped::Damaged(error))) => Some((error.line, error.why.clone())),
            _ => None,
        }
    }

    /// Everything that somebody did wrong, with the number of the entry that shows it.
    fn wrongs(&self) -> Vec<Wrong<'_>> {
        let players = self.found.played.iter().flat_map(|played| {
            let player = |seat| played.begun.players.get(usize::from(Seat::index(seat)));
            let faults = played.faults.iter();
            faults.map(move |fault| Wrong {
                by: player(fault.seat).map(|player| (fault.seat, player)),
                entry: fault.height,
                what: fault.what.to_string(),
            })
        });
        let hub = self.found.hub.iter().filter(|(_, why)| is_proof(why));
        let hub = hub.map(|(height, why)| Wrong { by: None, entry: height + 1, what: why.to_string() });
        let fork = self.fork.iter().map(|(file, entry)| Wrong {
            by: None,
            entry: *entry,
            what: format!("the hub forked the order: it has also signed another entry in this place, see {file}"),
        });
        players.chain(hub).chain(fork).collect()
    }
}

/// Whether an entry that is not the next one proves that the hub did wrong: its signature is under it. Anybody can have
/// written the others into the file.
const fn is_proof(why: &NotNext) -> bool {
    match why {
        NotNext::Unfit(_) | NotNext::Clock => true,
        NotNext::Unsigned | NotNext::Change(_) | NotNext::Pledged | NotNext::Released => false,
    }
}

/// Something that somebody did wrong.
struct Wrong<'a> {
    /// Who; the hub, if nobody.
    by: Option<(Seat, &'a Player)>,
    /// The number of the entry that shows it, from 1.
    entry: u64,
    what: String,
}

/// Their callsign.
fn callsign(player: &Player) -> Callsign {
    Callsign::of_player(&player.join.identity)
}
