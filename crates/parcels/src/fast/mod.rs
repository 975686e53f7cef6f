//! The form between programs that know each other's hello.
//!
//! ```text
//! stream     items, one after another (`item`)                         the bytes are numbered from 0
//! data       1 · from u32 · bytes · CRC-32                             the bytes of the stream from this one on
//! receipt    2 · next u32 · CRC-32                                     all before `next` are there
//!            2 · next u32 · at · (missing · there) × n · CRC-32        and from `at` bytes after it so many are missing,
//!                                                                      then so many are there, and so on
//! shared     3 · session u32 · from u32 · bytes · CRC-32               what is said to everybody ([`Speaker`](crate::Speaker))
//! again      4 · from u32 · length u16 · CRC-32                        these bytes of it are missing
//! piece      first 80 | last 40 | count (5 bits) · tag u8 · bytes of a parcel
//! ```
//!
//! Bytes are numbered for as long as the link lives. A parcel may begin and end at any byte, and what has to be sent
//! again may be cut differently: on a line that loses pieces, parcels become shorter. The checksum is that of the
//! sender's session (u32) and the parcel.
//!
//! - [`Parcel`]: the encoding; [`Cut`] and [`Joined`]: a parcel as pieces.
//! - `sending`, `receiving`: the two directions; `pace`: how much is sent at a time.
//! - `item`: what the stream consists of; `overheard`: what a guest hears of what is said to everybody.

mod item;
mod number;
mod overheard;
mod pace;
mod pieces;
mod receiving;
mod sending;
mod stretches;

use crate::Malformed;
use crate::reader::{Reader, checked, seal};

pub(crate) use item::{Item, Place};
pub(crate) use pace::Sizes;
pub use pieces::{Cut, HEAD, Joined};
pub(crate) use receiving::Receiving;
pub(crate) use sending::Sending;

/// How many bytes may be on their way after the first that is missing.
pub const WINDOW: u32 = 0xFFFF;
/// What a parcel has beside its bytes.
pub const ADDED: usize = 9;
/// What a parcel for everybody has beside its bytes.
pub(crate) const SHARED_ADDED: usize = 13;

/// What one end tells the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Parcel {
    /// A part of the stream, at least one byte.
    Data {
        /// The number of its first byte.
        from: u32,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// What has arrived.
    Receipt {
        /// All bytes before this one.
        next: u32,
        /// How many bytes after `next` the first stretch begins; 0 if there is none.
        at: u16,
        /// How it goes on from there. What is not named may be there or not.
        later: Vec<Stretch>,
    },
    /// A part of what is said to everybody, at least one byte.
    Shared {
        /// Which stream it is.
        session: u32,
        /// The number of its first byte.
        from: u32,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// A part of what was said to everybody has not arrived.
    Again {
        /// The number of its first byte.
        from: u32,
        /// How many bytes are missing, at least one.
        length: u16,
    },
}

/// So many bytes are missing, and then so many are there. Both are at least one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stretch {
    /// How many are missing.
    pub missing: u16,
    /// How many are there after them.
    pub there: u16,
}

impl Parcel {
    /// The bytes, from the end with this session; 0 for everybody.
    pub fn encode(&self, session: u32) -> Vec<u8> {
        let mut out = Vec::new();
        match self {
            Self::Data { from, bytes } => {
                out.reserve(bytes.len() + ADDED);
                out.push(1);
                out.extend_from_slice(&from.to_le_bytes());
                out.extend_from_slice(bytes);
            }
            Self::Receipt { next, at, later } => {
                out.push(2);
                out.extend_from_slice(&next.to_le_bytes());
                if !later.is_empty() {
                    number::write(&mut out, *at);
                }
                for stretch in later {
                    number::write(&mut out, stretch.missing);
                    number::write(&mut out, stretch.there);
                }
            }
            Self::Shared { session, from, bytes } => {
                out.push(3);
                out.extend_from_slice(&session.to_le_bytes());
                out.extend_from_slice(&from.to_le_bytes());
                out.extend_from_slice(bytes);
            }
            Self::Again { from, length } => {
                out.push(4);
                out.extend_from_slice(&from.to_le_bytes());
                out.extend_from_slice(&length.to_le_bytes());
            }
        }
        seal(&session.to_le_bytes(), out)
    }

    /// Reads a parcel of the end with this session; 0 for everybody.
    ///
    /// # Errors
    /// Fails if it is none, or damaged, or not from there.
    pub fn decode(bytes: &[u8], session: u32) -> Result<Self, Malformed> {
        let mut from = Reader(checked(&session.to_le_bytes(), bytes)?);
        let kind = from.byte()?;
        let number = u32::from_le_bytes(from.array()?);
        match kind {
            1 if from.is_empty() => Err(Malformed::Short),
            1 => Ok(Self::Data { from: number, bytes: from.rest().to_vec() }),
            2 => {
                let mut later = Vec::new();
                let at = if from.is_empty() { None } else { Some(number::read(&mut from)?) };
                while at.is_some() && (later.is_empty() || !from.is_empty()) {
                    let (missing, there) = (number::read(&mut from)?, number::read(&mut from)?);
                    if missing == 0 || there == 0 {
                        return Err(Malformed::Value);
                    }
                    later.push(Stretch { missing, there });
                }
                Ok(Self::Receipt { next: number, at: at.unwrap_or_default(), later })
            }
            3 => {
                let start = u32::from_le_bytes(from.array()?);
                let bytes = from.rest().to_vec();
                let fits = !bytes.is_empty()
                    && u32::try_from(bytes.len()).is_ok_and(|length| start.checked_add(length).is_some());
                if fits { Ok(Self::Shared { session: number, from: start, bytes }) } else { Err(Malformed::Value) }
            }
            4 => {
                let length = u16::from_le_bytes(from.array()?);
                from.finish()?;
                if length == 0 { Err(Malformed::Value) } else { Ok(Self::Again { from: number, length }) }
            }
            _ => Err(Malformed::Unknown),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRETCH: Stretch = Stretch { missing: u16::MAX, there: u16::MAX };

    fn examples() -> [Parcel; 6] {
        [
            Parcel::Data { from: 7, bytes: b"fold".to_vec() },
            Parcel::Data { from: u32::MAX, bytes: vec![0; 4096] },
            Parcel::Receipt { next: 8, at: 0, later: Vec::new() },
            Parcel::Receipt { next: 8, at: u16::MAX, later: vec![STRETCH] },
            Parcel::Shared { session: 3, from: 9, bytes: b"a card".to_vec() },
            Parcel::Again { from: 9, length: 6 },
        ]
    }

    #[test]
    fn a_parcel_is_read_as_it_was_written() {
        for parcel in examples() {
            assert_eq!(Parcel::decode(&parcel.encode(5), 5), Ok(parcel.clone()));
            assert_eq!(Parcel::decode(&parcel.encode(5), 6), Err(Malformed::Checksum), "of another session");
        }
    }

    #[test]
    fn a_receipt_of_one_stretch_fits_into_the_smallest_piece() {
        assert!(examples()[3].encode(5).len() <= crate::LEAST_PIECE - HEAD);
    }

    #[test]
    fn what_is_no_parcel_is_refused() {
        let sealed = |bytes: &[u8]| Parcel::decode(&seal(&5_u32.to_le_bytes(), bytes.to_vec()), 5);
        assert_eq!(Parcel::decode(&[1, 2, 3], 5), Err(Malformed::Short));
        assert_eq!(sealed(&[]), Err(Malformed::Short));
        assert_eq!(sealed(&[1, 0, 0, 0]), Err(Malformed::Short));
        assert_eq!(sealed(&[1, 0, 0, 0, 0]), Err(Malformed::Short), "no bytes");
        assert_eq!(sealed(&[0, 0, 0, 0, 0]), Err(Malformed::Unknown));
        assert_eq!(sealed(&[5, 0, 0, 0, 0]), Err(Malformed::Unknown));
        assert_eq!(sealed(&[3, 0, 0, 0, 0, 0, 0, 0, 0]), Err(Malformed::Value), "no bytes");
        assert_eq!(sealed(&[3, 0, 0, 0, 0, 255, 255, 255, 255, 1]), Err(Malformed::Value), "no such number");
        assert_eq!(sealed(&[4, 0, 0, 0, 0, 0, 0]), Err(Malformed::Value));
        assert_eq!(sealed(&[4, 0, 0, 0, 0, 1]), Err(Malformed::Short));
        assert_eq!(sealed(&[4, 0, 0, 0, 0, 1, 0, 0]), Err(Malformed::Long));
        assert_eq!(sealed(&[2, 0, 0, 0, 0, 0]), Err(Malformed::Short), "a place, and nothing there");
        assert_eq!(sealed(&[2, 0, 0, 0, 0, 0, 1]), Err(Malformed::Short));
        assert_eq!(sealed(&[2, 0, 0, 0, 0, 0, 0, 1]), Err(Malformed::Value));
        assert_eq!(sealed(&[2, 0, 0, 0, 0, 0, 1, 0]), Err(Malformed::Value));
    }
}
