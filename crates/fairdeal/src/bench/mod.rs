//! `fairdeal bench`: how fast this machine ranks hands and plays deals, on one thread.
//!
//! Every figure is the best of several short runs after a warm-up: what disturbs a run only ever makes
//! it slower.

mod deals;
mod ranking;

use std::hint::black_box;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::cli::BenchArgs;
use crate::failure::Failure;
use crate::text::grouped_float;

/// How many runs the best is chosen from.
const RUNS: u32 = 5;

/// Something that can be measured.
pub(crate) struct Bench {
    name: &'static str,
    unit: &'static str,
    /// Makes ready and gives back what runs once and says how many units that was.
    ready: Box<dyn Fn() -> Result<Batch, String>>,
}

/// Runs once and says how many units that was.
type Batch = Box<dyn FnMut() -> Result<u64, String>>;

#[derive(Serialize)]
struct Figure {
    name: &'static str,
    value: f64,
    unit: &'static str,
}

pub(crate) fn run(args: &BenchArgs, out: &mut impl Write) -> Result<(), Failure> {
    if !(0.05..=600.0).contains(&args.seconds) {
        return Err(Failure::input(format!("--seconds {}: it must be from 0.05 to 600", args.seconds)));
    }
    let mut benches: Vec<Bench> = ranking::benches().into_iter().chain(deals::benches()).collect();
    if let Some(unknown) = args.names.iter().find(|name| !benches.iter().any(|bench| bench.name == **name)) {
        let known: Vec<&str> = benches.iter().map(|bench| bench.name).collect();
        return Err(Failure::input(format!(
            "{unknown}: nothing is measured under this name, only {}",
            known.join(", ")
        )));
    }
    benches.retain(|bench| args.names.is_empty() || args.names.iter().any(|name| name == bench.name));
    let width = benches.iter().map(|bench| bench.name.len()).max().unwrap_or(0);
    for Bench { name, unit, ready } in benches {
        let measured = ready().and_then(|batch| best_rate(args.seconds, batch));
        let value = measured.map_err(|why| Failure::Check(format!("{name}: {why}")))?.round();
        if args.json {
            serde_json::to_writer(&mut *out, &Figure { name, value, unit }).map_err(io::Error::from)?;
            writeln!(out)?;
        } else {
            writeln!(out, "{name:width$}  {:>14} {unit}", grouped_float(value))?;
        }
        // Each takes a while: whoever looks on sees it at once.
        out.flush()?;
    }
    Ok(())
}

/// Units per second in the best of several runs, which together take about this many seconds.
fn best_rate(seconds: f64, mut batch: Batch) -> Result<f64, String> {
    let each = Duration::from_secs_f64(seconds / f64::from(RUNS + 1));
    rate(each, &mut batch)?;
    let mut best = 0.0f64;
    for _ in 0..RUNS {
        best = best.max(rate(each, &mut batch)?);
    }
    Ok(best)
}

fn rate(time: Duration, batch: &mut Batch) -> Result<f64, String> {
    let begin = Instant::now();
    let mut units = 0;
    loop {
        units += black_box(batch()?);
        let elapsed = begin.elapsed();
        if elapsed >= time {
            return Ok(units as f64 / elapsed.as_secs_f64());
        }
    }
}
