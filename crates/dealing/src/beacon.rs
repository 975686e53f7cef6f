//! Random numbers that nobody can influence: a threshold VRF.
//!
//! Every epoch of a session has an element `H` whose discrete logarithm nobody knows. The members of a group
//! contribute shares `s_i·H`, any `t` of them combine to `s·H`, and its hash is the epoch's random number. It
//! depends only on the group's key, the session and the epoch, not on who contributes, or when, or on anybody's
//! randomness. Fewer than `t` members can neither predict nor change it.
//!
//! **Message.** [`Contribution`], 128 bytes: `s_i·H` with a proof that it is correct (Chaum–Pedersen 1993).
//!
//! **Flow.** When an epoch begins, every member calls [`contribute`] and publishes the result. Everybody checks
//! each contribution with [`Contribution::verify`] and, once there are `t`, calls [`output`].
//!
//! **Caveats.**
//! - `N − t + 1` members can withhold it, and `t` members who work together know it in advance. Withholding gives
//!   no choice: there is one number or none.
//! - Use the group's key for nothing else. If cards were dealt under it too, shares of cards and of numbers
//!   would be made with the same secret, and each use would have to be protected against the other.
//! - [`output`] cannot see whether contributions were checked.
//!
//! ```
//! use dealing::{Context, Scalar, Secret, beacon};
//! use rand::{SeedableRng, rngs::ChaCha20Rng};
//!
//! let rng = &mut ChaCha20Rng::seed_from_u64(1); // in production: the operating system's
//! let epoch = Context::new([0; 32]).height(7);
//!
//! // Members 1, 2 and 3, any two of which are enough, have s + x, s + 2x and s + 3x.
//! let (s, x) = (Scalar::random(rng), Scalar::random(rng));
//! let contributions = [1, 2, 3].map(|id: u16| {
//!     let (context, secret) = (epoch.author(id - 1), Secret::new(s + Scalar::from(id) * x));
//!     let contribution = beacon::contribute(&context, &secret, rng);
//!     assert!(contribution.verify(&context, &secret.public()).is_ok());
//!     contribution
//! });
//! let [a, b, c] = &contributions;
//! let number = beacon::output(&epoch, 2, &[(1, a), (2, b)]).unwrap();
//! assert_eq!(beacon::output(&epoch, 2, &[(3, c), (1, a)]), Some(number));
//! ```

use rand::CryptoRng;

use crate::equality::Equality;
use crate::{Context, Element, Invalid, Malformed, Reader, Secret, Transcript, Wire, combine};

/// One member's contribution to the random number of an epoch: 128 bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contribution {
    point: Element,
    proof: Equality,
}

/// Contributes to the random number of an epoch, which is the context's height.
pub fn contribute(context: &Context, secret: &Secret, rng: &mut impl CryptoRng) -> Contribution {
    let base = base(context);
    let point = Element::from(base.point() * secret.scalar());
    let proof = Equality::prove(transcript(context), secret, &[base], &[point], rng);
    Contribution { point, proof }
}

impl Contribution {
    /// What it contributes: there is only one such point for a member and an epoch, whatever the proof.
    pub const fn point(&self) -> &Element {
        &self.point
    }

    /// Checks that it is from this member.
    pub fn verify(&self, context: &Context, public: &Element) -> Result<(), Invalid> {
        self.proof.verify(transcript(context), public, &[base(context)], &[self.point])
    }
}

/// The random number of an epoch, from at least `threshold` verified contributions, each with the member's
/// [`id`](crate::dkg::id). `None` if there are too few, an id is 0, or one appears twice.
pub fn output(context: &Context, threshold: u16, contributions: &[(u16, &Contribution)]) -> Option<[u8; 32]> {
    if contributions.len() < usize::from(threshold) {
        return None;
    }
    let points: Vec<_> = contributions.iter().map(|(id, one)| (*id, *one.point.point())).collect();
    let mut hash = Transcript::new("fairdeal/beacon/output/v1", &place(context));
    hash.element("value", &Element::from(combine(&points)?));
    hash.output("output").first_chunk().copied()
}

/// The element that stands for an epoch.
fn base(context: &Context) -> Element {
    Element::hashed("fairdeal/beacon/v1", &[&context.session, &context.height.to_le_bytes()])
}

fn transcript(context: &Context) -> Transcript {
    Transcript::new("fairdeal/beacon/contribute/v1", context)
}

/// The part of the context that is the same for all contributors.
const fn place(context: &Context) -> Context {
    Context::new(context.session).height(context.height)
}

impl Wire for Contribution {
    fn write(&self, out: &mut Vec<u8>) {
        self.point.write(out);
        self.proof.write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self { point: Element::read(from)?, proof: Equality::read(from)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{elsewhere, fingerprint, here, refuses_all_changes, secrets, seeded};
    use crate::{Scalar, encode};

    /// Shares of a secret that any two of them determine: f(x) = secret + x·slope.
    fn two_of_four(secret: &Secret, slope: &Secret) -> Vec<(u16, Secret)> {
        (1..=4).map(|id| (id, Secret::new(secret.scalar() + Scalar::from(id) * slope.scalar()))).collect()
    }

    #[test]
    fn any_contributors_give_the_same_number() {
        let rng = &mut seeded(1);
        let [secret, slope] = secrets(rng);
        let members = two_of_four(&secret, &slope);
        let contribute = |rng: &mut _| -> Vec<(u16, Contribution)> {
            members.iter().map(|(id, own)| (*id, contribute(&here().author(*id), own, rng))).collect()
        };
        let (once, again) = (contribute(rng), contribute(rng));
        assert_ne!(once, again, "proofs are random");
        let number = |all: &[(u16, Contribution)], ids: &[usize]| {
            let some: Vec<(u16, &Contribution)> = ids.iter().map(|i| (all[*i].0, &all[*i].1)).collect();
            output(&here(), 2, &some)
        };
        let expected = number(&once, &[0, 1]).unwrap();
        for ids in [&[0, 1][..], &[1, 0], &[2, 3], &[0, 3], &[3, 1, 0], &[0, 1, 2, 3]] {
            assert_eq!(number(&once, ids), Some(expected), "{ids:?}");
            assert_eq!(number(&again, ids), Some(expected), "{ids:?}");
        }
        assert_eq!(number(&once, &[0]), None);
        assert_eq!(number(&once, &[]), None);
        assert_eq!(number(&once, &[0, 0]), None);
    }

    #[test]
    fn every_epoch_of_every_session_has_its_own_number() {
        let rng = &mut seeded(2);
        let [secret] = secrets(rng);
        let number = |context: &Context, rng: &mut _| {
            let contribution = contribute(context, &secret, rng);
            assert_eq!(contribution.verify(context, &secret.public()), Ok(()));
            output(context, 1, &[(1, &contribution)]).unwrap()
        };
        let first = number(&here(), rng);
        let [session, epoch, deck, step, author] = elsewhere();
        assert_ne!(number(&session, rng), first);
        assert_ne!(number(&epoch, rng), first);
        // A contribution to one number must say nothing about another.
        assert_ne!(base(&session), base(&here()));
        assert_ne!(base(&epoch), base(&here()));
        for same_epoch in [deck, step, author] {
            assert_eq!(number(&same_epoch, rng), first);
        }
    }

    #[test]
    fn a_contribution_is_accepted_only_from_its_author_in_its_epoch() {
        let rng = &mut seeded(3);
        let [secret, other] = secrets(rng);
        let contribution = contribute(&here(), &secret, rng);
        assert_eq!(contribution.verify(&here(), &secret.public()), Ok(()));
        assert_eq!(contribution.verify(&here(), &other.public()), Err(Invalid::Proof));
        assert_eq!(contribution.verify(&here(), &Element::identity()), Err(Invalid::Identity));
        for context in elsewhere() {
            assert_eq!(contribution.verify(&context, &secret.public()), Err(Invalid::Proof), "{context:?}");
        }
    }

    #[test]
    fn no_changed_contribution_is_accepted() {
        let rng = &mut seeded(4);
        let [secret] = secrets(rng);
        let contribution = contribute(&here(), &secret, rng);
        let accepts = |contribution: &Contribution| contribution.verify(&here(), &secret.public()).is_ok();
        refuses_all_changes(&contribution, &[0, 32, 64, 96], accepts);
    }

    #[test]
    fn the_share_of_a_card_is_not_a_contribution() {
        let rng = &mut seeded(5);
        let [secret] = secrets(rng);
        let shares = crate::share(&here(), &secret, &[base(&here())], rng);
        let moved: Contribution = crate::decode(&encode(&shares)[2..]).unwrap();
        assert_eq!(moved.verify(&here(), &secret.public()), Err(Invalid::Proof));
    }

    #[test]
    fn encoding_and_number_are_frozen() {
        let rng = &mut seeded(6);
        let [secret] = secrets(rng);
        let contribution = contribute(&here(), &secret, rng);
        assert_eq!(fingerprint(&contribution), "a110670e3ec7b790");
        assert_eq!(fingerprint(&output(&here(), 1, &[(1, &contribution)]).unwrap()), "5baf7e80efd62c51");
    }
}
