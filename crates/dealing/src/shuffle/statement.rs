//! The transcript of a proof: what is bound, in which order, and the challenges drawn from it. The same for
//! prover and verifier.

use super::ShuffleProof;
use crate::generators::SET;
use crate::{Ciphertext, Context, Deck, Element, Scalar, Transcript};

/// The conversation of one proof.
pub(super) struct Conversation(Transcript);

impl Conversation {
    /// Binds the statement: where, how many cards, which generators, the key, both decks.
    pub(super) fn new(context: &Context, key: &Element, before: &Deck, after: &Deck) -> Self {
        let mut transcript = Transcript::new("fairdeal/shuffle/v1", context);
        transcript.number("n", before.len().into());
        transcript.bytes("generators", SET.as_bytes());
        transcript.element("Y", key);
        for (label, deck) in [("C", before), ("C'", after)] {
            transcript.elements(label, deck.iter().map(|card| &card.c1));
            transcript.elements(label, deck.iter().map(|card| &card.c2));
        }
        Self(transcript)
    }

    /// x, once the permutation is committed to.
    pub(super) fn x(&mut self, c_a: &Element) -> Scalar {
        self.0.element("c_A", c_a);
        self.0.challenge("x")
    }

    /// y and z, once the permuted powers of x are committed to.
    pub(super) fn y_z(&mut self, c_b: &Element) -> (Scalar, Scalar) {
        self.0.element("c_B", c_b);
        (self.0.challenge("y"), self.0.challenge("z"))
    }

    /// e, once all masks are fixed: `[c_d, c_δ, c_Δ, c_f]` and E_0.
    pub(super) fn e(&mut self, masks: [&Element; 4], e_0: &Ciphertext) -> Scalar {
        for (label, mask) in ["c_d", "c_delta", "c_Delta", "c_f"].into_iter().zip(masks) {
            self.0.element(label, mask);
        }
        self.0.element("E_0", &e_0.c1);
        self.0.element("E_0", &e_0.c2);
        self.0.challenge("e")
    }

    /// A hash of everything, including the responses.
    pub(super) fn end(mut self, proof: &ShuffleProof) -> [u8; 64] {
        for (label, responses) in [("a", &proof.a), ("b", &proof.b), ("f", &proof.f)] {
            self.0.scalars(label, responses.iter());
        }
        for (label, response) in [("r", &proof.r), ("s", &proof.s), ("t", &proof.t), ("tau", &proof.tau)] {
            self.0.scalar(label, response);
        }
        self.0.output("end")
    }
}
