//! What is said of a pair, for people or as JSON.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;
use table::{Counting, Game};

use super::plan::Plan;
use super::rate::Rate;
use super::tally::{Bot, PairTally};
use crate::computers::Times;
use crate::text::{counted, grouped};

/// Everything that is said of a pair.
pub(super) struct Report<'a, G: Game> {
    pub(super) plan: &'a Plan<G>,
    pub(super) names: [String; 2],
    pub(super) tally: &'a PairTally,
    pub(super) time: Duration,
    pub(super) threads: usize,
}

/// The JSON object. All but `time` follows from the seed.
#[derive(Serialize)]
struct Object<'a, S> {
    game: &'static str,
    players: u8,
    seed: u64,
    options: &'a S,
    a: BotObject<'a>,
    b: BotObject<'a>,
    /// The 95 % interval of A's wins.
    wins_ci95: Option<(f64, f64)>,
    /// How much more A wins per deal.
    difference: Average,
    /// Who wins more, if that is clear: `a` or `b`.
    better: Option<&'static str>,
    sets: u64,
    matches: u64,
    stopped: u64,
    deals: u64,
    time: Time,
}

#[derive(Serialize)]
struct BotObject<'a> {
    bot: &'a str,
    /// In per cent of the matches.
    wins: f64,
    /// Per deal and seat; more is better.
    result: Average,
    #[serde(flatten)]
    rate: BTreeMap<&'static str, Average>,
    decisions: u64,
    /// It ended before its time, and default moves were played for it.
    gone: bool,
}

#[derive(Serialize)]
struct Average {
    mean: f64,
    ci95: Option<(f64, f64)>,
}

#[derive(Serialize)]
struct Time {
    seconds: f64,
    threads: usize,
    a: Deciding,
    b: Deciding,
}

#[derive(Serialize)]
struct Deciding {
    mean_us: f64,
    longest_us: f64,
}

impl From<&super::estimate::Ratio> for Average {
    fn from(ratio: &super::estimate::Ratio) -> Self {
        Self { mean: ratio.value(), ci95: ratio.interval() }
    }
}

impl From<Times> for Deciding {
    fn from(times: Times) -> Self {
        Self { mean_us: micros(times.mean()), longest_us: micros(times.longest) }
    }
}

impl<G: Game> Report<'_, G> {
    pub(super) fn print_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let tally = self.tally;
        let [a, b] = self.bots().map(|(name, wins, bot)| BotObject {
            bot: name,
            wins,
            result: (&bot.result).into(),
            rate: Rate::of(G::NAME).into_iter().map(|rate| (rate.name(), Average::from(&bot.rate))).collect(),
            decisions: bot.times.count,
            gone: bot.gone,
        });
        let object = Object {
            game: G::NAME,
            players: self.plan.players,
            seed: self.plan.seed,
            options: &self.plan.settings,
            a,
            b,
            wins_ci95: self.wins_interval(),
            difference: (&tally.difference).into(),
            better: tally.better(None).map(|side| side.of(["a", "b"])),
            sets: tally.sets,
            matches: tally.matches,
            stopped: tally.stopped,
            deals: tally.deals,
            time: Time {
                seconds: self.time.as_secs_f64(),
                threads: self.threads,
                a: tally.a.times.into(),
                b: tally.b.times.into(),
            },
        };
        serde_json::to_writer(&mut *out, &object)?;
        writeln!(out)
    }

    pub(super) fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let tally = self.tally;
        let [a, b] = &self.names;
        let better = match tally.better(None) {
            None => "not clear".to_owned(),
            Some(side) => format!("{} is better", side.of([a, b])),
        };
        let wins = 100.0 * tally.wins.value();
        let interval = shown(self.wins_interval(), 1);
        writeln!(out, "\n{a} against {b}: {wins:.1} % of wins, 95 % interval {interval}: {better}")?;
        let width = a.chars().count().max(b.chars().count()).max("difference".len());
        let rate = Rate::of(G::NAME);
        let title = rate.map_or_else(String::new, |rate| format!("{:>13}", rate.title()));
        let unit = match (G::RESULT, G::NAME) {
            (Counting::Chips, "ongdu") => "cash per deal",
            (Counting::Chips | Counting::BankChips, _) => "chips per deal",
            (Counting::Points, _) => "points per deal",
            (Counting::Penalties, _) => "penalties, as a loss",
        };
        let heads = ("wins", unit, "decisions", "mean time", "longest");
        writeln!(
            out,
            "  {:width$}  {:>8}  {:>20}{title}  {:>12}  {:>10}  {:>10}",
            "", heads.0, heads.1, heads.2, heads.3, heads.4
        )?;
        for (name, wins, bot) in self.bots() {
            let rate = rate.map_or_else(String::new, |_| format!("{:>+13.3}", bot.rate.value()));
            let times = bot.times;
            let (count, mean, longest) = (grouped(times.count), duration(times.mean()), duration(times.longest));
            let result = bot.result.value();
            writeln!(
                out,
                "  {name:width$}  {wins:>6.1} %  {result:>+20.3}{rate}  {count:>12}  {mean:>10}  {longest:>10}"
            )?;
        }
        let difference = tally.difference.value();
        let interval = shown(tally.difference.interval(), 3);
        writeln!(out, "  {:width$}  {:8}  {difference:>+20.3}  95 % interval {interval}", "difference", "")?;
        let (matches, sets) = (counted(tally.matches, "match"), counted(tally.sets, "set"));
        write!(out, "  {matches} in {sets}, {}, {:.1} s", counted(tally.deals, "deal"), self.time.as_secs_f64())?;
        if tally.stopped > 0 {
            let (stopped, deals) = (counted(tally.stopped, "match"), counted(self.plan.max_deals.into(), "deal"));
            write!(out, "; {stopped} stopped after {deals}")?;
        }
        writeln!(out)
    }

    /// In per cent; nobody wins less than nothing or more than all.
    fn wins_interval(&self) -> Option<(f64, f64)> {
        let percent = |share: f64| 100.0 * share.clamp(0.0, 1.0);
        self.tally.wins.interval().map(|(low, high)| (percent(low), percent(high)))
    }

    fn bots(&self) -> [(&str, f64, &Bot); 2] {
        let [a, b] = &self.names;
        let wins = 100.0 * self.tally.wins.value();
        [(a, wins, &self.tally.a), (b, 100.0 - wins, &self.tally.b)]
    }
}

fn shown(interval: Option<(f64, f64)>, digits: usize) -> String {
    interval.map_or_else(|| "unknown".to_owned(), |(low, high)| format!("{low:.digits$} to {high:.digits$}"))
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn duration(time: Duration) -> String {
    let micros = micros(time);
    if micros < 1000.0 { format!("{micros:.1} µs") } else { format!("{:.2} ms", micros / 1000.0) }
}
