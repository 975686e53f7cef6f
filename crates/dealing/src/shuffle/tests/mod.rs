//! Tests of what the shuffle promises and must refuse.

mod chains;
mod completeness;
mod encoding;
mod frozen;
mod soundness;

use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;

use super::*;
use crate::{Ciphertext, Context, Deck, Element, Permutation, Secret};

/// A shuffle with its key, decks and proof.
#[derive(Clone)]
struct Case {
    context: Context,
    secret: Secret,
    key: Element,
    before: Deck,
    after: Deck,
    proof: ShuffleProof,
}

impl Case {
    /// The second shuffle of a pack, so that its input is encrypted already.
    fn new(cards: u16, seed: u64) -> Self {
        let rng = &mut ChaCha20Rng::seed_from_u64(seed);
        let fresh = Deck::fresh(b"pack", cards).unwrap();
        let secret = Secret::random(rng);
        let context = context();
        let (before, _) = shuffle(&context, &secret.public(), &fresh, &Permutation::sample(cards, rng), rng).unwrap();
        Self::of(secret, before, &Permutation::sample(cards, rng), rng)
    }

    fn of(secret: Secret, before: Deck, permutation: &Permutation, rng: &mut ChaCha20Rng) -> Self {
        let (context, key) = (context(), secret.public());
        let (after, proof) = shuffle(&context, &key, &before, permutation, rng).unwrap();
        Self { context, secret, key, before, after, proof }
    }

    fn verify(&self) -> Result<(), BadShuffle> {
        verify_shuffle(&self.context, &self.key, &self.before, &self.after, &self.proof)
    }
}

fn context() -> Context {
    Context::new([9; 32]).height(4).deck(3).step(2).author(1)
}

/// The deck with other cards in some places.
fn with(deck: &Deck, change: impl Fn(&mut Vec<Ciphertext>)) -> Deck {
    let mut cards = deck.iter().copied().collect();
    change(&mut cards);
    Deck::new(cards).unwrap()
}
