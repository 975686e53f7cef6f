//! Identifiers of what a room has to name: tables, players, times.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use table::record::{hex, unhex};

/// Milliseconds since 1970.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Millis(pub i64);

impl Millis {
    /// This many milliseconds later.
    #[must_use]
    pub const fn plus(self, millis: i64) -> Self {
        Self(self.0.saturating_add(millis))
    }

    /// Milliseconds since another time.
    pub const fn since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// A text that is not a valid identifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BadId;

impl fmt::Display for BadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it must be written exactly as in the address")
    }
}

impl core::error::Error for BadId {}

/// Makes an identifier that is written as its text everywhere: it needs [`fmt::Display`] and [`FromStr`].
#[macro_export]
macro_rules! text_id {
    ($name:ident) => {
        impl ::core::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                write!(f, "{self}")
            }
        }

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <::std::borrow::Cow<'de, str> as ::serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(<D::Error as ::serde::de::Error>::custom)
            }
        }
    };
}

/// The permanent id of a table: sixteen hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(pub u64);

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for TableId {
    type Err = BadId;
    fn from_str(text: &str) -> Result<Self, BadId> {
        unhex(text).and_then(|bytes| bytes.try_into().ok()).map(u64::from_be_bytes).map(Self).ok_or(BadId)
    }
}

text_id!(TableId);

impl TableId {
    /// The table's name in logs. Many people read logs, and anyone who has a private table's id can go there; the id
    /// cannot be derived from this name.
    pub fn tag(self) -> String {
        tag(&self.0.to_be_bytes())
    }
}

/// A name for logs from which the bytes cannot be derived.
pub fn tag(id: &[u8]) -> String {
    let hash = Sha256::new().chain_update("fairdeal/log").chain_update(id).finalize();
    hex(hash.first_chunk::<4>().unwrap_or(&[0; 4]))
}

/// The code people type to find a table whose match is not over: six digits, with leading zeros.
///
/// ```
/// use room::ids::Code;
/// assert_eq!(Code::new(42).map(|code| code.to_string()), Some("000042".to_owned()));
/// assert!("42".parse::<Code>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(u32);

impl Code {
    /// The number of codes.
    pub const COUNT: u32 = 1_000_000;

    /// The code with this number, if it has at most six digits.
    pub const fn new(number: u32) -> Option<Self> {
        if number < Self::COUNT { Some(Self(number)) } else { None }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:06}", self.0)
    }
}

impl FromStr for Code {
    type Err = BadId;
    fn from_str(text: &str) -> Result<Self, BadId> {
        let digits = text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|_| digits).and_then(Self::new).ok_or(BadId)
    }
}

text_id!(Code);

/// A person or program that plays: 32 hexadecimal digits. On a server it is a hash of the player's key, so it reveals
/// nothing about the key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerId(pub [u8; 16]);

impl fmt::Display for PlayerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl FromStr for PlayerId {
    type Err = BadId;
    fn from_str(text: &str) -> Result<Self, BadId> {
        unhex(text).and_then(|bytes| bytes.try_into().ok()).map(Self).ok_or(BadId)
    }
}

text_id!(PlayerId);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_is_no_id_is_refused() {
        assert_eq!("0G".parse::<TableId>(), Err(BadId));
    }

    #[test]
    fn a_log_tells_tables_apart_without_naming_them() {
        let (one, other) = (TableId(0x0123_4567_89ab_cdef), TableId(0x0123_4567_89ab_cdee));
        assert_eq!(one.tag().len(), 8);
        assert_ne!(one.tag(), other.tag());
        assert!(!one.to_string().contains(&one.tag()));
    }
}
