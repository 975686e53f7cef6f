//! A key of its own for every hand, derived from the key of an epoch.

use crate::dkg::Group;
use crate::{Context, Element, Scalar, Secret, Transcript};

/// What the keys of an epoch are multiplied by to get those of one hand. Public.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HandKey(Scalar);

impl HandKey {
    /// That of a hand (the context's height) at the context's table. The salt is what nobody could know
    /// before the hand: its block's height and the hash of the block before.
    pub fn new(context: &Context, salt: &[u8]) -> Self {
        let mut transcript =
            Transcript::new("fairdeal/hand-key/v1", &Context::new(context.session).height(context.height));
        transcript.bytes("salt", salt);
        let k = transcript.challenge("k");
        // Zero would hand the key to everybody, if only once in 2^252 hands.
        Self(if k == Scalar::ZERO { Scalar::ONE } else { k })
    }

    /// A public key or public share in this hand.
    pub fn public(&self, of: &Element) -> Element {
        (of.point() * self.0).into()
    }

    /// A secret share in this hand.
    pub fn secret(&self, of: &Secret) -> Secret {
        Secret::new(of.scalar() * self.0)
    }

    /// Key and public shares in this hand.
    pub fn group(&self, of: &Group) -> Group {
        let shares = of.shares.iter().map(|share| self.public(share)).collect();
        Group { key: self.public(&of.key), shares, threshold: of.threshold }
    }
}
