//! Rules of thumb for Ongdu.

use cards::Card;
use games::Held;
use games::ongdu::{Action, Arrangement, Deal, Hand, Moves, View, best_arrangement};
use table::{Draw, Move, Seat, Slot};

use crate::{Decision, Simple};

impl Simple for Deal {
    /// Arranges its cards as the game itself would for somebody who is absent.
    fn simple(_: Seat, _: &View, moves: &Moves, _: &mut impl Draw) -> Decision<Self> {
        match moves {
            Moves::None => None,
            Moves::Discard(hand) => {
                let card = best_arrangement(&faces(hand)?, hand.preset())?.discard?;
                take(&mut hand.iter().collect(), card).map(|slot| Move::Act(Action::Discard(slot)))
            }
            Moves::Arrange(hand) => {
                let layers = best_arrangement(&faces(hand)?, hand.preset())?.layers;
                let mut held: Vec<Held> = hand.iter().collect();
                let slots: Vec<Slot> = layers.as_flattened().iter().filter_map(|card| take(&mut held, *card)).collect();
                let mut threes = slots.chunks(3);
                let arrangement = Arrangement::new(threes.next()?, threes.next()?, threes.next()?);
                arrangement.ok().map(Move::Choose)
            }
        }
    }
}

/// The faces of a hand, if all are known.
fn faces(hand: &Hand) -> Option<Vec<Card>> {
    hand.iter().map(|held| held.card).collect()
}

/// Takes a card with this face out of the hand.
fn take(held: &mut Vec<Held>, card: Card) -> Option<Slot> {
    let place = held.iter().position(|held| held.card == Some(card))?;
    Some(held.swap_remove(place).slot)
}
