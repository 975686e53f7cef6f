//! The form between programs that know each other's hello.
//!
//! ```text
//! data       1 · number u32 · bytes · CRC-32          more of this message follows
//!            2 · number u32 · bytes · CRC-32          the message ends with this parcel
//! receipt    3 · next u32 · later u32 · CRC-32        all before `next` are there, and of the 32 from `next` on
//!                                                     those whose bit is set
//! piece      first 80 | last 40 | count (5 bits) · tag u8 · bytes of a parcel
//! ```
//!
//! Parcels are numbered from 0 for as long as the link lives. Up to [`WINDOW`] of them are on their way. The checksum is that
//! of the sender's session (u32) and the parcel. A parcel that is not receipted is sent again.
//!
//! - [`Parcel`]: the encoding; [`Cut`] and [`Joined`]: a parcel as pieces.
//! - `sending`, `receiving`: the two directions.

mod pieces;
mod receiving;
mod sending;

use crate::Malformed;
use crate::reader::{Reader, checked, seal};

pub use pieces::{Cut, Joined};
pub(crate) use receiving::Receiving;
pub(crate) use sending::Sending;

/// How many parcels may be on their way.
pub const WINDOW: u32 = 32;
/// What a parcel has beside its bytes.
pub const ADDED: usize = 9;

/// What one end tells the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Parcel {
    /// A part of a message.
    Data {
        /// Which parcel it is.
        number: u32,
        /// Whether the message ends with it.
        last: bool,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// What has arrived.
    Receipt {
        /// All parcels before this one.
        next: u32,
        /// Of those from `next` on: one bit each, the lowest for `next`.
        later: u32,
    },
}

impl Parcel {
    /// The bytes, from the end with this session.
    pub fn encode(&self, session: u32) -> Vec<u8> {
        let mut out = Vec::new();
        match self {
            Self::Data { number, last, bytes } => {
                out.reserve(bytes.len() + ADDED);
                out.push(if *last { 2 } else { 1 });
                out.extend_from_slice(&number.to_le_bytes());
                out.extend_from_slice(bytes);
            }
            Self::Receipt { next, later } => {
                out.push(3);
                out.extend_from_slice(&next.to_le_bytes());
                out.extend_from_slice(&later.to_le_bytes());
            }
        }
        seal(&session.to_le_bytes(), out)
    }

    /// Reads a parcel of the end with this session.
    ///
    /// # Errors
    /// Fails if it is none, or damaged, or not from there.
    pub fn decode(bytes: &[u8], session: u32) -> Result<Self, Malformed> {
        let mut from = Reader(checked(&session.to_le_bytes(), bytes)?);
        let kind = from.byte()?;
        let number = u32::from_le_bytes(from.array()?);
        match kind {
            1 | 2 => Ok(Self::Data { number, last: kind == 2, bytes: from.rest().to_vec() }),
            3 => {
                let later = u32::from_le_bytes(from.array()?);
                from.finish()?;
                Ok(Self::Receipt { next: number, later })
            }
            _ => Err(Malformed::Unknown),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn examples() -> [Parcel; 4] {
        [
            Parcel::Data { number: 7, last: true, bytes: b"fold".to_vec() },
            Parcel::Data { number: u32::MAX, last: false, bytes: vec![0; 4096] },
            Parcel::Data { number: 0, last: true, bytes: Vec::new() },
            Parcel::Receipt { next: 8, later: 0b101 },
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
    fn a_receipt_fits_into_the_smallest_piece() {
        assert!(examples()[3].encode(5).len() + 2 <= crate::LEAST_PIECE);
    }

    #[test]
    fn what_is_no_parcel_is_refused() {
        let sealed = |bytes: &[u8]| Parcel::decode(&seal(&5_u32.to_le_bytes(), bytes.to_vec()), 5);
        assert_eq!(Parcel::decode(&[1, 2, 3], 5), Err(Malformed::Short));
        assert_eq!(sealed(&[]), Err(Malformed::Short));
        assert_eq!(sealed(&[1, 0, 0, 0]), Err(Malformed::Short));
        assert_eq!(sealed(&[0, 0, 0, 0, 0]), Err(Malformed::Unknown));
        assert_eq!(sealed(&[3, 0, 0, 0, 0, 0, 0, 0]), Err(Malformed::Short));
        assert_eq!(sealed(&[3, 0, 0, 0, 0, 0, 0, 0, 0, 0]), Err(Malformed::Long));
    }
}
