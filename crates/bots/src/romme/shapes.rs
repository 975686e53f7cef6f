//! Melds, and the cards of a hand that make them.

use cards::Card;
use games::Held;
use games::romme::{self, Laid, Part, Place, Play, Pool, Shape};
use table::Slot;

use super::seen::bit;

/// The faces of some cards.
pub(super) fn pool<'a>(hand: impl Iterator<Item = &'a Held>) -> Pool {
    hand.filter_map(|held| held.card).fold(Pool::default(), Pool::with)
}

/// The face of a card in hand.
pub(super) fn face(play: &Play, slot: Slot) -> Option<Card> {
    play.hand().find(|held| held.slot == slot).and_then(|held| held.card)
}

/// The natural cards of a meld.
pub(super) fn naturals(shape: Shape) -> u64 {
    shape.cards().fold(0, |set, place| match place {
        Place::Natural(card) => set | bit(card),
        Place::Joker(_) => set,
    })
}

/// The points of a meld's cards in hand.
pub(super) fn in_hand(shape: Shape) -> u16 {
    shape.cards().map(|place| romme::in_hand(printed(place))).sum()
}

/// What is printed on the card at a place.
const fn printed(place: Place) -> Card {
    match place {
        Place::Natural(card) => card,
        Place::Joker(_) => Card::JOKER,
    }
}

/// The meld with one card fewer, if it is still a meld.
pub(super) fn shorter(shape: Shape) -> Option<Shape> {
    let part = |place: Place| match place {
        Place::Natural(face) => Part { slot: Slot::default(), face, stands_for: None },
        Place::Joker(stands_for) => Part { slot: Slot::default(), face: Card::JOKER, stands_for },
    };
    let parts: Vec<Part> = shape.cards().map(part).collect();
    (0..parts.len()).find_map(|at| {
        let mut fewer = parts.clone();
        fewer.remove(at);
        Shape::new(&fewer).ok()
    })
}

/// The cards of the hand that make these melds.
pub(super) fn lay(play: &Play, melds: &[Shape]) -> Vec<Vec<Laid>> {
    let mut free: Vec<(Slot, Card)> = play.hand().filter_map(|held| Some((held.slot, held.card?))).collect();
    let mut take = |place: Place| {
        let stands_for = match place {
            Place::Natural(_) => None,
            Place::Joker(stands_for) => stands_for,
        };
        // The latest card first: it may be one that cannot be discarded this turn.
        let at = free.iter().rposition(|(_, card)| *card == printed(place))?;
        Some(Laid { slot: free.remove(at).0, stands_for })
    };
    melds.iter().map(|meld| meld.cards().filter_map(&mut take).collect()).collect()
}
