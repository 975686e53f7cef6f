//! A key that nobody has: distributed key generation.
//!
//! `N` members make a key so that any `t` of them can use it together and fewer than `t` know nothing about it.
//! There is no dealer to trust, everything is said in public (on a chain, or broadcast among peers), and every
//! lie can be proven to somebody who was not there. It is the joint form of Feldman's verifiable sharing (1987)
//! with encrypted shares: every member shares a secret of its own, and the key is the sum.
//!
//! # Messages
//!
//! | message | by | bytes | what |
//! |---|---|---|---|
//! | `P_j` with [`Knowledge`](crate::Knowledge) | every member | 96 | a fresh key, before it begins |
//! | [`Dealing`] | every member | 164 + 32·(t + N) | commitments `A_0 … A_{t−1}` to a polynomial `f`; `R = r·B`; `f(j) + H(…, r·P_j)` for every member `j`; knowledge of `a_0` and `r` |
//! | [`Complaint`] | who got a wrong share | 128 | `K = p_j·R` with a proof, by which everybody can read that one share |
//!
//! A dealing has 388 bytes for 3 of 4 and 3,588 for 43 of 64.
//!
//! # Flow
//!
//! 1. All agree on the [`Ceremony`]: session, number, threshold and keys.
//! 2. Everybody calls [`Ceremony::deal`] and publishes the [`Dealing`].
//! 3. Everybody calls [`Ceremony::check`] for each that comes. One that fails does not count, and its dealer is to
//!    blame. Who has dealt nothing when the time is up is left out.
//! 4. Every member calls [`Ceremony::receive`] for each accepted dealing, and publishes the complaint if it gets one.
//! 5. Everybody calls [`Ceremony::judge`] for each complaint: one of the two is to blame, and either the dealing or
//!    the complaint does not count.
//! 6. When the time for complaints is up, everybody calls [`Ceremony::finish`] with the dealings that stand, and each
//!    member [`Group::own`] with what it received in those.
//!
//! **Restart.** A member needs to keep the secret of its key until step 6 and its own share afterwards, nothing
//! else: its polynomial can be forgotten once its dealing is published (its own share of it is in the dealing like
//! everybody's), and steps 3 to 6 can be repeated from the messages at any time.
//!
//! # Caveats
//!
//! - **Threshold.** With `N = 3f + 1` and `t = 2f + 1`, no `2f` members know anything of the key, and no `f` can stop
//!   the others from using it. A threshold of 1 would give everybody the key and is refused. At least `t` dealings must stand: were they
//!   fewer, all could come from members who work together, though too few to use the key, and these would know all
//!   of it.
//! - **Knowledge of `a_0`.** Without it the last to deal could take a constant that cancels all others, and the key
//!   would be what he likes.
//! - **Knowledge of `r`, and no `R` twice.** Without it a cheat could copy an honest dealer's `R` into a dealing with
//!   wrong shares. Its victim would complain, and the `K` of the complaint also opens the victim's share in the
//!   honest dealing. Done with enough victims, that opens the dealing.
//! - **Fresh keys.** A key `P_j` is used in one ceremony. What a complaint reveals, `p_j·R`, then concerns a single
//!   share by a proven liar, or one that a proven liar gave away himself.
//! - **The key is not uniform.** Who deals last sees the others' commitments and can try many of his own, or have
//!   his dealing fall to a complaint made for the purpose; each try gives one more choice of the *public* key
//!   (Gennaro, Jarecki, Krawczyk and Rabin 1999). It teaches him nothing about the secret, and ElGamal encryption
//!   stays as hard under such a key (Gurkan and others 2021: it is "key-expressable"). Do not use the public key as
//!   a random number; there is the [`beacon`](crate::beacon) for that.
//! - **Neutral elements.** As a member's key, as `R` and as the group's key the neutral element would hide nothing,
//!   and is refused. As a commitment it would be harmless (a coefficient of 0 is as good as any as long as one
//!   dealer is honest), but honest dealers hit upon it once in 2^252, so it is refused, too. A member's public share
//!   of the group's key is not looked at: who has the neutral element there can make no share that is
//!   believed.
//! - **Silence** is not judged here: who is late is a matter of clocks or block heights.
//!
//! # Example
//!
//! ```
//! use dealing::dkg::{Ceremony, Dealing, Judgement, Polynomial, Unusable};
//! use dealing::{Context, Knowledge, Secret};
//! use rand::{SeedableRng, rngs::ChaCha20Rng};
//!
//! let rng = &mut ChaCha20Rng::seed_from_u64(1); // in play: from the operating system
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
//!             // to be published; everybody then comes to the same judgement
//!             assert_eq!(ceremony.judge(me, *author, dealing, &complaint), Judgement::DealerGuilty);
//!         }
//!         Err(Unusable::NotMine) => unreachable!("my key is the one I keep the secret of"),
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

/// At most so many members.
pub const MOST_MEMBERS: usize = 64;

/// One key generation: what its members have agreed on before it begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ceremony {
    context: Context,
    threshold: u16,
    keys: Vec<Element>,
    /// A hash over all of it.
    id: [u8; 64],
}

/// Why there can be no such key generation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadCeremony {
    /// From 2 to [`MOST_MEMBERS`] members take part.
    Members(usize),
    /// The threshold is at least 2, so that nobody has the key alone, and at most the number of members.
    Threshold(u16),
    /// This member's key is the neutral element.
    Identity(u16),
    /// This member's key is that of a member before it.
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

    /// So many shares are needed to use the key.
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

    /// The beginning of every proof and hash of this author in this ceremony.
    fn transcript(&self, protocol: &str, author: u16) -> Transcript {
        let mut transcript = Transcript::new(protocol, &self.context.author(author));
        transcript.bytes("ceremony", &self.id);
        transcript
    }

    /// What is added to the share that a dealer makes for a member, from what only these two can compute:
    /// `r·P_j = p_j·R`.
    fn pad(&self, dealer: u16, member: u16, r: &Element, shared: &Point) -> Scalar {
        let mut transcript = self.transcript("fairdeal/dkg/pad/v1", dealer);
        transcript.number("member", member.into());
        transcript.element("R", r);
        transcript.element("K", &Element::from(*shared));
        transcript.challenge("pad")
    }
}

/// Where a member stands on the polynomial, and the id that [`lagrange`](crate::lagrange()) knows it by: members are
/// counted from 0, but at 0 lies the key itself.
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
            Self::Members(got) => write!(f, "from 2 to {MOST_MEMBERS} members can share a key, not {got}"),
            Self::Threshold(got) => {
                write!(f, "at least 2 and at most all members are needed to use a key, not {got}")
            }
            Self::Identity(member) => write!(f, "the key of member {member} is the neutral element"),
            Self::Repeated(member) => write!(f, "the key of member {member} is another's"),
        }
    }
}

impl core::error::Error for BadCeremony {}
