//! How many tricks a hand is worth, card by card, without playing it out.

use super::set::{NO_SUIT, Place, Set, suit};

/// The chance of each card to take a trick, for one size of round.
#[derive(Clone, Debug)]
pub(super) struct Count {
    trump: u8,
    /// The card turned up.
    turned: Set,
    /// The chance that a trump takes a trick, by the number of higher ones that are not in the hand.
    trumps: [f32; 16],
    /// The same for a card of another suit, unless it is trumped.
    plain: [f32; 16],
    /// The chance that nobody trumps it, by the cards of the suit in the hand.
    unruffed: [f32; 16],
    /// The chance that a plain card gets to be led at all.
    led: f32,
}

impl Count {
    /// For a round of `players` with `cards` each.
    pub(super) fn new(players: u8, cards: u8, trump: u8, turned: Set) -> Self {
        let (others, cards) = (f32::from(players.max(2) - 1), f32::from(cards.max(1)));
        // The fraction of unseen cards that are in a hand.
        let dealt = (others * cards / (52.0 - cards - turned.len() as f32)).min(1.0);
        let trumps_each = if trump < NO_SUIT { 12.0 * dealt / others } else { 0.0 };
        let unruffed = core::array::from_fn(|own| {
            let each = (13.0 - own as f32).max(0.0) * dealt / others;
            let void_with_trump = (-each).exp() * (1.0 - (-trumps_each).exp());
            (1.0 - void_with_trump).powf(others)
        });
        let led = 1.0 - 0.8 / cards;
        let mut count = Self { trump, turned, trumps: [0.0; 16], plain: [0.0; 16], unruffed, led };
        // One card in `players` takes a trick, which determines how much higher cards hurt.
        let (mut least, mut most) = (0.0, 4.0);
        for _ in 0..12 {
            let pull: f32 = (least + most) / 2.0;
            count.pull(dealt, cards, pull);
            if count.average(cards, players) > 1.0 / (others + 1.0) { least = pull } else { most = pull }
        }
        count
    }

    /// Sets how much each higher card that is still out hurts.
    fn pull(&mut self, dealt: f32, cards: f32, pull: f32) {
        // In long rounds higher trumps are spent in other tricks.
        let trumps = pull / (1.0 + 1.8 * (cards - 1.0));
        (0u8..).zip(&mut self.trumps).for_each(|(k, chance)| *chance = (-f32::from(k) * dealt * trumps).exp());
        (0u8..).zip(&mut self.plain).for_each(|(k, chance)| *chance = (-f32::from(k) * dealt * pull).exp());
    }

    /// The average number of tricks per card.
    fn average(&self, cards: f32, players: u8) -> f32 {
        let own = (cards / 4.0).round() as usize;
        let unseen = 1.0 - cards / 52.0;
        let mean = |table: &[f32; 16]| {
            let at = |rank: u8| {
                let k = f32::from(rank) * unseen;
                let (low, part) = (k as usize, k.fract());
                let at = |n: usize| table.get(n).copied().unwrap_or(0.0);
                at(low) * (1.0 - part) + at(low + 1) * part
            };
            (0..13).map(at).sum::<f32>() / 13.0
        };
        let leads = 1.0 / f32::from(players);
        let led = self.led * (1.0 - leads) + leads;
        let plain = mean(&self.plain) * self.unruffed.get(own).copied().unwrap_or(1.0) * led;
        if self.trump < NO_SUIT { 0.75 * plain + 0.25 * mean(&self.trumps) } else { plain }
    }

    /// The chance that this card of the hand takes a trick.
    pub(super) fn chance(&self, hand: Set, place: Place, leads: bool) -> f32 {
        let at = |table: &[f32; 16], n: u32| table.get(n as usize).copied().unwrap_or(0.0);
        let out = Set::PACK.without(hand).without(self.turned);
        let higher = out.and(Set::above(place)).len();
        if suit(place) == self.trump {
            return at(&self.trumps, higher);
        }
        let own = hand.and(Set::suit(suit(place))).len();
        at(&self.plain, higher) * at(&self.unruffed, own) * if leads { 1.0 } else { self.led }
    }

    /// The number of tricks a hand is worth.
    pub(super) fn tricks(&self, hand: Set, leads: bool) -> f32 {
        hand.iter().map(|place| self.chance(hand, place, leads)).sum()
    }
}
