//! What the others may hold, given what they did in this hand.
//!
//! The hand is replayed from its beginning. Each time a player acts, every pair of cards is weighted by how
//! likely a player of each style would have done that with it. A player who raises every time is soon more
//! likely to be wild than to have had the best hand four times, so their bets count for less.

use cards::Card;
use games::holdem::{Action, Deal, Holdem, Street};
use table::{Awaiting, Draw, Input, Rules as _, Seat};

use super::combos::{COMBOS, mask};
use super::habits::{Spot, Style, USUAL, Worth};
use super::preflop;
use super::strength::Strengths;
use crate::{Past, Sight};

/// Full boards tried for each street that is over.
const BOARDS_BEFORE: usize = 20;

/// What one opponent may hold.
pub(super) struct Range {
    pub(super) seat: Seat,
    /// How likely each style is together with each pair of cards, the pairs by number. Sums up to 1.
    pub(super) weights: [Vec<f32>; 3],
}

impl Range {
    /// Nothing is known except the cards it cannot have.
    fn any(seat: Seat, dead: u64) -> Self {
        let free = |common: f32| COMBOS.iter().map(|combo| if combo.mask & dead == 0 { common } else { 0.0 }).collect();
        Self { seat, weights: Style::ALL.map(|style| free(style.common())) }
    }

    /// Weights every pair by what the seat did.
    fn weigh(&mut self, spot: &Spot, action: Action, worth: &dyn Fn(usize) -> Worth) {
        let raise = match action {
            Action::RaiseTo(to) => Some(to),
            Action::AllIn => spot.range.map(|(_, most)| most),
            Action::Fold | Action::Check | Action::Call => None,
        };
        let pots = raise.map_or(USUAL, |to| spot.pots(to));
        for (style, weights) in Style::ALL.into_iter().zip(&mut self.weights) {
            for (i, weight) in weights.iter_mut().enumerate().filter(|(_, weight)| **weight > 0.0) {
                let habit = spot.habit(style, worth(i), pots);
                let likely = match action {
                    Action::Fold => habit.fold,
                    _ if raise.is_some() => habit.raise,
                    _ => habit.stay,
                };
                // Nobody is that consistent.
                *weight *= likely.max(0.01);
            }
        }
    }

    fn normalise(&mut self) {
        let sum: f32 = self.weights.iter().flatten().sum();
        self.weights.iter_mut().flatten().for_each(|weight| *weight /= sum.max(f32::MIN_POSITIVE));
    }
}

/// What every player still in the hand may hold; `now` has the strength of hands on the current board.
pub(super) fn ranges(
    sight: &Sight<'_, Holdem>,
    hole: &[Card],
    now: Option<&Strengths>,
    draw: &mut impl Draw,
) -> Vec<Range> {
    let board = &sight.view.board;
    let dead = mask(hole) | mask(board);
    let live = sight.rules.live().without(sight.seat);
    let mut ranges: Vec<Range> = live.iter().map(|seat| Range::any(seat, dead)).collect();
    // Strengths on past streets, computed when a player acted there.
    let mut before: [Option<Strengths>; 2] = [None, None];
    let _ = replay(sight, |spot, seat, action| {
        let Some(range) = ranges.iter_mut().find(|range| range.seat == seat) else { return };
        let mut on = |cards: usize| Strengths::on(board.get(..cards).unwrap_or(board), mask(hole), BOARDS_BEFORE, draw);
        let [flop, turn] = &mut before;
        let strengths = match spot.street {
            Street::Preflop => {
                range.weigh(spot, action, &before_the_flop);
                return;
            }
            Street::Flop if board.len() > 3 => &*flop.get_or_insert_with(|| on(3)),
            Street::Turn if board.len() > 4 => &*turn.get_or_insert_with(|| on(4)),
            Street::Flop | Street::Turn | Street::River => match now {
                Some(now) => now,
                None => return,
            },
        };
        let worth = |i: usize| Worth { chance: strengths.now.get(i).copied().unwrap_or(0.0), top: 0.0 };
        range.weigh(spot, action, &worth);
    });
    ranges.iter_mut().for_each(Range::normalise);
    ranges
}

/// How good a pair is before the flop.
pub(super) fn before_the_flop(combo: usize) -> Worth {
    let kind = preflop::kind(COMBOS.get(combo).map_or(0, |combo| combo.kind));
    Worth { chance: kind.chance, top: kind.top }
}

/// Replays the hand and passes each decision, its player and its action to `tell`. Ends early if a player left,
/// which is not an action.
fn replay(sight: &Sight<'_, Holdem>, mut tell: impl FnMut(&Spot, Seat, Action)) -> Option<()> {
    let mut deal = Deal::deal(sight.rules.setup()).ok()?;
    for past in sight.course.past {
        while deal.awaiting() == Awaiting::Dealer {
            deal.apply(sight.known.open, Input::Dealt).ok()?;
        }
        let Past::Did(seat, action) = past else { return None };
        let spot = Spot::of(&deal, *seat)?;
        tell(&spot, *seat, *action);
        deal.apply(sight.known.open, Input::Act { seat: *seat, action }).ok()?;
    }
    Some(())
}
