//! Shuffles that prove themselves, and the multiplication that they are measured against.
//!
//! Checking begins with bytes, as decks and proofs come from others: about half of the time of a chain goes
//! into decoding points.

use std::cell::OnceCell;
use std::hint::black_box;
use std::rc::Rc;

use curve25519_dalek::traits::VartimeMultiscalarMul;
use dealing::{
    Context, Deck, Element, Permutation, Point, Scalar, Secret, ShuffleProof, Step, decode, encode, shuffle,
    verify_chain,
};
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;

use super::{Batch, Bench, Unit};

/// How many shuffles the longest chain has.
const LONGEST: u16 = 64;

/// What is measured of decks of one size.
struct Names {
    cards: u16,
    prove: &'static str,
    verify: &'static str,
    batch16: &'static str,
    batch64: &'static str,
    bytes: &'static str,
}

/// One pack, two with jokers, and a shoe of six.
const DECKS: &[Names] = &[
    Names {
        cards: 52,
        prove: "shuffle_prove_52_ms",
        verify: "shuffle_verify_52_ms",
        batch16: "shuffle_batch16_52_ms",
        batch64: "shuffle_batch64_52_ms",
        bytes: "shuffle_proof_52_bytes",
    },
    Names {
        cards: 110,
        prove: "shuffle_prove_110_ms",
        verify: "shuffle_verify_110_ms",
        batch16: "shuffle_batch16_110_ms",
        batch64: "shuffle_batch64_110_ms",
        bytes: "shuffle_proof_110_bytes",
    },
    Names {
        cards: 312,
        prove: "shuffle_prove_312_ms",
        verify: "shuffle_verify_312_ms",
        batch16: "shuffle_batch16_312_ms",
        batch64: "shuffle_batch64_312_ms",
        bytes: "shuffle_proof_312_bytes",
    },
];

pub(super) fn benches() -> impl Iterator<Item = Bench> {
    let msm =
        Bench { name: "msm_208_us".to_owned(), unit: Unit::Microseconds, ready: Box::new(|| Ok(multiplication(208))) };
    std::iter::once(msm).chain(DECKS.iter().flat_map(shuffles))
}

/// A sum of this many multiples of points, in variable time: the yardstick of everything below.
fn multiplication(len: usize) -> Batch {
    let rng = &mut generator();
    let points: Vec<Point> = (0..len).map(|_| Point::random(rng)).collect();
    let scalars: Vec<Scalar> = (0..len).map(|_| Scalar::random(rng)).collect();
    Box::new(move || {
        black_box(Point::vartime_multiscalar_mul(&scalars, black_box(&points)));
        Ok(1)
    })
}

fn shuffles(names: &Names) -> [Bench; 5] {
    let cards = names.cards;
    // The longest chain takes seconds to make: only if it is asked for, and once for all figures.
    let chain: Rc<OnceCell<Result<Rc<Chain>, String>>> = Rc::default();
    let verify = |name: &str, steps| {
        let chain = Rc::clone(&chain);
        let ready = move || -> Result<Batch, String> {
            let chain = chain.get_or_init(|| Chain::new(cards, LONGEST).map(Rc::new)).clone()?;
            Ok(Box::new(move || chain.verify(steps).map(|()| 1)))
        };
        Bench { name: name.to_owned(), unit: Unit::Milliseconds, ready: Box::new(ready) }
    };
    let bytes = move || -> Result<Batch, String> {
        let size = Chain::new(cards, 1)?.steps.first().map_or(0, |(_, proof)| proof.len());
        Ok(Box::new(move || u64::try_from(size).map_err(|e| e.to_string())))
    };
    [
        Bench { name: names.prove.to_owned(), unit: Unit::Milliseconds, ready: Box::new(move || prove(cards)) },
        verify(names.verify, 1),
        verify(names.batch16, 16),
        verify(names.batch64, LONGEST.into()),
        Bench { name: names.bytes.to_owned(), unit: Unit::Size("bytes"), ready: Box::new(bytes) },
    ]
}

fn prove(cards: u16) -> Result<Batch, String> {
    let Chain { key, first, .. } = Chain::new(cards, 0)?;
    let mut rng = generator();
    Ok(Box::new(move || {
        let permutation = Permutation::sample(cards, &mut rng);
        let shuffled = shuffle(&context(0), &key, &first, &permutation, &mut rng);
        black_box(shuffled.map_err(|e| e.to_string())?);
        Ok(1)
    }))
}

/// Shuffles of one pack, one after the other: the decks and proofs as bytes.
struct Chain {
    key: Element,
    first: Deck,
    steps: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Chain {
    /// Begins with cards that are encrypted already, as most shuffles do.
    fn new(cards: u16, len: u16) -> Result<Self, String> {
        let rng = &mut generator();
        let key = Secret::random(rng).public();
        let mut next = |step, deck: &Deck| {
            let permutation = Permutation::sample(cards, rng);
            shuffle(&context(step), &key, deck, &permutation, rng).map_err(|e| e.to_string())
        };
        let (first, _) = next(0, &Deck::fresh(b"bench", cards).map_err(|e| e.to_string())?)?;
        let mut deck = first.clone();
        let mut steps = Vec::new();
        for step in 0..len {
            let (after, proof) = next(step, &deck)?;
            steps.push((encode(&after), proof.to_bytes()));
            deck = after;
        }
        Ok(Self { key, first, steps })
    }

    /// Decodes and checks its first steps.
    fn verify(&self, steps: usize) -> Result<(), String> {
        let decoded: Result<Vec<(Deck, ShuffleProof)>, dealing::Malformed> = (self.steps.iter().take(steps))
            .map(|(deck, proof)| Ok((decode(deck)?, ShuffleProof::from_bytes(proof)?)))
            .collect();
        let decoded = decoded.map_err(|e| e.to_string())?;
        let steps: Vec<Step<'_>> = (0..LONGEST)
            .zip(&decoded)
            .map(|(step, (deck, proof))| Step { context: context(step), deck, proof })
            .collect();
        verify_chain(&self.key, &self.first, &steps).map_err(|(step, bad)| format!("step {step}: {bad}"))
    }
}

fn context(step: u16) -> Context {
    Context::new([7; 32]).step(step.into()).author(step)
}

fn generator() -> ChaCha20Rng {
    ChaCha20Rng::from_seed([7; 32])
}
