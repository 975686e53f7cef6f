//! Numbers that take one byte if they are small: seven bits in each, the lowest first; the high bit says that more
//! follow. There is one way to write a number, and none has more than three bytes.

use crate::Malformed;
use crate::reader::Reader;

const MORE: u8 = 0x80;

pub(super) fn write(out: &mut Vec<u8>, mut number: u16) {
    loop {
        let [low, _] = (number & 0x7F).to_le_bytes();
        number >>= 7;
        if number == 0 {
            return out.push(low);
        }
        out.push(low | MORE);
    }
}

pub(super) fn read(from: &mut Reader<'_>) -> Result<u16, Malformed> {
    let mut number = 0_u32;
    for place in 0..3 {
        let byte = from.byte()?;
        number |= u32::from(byte & !MORE) << (7 * place);
        if byte & MORE == 0 {
            let longer_than_needed = byte == 0 && place > 0;
            return u16::try_from(number).ok().filter(|_| !longer_than_needed).ok_or(Malformed::Value);
        }
    }
    Err(Malformed::Value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_read_as_it_was_written() {
        for number in 0..=u16::MAX {
            let mut bytes = Vec::new();
            write(&mut bytes, number);
            let mut from = Reader(&bytes);
            assert_eq!(read(&mut from), Ok(number));
            assert!(from.is_empty() && bytes.len() <= 3);
        }
    }

    #[test]
    fn what_is_no_number_or_could_be_shorter_is_refused() {
        for (bytes, why) in [
            (&[][..], Malformed::Short),
            (&[0x80], Malformed::Short),
            (&[0x80, 0], Malformed::Value),
            (&[0xFF, 0xFF, 0x04], Malformed::Value),
            (&[0xFF, 0xFF, 0xFF, 0], Malformed::Value),
        ] {
            assert_eq!(read(&mut Reader(bytes)), Err(why), "{bytes:?}");
        }
    }
}
