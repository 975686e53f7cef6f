//! The parcels of an envelope.

use super::{MOST, PARCEL};
use crate::Malformed;
use crate::crc::Crc;
use crate::reader::Reader;

/// What a header has before its bytes, and what the other parcels have.
const HEADER: usize = 9;
const DATA: usize = 4;
/// The most parcels of a message.
pub(super) const MOST_PARCELS: u16 = 182;
const _: () = assert!((MOST - (PARCEL - HEADER)).div_ceil(PARCEL - DATA) + 1 == 182, "that many make 50 kB");

/// Which message a parcel belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Letters(pub(super) [u8; 2]);

impl Letters {
    /// The letters of the message with this number; they repeat after 676.
    pub fn of(number: u32) -> Self {
        let letter = |place: u32| b'A' + u8::try_from(place % 26).unwrap_or_default();
        Self([letter(number / 26), letter(number)])
    }

    /// Reads two letters.
    ///
    /// # Errors
    /// Fails if they are not two of A to Z.
    pub fn read(letters: [u8; 2]) -> Result<Self, Malformed> {
        if letters.iter().all(u8::is_ascii_uppercase) { Ok(Self(letters)) } else { Err(Malformed::Unknown) }
    }

    /// As text.
    pub fn text(self) -> String {
        self.0.iter().copied().map(char::from).collect()
    }
}

/// The parcels of a message of at most [`MOST`] bytes.
///
/// # Errors
/// Fails if it is longer.
pub fn cut(letters: Letters, message: &[u8]) -> Result<Vec<Vec<u8>>, Malformed> {
    if message.len() > MOST {
        return Err(Malformed::Long);
    }
    let (first, rest) = message.split_at_checked(PARCEL - HEADER).unwrap_or((message, &[]));
    let others = rest.chunks(PARCEL - DATA);
    let total = u16::try_from(others.len() + 1).map_err(|_| Malformed::Long)?;
    let mut header = letters.0.to_vec();
    header.extend_from_slice(&total.to_be_bytes());
    header.extend_from_slice(&Crc::new().and(message).value().to_be_bytes());
    header.push(0);
    header.extend_from_slice(first);
    let data = |(number, bytes): (u16, &[u8])| {
        let mut parcel = letters.0.to_vec();
        parcel.extend_from_slice(&number.to_be_bytes());
        parcel.extend_from_slice(bytes);
        parcel
    };
    Ok(core::iter::once(header).chain((1..).zip(others).map(data)).collect())
}

/// What a header says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Header {
    pub(super) letters: Letters,
    pub(super) total: u16,
    pub(super) crc: u32,
}

impl Header {
    /// Reads a header and its bytes.
    pub(super) fn read(parcel: &[u8]) -> Result<(Self, &[u8]), Malformed> {
        let mut from = Reader(parcel);
        let letters = Letters::read(from.array()?)?;
        let total = u16::from_be_bytes(from.array()?);
        let crc = u32::from_be_bytes(from.array()?);
        // A flag would mean compression, which nobody may use who has not been asked for it.
        if from.byte()? != 0 || !(1..=MOST_PARCELS).contains(&total) {
            return Err(Malformed::Value);
        }
        Ok((Self { letters, total, crc }, from.rest()))
    }
}

/// The letters and the number of a parcel, and its bytes if it is no header.
pub(super) fn numbered(parcel: &[u8]) -> Result<(Letters, u16, &[u8]), Malformed> {
    let mut from = Reader(parcel);
    let letters = Letters::read(from.array()?)?;
    let number = u16::from_be_bytes(from.array()?);
    Ok((letters, number, from.rest()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_parcel_is_short() {
        for (length, parcels) in [(0, 1), (271, 1), (272, 2), (547, 2), (548, 3), (MOST, 182)] {
            let message: Vec<u8> = (0..=255).cycle().take(length).collect();
            let all = cut(Letters::of(10), &message).unwrap();
            assert_eq!(all.len(), parcels);
            let (last, others) = all.split_last().unwrap();
            assert!(others.iter().all(|parcel| parcel.len() == PARCEL) && last.len() <= PARCEL);
            let (header, first) = Header::read(&all[0]).unwrap();
            let mut read = first.to_vec();
            for (number, parcel) in (1..).zip(&all[1..]) {
                let (letters, got, bytes) = numbered(parcel).unwrap();
                assert_eq!((letters, got), (header.letters, number));
                read.extend_from_slice(bytes);
            }
            assert_eq!((read.as_slice(), header.crc), (message.as_slice(), Crc::new().and(&message).value()));
        }
        assert_eq!(cut(Letters::of(0), &vec![0; MOST + 1]), Err(Malformed::Long));
    }

    #[test]
    fn letters_count_in_letters() {
        assert_eq!([0, 1, 26, 675, 676].map(|number| Letters::of(number).text()), ["AA", "AB", "BA", "ZZ", "AA"]);
        assert_eq!(Letters::read(*b"A1"), Err(Malformed::Unknown));
    }

    #[test]
    fn a_header_that_claims_too_much_is_refused() {
        let header = |total: u16, flags: u8| {
            let mut parcel = b"AA".to_vec();
            parcel.extend(total.to_be_bytes());
            parcel.extend([0, 0, 0, 0, flags]);
            Header::read(&parcel).map(|(header, _)| header.total)
        };
        assert_eq!(header(1, 0), Ok(1));
        assert_eq!(header(MOST_PARCELS, 0), Ok(MOST_PARCELS));
        assert_eq!(header(MOST_PARCELS + 1, 0), Err(Malformed::Value));
        assert_eq!(header(u16::MAX, 0), Err(Malformed::Value));
        assert_eq!(header(0, 0), Err(Malformed::Value));
        assert_eq!(header(1, 1), Err(Malformed::Value), "compressed");
        assert_eq!(Header::read(b"AA\0\x01"), Err(Malformed::Short));
    }
}
