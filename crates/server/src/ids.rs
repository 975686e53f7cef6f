//! Names of things that are stored: tables, players, times.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use table::record::{hex, unhex};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Milliseconds since 1970.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Millis(pub i64);

impl Millis {
    /// So many milliseconds later.
    #[must_use]
    pub const fn plus(self, millis: i64) -> Self {
        Self(self.0.saturating_add(millis))
    }

    /// Milliseconds since another time.
    pub const fn since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// A text that is not the name of such a thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BadId;

impl fmt::Display for BadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it must be of 16 or 32 hexadecimal digits, as the address shows them")
    }
}

impl core::error::Error for BadId {}

macro_rules! id {
    ($(#[$meta:meta])* $name:ident, $bytes:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub [u8; $bytes]);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&hex(&self.0))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{self}")
            }
        }

        impl FromStr for $name {
            type Err = BadId;
            fn from_str(text: &str) -> Result<Self, BadId> {
                unhex(text).and_then(|bytes| bytes.try_into().ok()).map(Self).ok_or(BadId)
            }
        }

        impl Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

id! {
    /// A table.
    TableId, 8
}

id! {
    /// A person or a program that plays: a hash of its key, so that it tells nothing about that.
    PlayerId, 16
}

/// What proves that somebody is the player he says: in a cookie, or in a program's `Authorization`. Whoever
/// has it is that player.
#[derive(Clone, PartialEq, Eq, Zeroize, ZeroizeOnDrop)]
pub struct Key([u8; 32]);

impl Key {
    /// From 32 random bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// As a cookie has it.
    pub fn text(&self) -> String {
        hex(&self.0)
    }

    /// Who that is.
    pub fn player(&self) -> PlayerId {
        let hash: [u8; 32] = Sha256::new().chain_update("fairdeal/player").chain_update(self.0).finalize().into();
        let mut id = [0; 16];
        id.iter_mut().zip(hash).for_each(|(to, from)| *to = from);
        PlayerId(id)
    }
}

impl FromStr for Key {
    type Err = BadId;
    fn from_str(text: &str) -> Result<Self, BadId> {
        unhex(text).and_then(|bytes| bytes.try_into().ok()).map(Self).ok_or(BadId)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_is_known_by_a_hash_of_his_key() {
        let key = Key::new([7; 32]);
        assert_eq!(key.text().parse::<Key>().unwrap(), key);
        assert_eq!(key.player().to_string().len(), 32);
        assert_ne!(key.player(), Key::new([8; 32]).player());
        assert!(!format!("{key:?}").contains("07"));
        assert_eq!("0G".parse::<TableId>(), Err(BadId));
    }
}
