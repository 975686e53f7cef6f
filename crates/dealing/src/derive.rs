//! A separate key for every hand, derived from the key of an epoch.
//!
//! Generating a key takes a committee several rounds, which is too long for every hand. Instead, a public number
//! `k` hashed from table, hand and salt turns the key `Y` of an epoch into a key `k·Y` for the hand, and each
//! member's share into `k·s_i`, without any message.
//!
//! **Caveats.** This separates uses, not secrets. `k` is public, so anyone who knows a member's share of one
//! hand's key knows its shares of all: a hand's key is exactly as secret as the epoch's. One hand's cards are
//! safe from another hand because every deck begins as a public constant, and because members open only what
//! their own table orders. Old hands are safe once members have deleted their shares of the epoch's key. The salt
//! should be something nobody could know long in advance, so that nothing can be prepared for a hand's key.
//!
//! ```
//! use dealing::{Context, HandKey, Secret};
//! use rand::{SeedableRng, rngs::ChaCha20Rng};
//!
//! let epoch = Secret::random(&mut ChaCha20Rng::seed_from_u64(1));
//! let hand = HandKey::new(&Context::new([0; 32]).height(41), b"the hash of a block");
//! assert_eq!(hand.secret(&epoch).public(), hand.public(&epoch.public()));
//! ```

use curve25519_dalek::traits::VartimeMultiscalarMul;

use crate::dkg::Group;
use crate::{Context, Element, Point, Scalar, Secret, Transcript};

/// The factor between the keys of an epoch and those of one hand. Public.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HandKey(Scalar);

impl HandKey {
    /// The factor of a hand (the context's height) at the context's table. The salt is something nobody could
    /// know before the hand: its block's height and the hash of the block before.
    pub fn new(context: &Context, salt: &[u8]) -> Self {
        let mut transcript =
            Transcript::new("fairdeal/hand-key/v1", &Context::new(context.session).height(context.height));
        transcript.bytes("salt", salt);
        let k = transcript.challenge("k");
        // Zero would give the key to everybody, if only once in 2^252 hands.
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
        let half = self.0.div_by_2();
        let times = |share: &Element| Point::vartime_multiscalar_mul([half], [share.point()]);
        let shares = Element::doubled(&of.shares.iter().map(times).collect::<Vec<_>>());
        Group { key: self.public(&of.key), shares, threshold: of.threshold }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{elsewhere, fingerprint, here, secrets, seeded};
    use crate::{combine, dkg};

    #[test]
    fn derived_shares_belong_to_the_derived_key() {
        let [secret, slope] = secrets(&mut seeded(1));
        let own: Vec<Secret> =
            (1..=3_u16).map(|id| Secret::new(secret.scalar() + Scalar::from(id) * slope.scalar())).collect();
        let shares = own.iter().map(Secret::public).collect();
        let epoch = Group { key: secret.public(), shares, threshold: 2 };
        let hand = HandKey::new(&here(), b"salt");
        let group = hand.group(&epoch);
        assert_eq!(group.key, hand.public(&epoch.key));
        assert_eq!(group.key, hand.secret(&secret).public());
        for (member, own) in (0..).zip(&own) {
            assert_eq!(group.share(member), Some(&hand.secret(own).public()));
            assert_eq!(group.share(member), Some(&hand.public(epoch.share(member).unwrap())));
        }
        let points = [0, 2].map(|member| (dkg::id(member), *group.share(member).unwrap().point()));
        assert_eq!(combine(&points), Some(*group.key.point()));
    }

    #[test]
    fn every_hand_table_and_salt_has_its_own_key() {
        let key = HandKey::new(&here(), b"salt");
        let [session, hand, deck, step, author] = elsewhere();
        assert_ne!(HandKey::new(&session, b"salt"), key);
        assert_ne!(HandKey::new(&hand, b"salt"), key);
        assert_ne!(HandKey::new(&here(), b"other"), key);
        for same_hand in [deck, step, author] {
            assert_eq!(HandKey::new(&same_hand, b"salt"), key);
        }
    }

    #[test]
    fn the_derivation_is_frozen() {
        assert_eq!(fingerprint(&HandKey::new(&here(), b"salt").0), "ddaf880bc71b7738");
    }
}
