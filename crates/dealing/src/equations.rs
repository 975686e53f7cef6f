//! Equations of many proofs, checked in one multiplication.
//!
//! Every proof here is a handful of equations of the form "this sum of multiples of elements is zero". To check
//! many at once, each is multiplied by a weight of 128 bits and all are added: if one of them is not zero, the
//! total is zero for at most one weight in 2^128. The weights are hashed from the challenges and responses of
//! all proofs (a challenge binds everything before it). So they are fixed after everything they weigh, and
//! everybody who checks the same proofs uses the same weights.

use std::collections::BTreeMap;

use curve25519_dalek::RistrettoPoint;
use curve25519_dalek::constants::RISTRETTO_BASEPOINT_POINT;
use curve25519_dalek::traits::{IsIdentity, VartimeMultiscalarMul};

use crate::{Context, Element, Invalid, Scalar, Transcript};

/// A proof whose challenges have been drawn.
pub(crate) trait Equations {
    /// Binds the challenges and the responses.
    fn bind(&self, transcript: &mut Transcript);
    /// Adds every equation with its own weight.
    fn add(&self, weights: &mut Weights, sum: &mut Sum);
}

/// Checks one proof.
pub(crate) fn holds(proof: &impl Equations) -> Result<(), Invalid> {
    if all_hold(core::slice::from_ref(&proof)) { Ok(()) } else { Err(Invalid::Proof) }
}

/// Checks all of these; otherwise returns the places of those that fail, in order.
pub(crate) fn hold<E: Equations>(proofs: &[Result<E, Invalid>]) -> Result<(), Vec<usize>> {
    let sound: Vec<&E> = proofs.iter().flatten().collect();
    if sound.len() == proofs.len() && all_hold(&sound) {
        return Ok(());
    }
    let good = |proof: &Result<E, Invalid>| proof.as_ref().is_ok_and(|proof| all_hold(&[proof]));
    let bad: Vec<usize> = proofs.iter().enumerate().filter(|(_, proof)| !good(proof)).map(|(i, _)| i).collect();
    if bad.is_empty() { Ok(()) } else { Err(bad) }
}

fn all_hold<E: Equations>(proofs: &[&E]) -> bool {
    let mut transcript = Transcript::new("fairdeal/weights/v1", &Context::new([0; 32]));
    proofs.iter().for_each(|proof| proof.bind(&mut transcript));
    let mut weights = Weights { transcript, drawn: Vec::new() };
    let mut sum = Sum::default();
    proofs.iter().for_each(|proof| proof.add(&mut weights, &mut sum));
    sum.vanishes()
}

/// The weights, one after another.
pub(crate) struct Weights {
    transcript: Transcript,
    drawn: Vec<Scalar>,
}

impl Weights {
    /// The next one.
    pub(crate) fn next(&mut self) -> Scalar {
        loop {
            if let Some(weight) = self.drawn.pop() {
                return weight;
            }
            let output = self.transcript.output("weights");
            let (chunks, _) = output.as_chunks::<16>();
            self.drawn.extend(chunks.iter().map(|chunk| Scalar::from(u128::from_le_bytes(*chunk))));
        }
    }
}

/// A sum of multiples of elements. A repeated element costs nothing.
#[derive(Default)]
pub(crate) struct Sum {
    base: Scalar,
    scalars: Vec<Scalar>,
    points: Vec<RistrettoPoint>,
    places: BTreeMap<[u8; 32], usize>,
}

impl Sum {
    /// Adds a multiple of the base point.
    pub(crate) fn base(&mut self, scalar: Scalar) {
        self.base += scalar;
    }

    /// Adds a multiple of an element that may be repeated.
    pub(crate) fn add(&mut self, scalar: Scalar, element: &Element) {
        let place = *self.places.entry(*element.bytes()).or_insert(self.points.len());
        match self.scalars.get_mut(place) {
            Some(sum) => *sum += scalar,
            None => self.once(scalar, element),
        }
    }

    /// Adds a multiple of an element that is unlikely to be repeated.
    pub(crate) fn once(&mut self, scalar: Scalar, element: &Element) {
        self.scalars.push(scalar);
        self.points.push(*element.point());
    }

    fn vanishes(mut self) -> bool {
        self.scalars.push(self.base);
        self.points.push(RISTRETTO_BASEPOINT_POINT);
        RistrettoPoint::vartime_multiscalar_mul(&self.scalars, &self.points).is_identity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::elements;

    #[test]
    fn a_sum_does_not_depend_on_how_it_is_built() {
        let [a, b]: [Element; 2] = elements();
        let number = |number: u8| Scalar::from(number);
        let total =
            Element::from(a.point() * number(5) + b.point() * number(3) + RISTRETTO_BASEPOINT_POINT * number(4));
        for off in [0, 1] {
            let mut sum = Sum::default();
            sum.add(number(2), &a);
            sum.base(number(1));
            sum.once(number(1), &b);
            sum.add(number(3), &a);
            sum.add(number(1), &b);
            sum.base(number(3));
            sum.add(number(1), &b);
            sum.once(-number(1 + off), &total);
            assert_eq!(sum.vanishes(), off == 0);
        }
        assert!(Sum::default().vanishes());
    }

    #[test]
    fn weights_differ_and_depend_on_what_they_weigh() {
        let weights = |said: &[u8]| {
            let mut transcript = Transcript::new("test", &Context::new([0; 32]));
            transcript.bytes("said", said);
            let mut weights = Weights { transcript, drawn: Vec::new() };
            (0..40).map(|_| *weights.next().as_bytes()).collect::<Vec<_>>()
        };
        let mut all = [weights(b"this"), weights(b"that")].concat();
        assert!(all.iter().all(|weight| weight[16..] == [0; 16]), "they have 128 bits");
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 80);
    }
}
