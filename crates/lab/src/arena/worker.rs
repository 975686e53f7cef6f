//! Plays sets: one seed of cards in every line-up.

use bots::Computer;
use dealers::Local;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use table::{Counting, Game, Match, Outcome, Seat, Standing, Table};

use super::lineup::Side;
use super::plan::Plan;
use super::rate;
use super::tally::{SHARES, SetTally};
use crate::computers::{Bots, Player, Times, Who};
use crate::external::Told;
use crate::failure::Failure;
use crate::interrupt;
use crate::sim::unit_seed;

/// Plays the sets of one pair.
pub(super) struct Worker<'a, G: Game> {
    plan: &'a Plan<G>,
    pair: &'a [Who; 2],
    /// What has been told about the outside bots.
    told: &'a [Told; 2],
    dealer: Local,
    /// Players of both bots who sit in no match: an outside bot is started once for every seat.
    free: [Vec<Player>; 2],
}

impl<'a, G: Computer<Rules: 'static>> Worker<'a, G> {
    pub(super) fn new(plan: &'a Plan<G>, pair: &'a [Who; 2], told: &'a [Told; 2]) -> Self {
        Self { plan, pair, told, dealer: Local::new([0; 32]), free: [Vec::new(), Vec::new()] }
    }

    /// Plays the set with this number, from 0. Fails with a bot that does not play at all, and with a mistake of ours.
    pub(super) fn set(&mut self, set: u64) -> Result<SetTally, Failure> {
        let mut tally = SetTally::default();
        for line_up in &self.plan.line_ups {
            self.whole_match(set, line_up, &mut tally)?;
        }
        Ok(tally)
    }

    fn whole_match(&mut self, set: u64, line_up: &[Side], tally: &mut SetTally) -> Result<(), Failure> {
        let plan = self.plan;
        let mut bots = Bots::<G>::new(line_up.iter().map(|side| self.player(*side)).collect(), &plan.settings);
        bots.times = vec![Times::default(); line_up.len()];
        bots.begin_match(|| unit_seed(plan.seed, set, "commands in the arena"));
        let mut running = Match::<G>::start(&plan.settings, plan.players).map_err(Failure::input)?;
        // A new match has nothing to do with the one before.
        self.dealer.clear();
        let standing = loop {
            let deal = running.deals();
            let fault = |why: String| {
                let [a, b] = self.pair;
                let line_up = format!("set {set}, line-up {line_up:?}");
                Failure::Check(format!("seed {}, {a} against {b}, {line_up}, deal {deal} of it: {why}", plan.seed))
            };
            // Play diverges, and with it how much is drawn. A seed for every deal makes the cards of all
            // line-ups the same again; where a shoe lasts several deals, as much the same as it can be.
            let seed = |what: &str| unit_seed(plan.seed, set, &format!("{what} of deal {deal} in the arena"));
            self.dealer.go_on_with(seed("cards"));
            bots.rng = Xoshiro256PlusPlus::from_seed(seed("bots"));
            let played = bots.play(deal, running.table_mut(), &mut self.dealer, &mut ());
            let outcome = played.map_err(|halt| fault(bots.said(&halt)))?;
            add_deal::<G>(tally, line_up, running.table(), &outcome);
            running.advance(0);
            let standing = running.standing();
            if standing.over || deal >= plan.max_deals || interrupt::asked() {
                break standing;
            }
            if running.deals() == deal {
                return Err(fault("the match is not over, but there is no next deal".to_owned()));
            }
        };
        for (side, bot) in
            line_up.iter().zip(&bots.players).filter_map(|(side, player)| Some((side, player.external()?)))
        {
            if let Some(why) = bot.never_played().filter(|_| !interrupt::asked()) {
                return Err(Failure::input(format!("{}: {why}", side.of(self.pair.each_ref()))));
            }
            tally.side(*side).gone |= bot.is_gone();
        }
        bots.end_match(&standing);
        add_match(tally, line_up, &standing);
        for (side, times) in line_up.iter().zip(&bots.times) {
            tally.side(*side).times.merge(*times);
        }
        for (side, player) in line_up.iter().zip(bots.players) {
            side.of(self.free.each_mut()).push(player);
        }
        Ok(())
    }

    fn player(&mut self, side: Side) -> Player {
        let free = side.of(self.free.each_mut()).pop();
        free.unwrap_or_else(|| {
            Player::new(side.of(self.pair.each_ref()), self.plan.bot_time, side.of(self.told.each_ref()))
        })
    }
}

fn add_deal<G: Game<Rules: 'static>>(
    tally: &mut SetTally,
    line_up: &[Side],
    table: &Table<G::Rules>,
    outcome: &Outcome,
) {
    tally.deals += 1;
    for (side, (seat, result)) in line_up.iter().zip(outcome.result.seats()) {
        let seats = line_up.iter().filter(|other| *other == side).count();
        let better = if G::RESULT == Counting::Penalties { -result.0 } else { result.0 };
        let sums = tally.side(*side);
        sums.result += better as f64 / seats as f64;
        if let Some((gain, base)) = rate::gained(table, seat, *result) {
            sums.gain += gain;
            sums.base += base;
        }
    }
}

/// A match that was stopped counts for the leader.
fn add_match(tally: &mut SetTally, line_up: &[Side], standing: &Standing) {
    let winners = standing.winners();
    tally.matches += 1;
    tally.stopped += u64::from(!standing.over);
    for (side, seat) in line_up.iter().zip((0..).map_while(Seat::new)) {
        if winners.contains(seat) {
            tally.side(*side).wins += SHARES / u64::from(winners.len().max(1));
        }
    }
}
