//! Many secret multiples of one point.
//!
//! A shuffle multiplies the key once per card. With a table of the key's multiples, each product is a sum of 64
//! entries and takes a third less time. Building the table takes as long as three products, because its entries
//! stay projective (dalek's table, with affine entries, takes ten times that and pays off from 130 cards on).

use curve25519_dalek::traits::Identity;
use subtle::{Choice, ConditionallyNegatable, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroizing;

use crate::{Point, Scalar};

/// The multiples 1 to 8 of 256^i·P, for i from 0 to 31.
pub(crate) struct Multiples(Vec<[Point; 8]>);

impl Multiples {
    /// The table for this point.
    pub(crate) fn of(point: &Point) -> Self {
        let rows = core::iter::successors(Some(*point), |p| Some((0..8).fold(*p, |p, _| p + p)));
        let row = |first: Point| {
            let mut multiple = Point::identity();
            [(); 8].map(|()| {
                multiple += first;
                multiple
            })
        };
        Self(rows.take(32).map(row).collect())
    }

    /// The multiple by this scalar, in constant time.
    pub(crate) fn by(&self, scalar: &Scalar) -> Point {
        let digits = digits(scalar);
        // Σ_i (d_2i + 16·d_(2i+1))·256^i: the odd digits first, then sixteen times that.
        let part = |odd: usize| {
            let rows = self.0.iter().zip(digits.iter().skip(odd).step_by(2));
            rows.fold(Point::identity(), |sum, (row, digit)| sum + select(row, *digit))
        };
        let odd = part(1);
        (0..4).fold(odd, |p, _| p + p) + part(0)
    }
}

/// 64 digits from -8 to 8 with Σ d_i·16^i equal to the scalar.
fn digits(scalar: &Scalar) -> Zeroizing<[i8; 64]> {
    let mut digits = Zeroizing::new([0; 64]);
    let nibbles = scalar.as_bytes().iter().flat_map(|byte| [byte & 15, byte >> 4]);
    let mut carry = 0;
    for (digit, nibble) in digits.iter_mut().zip(nibbles) {
        let value = nibble.wrapping_add(carry).cast_signed();
        // A digit from 8 up becomes negative and carries one. The last digit cannot carry: a scalar has 253 bits.
        carry = (value.wrapping_add(8) >> 4).cast_unsigned();
        *digit = value.wrapping_sub((carry << 4).cast_signed());
    }
    digits
}

/// This multiple, which may be negative; reads the whole row.
fn select(row: &[Point; 8], digit: i8) -> Point {
    let negative = Choice::from(digit.cast_unsigned() >> 7);
    let size = digit.unsigned_abs();
    let mut point = Point::identity();
    for (multiple, i) in row.iter().zip(1u8..) {
        point.conditional_assign(multiple, size.ct_eq(&i));
    }
    point.conditional_negate(negative);
    point
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn a_table_multiplies_like_the_group() {
        let rng = &mut rand::rngs::ChaCha20Rng::seed_from_u64(3);
        let point = Point::random(rng);
        let table = Multiples::of(&point);
        let edges = [Scalar::ZERO, Scalar::ONE, -Scalar::ONE, Scalar::from(8u8), Scalar::from(0x8888_8888u32)];
        for scalar in edges.into_iter().chain((0..50).map(|_| Scalar::random(rng))) {
            assert_eq!(table.by(&scalar), point * scalar, "{scalar:?}");
        }
    }
}
