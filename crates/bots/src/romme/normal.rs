//! Rommé as somebody plays it who plays often.

use cards::Card;
use games::romme::{self, Action, Drawing, Goal, Play, Pool, View};

use super::seen::{Spots, bit};

/// With at most this many cards in hand, jokers are laid off as well.
const FEW_CARDS: usize = 3;

/// Whether to take the top of the pile: it is a joker, fits to the table, or leaves less in hand by making a meld.
pub(super) fn takes(drawing: &Drawing, view: &View, opened: bool) -> bool {
    let Some(card) = drawing.discard.and_then(|held| held.card) else { return false };
    if card.is_joker() || drawing.blocks || (opened && Spots::new(view).fitting() & bit(card) != 0) {
        return true;
    }
    let hand = view.hand.iter().filter_map(|held| held.card).fold(Pool::default(), Pool::with);
    left(hand.with(card)) < left(hand)
}

/// The points that stay in hand beside the best melds.
fn left(hand: Pool) -> u16 {
    romme::best(hand, Goal { least: 0, keep: false }).map_or(hand.points(), |plan| plan.left)
}
