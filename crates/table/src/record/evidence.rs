//! Evidence that a dealer leaves so that others can check it.
//!
//! The record knows only the author of a piece of evidence, its kind and its bytes; what the bytes mean is up
//! to the dealer. All evidence is bound to a *session*, so that none can be carried from one table to another.
//! A session is a whole match, or each deal in a record of single deals.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::Header;
use crate::Seat;

/// Something that can be checked, in the dealer's own format.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// Its recorded author. Messages are not signed, so this does not prove who sent it.
    pub by: By,
    /// Its kind, as a word.
    pub kind: String,
    /// Its bytes, in lowercase hexadecimal.
    pub body: String,
}

impl Evidence {
    /// These bytes.
    pub fn new(by: By, kind: &str, body: &[u8]) -> Self {
        Self { by, kind: kind.to_owned(), body: hex(body) }
    }

    /// The bytes; `None` if the text is not lowercase hexadecimal.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        unhex(&self.body)
    }
}

/// The recorded author of evidence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// The server that dealt.
    House,
    /// The player in this seat.
    Seat(Seat),
    /// A member of the committee, counted from 0.
    Member(u8),
}

/// For people, who count from 1.
impl core::fmt::Display for By {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::House => f.write_str("the house"),
            Self::Seat(seat) => seat.fmt(f),
            Self::Member(member) => write!(f, "member {}", u16::from(*member) + 1),
        }
    }
}

impl Header {
    /// What all evidence of this deal is bound to, if the record has an id: the id itself in a match, or
    /// [`session`] of id and number in a record of single deals.
    pub fn session(&self, deal: u32) -> Option<[u8; 32]> {
        let id = unhex(self.id.as_deref()?)?.try_into().ok()?;
        Some(if self.settings.is_some() { id } else { session(&id, deal) })
    }
}

/// The session of a single deal: SHA-256 of `fairdeal/session`, the record's id, and the number of the deal as
/// four bytes, lowest first.
pub fn session(id: &[u8; 32], deal: u32) -> [u8; 32] {
    Sha256::new().chain_update("fairdeal/session").chain_update(id).chain_update(deal.to_le_bytes()).finalize().into()
}

/// Bytes as text.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    let digit = |value: u8| DIGITS.get(usize::from(value)).copied().unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// The bytes that a text of lowercase hexadecimal digits stands for; `None` for any other text.
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_author_is_written_as_a_word_or_as_a_kind_and_a_number() {
        for (by, text) in [
            (By::House, r#""house""#),
            (By::Seat(Seat::new(2).unwrap()), r#"{"seat":2}"#),
            (By::Member(5), r#"{"member":5}"#),
        ] {
            assert_eq!(serde_json::to_string(&by).unwrap(), text);
            assert_eq!(serde_json::from_str::<By>(text).unwrap(), by);
        }
    }

    #[test]
    fn only_lowercase_pairs_are_hexadecimal() {
        assert_eq!(unhex("00ff7a"), Some(vec![0, 255, 0x7a]));
        assert_eq!(hex(&[0, 255, 0x7a]), "00ff7a");
        assert_eq!(unhex(""), Some(Vec::new()));
        for wrong in ["0", "0F", "0g", "é", "00 "] {
            assert_eq!(unhex(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn each_single_deal_is_its_own_session() {
        assert_ne!(session(&[1; 32], 1), session(&[1; 32], 2));
        assert_ne!(session(&[1; 32], 1), session(&[2; 32], 1));
        let expected: [u8; 32] =
            Sha256::digest([b"fairdeal/session".as_slice(), &[1; 32], &[2, 0, 0, 0]].concat()).into();
        assert_eq!(session(&[1; 32], 2), expected);
    }
}
