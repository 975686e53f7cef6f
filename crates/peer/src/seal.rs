//! The table's key: what it seals, and what follows from it.
//!
//! Everybody at a private table knows its key; the hub does not. The key seals every body (XChaCha20-Poly1305, a
//! random nonce each). Three things are derived from it: the sealing key, the table's [id](TableId), and a key pair
//! that proves knowledge of the ticket to a hub without telling it anything ([`TableKey::access`]).
//!
//! Bodies are padded to a few sizes, so that their length says what kind of message it is and nothing about the
//! cards in it.

use core::fmt;

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use results::Secret;
use zeroize::Zeroizing;

use crate::hash::hash;

/// The longest body: the shuffle of the largest deck.
pub const MOST_BODY: usize = 88 * 1024;
/// The longest sealed body.
pub const MOST_SEALED: usize = MOST_BODY + STEP + ADDED;
/// What sealing adds to a padded body: the nonce and the tag.
const ADDED: usize = NONCE + 16;
const NONCE: usize = 24;
/// Long bodies are padded to a multiple of this.
const STEP: usize = 1024;

/// The secret that a ticket carries.
#[derive(Clone, PartialEq, Eq)]
pub struct TableKey(Zeroizing<[u8; 32]>);

/// Identifies a table. Says nothing about its key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(pub [u8; 32]);

/// Sealed bytes that this key does not open: damaged, forged, or sealed for another place in the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unopened;

impl TableKey {
    /// A key of these random bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    /// Its bytes, for a ticket or a file that only its owner can read.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The table it belongs to.
    pub fn table(&self) -> TableId {
        TableId(hash("table", &[&*self.0]))
    }

    /// The key pair that proves knowledge of the ticket.
    pub fn access(&self) -> Secret {
        // A hash is not a valid key once in 2^128 cases; the next one is taken then.
        (0..u8::MAX)
            .find_map(|again| {
                let bytes = Zeroizing::new(hash("access", &[&*self.0, &[again]]));
                Secret::from_bytes(&bytes).ok()
            })
            .expect("one of 255 hashes is a valid key")
    }

    /// Seals a body for one place: `about` is bound to it, so it opens nowhere else.
    pub fn seal(&self, nonce: [u8; NONCE], about: &[u8], body: &[u8]) -> Vec<u8> {
        let padded = Zeroizing::new(pad(body));
        let payload = Payload { msg: &padded, aad: about };
        let sealed = self.cipher().encrypt(&XNonce::from(nonce), payload).expect("a body is never too long to seal");
        [&nonce[..], &sealed].concat()
    }

    /// Opens what was sealed for this place.
    pub fn open(&self, about: &[u8], sealed: &[u8]) -> Result<Vec<u8>, Unopened> {
        if sealed.len() > MOST_SEALED {
            return Err(Unopened);
        }
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE>().ok_or(Unopened)?;
        let payload = Payload { msg: sealed, aad: about };
        let padded = self.cipher().decrypt(&XNonce::from(*nonce), payload).map_err(|_| Unopened)?;
        unpad(padded).ok_or(Unopened)
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        let key = Zeroizing::new(hash("seal", &[&*self.0]));
        XChaCha20Poly1305::new((&*key).into())
    }
}

impl fmt::Debug for TableKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TableKey(..)")
    }
}

/// In hexadecimal.
impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TableId({self})")
    }
}

impl fmt::Display for Unopened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this cannot be opened with the table's key")
    }
}

impl core::error::Error for Unopened {}

/// The body after its length, and zeros up to one of the sizes.
fn pad(body: &[u8]) -> Vec<u8> {
    let len = u32::try_from(body.len()).unwrap_or(u32::MAX);
    let mut padded = Vec::with_capacity(padded_len(body.len()));
    padded.extend_from_slice(&len.to_le_bytes());
    padded.extend_from_slice(body);
    padded.resize(padded_len(body.len()), 0);
    padded
}

/// 128, 256, 512 or a multiple of 1,024 bytes.
fn padded_len(body: usize) -> usize {
    let least = body.saturating_add(4);
    if least <= STEP / 2 { least.next_power_of_two().max(128) } else { least.next_multiple_of(STEP) }
}

fn unpad(mut padded: Vec<u8>) -> Option<Vec<u8>> {
    let (len, rest) = padded.split_first_chunk::<4>()?;
    let len = usize::try_from(u32::from_le_bytes(*len)).ok()?;
    let zeros = rest.get(len..)?;
    // Every body has one padded form.
    if padded.len() != padded_len(len) || zeros.iter().any(|byte| *byte != 0) {
        return None;
    }
    padded.drain(..4);
    padded.truncate(len);
    Some(padded)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> TableKey {
        TableKey::new([7; 32])
    }

    #[test]
    fn a_sealed_body_opens_with_its_key_in_its_place_and_nowhere_else() {
        let sealed = key().seal([1; 24], b"here", b"a secret");
        assert_eq!(key().open(b"here", &sealed).as_deref(), Ok(&b"a secret"[..]));
        assert_eq!(key().open(b"there", &sealed), Err(Unopened));
        assert_eq!(TableKey::new([8; 32]).open(b"here", &sealed), Err(Unopened));
        for place in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[place] ^= 1;
            assert_eq!(key().open(b"here", &changed), Err(Unopened), "byte {place}");
        }
        assert_eq!(key().open(b"here", &[]), Err(Unopened));
    }

    #[test]
    fn lengths_say_little() {
        let len = |body: usize| key().seal([1; 24], b"", &vec![3; body]).len() - ADDED;
        assert_eq!([len(0), len(1), len(124), len(125), len(252), len(253)], [128, 128, 128, 256, 256, 512]);
        assert_eq!([len(508), len(509), len(1020), len(1021)], [512, 1024, 1024, 2048]);
        assert!(key().open(b"", &key().seal([1; 24], b"", &vec![0; MOST_BODY])).is_ok());
    }

    #[test]
    fn padding_has_one_form() {
        let wrong = |padded: &[u8]| unpad(padded.to_vec());
        let right = pad(b"abc");
        assert_eq!(wrong(&right).as_deref(), Some(&b"abc"[..]));
        let mut dirty = right.clone();
        dirty[100] = 1;
        assert_eq!(wrong(&dirty), None, "something is in the padding");
        assert_eq!(wrong(&[&right[..], &[0; 128]].concat()), None, "more padding than needed");
        assert_eq!(wrong(&[255, 255, 255, 255, 0]), None, "a length beyond the end");
        assert_eq!(wrong(&[]), None);
    }

    #[test]
    fn nothing_shown_to_a_hub_tells_the_key() {
        assert_eq!(format!("{:?}", key()), "TableKey(..)");
        assert_ne!(key().table().0, *key().bytes());
        assert_eq!(key().access().public(), key().access().public());
        assert_ne!(key().access().public(), TableKey::new([8; 32]).access().public());
    }
}
