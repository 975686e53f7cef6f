//! Encrypt, shuffle, share, prove: dealing in points of a group, never in cards.

pub mod beacon;
mod codec;
mod commit;
mod context;
mod derive;
pub mod dkg;
mod element;
mod elgamal;
mod equality;
mod equations;
mod generators;
mod invalid;
mod knowledge;
mod lagrange;
pub mod merkle;
mod multiples;
mod nonce;
mod permutation;
mod sealed;
mod secret;
mod shares;
pub mod shuffle;
#[cfg(test)]
mod testing;
mod transcript;

pub use codec::{Malformed, Reader, Wire, decode, encode, write_counted};
pub use commit::{Commitment, hash_fields};
pub use context::Context;
pub use curve25519_dalek::{RistrettoPoint as Point, Scalar};
pub use derive::HandKey;
pub use element::Element;
pub use elgamal::{Ciphertext, Deck, LEAST_CARDS, MOST_CARDS, card_point};
pub use invalid::Invalid;
pub use knowledge::Knowledge;
pub use lagrange::{combine, lagrange};
pub use permutation::Permutation;
pub use sealed::{ClaimedSealed, Sealed, seal, sealed_sum, verify_sealed};
pub use secret::Secret;
pub use shares::{Claimed, MOST_SHARES, Shares, share, verify_shares};
pub use shuffle::{BadShuffle, ShuffleError, ShuffleProof, Step, shuffle, verify_chain, verify_shuffle};
pub use transcript::Transcript;
