//! Rules of thumb for Rommé.

use cards::Card;
use games::Held;
use games::romme::{self, Action, Deal, Drawing, Goal, Moves, Play, Pool, View};
use table::{Draw, Move, Seat};

use crate::{Decision, Simple};

/// With at most this many cards in hand, jokers are laid off as well.
const FEW_CARDS: usize = 3;

/// One useful discard in this many is left, so the stock shrinks. Otherwise two players could pass each other
/// the same cards forever, each completing a meld that neither may lay yet.
const LEAVES: u32 = 16;

impl Simple for Deal {
    /// Lays what it can, keeps cards that may still become a meld, discards the most expensive of the rest, and
    /// takes a discard only if it completes a meld.
    fn simple(_: Seat, view: &View, moves: &Moves, rng: &mut impl Draw) -> Decision<Self> {
        let action = match moves {
            Moves::None => return None,
            Moves::Draw(drawing) if takes(drawing, view) && !rng.one_in(LEAVES) => Action::DrawDiscard,
            Moves::Draw(_) => Action::DrawStock,
            Moves::Play(play) => lays(play).or_else(|| throws_away(play))?,
        };
        Some(Move::Act(action))
    }
}

/// Whether the top of the discard pile is a joker, or completes a meld without one.
fn takes(drawing: &Drawing, view: &View) -> bool {
    let Some(card) = drawing.discard.and_then(|held| held.card) else { return false };
    let naturals = view.hand.iter().filter_map(|held| held.card).filter(|card| !card.is_joker());
    let with_it = naturals.clone().fold(Pool::default(), Pool::with).with(card);
    card.is_joker() || (!naturals.clone().any(|held| held == card) && with_it.melds_with(card).next().is_some())
}

/// The best melds, else a swap, else a card added to a meld.
fn lays(play: &Play) -> Option<Action> {
    if let Some(plan) = play.best() {
        return Some(play.lay(&plan));
    }
    let is_joker = |action: &Action| match action {
        Action::LayOff { cards, .. } => {
            cards.iter().any(|laid| play.hand().any(|held| held.slot == laid.slot && held.card == Some(Card::JOKER)))
        }
        Action::DrawStock | Action::DrawDiscard | Action::Meld(_) | Action::Swap { .. } | Action::Discard(_) => false,
    };
    let few = play.hand().count() <= FEW_CARDS;
    play.swaps().next().or_else(|| play.lay_offs().find(|action| few || !is_joker(action)))
}

/// The card with the most points among those of no use: first outside all melds, then outside all halves of
/// one.
fn throws_away(play: &Play) -> Option<Action> {
    let in_melds = romme::best(play.pool(), Goal { least: 0, keep: true });
    let kept = in_melds.map_or(play.pool(), |plan| plan.rest(play.pool()));
    let use_of = |held: &Held| {
        let Some(card) = held.card else { return (false, false, false, 0) };
        let in_meld = kept.count(card) == 0;
        let half = play.hand().filter(|other| other.slot != held.slot);
        let half = half.filter_map(|other| other.card).any(|other| romme::is_half_a_meld(card, other));
        (card.is_joker(), in_meld, half, romme::in_hand(card))
    };
    let least_useful = play.discards().min_by_key(|held| {
        let (joker, in_meld, half, points) = use_of(held);
        (joker, in_meld, half, core::cmp::Reverse(points))
    });
    least_useful.map(|held| Action::Discard(held.slot))
}
