//! Rules of thumb for Ongdu.

use games::Held;
use games::ongdu::{Arrangement, Deal, Hand, LayerRank, Moves, View};
use table::{Draw, Move, Seat};

use super::ways::{Way, ways};
use crate::{Decision, Simple};

impl Simple for Deal {
    /// The best three cards at the bottom, the best three of the others in the middle.
    fn simple(_: Seat, _: &View, moves: &Moves, _: &mut impl Draw) -> Decision<Self> {
        decide(moves, bottom_first)
    }
}

/// How good a way is for a player who looks at the bottom first, then at the middle.
pub(super) fn bottom_first(way: &Way) -> [LayerRank; 3] {
    let [top, middle, bottom] = way.rank.layers;
    [bottom, middle, top]
}

/// The move that leads to the best way by this measure; the first of equal ones.
pub(super) fn decide<T: PartialOrd>(moves: &Moves, measure: impl Fn(&Way) -> T) -> Decision<Deal> {
    let (Moves::Discard(hand) | Moves::Arrange(hand)) = moves else { return None };
    best(hand, measure).and_then(|way| action(&way))
}

/// The best way by this measure.
pub(super) fn best<T: PartialOrd>(hand: &Hand, measure: impl Fn(&Way) -> T) -> Option<Way> {
    let held: Vec<Held> = hand.iter().collect();
    let measured = ways(&held, hand.preset()).into_iter().map(|way| (measure(&way), way));
    measured.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, way)| way)
}

/// The next step towards it: first the discard, then the arrangement.
pub(super) fn action(way: &Way) -> Decision<Deal> {
    use games::ongdu::Action;
    let [top, middle, bottom] = way.layers;
    Some(match way.out {
        Some(card) => Move::Act(Action::Discard(card.slot)),
        None => Move::Choose(Arrangement { top, middle, bottom }),
    })
}
