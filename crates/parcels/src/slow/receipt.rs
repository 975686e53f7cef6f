//! What a receiver answers.

use serde::{Deserialize, Serialize};

use super::Letters;
use super::parcel::MOST_PARCELS;
use crate::Malformed;

/// The longest receipt: one that asks for every parcel.
pub(super) const MOST_RECEIPT: usize = 1024;

/// What a receiver says about a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Receipt {
    /// Which message.
    pub letters: Letters,
    /// How it is with it.
    pub status: Status,
}

/// How it is with a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Status {
    /// It is there.
    Complete,
    /// These parcels are missing; 0 is the header.
    Missing(Vec<u16>),
    /// All parcels are there, and together they are wrong.
    ChecksumFailed,
}

#[derive(Serialize, Deserialize)]
struct Text {
    msg_id: String,
    status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parcels: Option<Vec<u16>>,
}

impl Receipt {
    /// The text.
    pub fn encode(&self) -> Vec<u8> {
        let (status, parcels) = match &self.status {
            Status::Complete => ("complete", None),
            Status::Missing(parcels) => ("missing", Some(parcels.clone())),
            Status::ChecksumFailed => ("checksum_failed", None),
        };
        let text = Text { msg_id: self.letters.text(), status: status.to_owned(), parcels };
        serde_json::to_vec(&text).unwrap_or_default()
    }

    /// Reads a receipt.
    ///
    /// # Errors
    /// Fails if it is none.
    pub fn decode(bytes: &[u8]) -> Result<Self, Malformed> {
        if bytes.len() > MOST_RECEIPT {
            return Err(Malformed::Long);
        }
        let text: Text = serde_json::from_slice(bytes).map_err(|_| Malformed::Value)?;
        let letters = text.msg_id.as_bytes().try_into().map_err(|_| Malformed::Value)?;
        let letters = Letters::read(letters)?;
        let status = match (text.status.as_str(), text.parcels) {
            ("complete", None) => Status::Complete,
            ("checksum_failed", None) => Status::ChecksumFailed,
            ("missing", Some(parcels)) if parcels.iter().all(|number| *number < MOST_PARCELS) => {
                Status::Missing(parcels)
            }
            _ => return Err(Malformed::Value),
        };
        Ok(Self { letters, status })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receipt_is_read_as_it_was_written() {
        let all = Status::Missing((0..MOST_PARCELS).collect());
        for status in [Status::Complete, Status::ChecksumFailed, Status::Missing(vec![3, 7, 12]), all] {
            let receipt = Receipt { letters: Letters(*b"AK"), status };
            assert_eq!(Receipt::decode(&receipt.encode()), Ok(receipt));
        }
    }

    #[test]
    fn what_is_no_receipt_is_refused() {
        for text in [
            "{}",
            r#"{"msg_id":"AK","status":"fine"}"#,
            r#"{"msg_id":"AKX","status":"complete"}"#,
            r#"{"msg_id":"ak","status":"complete"}"#,
            r#"{"msg_id":"AK","status":"missing"}"#,
            r#"{"msg_id":"AK","status":"missing","parcels":[999]}"#,
            r#"{"msg_id":"AK","status":"missing","parcels":[-1]}"#,
        ] {
            assert!(Receipt::decode(text.as_bytes()).is_err(), "{text}");
        }
        assert_eq!(Receipt::decode(&[b' '; MOST_RECEIPT + 1]), Err(Malformed::Long));
    }
}
