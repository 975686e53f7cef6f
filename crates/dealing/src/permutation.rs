//! A secret order of cards.

use core::fmt;

use rand::CryptoRng;
use subtle::{ConditionallySelectable, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Where each card goes: place `i` gets the card from place `π(i)`, both counted from 0.
///
/// A secret: wiped when dropped, never printed. Sampling it and using it in a shuffle take the same time
/// and touch the same memory for every permutation.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct Permutation(Vec<u16>);

impl Permutation {
    /// A uniformly random permutation of this many cards.
    ///
    /// The Fisher–Yates step at place `i` swaps with a place drawn from `0..=i`. All of these are touched, so
    /// that memory access does not reveal which one. A draw out of range is repeated rather than reduced; the
    /// number of repeats says nothing about the final draw.
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

    /// This permutation, if it is one. Not constant in time.
    pub fn new(places: Vec<u16>) -> Option<Self> {
        let places = Self(places);
        let mut sorted = places.clone();
        sorted.0.sort_unstable();
        (0..).zip(&sorted.0).all(|(i, place): (usize, _)| i == usize::from(*place)).then_some(places)
    }

    /// Something an honest author never has: some cards twice, others not at all.
    #[cfg(test)]
    pub(crate) const fn forged(places: Vec<u16>) -> Self {
        Self(places)
    }

    /// Every card stays where it is.
    pub fn identity(len: u16) -> Self {
        Self((0..len).collect())
    }

    /// How many cards it is for.
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it is for no cards.
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

/// A uniformly random number from 0 to `most`.
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rand::SeedableRng;
    use rand::rngs::ChaCha20Rng;

    use super::*;

    #[test]
    fn every_permutation_is_equally_likely() {
        let rng = &mut ChaCha20Rng::seed_from_u64(5);
        let mut counts = BTreeMap::new();
        for _ in 0..24_000 {
            *counts.entry(Permutation::sample(4, rng).0.clone()).or_insert(0u32) += 1;
        }
        assert_eq!(counts.len(), 24);
        // Chi square with 23 degrees of freedom stays below 50 in 999 of 1,000 cases.
        let square: u32 = counts.values().map(|count| count.abs_diff(1000).pow(2)).sum();
        assert!(square < 50 * 1000, "seed 5: {counts:?}");
    }

    #[test]
    fn every_card_is_equally_likely_in_every_place() {
        let rng = &mut ChaCha20Rng::seed_from_u64(6);
        let mut counts = vec![[0u32; 52]; 52];
        for _ in 0..5_200 {
            let sample = Permutation::sample(52, rng);
            assert!(Permutation::new(sample.0.clone()).is_some());
            sample.iter().zip(&mut counts).for_each(|(from, counts)| counts[usize::from(from)] += 1);
        }
        // 51 x 51 degrees of freedom: 2,601 expected, with a standard deviation of 72.
        let square: u32 = counts.iter().flatten().map(|count| count.abs_diff(100).pow(2)).sum();
        assert!((2_301..2_901).contains(&(square / 100)), "seed 6: {square}");
    }

    #[test]
    fn a_list_that_is_not_a_permutation_is_refused() {
        for places in [vec![0, 0], vec![1, 2], vec![0, 1, 3], vec![2, 0, 2], vec![u16::MAX]] {
            assert!(Permutation::new(places.clone()).is_none(), "{places:?}");
        }
        assert!(Permutation::new(vec![2, 0, 1]).is_some());
    }

    #[test]
    fn a_permutation_is_not_printed() {
        assert_eq!(format!("{:?}", Permutation::identity(3)), "Permutation(..)");
    }
}
