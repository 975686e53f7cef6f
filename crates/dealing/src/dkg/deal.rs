//! The first round: every member deals shares of its own secret.

use core::fmt;

use rand::CryptoRng;

use super::{Ceremony, MOST_MEMBERS, id};
use crate::nonce::nonce;
use crate::{
    Element, Invalid, Knowledge, Malformed, Reader, Scalar, Secret, Transcript, Wire, equations, write_counted,
};

/// A secret polynomial `f`. The dealer gives `f(j)` to every member `j`.
#[derive(Clone, Debug)]
pub struct Polynomial(pub(super) Vec<Secret>);

impl Polynomial {
    /// A random polynomial that `threshold` of its values determine.
    pub fn random(threshold: u16, rng: &mut impl CryptoRng) -> Self {
        Self((0..threshold).map(|_| Secret::random(rng)).collect())
    }

    /// Its value for the member with this id.
    pub(super) fn at(&self, id: u16) -> Secret {
        let id = Scalar::from(id);
        let fold = |sum: Secret, coefficient: &Secret| Secret::new(sum.scalar() * id + coefficient.scalar());
        self.0.iter().rev().fold(Secret::new(Scalar::ZERO), fold)
    }
}

/// What a dealer publishes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dealing {
    /// `A_k = a_k·B` for every coefficient of the polynomial.
    pub(super) commitments: Vec<Element>,
    /// `R = r·B`.
    pub(super) r: Element,
    /// `f(j) + H(r·P_j)` for every member.
    pub(super) shares: Vec<Scalar>,
    /// Knowledge of `a_0`.
    pub(super) knows_constant: Knowledge,
    /// Knowledge of `r`.
    pub(super) knows_r: Knowledge,
}

/// Why a member cannot deal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CannotDeal {
    /// The ceremony has no such member.
    NoSuchMember,
    /// The polynomial is for another threshold.
    Degree,
}

/// Why everybody refuses a dealing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadDealing {
    /// The ceremony has no such member.
    NoSuchMember,
    /// This member has dealt before.
    Again,
    /// It does not have a commitment for every coefficient and a share for every member.
    Length,
    /// A commitment or `R` is the neutral element.
    Identity,
    /// `R` was used in another dealing.
    Repeated,
    /// The dealer has not proven knowledge of its secrets.
    Proof,
}

impl Ceremony {
    /// Deals as this member. The polynomial is used once and dropped.
    pub fn deal(&self, author: u16, polynomial: Polynomial, rng: &mut impl CryptoRng) -> Result<Dealing, CannotDeal> {
        self.deal_with(author, &polynomial, |_| Scalar::ZERO, rng)
    }

    /// Deals with an error in every member's share. An honest dealer's errors are zero.
    pub(super) fn deal_with(
        &self,
        author: u16,
        polynomial: &Polynomial,
        error: impl Fn(u16) -> Scalar,
        rng: &mut impl CryptoRng,
    ) -> Result<Dealing, CannotDeal> {
        self.key(author).ok_or(CannotDeal::NoSuchMember)?;
        if polynomial.0.len() != usize::from(self.threshold) {
            return Err(CannotDeal::Degree);
        }
        let commitments: Vec<Element> = polynomial.0.iter().map(Secret::public).collect();
        let (Some(a_0), Some(public)) = (polynomial.0.first(), commitments.first()) else {
            return Err(CannotDeal::Degree);
        };
        let transcript = self.dealing(author, &commitments);
        let r = nonce(&transcript, a_0, rng);
        let r_public = r.public();
        let share = |(member, key): (u16, &Element)| {
            let shared = key.point() * r.scalar();
            polynomial.at(id(member)).scalar() + self.pad(author, member, &r_public, &shared) + error(member)
        };
        let shares: Vec<Scalar> = (0..).zip(&self.keys).map(share).collect();
        let transcript = &mut bound(transcript, &r_public, &shares);
        let knows_constant = Knowledge::prove_on(transcript, a_0, public, rng);
        let knows_r = Knowledge::prove_on(transcript, &r, &r_public, rng);
        Ok(Dealing { commitments, r: r_public, shares, knows_constant, knows_r })
    }

    /// Checks everything about a dealing that is public, given those accepted before it.
    pub fn check(&self, author: u16, dealing: &Dealing, accepted: &[(u16, &Dealing)]) -> Result<(), BadDealing> {
        self.key(author).ok_or(BadDealing::NoSuchMember)?;
        if accepted.iter().any(|(dealer, _)| *dealer == author) {
            return Err(BadDealing::Again);
        }
        if !self.fits(dealing) {
            return Err(BadDealing::Length);
        }
        if dealing.r.is_identity() || dealing.commitments.iter().any(Element::is_identity) {
            return Err(BadDealing::Identity);
        }
        if accepted.iter().any(|(_, other)| other.r == dealing.r) {
            return Err(BadDealing::Repeated);
        }
        self.proofs(author, dealing).map_err(|_| BadDealing::Proof)
    }

    pub(super) fn fits(&self, dealing: &Dealing) -> bool {
        dealing.commitments.len() == usize::from(self.threshold) && dealing.shares.len() == self.keys.len()
    }

    fn proofs(&self, author: u16, dealing: &Dealing) -> Result<(), Invalid> {
        let a_0 = dealing.commitments.first().ok_or(Invalid::Proof)?;
        let transcript = self.dealing(author, &dealing.commitments);
        let transcript = &mut bound(transcript, &dealing.r, &dealing.shares);
        let checks =
            [dealing.knows_constant.check_on(transcript, a_0), dealing.knows_r.check_on(transcript, &dealing.r)];
        equations::hold(&checks).map_err(|_| Invalid::Proof)
    }

    pub(super) fn dealing(&self, author: u16, commitments: &[Element]) -> Transcript {
        let mut transcript = self.transcript("fairdeal/dkg/deal/v1", author);
        transcript.elements("A", commitments.iter());
        transcript
    }
}

/// Binds the rest of the statement.
pub(super) fn bound(mut transcript: Transcript, r: &Element, shares: &[Scalar]) -> Transcript {
    transcript.element("R", r);
    transcript.scalars("shares", shares.iter());
    transcript
}

impl Wire for Dealing {
    fn write(&self, out: &mut Vec<u8>) {
        write_counted(&self.commitments, out);
        self.r.write(out);
        write_counted(&self.shares, out);
        self.knows_constant.write(out);
        self.knows_r.write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self {
            commitments: from.counted(2, MOST_MEMBERS)?,
            r: Element::read(from)?,
            shares: from.counted(2, MOST_MEMBERS)?,
            knows_constant: Knowledge::read(from)?,
            knows_r: Knowledge::read(from)?,
        })
    }
}

impl fmt::Display for CannotDeal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSuchMember => "the ceremony has no such member",
            Self::Degree => "the polynomial is for another threshold",
        })
    }
}

impl core::error::Error for CannotDeal {}

impl fmt::Display for BadDealing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSuchMember => "the ceremony has no such member",
            Self::Again => "the member has dealt before",
            Self::Length => "a commitment or a share is missing, or there are too many",
            Self::Identity => "a commitment is the neutral element",
            Self::Repeated => "its R was used in another dealing",
            Self::Proof => "the dealer has not proven knowledge of its secrets",
        })
    }
}

impl core::error::Error for BadDealing {}
