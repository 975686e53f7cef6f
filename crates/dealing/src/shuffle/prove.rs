//! The author's side: permute, re-encrypt, prove.

use core::fmt;
use core::iter::once;

use curve25519_dalek::constants::RISTRETTO_BASEPOINT_TABLE;
use curve25519_dalek::ristretto::RistrettoBasepointTable;
use curve25519_dalek::traits::{Identity, MultiscalarMul};
use rand::CryptoRng;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroizing;

use super::ShuffleProof;
use super::statement::Conversation;
use crate::generators::Generators;
use crate::{Ciphertext, Context, Deck, Element, Permutation, Point, Scalar};

/// Why nothing was shuffled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShuffleError {
    /// The key is the neutral element, under which everybody reads everything.
    Key,
    /// The permutation is for another number of cards.
    Length {
        /// What the permutation is for.
        permutation: usize,
        /// What the deck has.
        deck: u16,
    },
}

impl fmt::Display for ShuffleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key => f.write_str("the key is the neutral element"),
            Self::Length { permutation, deck } => {
                write!(f, "a permutation of {permutation} for a deck of {deck} cards")
            }
        }
    }
}

impl core::error::Error for ShuffleError {}

/// Scalars that are wiped when dropped.
type Secrets = Zeroizing<Vec<Scalar>>;

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
    let rho = random(permutation.len(), rng);
    let after = reencrypt(key, deck, permutation, &rho);
    let proof = prove(context, key, deck, &after, permutation, &rho, rng);
    Ok((after, proof))
}

/// C'_i = C_π(i) + ρ_i·(B, Y).
pub(super) fn reencrypt(key: &Element, deck: &Deck, permutation: &Permutation, rho: &[Scalar]) -> Deck {
    let table = RistrettoBasepointTable::create(key.point());
    let cards = permutation.iter().zip(rho).map(|(from, rho)| Ciphertext {
        c1: (pick(deck.iter().map(|card| card.c1.point()), from) + rho * RISTRETTO_BASEPOINT_TABLE).into(),
        c2: (pick(deck.iter().map(|card| card.c2.point()), from) + rho * &table).into(),
    });
    Deck::new(cards.collect()).expect("as many cards as the deck before")
}

/// The argument itself. Whether the decks are what the permutation and ρ say is the caller's care.
pub(super) fn prove(
    context: &Context,
    key: &Element,
    before: &Deck,
    after: &Deck,
    permutation: &Permutation,
    rho: &[Scalar],
    rng: &mut impl CryptoRng,
) -> ShuffleProof {
    let n = permutation.len();
    let mut conversation = Conversation::new(context, key, before, after);

    // Each vector is committed to with a blinding of its own.
    let blindings = random(6, rng);
    let [r_a, r_b, r_d, r_delta, r_big_delta, r_f] =
        <[Scalar; 6]>::try_from(blindings.as_slice()).expect("six were drawn").map(Zeroizing::new);

    let c_a = commit_to_places(permutation, &r_a);
    let x = conversation.x(&c_a);

    let powers: Vec<Scalar> = powers(x).take(n).collect();
    let b: Secrets = Zeroizing::new(permutation.iter().map(|from| pick(powers.iter(), from)).collect());
    let c_b = commit(&b, &r_b);
    let (y, z) = conversation.y_z(&c_b);

    // The product argument (section 5.3) about a_i = y·π(i) + x^π(i) - z.
    let a: Secrets =
        Zeroizing::new(permutation.iter().zip(b.iter()).map(|(from, b)| y * place(from) + b - z).collect());
    let partial: Secrets = Zeroizing::new(
        a.iter()
            .scan(Scalar::ONE, |product, a| {
                *product *= a;
                Some(*product)
            })
            .collect(),
    );
    let d = random(n, rng);
    let mut delta = random(n, rng);
    // b̃_1 = ã_1 and b̃_n = e·b need no response of their own.
    if let ([first, .., last], Some(d_1)) = (delta.as_mut_slice(), d.first()) {
        (*first, *last) = (*d_1, Scalar::ZERO);
    }
    let neighbours = || d.iter().zip(delta.iter()).zip(a.iter().zip(partial.iter()));
    let crossed: Secrets = Zeroizing::new(
        neighbours().zip(neighbours().skip(1)).map(|(((_, delta), _), ((d, _), _))| -(delta * d)).collect(),
    );
    let mixed: Secrets = Zeroizing::new(
        neighbours()
            .zip(neighbours().skip(1))
            .map(|(((_, delta), (_, partial)), ((d_next, delta_next), (a_next, _)))| {
                delta_next - a_next * delta - partial * d_next
            })
            .collect(),
    );
    let c_d = commit(&d, &r_d);
    let c_delta = commit(&crossed, &r_delta);
    let c_big_delta = commit(&mixed, &r_big_delta);

    // The multi-exponentiation argument (section 4 at m = 1): the powers in c_B weigh C' as 1..n weigh C.
    let f = random(n, rng);
    let tau_0 = Zeroizing::new(Scalar::random(rng));
    let c_f = commit(&f, &r_f);
    let weighed = |part: fn(&Ciphertext) -> &Point, base: &Point| -> Element {
        let scalars = once(&*tau_0).chain(f.iter());
        Point::multiscalar_mul(scalars, once(base).chain(after.iter().map(part))).into()
    };
    let e_0 = Ciphertext {
        c1: weighed(|card| card.c1.point(), &RISTRETTO_BASEPOINT_TABLE.basepoint()),
        c2: weighed(|card| card.c2.point(), key.point()),
    };
    let e = conversation.e([&c_d, &c_delta, &c_big_delta, &c_f], &e_0);

    let masked = |values: &[Scalar], masks: &[Scalar]| -> Vec<Scalar> {
        values.iter().zip(masks).map(|(value, mask)| e * value + mask).collect()
    };
    let weighed_rho = Zeroizing::new(rho.iter().zip(b.iter()).map(|(rho, b)| rho * b).sum::<Scalar>());
    let mut products = masked(&partial, &delta);
    products.pop();
    ShuffleProof {
        c_a,
        c_b,
        c_d,
        c_delta,
        c_big_delta,
        c_f,
        e_0,
        a: masked(&a, &d),
        b: products.split_off(1),
        f: masked(&b, &f),
        r: e * (y * *r_a + *r_b) + *r_d,
        s: e * *r_big_delta + *r_delta,
        t: e * *r_b + *r_f,
        tau: *tau_0 - e * *weighed_rho,
    }
}

/// com(a; r) = rH + a_1·G_1 + …
fn commit(values: &[Scalar], blinding: &Scalar) -> Element {
    let generators = Generators::get();
    let points = once(&generators.h).chain(generators.g().iter().take(values.len()));
    Point::multiscalar_mul(once(blinding).chain(values), points).into()
}

/// com(π(1), …, π(n); r), counted from 1. Places have ten bits, not 253, so the sum goes bit by bit; every
/// generator is added at every bit, some as nothing.
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

/// The one in this place, found by looking at all of them.
fn pick<'a, T: ConditionallySelectable + Default + 'a>(all: impl Iterator<Item = &'a T>, place: u16) -> T {
    let mut picked = T::default();
    for (i, one) in (0..).zip(all) {
        picked.conditional_assign(one, place.ct_eq(&i));
    }
    picked
}

/// So many random scalars.
pub(super) fn random(count: usize, rng: &mut impl CryptoRng) -> Secrets {
    Zeroizing::new((0..count).map(|_| Scalar::random(rng)).collect())
}
