//! The decks that a house has made, every card of which is fixed.

use core::fmt;

use cards::Card;
use dealing::merkle::Tree;
use table::{Look, Slot};
use zeroize::Zeroizing;

use super::lines::Opening;
use super::{Seed, seeds};

/// The decks. As a [`Look`] it knows every card.
#[derive(Default)]
pub struct Decks(pub(super) Vec<Deck>);

/// A deck whose every card is fixed.
pub(super) struct Deck {
    pub(super) number: u32,
    /// The codes of its cards, from the top.
    pub(super) cards: Zeroizing<Vec<u8>>,
    pub(super) opened: Vec<bool>,
    pub(super) place: [u8; 32],
    pub(super) house: Seed,
    pub(super) tree: Tree,
}

impl Deck {
    fn face(&self, index: u16) -> Option<Card> {
        self.cards.get(usize::from(index)).and_then(|code| Card::from_code(*code))
    }

    pub(super) fn opening(&self, slot: Slot) -> Option<Opening> {
        let path = self.tree.path(usize::from(slot.index))?;
        let salt = seeds::salt(&self.place, &self.house.seed, slot.index);
        Some(Opening { slot, card: self.face(slot.index)?, salt, path })
    }
}

impl Decks {
    pub(super) fn deck(&self, number: u32) -> Option<&Deck> {
        self.0.iter().rev().find(|deck| deck.number == number)
    }
}

impl Look for Decks {
    fn face(&self, slot: Slot) -> Option<Card> {
        self.deck(slot.deck)?.face(slot.index)
    }
}

/// Says how many decks there are, never what is in them.
impl fmt::Debug for Decks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Decks({} decks)", self.0.len())
    }
}
