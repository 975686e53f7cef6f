//! Several workers at once, whose results come together in order.
//!
//! Units are cut into chunks. Worker `t` of `n` plays the chunks `t`, `t + n`, `t + 2n`, … and the
//! results are taken from the workers in turn: so they come in order without being sorted, and no worker
//! can run far ahead of the slowest one, which keeps memory flat.

use std::ops::Range;
use std::sync::mpsc::sync_channel;
use std::thread;

use bots::Computer;
use dealers::Recording;
use indicatif::ProgressBar;

use super::worker::GROUP;
use super::{Fault, Plan, Scribe, Simulated, Tally, Units, Worker};
use crate::failure::Failure;
use crate::interrupt;
use crate::new_file::NewFile;

/// How many chunks of each worker may wait to be taken.
const AHEAD: usize = 2;

/// What came of a chunk.
struct Chunk {
    units: Range<u64>,
    tally: Tally,
    /// Its part of the record.
    text: String,
}

/// Plays all units of a plan.
pub(super) fn play<G, D>(
    plan: &Plan<G>,
    threads: usize,
    mut record: Option<&mut NewFile>,
    bar: &ProgressBar,
) -> Result<Tally, Failure>
where
    G: Computer<Settings: Sync, Series: Sync>,
    D: Simulated,
{
    interrupt::listen();
    let recorded = record.is_some();
    if let (Units::Deals(_), Some(record)) = (plan.units, &mut record) {
        let mut writer = table::record::Writer::new();
        writer.header(plan.header(None));
        record.write(&writer.take())?;
    }
    let size = chunk_size(plan.units, recorded);
    let chunks = plan.units.count().div_ceil(size);
    let threads = usize::try_from(chunks).unwrap_or(usize::MAX).min(threads).max(1);
    thread::scope(|scope| {
        let mut workers = Vec::with_capacity(threads);
        for first in (0..chunks).take(threads) {
            let (send, receive) = sync_channel(AHEAD);
            workers.push(receive);
            scope.spawn(move || {
                let mut worker = Worker::<G, D>::with_dealer(plan);
                for number in (first..chunks).step_by(threads) {
                    let units = number * size..plan.units.count().min((number + 1) * size);
                    let chunk = if recorded {
                        let mut scribe = Recording::default();
                        let tally = play_chunk(&mut worker, plan, units.clone(), &mut scribe);
                        tally.map(|tally| Chunk { units, tally, text: scribe.0.take() })
                    } else {
                        let tally = play_chunk(&mut worker, plan, units.clone(), &mut ());
                        tally.map(|tally| Chunk { units, tally, text: String::new() })
                    };
                    // Nobody listens once another worker's fault or Ctrl-C has ended it all.
                    if interrupt::asked() || send.send(chunk).is_err() {
                        return;
                    }
                }
            });
        }
        let mut tally = Tally::new(plan.players);
        let turns = workers.iter().cycle().zip(0..chunks);
        for (worker, _) in turns {
            let chunk = worker.recv().map_err(|_| Failure::Interrupted)?;
            let chunk = chunk.map_err(|fault: Fault| Failure::Check(fault.to_string()))?;
            tally.merge(&chunk.tally);
            if let Some(record) = &mut record {
                record.write(&chunk.text)?;
            }
            bar.inc(chunk.units.end - chunk.units.start);
        }
        Ok(tally)
    })
}

/// Large enough that handing over costs nothing, small enough for a lively bar and little memory.
fn chunk_size(units: Units, recorded: bool) -> u64 {
    match (units, recorded) {
        (Units::Deals(_), false) => 16 * GROUP,
        (Units::Deals(_), true) => 2 * GROUP,
        (Units::Matches { .. }, false) => 8,
        (Units::Matches { .. }, true) => 1,
    }
}

fn play_chunk<G, D>(
    worker: &mut Worker<'_, G, D>,
    plan: &Plan<G>,
    units: Range<u64>,
    scribe: &mut impl Scribe<G::Rules>,
) -> Result<Tally, Fault>
where
    G: Computer,
    D: Simulated,
{
    let mut tally = Tally::new(plan.players);
    for unit in units {
        match plan.units {
            Units::Deals(_) => worker.deal(unit, scribe, &mut tally)?,
            Units::Matches { max_deals, .. } => worker.whole_match(unit, max_deals, scribe, &mut tally)?,
        }
    }
    Ok(tally)
}
