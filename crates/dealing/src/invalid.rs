//! Why something that was proven to us is not believed.

use core::fmt;

/// Why a proof, or what it is about, is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Invalid {
    /// Its equations do not hold: it was made by somebody else, about something else, for another place, or
    /// not at all.
    Proof,
    /// The neutral element stands where a key or a fresh random element must.
    Identity,
    /// It is about another number of elements.
    Count {
        /// So many were to be proven.
        expected: usize,
        /// So many are there.
        got: usize,
    },
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Proof => f.write_str("the proof does not hold"),
            Self::Identity => f.write_str("the neutral element stands where it may not"),
            Self::Count { expected, got } => write!(f, "it is about {got} elements instead of {expected}"),
        }
    }
}

impl core::error::Error for Invalid {}
