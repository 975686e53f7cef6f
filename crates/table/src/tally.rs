//! Which cards can still come out of each deck, so that none is open twice.

use cards::{Card, Pack};

use crate::{Slot, Source};

/// The decks in use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tallies {
    decks: Vec<Tally>,
    /// The last pack used, and how many cards of each face it has.
    full: Option<(Pack, [u8; 128])>,
}

/// How many cards of each face a deck can still open.
#[derive(Clone, Debug)]
struct Tally {
    deck: u32,
    pack: Pack,
    left: [u8; 128],
}

impl Tallies {
    /// Forgets all decks; memory is kept.
    pub(crate) fn clear(&mut self) {
        self.decks.clear();
    }

    /// Forgets the decks before this one.
    pub(crate) fn forget_before(&mut self, oldest: u32) {
        self.decks.retain(|tally| tally.deck >= oldest);
    }

    /// Counts the cards that can come out of a new deck.
    #[inline]
    pub(crate) fn count(&mut self, deck: u32, from: &Source) {
        if self.decks.iter().any(|tally| tally.deck == deck) {
            return;
        }
        let pack = match from {
            Source::Pack(pack) => Some(*pack),
            // Recycled cards come from the pack of their old decks.
            Source::Slots(slots) => {
                slots.first().and_then(|s| self.decks.iter().find(|tally| tally.deck == s.deck)).map(|tally| tally.pack)
            }
        };
        if let Some(pack) = pack {
            let before = self.full.filter(|(known, _)| *known == pack);
            let (_, left) = *self.full.insert(before.unwrap_or_else(|| (pack, full(pack))));
            self.decks.push(Tally { deck, pack, left });
        }
    }

    /// Counts a card that opens; `false` if its deck has no more of them.
    #[inline]
    pub(crate) fn open(&mut self, slot: Slot, card: Card) -> bool {
        let tally = self.decks.iter_mut().rev().find(|tally| tally.deck == slot.deck);
        match tally.and_then(|tally| tally.left.get_mut(usize::from(card.code()))) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        }
    }

    /// Undoes that.
    pub(crate) fn close(&mut self, slot: Slot, card: Card) {
        let tally = self.decks.iter_mut().rev().find(|tally| tally.deck == slot.deck);
        if let Some(left) = tally.and_then(|tally| tally.left.get_mut(usize::from(card.code()))) {
            *left += 1;
        }
    }
}

/// How many cards of each face a pack has.
fn full(pack: Pack) -> [u8; 128] {
    let mut left = [0; 128];
    for card in pack.faces() {
        if let Some(count) = left.get_mut(usize::from(card.code())) {
            *count += 1;
        }
    }
    left
}
