//! Texts that only one reader can read (NIP-44, version 2).
//!
//! Two keys share a point of the curve (Diffie–Hellman), from which a key for each text follows with its nonce: ChaCha20
//! encrypts the padded text, HMAC-SHA256 authenticates it. Somebody who has one of the two secrets can read and write.

use core::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit as _, StreamCipher as _};
use hmac::{Hmac, KeyInit as _, Mac as _};
use k256::elliptic_curve::PrimeField as _;
use k256::elliptic_curve::point::AffineCoordinates as _;
use k256::schnorr::VerifyingKey;
use k256::{ProjectivePoint, Scalar};
use results::{Public, Secret};
use sha2::Sha256;
use subtle::ConstantTimeEq as _;
use zeroize::Zeroizing;

/// The longest text.
pub const MOST_TEXT: usize = 65_535;
/// Version, nonce, the shortest padded text, and the code that authenticates it.
const LEAST: usize = 1 + 32 + 2 + 32 + 32;
const VERSION: u8 = 2;

/// What two keys share.
pub struct Shared(Zeroizing<[u8; 32]>);

/// Why a text cannot be encrypted or read. For readers it does not say more: it may be an attack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsealable {
    /// Empty, or longer than [`MOST_TEXT`].
    Length,
    /// Of another version.
    Version,
    /// Not for this key, changed, or nonsense.
    Wrong,
}

impl Shared {
    /// What the owner of this secret shares with the owner of that key.
    pub fn new(own: &Secret, other: &Public) -> Result<Self, Unsealable> {
        let point = VerifyingKey::from_slice(other.bytes()).map_err(|_| Unsealable::Wrong)?;
        let scalar = Scalar::from_repr((*own.bytes()).into()).into_option().ok_or(Unsealable::Wrong)?;
        let x = (ProjectivePoint::from(*point.as_affine()) * scalar).to_affine().x();
        Ok(Self(Zeroizing::new(mac(b"nip44-v2", &[&x]))))
    }

    /// Encrypts a text with a nonce that was never used before.
    pub fn encrypt(&self, text: &str, nonce: &[u8; 32]) -> Result<String, Unsealable> {
        let length = u16::try_from(text.len()).ok().filter(|length| *length > 0).ok_or(Unsealable::Length)?;
        let mut padded = Zeroizing::new(length.to_be_bytes().to_vec());
        padded.extend_from_slice(text.as_bytes());
        padded.resize(2 + padded_length(text.len()), 0);
        let keys = Keys::new(&self.0, nonce);
        keys.apply(&mut padded)?;
        let code = mac(keys.code.as_slice(), &[nonce, &padded]);
        let all: Vec<u8> = [&[VERSION][..], nonce, &padded, &code].concat();
        Ok(STANDARD.encode(all))
    }

    /// Reads a text.
    pub fn decrypt(&self, payload: &str) -> Result<Zeroizing<String>, Unsealable> {
        // NIP-44 reserves texts that begin so for versions that are not in base64.
        if payload.starts_with('#') {
            return Err(Unsealable::Version);
        }
        let all = STANDARD.decode(payload).map_err(|_| Unsealable::Wrong)?;
        if all.len() < LEAST {
            return Err(Unsealable::Wrong);
        }
        let (version, rest) = all.split_first().ok_or(Unsealable::Wrong)?;
        if *version != VERSION {
            return Err(Unsealable::Version);
        }
        let (nonce, rest) = rest.split_first_chunk::<32>().ok_or(Unsealable::Wrong)?;
        let (ciphertext, code) = rest.split_last_chunk::<32>().ok_or(Unsealable::Wrong)?;
        let keys = Keys::new(&self.0, nonce);
        if !bool::from(mac(keys.code.as_slice(), &[nonce, ciphertext]).ct_eq(code)) {
            return Err(Unsealable::Wrong);
        }
        let mut padded = Zeroizing::new(ciphertext.to_vec());
        keys.apply(&mut padded)?;
        let (length, rest) = padded.split_first_chunk::<2>().ok_or(Unsealable::Wrong)?;
        let length = usize::from(u16::from_be_bytes(*length));
        let text = rest.get(..length).filter(|text| !text.is_empty()).ok_or(Unsealable::Wrong)?;
        if rest.len() != padded_length(length) {
            return Err(Unsealable::Wrong);
        }
        core::str::from_utf8(text).map(|text| Zeroizing::new(text.to_owned())).map_err(|_| Unsealable::Wrong)
    }
}

/// The keys of one text.
struct Keys {
    cipher: Zeroizing<[u8; 32]>,
    nonce: [u8; 12],
    code: Zeroizing<[u8; 32]>,
}

impl Keys {
    /// HKDF-Expand (RFC 5869) to 76 bytes.
    fn new(shared: &[u8; 32], nonce: &[u8; 32]) -> Self {
        let one = Zeroizing::new(mac(shared, &[nonce, &[1]]));
        let two = Zeroizing::new(mac(shared, &[one.as_slice(), nonce, &[2]]));
        let three = Zeroizing::new(mac(shared, &[two.as_slice(), nonce, &[3]]));
        let (first, second) = two.split_at(12);
        let mut keys = Self { cipher: one, nonce: [0; 12], code: Zeroizing::new([0; 32]) };
        keys.nonce.copy_from_slice(first);
        let code = second.iter().chain(three.iter());
        keys.code.iter_mut().zip(code).for_each(|(to, from)| *to = *from);
        keys
    }

    fn apply(&self, text: &mut [u8]) -> Result<(), Unsealable> {
        let mut cipher = ChaCha20::new(&(*self.cipher).into(), &self.nonce.into());
        cipher.try_apply_keystream(text).map_err(|_| Unsealable::Length)
    }
}

fn mac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("every length is that of a key of HMAC");
    parts.iter().for_each(|part| mac.update(part));
    mac.finalize().into_bytes().into()
}

/// How long a text is after padding, so that its length says little.
fn padded_length(length: usize) -> usize {
    if length <= 32 {
        return 32;
    }
    let power = length.next_power_of_two();
    let chunk = if power <= 256 { 32 } else { power / 8 };
    length.div_ceil(chunk) * chunk
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Shared(..)")
    }
}

impl fmt::Display for Unsealable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length => write!(f, "a text to be encrypted has 1 to {MOST_TEXT} bytes"),
            Self::Version => f.write_str("it is encrypted in a way that this program does not know"),
            Self::Wrong => f.write_str("it is not for this key, or it was changed"),
        }
    }
}

impl std::error::Error for Unsealable {}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use table::record::{hex, unhex};

    use super::*;

    fn vectors() -> Value {
        serde_json::from_str(include_str!("../tests/data/nip44.json")).unwrap()
    }

    fn rows(part: &str) -> Vec<Vec<Value>> {
        serde_json::from_value(vectors()[part].clone()).unwrap()
    }

    fn bytes(value: &Value) -> [u8; 32] {
        unhex(value.as_str().unwrap()).unwrap().try_into().unwrap()
    }

    fn secret(value: &Value) -> Secret {
        value.as_str().unwrap().parse().unwrap()
    }

    #[test]
    fn the_published_texts_are_written_and_read() {
        let rows = rows("valid");
        assert_eq!(rows.len(), 10);
        for row in rows {
            let (one, two) = (secret(&row[0]), secret(&row[1]));
            let (text, payload) = (row[4].as_str().unwrap(), row[5].as_str().unwrap());
            let there = Shared::new(&one, &two.public()).unwrap();
            assert_eq!(hex(&*there.0), row[2].as_str().unwrap());
            assert_eq!(there.encrypt(text, &bytes(&row[3])).unwrap(), payload);
            let here = Shared::new(&two, &one.public()).unwrap();
            assert_eq!(&**here.decrypt(payload).unwrap(), text);
        }
    }

    #[test]
    fn the_published_shared_keys_are_found() {
        let rows = rows("keys");
        assert_eq!(rows.len(), 3);
        for row in rows {
            let shared = Shared::new(&secret(&row[0]), &row[1].as_str().unwrap().parse().unwrap()).unwrap();
            assert_eq!(hex(&*shared.0), row[2].as_str().unwrap());
        }
    }

    #[test]
    fn the_published_wrong_texts_are_refused() {
        let rows = rows("invalid");
        assert_eq!(rows.len(), 5);
        for row in rows {
            let shared = Shared(Zeroizing::new(bytes(&row[0])));
            assert!(shared.decrypt(row[1].as_str().unwrap()).is_err(), "{}", row[2]);
        }
    }

    #[test]
    fn the_published_lengths_are_padded_to() {
        for row in rows("padded") {
            let [length, padded] = [0, 1].map(|index| usize::try_from(row[index].as_u64().unwrap()).unwrap());
            assert_eq!(padded_length(length), padded);
        }
    }

    #[test]
    fn a_text_that_is_changed_anywhere_is_refused() {
        let [one, two] = [1, 2].map(|byte| Secret::from_bytes(&[byte; 32]).unwrap());
        let shared = Shared::new(&one, &two.public()).unwrap();
        let payload = shared.encrypt("secret", &[3; 32]).unwrap();
        let all = STANDARD.decode(&payload).unwrap();
        for index in 0..all.len() {
            let mut changed = all.clone();
            changed[index] ^= 1;
            assert!(shared.decrypt(&STANDARD.encode(changed)).is_err(), "{index}");
            assert!(shared.decrypt(&STANDARD.encode(&all[..index])).is_err(), "{index}");
        }
        let other = Shared::new(&one, &one.public()).unwrap();
        assert_eq!(other.decrypt(&payload), Err(Unsealable::Wrong));
        assert_eq!(shared.decrypt("#payload"), Err(Unsealable::Version));
    }

    #[test]
    fn texts_have_limits() {
        let one = Secret::from_bytes(&[1; 32]).unwrap();
        let shared = Shared::new(&one, &one.public()).unwrap();
        for (length, fits) in [(0, false), (1, true), (MOST_TEXT, true), (MOST_TEXT + 1, false)] {
            let payload = shared.encrypt(&"x".repeat(length), &[0; 32]);
            assert_eq!(payload.is_ok(), fits, "{length}");
            if let Ok(payload) = payload {
                assert_eq!(shared.decrypt(&payload).unwrap().len(), length);
            }
        }
    }
}
