//! Several workers at once, whose results come together in order.
//!
//! Units are cut into chunks. Worker `t` of `n` plays the chunks `t`, `t + n`, `t + 2n`, … and the
//! results are taken from the workers in turn: so they come in order without being sorted, and no worker
//! can run far ahead of the slowest one, which keeps memory flat.
//!
//! In a record of single deals the heights run on from deal to deal, and a worker does not know how many
//! inputs the chunks before its own took. Where a record is written it therefore plays its chunk twice:
//! first to count, which is quick, then, told the height by the worker before it, to write.

use std::ops::Range;
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::thread;

use bots::Simple;
use dealers::Recording;
use indicatif::ProgressBar;
use table::{Game, Height};

use super::record_file::RecordFile;
use super::{Fault, Plan, Tally, Units, Worker};
use crate::failure::Failure;
use crate::interrupt;

/// How many chunks of each worker may wait to be taken.
const AHEAD: usize = 2;

/// What came of a chunk.
struct Chunk {
    units: u64,
    tally: Tally,
    /// Its part of the record.
    text: String,
}

/// Plays all units of a plan.
pub(super) fn play<G>(
    plan: &Plan<G>,
    threads: usize,
    mut record: Option<&mut RecordFile>,
    bar: &ProgressBar,
) -> Result<Tally, Failure>
where
    G: Game<Settings: Sync, Rules: Simple>,
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
        for (first, heights) in (0..).zip(Heights::ring(threads)) {
            let (send, receive) = sync_channel(AHEAD);
            workers.push(receive);
            scope.spawn(move || {
                let mut worker = Worker::new(plan);
                for number in (first..chunks).step_by(threads) {
                    let units = number * size..plan.units.count().min((number + 1) * size);
                    let chunk = if recorded {
                        write_chunk(&mut worker, plan, units, &heights)
                    } else {
                        play_chunk(&mut worker, plan, units).map(Some)
                    };
                    // `None`, and nobody who listens: another worker or Ctrl-C has ended it all.
                    let Some(chunk) = chunk.transpose() else { return };
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
            bar.inc(chunk.units);
        }
        Ok(tally)
    })
}

/// Large enough that handing over costs nothing, small enough for a lively bar and little memory.
fn chunk_size(units: Units, recorded: bool) -> u64 {
    match (units, recorded) {
        (Units::Deals(_), false) => 1024,
        (Units::Deals(_), true) => 128,
        (Units::Matches { .. }, false) => 8,
        (Units::Matches { .. }, true) => 1,
    }
}

fn play_chunk<G>(worker: &mut Worker<'_, G>, plan: &Plan<G>, units: Range<u64>) -> Result<Chunk, Fault>
where
    G: Game<Rules: Simple>,
{
    let mut chunk = Chunk { units: units.end - units.start, tally: Tally::new(plan.players), text: String::new() };
    for unit in units {
        match plan.units {
            Units::Deals(_) => drop(worker.deal(unit, Height(0), &mut (), &mut chunk.tally)?),
            Units::Matches { max_deals, .. } => worker.whole_match(unit, max_deals, &mut (), &mut chunk.tally)?,
        }
    }
    Ok(chunk)
}

/// `None` if the worker before has stopped.
fn write_chunk<G>(
    worker: &mut Worker<'_, G>,
    plan: &Plan<G>,
    units: Range<u64>,
    heights: &Heights,
) -> Result<Option<Chunk>, Fault>
where
    G: Game<Rules: Simple>,
{
    let mut scribe = Recording::default();
    let mut tally = Tally::new(plan.players);
    match plan.units {
        Units::Deals(_) => {
            let inputs = play_chunk(worker, plan, units.clone())?.tally.inputs.sum;
            let Some(mut height) = heights.pass(inputs) else { return Ok(None) };
            for unit in units.clone() {
                height = worker.deal(unit, height, &mut scribe, &mut tally)?;
            }
        }
        Units::Matches { max_deals, .. } => {
            for unit in units.clone() {
                worker.whole_match(unit, max_deals, &mut scribe, &mut tally)?;
            }
        }
    }
    Ok(Some(Chunk { units: units.end - units.start, tally, text: scribe.0.take() }))
}

/// One worker's place in the ring in which the height of the table goes round.
struct Heights {
    before: Receiver<u64>,
    after: Sender<u64>,
}

impl Heights {
    /// Places for so many workers. The first one starts with height 0.
    fn ring(workers: usize) -> impl Iterator<Item = Self> {
        let (mut senders, receivers): (Vec<_>, Vec<_>) = (0..workers).map(|_| channel()).unzip();
        if let Some(first) = senders.first() {
            // Its receiver is right here.
            let _ = first.send(0);
        }
        // Who receives from channel i sends to channel i + 1.
        senders.rotate_left(1.min(workers));
        receivers.into_iter().zip(senders).map(|(before, after)| Self { before, after })
    }

    /// Waits for the height before this worker's chunk and tells the next one the height after it.
    fn pass(&self, inputs: u64) -> Option<Height> {
        let height = self.before.recv().ok()?;
        // After the last chunk nobody listens.
        let _ = self.after.send(height + inputs);
        Some(Height(height))
    }
}
