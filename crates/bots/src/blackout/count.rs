//! How many tricks a hand is worth, card by card, without playing it out.

use super::set::{NO_SUIT, Place, Set, suit};

/// What each card of a hand is likely to take, for one size of round.
#[derive(Clone, Debug)]
pub(super) struct Count {
    trump: u8,
    /// The card turned up.
    turned: Set,
    /// The chance that a trump takes a trick, by the number of higher ones that are not in the hand.
    trumps: [f32; 16],
    /// The same of a card of another suit, before somebody trumps it.
    plain: [f32; 16],
    /// The chance that nobody trumps it, by the cards of the suit in the hand.
    unruffed: [f32; 16],
    /// The chance that a card of another suit than trump comes to be led at all.
    led: f32,
}

impl Count {
    /// For a round of `players` with `cards` each.
    pub(super) fn new(players: u8, cards: u8, trump: u8, turned: Set) -> Self {
        let (others, cards) = (f32::from(players.max(2) - 1), f32::from(cards.max(1)));
        // How much of what a player does not see is in somebody's hand.
        let dealt = (others * cards / (52.0 - cards - turned.len() as f32)).min(1.0);
        // In long rounds higher cards are spent in other tricks; in the shortest every one that is out hurts.
        let trump_pull = 1.0 / (1.0 + 0.45 * (cards - 1.0));
        let plain_pull = 1.0 / (1.0 + 0.13 * (cards - 1.0));
        let higher = |pull: f32| core::array::from_fn(|k| (-(k as f32) * dealt * pull).exp());
        let trumps_each = if trump < NO_SUIT { 12.0 * dealt / others } else { 0.0 };
        let unruffed = core::array::from_fn(|own| {
            let each = (13.0 - own as f32).max(0.0) * dealt / others;
            let void_with_trump = (-each).exp() * (1.0 - (-trumps_each).exp());
            (1.0 - void_with_trump).powf(others)
        });
        let led = 1.0 - 0.6 / cards;
        Self { trump, turned, trumps: higher(trump_pull), plain: higher(plain_pull), unruffed, led }
    }

    /// The chance that this card of the hand takes a trick.
    pub(super) fn chance(&self, hand: Set, place: Place) -> f32 {
        let at = |table: &[f32; 16], n: u32| table.get(n as usize).copied().unwrap_or(0.0);
        let out = Set::PACK.without(hand).without(self.turned);
        let higher = out.and(Set::above(place)).len();
        if suit(place) == self.trump {
            return at(&self.trumps, higher);
        }
        let own = hand.and(Set::suit(suit(place))).len();
        at(&self.plain, higher) * at(&self.unruffed, own) * self.led
    }

    /// The tricks that a hand is worth.
    pub(super) fn tricks(&self, hand: Set) -> f32 {
        hand.iter().map(|place| self.chance(hand, place)).sum()
    }
}
