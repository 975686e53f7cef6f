//! How much to bet: the bet that wins the match most often, found by simulation.
//!
//! Against a nearly fair bank, the question is when to take risks. A player who leads bets little, so that little
//! can change; a player who is behind bets a lot. The exact amount depends on the rounds left, the others' chips and
//! their likely bets, so every bet worth considering is tried in the same few hundred simulated endings of the
//! match.

use games::blackjack::{Blackjack, Moves};
use table::{Chips, Draw};

use super::odds::Odds;
use super::rounds::{Book, Round};
use crate::Sight;

/// Simulated rounds, from which endings of the match are put together.
const ROUNDS: usize = 240;
/// Endings simulated for every bet.
const ENDINGS: usize = 360;
/// The most players.
const SEATS: usize = 4;

/// A bet, with how often it wins the match.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Tried {
    pub(super) bet: Chips,
    pub(super) wins: f64,
}

/// The match as far as betting goes: this seat first.
struct Match {
    chips: [f64; SEATS],
    least: f64,
    most: f64,
    rounds: usize,
}

/// How the others may bet.
#[derive(Clone, Copy)]
enum Habit {
    /// A fraction of their chips.
    Part(f64),
    /// Little when ahead, a lot when behind.
    Cunning,
}

/// All bets worth considering, the best first; none if it is not the seat's turn to bet.
pub(super) fn bets(sight: &Sight<'_, Blackjack>, draw: &mut impl Draw) -> Vec<Tried> {
    let Moves::Bet { least, most } = *sight.moves else { return Vec::new() };
    let game = Match::new(sight);
    let book = Book::new(Odds::seen(sight), sight.rules.setup());
    let rounds: Vec<Round> = (0..ROUNDS).map(|_| book.round(None, draw)).collect();
    let endings: Vec<Ending> = (0..ENDINGS).map(|_| Ending::new(game.rounds, draw)).collect();
    let mut tried: Vec<Tried> =
        game.candidates(least, most).map(|bet| Tried { bet, wins: game.wins(bet, &rounds, &endings) }).collect();
    // Of equally good bets, the smaller one gives less to the bank.
    tried.sort_by(|a, b| b.wins.total_cmp(&a.wins).then(a.bet.cmp(&b.bet)));
    tried
}

/// One ending of the match: which rounds are played, and how the others bet.
struct Ending {
    rounds: Vec<(usize, usize)>,
    habits: [Habit; SEATS],
}

impl Ending {
    fn new(rounds: usize, draw: &mut impl Draw) -> Self {
        let number = |draw: &mut _, below: u32| usize::try_from(Draw::below(draw, below)).unwrap_or(0);
        let habit = |draw: &mut _| match Draw::below(draw, 4) {
            0 => Habit::Part(0.04),
            1 => Habit::Part(0.1),
            2 => Habit::Part(0.2),
            _ => Habit::Cunning,
        };
        let mut habits = [Habit::Cunning; SEATS];
        habits.iter_mut().for_each(|place| *place = habit(draw));
        let most = u32::try_from(ROUNDS).unwrap_or(1);
        Self { rounds: (0..rounds).map(|_| (number(draw, most), number(draw, 4))).collect(), habits }
    }
}

impl Match {
    fn new(sight: &Sight<'_, Blackjack>) -> Self {
        let setup = sight.rules.setup();
        let mut chips = [0.0; SEATS];
        let own = setup.chips[sight.seat].0 as f64;
        let others = setup.playing().iter().filter(|seat| *seat != sight.seat).map(|seat| setup.chips[seat].0 as f64);
        chips.iter_mut().zip(core::iter::once(own).chain(others)).for_each(|(place, chips)| *place = chips);
        let left = sight.course.settings.rounds - i64::from(sight.course.deal) + 1;
        let rounds = usize::try_from(left).unwrap_or(1).clamp(1, 12);
        Self { chips, least: setup.min_bet.0 as f64, most: setup.max_bet.0 as f64, rounds }
    }

    /// The bets worth considering: steps between the limits, and near the end also the bet that just catches
    /// up.
    fn candidates(&self, least: Chips, most: Chips) -> impl Iterator<Item = Chips> {
        let span = most.0 - least.0;
        let steps = (0..=8).map(move |step| Chips(least.0 + span * step / 8));
        let lead = self.chips.iter().skip(1).fold(0.0, |most: f64, chips| most.max(*chips)) - self.chips[0];
        let near = if self.rounds <= 2 { [lead + 1.0, lead / 2.0 + 1.0, lead / 1.5 + 1.0] } else { [0.0; 3] };
        let near = near.into_iter().map(|bet| Chips(bet as i64)).filter(move |bet| (least..=most).contains(bet));
        let mut bets: Vec<Chips> = steps.chain(near).collect();
        bets.sort();
        bets.dedup();
        bets.into_iter()
    }

    fn wins(&self, bet: Chips, rounds: &[Round], endings: &[Ending]) -> f64 {
        let won: f64 = endings.iter().map(|ending| self.ending(bet.0 as f64, rounds, ending)).sum();
        won / endings.len() as f64
    }

    /// The share of the match that is won if it ends like this.
    fn ending(&self, bet: f64, rounds: &[Round], ending: &Ending) -> f64 {
        let mut chips = self.chips;
        for (number, (round, shift)) in ending.rounds.iter().enumerate() {
            let Some(round) = rounds.get(*round) else { continue };
            let top = |but: usize| {
                chips.iter().enumerate().filter(|(at, _)| *at != but).fold(0.0, |m: f64, (_, c)| m.max(*c))
            };
            let mut bets = [0.0; SEATS];
            for (at, place) in bets.iter_mut().enumerate() {
                let own = chips.get(at).copied().unwrap_or(0.0);
                let habit =
                    if at == 0 { Habit::Cunning } else { ending.habits.get(at).copied().unwrap_or(Habit::Cunning) };
                let wish = match habit {
                    _ if at == 0 && number == 0 => bet,
                    Habit::Part(part) => own * part,
                    Habit::Cunning if own > top(at) => self.least,
                    Habit::Cunning => self.most,
                };
                *place = wish.clamp(self.least, self.most).min(own);
            }
            for (at, (own, bet)) in chips.iter_mut().zip(bets).enumerate() {
                let won = round.won.get((at + shift) % SEATS).copied().unwrap_or(0.0);
                // Without enough chips left, a player cannot double or split.
                let won = if won.abs() > 1.5 && *own < 2.0 * bet { won.signum() } else { won };
                *own = (*own + won * bet).max(0.0);
            }
        }
        let best = chips.iter().skip(1).fold(0.0, |most: f64, chips| most.max(*chips));
        let shared = chips.iter().filter(|other| (**other - best).abs() < 0.5).count().max(1);
        match chips[0] - best {
            lead if lead > 0.5 => 1.0,
            lead if lead > -0.5 => 1.0 / shared as f64,
            _ => 0.0,
        }
    }
}
