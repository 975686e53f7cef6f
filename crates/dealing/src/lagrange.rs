//! From shares of a secret to the secret: Lagrange interpolation at 0.

use curve25519_dalek::RistrettoPoint;
use curve25519_dalek::traits::VartimeMultiscalarMul;

use crate::{Point, Scalar};

/// The coefficients `λ_i` with `f(0) = sum λ_i·f(id_i)` for every polynomial of a degree below the number
/// of ids. `None` if there is no id, one is 0, or one is there twice.
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

/// What these shares come to: `sum λ_i·D_i`. `None` as in [`lagrange`].
pub fn combine(shares: &[(u16, Point)]) -> Option<Point> {
    let (ids, points): (Vec<u16>, Vec<Point>) = shares.iter().copied().unzip();
    Some(RistrettoPoint::vartime_multiscalar_mul(lagrange(&ids)?, points))
}
