//! Rommé as an experienced player plays it: opens as soon as it can, knows which cards go together, and discards
//! the least useful card, without a thought for what the others may do with it.

use games::romme::{self, Action, Drawing, Goal, Play, Pool};
use table::Draw;

use super::layout::Turn;
use super::seen::bit;
use super::shapes::pool;
use super::thought::Thought;

/// One useful discard in this many is left, so that two players cannot pass each other the same cards forever.
const LEAVES: u32 = 16;

impl Thought<'_> {
    /// Takes a card if it is a joker, fits on the table, or completes a meld so that fewer points stay in hand.
    pub(super) fn draws_plainly(&self, drawing: &Drawing, draw: &mut impl Draw) -> Action {
        let useful = drawing.discard.and_then(|held| held.card).is_some_and(|card| {
            let hand = pool(self.view.hand.iter());
            let fits = self.scene.opened && self.scene.spots.fitting() & bit(card) != 0;
            card.is_joker() || drawing.blocks || fits || left(hand.with(card)) < left(hand)
        });
        if useful && !draw.one_in(LEAVES) { Action::DrawDiscard } else { Action::DrawStock }
    }

    /// Lays everything it can, and discards the least useful card.
    pub(super) fn plays_plainly(&self, play: &Play) -> Option<Action> {
        let layout = self.scene.layout(play.pool(), Turn::Discard(self.barred(play)));
        let laid = if play.opened() { self.goes_on(play, &layout) } else { self.melds(play, &layout) };
        laid.or_else(|| self.best_discard(play, |_, _| 0.0).map(|held| Action::Discard(held.slot)))
    }
}

/// The deadwood: the points in hand outside the best melds.
fn left(hand: Pool) -> u16 {
    romme::best(hand, Goal { least: 0, keep: false }).map_or(hand.points(), |plan| plan.left)
}
