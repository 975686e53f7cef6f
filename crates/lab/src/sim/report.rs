//! What a simulation says in the end, for people or as JSON.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;
use table::Game;

use super::{Extent, MatchTally, Plan, Samples, Tally, Units};
use crate::args::SimArgs;
use crate::text::{counted, grouped, grouped_float, quoted};

/// Everything that is said.
pub(super) struct Report<'a, G: Game> {
    pub(super) plan: &'a Plan<G>,
    pub(super) args: &'a SimArgs,
    pub(super) tally: &'a Tally,
    pub(super) time: Duration,
    pub(super) threads: usize,
}

/// The JSON object. All but `speed` follows from the seed.
#[derive(Serialize)]
struct Object<'a, S> {
    game: &'static str,
    players: u8,
    seed: u64,
    dealer: String,
    options: &'a S,
    deals: u64,
    matches: Option<Matches>,
    seats: Vec<SeatObject<'a>>,
    inputs: Spread,
    endings: BTreeMap<&'a str, u64>,
    speed: Speed,
}

#[derive(Serialize)]
struct Matches {
    count: u64,
    stopped: u64,
    deals: Spread,
}

#[derive(Serialize)]
struct SeatObject<'a> {
    /// From 0, as in records.
    seat: usize,
    bot: String,
    /// Per deal.
    #[serde(flatten)]
    result: Average,
    /// Per match.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<Average>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wins: Option<u64>,
    /// How often first, second, ...
    #[serde(skip_serializing_if = "Option::is_none")]
    places: Option<&'a [u64]>,
}

#[derive(Serialize)]
struct Average {
    mean: f64,
    ci95: Option<(f64, f64)>,
}

#[derive(Serialize)]
struct Spread {
    mean: f64,
    min: u64,
    max: u64,
}

#[derive(Serialize)]
struct Speed {
    seconds: f64,
    deals_per_second: f64,
    threads: usize,
}

impl From<Extent> for Spread {
    fn from(extent: Extent) -> Self {
        Self { mean: extent.mean(), min: extent.least.min(extent.most), max: extent.most }
    }
}

impl From<&Samples> for Average {
    fn from(samples: &Samples) -> Self {
        Self { mean: samples.mean(), ci95: samples.interval() }
    }
}

impl<G: Game> Report<'_, G> {
    pub(super) fn print_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let object = Object {
            game: G::NAME,
            players: self.plan.players,
            seed: self.plan.seed,
            dealer: self.plan.dealer.name(),
            options: &self.plan.settings,
            deals: self.tally.deals,
            matches: self.matches().map(|m| Matches { count: m.count, stopped: m.stopped, deals: m.deals.into() }),
            seats: self.seats().collect(),
            inputs: self.tally.inputs.into(),
            endings: self.tally.endings().into_iter().collect(),
            speed: Speed {
                seconds: self.time.as_secs_f64(),
                deals_per_second: self.deals_per_second(),
                threads: self.threads,
            },
        };
        serde_json::to_writer(&mut *out, &object)?;
        writeln!(out)
    }

    pub(super) fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let Plan { players, seed, units, .. } = self.plan;
        let units = counted(units.count(), units.one());
        writeln!(out, "{}, {players} players, {units}, seed {seed}\n", G::TITLE)?;
        match self.matches() {
            None => self.print_results(out)?,
            Some(matches) => self.print_places(matches, out)?,
        }
        let inputs = Spread::from(self.tally.inputs);
        writeln!(out, "\ninputs per deal  {:.1}, from {} to {}", inputs.mean, inputs.min, inputs.max)?;
        writeln!(out, "deals ended")?;
        let deals = self.tally.deals.max(1) as f64;
        for (ending, times) in self.tally.endings() {
            writeln!(out, "  {:14} {:6.2} %  {:>14}", ending, 100.0 * times as f64 / deals, grouped(times))?;
        }
        let (seconds, speed) = (self.time.as_secs_f64(), grouped_float(self.deals_per_second()));
        let threads = counted(self.threads as u64, "thread");
        let deals = counted(self.tally.deals, "deal");
        writeln!(out, "\n{deals} in {seconds:.2} s on {threads}: {speed} deals/s")?;
        writeln!(out, "repeat with  {}", self.command())
    }

    fn print_results(&self, out: &mut dyn Write) -> io::Result<()> {
        let width = self.bot_width();
        writeln!(out, "seat  {:width$} result per deal     95 % interval", "bot")?;
        for seat in self.seats() {
            let interval = seat.result.ci95.map_or_else(String::new, |(low, high)| format!("{low:+.3} to {high:+.3}"));
            let (mean, bot) = (seat.result.mean, &seat.bot);
            writeln!(out, "{:4}  {bot:width$}{mean:+16.3}     {interval}", seat.seat + 1)?;
        }
        Ok(())
    }

    fn print_places(&self, matches: &MatchTally, out: &mut dyn Write) -> io::Result<()> {
        let width = self.bot_width();
        writeln!(out, "seat  {:width$}        final total     95 % interval           1st, 2nd, ...", "bot")?;
        for seat in self.seats() {
            let total = seat.total.unwrap_or(seat.result);
            let interval = total.ci95.map_or_else(String::new, |(low, high)| format!("{low:.2} to {high:.2}"));
            let places: Vec<String> = seat.places.unwrap_or_default().iter().map(|n| grouped(*n)).collect();
            let (mean, bot) = (total.mean, &seat.bot);
            writeln!(out, "{:4}  {bot:width$}{mean:19.2}     {interval:22}  {}", seat.seat + 1, places.join(", "))?;
        }
        let deals = Spread::from(matches.deals);
        writeln!(out, "\ndeals per match  {:.1}, from {} to {}", deals.mean, deals.min, deals.max)?;
        if matches.stopped > 0 {
            let (stopped, deals) = (counted(matches.stopped, "match"), counted(self.args.max_deals.into(), "deal"));
            writeln!(out, "stopped          {stopped} after {deals}")?;
        }
        Ok(())
    }

    fn bot_width(&self) -> usize {
        let longest = self.plan.bots.iter().map(|who| who.to_string().chars().count()).max();
        longest.map_or(8, |longest| (longest + 1).max(8))
    }

    fn matches(&self) -> Option<&MatchTally> {
        match self.plan.units {
            Units::Deals(_) => None,
            Units::Matches { .. } => Some(&self.tally.matches),
        }
    }

    fn seats(&self) -> impl Iterator<Item = SeatObject<'_>> {
        (0..).zip(&self.plan.bots).map(|(seat, who)| self.seat(seat, who.to_string()))
    }

    fn seat(&self, seat: usize, bot: String) -> SeatObject<'_> {
        let mut result = Average::from(self.tally.results.get(seat).unwrap_or(&Samples::default()));
        let matches = self.matches();
        if matches.is_some() {
            // The deals of one match depend on each other, so they say nothing about confidence.
            result.ci95 = None;
        }
        let places = matches.and_then(|m| m.places.get(seat)).map(Vec::as_slice);
        let wins = places.and_then(|places| places.first().copied());
        let total = matches.and_then(|m| m.totals.get(seat)).map(Average::from);
        SeatObject { seat, bot, result, total, wins, places }
    }

    fn deals_per_second(&self) -> f64 {
        self.tally.deals as f64 / self.time.as_secs_f64().max(1e-9)
    }

    /// The command that plays the same again.
    fn command(&self) -> String {
        let Plan { players, seed, units, .. } = self.plan;
        let mut command = format!("fairdeal sim {} --players {players} --{} {}", G::NAME, units.name(), units.count());
        command.push_str(&format!(" --seed {seed}"));
        if matches!(units, Units::Matches { max_deals, .. } if *max_deals != 100_000) {
            command.push_str(&format!(" --max-deals {}", self.args.max_deals));
        }
        self.args.bots.iter().for_each(|bot| command.push_str(&format!(" --bot {}", quoted(bot))));
        self.args.played.options.iter().for_each(|option| command.push_str(&format!(" --option {option}")));
        command.push_str(&self.plan.dealer.options());
        command
    }
}
