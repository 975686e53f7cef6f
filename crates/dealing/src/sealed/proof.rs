//! Proof that many shares were sealed as they should be.
//!
//! With `w` drawn from the author's public share `Y`, all cards, their owners' keys and everything sealed, the cards are
//! folded with the weights `w^j`: into one `C' = sum w^j·C1_j` and one `E' = sum w^j·E_j` for all cards, and into one
//! `K'_g = sum w^j·K_j` for the cards of each owner. With `k'_g = sum w^j·k_j`, the proof is one of knowledge of `s` and
//! all `k'_g` (Schnorr 1991, for several secrets):
//!
//! - `Y = s·B`,
//! - `K'_g = k'_g·B` for each owner,
//! - `E' = s·C' + sum k'_g·Q_g`.
//!
//! The `K` of different owners are not folded into one: whoever proves could then divide that sum between the owners as
//! the errors in `E'` require.

use std::collections::BTreeMap;

use curve25519_dalek::traits::{MultiscalarMul, VartimeMultiscalarMul};
use rand::CryptoRng;

use super::{Dealt, Sealed};
use crate::equality::powers;
use crate::equations::{Equations, Sum, Weights};
use crate::nonce::nonce;
use crate::{Element, Invalid, Malformed, Point, Reader, Scalar, Secret, Transcript, Wire, write_counted};

/// The proof: 98 bytes, and 64 for each owner.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Proof {
    /// `A = a·B`.
    a: Element,
    /// `T = a·C' + sum b_g·Q_g`.
    t: Element,
    /// `z_s = a + c·s`.
    z_s: Scalar,
    /// For each owner, in the order of their first cards.
    owners: Vec<Answer>,
}

/// What is said about the cards of one owner.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Answer {
    /// `B_g = b_g·B`.
    b: Element,
    /// `z_g = b_g + c·k'_g`.
    z: Scalar,
}

impl Proof {
    /// Proves that these cards were sealed with the secret, and with these `ks`.
    pub(super) fn new(
        mut transcript: Transcript,
        secret: &Secret,
        ks: &[Secret],
        cards: &[Dealt],
        sealed: &[Sealed],
        rng: &mut impl CryptoRng,
    ) -> Self {
        let w = fold(&mut transcript, sealed);
        let weights: Vec<Scalar> = powers(w).take(cards.len()).collect();
        // Cards and weights are public; only what is done with secrets must take the same time for all of them.
        let folded = Point::vartime_multiscalar_mul(&weights, cards.iter().map(|card| card.c1.point()));
        let owners = Owners::of(cards);
        let folded_k = |place| {
            let own = owners.places.iter().zip(ks).zip(&weights).filter(|((of, _), _)| **of == place);
            Secret::new(own.map(|((_, k), weight)| k.scalar() * weight).sum())
        };
        let ks: Vec<Secret> = (0..owners.keys.len()).map(folded_k).collect();

        let a = nonce(&transcript, secret, rng);
        let fresh = |(place, k)| {
            let mut transcript = transcript.clone();
            transcript.number("owner", place);
            nonce(&transcript, k, rng)
        };
        let bs: Vec<Secret> = (0..).zip(&ks).map(fresh).collect();
        let secrets = core::iter::once(&a).chain(&bs).map(Secret::scalar);
        let points = core::iter::once(&folded).chain(owners.keys.iter().map(Element::point));
        let t = Element::from(Point::multiscalar_mul(secrets, points));
        let (a_public, b_publics) = (a.public(), bs.iter().map(Secret::public).collect::<Vec<_>>());
        let c = challenge(&mut transcript, &a_public, &t, b_publics.iter());
        let answer =
            |((b, k), public): ((&Secret, &Secret), Element)| Answer { b: public, z: b.scalar() + c * k.scalar() };
        Self {
            a: a_public,
            t,
            z_s: a.scalar() + c * secret.scalar(),
            owners: bs.iter().zip(&ks).zip(b_publics).map(answer).collect(),
        }
    }

    /// The equations to check.
    pub(super) fn check<'a>(
        &'a self,
        mut transcript: Transcript,
        public: &'a Element,
        cards: &'a [Dealt],
        sealed: &'a [Sealed],
    ) -> Result<Check<'a>, Invalid> {
        let owners = Owners::of(cards);
        let (expected, got) = (owners.keys.len(), self.owners.len());
        if expected != got {
            return Err(Invalid::Count { expected, got });
        }
        let w = fold(&mut transcript, sealed);
        let c = challenge(&mut transcript, &self.a, &self.t, self.owners.iter().map(|answer| &answer.b));
        Ok(Check { proof: self, public, cards, sealed, owners, w, c })
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        self.a.write(out);
        self.t.write(out);
        self.z_s.write(out);
        write_counted(&self.owners, out);
    }

    /// Reads the proof for so many cards, which have no more owners than that.
    pub(super) fn read_for(cards: usize, from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self {
            a: Element::read(from)?,
            t: Element::read(from)?,
            z_s: Scalar::read(from)?,
            owners: from.counted(1, cards)?,
        })
    }
}

/// Whose cards these are.
struct Owners {
    /// The different keys, in the order of their first cards.
    keys: Vec<Element>,
    /// For each card, the place of its owner's key.
    places: Vec<usize>,
}

impl Owners {
    fn of(cards: &[Dealt]) -> Self {
        let (mut keys, mut known) = (Vec::new(), BTreeMap::new());
        let place = |card: &Dealt| {
            *known.entry(card.to).or_insert_with(|| {
                keys.push(card.to);
                keys.len() - 1
            })
        };
        let places = cards.iter().map(place).collect();
        Self { keys, places }
    }
}

fn fold(transcript: &mut Transcript, sealed: &[Sealed]) -> Scalar {
    transcript.elements("K", sealed.iter().map(Sealed::k));
    transcript.elements("E", sealed.iter().map(Sealed::e));
    transcript.challenge("w")
}

fn challenge<'a>(
    transcript: &mut Transcript,
    a: &Element,
    t: &Element,
    bs: impl ExactSizeIterator<Item = &'a Element>,
) -> Scalar {
    transcript.element("A", a);
    transcript.element("T", t);
    transcript.elements("B", bs);
    transcript.challenge("c")
}

/// `z_s·B = A + c·Y`, `z_g·B = B_g + c·K'_g` for each owner, and `z_s·C' + sum z_g·Q_g = T + c·E'`.
pub(super) struct Check<'a> {
    proof: &'a Proof,
    public: &'a Element,
    cards: &'a [Dealt],
    sealed: &'a [Sealed],
    owners: Owners,
    w: Scalar,
    c: Scalar,
}

impl Equations for Check<'_> {
    fn bind(&self, transcript: &mut Transcript) {
        transcript.scalar("c", &self.c);
        transcript.scalar("z_s", &self.proof.z_s);
        transcript.scalars("z", self.proof.owners.iter().map(|answer| &answer.z));
    }

    fn add(&self, weights: &mut Weights, sum: &mut Sum) {
        let Proof { a, t, z_s, owners } = self.proof;
        let [first, last] = [weights.next(), weights.next()];
        sum.base(first * z_s);
        sum.once(-first, a);
        sum.add(-first * self.c, self.public);
        sum.once(-last, t);
        // What each K of an owner is multiplied with, except for its power of w.
        let mut of_ks = Vec::with_capacity(owners.len());
        for (Answer { b, z }, key) in owners.iter().zip(&self.owners.keys) {
            let weight = weights.next();
            sum.base(weight * z);
            sum.once(-weight, b);
            sum.add(last * z, key);
            of_ks.push(-weight * self.c);
        }
        let (of_c1, of_e) = (last * z_s, -last * self.c);
        let of_ks = self.owners.places.iter().filter_map(|place| of_ks.get(*place));
        for (((card, sealed), power), of_k) in self.cards.iter().zip(self.sealed).zip(powers(self.w)).zip(of_ks) {
            sum.add(of_c1 * power, &card.c1);
            sum.once(of_e * power, &sealed.e);
            sum.once(of_k * power, &sealed.k);
        }
    }
}

impl Wire for Answer {
    fn write(&self, out: &mut Vec<u8>) {
        self.b.write(out);
        self.z.write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self { b: Element::read(from)?, z: Scalar::read(from)? })
    }
}

#[cfg(test)]
mod tests;
