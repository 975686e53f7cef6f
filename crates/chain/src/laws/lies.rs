//! What bad validators and bad players do.

use dealers::joint::{Body, Message, Place};
use rand::{Rng, RngExt};

table::words! {
    /// What a validator does wrong.
    pub enum Lie {
        /// Says nothing at all.
        Silent = "silent",
        /// Shuffles, but gives no shares of cards.
        Withhold = "withhold",
        /// Says wrong things, with proofs that do not hold.
        WrongProof = "wrong-proof",
        /// Says two different things in one place.
        Equivocate = "equivocate",
        /// Repeats what others say as its own.
        Copy = "copy",
        /// Deals wrong shares when keys are generated.
        BadDkg = "bad-dkg",
        /// Complains about shares that are right.
        FalseComplaint = "false-complaint",
        /// Leaves out what one other validator says when it makes a block.
        Censor = "censor",
    }
}

table::words! {
    /// What a player does wrong.
    pub enum Prank {
        /// Never acts.
        Sleep = "sleep",
        /// Stands up and sits down again all the time.
        Restless = "restless",
        /// Sends transactions that fail, or that nobody waits for.
        Spam = "spam",
    }
}

impl Lie {
    /// Whether it can be punished. To leave something out of a block proves nothing.
    pub fn can_be_punished(self) -> bool {
        self != Self::Censor
    }
}

/// The same message with a wrong proof, or with something wrong that its proof does not cover.
pub(super) fn spoilt(message: &Message, rng: &mut impl Rng) -> Message {
    let body = match &message.body {
        Body::Shuffle(shuffled) => {
            let mut cards: Vec<_> = shuffled.0.iter().copied().collect();
            let other = 1 + rng.random_range(0..cards.len() - 1);
            cards.swap(0, other);
            dealing::Deck::new(cards).map(|deck| Body::Shuffle(Box::new((deck, shuffled.1.clone())))).ok()
        }
        Body::Sealed(sealed) if sealed.cards.len() > 1 => {
            let mut sealed = sealed.clone();
            sealed.cards.swap(0, 1);
            Some(Body::Sealed(sealed))
        }
        Body::Shares(shares) => {
            let mut shares = shares.clone();
            shares.points.reverse();
            if let Some(first) = shares.points.first_mut() {
                *first = dealing::Element::hashed("a wrong share", &[&rng.random::<[u8; 32]>()]);
            }
            Some(Body::Shares(shares))
        }
        _ => None,
    };
    Message { body: body.unwrap_or_else(|| message.body.clone()), ..message.clone() }
}

/// Whether a message gives shares of cards.
pub(super) const fn gives_shares(message: &Message) -> bool {
    matches!(message.place, Place::Shares(_) | Place::Sealed(_))
}
