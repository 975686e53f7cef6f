//! What a device says about itself before anybody connects.
//!
//! ```text
//! 3e · device id u8 (1 to 15) · callsign (3 to 18 letters A–Z and digits)
//! ```
//!
//! They are the manufacturer data of company 0xFFFF. Together with the flags and the [`SERVICE`](crate::SERVICE) they fit
//! into the 31 bytes of an advertisement if the callsign has at most 18 letters, as Geogram's have.

use core::fmt;

use crate::Malformed;
use crate::reader::Reader;

/// The first byte of an advertisement, `>`.
pub const MARKER: u8 = 0x3E;
/// The longest callsign.
pub const MOST_CALLSIGN: usize = 18;
const LEAST_CALLSIGN: usize = 3;

/// Who advertises. Anybody can claim to be anybody: it says where to knock, not who opens.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Advertisement {
    device: u8,
    callsign: String,
}

impl Advertisement {
    /// The device with this number of the player with this callsign.
    ///
    /// # Errors
    /// Fails if the number is not from 1 to 15, or the callsign has other letters or another length.
    pub fn new(device: u8, callsign: &str) -> Result<Self, Malformed> {
        let fits = callsign.bytes().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit());
        if callsign.len() < LEAST_CALLSIGN {
            return Err(Malformed::Short);
        }
        if callsign.len() > MOST_CALLSIGN {
            return Err(Malformed::Long);
        }
        if !fits || !(1..=15).contains(&device) {
            return Err(Malformed::Value);
        }
        Ok(Self { device, callsign: callsign.to_owned() })
    }

    /// A number for this device, the same whenever it is asked with the same bytes.
    pub fn device_of(machine: &[u8]) -> u8 {
        let rest = crate::crc::Crc::new().and(machine).value() % 15;
        u8::try_from(rest).unwrap_or_default() + 1
    }

    /// The bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![MARKER, self.device];
        bytes.extend_from_slice(self.callsign.as_bytes());
        bytes
    }

    /// Reads what somebody advertises.
    ///
    /// # Errors
    /// Fails if it is not such an advertisement.
    pub fn decode(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut from = Reader(bytes);
        if from.byte()? != MARKER {
            return Err(Malformed::Unknown);
        }
        let device = from.byte()?;
        let callsign = core::str::from_utf8(from.rest()).map_err(|_| Malformed::Value)?;
        Self::new(device, callsign)
    }

    /// The player's callsign.
    pub fn callsign(&self) -> &str {
        &self.callsign
    }
}

/// As people see it: `X1ABCD-7`.
impl fmt::Display for Advertisement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.callsign, self.device)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_advertisement_is_read_as_it_was_written() {
        for (device, callsign) in [(1, "X1A"), (7, "X34PSK"), (15, "X1CHARLIE012345678")] {
            let made = Advertisement::new(device, callsign).unwrap();
            assert!(made.encode().len() <= 20);
            assert_eq!(Advertisement::decode(&made.encode()), Ok(made.clone()));
            assert_eq!(made.to_string(), format!("{callsign}-{device}"));
        }
    }

    #[test]
    fn what_is_no_advertisement_is_refused() {
        for (bytes, why) in [
            (&b""[..], Malformed::Short),
            (b">", Malformed::Short),
            (b">\x07X1", Malformed::Short),
            (b"<\x07X1ABCD", Malformed::Unknown),
            (b">\x00X1ABCD", Malformed::Value),
            (b">\x10X1ABCD", Malformed::Value),
            (b">\x07X1abcd", Malformed::Value),
            (b">\x07X1\x1b[2J", Malformed::Value),
            (b">\x07X1\xff\xff\xff", Malformed::Value),
            (b">\x07X1ABCDEFGHIJKLMNOPQ", Malformed::Long),
        ] {
            assert_eq!(Advertisement::decode(bytes), Err(why), "{bytes:?}");
        }
    }

    #[test]
    fn a_device_has_a_number_from_one_to_fifteen() {
        assert!((0..=255_u8).all(|byte| (1..=15).contains(&Advertisement::device_of(&[byte]))));
        assert_eq!(Advertisement::device_of(b"machine"), Advertisement::device_of(b"machine"));
    }
}
