//! A key that nobody has: distributed key generation.
//!
//! `N` members make a key that any `t` of them can use together, while fewer than `t` know nothing about it.
//! There is no dealer to trust, all messages are public (on a chain, or broadcast among peers), and every lie
//! can be proven to a third party. It is the joint form of Feldman's verifiable sharing (1987) with encrypted
//! shares: every member shares its own secret, and the key is the sum.
//!
//! # Messages
//!
//! | message | by | bytes | what |
//! |---|---|---|---|
//! | `P_j` with [`Knowledge`](crate::Knowledge) | every member | 96 | a fresh key, before the start |
//! | [`Dealing`] | every member | 164 + 32·(t + N) | commitments `A_0 … A_{t−1}` to a polynomial `f`; `R = r·B`; `f(j) + H(…, r·P_j)` for every member `j`; knowledge of `a_0` and `r` |
//! | [`Complaint`] | a member with a wrong share | 128 | `K = p_j·R` with a proof, with which everybody can read that one share |
//!
//! A dealing has 388 bytes for 3 of 4 and 3,588 for 43 of 64.
//!
//! # Flow
//!
//! 1. All agree on the [`Ceremony`]: session, number, threshold and keys.
//! 2. Everybody calls [`Ceremony::deal`] and publishes the [`Dealing`].
//! 3. Everybody calls [`Ceremony::check`] for each dealing. One that fails does not count, and its dealer is to
//!    blame. A member who has not dealt when the time is up is left out.
//! 4. Every member calls [`Ceremony::receive`] for each accepted dealing, and publishes the complaint if that returns
//!    one.
//! 5. Everybody calls [`Ceremony::judge`] for each complaint: one of the two is to blame, and either the dealing or
//!    the complaint does not count.
//! 6. When the time for complaints is up, everybody calls [`Ceremony::finish`] with the accepted dealings, and each
//!    member [`Group::own`] with the shares it received in those.
//!
//! **Restart.** A member only needs to keep the secret of its key until step 6, and its own share afterwards. It
//! can drop its polynomial once its dealing is published (which contains its own share, too), and can repeat steps
//! 3 to 6 from the messages at any time.
//!
//! # Caveats
//!
//! - **Threshold.** With `N = 3f + 1` and `t = 2f + 1`, no `2f` members know anything about the key, and no `f` can
//!   stop the others from using it. A threshold of 1 would give everybody the key and is refused. At least `t` dealings
//!   must be accepted: with fewer, all could come from colluding members, too few to use the key, who would still know
//!   all of it.
//! - **Knowledge of `a_0`.** Without it, the last to deal could use a constant that cancels all others and so
//!   choose the key.
//! - **Knowledge of `r`, and no `R` twice.** Without these, a cheat could copy an honest dealer's `R` into a dealing
//!   with wrong shares. The victim would complain, and the `K` of the complaint also opens the victim's share in the
//!   honest dealing. With enough victims, that opens the dealing.
//! - **Fresh keys.** A key `P_j` is used in one ceremony. A complaint reveals `p_j·R`, which then concerns only a
//!   share dealt by a proven liar, or one that a proven liar gave away.
//! - **The key is not uniform.** The last member to deal sees the others' commitments and can try many of its own,
//!   or have its dealing rejected through a staged complaint. Each try gives one more choice of the *public* key
//!   (Gennaro, Jarecki, Krawczyk and Rabin 1999). It reveals nothing about the secret, and ElGamal encryption stays
//!   as hard under such a key (Gurkan and others 2021: it is "key-expressable"). Do not use the public key as a
//!   random number; use the [`beacon`](crate::beacon).
//! - **Neutral elements.** As a member's key, as `R` and as the group's key the neutral element would hide nothing,
//!   and is refused. As a commitment it would be harmless (a coefficient of 0 is as good as any if one dealer is
//!   honest), but an honest dealer hits it once in 2^252, so it is refused, too. A member's public share of the
//!   group's key is not checked: a member whose share is the neutral element cannot make a share that is accepted.
//! - **Silence** is not judged here: lateness is a matter of clocks or block heights.
//!
//! # Example
//!
//! ```
//! use dealing::dkg::{Ceremony, Dealing, Judgement, Polynomial, Unusable};
//! use dealing::{Context, Knowledge, Secret};
//! use rand::{SeedableRng, rngs::ChaCha20Rng};
//!
//! let rng = &mut ChaCha20Rng::seed_from_u64(1); // in production: the operating system's
//! let context = Context::new([0; 32]).height(1);
//! let secrets: Vec<Secret> = (0..4).map(|_| Secret::random(rng)).collect();
//! for (member, secret) in (0..).zip(&secrets) {
//!     let proof = Knowledge::prove(&context.author(member), secret, rng);
//!     assert!(proof.verify(&context.author(member), &secret.public()).is_ok());
//! }
//! let ceremony = Ceremony::new(context, 3, secrets.iter().map(Secret::public).collect()).unwrap();
//!
//! let dealings: Vec<Dealing> =
//!     (0..4).map(|member| ceremony.deal(member, Polynomial::random(3, rng), rng).unwrap()).collect();
//! let mut accepted = Vec::new();
//! for (author, dealing) in (0..).zip(&dealings) {
//!     ceremony.check(author, dealing, &accepted).unwrap();
//!     accepted.push((author, dealing));
//! }
//!
//! let me = 2;
//! let mut received = Vec::new();
//! for (author, dealing) in &accepted {
//!     match ceremony.receive(me, &secrets[2], *author, dealing, rng) {
//!         Ok(share) => received.push(share),
//!         Err(Unusable::Wrong(complaint)) => {
//!             // publish it; everybody then reaches the same judgement
//!             assert_eq!(ceremony.judge(me, *author, dealing, &complaint), Judgement::DealerGuilty);
//!         }
//!         Err(Unusable::NotMine) => unreachable!("the secret belongs to my key"),
//!     }
//! }
//! let group = ceremony.finish(&accepted).unwrap();
//! let own = group.own(me, received).unwrap();
//! assert_eq!(group.share(me), Some(&own.public()));
//! ```

mod complain;
mod deal;
mod finish;
#[cfg(feature = "liars")]
mod liars;
#[cfg(test)]
mod tests;

use core::fmt;

use curve25519_dalek::traits::Identity;

pub use complain::{Complaint, Judgement, Unusable};
pub use deal::{BadDealing, CannotDeal, Dealing, Polynomial};
pub use finish::{Group, Unfinished};

use crate::{Context, Element, Point, Scalar, Secret, Transcript};

/// The most members a ceremony can have.
pub const MOST_MEMBERS: usize = 64;

/// One key generation: what its members agreed on before it began.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ceremony {
    context: Context,
    threshold: u16,
    keys: Vec<Element>,
    /// A hash over all of it.
    id: [u8; 64],
}

/// Why a key generation cannot take place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadCeremony {
    /// There must be from 2 to [`MOST_MEMBERS`] members.
    Members(usize),
    /// The threshold must be at least 2, so that nobody has the key alone, and at most the number of members.
    Threshold(u16),
    /// This member's key is the neutral element.
    Identity(u16),
    /// This member's key is the same as an earlier member's.
    Repeated(u16),
}

impl Ceremony {
    /// A key generation in this session, with the number of the ceremony as its height, among the members
    /// with these keys. The keys must be fresh, and each member must have shown with
    /// [`Knowledge`](crate::Knowledge) that it knows the secret of its key.
    pub fn new(context: Context, threshold: u16, keys: Vec<Element>) -> Result<Self, BadCeremony> {
        if !(2..=MOST_MEMBERS).contains(&keys.len()) {
            return Err(BadCeremony::Members(keys.len()));
        }
        if threshold < 2 || usize::from(threshold) > keys.len() {
            return Err(BadCeremony::Threshold(threshold));
        }
        for (member, key) in (0..).zip(&keys) {
            if key.is_identity() {
                return Err(BadCeremony::Identity(member));
            }
            if keys.iter().take(usize::from(member)).any(|earlier| earlier == key) {
                return Err(BadCeremony::Repeated(member));
            }
        }
        let context = context.author(0);
        let mut transcript = Transcript::new("fairdeal/dkg/ceremony/v1", &context);
        transcript.number("threshold", threshold.into());
        transcript.elements("keys", keys.iter());
        let id = transcript.output("id");
        Ok(Self { context, threshold, keys, id })
    }

    /// How many shares are needed to use the key.
    pub const fn threshold(&self) -> u16 {
        self.threshold
    }

    /// The members' keys.
    pub fn keys(&self) -> &[Element] {
        &self.keys
    }

    fn key(&self, member: u16) -> Option<&Element> {
        self.keys.get(usize::from(member))
    }

    /// The start of every proof and hash by this author in this ceremony.
    fn transcript(&self, protocol: &str, author: u16) -> Transcript {
        let mut transcript = Transcript::new(protocol, &self.context.author(author));
        transcript.bytes("ceremony", &self.id);
        transcript
    }

    /// The pad that hides a dealer's share for a member, hashed from `r·P_j = p_j·R`, which only these two can
    /// compute.
    fn pad(&self, dealer: u16, member: u16, r: &Element, shared: &Point) -> Scalar {
        let mut transcript = self.transcript("fairdeal/dkg/pad/v1", dealer);
        transcript.number("member", member.into());
        transcript.element("R", r);
        transcript.element("K", &Element::from(*shared));
        transcript.challenge("pad")
    }
}

/// A member's point on the polynomial, and its id for [`lagrange`](crate::lagrange()). Members are counted from 0,
/// but the polynomial's value at 0 is the key itself.
pub const fn id(member: u16) -> u16 {
    member.saturating_add(1)
}

/// `sum id^k·A_k`. Everything in it is public.
fn evaluate<'a>(commitments: impl DoubleEndedIterator<Item = &'a Point>, id: u16) -> Point {
    commitments.rev().fold(Point::identity(), |sum, commitment| times(&sum, id) + commitment)
}

/// A small multiple, by doubling and adding.
fn times(point: &Point, factor: u16) -> Point {
    let bits = u16::BITS - factor.leading_zeros();
    (0..bits).rev().fold(Point::identity(), |sum, bit| {
        let doubled = sum + sum;
        if (factor >> bit) & 1 == 1 { doubled + point } else { doubled }
    })
}

/// A sum of secrets.
fn sum(secrets: &[Secret]) -> Secret {
    Secret::new(secrets.iter().map(Secret::scalar).sum())
}

impl fmt::Display for BadCeremony {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Members(got) => write!(f, "a key needs from 2 to {MOST_MEMBERS} members, not {got}"),
            Self::Threshold(got) => {
                write!(f, "the threshold must be at least 2 and at most the number of members, not {got}")
            }
            Self::Identity(member) => write!(f, "the key of member {member} is the neutral element"),
            Self::Repeated(member) => write!(f, "the key of member {member} is the same as an earlier one"),
        }
    }
}

impl core::error::Error for BadCeremony {}
