//! Proof of knowledge of the secret of a public key (Schnorr 1991).
//!
//! Every member that brings a key to a table proves that it knows the secret. Otherwise the last one could
//! bring a key computed from all others (its own minus theirs), and the joint key would be its own.
//!
//! **Message.** [`Knowledge`], 64 bytes: `A = k·B` and `z = k + e·x`, with the challenge `e` hashed from the
//! place, the key and `A`. It holds if `z·B = A + e·P`.
//!
//! **Caveats.** It holds in its own [`Context`] only; include the author in it, or another member with the same
//! key could repeat the proof. Without the secret, a proof can be forged with probability 2^-252. The neutral
//! element is not a valid key.
//!
//! ```
//! use dealing::{Context, Knowledge, Secret};
//! use rand::{SeedableRng, rngs::ChaCha20Rng};
//!
//! let rng = &mut ChaCha20Rng::seed_from_u64(1); // in production: the operating system's
//! let context = Context::new([0; 32]).author(2);
//! let secret = Secret::random(rng);
//! let proof = Knowledge::prove(&context, &secret, rng);
//! assert!(proof.verify(&context, &secret.public()).is_ok());
//! assert!(proof.verify(&context.author(3), &secret.public()).is_err());
//! ```

use rand::CryptoRng;

use crate::equations::{self, Equations, Sum, Weights};
use crate::nonce::nonce;
use crate::{Context, Element, Invalid, Malformed, Reader, Scalar, Secret, Transcript, Wire};

const PROTOCOL: &str = "fairdeal/knowledge/v1";

/// Proof of knowledge of the secret `x` of a public key `P = x·B`: 64 bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Knowledge {
    /// `A = k·B`.
    a: Element,
    /// `z = k + e·x`.
    z: Scalar,
}

impl Knowledge {
    /// Proves knowledge of a secret.
    pub fn prove(context: &Context, secret: &Secret, rng: &mut impl CryptoRng) -> Self {
        Self::prove_on(&mut Transcript::new(PROTOCOL, context), secret, &secret.public(), rng)
    }

    /// Checks that its author knows the secret of this key.
    pub fn verify(&self, context: &Context, public: &Element) -> Result<(), Invalid> {
        equations::holds(&self.check_on(&mut Transcript::new(PROTOCOL, context), public)?)
    }

    /// Proves it as a part of something larger.
    pub(crate) fn prove_on(
        transcript: &mut Transcript,
        secret: &Secret,
        public: &Element,
        rng: &mut impl CryptoRng,
    ) -> Self {
        transcript.element("P", public);
        let k = nonce(transcript, secret, rng);
        let a = k.public();
        transcript.element("A", &a);
        let e = transcript.challenge("e");
        let z = k.scalar() + e * secret.scalar();
        transcript.scalar("z", &z);
        Self { a, z }
    }

    /// The equation to check, as a part of something larger.
    pub(crate) fn check_on<'a>(
        &'a self,
        transcript: &mut Transcript,
        public: &'a Element,
    ) -> Result<Check<'a>, Invalid> {
        if public.is_identity() {
            return Err(Invalid::Identity);
        }
        transcript.element("P", public);
        transcript.element("A", &self.a);
        let e = transcript.challenge("e");
        transcript.scalar("z", &self.z);
        Ok(Check { proof: self, public, e })
    }
}

/// `z·B = A + e·P`.
pub(crate) struct Check<'a> {
    proof: &'a Knowledge,
    public: &'a Element,
    e: Scalar,
}

impl Equations for Check<'_> {
    fn bind(&self, transcript: &mut Transcript) {
        transcript.scalar("e", &self.e);
        transcript.scalar("z", &self.proof.z);
    }

    fn add(&self, weights: &mut Weights, sum: &mut Sum) {
        let weight = weights.next();
        sum.base(weight * self.proof.z);
        sum.once(-weight, &self.proof.a);
        sum.add(-weight * self.e, self.public);
    }
}

impl Wire for Knowledge {
    fn write(&self, out: &mut Vec<u8>) {
        self.a.write(out);
        self.z.write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self { a: Element::read(from)?, z: Scalar::read(from)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{elsewhere, fingerprint, here, refuses_all_changes, secrets, seeded};

    #[test]
    fn a_proof_is_accepted_in_its_own_context_only() {
        let rng = &mut seeded(1);
        let [secret, other] = secrets(rng);
        let proof = Knowledge::prove(&here(), &secret, rng);
        assert_eq!(proof.verify(&here(), &secret.public()), Ok(()));
        assert_eq!(proof.verify(&here(), &other.public()), Err(Invalid::Proof));
        for context in elsewhere() {
            assert_eq!(proof.verify(&context, &secret.public()), Err(Invalid::Proof), "{context:?}");
        }
    }

    #[test]
    fn no_changed_proof_is_accepted() {
        let rng = &mut seeded(2);
        let [secret] = secrets(rng);
        let proof = Knowledge::prove(&here(), &secret, rng);
        refuses_all_changes(&proof, &[0, 32], |proof: &Knowledge| proof.verify(&here(), &secret.public()).is_ok());
    }

    #[test]
    fn the_neutral_element_is_not_a_key() {
        let rng = &mut seeded(3);
        let zero = Secret::new(Scalar::ZERO);
        let proof = Knowledge::prove(&here(), &zero, rng);
        assert_eq!(proof.verify(&here(), &zero.public()), Err(Invalid::Identity));
    }

    #[test]
    fn a_generator_that_repeats_itself_does_not_give_the_secret_away() {
        let [secret] = secrets(&mut seeded(4));
        let first = Knowledge::prove(&here(), &secret, &mut seeded(5));
        let second = Knowledge::prove(&here().height(77), &secret, &mut seeded(5));
        assert_ne!(first.a, second.a);
    }

    #[test]
    fn the_encoding_is_frozen() {
        let rng = &mut seeded(6);
        let [secret] = secrets(rng);
        assert_eq!(fingerprint(&Knowledge::prove(&here(), &secret, rng)), "fdb20c1ee1bdc7a5");
    }
}
