//! A secret key that needs a passphrase (NIP-49, `ncryptsec1…`).
//!
//! The passphrase, in Unicode's form NFKC, makes a key by scrypt, and that key seals the secret with
//! XChaCha20-Poly1305. How much memory and time scrypt takes is in the text itself, so a limit is checked first.

use core::fmt;

use chacha20poly1305::aead::{Aead as _, KeyInit as _, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use unicode_normalization::UnicodeNormalization as _;
use zeroize::Zeroizing;

use crate::{BadKey, KeyKind, Secret};

const VERSION: u8 = 2;
/// Whether the key was ever seen unprotected is not tracked.
const NOT_TRACKED: u8 = 2;
/// 2 to this power: 64 MiB and about a tenth of a second.
pub const EFFORT: u8 = 16;
/// More than 1 GiB is refused.
pub const MOST_EFFORT: u8 = 20;
/// Nobody types a longer passphrase, and normalising it takes time.
pub const LONGEST_PASSPHRASE: usize = 1024;

const SALT: usize = 16;
const NONCE: usize = 24;
const SEALED: usize = 48;
const LENGTH: usize = 2 + SALT + NONCE + 1 + SEALED;

/// What protecting a key needs at random.
#[derive(Clone, Copy, Debug)]
pub struct Fresh {
    /// For scrypt.
    pub salt: [u8; SALT],
    /// For the cipher.
    pub nonce: [u8; NONCE],
}

/// Why a protected key cannot be opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Locked {
    /// It is no protected key.
    BadKey(BadKey),
    /// Another version of the format than the one known here.
    Version(u8),
    /// It takes more memory than is allowed: 2 to this power KiB.
    TooExpensive(u8),
    /// The passphrase is too long.
    LongPassphrase,
    /// The passphrase is wrong, or the text was changed.
    WrongPassphrase,
}

/// Seals a secret; 2 to the power of `effort` is what trying one passphrase costs in KiB of memory.
pub fn protect(secret: &Secret, passphrase: &str, effort: u8, fresh: &Fresh) -> Result<String, Locked> {
    let key = key(passphrase, effort, &fresh.salt)?;
    let payload = Payload { msg: secret.bytes(), aad: &[NOT_TRACKED] };
    let sealed =
        cipher(&key).encrypt(&XNonce::from(fresh.nonce), payload).map_err(|_| Locked::BadKey(BadKey::Value))?;
    let mut bytes = Vec::with_capacity(LENGTH);
    bytes.extend([VERSION, effort]);
    bytes.extend(fresh.salt);
    bytes.extend(fresh.nonce);
    bytes.push(NOT_TRACKED);
    bytes.extend(sealed);
    Ok(KeyKind::Ncryptsec.encode(&bytes))
}

/// Opens what [`protect`], or another NOSTR program, has sealed.
pub fn open(text: &str, passphrase: &str) -> Result<Secret, Locked> {
    let bytes = KeyKind::Ncryptsec.decode(text).map_err(Locked::BadKey)?;
    let short = Locked::BadKey(BadKey::Value);
    let ([version, effort], rest) = bytes.split_first_chunk().ok_or(short)?;
    if *version != VERSION {
        return Err(Locked::Version(*version));
    }
    let (salt, rest) = rest.split_first_chunk::<SALT>().ok_or(short)?;
    let (nonce, rest) = rest.split_first_chunk::<NONCE>().ok_or(short)?;
    let (tracked, sealed) = rest.split_first_chunk::<1>().ok_or(short)?;
    if sealed.len() != SEALED {
        return Err(short);
    }
    let key = key(passphrase, *effort, salt)?;
    let payload = Payload { msg: sealed, aad: tracked };
    let secret = cipher(&key).decrypt(&XNonce::from(*nonce), payload).map_err(|_| Locked::WrongPassphrase)?;
    let secret = Zeroizing::new(secret);
    let mut bytes = Zeroizing::new([0; 32]);
    if secret.len() != bytes.len() {
        return Err(short);
    }
    bytes.copy_from_slice(&secret);
    Secret::from_bytes(&bytes).map_err(|_| short)
}

fn cipher(key: &[u8; 32]) -> XChaCha20Poly1305 {
    XChaCha20Poly1305::new(key.into())
}

fn key(passphrase: &str, effort: u8, salt: &[u8; SALT]) -> Result<Zeroizing<[u8; 32]>, Locked> {
    if passphrase.len() > LONGEST_PASSPHRASE {
        return Err(Locked::LongPassphrase);
    }
    if !(1..=MOST_EFFORT).contains(&effort) {
        return Err(Locked::TooExpensive(effort));
    }
    let params = scrypt::Params::new(effort, 8, 1).map_err(|_| Locked::TooExpensive(effort))?;
    let passphrase: Zeroizing<String> = Zeroizing::new(passphrase.nfkc().collect());
    let mut key = Zeroizing::new([0; 32]);
    scrypt::scrypt(passphrase.as_bytes(), salt, &params, &mut *key).map_err(|_| Locked::TooExpensive(effort))?;
    Ok(key)
}

impl fmt::Display for Locked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadKey(why) => write!(f, "{why}"),
            Self::Version(version) => write!(f, "it is protected by version {version} of NIP-49, not {VERSION}"),
            Self::TooExpensive(effort) => {
                write!(f, "opening it would take 2^{effort} KiB of memory; 2^1 to 2^{MOST_EFFORT} are allowed")
            }
            Self::LongPassphrase => write!(f, "a passphrase has at most {LONGEST_PASSPHRASE} bytes"),
            Self::WrongPassphrase => f.write_str("the passphrase is wrong"),
        }
    }
}

impl std::error::Error for Locked {}
