//! Encrypt, shuffle, share, prove: dealing in points of a group, never in cards.

mod codec;
mod context;
mod element;
mod elgamal;
mod generators;
mod permutation;
mod secret;
pub mod shuffle;
mod transcript;

pub use codec::{Malformed, Reader, Wire, decode, encode, write_counted};
pub use context::Context;
pub use curve25519_dalek::{RistrettoPoint as Point, Scalar};
pub use element::Element;
pub use elgamal::{Ciphertext, Deck, LEAST_CARDS, MOST_CARDS, card_point};
pub use permutation::Permutation;
pub use secret::Secret;
pub use shuffle::{BadShuffle, ShuffleError, ShuffleProof, Step, shuffle, verify_chain, verify_shuffle};
pub use transcript::Transcript;
