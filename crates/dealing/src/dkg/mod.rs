//! A key that nobody has: distributed key generation.

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
