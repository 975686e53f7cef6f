//! From shares of a secret to the secret: Lagrange interpolation at 0.
//!
//! A shared secret is the value at 0 of a polynomial, and each member has its value at the member's id (its
//! place plus 1). As many values as the polynomial has coefficients determine it; with one fewer, every secret
//! is still possible. The secret itself is never computed: multiples of one element by the shares are combined,
//! which gives its multiple by the secret.
//!
//! **Caveats.** Any number of shares gives some result. It is right if there are at least as many as the
//! threshold and each has been checked; this function cannot tell. Extra shares do no harm but cost time.
//!
//! ```
//! use dealing::{Element, Scalar, combine};
//!
//! let element = Element::hashed("some element", &[]);
//! let line = |x: u16| Scalar::from(5_u8) + Scalar::from(3_u8) * Scalar::from(x);
//! let share = |id: u16| (id, element.point() * line(id));
//! assert_eq!(combine(&[share(4), share(2)]), Some(element.point() * Scalar::from(5_u8)));
//! ```

use curve25519_dalek::RistrettoPoint;
use curve25519_dalek::traits::VartimeMultiscalarMul;

use crate::{Point, Scalar};

/// The coefficients `λ_i` with `f(0) = sum λ_i·f(id_i)` for every polynomial of a degree below the number of
/// ids. `None` if there is no id, one is 0, or one appears twice.
pub fn lagrange(ids: &[u16]) -> Option<Vec<Scalar>> {
    if ids.is_empty() || ids.contains(&0) {
        return None;
    }
    let scalars: Vec<Scalar> = ids.iter().copied().map(Scalar::from).collect();
    let mut denominators = Vec::with_capacity(ids.len());
    for (i, own) in scalars.iter().enumerate() {
        let others = scalars.iter().enumerate().filter(|(j, _)| *j != i);
        let denominator: Scalar = others.map(|(_, other)| other - own).product();
        if denominator == Scalar::ZERO {
            return None;
        }
        denominators.push(denominator * own);
    }
    // λ_i = prod of the others / prod (other − own) = prod of all / (own · prod (other − own)).
    let all: Scalar = scalars.iter().product();
    Scalar::invert_batch_alloc(&mut denominators);
    Some(denominators.iter().map(|inverse| all * inverse).collect())
}

/// Combines shares: `sum λ_i·D_i`. `None` as in [`lagrange`].
pub fn combine(shares: &[(u16, Point)]) -> Option<Point> {
    let (ids, points): (Vec<u16>, Vec<Point>) = shares.iter().copied().unzip();
    Interpolation::new(&ids)?.combine(&points)
}

/// The coefficients for some ids, to combine the shares of many elements: finding them takes half as long as using
/// them once.
#[derive(Clone, Debug)]
pub struct Interpolation {
    ids: Vec<u16>,
    /// `λ_i` without its sign, and whether that is minus. The first members have small coefficients (those for the
    /// ids 1 to n are binomial), and multiplying by a small number takes less time.
    lambdas: Vec<(Scalar, bool)>,
}

impl Interpolation {
    /// For these ids. `None` as in [`lagrange`].
    pub fn new(ids: &[u16]) -> Option<Self> {
        let smaller = |a: &Scalar, b: &Scalar| a.as_bytes().iter().rev().lt(b.as_bytes().iter().rev());
        let signed = |lambda: Scalar| if smaller(&-lambda, &lambda) { (-lambda, true) } else { (lambda, false) };
        Some(Self { ids: ids.to_vec(), lambdas: lagrange(ids)?.into_iter().map(signed).collect() })
    }

    /// The ids.
    pub fn ids(&self) -> &[u16] {
        &self.ids
    }

    /// `sum λ_i·D_i` for the shares of one element, in the order of the ids. `None` if these are more or fewer.
    pub fn combine(&self, shares: &[Point]) -> Option<Point> {
        if shares.len() != self.ids.len() {
            return None;
        }
        let points = self.lambdas.iter().zip(shares).map(|((_, minus), share)| if *minus { -share } else { *share });
        Some(RistrettoPoint::vartime_multiscalar_mul(self.lambdas.iter().map(|(size, _)| size), points))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{secrets, seeded};
    use crate::{Element, Secret};

    fn at(coefficients: &[Secret], id: u16) -> Scalar {
        coefficients.iter().rev().fold(Scalar::ZERO, |sum, a| sum * Scalar::from(id) + a.scalar())
    }

    /// Every choice of this many ids from 1 to 5, each in a different order.
    fn choices(size: usize) -> Vec<Vec<u16>> {
        let sets = (1_u16..1 << 5).map(|set| (1..=5).filter(|id| set >> (id - 1) & 1 == 1).collect::<Vec<u16>>());
        let mut sets: Vec<Vec<u16>> = sets.filter(|ids| ids.len() == size).collect();
        sets.iter_mut().enumerate().for_each(|(i, ids)| ids.rotate_left(i % size));
        sets
    }

    #[test]
    fn any_three_values_of_a_parabola_give_its_value_at_zero() {
        let coefficients: [Secret; 3] = secrets(&mut seeded(1));
        for ids in choices(3).into_iter().chain(choices(5)) {
            let sum: Scalar =
                lagrange(&ids).unwrap().iter().zip(&ids).map(|(lambda, id)| lambda * at(&coefficients, *id)).sum();
            assert_eq!(sum, *coefficients[0].scalar(), "{ids:?}");
            let points: Vec<(u16, Point)> =
                ids.iter().map(|id| (*id, *Element::base(&at(&coefficients, *id)).point())).collect();
            assert_eq!(combine(&points), Some(*coefficients[0].public().point()), "{ids:?}");
        }
    }

    #[test]
    fn two_values_of_a_parabola_fit_every_value_at_zero() {
        let [a, b, c, other] = secrets(&mut seeded(2));
        let real = [a, b, c];
        for ids in choices(2) {
            // The real polynomial plus a multiple of (x − i)(x − j), which is zero at the known values.
            let [i, j] = [ids[0], ids[1]].map(Scalar::from);
            let m = (other.scalar() - real[0].scalar()) * (i * j).invert();
            let fake = [m * i * j, -m * (i + j), m];
            let fake: Vec<Secret> = real.iter().zip(fake).map(|(a, add)| Secret::new(a.scalar() + add)).collect();
            assert_eq!(fake[0].scalar(), other.scalar());
            for id in 1..=5 {
                assert_eq!(at(&fake, id) == at(&real, id), ids.contains(&id), "{ids:?}, {id}");
            }
        }
    }

    #[test]
    fn small_coefficients_are_as_on_paper() {
        // f(0) = 3·f(1) − 3·f(2) + f(3), and f(0) = 2·f(1) − f(2).
        let three = Scalar::from(3_u8);
        assert_eq!(lagrange(&[1, 2, 3]), Some(vec![three, -three, Scalar::ONE]));
        assert_eq!(lagrange(&[2, 1]), Some(vec![-Scalar::ONE, Scalar::from(2_u8)]));
        assert_eq!(lagrange(&[9]), Some(vec![Scalar::ONE]));
    }

    #[test]
    fn an_id_of_zero_or_a_repeated_id_is_refused() {
        for ids in [&[][..], &[0], &[1, 0], &[1, 2, 1], &[u16::MAX, u16::MAX]] {
            assert_eq!(lagrange(ids), None, "{ids:?}");
            let points: Vec<(u16, Point)> = ids.iter().map(|id| (*id, Point::default())).collect();
            assert_eq!(combine(&points), None, "{ids:?}");
        }
    }

    #[test]
    fn shares_of_many_elements_are_combined_with_the_same_coefficients() {
        let coefficients: [Secret; 3] = secrets(&mut seeded(3));
        for ids in choices(3) {
            let interpolation = Interpolation::new(&ids).unwrap();
            assert_eq!(interpolation.ids(), ids);
            for element in crate::testing::elements::<3>() {
                let shares: Vec<Point> = ids.iter().map(|id| element.point() * at(&coefficients, *id)).collect();
                assert_eq!(interpolation.combine(&shares), Some(element.point() * coefficients[0].scalar()));
                assert_eq!(interpolation.combine(&shares[..2]), None);
                assert_eq!(interpolation.combine(&[&shares[..], &shares[..1]].concat()), None);
            }
        }
    }

    #[test]
    fn the_coefficients_of_the_first_members_are_small() {
        let Interpolation { lambdas, .. } = Interpolation::new(&[1, 2, 3, 4]).unwrap();
        let signed = [(4_u8, false), (6, true), (4, false), (1, true)];
        assert_eq!(lambdas, signed.map(|(size, minus)| (Scalar::from(size), minus)));
    }
}
