//! The parts of a proof, and its encoding.

use crate::{Ciphertext, Element, LEAST_CARDS, MOST_CARDS, Malformed, Reader, Scalar, Wire};

/// Proof that a deck is another one, permuted and re-encrypted. The letters are those of the [module](super),
/// without tildes.
///
/// Its encoding is 8 points and 3n + 2 scalars of 32 bytes each, without a length: it always accompanies a
/// deck, which gives the number of cards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShuffleProof {
    /// Commitment to the permutation.
    pub(super) c_a: Element,
    /// Commitment to the powers of x, permuted.
    pub(super) c_b: Element,
    /// Commitment to the masks of the product's factors.
    pub(super) c_d: Element,
    /// The part of the partial products' masks that no challenge multiplies.
    pub(super) c_delta: Element,
    /// The part that one challenge multiplies.
    pub(super) c_big_delta: Element,
    /// Commitment to the masks of the permuted powers.
    pub(super) c_f: Element,
    /// The output deck, weighted with these masks.
    pub(super) e_0: Ciphertext,
    /// The n factors, masked.
    pub(super) a: Vec<Scalar>,
    /// The partial products, masked: from the second to the last but one, since the first is a factor and
    /// the last is public.
    pub(super) b: Vec<Scalar>,
    /// The n permuted powers, masked.
    pub(super) f: Vec<Scalar>,
    /// The blindings of the first, the second and the third equation, masked.
    pub(super) r: Scalar,
    pub(super) s: Scalar,
    pub(super) t: Scalar,
    /// The randomness of the weighted deck, masked.
    pub(super) tau: Scalar,
}

impl ShuffleProof {
    /// The size in bytes of a proof for this many cards.
    pub fn size(cards: u16) -> usize {
        32 * (8 + 3 * usize::from(cards) + 2)
    }

    /// The number of cards in the deck.
    pub fn cards(&self) -> usize {
        self.a.len()
    }

    /// Appends the encoding.
    pub fn write(&self, out: &mut Vec<u8>) {
        let Self { c_a, c_b, c_d, c_delta, c_big_delta, c_f, e_0, a, b, f, r, s, t, tau } = self;
        for point in [c_a, c_b, c_d, c_delta, c_big_delta, c_f, &e_0.c1, &e_0.c2] {
            point.write(out);
        }
        for scalar in a.iter().chain(b).chain(f).chain([r, s, t, tau]) {
            scalar.write(out);
        }
    }

    /// Its encoding.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(32 * (8 + 3 * self.a.len() + 2));
        self.write(&mut out);
        out
    }

    /// Reads a proof for this many cards from the front.
    pub fn read_for(cards: u16, from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let n = usize::from(cards);
        if !(LEAST_CARDS..=MOST_CARDS).contains(&n) {
            return Err(Malformed::Length { least: LEAST_CARDS, most: MOST_CARDS });
        }
        // All at once, so that too short an input is refused before a single point is decoded.
        let from = &mut Reader::new(from.take(Self::size(cards))?);
        Ok(Self {
            c_a: blinded(from)?,
            c_b: blinded(from)?,
            c_d: blinded(from)?,
            c_delta: blinded(from)?,
            c_big_delta: blinded(from)?,
            c_f: blinded(from)?,
            e_0: Ciphertext { c1: blinded(from)?, c2: blinded(from)? },
            a: from.list(n)?,
            b: from.list(n.saturating_sub(2))?,
            f: from.list(n)?,
            r: Scalar::read(from)?,
            s: Scalar::read(from)?,
            t: Scalar::read(from)?,
            tau: Scalar::read(from)?,
        })
    }

    /// The proof that exactly these bytes encode.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        let words = bytes.len() / 32;
        let cards = u16::try_from(words.saturating_sub(10) / 3).unwrap_or(u16::MAX);
        let mut reader = Reader::new(bytes);
        let proof = Self::read_for(cards, &mut reader)?;
        reader.finish()?;
        Ok(proof)
    }
}

/// A commitment or a mask. Each contains its own randomness, so none is ever the neutral element.
fn blinded(from: &mut Reader<'_>) -> Result<Element, Malformed> {
    let element = Element::read(from)?;
    if element.is_identity() { Err(Malformed::Identity) } else { Ok(element) }
}
