//! Numbers read from the front of bytes.

use crate::Malformed;

/// Bytes being read from the front.
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let (taken, left) = self.0.split_first_chunk().ok_or(Malformed::Short)?;
        self.0 = left;
        Ok(*taken)
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Malformed> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn finish(self) -> Result<(), Malformed> {
        if self.0.is_empty() { Ok(()) } else { Err(Malformed::Long) }
    }

    pub(crate) const fn rest(self) -> &'a [u8] {
        self.0
    }
}

/// Bytes without the checksum of `before` and them at their end.
pub(crate) fn checked<'a>(before: &[u8], bytes: &'a [u8]) -> Result<&'a [u8], Malformed> {
    let (bytes, crc) = bytes.split_last_chunk().ok_or(Malformed::Short)?;
    let expected = crate::crc::Crc::new().and(before).and(bytes).value();
    if u32::from_le_bytes(*crc) == expected { Ok(bytes) } else { Err(Malformed::Checksum) }
}

/// Appends the checksum of `before` and the bytes.
pub(crate) fn seal(before: &[u8], mut bytes: Vec<u8>) -> Vec<u8> {
    let crc = crate::crc::Crc::new().and(before).and(&bytes).value();
    bytes.extend_from_slice(&crc.to_le_bytes());
    bytes
}
