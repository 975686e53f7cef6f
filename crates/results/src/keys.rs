//! Who somebody is: a NOSTR key pair, and signatures with it.
//!
//! A [`Secret`] signs 32-byte hashes as BIP-340 says; a [`Public`] is the x coordinate that NOSTR calls a public key.
//! People see keys as `nsec1…` and `npub1…` (NIP-19) or as hexadecimal digits; a secret with a passphrase is in
//! [`protected`](crate::protected).

use core::fmt;
use core::str::FromStr;

use bech32::primitives::decode::CheckedHrpstring;
use bech32::{Bech32, Hrp};
use k256::schnorr;
use table::record::{hex, unhex};
use zeroize::Zeroizing;

/// No key in text form is longer than a protected one, with some room for what is wrong with it.
pub(crate) const LONGEST_KEY: usize = 200;

/// A secret key. It is erased from memory when dropped, and never printed.
#[derive(Clone)]
pub struct Secret {
    /// As it was given: the signer may hold the negative, which signs the same.
    bytes: Zeroizing<[u8; 32]>,
    signer: schnorr::SigningKey,
}

/// A public key: the identity of a player or a station.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Public([u8; 32]);

/// A signature by BIP-340.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signature(pub [u8; 64]);

/// The bytes are no key: zero, too large, or not on the curve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoKey;

/// Why a text is no key. Nothing of the text is repeated: it may be a secret.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadKey {
    /// Longer than any key.
    TooLong,
    /// It begins like a key of this kind but has a typing error.
    Checksum,
    /// A key, but of another kind: it begins with this, and should begin with that.
    Kind {
        /// How it begins.
        found: KeyKind,
        /// How it should begin.
        wanted: KeyKind,
    },
    /// Neither bech32 nor 64 hexadecimal digits.
    Form,
    /// The right form, but no key of the curve.
    Value,
}

/// What a text says that it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyKind {
    /// A public key.
    Npub,
    /// A secret key.
    Nsec,
    /// A secret key with a passphrase.
    Ncryptsec,
}

impl KeyKind {
    const ALL: [Self; 3] = [Self::Npub, Self::Nsec, Self::Ncryptsec];

    /// The part before the `1`.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Npub => "npub",
            Self::Nsec => "nsec",
            Self::Ncryptsec => "ncryptsec",
        }
    }

    /// How this text begins; `None` for hexadecimal digits and anything else.
    pub fn of(text: &str) -> Option<Self> {
        let (prefix, _) = text.split_once('1')?;
        Self::ALL.into_iter().find(|kind| kind.prefix().eq_ignore_ascii_case(prefix))
    }

    /// Bytes as bech32 with this prefix.
    pub(crate) fn encode(self, bytes: &[u8]) -> String {
        let prefix = Hrp::parse(self.prefix()).expect("the prefixes are short and made of letters");
        bech32::encode_lower::<Bech32>(prefix, bytes).expect("keys are shorter than bech32 allows")
    }

    /// The bytes of a bech32 text with this prefix.
    pub(crate) fn decode(self, text: &str) -> Result<Zeroizing<Vec<u8>>, BadKey> {
        if text.len() > LONGEST_KEY {
            return Err(BadKey::TooLong);
        }
        match Self::of(text) {
            None => return Err(BadKey::Form),
            Some(found) if found != self => return Err(BadKey::Kind { found, wanted: self }),
            Some(_) => {}
        }
        let checked = CheckedHrpstring::new::<Bech32>(text).map_err(|_| BadKey::Checksum)?;
        Ok(Zeroizing::new(checked.byte_iter().collect()))
    }
}

/// 32 bytes from bech32 of this kind, or from 64 hexadecimal digits.
fn read(kind: KeyKind, text: &str) -> Result<Zeroizing<[u8; 32]>, BadKey> {
    if text.len() > LONGEST_KEY {
        return Err(BadKey::TooLong);
    }
    let digits = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let bytes = if digits {
        let lower = Zeroizing::new(text.to_ascii_lowercase());
        Zeroizing::new(unhex(&lower).ok_or(BadKey::Form)?)
    } else {
        kind.decode(text)?
    };
    let mut key = Zeroizing::new([0; 32]);
    if bytes.len() != key.len() {
        return Err(BadKey::Value);
    }
    key.copy_from_slice(&bytes);
    Ok(key)
}

impl Secret {
    /// From 32 random bytes. Almost all are a key; for the others, take new ones.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, NoKey> {
        let signer = schnorr::SigningKey::from_slice(bytes).map_err(|_| NoKey)?;
        Ok(Self { bytes: Zeroizing::new(*bytes), signer })
    }

    /// The identity that this secret proves.
    pub fn public(&self) -> Public {
        Public(self.signer.verifying_key().to_bytes().into())
    }

    /// Signs a hash. `aux` is fresh randomness; signing stays secure without, but is harder to attack with it.
    pub fn sign(&self, hash: &[u8; 32], aux: &[u8; 32]) -> Signature {
        let signed = self.signer.sign_raw(hash, aux);
        Signature(signed.expect("only a hash of zero cannot be used, and nobody has seen one").to_bytes())
    }

    /// The bytes, for storing and for [`protected`](crate::protected).
    pub fn bytes(&self) -> &[u8; 32] {
        &self.bytes
    }

    /// As `nsec1…`.
    pub fn nsec(&self) -> Zeroizing<String> {
        Zeroizing::new(KeyKind::Nsec.encode(self.bytes()))
    }

    /// As 64 hexadecimal digits.
    pub fn hex(&self) -> Zeroizing<String> {
        Zeroizing::new(hex(self.bytes()))
    }
}

/// From `nsec1…` or 64 hexadecimal digits.
impl FromStr for Secret {
    type Err = BadKey;

    fn from_str(text: &str) -> Result<Self, BadKey> {
        Self::from_bytes(&*read(KeyKind::Nsec, text)?).map_err(|NoKey| BadKey::Value)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

impl Public {
    /// From the x coordinate of a point of the curve.
    pub fn from_bytes(bytes: [u8; 32]) -> Result<Self, NoKey> {
        schnorr::VerifyingKey::from_slice(&bytes).map(|_| Self(bytes)).map_err(|_| NoKey)
    }

    /// The x coordinate.
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Whether this key has signed this hash.
    pub fn verify(&self, hash: &[u8; 32], signature: &Signature) -> bool {
        let key = schnorr::VerifyingKey::from_slice(&self.0);
        let signature = schnorr::Signature::from_bytes(&signature.0);
        matches!((key, signature), (Ok(key), Ok(signature)) if key.verify_raw(hash, &signature).is_ok())
    }

    /// As `npub1…`.
    pub fn npub(&self) -> String {
        KeyKind::Npub.encode(&self.0)
    }

    /// As 64 hexadecimal digits.
    pub fn hex(&self) -> String {
        hex(&self.0)
    }

    /// From `npub1…` in small letters only, as files have it.
    pub(crate) fn from_npub(text: &str) -> Result<Self, BadKey> {
        let bytes = KeyKind::Npub.decode(text)?;
        let key = <[u8; 32]>::try_from(bytes.as_slice()).ok().and_then(|bytes| Self::from_bytes(bytes).ok());
        // Bech32 may be written in capitals, and a file must have one form only.
        key.filter(|key| key.npub() == text).ok_or(BadKey::Value)
    }
}

/// From `npub1…` or 64 hexadecimal digits.
impl FromStr for Public {
    type Err = BadKey;

    fn from_str(text: &str) -> Result<Self, BadKey> {
        Self::from_bytes(*read(KeyKind::Npub, text)?).map_err(|NoKey| BadKey::Value)
    }
}

/// As `npub1…`.
impl fmt::Display for Public {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.npub())
    }
}

impl fmt::Debug for Public {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Public({})", self.npub())
    }
}

impl Signature {
    /// From 128 hexadecimal digits in small letters.
    pub fn from_hex(text: &str) -> Option<Self> {
        if text.len() != 128 {
            return None;
        }
        unhex(text)?.try_into().ok().map(Self)
    }
}

/// As 128 hexadecimal digits.
impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signature({self})")
    }
}

impl fmt::Display for NoKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("these bytes are no key")
    }
}

impl fmt::Display for BadKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => f.write_str("it is longer than any key"),
            Self::Checksum => f.write_str("there is a typing error in it (its checksum is wrong)"),
            Self::Kind { found, wanted } => write!(f, "it begins with {}1, not {}1", found.prefix(), wanted.prefix()),
            Self::Form => f.write_str("a key begins with npub1, nsec1 or ncryptsec1, or has 64 hexadecimal digits"),
            Self::Value => f.write_str("it has the form of a key, but its value is none"),
        }
    }
}

impl std::error::Error for NoKey {}
impl std::error::Error for BadKey {}
