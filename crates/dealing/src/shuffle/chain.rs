//! Many shuffles, each of the previous one's deck, checked in one multiplication.

use core::iter::once;
use std::collections::BTreeSet;

use curve25519_dalek::constants::RISTRETTO_BASEPOINT_POINT;
use curve25519_dalek::traits::{IsIdentity, VartimeMultiscalarMul};

use super::prove::powers;
use super::statement::Conversation;
use super::{BadShuffle, ShuffleProof};
use crate::generators::Generators;
use crate::{Context, Deck, Element, Point, Scalar, Transcript};

/// One shuffle of a chain: the resulting deck and the proof.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// Its place and author.
    pub context: Context,
    /// The resulting deck.
    pub deck: &'a Deck,
    /// Proof that this is the previous deck, permuted and re-encrypted.
    pub proof: &'a ShuffleProof,
}

/// Checks a chain of shuffles that starts from `first`. On failure, says which step is the first bad one, and
/// why.
pub fn verify_chain(key: &Element, first: &Deck, steps: &[Step<'_>]) -> Result<(), (usize, BadShuffle)> {
    if verify_at_once(key, first, steps).is_ok() {
        return Ok(());
    }
    // Somebody lied. Check one by one to see who was first.
    for (i, (before, step)) in decks(first, steps).zip(steps).enumerate() {
        verify_at_once(key, before, core::slice::from_ref(step)).map_err(|bad| (i, bad))?;
    }
    Ok(())
}

/// All equations of all steps at once.
fn verify_at_once(key: &Element, first: &Deck, steps: &[Step<'_>]) -> Result<(), BadShuffle> {
    let mut challenges = Vec::with_capacity(steps.len());
    let mut ends = Vec::with_capacity(steps.len());
    for (before, step) in decks(first, steps).zip(steps) {
        check_shape(key, before, step)?;
        let (drawn, end) = Challenges::draw(key, before, step);
        challenges.push(drawn);
        ends.push(end);
    }
    if equations_hold(key, first, steps, &challenges, weights(&ends)) { Ok(()) } else { Err(BadShuffle::Proof) }
}

/// The weights of the equations, five for each step, hashed from the whole transcripts of all steps.
pub(super) fn weights(ends: &[[u8; 64]]) -> impl FnMut() -> [Scalar; 5] {
    let mut transcript = Transcript::new("fairdeal/shuffle/weights/v1", &Context::new([0; 32]));
    ends.iter().for_each(|end| transcript.bytes("step", end));
    move || [(); 5].map(|()| short(&transcript.output("weight")))
}

/// Whether the equations hold, weighted and added up.
pub(super) fn equations_hold(
    key: &Element,
    first: &Deck,
    steps: &[Step<'_>],
    challenges: &[Challenges],
    mut weigh: impl FnMut() -> [Scalar; 5],
) -> bool {
    let mut sum = Sum::new(usize::from(first.len()), steps.len());
    for (i, (step, challenges)) in steps.iter().zip(challenges).enumerate() {
        sum.add(i, step.proof, challenges, weigh());
    }
    sum.is_zero(key, decks(first, steps))
}

/// The decks before and after every step.
fn decks<'a>(first: &'a Deck, steps: &'a [Step<'_>]) -> impl Iterator<Item = &'a Deck> {
    once(first).chain(steps.iter().map(|step| step.deck))
}

/// The checks that need no equation.
fn check_shape(key: &Element, before: &Deck, step: &Step<'_>) -> Result<(), BadShuffle> {
    if key.is_identity() {
        return Err(BadShuffle::Key);
    }
    if before.len() != step.deck.len() || step.proof.cards() != usize::from(before.len()) {
        return Err(BadShuffle::Length);
    }
    let mut seen: BTreeSet<&[u8; 32]> = before.iter().map(|card| card.c1.bytes()).collect();
    for (place, card) in (0..).zip(step.deck) {
        if card.c1.is_identity() {
            return Err(BadShuffle::Open { place });
        }
        if !seen.insert(card.c1.bytes()) {
            return Err(BadShuffle::Stale { place });
        }
    }
    Ok(())
}

/// The challenges of one step.
pub(super) struct Challenges {
    pub(super) x: Scalar,
    pub(super) y: Scalar,
    pub(super) z: Scalar,
    pub(super) e: Scalar,
}

impl Challenges {
    /// Draws them again as the author did, and returns a hash of the transcript.
    pub(super) fn draw(key: &Element, before: &Deck, step: &Step<'_>) -> (Self, [u8; 64]) {
        let proof = step.proof;
        let mut conversation = Conversation::new(&step.context, key, before, step.deck);
        let x = conversation.x(&proof.c_a);
        let (y, z) = conversation.y_z(&proof.c_b);
        let e = conversation.e([&proof.c_d, &proof.c_delta, &proof.c_big_delta, &proof.c_f], &proof.e_0);
        (Self { x, y, z, e }, conversation.end(proof))
    }
}

/// The weighted equations: which multiple of which point they sum up.
struct Sum {
    h: Scalar,
    g: Vec<Scalar>,
    base: Scalar,
    key: Scalar,
    /// Both halves of every card of every deck, from the first one on.
    decks: Vec<Vec<[Scalar; 2]>>,
    commitments: Vec<(Scalar, Point)>,
}

impl Sum {
    fn new(cards: usize, steps: usize) -> Self {
        Self {
            h: Scalar::ZERO,
            g: vec![Scalar::ZERO; cards],
            base: Scalar::ZERO,
            key: Scalar::ZERO,
            decks: vec![vec![[Scalar::ZERO; 2]; cards]; steps + 1],
            commitments: Vec::with_capacity(8 * steps),
        }
    }

    /// Adds the five equations of a step.
    fn add(&mut self, step: usize, proof: &ShuffleProof, challenges: &Challenges, weights: [Scalar; 5]) {
        let Challenges { x, y, z, e } = challenges;
        let [w1, w2, w3, w4, w5] = weights;
        let powers: Vec<Scalar> = powers(*x).take(proof.cards()).collect();
        // b = Π (y·i + x^i - z), so b̃_n = e·b.
        let (_, product) = powers.iter().fold((-z, Scalar::ONE), |(shifted, product), power| {
            let shifted = shifted + y;
            (shifted, product * (shifted + power))
        });
        let last = e * product;
        let partial = || proof.a.iter().take(1).chain(&proof.b).chain(once(&last));

        // (1) e·(y·c_A + c_B - z·ΣG_i) + c_d = com(ã; r̃)   and   (3) e·c_B + c_f = com(f̃; t̃)
        let constant = w1 * e * z;
        for (g, (a, f)) in self.g.iter_mut().zip(proof.a.iter().zip(&proof.f)) {
            *g -= constant + w1 * a + w3 * f;
        }
        // (2) e·c_Δ + c_δ = com(e·b̃_(i+1) - b̃_i·ã_(i+1); s̃)
        let w2_e = w2 * e;
        let neighbours = partial().zip(partial().skip(1)).zip(proof.a.iter().skip(1));
        for (g, ((b, b_next), a_next)) in self.g.iter_mut().zip(neighbours) {
            *g -= w2_e * b_next - w2 * b * a_next;
        }
        self.h -= w1 * proof.r + w2 * proof.s + w3 * proof.t;

        // (4), (5) e·Σ x^i·C_i + E_0 = τ̃·(B, Y) + Σ f̃_i·C'_i
        let (w4_e, w5_e) = (w4 * e, w5 * e);
        if let Some([before, after]) = self.decks.get_mut(step..).and_then(|decks| decks.first_chunk_mut()) {
            for ([c1, c2], power) in before.iter_mut().zip(&powers) {
                *c1 += w4_e * power;
                *c2 += w5_e * power;
            }
            for ([c1, c2], f) in after.iter_mut().zip(&proof.f) {
                *c1 -= w4 * f;
                *c2 -= w5 * f;
            }
        }
        self.base -= w4 * proof.tau;
        self.key -= w5 * proof.tau;
        self.commitments.extend([
            (w1 * e * y, *proof.c_a.point()),
            ((w1 + w3) * e, *proof.c_b.point()),
            (w1, *proof.c_d.point()),
            (w2, *proof.c_delta.point()),
            (w2_e, *proof.c_big_delta.point()),
            (w3, *proof.c_f.point()),
            (w4, *proof.e_0.c1.point()),
            (w5, *proof.e_0.c2.point()),
        ]);
    }

    fn is_zero<'a>(&self, key: &Element, decks: impl Iterator<Item = &'a Deck>) -> bool {
        let generators = Generators::get();
        let fixed = [(self.h, generators.h), (self.base, RISTRETTO_BASEPOINT_POINT), (self.key, *key.point())];
        let vector = self.g.iter().copied().zip(generators.g().iter().copied());
        let cards = decks.zip(&self.decks).flat_map(|(deck, scalars)| deck.iter().zip(scalars));
        let halves = cards.flat_map(|(card, [s1, s2])| [(*s1, card.c1), (*s2, card.c2)]);
        // Open cards have no first half.
        let halves = halves.filter(|(_, half)| !half.is_identity()).map(|(scalar, half)| (scalar, *half.point()));
        let (scalars, points): (Vec<Scalar>, Vec<Point>) =
            fixed.into_iter().chain(vector).chain(halves).chain(self.commitments.iter().copied()).unzip();
        Point::vartime_multiscalar_mul(scalars, points).is_identity()
    }
}

/// A weight of 128 bits.
fn short(output: &[u8; 64]) -> Scalar {
    let (half, _) = output.split_first_chunk().expect("64 bytes are at least 16");
    Scalar::from(u128::from_le_bytes(*half))
}
