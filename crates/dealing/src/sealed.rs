//! Shares that only one player can read, and everybody can check.

use curve25519_dalek::traits::MultiscalarMul;
use rand::CryptoRng;

use crate::equations::{self, Equations, Sum, Weights};
use crate::nonce::nonce;
use crate::{Context, Element, Invalid, Malformed, Point, Reader, Scalar, Secret, Transcript, Wire, lagrange};

const PROTOCOL: &str = "fairdeal/sealed/v1";

/// A share `s·C1` of one card, encrypted to a player's key `Q`, with a proof that it is: 224 bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sealed {
    /// `K = k·B`.
    k: Element,
    /// `E = s·C1 + k·Q`.
    e: Element,
    proof: Proof,
}

/// Knowledge of `s` and `k` with `Y = s·B`, `K = k·B` and `E = s·C1 + k·Q`: 160 bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Proof {
    /// `a·B`, `b·B` and `a·C1 + b·Q`.
    commitments: [Element; 3],
    /// `a + c·s`.
    z_s: Scalar,
    /// `b + c·k`.
    z_k: Scalar,
}

/// Seals the share of a card for the player with the key `to`.
pub fn seal(context: &Context, secret: &Secret, c1: &Element, to: &Element, rng: &mut impl CryptoRng) -> Sealed {
    let mut transcript = Transcript::new(PROTOCOL, context);
    let public = secret.public();
    bind_statement(&mut transcript, &public, c1, to);
    let k = nonce(&transcript, secret, rng);
    let (key, e) = (k.public(), hidden(secret, &k, c1, to));
    bind_sealed(&mut transcript, &key, &e);
    Sealed { k: key, e, proof: Proof::new(transcript, secret, &k, c1, to, rng) }
}

impl Proof {
    fn new(
        mut transcript: Transcript,
        secret: &Secret,
        k: &Secret,
        c1: &Element,
        to: &Element,
        rng: &mut impl CryptoRng,
    ) -> Self {
        let (a, b) = (nonce(&transcript, secret, rng), nonce(&transcript, k, rng));
        let commitments = [a.public(), b.public(), hidden(&a, &b, c1, to)];
        let c = challenge(&mut transcript, &commitments);
        Self { commitments, z_s: a.scalar() + c * secret.scalar(), z_k: b.scalar() + c * k.scalar() }
    }
}

impl Sealed {
    /// Checks that this is the share of this card, by whom this public share belongs to, sealed for this player.
    pub fn verify(&self, context: &Context, public: &Element, c1: &Element, to: &Element) -> Result<(), Invalid> {
        equations::holds(&self.check(context, public, c1, to)?)
    }

    /// The share itself, for whom it was sealed: `s·C1 = E − q·K`.
    pub fn open(&self, key: &Secret) -> Point {
        self.e.point() - self.k.point() * key.scalar()
    }

    /// `K = k·B`.
    pub const fn k(&self) -> &Element {
        &self.k
    }

    /// `E = s·C1 + k·Q`.
    pub const fn e(&self) -> &Element {
        &self.e
    }

    fn check<'a>(
        &'a self,
        context: &Context,
        public: &'a Element,
        c1: &'a Element,
        to: &'a Element,
    ) -> Result<Check<'a>, Invalid> {
        if public.is_identity() || to.is_identity() || self.k.is_identity() {
            return Err(Invalid::Identity);
        }
        let mut transcript = Transcript::new(PROTOCOL, context);
        bind_statement(&mut transcript, public, c1, to);
        bind_sealed(&mut transcript, &self.k, &self.e);
        let c = challenge(&mut transcript, &self.proof.commitments);
        Ok(Check { sealed: self, public, c1, to, c })
    }
}

/// A sealed share, and whose it claims to be.
#[derive(Clone, Copy, Debug)]
pub struct ClaimedSealed<'a> {
    /// Where, and by whom.
    pub context: Context,
    /// The author's public share.
    pub public: &'a Element,
    /// The first half of the card's ciphertext.
    pub c1: &'a Element,
    /// The key of the player it is for.
    pub to: &'a Element,
    /// The sealed share.
    pub sealed: &'a Sealed,
}

/// Checks many sealed shares at once. If some are wrong, names exactly those.
pub fn verify_sealed(claimed: &[ClaimedSealed<'_>]) -> Result<(), Vec<usize>> {
    let checks: Vec<_> = claimed.iter().map(|one| one.sealed.check(&one.context, one.public, one.c1, one.to)).collect();
    equations::hold(&checks)
}

/// What the sealed shares of one card come to: `K* = sum λ_i·K_i` and `E* = sum λ_i·E_i`.
pub fn sealed_sum(sealed: &[(u16, &Sealed)]) -> Option<(Element, Element)> {
    let sum = |part: fn(&Sealed) -> &Element| {
        let parts: Vec<_> = sealed.iter().map(|(id, sealed)| (*id, *part(sealed).point())).collect();
        lagrange::combine(&parts).map(Element::from)
    };
    Some((sum(Sealed::k)?, sum(Sealed::e)?))
}

/// `s·C1 + k·Q`.
fn hidden(s: &Secret, k: &Secret, c1: &Element, to: &Element) -> Element {
    Point::multiscalar_mul([s.scalar(), k.scalar()], [c1.point(), to.point()]).into()
}

fn bind_statement(transcript: &mut Transcript, public: &Element, c1: &Element, to: &Element) {
    transcript.element("Y", public);
    transcript.element("C1", c1);
    transcript.element("Q", to);
}

fn bind_sealed(transcript: &mut Transcript, k: &Element, e: &Element) {
    transcript.element("K", k);
    transcript.element("E", e);
}

fn challenge(transcript: &mut Transcript, commitments: &[Element; 3]) -> Scalar {
    transcript.elements("A", commitments.iter());
    transcript.challenge("c")
}

/// `z_s·B = A_1 + c·Y`, `z_k·B = A_2 + c·K` and `z_s·C1 + z_k·Q = A_3 + c·E`.
struct Check<'a> {
    sealed: &'a Sealed,
    public: &'a Element,
    c1: &'a Element,
    to: &'a Element,
    c: Scalar,
}

impl Equations for Check<'_> {
    fn bind(&self, transcript: &mut Transcript) {
        transcript.scalar("c", &self.c);
        transcript.scalar("z_s", &self.sealed.proof.z_s);
        transcript.scalar("z_k", &self.sealed.proof.z_k);
    }

    fn add(&self, weights: &mut Weights, sum: &mut Sum) {
        let Sealed { k, e, proof: Proof { commitments: [a_1, a_2, a_3], z_s, z_k } } = self.sealed;
        let [first, second, third] = [weights.next(), weights.next(), weights.next()];
        sum.base(first * z_s + second * z_k);
        sum.add(-first * self.c, self.public);
        sum.once(-first, a_1);
        sum.once(-second * self.c, k);
        sum.once(-second, a_2);
        sum.add(third * z_s, self.c1);
        sum.add(third * z_k, self.to);
        sum.once(-third * self.c, e);
        sum.once(-third, a_3);
    }
}

impl Wire for Sealed {
    fn write(&self, out: &mut Vec<u8>) {
        self.k.write(out);
        self.e.write(out);
        self.proof.commitments.iter().for_each(|a| a.write(out));
        self.proof.z_s.write(out);
        self.proof.z_k.write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let k = Element::read(from)?;
        if k.is_identity() {
            return Err(Malformed::Identity);
        }
        let e = Element::read(from)?;
        let commitments = [Element::read(from)?, Element::read(from)?, Element::read(from)?];
        Ok(Self { k, e, proof: Proof { commitments, z_s: Scalar::read(from)?, z_k: Scalar::read(from)? } })
    }
}

#[cfg(test)]
mod tests;
