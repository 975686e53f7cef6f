//! What follows each other in the stream of a line.
//!
//! ```text
//! message    length u32 · bytes
//! said       length u32, with the highest bit · session u32 · from u32 · CRC-32 of the message
//! ```
//!
//! A message that was said to everybody ([`Speaker`](crate::Speaker)) is not sent again: the stream says where it is.

use crate::reader::Reader;
use crate::{MOST_MESSAGE, Malformed};

const SAID: u32 = 1 << 31;

/// Where a message is in what was said to everybody.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub(crate) session: u32,
    pub(crate) from: u32,
    pub(crate) length: u32,
    pub(crate) crc: u32,
}

impl Place {
    /// The number of the first byte after it.
    pub(crate) const fn to(&self) -> u32 {
        self.from.saturating_add(self.length)
    }
}

/// What follows each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Item<'a> {
    Message(&'a [u8]),
    Said(Place),
}

impl<'a> Item<'a> {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        match self {
            Self::Message(bytes) => {
                out.extend(u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes());
                out.extend_from_slice(bytes);
            }
            Self::Said(place) => {
                for number in [place.length | SAID, place.session, place.from, place.crc] {
                    out.extend(number.to_le_bytes());
                }
            }
        }
        out
    }

    /// The first item, and how many bytes it has; `None` if it is not yet there as a whole.
    pub(super) fn decode(bytes: &'a [u8]) -> Result<Option<(Self, usize)>, Malformed> {
        let mut from = Reader(bytes);
        let Ok(head) = from.array().map(u32::from_le_bytes) else { return Ok(None) };
        let length = head & !SAID;
        let size = usize::try_from(length).ok().filter(|length| *length <= MOST_MESSAGE).ok_or(Malformed::Long)?;
        if head & SAID == 0 {
            return Ok(from.rest().get(..size).map(|message| (Self::Message(message), size + 4)));
        }
        let mut number = || from.array().map(u32::from_le_bytes);
        let (Ok(session), Ok(from), Ok(crc)) = (number(), number(), number()) else { return Ok(None) };
        if length == 0 || from.checked_add(length).is_none() {
            return Err(Malformed::Value);
        }
        Ok(Some((Self::Said(Place { session, from, length, crc }), 16)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: Place = Place { session: 7, from: 1 << 30, length: 900, crc: u32::MAX };

    #[test]
    fn an_item_is_read_as_it_was_written_once_it_is_there() {
        for item in [Item::Message(b"fold"), Item::Message(b""), Item::Said(PLACE)] {
            let mut bytes = item.encode();
            for length in 0..bytes.len() {
                assert_eq!(Item::decode(&bytes[..length]), Ok(None));
            }
            let length = bytes.len();
            bytes.extend(b"more");
            assert_eq!(Item::decode(&bytes), Ok(Some((item, length))));
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let long = u32::try_from(MOST_MESSAGE + 1).unwrap();
        assert_eq!(Item::decode(&long.to_le_bytes()), Err(Malformed::Long));
        assert_eq!(Item::decode(&Item::Said(Place { length: long, ..PLACE }).encode()), Err(Malformed::Long));
        assert_eq!(Item::decode(&Item::Said(Place { length: 0, ..PLACE }).encode()), Err(Malformed::Value));
        assert_eq!(Item::decode(&Item::Said(Place { from: u32::MAX, ..PLACE }).encode()), Err(Malformed::Value));
    }
}
