//! Runs the simulation.

use std::io::Write;
use std::time::{Duration, Instant};

use ::chain::client::Decided;
use ::chain::dealer::EpochOf;
use ::chain::export::Export;
use ::chain::laws::{Broken, World};
use ::chain::tables::Hand;
use bots::{Course, Kind, Past};
use games::holdem::{Deal, Holdem, Settings};
use indicatif::{ProgressBar, ProgressStyle};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use table::{Known, Seat};

use super::args::ChainSimArgs;
use super::report::{self, Report};
use crate::failure::Failure;
use crate::interrupt;
use crate::new_file::NewFile;
use crate::sim::{fresh_seed, unit_seed};

/// After so many blocks in which no hand has ended, none will.
const PATIENCE: u64 = 3_000;

/// How a simulation ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Ended {
    /// All hands were played or aborted.
    Done,
    /// By Ctrl-C.
    Interrupted,
    /// Something happened that must never happen.
    Broken(Broken),
}

/// Runs the command.
pub fn run(args: &ChainSimArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let seed = args.seed.map_or_else(fresh_seed, Ok)?;
    let mut world = World::new(args.setting(seed)?);
    let file = args.export.as_deref().map(|path| NewFile::create(path, args.force)).transpose()?;
    if file.is_some() {
        world.collect();
    }
    let mut last = None;
    interrupt::listen();
    let begin = Instant::now();
    let mut corrupt = Corrupt::new(args, &world);
    let ended = play(args, seed, &mut world, &mut corrupt, &mut last);
    if let Some(mut begun) = file {
        let hand = last.ok_or_else(|| Failure::input("--export: no hand has ended"))?;
        begun.write(&hand.to_text())?;
        begun.finish()?;
    }
    let report = Report { args, seed, world: &world, corrupt: &corrupt, ended: &ended, time: begin.elapsed() };
    if args.json {
        report.print_json(out)?;
    } else {
        report.print(out)?;
    }
    out.flush()?;
    match ended {
        Ended::Done => Ok(()),
        Ended::Interrupted => Err(Failure::Interrupted),
        Ended::Broken(broken) => {
            Err(Failure::Check(format!("{}; repeat with {}", report::what(&broken), args.command(seed))))
        }
    }
}

/// Makes blocks until enough hands have ended.
fn play(args: &ChainSimArgs, seed: u64, world: &mut World, corrupt: &mut Corrupt, last: &mut Option<Export>) -> Ended {
    let bar = progress_bar(args.hands);
    let mut players = Players::new(args.bots, seed);
    let ended = |world: &World| world.tally().completed + world.tally().aborted;
    let (mut hands, mut since) = (0, 0);
    let result = loop {
        if hands >= args.hands {
            break Ended::Done;
        }
        if interrupt::asked() {
            break Ended::Interrupted;
        }
        if let Err(broken) = world.step(&mut |hand, seat, known| players.decide(hand, seat, known)) {
            break Ended::Broken(broken);
        }
        corrupt.look(world);
        if let Some(hand) = world.exports().last().filter(|hand| last.as_ref().is_none_or(|last| last != *hand)) {
            *last = Some(hand.clone());
        }
        let height = world.state().tip().height;
        if ended(world) > hands {
            (hands, since) = (ended(world), height);
        } else if height > since + PATIENCE {
            break Ended::Broken(Broken::Stuck { height });
        }
        bar.set_position(hands.min(args.hands));
        bar.set_message(height.to_string());
    };
    bar.finish_and_clear();
    result
}

/// Shown on a terminal only.
fn progress_bar(hands: u64) -> ProgressBar {
    let bar = ProgressBar::new(hands);
    let template = "{bar:40} {human_pos} of {human_len} hands, block {msg}, {eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    // The first hand takes a while: keys are generated and a deck is shuffled.
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// The computers that play.
struct Players {
    kind: Kind,
    settings: Settings,
    draw: Xoshiro256PlusPlus,
}

impl Players {
    fn new(kind: Kind, seed: u64) -> Self {
        let settings = Settings { ring: true, ..Settings::default() };
        let draw = Xoshiro256PlusPlus::from_seed(unit_seed(seed, 0, "players of a chain"));
        Self { kind, settings, draw }
    }

    fn decide(&mut self, hand: &Hand, seat: Seat, known: Known<'_>) -> Decided {
        let past: Vec<Past<Deal>> = hand.actions().map(|(seat, action)| Past::Did(seat, action)).collect();
        let course = Course::<Holdem> { settings: &self.settings, deal: hand.number().saturating_add(1), past: &past };
        self.kind.decide(course, hand.table(), seat, known, &mut self.draw)
    }
}

/// How many seats of a committee liars have.
pub(super) struct Corrupt {
    liars: Vec<::chain::Address>,
    /// The last epoch that was looked at.
    last: u64,
    /// The most seats they had in one epoch.
    pub(super) held: usize,
    /// The most seats they can have.
    pub(super) possible: usize,
}

impl Corrupt {
    fn new(args: &ChainSimArgs, world: &World) -> Self {
        let all = world.genesis().validators.iter().map(|first| first.consensus);
        let numbers: Vec<u8> = args.liars.counted_from_zero().map(|(number, _)| number).collect();
        let liars: Vec<_> = (0..).zip(all).filter(|(i, _)| numbers.contains(i)).map(|(_, address)| address).collect();
        let (members, needed) = (usize::from(args.members()), usize::from(args.needed()));
        // Nobody gets more than N - t seats, unless there are too few validators for that.
        let most = members.saturating_sub(needed).max(members.div_ceil(usize::from(args.validators)));
        let possible = members.min(liars.len().saturating_mul(most));
        Self { liars, last: 0, held: 0, possible }
    }

    /// Looks at epochs that are new.
    fn look(&mut self, world: &World) {
        let new = world.state().store().starting::<EpochOf>(&[]).filter(|(EpochOf(number), _)| *number > self.last);
        let seats = |members: &[::chain::dealer::Member]| {
            members.iter().filter(|member| self.liars.contains(&member.validator)).count()
        };
        let new = new.map(|(EpochOf(number), epoch)| (number, seats(&epoch.members)));
        let (last, held) = new.fold((self.last, self.held), |(last, held), (n, seats)| (last.max(n), held.max(seats)));
        (self.last, self.held) = (last, held);
    }
}
