//! The units of a plan cut into chunks, which several workers play at once.

use std::ops::{ControlFlow, Range};

use bots::Computer;
use dealers::Recording;
use indicatif::ProgressBar;

use super::worker::GROUP;
use super::{Fault, Plan, Scribe, Simulated, Tally, Units, Worker};
use crate::failure::Failure;
use crate::interrupt;
use crate::new_file::NewFile;
use crate::ordered::in_order;

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
    let work = |worker: &mut Worker<'_, G, D>, number: u64| {
        let units = number * size..plan.units.count().min((number + 1) * size);
        // Where proofs take nearly all the time, one loop for both keeps the program small.
        if D::PROVES {
            let mut scribe = recorded.then(Recording::default);
            let tally = play_chunk(worker, plan, units.clone(), &mut scribe);
            tally.map(|tally| Chunk { units, tally, text: scribe.map(|mut done| done.0.take()).unwrap_or_default() })
        } else if recorded {
            let mut scribe = Recording::default();
            let tally = play_chunk(worker, plan, units.clone(), &mut scribe);
            tally.map(|tally| Chunk { units, tally, text: scribe.0.take() })
        } else {
            let tally = play_chunk(worker, plan, units.clone(), &mut ());
            tally.map(|tally| Chunk { units, tally, text: String::new() })
        }
    };
    let mut tally = Tally::new(plan.players);
    let take = |chunk: Result<Chunk, Fault>| {
        let chunk = chunk.map_err(|fault| Failure::Check(fault.to_string()))?;
        tally.merge(&chunk.tally);
        if let Some(record) = &mut record {
            record.write(&chunk.text)?;
        }
        bar.inc(chunk.units.end - chunk.units.start);
        Ok(ControlFlow::Continue(()))
    };
    in_order(chunks, threads, || Worker::<G, D>::with_dealer(plan), work, take)?;
    Ok(tally)
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
