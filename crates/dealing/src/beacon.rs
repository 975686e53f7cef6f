//! Random numbers that nobody can choose: a threshold VRF.
//!
//! Every epoch of a session stands for an element `H` of which nobody knows anything. The members of a group
//! contribute their shares `s_i·H`, any `t` of them come to `s·H`, and its hash is the epoch's random number. It
//! depends on nothing but the group's key, the session and the epoch: not on who contributes, nor when, nor on
//! anybody's randomness. Fewer than `t` members can neither predict nor change it.
//!
//! **Message.** [`Contribution`], 128 bytes: `s_i·H` with a proof that it is (Chaum–Pedersen 1993).
//!
//! **Flow.** When an epoch begins every member calls [`contribute`] and publishes the result; everybody checks
//! each that comes with [`Contribution::verify`] and, with `t` of them, calls [`output`].
//!
//! **Caveats.**
//! - It can be withheld by `N − t + 1` members, and `t` who work together know it beforehand. Withholding gives no
//!   choice: there is one number or none.
//! - The group's key is for this alone. Were it also a key that cards are dealt under, the shares of cards and
//!   those of numbers would be made with one secret, and each use would have to be defended against the other.
//! - [`output`] cannot see whether contributions were checked.
//!
//! ```
//! use dealing::{Context, Scalar, Secret, beacon};
//! use rand::{SeedableRng, rngs::ChaCha20Rng};
//!
//! let rng = &mut ChaCha20Rng::seed_from_u64(1); // in play: from the operating system
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

/// Contributes to the random number of the epoch that is the context's height.
pub fn contribute(context: &Context, secret: &Secret, rng: &mut impl CryptoRng) -> Contribution {
    let base = base(context);
    let point = Element::from(base.point() * secret.scalar());
    let proof = Equality::prove(transcript(context), secret, &[base], &[point], rng);
    Contribution { point, proof }
}

impl Contribution {
    /// Checks that it is this member's.
    pub fn verify(&self, context: &Context, public: &Element) -> Result<(), Invalid> {
        self.proof.verify(transcript(context), public, &[base(context)], &[self.point])
    }
}

/// The random number of an epoch, from at least `threshold` verified contributions, each with the
/// member's [`id`](crate::dkg::id). `None` if they are too few, an id is 0, or one is there twice.
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

/// What is the same for all contributors.
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

    /// Shares of a secret, any two of which determine it: f(x) = secret + x·slope.
    fn two_of_four(secret: &Secret, slope: &Secret) -> Vec<(u16, Secret)> {
        (1..=4).map(|id| (id, Secret::new(secret.scalar() + Scalar::from(id) * slope.scalar()))).collect()
    }

    #[test]
    fn whoever_contributes_the_number_is_the_same() {
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
    fn every_epoch_of_every_session_has_a_number_of_its_own() {
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
        // What is contributed to one number must say nothing about another.
        assert_ne!(base(&session), base(&here()));
        assert_ne!(base(&epoch), base(&here()));
        for same_epoch in [deck, step, author] {
            assert_eq!(number(&same_epoch, rng), first);
        }
    }

    #[test]
    fn a_contribution_is_believed_from_its_author_in_its_epoch_only() {
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
    fn no_changed_contribution_is_believed() {
        let rng = &mut seeded(4);
        let [secret] = secrets(rng);
        let contribution = contribute(&here(), &secret, rng);
        let accepts = |contribution: &Contribution| contribution.verify(&here(), &secret.public()).is_ok();
        refuses_all_changes(&contribution, &[0, 32, 64, 96], accepts);
    }

    #[test]
    fn the_share_of_a_card_is_no_contribution() {
        let rng = &mut seeded(5);
        let [secret] = secrets(rng);
        let shares = crate::share(&here(), &secret, &[base(&here())], rng);
        let moved: Contribution = crate::decode(&encode(&shares)[2..]).unwrap();
        assert_eq!(moved.verify(&here(), &secret.public()), Err(Invalid::Proof));
    }

    #[test]
    fn encoding_and_number_stay_as_they_are() {
        let rng = &mut seeded(6);
        let [secret] = secrets(rng);
        let contribution = contribute(&here(), &secret, rng);
        assert_eq!(fingerprint(&contribution), "a110670e3ec7b790");
        assert_eq!(fingerprint(&output(&here(), 1, &[(1, &contribution)]).unwrap()), "5baf7e80efd62c51");
    }
}
