//! Deals that prove themselves: how many in a second, and what a single one takes.
//!
//! All who deal jointly run on this one thread, each checking everything that the others say: of `n` peers,
//! each has about an `n`-th of the work.

use bots::{Decision, Simple};
use dealers::house::RevealSeed;
use dealers::joint::{Circle, Keepers};
use dealers::{Dealer as _, House, Players, play_deal};
use games::holdem::{Action, Deal, Holdem};
use games::{AnyGame, blackjack::Blackjack, romme::Romme};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use table::{Eye, Game, Height, Known, Move, Rules, Seat, Seats, Series as _, Table};

use super::deals::{self, TABLES, deals};
use super::{Batch, Bench, Ready, Unit};
use crate::sim::Dealing;

/// How many deals a house plays in a batch.
const HOUSE_DEALS: usize = 64;
/// How many deals are played jointly in a batch.
const JOINT_DEALS: usize = 4;

pub(super) fn benches() -> impl Iterator<Item = Bench> {
    let single = [
        single("deal_holdem_6_peers", || first_deal::<Holdem>(6, "showdown", &mut Callers)),
        single("deal_romme_4_peers", || first_deal::<Romme>(4, "went out", &mut Beginners::new())),
        single("deal_blackjack_4_peers", || first_deal::<Blackjack>(4, "settled", &mut Beginners::new())),
    ];
    TABLES.iter().flat_map(rates).chain(single.into_iter().flatten())
}

fn rates(table: &'static deals::Table) -> Vec<Bench> {
    let Some(game) = AnyGame::from_name(table.game) else { return Vec::new() };
    let bench = |suffix, ready| {
        let name = format!("{}_{suffix}", table.name);
        Bench { name, unit: Unit::PerSecond("deals/s"), ready }
    };
    let house = move || {
        let dealer = Dealing::House { reveal: RevealSeed::Auto };
        games::with_game!(game, G => deals::<G, House>(table, dealer, HOUSE_DEALS, 0..))
    };
    let joint = |keepers| -> Ready {
        let dealer = Dealing::Joint(keepers);
        Box::new(move || {
            // The same in every batch: a lucky choice of short ones would pass for speed.
            let units = (0..).take(JOINT_DEALS).cycle();
            games::with_game!(game, G => deals::<G, Circle>(table, dealer, JOINT_DEALS, units))
        })
    };
    let mut rates = vec![bench("house", Box::new(house)), bench("peers", joint(Keepers::EveryPlayer))];
    if table.game == Holdem::NAME {
        // The smallest that can bear that one of them fails or lies.
        rates.push(bench("committee", joint(Keepers::Committee { members: 4, threshold: 3 })));
    }
    rates
}

/// What a deal took.
struct Taken {
    messages: u64,
    bytes: u64,
}

/// The time, the bytes and the messages of one deal, always the same. A message to all counts once.
fn single(name: &str, deal: fn() -> Result<Taken, String>) -> [Bench; 3] {
    let bench = |suffix, unit, told: fn(&Taken) -> u64| {
        let ready = move || -> Result<Batch, String> { Ok(Box::new(move || deal().map(|taken| told(&taken)))) };
        Bench { name: format!("{name}_{suffix}"), unit, ready: Box::new(ready) }
    };
    [
        bench("ms", Unit::Milliseconds, |_| 1),
        bench("bytes", Unit::Size("bytes"), |taken| taken.bytes),
        bench("messages", Unit::Size("messages"), |taken| taken.messages),
    ]
}

/// The first deal of a match among peers, from their keys to this ending.
fn first_deal<G: Game>(players: u8, ending: &str, deciding: &mut impl Players<G::Rules>) -> Result<Taken, String> {
    let series = G::start(&G::Settings::default(), players).map_err(|bad| bad.to_string())?;
    let setup = series.next(0).ok_or("the match is over before its first deal")?;
    let rules = G::Rules::deal(&setup).map_err(|bad| bad.to_string())?;
    let circle = Circle::new(Seats::first(players), Keepers::EveryPlayer, [7; 32]);
    let mut circle = circle.map_err(|bad| bad.to_string())?;
    circle.begin([7; 32]);
    let mut table = Table::new(rules, Height(0));
    let outcome = play_deal(&mut table, &mut circle, deciding, &mut ()).map_err(|halt| halt.to_string())?;
    circle.retire(None);
    // One that is broken off, or where all but one give up, would take too little.
    if outcome.broken_off.is_some() || outcome.ending != ending {
        return Err(format!("it should end with {ending:?}, not {:?}", outcome.ending));
    }
    let (messages, bytes) = circle.sent();
    Ok(Taken { messages, bytes })
}

/// Players who pay whatever it costs to see the showdown, and never more.
struct Callers;

impl Players<Deal> for Callers {
    fn decide(&mut self, table: &Table<Deal>, seat: Seat, known: Known<'_>) -> Decision<Deal> {
        let action = if table.rules().moves(known, seat).can_check { Action::Check } else { Action::Call };
        Some(Move::Act(action))
    }
}

/// Players who know the rules.
struct Beginners(Xoshiro256PlusPlus);

impl Beginners {
    fn new() -> Self {
        Self(Xoshiro256PlusPlus::from_seed([7; 32]))
    }
}

impl<R: Simple> Players<R> for Beginners {
    fn decide(&mut self, table: &Table<R>, seat: Seat, known: Known<'_>) -> Decision<R> {
        let (view, moves) = (table.rules().view(known, Eye::Seat(seat)), table.rules().moves(known, seat));
        R::simple(seat, &view, &moves, &mut self.0)
    }
}
