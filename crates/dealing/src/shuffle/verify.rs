//! The verifier's side.

use core::fmt;

use super::{ShuffleProof, Step, verify_chain};
use crate::{Context, Deck, Element};

/// Why a shuffle is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadShuffle {
    /// The key is the neutral element.
    Key,
    /// The decks, or the proof, are not for the same number of cards.
    Length,
    /// A card of the new deck is not encrypted: its first half is the neutral element.
    Open {
        /// Its place.
        place: u16,
    },
    /// A card of the new deck has the same randomness as a card of the old deck or another of the new one.
    Stale {
        /// Its place.
        place: u16,
    },
    /// The equations do not hold.
    Proof,
}

impl fmt::Display for BadShuffle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key => f.write_str("the key is the neutral element"),
            Self::Length => f.write_str("the decks and the proof are for different numbers of cards"),
            Self::Open { place } => write!(f, "the card in place {place} is not encrypted"),
            Self::Stale { place } => write!(f, "the card in place {place} was not re-encrypted"),
            Self::Proof => f.write_str("the proof does not hold"),
        }
    }
}

impl core::error::Error for BadShuffle {}

/// Checks one shuffle.
pub fn verify_shuffle(
    context: &Context,
    key: &Element,
    before: &Deck,
    after: &Deck,
    proof: &ShuffleProof,
) -> Result<(), BadShuffle> {
    verify_chain(key, before, &[Step { context: *context, deck: after, proof }]).map_err(|(_, bad)| bad)
}
