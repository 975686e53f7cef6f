//! The chances of cards and of the bank, given the cards that a seat has not seen.
//!
//! Cards are represented by their values: 1 for an ace, up to 10. The chances are assumed to stay the same for
//! the rest of the round; with several packs in the shoe, the few cards of a round change little.

use cards::{Card, Rank};
use games::blackjack::{Blackjack, Setup, Soft17};
use table::Slot;

use crate::Sight;

/// How the bank can end, as indices of a list: bust, with 17 to 21, or with a natural.
pub(super) const BUST: usize = 0;
/// A natural of the bank.
pub(super) const NATURAL: usize = 6;
/// How many ways there are for the bank to end.
pub(super) const ENDS: usize = 7;

/// What a card counts, an ace as 1.
pub(super) fn value(card: Card) -> usize {
    match card.rank() {
        Some(Rank::Ace) => 1,
        Some(rank) => usize::from(rank.number().min(10)),
        None => 0,
    }
}

/// The chance of each value, from 1 to 10.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Odds([f64; 11]);

impl Odds {
    /// The odds of a full shoe.
    pub(super) fn full() -> Self {
        Self::of(&[0.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 16.0])
    }

    /// The odds of the cards that a seat has not seen. Cards hidden from it count as not drawn.
    pub(super) fn seen(sight: &Sight<'_, Blackjack>) -> Self {
        let setup = sight.rules.setup();
        let packs = f64::from(setup.decks);
        let mut left = [0.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 16.0].map(|count| count * packs);
        let deck = shoe(setup);
        let open = sight.known.open.of_deck(deck);
        let mut take = |card: Card| {
            if let Some(count) = left.get_mut(value(card)) {
                *count -= 1.0;
            }
        };
        open.iter().flatten().for_each(|card| take(*card));
        let own = sight.view.players.get(usize::from(sight.seat.index()));
        let held = own.iter().flat_map(|own| &own.hands).flat_map(|hand| &hand.cards);
        let closed = |slot: Slot| slot.deck == deck && sight.known.open.get(slot).is_none();
        held.filter(|held| closed(held.slot)).filter_map(|held| held.card).for_each(&mut take);
        Self::of(&left)
    }

    /// The odds given the number of cards of each value.
    fn of(counts: &[f64; 11]) -> Self {
        let total: f64 = counts.iter().sum();
        if total < 1.0 { Self::full() } else { Self(counts.map(|count| count.max(0.0) / total)) }
    }

    /// The values with their chances.
    pub(super) fn values(&self) -> impl Iterator<Item = (usize, f64)> {
        self.0.iter().copied().enumerate().skip(1)
    }

    /// The value at this point between 0 and 1, where each value has a section as long as its chance.
    pub(super) fn at(&self, point: f64) -> usize {
        let mut sum = 0.0;
        let found = self.values().find(|(_, chance)| {
            sum += chance;
            point < sum
        });
        found.map_or(10, |(value, _)| value)
    }

    /// How the bank ends, given the card it shows.
    pub(super) fn bank(&self, up: usize, soft17: Soft17) -> [f64; ENDS] {
        let mut ends = [0.0; ENDS];
        // By the sum with aces as 1, and whether there is an ace.
        let mut at = [[0.0; 2]; 27];
        for (value, chance) in self.values() {
            if up.min(value) == 1 && up.max(value) == 10 {
                ends[NATURAL] += chance;
            } else if let Some(place) = at.get_mut(up + value) {
                *of_mut(place, up == 1 || value == 1) += chance;
            }
        }
        for sum in 2..27 {
            for ace in [false, true] {
                let here = at.get(sum).map_or(0.0, |place| of(place, ace));
                if here == 0.0 {
                    continue;
                }
                if let Some(end) = bank_end(sum, ace, soft17) {
                    if let Some(chance) = ends.get_mut(end) {
                        *chance += here;
                    }
                    continue;
                }
                for (value, chance) in self.values() {
                    if let Some(place) = at.get_mut(sum + value) {
                        *of_mut(place, ace || value == 1) += here * chance;
                    }
                }
            }
        }
        ends
    }
}

/// Where the bank ends with this sum, if it draws no more.
pub(super) fn bank_end(sum: usize, ace: bool, soft17: Soft17) -> Option<usize> {
    let total = best(sum, ace);
    let soft = total > sum;
    match total {
        22.. => Some(BUST),
        17 if soft && soft17 == Soft17::Hit => None,
        17..=21 => Some(total - 16),
        _ => None,
    }
}

/// The total of cards with this sum, in which an ace may count 11.
pub(super) const fn best(sum: usize, ace: bool) -> usize {
    if ace && sum <= 11 { sum + 10 } else { sum }
}

/// Picks the entry for hands without an ace or for those with one.
pub(super) const fn of(both: &[f64; 2], ace: bool) -> f64 {
    let [without, with] = both;
    if ace { *with } else { *without }
}

/// The same, to be changed.
pub(super) const fn of_mut(both: &mut [f64; 2], ace: bool) -> &mut f64 {
    let [without, with] = both;
    if ace { with } else { without }
}

/// The deck that the round began with.
fn shoe(setup: &Setup) -> u32 {
    setup.shoe.map_or(setup.first_deck, |shoe| shoe.deck)
}
