//! The strongest player: reads the others' hands from what they did, simulates every sensible move many times,
//! and takes the one that leaves it with the most chips.

use cards::Card;
use games::holdem::{Action, Holdem, Street};
use table::{Chips, Draw};

use super::combos::{mask, number};
use super::habits::Spot;
use super::reading;
use super::strength::Strengths;
use super::trial::{Guess, Trial};
use crate::Sight;

/// Full boards tried on the flop: every card appears twice on the turn and twice on the river.
const BOARDS: usize = 94;
/// Guesses for a decision; all moves are tried with the first few, and the best of them with all.
const GUESSES: usize = 1024;
const FIRST_GUESSES: usize = 192;
/// How many moves are tried with all guesses.
const FINALISTS: usize = 2;
/// The largest bet that is tried, in pots.
const MOST_POTS: f32 = 4.0;

/// The findings about a decision.
#[derive(Debug)]
pub(super) struct Outlook {
    pub(super) spot: Spot,
    pub(super) hole: Vec<Card>,
    pub(super) best: Action,
    /// Before the flop: the fraction of all hands that are better.
    pub(super) better: f32,
    /// The share of the pot that the hand can expect against likely hands.
    pub(super) chance: f64,
    /// How often everybody folds to the best move.
    pub(super) folds: f64,
}

/// The best move; `None` if it is not the seat's turn.
pub(super) fn decide(sight: &Sight<'_, Holdem>, draw: &mut impl Draw) -> Option<Action> {
    study(sight, draw, |_, _, best| best)
}

/// The best move and the reasons for it.
pub(super) fn explain(sight: &Sight<'_, Holdem>, draw: &mut impl Draw) -> Option<Outlook> {
    let spot = Spot::of(sight.rules, sight.seat)?;
    let hole: Vec<Card> = own_cards(sight);
    study(sight, draw, |trial, guesses, best| Outlook {
        spot,
        hole,
        best,
        better: reading::before_the_flop(trial.own).top,
        chance: trial.chance(guesses),
        folds: trial.folds(best, guesses),
    })
}

/// Finds the best move, and passes on how it was found.
fn study<T>(
    sight: &Sight<'_, Holdem>,
    draw: &mut impl Draw,
    tell: impl FnOnce(&Trial<'_>, &[Guess], Action) -> T,
) -> Option<T> {
    let spot = Spot::of(sight.rules, sight.seat)?;
    let hole = own_cards(sight);
    let own = number(&hole)?;
    let board = &sight.view.board;
    let strengths = (spot.street != Street::Preflop).then(|| Strengths::on(board, mask(&hole), BOARDS, draw));
    let ranges = reading::ranges(sight, &hole, strengths.as_ref(), draw);
    let freeze_out = !sight.course.settings.ring;
    let trial = Trial { rules: sight.rules, seat: sight.seat, own, freeze_out, strengths: strengths.as_ref() };
    let guesses = trial.guesses(&ranges, GUESSES, draw);
    let (first, rest) = guesses.split_at(FIRST_GUESSES.min(guesses.len()));
    let mut moves: Vec<(f64, Action)> =
        sensible(&spot).into_iter().map(|action| (trial.value(action, first), action)).collect();
    moves.sort_by(|a, b| b.0.total_cmp(&a.0));
    moves.truncate(FINALISTS);
    for (value, action) in &mut moves {
        *value += trial.value(*action, rest);
    }
    let (_, best) = moves.into_iter().reduce(|best, next| if next.0 > best.0 { next } else { best })?;
    Some(tell(&trial, &guesses, best))
}

fn own_cards(sight: &Sight<'_, Holdem>) -> Vec<Card> {
    sight.view.hand.iter().filter_map(|held| held.card).collect()
}

/// The moves worth trying, the most passive first.
fn sensible(spot: &Spot) -> Vec<Action> {
    let mut moves = match spot.to_call {
        Chips::ZERO => vec![Action::Check],
        _ => vec![Action::Fold, Action::Call],
    };
    let sizes: &[f32] = if spot.street == Street::Preflop { &[0.5, 1.0] } else { &[0.4, 0.75, 1.25] };
    // Only better hands call an all-in for many times the pot, no matter what a simulation says.
    let all_in = spot.range.filter(|(_, most)| spot.pots(*most) <= MOST_POTS).map(|_| Action::AllIn);
    for action in sizes.iter().filter_map(|pots| spot.raise(*pots)).chain(all_in) {
        if !moves.contains(&action) {
            moves.push(action);
        }
    }
    moves
}
