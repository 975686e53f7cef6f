//! Shuffles that prove themselves: the output is the input, permuted and re-encrypted, and nobody learns how.

mod chain;
mod proof;
mod prove;
mod statement;
#[cfg(test)]
mod tests;
mod verify;

pub use chain::{Step, verify_chain};
pub use proof::ShuffleProof;
pub use prove::{ShuffleError, shuffle};
pub use verify::{BadShuffle, verify_shuffle};
