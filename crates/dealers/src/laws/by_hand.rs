//! Tables set up by hand, for tests of what people are shown.

use cards::parse_cards;
use table::{Faces, Height, Order, Rules, Slot, Table};

/// A deal in which everybody holds the cards that a test wants. Shuffles are skipped.
///
/// # Panics
/// If the texts are not cards, or the game refuses the setup.
pub fn dealt_by_hand<R: Rules, const N: usize>(
    setup: &R::Setup,
    hands: [&str; N],
    turned_up: &str,
) -> (Table<R>, [Faces; N]) {
    let read = |text: &str| parse_cards(text).unwrap_or_else(|why| panic!("{text}: {why}"));
    let (hands, turned_up) = (hands.map(read), read(turned_up));
    let rules = R::deal(setup).unwrap_or_else(|why| panic!("{why}"));
    let mut table = Table::new(rules, Height(0));
    let (mut own, mut open) = ([const { Faces::new() }; N], Faces::new());
    for order in table.orders() {
        match order {
            Order::Deal { to, slots } => {
                let at = usize::from(to.index());
                if let (Some(own), Some(hand)) = (own.get_mut(at), hands.get(at)) {
                    slots.slots().zip(hand).for_each(|(slot, card)| own.insert(slot, *card));
                }
            }
            Order::Open { slots } => slots.slots().zip(&turned_up).for_each(|(slot, card)| open.insert(slot, *card)),
            Order::Shuffle { .. } => {}
        }
    }
    table.dealt(Height(0), &open).unwrap_or_else(|why| panic!("{why}"));
    (table, own)
}

/// The slots where a seat holds these cards, each card in its own slot.
///
/// # Panics
/// If the seat does not hold them.
pub fn slots_of(faces: &Faces, cards: &str) -> Vec<Slot> {
    let mut found: Vec<Slot> = Vec::new();
    for wanted in parse_cards(cards).unwrap_or_else(|why| panic!("{cards}: {why}")) {
        let place = faces.iter().find(|(slot, card)| *card == wanted && !found.contains(slot));
        found.push(place.unwrap_or_else(|| panic!("{wanted} is not held")).0);
    }
    found
}
