//! The JSON around a part of a message.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::MOST;
use crate::{MOST_MESSAGE, Malformed};

/// How many bytes of a message one envelope carries: as base64 in JSON they stay below 50 kB.
pub const MOST_PART: usize = 36_000;
/// The longest id.
const MOST_ID: usize = 64;
/// What ours are called.
const TYPE: &str = "fairdeal";

/// A part of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Envelope {
    /// Which message it is; the author's choice, and different for each.
    pub id: String,
    /// Which part, from 0.
    pub seq: u16,
    /// How many parts the message has.
    pub total: u16,
    /// The bytes.
    pub bytes: Vec<u8>,
}

#[derive(Serialize, Deserialize)]
struct Text {
    v: u8,
    id: String,
    r#type: String,
    seq: u16,
    total: u16,
    payload: Payload,
}

#[derive(Serialize, Deserialize)]
struct Payload {
    data: String,
}

impl Envelope {
    /// The most parts that a message may have.
    pub const MOST_PARTS: usize = MOST_MESSAGE.div_ceil(MOST_PART);

    /// The parts of a message.
    pub fn of(id: &str, message: &[u8]) -> Vec<Self> {
        let parts: Vec<&[u8]> = if message.is_empty() { vec![b""] } else { message.chunks(MOST_PART).collect() };
        let total = u16::try_from(parts.len()).unwrap_or(u16::MAX);
        let envelope = |(seq, bytes): (u16, &&[u8])| Self { id: id.to_owned(), seq, total, bytes: bytes.to_vec() };
        (0..).zip(&parts).map(envelope).collect()
    }

    /// The text.
    pub fn encode(&self) -> Vec<u8> {
        let payload = Payload { data: STANDARD.encode(&self.bytes) };
        let (id, r#type) = (self.id.clone(), TYPE.to_owned());
        let text = Text { v: 1, id, r#type, seq: self.seq, total: self.total, payload };
        serde_json::to_vec(&text).unwrap_or_default()
    }

    /// Reads a part of a message.
    ///
    /// # Errors
    /// Fails if it is none, or one of something else.
    pub fn decode(bytes: &[u8]) -> Result<Self, Malformed> {
        if bytes.len() > MOST {
            return Err(Malformed::Long);
        }
        let text: Text = serde_json::from_slice(bytes).map_err(|_| Malformed::Value)?;
        if text.v != 1 || text.r#type != TYPE {
            return Err(Malformed::Unknown);
        }
        if text.id.len() > MOST_ID {
            return Err(Malformed::Long);
        }
        if text.seq >= text.total || usize::from(text.total) > Self::MOST_PARTS {
            return Err(Malformed::Value);
        }
        let bytes = STANDARD.decode(text.payload.data).map_err(|_| Malformed::Value)?;
        Ok(Self { id: text.id, seq: text.seq, total: text.total, bytes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_read_from_its_envelopes() {
        for length in [0, 1, MOST_PART, MOST_PART + 1, MOST_MESSAGE] {
            let message: Vec<u8> = (0..=255).cycle().take(length).collect();
            let all = Envelope::of("00000001-7", &message);
            assert!(all.len() <= Envelope::MOST_PARTS);
            let mut read = Vec::new();
            for (seq, envelope) in (0..).zip(&all) {
                let text = envelope.encode();
                assert!(text.len() <= MOST, "{}", text.len());
                assert_eq!(Envelope::decode(&text).as_ref(), Ok(envelope));
                assert_eq!((envelope.seq, usize::from(envelope.total)), (seq, all.len()));
                read.extend_from_slice(&envelope.bytes);
            }
            assert_eq!(read, message);
        }
    }

    #[test]
    fn what_is_no_envelope_is_refused() {
        let text = |v: u8, kind: &str, seq: u16, total: u32, data: &str| {
            let text = format!(
                r#"{{"v":{v},"id":"a","type":"{kind}","seq":{seq},"total":{total},"payload":{{"data":"{data}"}}}}"#
            );
            Envelope::decode(text.as_bytes()).map(|envelope| envelope.bytes)
        };
        assert_eq!(text(1, "fairdeal", 0, 1, "aGk="), Ok(b"hi".to_vec()));
        assert_eq!(text(2, "fairdeal", 0, 1, "aGk="), Err(Malformed::Unknown));
        assert_eq!(text(1, "chat", 0, 1, "aGk="), Err(Malformed::Unknown));
        assert_eq!(text(1, "fairdeal", 1, 1, "aGk="), Err(Malformed::Value));
        assert_eq!(text(1, "fairdeal", 0, 65535, "aGk="), Err(Malformed::Value), "a huge number of parts");
        assert_eq!(text(1, "fairdeal", 0, 70000, "aGk="), Err(Malformed::Value));
        assert_eq!(text(1, "fairdeal", 0, 1, "a?k="), Err(Malformed::Value));
        assert_eq!(text(1, "fairdeal", 0, 1, &"A".repeat(MOST)), Err(Malformed::Long));
        assert_eq!(Envelope::decode(b"{"), Err(Malformed::Value));
        let long = Envelope { id: "a".repeat(65), seq: 0, total: 1, bytes: Vec::new() };
        assert_eq!(Envelope::decode(&long.encode()), Err(Malformed::Long));
    }
}
