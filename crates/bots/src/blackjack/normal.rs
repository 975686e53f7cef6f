//! Blackjack Duel as an experienced player plays it.

use games::blackjack::{Action, TurnMoves, View};
use table::Chips;

/// The fraction of its chips that it bets.
const PART: i64 = 12;

/// A modest fraction of the chips; in the last two rounds as much as possible if behind, and as little as
/// possible if ahead.
pub(super) fn bet(chips: Chips, others: Chips, late: bool, least: Chips, most: Chips) -> Chips {
    match (late, chips > others) {
        (true, true) => least,
        (true, false) => most,
        (false, _) => Chips(chips.0 / PART).clamp(least, most),
    }
}

/// Decides by the hand and the card that the bank shows.
pub(super) fn action(can: &TurnMoves, view: &View) -> Action {
    let points = can.total.points;
    let up = view.bank.cards.first().and_then(|held| held.card?.rank()).map_or(10, |rank| rank.number().min(11));
    let weak = (2..=6).contains(&up);
    if can.bust {
        return Action::Bust;
    }
    if can.split && splits(points, can.total.soft, up) {
        return Action::Split;
    }
    let double = match points {
        11 => up < 11,
        10 => up < 10,
        9 => (3..=6).contains(&up),
        _ => false,
    };
    let double = if can.total.soft { (13..=18).contains(&points) && (5..=6).contains(&up) } else { double };
    if can.double && double {
        return Action::Double;
    }
    let enough = match (can.total.soft, weak) {
        (true, _) if up >= 9 => 19,
        (true, _) => 18,
        (false, true) if up >= 4 => 12,
        (false, true) => 13,
        (false, false) => 17,
    };
    if can.hit && points < enough { Action::Hit } else { Action::Stand }
}

/// Aces and eights always, others against a weak bank; never fives and tens.
fn splits(points: u8, soft: bool, up: u8) -> bool {
    match points {
        _ if soft => true,
        16 => true,
        18 => up <= 9 && up != 7,
        14 | 6 | 4 => up <= 7,
        12 => up <= 6,
        _ => false,
    }
}
