//! How much the computers lose to the bank of Blackjack Duel if they bet the same in every round.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by a panic")]

use bots::blackjack::for_chips;
use bots::{Course, Kind, Sight};
use dealers::laws::times;
use dealers::{Local, play_deal};
use games::blackjack::{Action, Bet, Blackjack, Deal, Settings};
use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;
use table::{Chips, Eye, Known, Match, Move, Rules as _, Seat, Table};

/// Every bet.
const BET: i64 = 10;

/// Long matches, so that a shoe is used as in any other match.
fn settings() -> Settings {
    Settings { starting_chips: Chips(100_000), rounds: 100, ..Settings::default() }
}

/// The part of its bets that each of two players wins on average, over this many rounds, and how far that can be from
/// what it would be over all rounds there are, in 95 of 100 cases.
fn edge(rounds: u32, seed: u8, play: impl Fn(&Table<Deal>, Seat, Known<'_>) -> Action) -> (f64, f64) {
    let mut dealer = Local::new([seed; 32]);
    let (mut played, mut sum, mut squares) = (0.0, 0.0, 0.0);
    while played < f64::from(rounds) {
        dealer.clear();
        let mut running = Match::<Blackjack>::start(&settings(), 2).unwrap();
        while !running.standing().over && played < f64::from(rounds) {
            let mut seats = |table: &Table<Deal>, seat: Seat, known: Known<'_>| {
                let betting = matches!(table.awaiting(), table::Awaiting::Choices(_));
                Some(if betting { Move::Choose(Bet(Chips(BET))) } else { Move::Act(play(table, seat, known)) })
            };
            let outcome = play_deal(running.table_mut(), &mut dealer, &mut seats, &mut ()).unwrap();
            for (_, chips) in outcome.result.seats() {
                let won = chips.0 as f64 / BET as f64;
                (played, sum, squares) = (played + 1.0, sum + won, squares + won * won);
            }
            running.advance(0);
        }
    }
    let mean = sum / played;
    (mean, 1.96 * ((squares / played - mean * mean) / played).sqrt())
}

fn hard(table: &Table<Deal>, seat: Seat, known: Known<'_>) -> Action {
    let (settings, rules) = (settings(), table.rules());
    let (view, moves) = (rules.view(known, Eye::Seat(seat)), rules.moves(known, seat));
    let course = Course { settings: &settings, deal: 1, past: &[] };
    for_chips(&Sight { seat, view: &view, moves: &moves, known, rules, course }).unwrap()
}

/// What another kind does; these do not use chance to play a hand.
fn of(kind: Kind, table: &Table<Deal>, seat: Seat, known: Known<'_>) -> Action {
    let settings = settings();
    let course = Course::<Blackjack> { settings: &settings, deal: 1, past: &[] };
    match kind.decide(course, table, seat, known, &mut ChaCha8Rng::seed_from_u64(1)) {
        Some(Move::Act(action)) => action,
        other => panic!("no action but {other:?}"),
    }
}

/// At most 0.7 % of the bets are lost. In a usual run, only what is far beyond that is found.
#[test]
fn with_equal_bets_hard_loses_little_to_the_bank() {
    let rounds = times(20_000, 10_000_000);
    let (mean, within) = edge(rounds, 1, hard);
    println!("hard wins {:.3} % ± {:.3} of its bets in {rounds} rounds", 100.0 * mean, 100.0 * within);
    assert!(mean > if within < 0.001 { -0.007 } else { -0.007 - 2.0 * within }, "{mean} ± {within}");
    assert!(mean < 0.005 + 2.0 * within, "nobody wins that much: {mean} ± {within}");
}

/// The same cards are dealt to each, until one takes a card more than another.
#[test]
fn with_equal_bets_better_levels_lose_less() {
    let rounds = times(20_000, 4_000_000);
    let (best, within) = edge(rounds, 2, hard);
    let [normal, easy] =
        [Kind::Normal, Kind::Easy].map(|kind| edge(rounds, 2, |table, seat, known| of(kind, table, seat, known)).0);
    println!("hard {best:.5}, normal {normal:.5}, easy {easy:.5}, each ± {within:.5}");
    // What chance does to few rounds says nothing.
    let doubt = if within < 0.002 { 0.0 } else { 2.0 * within };
    assert!(normal < best + doubt && easy < normal + doubt, "{best} {normal} {easy} ± {within}");
}
