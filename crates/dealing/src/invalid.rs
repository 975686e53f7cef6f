//! Why a proof is rejected.

use core::fmt;

/// Why a proof, or its statement, is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Invalid {
    /// Its equations do not hold: it has another author, another statement or another context, or is made up.
    Proof,
    /// The neutral element in place of a key or a fresh random element.
    Identity,
    /// It is about another number of elements.
    Count {
        /// How many should be proven.
        expected: usize,
        /// How many there are.
        got: usize,
    },
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Proof => f.write_str("the proof does not hold"),
            Self::Identity => f.write_str("the neutral element is not allowed there"),
            Self::Count { expected, got } => write!(f, "the proof covers {got} elements instead of {expected}"),
        }
    }
}

impl core::error::Error for Invalid {}
