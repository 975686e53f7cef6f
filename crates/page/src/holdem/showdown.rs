//! Who won a hand, and what decided it, in both languages.

use ::table::{Outcome, Seat};
use cards::{Card, Decided};
use games::holdem::{Holdem, PotView};

use super::words;
use crate::Lang;
use crate::Scene;

/// How a player has won: " with a pair of eights, king kicker", ": everybody else folded".
pub(super) fn by(scene: &Scene<'_, Holdem>, seat: Seat, outcome: &Outcome) -> String {
    match (won_with(scene, seat), outcome.broken_off) {
        (_, Some(_)) => String::new(),
        (Some(hand), None) => format!(" {} {hand}{}", scene.pick("with", "mit"), difference(scene, seat)),
        (None, None) => format!(": {}", scene.pick("everybody else folded", "alle anderen haben gepasst")),
    }
}

/// A seat's best hand as after "with", if everybody has seen its cards.
fn won_with(scene: &Scene<'_, Holdem>, seat: Seat) -> Option<String> {
    let player = scene.view.players.get(usize::from(seat.index()))?;
    let hole = player.shown.iter().filter_map(|held| held.card);
    let all: Vec<Card> = hole.chain(scene.view.board.iter().copied()).collect();
    if player.shown.is_empty() || scene.view.board.is_empty() {
        return None;
    }
    words::with(&all, scene.lang)
}

/// What made the difference if the name of the hand does not say it. Of several pots that a player has won, the
/// first that needed a tie-break counts.
fn difference(scene: &Scene<'_, Holdem>, seat: Seat) -> String {
    let won = scene.view.pots.iter().filter(|pot| pot.winners.contains(seat));
    let close = won.filter_map(|pot| pot.decided).find(|decided| *decided != Decided::Hand);
    match (close, scene.lang) {
        (None | Some(Decided::Hand), _) => String::new(),
        (Some(Decided::Kicker(rank)), Lang::En) => format!(", {} kicker", rank.name()),
        (Some(Decided::Kicker(rank)), Lang::De) => format!(", Kicker {}", words::one(rank)),
        (Some(Decided::FlushCard(rank)), Lang::En) => format!(" (the {} decides)", rank.name()),
        (Some(Decided::FlushCard(rank)), Lang::De) => format!(" (entscheidend: {})", words::one(rank)),
        (Some(Decided::Equal), lang) => {
            lang.pick(" (equal hands split the pot)", " (gleiche Hände teilen den Pot)").to_owned()
        }
    }
}

/// Who gets the odd chips when a pot cannot be split evenly: one sentence per such pot.
pub(super) fn odd_chips(scene: &Scene<'_, Holdem>) -> Vec<String> {
    let Some(button) = scene.view.button else { return Vec::new() };
    let told = |pot: &PotView| {
        let odd = pot.amount.0.checked_rem(i64::from(pot.winners.len())).filter(|odd| *odd > 0)?;
        let winners = scene.list(pot.winners.clockwise_after(button).take(usize::try_from(odd).ok()?));
        Some(match (odd, scene.lang) {
            (1, Lang::En) => format!("The odd chip goes to the first winner left of the button: {winners}"),
            (1, Lang::De) => format!("Der überzählige Chip geht an den ersten Gewinner links vom Button: {winners}"),
            (odd, Lang::En) => format!("The {odd} odd chips go to the first winners left of the button: {winners}"),
            (odd, Lang::De) => {
                format!("Die {odd} überzähligen Chips gehen an die ersten Gewinner links vom Button: {winners}")
            }
        })
    };
    scene.view.pots.iter().filter_map(told).collect()
}
