//! Shares that only one player can read but everybody can check.
//!
//! A committee deals a card to one player: each member encrypts its decryption share to the player's key `Q =
//! q·B` and proves that it did. So everybody sees whether the deal is complete and who has not contributed, and
//! only the player sees the card.
//!
//! **Message.** [`Sealed`], 224 bytes: `K = k·B` and `E = s·C1 + k·Q` (64 bytes), and a proof of knowledge of
//! `s` and `k` with `Y = s·B`, `K = k·B` and `E = s·C1 + k·Q` (160 bytes, in a form that lets many be checked
//! in one multiplication).
//!
//! **Flow.**
//! 1. Each member: [`seal`].
//! 2. Everybody: [`Sealed::verify`], or [`verify_sealed`] for many, which names every liar.
//! 3. The player, from any `t` of them: [`Sealed::open`], then [`combine`](crate::combine).
//! 4. To show the card later, the player needs one message and no help. Everybody computes `K* = sum λ_i·K_i`
//!    and `E* = sum λ_i·E_i` from the same `t` sealed shares ([`sealed_sum`]); then `E* = s·C1 + q·K*`. The
//!    player publishes `q·K*` with a proof, which is simply [`share`](crate::share()) with the player's key on
//!    the base `K*`, and everybody gets `s·C1 = E* − q·K*`.
//!
//! **Caveats.**
//! - Everybody must use the same `t` sealed shares in step 4, for instance those with the lowest ids. Other
//!   shares give another `K*`, and a proof for that is refused.
//! - The proof covers `k`, too. A member who could use a `K` without knowing its secret could relate it to
//!   another card of the player, and showing one card would open the other.
//! - `q` opens every card sealed to it. Use a fresh one for each hand, or at least for each table.
//! - The neutral element is refused as a player's key, a public share or `K`: it would hide nothing.
//! - Anyone who has `t` shares of the key can open every card, sealed or not.
//!
//! ```
//! use dealing::{Context, Element, Scalar, Sealed, Secret, combine, seal, sealed_sum, share};
//! use rand::{SeedableRng, rngs::ChaCha20Rng};
//!
//! let rng = &mut ChaCha20Rng::seed_from_u64(1); // in production: the operating system's
//! let context = Context::new([0; 32]).height(12);
//! let c1 = Element::hashed("the first half of a card", &[]);
//! let player = Secret::random(rng);
//!
//! // Members 1 and 2 have shares of s: they are s + x and s + 2x.
//! let (s, x) = (Scalar::random(rng), Scalar::random(rng));
//! let members = [Secret::new(s + x), Secret::new(s + x + x)];
//! let sealed: Vec<(u16, Sealed)> = (1..)
//!     .zip(&members)
//!     .map(|(id, member)| (id, seal(&context.author(id), member, &c1, &player.public(), rng)))
//!     .collect();
//! for ((id, sealed), member) in sealed.iter().zip(&members) {
//!     assert!(sealed.verify(&context.author(*id), &member.public(), &c1, &player.public()).is_ok());
//! }
//!
//! // The player looks at the card.
//! let opened: Vec<_> = sealed.iter().map(|(id, sealed)| (*id, sealed.open(&player))).collect();
//! assert_eq!(combine(&opened), Some(c1.point() * s));
//!
//! // The player shows it.
//! let (k, e) = sealed_sum(&sealed.iter().map(|(id, sealed)| (*id, sealed)).collect::<Vec<_>>()).unwrap();
//! let shown = share(&context, &player, &[k], rng);
//! assert!(shown.verify(&context, &player.public(), &[k]).is_ok());
//! assert_eq!(e.point() - shown.points[0].point(), c1.point() * s);
//! ```

use curve25519_dalek::traits::MultiscalarMul;
use rand::CryptoRng;

use crate::equations::{self, Equations, Sum, Weights};
use crate::nonce::nonce;
use crate::{Context, Element, Invalid, Malformed, Point, Reader, Scalar, Secret, Transcript, Wire, lagrange};

const PROTOCOL: &str = "fairdeal/sealed/v1";

/// A share `s·C1` of one card, encrypted to a player's key `Q`, with a proof. 224 bytes.
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
    /// Checks that this is the share of this card, by the owner of this public share, sealed for this player.
    pub fn verify(&self, context: &Context, public: &Element, c1: &Element, to: &Element) -> Result<(), Invalid> {
        equations::holds(&self.check(context, public, c1, to)?)
    }

    /// The share itself, decrypted by the player: `s·C1 = E − q·K`.
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

/// A sealed share and its claimed author.
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

/// The sum of the sealed shares of one card: `K* = sum λ_i·K_i` and `E* = sum λ_i·E_i`.
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
