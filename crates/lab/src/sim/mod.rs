//! `fairdeal sim`: many deals or matches among computers.
//!
//! - [`plan`](Plan): what is to be played, checked.
//! - [`dealing`](Dealing): who deals.
//! - [`seeds`](unit_seed): what each deal or match draws its randomness from.
//! - [`worker`](Worker): plays one deal or match after the other.
//! - `threads`: several workers, whose results come together in order.
//! - [`tally`](Tally): what is counted, in whole numbers, so that the order of adding does not matter.
//! - `report`: what is written.
//!
//! A unit (a deal or a match) depends on the seed and its own number alone, never on the units before it.

mod dealing;
mod plan;
mod report;
mod seeds;
mod tally;
mod threads;
mod worker;

use std::io::Write;
use std::time::Instant;

use bots::Computer;
use dealers::joint::Circle;
use dealers::{House, Local};
use games::AnyGame;
use indicatif::{ProgressBar, ProgressStyle};

use crate::args::SimArgs;
use crate::failure::{Failure, complain};
use crate::new_file::NewFile;
use crate::ordered::default_threads;
use report::Report;

pub(crate) use dealing::parse_reveal;
pub use dealing::{Dealing, Simulated};
pub use plan::{Plan, Units, bot_name, default_players, settings};
pub(crate) use plan::{checked_players, fresh_seed};
pub use seeds::unit_seed;
pub use tally::{Extent, MatchTally, Samples, Tally};
pub use worker::{Fault, Scribe, Worker};

/// Runs the command.
pub fn run(args: &SimArgs, out: &mut dyn Write) -> Result<(), Failure> {
    fn go<G>(args: &SimArgs, out: &mut dyn Write) -> Result<(), Failure>
    where
        G: Computer<Settings: Sync, Series: Sync>,
    {
        simulate(&Plan::<G>::from_args(args)?, args, out)
    }
    let game: AnyGame = args.played.game;
    games::with_game!(game, G => go::<G>(args, out))
}

fn simulate<G>(plan: &Plan<G>, args: &SimArgs, out: &mut dyn Write) -> Result<(), Failure>
where
    G: Computer<Settings: Sync, Series: Sync>,
{
    let mut record = args.record.as_deref().map(|path| NewFile::create(path, args.force)).transpose()?;
    let threads = args.played.threads.map_or_else(default_threads, usize::from);
    let bar = progress_bar(plan.units.count(), plan.units.name());
    let begin = Instant::now();
    let played = match plan.dealer {
        Dealing::Local => threads::play::<G, Local>(plan, threads, record.as_mut(), &bar),
        Dealing::House { .. } => threads::play::<G, House>(plan, threads, record.as_mut(), &bar),
        Dealing::Joint(_) => threads::play::<G, Circle>(plan, threads, record.as_mut(), &bar),
    };
    let time = begin.elapsed();
    bar.finish_and_clear();
    if let (Err(Failure::Interrupted), Some(path)) = (&played, &args.record) {
        complain(format_args!("{}: not written, because the simulation was interrupted", path.display()));
    }
    let tally = played?;
    if let Some(record) = record {
        record.finish()?;
    }
    let report = Report { plan, args, tally: &tally, time, threads };
    if args.json {
        report.print_json(out)?
    } else {
        report.print(out)?
    }
    Ok(())
}

/// Shown on a terminal only.
pub fn progress_bar(count: u64, name: &str) -> ProgressBar {
    let bar = ProgressBar::new(count);
    let template = format!("{{bar:40}} {{human_pos}} of {{human_len}} {name}, {{eta}} left");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar
}

/// Counts on a terminal what is done, where nobody knows how much there is.
pub fn counter(name: &str) -> ProgressBar {
    let bar = ProgressBar::no_length();
    if let Ok(style) = ProgressStyle::with_template(&format!("{{spinner}} {{human_pos}} {name}")) {
        bar.set_style(style);
    }
    bar
}
