//! Shares that only one player can read but everybody can check.
//!
//! A committee deals cards, each to one player: every member encrypts its decryption shares to the owners' keys
//! `Q = q·B` and proves that it did. So everybody sees whether the deal is complete and who has not contributed,
//! and only the owner of a card sees it.
//!
//! **Message.** [`SealedShares`], `100 + 64·(n + p)` bytes: one author's shares of 1 to 512 cards `n` for `p`
//! players. Each is a [`Sealed`] of 64 bytes, `K = k·B` and `E = s·C1 + k·Q`. One proof for all of them shows
//! knowledge of `s` with `Y = s·B` and of every `k`, and that all `E` were made with them. It folds the cards
//! with random weights, and so it has 96 bytes, and 64 for each player.
//!
//! **Flow.**
//! 1. Each member: [`seal`].
//! 2. Everybody: [`SealedShares::verify`], or [`verify_sealed`] for many authors, which names every liar.
//! 3. The player, from any `t` of them: [`Sealed::open`], then [`combine`](crate::combine).
//! 4. To show the card later, the player needs one message and no help. Everybody computes `K* = sum λ_i·K_i`
//!    and `E* = sum λ_i·E_i` from the same `t` sealed shares ([`sealed_sum`]); then `E* = s·C1 + q·K*`. The
//!    player publishes `q·K*` with a proof, which is simply [`share`](crate::share()) with the player's key on
//!    the base `K*`, and everybody gets `s·C1 = E* − q·K*`.
//!
//! **Soundness.** `Y` and the `K_j` determine `s` and the `k_j`, so `sum w^j·(E_j − s·C1_j − k_j·Q_j)` is a
//! polynomial in `w` that is fixed before `w` is drawn. The proof shows that it is zero at `w`. If some share is
//! wrong, that is so for fewer than `n` of the 2^252 possible `w`. In a batch, whose weights have 128 bits, a wrong
//! share passes with probability 2^-128.
//!
//! **Caveats.**
//! - Everybody must use the same `t` sealed shares in step 4, for instance those with the lowest ids. Other
//!   shares give another `K*`, and a proof for that is refused.
//! - The proof covers every `k`, too: whoever knows `sum w^j·k_j` over a player's cards for enough `w` knows each of
//!   them. A member who could use a `K` without knowing its secret could relate it to another card of the player,
//!   and showing one card would open the other.
//! - `q` opens every card sealed to it. Use a fresh one for each hand, or at least for each table.
//! - The neutral element is refused as a player's key, a public share or `K`: it would hide nothing.
//! - Anyone who has `t` shares of the key can open every card, sealed or not.
//!
//! ```
//! use dealing::{ClaimedSealed, Context, Element, Dealt, Scalar, Sealed, SealedShares, Secret};
//! use dealing::{combine, seal, sealed_sum, share, verify_sealed};
//! use rand::{SeedableRng, rngs::ChaCha20Rng};
//!
//! let rng = &mut ChaCha20Rng::seed_from_u64(1); // in production: the operating system's
//! let context = Context::new([0; 32]).height(12);
//! let players = [Secret::random(rng), Secret::random(rng)];
//! // The first halves of two cards, one for each player.
//! let c1s = [b"one", b"two"].map(|name| Element::hashed("the first half of a card", &[name]));
//! let cards = [0, 1].map(|i| Dealt { c1: c1s[i], to: players[i].public() });
//!
//! // Members 1 and 2 have shares of s: they are s + x and s + 2x.
//! let (s, x) = (Scalar::random(rng), Scalar::random(rng));
//! let members = [Secret::new(s + x), Secret::new(s + x + x)];
//! let publics = members.each_ref().map(Secret::public);
//! let said = [0, 1].map(|i| seal(&context.author(i), &members[usize::from(i)], &cards, rng));
//! let claimed = [0, 1].map(|i| {
//!     let (context, i) = (context.author(i), usize::from(i));
//!     ClaimedSealed { context, public: &publics[i], cards: &cards, sealed: &said[i] }
//! });
//! assert_eq!(verify_sealed(&claimed), Ok(()));
//!
//! // The first player looks at the first card.
//! let sealed: Vec<(u16, &Sealed)> = (1..).zip(said.iter().map(|said| &said.cards[0])).collect();
//! let opened: Vec<_> = sealed.iter().map(|(id, sealed)| (*id, sealed.open(&players[0]))).collect();
//! assert_eq!(combine(&opened), Some(c1s[0].point() * s));
//!
//! // The first player shows it.
//! let (k, e) = sealed_sum(&sealed).unwrap();
//! let shown = share(&context, &players[0], &[k], rng);
//! assert!(shown.verify(&context, &players[0].public(), &[k]).is_ok());
//! assert_eq!(e.point() - shown.points[0].point(), c1s[0].point() * s);
//!
//! // An author who exchanges the shares of two cards is named.
//! let mut swapped: SealedShares = said[1].clone();
//! swapped.cards.swap(0, 1);
//! assert_eq!(verify_sealed(&[claimed[0], ClaimedSealed { sealed: &swapped, ..claimed[1] }]), Err(vec![1]));
//! ```

use curve25519_dalek::traits::MultiscalarMul;
use rand::CryptoRng;

use crate::element::times_base;
use crate::nonce::nonce;
use crate::{
    Context, Element, Interpolation, Invalid, MOST_SHARES, Malformed, Point, Reader, Secret, Transcript, Wire,
    equations, write_counted,
};
use proof::{Check, Proof};

mod proof;

const PROTOCOL: &str = "fairdeal/sealed/v2";

/// A card that is dealt to one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dealt {
    /// The first half of its ciphertext.
    pub c1: Element,
    /// The key `Q` of the player it is for.
    pub to: Element,
}

/// A share `s·C1` of one card, encrypted to a player's key `Q`. 64 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sealed {
    /// `K = k·B`.
    k: Element,
    /// `E = s·C1 + k·Q`.
    e: Element,
}

/// One author's shares of many cards, each sealed to the card's owner, with one proof for all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SealedShares {
    /// The sealed shares, in the order of the cards.
    pub cards: Vec<Sealed>,
    proof: Proof,
}

/// Seals the shares of these cards (1 to [`MOST_SHARES`]) for their owners.
pub fn seal(context: &Context, secret: &Secret, cards: &[Dealt], rng: &mut impl CryptoRng) -> SealedShares {
    let transcript = statement(context, &secret.public(), cards);
    // Cards with the same k could be opened from each other, so every card has its place in the transcript of its own.
    let fresh = |place| {
        let mut transcript = transcript.clone();
        transcript.number("card", place);
        nonce(&transcript, secret, rng)
    };
    let ks: Vec<Secret> = (0..).take(cards.len()).map(fresh).collect();
    let sealed = hidden(secret, &ks, cards);
    let proof = Proof::new(transcript, secret, &ks, cards, &sealed, rng);
    SealedShares { cards: sealed, proof }
}

impl SealedShares {
    /// Checks that these are the shares of exactly these cards, by the owner of this public share, sealed for the
    /// owners of the cards.
    pub fn verify(&self, context: &Context, public: &Element, cards: &[Dealt]) -> Result<(), Invalid> {
        equations::holds(&self.check(context, public, cards)?)
    }

    fn check<'a>(&'a self, context: &Context, public: &'a Element, cards: &'a [Dealt]) -> Result<Check<'a>, Invalid> {
        let (expected, got) = (cards.len(), self.cards.len());
        if expected != got || !(1..=MOST_SHARES).contains(&expected) {
            return Err(Invalid::Count { expected, got });
        }
        let keys = cards.iter().map(|card| &card.to).chain(self.cards.iter().map(Sealed::k));
        if keys.chain([public]).any(Element::is_identity) {
            return Err(Invalid::Identity);
        }
        self.proof.check(statement(context, public, cards), public, cards, &self.cards)
    }
}

impl Sealed {
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
}

/// Sealed shares and their claimed author.
#[derive(Clone, Copy, Debug)]
pub struct ClaimedSealed<'a> {
    /// Where, and by whom.
    pub context: Context,
    /// The author's public share.
    pub public: &'a Element,
    /// The cards and whom they are for.
    pub cards: &'a [Dealt],
    /// The sealed shares.
    pub sealed: &'a SealedShares,
}

/// Checks the sealed shares of many authors at once. If some are wrong, names exactly those.
pub fn verify_sealed(claimed: &[ClaimedSealed<'_>]) -> Result<(), Vec<usize>> {
    let checks: Vec<_> = claimed.iter().map(|one| one.sealed.check(&one.context, one.public, one.cards)).collect();
    equations::hold(&checks)
}

/// The sum of the sealed shares of one card: `K* = sum λ_i·K_i` and `E* = sum λ_i·E_i`.
pub fn sealed_sum(sealed: &[(u16, &Sealed)]) -> Option<(Element, Element)> {
    let interpolation = Interpolation::new(&sealed.iter().map(|(id, _)| *id).collect::<Vec<u16>>())?;
    let sum = |part: fn(&Sealed) -> &Element| {
        let parts: Vec<Point> = sealed.iter().map(|(_, sealed)| *part(sealed).point()).collect();
        interpolation.combine(&parts).map(Element::from)
    };
    Some((sum(Sealed::k)?, sum(Sealed::e)?))
}

/// `k·B` and `s·C1 + k·Q` for every card.
fn hidden(s: &Secret, ks: &[Secret], cards: &[Dealt]) -> Vec<Sealed> {
    let halved = |secret: &Secret| Secret::new(secret.scalar().div_by_2());
    let s = halved(s);
    let halves = ks.iter().zip(cards).flat_map(|(k, card)| {
        let k = halved(k);
        let e = Point::multiscalar_mul([s.scalar(), k.scalar()], [card.c1.point(), card.to.point()]);
        [times_base(k.scalar()), e]
    });
    let elements = Element::doubled(&halves.collect::<Vec<Point>>());
    elements.as_chunks().0.iter().map(|[k, e]| Sealed { k: *k, e: *e }).collect()
}

/// Binds what is known before anything is sealed.
fn statement(context: &Context, public: &Element, cards: &[Dealt]) -> Transcript {
    let mut transcript = Transcript::new(PROTOCOL, context);
    transcript.element("Y", public);
    transcript.elements("C1", cards.iter().map(|card| &card.c1));
    transcript.elements("Q", cards.iter().map(|card| &card.to));
    transcript
}

impl Wire for Sealed {
    fn write(&self, out: &mut Vec<u8>) {
        self.k.write(out);
        self.e.write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let k = Element::read(from)?;
        if k.is_identity() {
            return Err(Malformed::Identity);
        }
        Ok(Self { k, e: Element::read(from)? })
    }
}

impl Wire for SealedShares {
    fn write(&self, out: &mut Vec<u8>) {
        write_counted(&self.cards, out);
        self.proof.write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let cards: Vec<Sealed> = from.counted(1, MOST_SHARES)?;
        let proof = Proof::read_for(cards.len(), from)?;
        Ok(Self { cards, proof })
    }
}

#[cfg(test)]
mod tests;
