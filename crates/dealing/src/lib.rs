//! Encrypt, shuffle, share, prove: dealing in points of a group, never in cards.

mod codec;
mod commit;
mod context;
mod element;
pub mod merkle;
mod secret;
mod transcript;

pub use codec::{Malformed, Reader, Wire, decode, encode, write_counted};
pub use commit::{Commitment, hash_fields};
pub use context::Context;
pub use curve25519_dalek::{RistrettoPoint as Point, Scalar};
pub use element::Element;
pub use secret::Secret;
pub use transcript::Transcript;
