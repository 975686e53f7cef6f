//! `fairdeal arena`: which computer plays better, and how sure is that?
//!
//! - `plan`: what is to be played, checked.
//! - `lineup`: who sits where.
//! - `worker`: plays sets, one seed of cards in every line-up.
//! - `tally`: what is counted over a set, and over all sets of a pair.
//! - `estimate`: averages over sets, with their confidence.
//! - `rate`: big blinds per 100 hands, and what a bank takes.
//! - `report`: what is written.
//!
//! Luck is most of a card game, so the same cards are played in every line-up: what one bot is dealt, the
//! other is dealt as well. A set depends on the seed and its own number alone.

mod estimate;
mod lineup;
mod plan;
mod rate;
mod report;
mod tally;
mod worker;

use std::io::Write;
use std::ops::ControlFlow;
use std::time::Instant;

use bots::Computer;
use games::AnyGame;

use crate::args::ArenaArgs;
use crate::computers::Who;
use crate::external::Told;
use crate::failure::Failure;
use crate::interrupt;
use crate::ordered::{default_threads, in_order};
use crate::sim::progress_bar;
use plan::Plan;
use report::Report;
use tally::{PairTally, SetTally};
use worker::Worker;

/// Runs the command.
pub fn run(args: &ArenaArgs, out: &mut dyn Write) -> Result<(), Failure> {
    fn go<G>(args: &ArenaArgs, out: &mut dyn Write) -> Result<(), Failure>
    where
        G: Computer<Settings: Sync, Rules: 'static>,
    {
        let plan = Plan::<G>::from_args(args)?;
        let threads = args.played.threads.map_or_else(default_threads, usize::from);
        if !args.json {
            writeln!(out, "{}, {} players, seed {}", G::TITLE, plan.players, plan.seed)?;
        }
        let mut gone = Vec::new();
        for pair in &plan.pairs {
            let begin = Instant::now();
            let tally = play(&plan, pair, threads)?;
            let (names, time) = (pair.each_ref().map(ToString::to_string), begin.elapsed());
            let report = Report { plan: &plan, names, tally: &tally, time, threads };
            if args.json {
                report.print_json(out)?
            } else {
                report.print(out)?
            }
            // Pairs may take long; each is shown as soon as it is done.
            out.flush()?;
            gone.extend(pair.iter().zip([tally.a, tally.b]).filter(|(_, bot)| bot.gone).map(|(who, _)| who));
        }
        match gone.first() {
            None => Ok(()),
            Some(who) => Err(Failure::Check(format!(
                "{who} did not play to the end; some of its figures come from default moves"
            ))),
        }
    }
    let game: AnyGame = args.played.game;
    games::with_game!(game, G => go::<G>(args, out))
}

/// Plays all sets of a pair, or as many as it takes.
fn play<G>(plan: &Plan<G>, pair: &[Who; 2], threads: usize) -> Result<PairTally, Failure>
where
    G: Computer<Settings: Sync, Rules: 'static>,
{
    interrupt::listen();
    let [a, b] = pair;
    let bar = progress_bar(plan.sets, &format!("sets of {a} against {b}"));
    let told = [(); 2].map(|()| Told::in_contest());
    let mut tally = PairTally::default();
    let take = |set: Result<SetTally, Failure>| {
        tally.add(&set?);
        bar.inc(1);
        let looks = plan.until_clear && estimate::is_look(tally.sets);
        let clear = looks && tally.better(Some(estimate::STOPPING)).is_some();
        Ok(if clear { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    };
    let played = in_order(plan.sets, threads, || Worker::new(plan, pair, &told), Worker::set, take);
    bar.finish_and_clear();
    played.map(|()| tally)
}
