//! The strongest player: reads the others' hands from what they did, tries every sensible move out many times,
//! and takes the one that leaves it with most.

use cards::Card;
use games::holdem::{Action, Holdem, Street};
use table::{Chips, Draw};

use super::combos::{mask, number};
use super::habits::Spot;
use super::reading;
use super::strength::Strengths;
use super::trial::Trial;
use crate::Sight;

/// Full boards tried on the flop: every card comes twice on the turn and twice on the river.
const BOARDS: usize = 94;
/// Guesses for a decision.
const GUESSES: usize = 512;

/// The largest bet that is tried, in pots.
const MOST_POTS: f32 = 4.0;

/// What a move leads to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Tried {
    pub(super) action: Action,
    /// Chips in the end, on average.
    pub(super) value: f64,
}

/// What was found out about a decision.
#[derive(Debug)]
pub(super) struct Outlook {
    pub(super) spot: Spot,
    pub(super) hole: Vec<Card>,
    /// The part of the pot that the hand can expect against likely hands.
    pub(super) chance: f64,
    /// The moves, the best first.
    pub(super) moves: Vec<Tried>,
}

/// Weighs all sensible moves; `None` if the seat is not asked.
pub(super) fn weigh(sight: &Sight<'_, Holdem>, draw: &mut impl Draw) -> Option<Outlook> {
    let spot = Spot::of(sight.rules, sight.seat)?;
    let hole: Vec<Card> = sight.view.hand.iter().filter_map(|held| held.card).collect();
    let own = number(&hole)?;
    let board = &sight.view.board;
    let strengths = (spot.street != Street::Preflop).then(|| Strengths::on(board, mask(&hole), BOARDS, draw));
    let ranges = reading::ranges(sight, &hole, strengths.as_ref(), draw);
    let trial = Trial { rules: sight.rules, seat: sight.seat, own, strengths: strengths.as_ref() };
    let guesses = trial.guesses(&ranges, GUESSES, draw);
    let tried = |action: Action| Tried { action, value: trial.value(action, &guesses) };
    let mut moves: Vec<Tried> = sensible(&spot).into_iter().map(tried).collect();
    moves.sort_by(|a, b| b.value.total_cmp(&a.value));
    Some(Outlook { spot, hole, chance: trial.chance(&guesses), moves })
}

/// The moves worth trying, the calmest first.
fn sensible(spot: &Spot) -> Vec<Action> {
    let mut moves = match spot.to_call {
        Chips::ZERO => vec![Action::Check],
        _ => vec![Action::Fold, Action::Call],
    };
    let sizes: &[f32] = if spot.street == Street::Preflop { &[0.5, 1.0] } else { &[0.4, 0.75, 1.25] };
    // All-in for many times the pot is called by better hands only, whatever a trial says.
    let all_in = spot.range.filter(|(_, most)| spot.pots(*most) <= MOST_POTS).map(|_| Action::AllIn);
    for action in sizes.iter().filter_map(|pots| spot.raise(*pots)).chain(all_in) {
        if !moves.contains(&action) {
            moves.push(action);
        }
    }
    moves
}
