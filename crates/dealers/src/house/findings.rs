//! What the evidence about a deck says, in plain words.

use table::{Seat, Seats};

use super::LeftOut;
use super::known::{Deck, Part};
use crate::Finding;

/// What no record of a house can prove.
pub(super) const LIMITS: [&str; 3] = [
    "that the house, which knows every card, showed none to anybody who should not see it",
    "who sent what: messages are not signed, and a house can write down messages that nobody sent; a player who sat at \
     the table can compare it with what they kept (verify --kept)",
    "when it was written: that all commitments came before the seeds is known to the players who saw and kept them",
];

/// The same where a player has kept what they saw.
pub(super) const LIMITS_OF_KEPT: [&str; 2] = [
    "that the house, which knows every card, showed none to anybody who should not see it",
    "who sent what for the other seats: messages are not signed; other players can compare what they kept, or read each \
     other the four words of a deck",
];

/// What has been proven about a finished deck, and what has not.
pub(super) fn of(deck: &Deck) -> Vec<Finding> {
    let Some(fixed) = &deck.fixed else {
        return vec![Finding::open("a deck was begun but never dealt from; its cards were never fixed")];
    };
    let mut found = Vec::new();
    let seeds = seeds(deck.parts.iter().filter(|(_, part)| matches!(part, Part::Revealed(_))).map(|(seat, _)| *seat));
    let any_open = fixed.open.iter().any(Option::is_some);
    if any_open {
        found.push(Finding::proven("every opened card is the one fixed in its place before any card was dealt"));
    }
    if fixed.order.is_some() {
        found.push(Finding::proven(format!(
            "the order of all cards follows from {seeds}, committed to before any was revealed, and was fixed \
             before any card was dealt"
        )));
    } else {
        found.push(Finding::open(format!(
            "that the order of the cards was made from {seeds}: the house keeps its seed, which would reveal \
             cards that the rules keep hidden"
        )));
    }
    for why in LeftOut::ALL {
        let out = deck.parts.iter().filter(|(_, part)| **part == Part::Out(why)).map(|(seat, _)| *seat);
        let out: Seats = out.collect();
        if !out.is_empty() {
            found.push(Finding::open(format!(
                "why the order was made without {}: the house says that {why}",
                list(out.iter()).unwrap_or_default()
            )));
        }
    }
    let private = |opened: bool| {
        let cards = fixed.private.iter().zip(&fixed.open).filter(|(private, _)| private.is_some());
        cards.filter(|(_, open)| open.is_some() == opened).count()
    };
    if fixed.order.is_some() && private(false) + private(true) > 0 {
        found.push(Finding::proven("the cards recorded as dealt to single seats are those of the order"));
    } else if fixed.order.is_none() {
        if private(true) > 0 {
            found.push(Finding::proven(
                "the cards recorded as dealt to single seats, if opened later, are those that were opened",
            ));
        }
        if private(false) > 0 {
            found.push(Finding::open(
                "the cards recorded as dealt to single seats that were never opened; the player who was dealt one \
                 can check it with the proof that the house owes them",
            ));
        }
    }
    found
}

/// Whose seeds.
fn seeds(seats: impl Iterator<Item = Seat>) -> String {
    match list(seats) {
        None => "the seed of the house alone".to_owned(),
        Some(seats) => format!("the seeds of the house and {seats}"),
    }
}

/// "seat 2", "seats 1 and 4", "seats 1, 2 and 4", counted from 1 as people do; `None` for nobody.
fn list(seats: impl Iterator<Item = Seat>) -> Option<String> {
    let numbers: Vec<String> = seats.map(|seat| seat.number().to_string()).collect();
    match numbers.as_slice() {
        [] => None,
        [one] => Some(format!("seat {one}")),
        [most @ .., last] => Some(format!("seats {} and {last}", most.join(", "))),
    }
}
