//! Proof that one secret maps the base point to a public key and every other base to its image (Chaum–Pedersen
//! 1993, folded).
//!
//! With `w` drawn from the key, all bases and all images, the bases are folded into `sum w^i·C_i` and the
//! images into `sum w^i·D_i`, and the proof is about these two. If some image is wrong, the folded one is right
//! for fewer than `n` of the 2^252 possible `w`.

use curve25519_dalek::RistrettoPoint;
use curve25519_dalek::traits::VartimeMultiscalarMul;
use rand::CryptoRng;

use crate::equations::{self, Equations, Sum, Weights};
use crate::nonce::nonce;
use crate::{Element, Invalid, Malformed, Reader, Scalar, Secret, Transcript, Wire};

/// The proof: 96 bytes for any number of images.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Equality {
    /// `A = k·B`.
    a: Element,
    /// `A' = k·sum w^i·C_i`.
    b: Element,
    /// `z = k + e·s`.
    z: Scalar,
}

impl Equality {
    /// Proves that these are the [`images`] of these bases.
    pub(crate) fn prove(
        mut transcript: Transcript,
        secret: &Secret,
        bases: &[Element],
        images: &[Element],
        rng: &mut impl CryptoRng,
    ) -> Self {
        let w = fold(&mut transcript, &secret.public(), bases, images);
        let weights: Vec<Scalar> = powers(w).take(bases.len()).collect();
        // Bases and weights are public; only the following steps must take the same time for every secret.
        let folded = RistrettoPoint::vartime_multiscalar_mul(&weights, bases.iter().map(Element::point));
        let k = nonce(&transcript, secret, rng);
        let (a, b) = (k.public(), Element::from(folded * k.scalar()));
        let e = challenge(&mut transcript, &a, &b);
        let z = k.scalar() + e * secret.scalar();
        Self { a, b, z }
    }

    /// Checks the proof.
    pub(crate) fn verify(
        &self,
        transcript: Transcript,
        public: &Element,
        bases: &[Element],
        images: &[Element],
    ) -> Result<(), Invalid> {
        equations::holds(&self.check(transcript, public, bases, images)?)
    }

    /// The equations to check.
    pub(crate) fn check<'a>(
        &'a self,
        mut transcript: Transcript,
        public: &'a Element,
        bases: &'a [Element],
        images: &'a [Element],
    ) -> Result<Check<'a>, Invalid> {
        if public.is_identity() {
            return Err(Invalid::Identity);
        }
        if bases.len() != images.len() {
            return Err(Invalid::Count { expected: bases.len(), got: images.len() });
        }
        let w = fold(&mut transcript, public, bases, images);
        let e = challenge(&mut transcript, &self.a, &self.b);
        Ok(Check { proof: self, public, bases, images, w, e })
    }
}

/// The images of these bases under the secret.
pub(crate) fn images(secret: &Secret, bases: &[Element]) -> Vec<Element> {
    let half = Secret::new(secret.scalar().div_by_2());
    let halves: Vec<RistrettoPoint> = bases.iter().map(|base| base.point() * half.scalar()).collect();
    Element::doubled(&halves)
}

fn fold(transcript: &mut Transcript, public: &Element, bases: &[Element], images: &[Element]) -> Scalar {
    transcript.element("Y", public);
    transcript.elements("C", bases.iter());
    transcript.elements("D", images.iter());
    transcript.challenge("w")
}

fn challenge(transcript: &mut Transcript, a: &Element, b: &Element) -> Scalar {
    transcript.element("A", a);
    transcript.element("A'", b);
    transcript.challenge("e")
}

/// 1, w, w², …
pub(crate) fn powers(w: Scalar) -> impl Iterator<Item = Scalar> {
    core::iter::successors(Some(Scalar::ONE), move |power| Some(power * w))
}

/// `z·B = A + e·Y` and `z·sum w^i·C_i = b + e·sum w^i·D_i`.
pub(crate) struct Check<'a> {
    proof: &'a Equality,
    public: &'a Element,
    bases: &'a [Element],
    images: &'a [Element],
    w: Scalar,
    e: Scalar,
}

impl Equations for Check<'_> {
    fn bind(&self, transcript: &mut Transcript) {
        transcript.scalar("e", &self.e);
        transcript.scalar("z", &self.proof.z);
    }

    fn add(&self, weights: &mut Weights, sum: &mut Sum) {
        let Equality { a, b, z } = self.proof;
        let weight = weights.next();
        sum.base(weight * z);
        sum.once(-weight, a);
        sum.add(-weight * self.e, self.public);
        let weight = weights.next();
        sum.once(-weight, b);
        let (of_base, of_image) = (weight * z, -weight * self.e);
        for ((base, image), power) in self.bases.iter().zip(self.images).zip(powers(self.w)) {
            sum.add(of_base * power, base);
            sum.once(of_image * power, image);
        }
    }
}

impl Wire for Equality {
    fn write(&self, out: &mut Vec<u8>) {
        self.a.write(out);
        self.b.write(out);
        self.z.write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self { a: Element::read(from)?, b: Element::read(from)?, z: Scalar::read(from)? })
    }
}
