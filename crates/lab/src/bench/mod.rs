//! `fairdeal bench`: how fast this machine ranks hands, plays deals, proves them and follows a chain, on one thread.
//!
//! Every figure is the best of several short runs after a warm-up: what disturbs a run only ever makes
//! it slower. Of rates, more is better; of figures that end in `_ms`, `_us`, `_bytes` or `_messages`, less.

mod chain;
mod dealers;
mod dealing;
mod deals;
mod ranking;
mod sharing;

use std::hint::black_box;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::args::BenchArgs;
use crate::failure::Failure;
use crate::text::grouped_float;

/// How many runs the best is chosen from.
const RUNS: u32 = 5;

/// Something that can be measured.
struct Bench {
    name: String,
    unit: Unit,
    ready: Ready,
}

/// What is told of a run, or of many.
#[derive(Clone, Copy)]
enum Unit {
    /// How many of these were done in a second.
    PerSecond(&'static str),
    /// How long one took.
    Milliseconds,
    /// How long one took, where it is short.
    Microseconds,
    /// How large it is, in these.
    Size(&'static str),
}

impl Unit {
    const fn name(self) -> &'static str {
        match self {
            Self::PerSecond(name) | Self::Size(name) => name,
            Self::Milliseconds => "ms",
            Self::Microseconds => "µs",
        }
    }

    fn measure(self, seconds: f64, mut batch: Batch) -> Result<f64, String> {
        // To as many digits as can be measured.
        Ok(match self {
            Self::PerSecond(_) => (best_rate(seconds, batch)? * 1e2).round() / 1e2,
            Self::Milliseconds => (1e5 / best_rate(seconds, batch)?).round() / 1e2,
            Self::Microseconds => (1e7 / best_rate(seconds, batch)?).round() / 1e1,
            Self::Size(_) => batch()? as f64,
        })
    }

    fn text(self, value: f64) -> String {
        match self {
            Self::PerSecond(_) if value >= 1e3 => grouped_float(value),
            Self::Size(_) => grouped_float(value),
            Self::PerSecond(_) | Self::Milliseconds => format!("{value:.2}"),
            Self::Microseconds => format!("{value:.1}"),
        }
    }
}

/// Makes ready and gives back what runs once.
type Ready = Box<dyn Fn() -> Result<Batch, String>>;

/// Runs once and says how many units that was: how many were done or, of a size, how large it is.
type Batch = Box<dyn FnMut() -> Result<u64, String>>;

#[derive(Serialize)]
struct Figure {
    name: String,
    value: f64,
    unit: &'static str,
}

/// Runs the command.
pub fn run(args: &BenchArgs, out: &mut dyn Write) -> Result<(), Failure> {
    if !(0.05..=600.0).contains(&args.seconds) {
        return Err(Failure::input(format!("--seconds {}: it must be from 0.05 to 600", args.seconds)));
    }
    let mut benches: Vec<Bench> = ranking::benches();
    benches.extend(deals::benches().chain(dealing::benches()));
    benches.extend(sharing::benches().into_iter().chain(dealers::benches()));
    benches.extend(chain::benches());
    if let Some(unknown) = args.names.iter().find(|name| !benches.iter().any(|bench| bench.name == **name)) {
        let known: Vec<&str> = benches.iter().map(|bench| &*bench.name).collect();
        return Err(Failure::input(format!("{unknown}: no such benchmark; the benchmarks are {}", known.join(", "))));
    }
    benches.retain(|bench| args.names.is_empty() || args.names.contains(&bench.name));
    let width = benches.iter().map(|bench| bench.name.len()).max().unwrap_or(0);
    for Bench { name, unit, ready } in benches {
        let measured = ready().and_then(|batch| unit.measure(args.seconds, batch));
        let value = measured.map_err(|why| Failure::Check(format!("{name}: {why}")))?;
        if args.json {
            serde_json::to_writer(&mut *out, &Figure { name, value, unit: unit.name() }).map_err(io::Error::from)?;
            writeln!(out)?;
        } else {
            writeln!(out, "{name:width$}  {:>14} {}", unit.text(value), unit.name())?;
        }
        // Each takes a while, so it is shown at once.
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
