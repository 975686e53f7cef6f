//! The author's side: permute, re-encrypt, prove.

use core::fmt;
use core::iter::once;

use curve25519_dalek::constants::RISTRETTO_BASEPOINT_POINT;
use curve25519_dalek::traits::{Identity, MultiscalarMul};
use rand::CryptoRng;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroizing;

use super::ShuffleProof;
use super::masks::{Masks, Secrets, secrets};
use super::statement::Conversation;
use crate::element::times_base;
use crate::generators::Generators;
use crate::multiples::Multiples;
use crate::{Ciphertext, Context, Deck, Element, Permutation, Point, Scalar};

/// Why a deck could not be shuffled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShuffleError {
    /// The key is the neutral element, which hides nothing.
    Key,
    /// The permutation is for another number of cards.
    Length {
        /// Cards in the permutation.
        permutation: usize,
        /// Cards in the deck.
        deck: u16,
    },
}

impl fmt::Display for ShuffleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key => f.write_str("the key is the neutral element"),
            Self::Length { permutation, deck } => {
                write!(f, "the permutation is for {permutation} cards, but the deck has {deck}")
            }
        }
    }
}

impl core::error::Error for ShuffleError {}

/// Permutes and re-encrypts a deck, and proves it: place `i` of the new deck holds the card from place
/// `permutation[i]`.
pub fn shuffle(
    context: &Context,
    key: &Element,
    deck: &Deck,
    permutation: &Permutation,
    rng: &mut impl CryptoRng,
) -> Result<(Deck, ShuffleProof), ShuffleError> {
    if key.is_identity() {
        return Err(ShuffleError::Key);
    }
    if permutation.len() != usize::from(deck.len()) {
        return Err(ShuffleError::Length { permutation: permutation.len(), deck: deck.len() });
    }
    let mut masks = Masks::new(context, key, deck, permutation, rng);
    let rho = masks.scalars(permutation.len());
    let after = reencrypt(key, deck, permutation, &rho);
    let proof = prove(context, key, deck, &after, permutation, &rho, &mut masks);
    Ok((after, proof))
}

/// C'_i = C_π(i) + ρ_i·(B, Y).
pub(super) fn reencrypt(key: &Element, deck: &Deck, permutation: &Permutation, rho: &[Scalar]) -> Deck {
    let multiples = Multiples::of(key.point());
    let cards = permutation.iter().zip(rho).map(|(from, rho)| Ciphertext {
        c1: (pick(deck.iter().map(|card| card.c1.point()), from) + times_base(rho)).into(),
        c2: (pick(deck.iter().map(|card| card.c2.point()), from) + multiples.by(rho)).into(),
    });
    Deck::new(cards.collect()).expect("as many cards as the deck before")
}

/// The argument itself. The caller ensures that the decks match the permutation and ρ.
pub(super) fn prove(
    context: &Context,
    key: &Element,
    before: &Deck,
    after: &Deck,
    permutation: &Permutation,
    rho: &[Scalar],
    masks: &mut Masks,
) -> ShuffleProof {
    let n = permutation.len();
    let mut conversation = Conversation::new(context, key, before, after);
    let [r_a, r_b, r_d, r_delta, r_big_delta, r_f, tau_0] = [(); 7].map(|()| Zeroizing::new(masks.scalar()));

    let c_a = commit_to_places(permutation, &r_a);
    let x = conversation.x(&c_a);

    let powers: Vec<Scalar> = powers(x).take(n).collect();
    let b = secrets(permutation.iter().map(|from| pick(powers.iter(), from)));
    let c_b = commit(&b, &r_b);
    let (y, z) = conversation.y_z(&c_b);

    let product = Product::new(permutation.iter().zip(b.iter()).map(|(from, b)| y * place(from) + b - z), masks);
    let c_d = commit(&product.d, &r_d);
    let c_delta = commit(&product.crossed, &r_delta);
    let c_big_delta = commit(&product.mixed, &r_big_delta);

    let f = masks.scalars(n);
    let c_f = commit(&f, &r_f);
    let weighted = |half: fn(&Ciphertext) -> &Point, base: &Point| -> Element {
        let points = once(base).chain(after.iter().map(half));
        Point::multiscalar_mul(once(&*tau_0).chain(f.iter()), points).into()
    };
    let e_0 = Ciphertext {
        c1: weighted(|card| card.c1.point(), &RISTRETTO_BASEPOINT_POINT),
        c2: weighted(|card| card.c2.point(), key.point()),
    };
    let e = conversation.e([&c_d, &c_delta, &c_big_delta, &c_f], &e_0);

    let masked = |values: &[Scalar], masks: &[Scalar]| -> Vec<Scalar> {
        values.iter().zip(masks).map(|(value, mask)| e * value + mask).collect()
    };
    // The verifier knows b̃_1 = ã_1 and b̃_n = e·b.
    let mut partial = masked(&product.b, &product.delta);
    partial.pop();
    partial.remove(0);
    let randomness = Zeroizing::new(rho.iter().zip(b.iter()).map(|(rho, b)| rho * b).sum::<Scalar>());
    ShuffleProof {
        c_a,
        c_b,
        c_d,
        c_delta,
        c_big_delta,
        c_f,
        e_0,
        a: masked(&product.a, &product.d),
        b: partial,
        f: masked(&b, &f),
        r: e * (y * *r_a + *r_b) + *r_d,
        s: e * *r_big_delta + *r_delta,
        t: e * *r_b + *r_f,
        tau: *tau_0 - e * *randomness,
    }
}

/// The secrets of the product argument (section 5.3), in its letters.
struct Product {
    /// The factors.
    a: Secrets,
    /// The partial products of the first one, two, three … factors.
    b: Secrets,
    /// Their masks: of the factors, and of the partial products.
    d: Secrets,
    delta: Secrets,
    /// -δ_i·d_(i+1), which c_δ holds.
    crossed: Secrets,
    /// δ_(i+1) - a_(i+1)·δ_i - b_i·d_(i+1), which c_Δ holds.
    mixed: Secrets,
}

impl Product {
    fn new(factors: impl ExactSizeIterator<Item = Scalar>, masks: &mut Masks) -> Self {
        let n = factors.len();
        let a = secrets(factors);
        let mut so_far = Zeroizing::new(Scalar::ONE);
        let b = secrets(a.iter().map(|a| {
            *so_far *= a;
            *so_far
        }));
        let d = masks.scalars(n);
        let mut delta = masks.scalars(n);
        // The first partial product is the first factor, and the last is public.
        if let ([first, .., last], [d_1, ..]) = (delta.as_mut_slice(), d.as_slice()) {
            (*first, *last) = (*d_1, Scalar::ZERO);
        }
        let here = || delta.iter().zip(b.iter());
        let next = || d.iter().zip(delta.iter()).zip(a.iter()).skip(1);
        let crossed = secrets(here().zip(next()).map(|((delta, _), ((d, _), _))| -(delta * d)));
        let mixed = secrets(
            here()
                .zip(next())
                .map(|((delta, b), ((d_next, delta_next), a_next))| delta_next - a_next * delta - b * d_next),
        );
        Self { a, b, d, delta, crossed, mixed }
    }
}

/// com(a; r) = rH + a_1·G_1 + …
fn commit(values: &[Scalar], blinding: &Scalar) -> Element {
    let generators = Generators::get();
    let points = once(&generators.h).chain(generators.g().iter().take(values.len()));
    Point::multiscalar_mul(once(blinding).chain(values), points).into()
}

/// com(π(1), …, π(n); r), counted from 1. Places have ten bits, not 253, so the sum goes bit by bit. Every
/// generator is added at every bit, possibly times zero.
fn commit_to_places(permutation: &Permutation, blinding: &Scalar) -> Element {
    let generators = Generators::get();
    let mut sum = Point::identity();
    for bit in (0..10).rev() {
        sum += sum;
        for (from, g) in permutation.iter().zip(generators.g()) {
            let [low, _] = ((from + 1) >> bit & 1).to_le_bytes();
            sum += Point::conditional_select(&Point::identity(), g, Choice::from(low));
        }
    }
    (sum + generators.h * blinding).into()
}

/// x, x², x³ …
pub(super) fn powers(x: Scalar) -> impl Iterator<Item = Scalar> {
    core::iter::successors(Some(x), move |power| Some(power * x))
}

/// A place as the argument counts it: from 1.
fn place(from: u16) -> Scalar {
    Scalar::from(u32::from(from) + 1)
}

/// The item in this place, found by reading all of them.
fn pick<'a, T: ConditionallySelectable + Default + 'a>(all: impl Iterator<Item = &'a T>, place: u16) -> T {
    let mut picked = T::default();
    for (i, one) in (0..).zip(all) {
        picked.conditional_assign(one, place.ct_eq(&i));
    }
    picked
}
