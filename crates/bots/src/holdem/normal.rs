//! An experienced player: weighs the strength of the hand against random hands with the price of a call.
//!
//! It concludes nothing from the others' actions, except that a large bet calls for a better hand.

use cards::Card;
use games::holdem::{Action, Holdem, Moves, Status, View};
use table::{Chips, Draw};

use super::chance::against_any;
use crate::Sight;

/// Hands tried for a decision.
const TRIES: u32 = 240;

pub(super) fn decide(sight: &Sight<'_, Holdem>, draw: &mut impl Draw) -> Option<Action> {
    let (view, moves) = (sight.view, sight.moves);
    if !moves.asked {
        return None;
    }
    let me = view.players.get(usize::from(sight.seat.index()))?;
    let hole: Vec<Card> = view.hand.iter().filter_map(|held| held.card).collect();
    let others = view.players.iter().filter(|player| matches!(player.status, Status::Live | Status::AllIn)).count();
    let others = u32::try_from(others).unwrap_or(2).max(2) - 1;
    let chance = against_any(&hole, &view.board, others, TRIES, draw);
    // Converted to the chance against one opponent, which is easier to make rules for.
    let against_one = chance.powf(1.0 / f64::from(others));
    let price = moves.to_call.0 as f64 / (view.pot + moves.to_call).0.max(1) as f64;
    let risk = moves.to_call.0 as f64 / (me.stack + me.bet).0.max(1) as f64;
    let blinds = me.stack.0 as f64 / view.big_blind.0.max(1) as f64;

    let stay = if moves.can_check { Action::Check } else { Action::Call };
    // A player who bets has something, and more so the larger the bet: this is the fraction of hands they would
    // not bet.
    let rejected = if moves.to_call <= view.small_blind { 0.0 } else { 0.3 + 0.3 * risk.min(1.0) };
    let after_a_bet = ((chance - rejected) / (1.0 - rejected)).max(0.0);
    let good = if moves.can_check { 0.6 } else { 0.66 + 0.14 * risk.min(1.0) };
    let short = blinds <= 10.0 && view.board.is_empty();
    Some(if short && against_one >= 0.54 && moves.can_all_in {
        Action::AllIn
    } else if against_one >= good || (moves.can_check && draw.one_in(8)) {
        raise(view, moves, against_one, draw).unwrap_or(stay)
    } else if moves.can_check || after_a_bet >= price {
        stay
    } else {
        Action::Fold
    })
}

/// Half the pot to the full pot on top; all-in if that is most of the stack anyway.
fn raise(view: &View, moves: &Moves, chance: f64, draw: &mut impl Draw) -> Option<Action> {
    let (least, most) = moves.min_to.zip(moves.max_to)?;
    let pot = (view.pot + moves.to_call).0;
    let to = (view.bet_to + Chips(pot / 2 + pot / 4 * i64::from(draw.below(3)))).max(least);
    let commits = to.0 * 3 > most.0 * 2;
    match (commits, chance >= 0.7) {
        (true, true) => Some(Action::AllIn),
        // A bluff is not worth the stack.
        (true, false) => None,
        (false, _) => Some(Action::RaiseTo(to.min(most))),
    }
}
