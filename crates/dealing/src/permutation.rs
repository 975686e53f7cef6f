//! An order of cards that only its author knows.

use core::fmt;

use rand::CryptoRng;
use subtle::{ConditionallySelectable, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Which card comes to which place: place `i` gets the card from place `π(i)`, both counted from 0.
///
/// A secret: wiped when dropped, never printed. Sampling it and using it in a shuffle take the same time
/// and touch the same memory for every permutation.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct Permutation(Vec<u16>);

impl Permutation {
    /// Any permutation of so many cards, each with the same probability.
    ///
    /// The step of Fisher and Yates at place `i` exchanges with a place drawn from `0..=i`; all of these
    /// are touched, so that memory does not tell which it was. A draw that is out of range is
    /// repeated rather than reduced; how often tells nothing of what was drawn in the end.
    pub fn sample(len: u16, rng: &mut impl CryptoRng) -> Self {
        let mut places = Self::identity(len);
        for i in (1..len).rev() {
            let drawn = up_to(i, rng);
            let (before, from_i) = places.0.split_at_mut(usize::from(i));
            let Some(at_i) = from_i.first_mut() else { break };
            for (j, at_j) in (0..i).zip(before) {
                u16::conditional_swap(at_j, at_i, j.ct_eq(&drawn));
            }
        }
        places
    }

    /// This permutation, if it is one. Takes a time that depends on it.
    pub fn new(places: Vec<u16>) -> Option<Self> {
        let places = Self(places);
        let mut sorted = places.clone();
        sorted.0.sort_unstable();
        (0..).zip(&sorted.0).all(|(i, place): (usize, _)| i == usize::from(*place)).then_some(places)
    }

    /// Every card stays where it is.
    pub fn identity(len: u16) -> Self {
        Self((0..len).collect())
    }

    /// How many cards it is for.
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Is it for no cards?
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Where the card of each place comes from.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = u16> {
        self.0.iter().copied()
    }
}

impl fmt::Debug for Permutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Permutation(..)")
    }
}

/// A number from 0 to `most`, each with the same probability.
fn up_to(most: u16, rng: &mut impl CryptoRng) -> u16 {
    let mask = u16::MAX.checked_shr(most.leading_zeros()).unwrap_or(0);
    loop {
        let [low, high, ..] = rng.next_u32().to_le_bytes();
        let drawn = u16::from_le_bytes([low, high]) & mask;
        if drawn <= most {
            return drawn;
        }
    }
}
