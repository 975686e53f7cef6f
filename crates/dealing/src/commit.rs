//! Commitments by hash: they fix a decision before anybody can see it.
//!
//! A commitment hides a value behind 32 random bytes and binds its author to it. It also binds its purpose (the
//! label), its place (the session) and its author (the player), so that nobody can repeat another player's
//! commitment as their own, or their own elsewhere.

use core::fmt;

use sha2::{Digest, Sha256};

use crate::{Malformed, Reader, Wire};

/// The first field of what is hashed.
const DOMAIN: &[u8] = b"cg/v1/commit/";

/// A hash that fixes a value without showing it.
///
/// SHA-256 over six fields, each after its length (four bytes, lowest first): `cg/v1/commit/`, the label, the
/// session, the player, the committed value, and the nonce.
///
/// ```
/// use dealing::Commitment;
///
/// let of = |bet: &[u8]| Commitment::new("bet", &[7; 32], b"player 1", bet, &[9; 32]);
/// assert!(of(b"20") == of(b"20") && of(b"20") != of(b"50"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Commitment(pub [u8; 32]);

impl Commitment {
    /// Commits to `payload`. The nonce must be random, secret until the commitment is opened, and used
    /// once.
    pub fn new(label: &str, session: &[u8; 32], player: &[u8], payload: &[u8], nonce: &[u8; 32]) -> Self {
        Self(hash_fields(&[DOMAIN, label.as_bytes(), session, player, payload, nonce]))
    }
}

impl fmt::Debug for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, ..] = self.0;
        write!(f, "Commitment({a:02x}{b:02x}{c:02x}{d:02x}…)")
    }
}

impl Wire for Commitment {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        from.array().map(Self)
    }
}

/// SHA-256 over fields, each after its length (four bytes, lowest first), so that different lists of fields
/// never hash alike.
pub fn hash_fields(fields: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for field in fields {
        let length = u32::try_from(field.len()).expect("no field has four billion bytes");
        hash.update(length.to_le_bytes());
        hash.update(field);
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commitment() -> Commitment {
        Commitment::new("seed", &[1; 32], b"seat", b"payload", &[2; 32])
    }

    #[test]
    fn it_is_the_hash_of_its_fields_and_their_lengths() {
        // hashlib.sha256 over the fields, each after struct.pack('<I', len(field)).
        let expected = "600c4dfb204a63376afb6c1434a0e0eb093aeae40ca90820957e6c837bca8157";
        let hex: String = commitment().0.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, expected);
    }

    #[test]
    fn every_field_is_bound() {
        let others = [
            Commitment::new("seeds", &[1; 32], b"seat", b"payload", &[2; 32]),
            Commitment::new("seed", &[3; 32], b"seat", b"payload", &[2; 32]),
            Commitment::new("seed", &[1; 32], b"eat", b"payload", &[2; 32]),
            Commitment::new("seed", &[1; 32], b"seat", b"payloads", &[2; 32]),
            Commitment::new("seed", &[1; 32], b"seat", b"payload", &[3; 32]),
            // Moving bytes from one field to the next changes the hash.
            Commitment::new("seed", &[1; 32], b"seatp", b"ayload", &[2; 32]),
        ];
        for other in others {
            assert_ne!(other, commitment());
        }
    }
}
