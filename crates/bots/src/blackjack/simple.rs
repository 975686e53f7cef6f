//! Rules of thumb for Blackjack Duel.

use games::blackjack::{Action, Bet, Deal, Moves, TurnMoves, View};
use table::{Chips, Draw, Move, Seat};

use crate::{Decision, Simple};

impl Simple for Deal {
    /// Bets a tenth of its chips and plays its hands by the card that the bank shows.
    fn simple(seat: Seat, view: &View, moves: &Moves, _: &mut impl Draw) -> Decision<Self> {
        match moves {
            Moves::None => None,
            Moves::Bet { least, most } => {
                let chips = view.players.get(usize::from(seat.index())).map_or(Chips::ZERO, |player| player.chips);
                Some(Move::Choose(Bet(Chips(chips.0 / 10).clamp(*least, *most))))
            }
            Moves::Turn(can) => Some(Move::Act(action(can, bank_is_weak(view)))),
        }
    }
}

/// Showing a 2 to a 6, the bank often busts.
fn bank_is_weak(view: &View) -> bool {
    let up = view.bank.cards.first().and_then(|held| held.card?.rank());
    up.is_some_and(|rank| rank.number() <= 6)
}

fn action(can: &TurnMoves, bank_is_weak: bool) -> Action {
    let points = can.total.points;
    // Of pairs, only aces (a soft 12) make a soft hand below 13.
    let aces_or_eights = if can.total.soft { points == 12 } else { points == 16 };
    let enough = match (can.total.soft, bank_is_weak) {
        (true, _) => 18,
        (false, true) => 13,
        (false, false) => 17,
    };
    if can.bust {
        Action::Bust
    } else if can.split && aces_or_eights {
        Action::Split
    } else if can.double && (points == 11 || (9..=10).contains(&points) && bank_is_weak) {
        Action::Double
    } else if can.hit && points < enough {
        Action::Hit
    } else {
        Action::Stand
    }
}
