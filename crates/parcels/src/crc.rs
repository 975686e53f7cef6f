//! CRC-32 as in Ethernet and zlib (reflected, polynomial 0xEDB88320).

/// For each byte, what it does to the remainder.
const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte: u32 = 0;
    let mut rest: &mut [u32] = &mut table;
    while let Some((entry, others)) = rest.split_first_mut() {
        let mut value = byte;
        let mut bit = 0;
        while bit < 8 {
            value = if value & 1 == 1 { value >> 1 ^ 0xEDB8_8320 } else { value >> 1 };
            bit += 1;
        }
        *entry = value;
        byte += 1;
        rest = others;
    }
    table
};

/// A checksum of what was said so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Crc(u32);

impl Crc {
    pub(crate) const fn new() -> Self {
        Self(u32::MAX)
    }

    /// The checksum of what was said so far and these bytes.
    pub(crate) fn and(self, bytes: &[u8]) -> Self {
        let step = |rest: u32, byte: &u8| {
            let [low, ..] = rest.to_le_bytes();
            let entry = TABLE.get(usize::from(low ^ byte)).copied().unwrap_or_default();
            rest >> 8 ^ entry
        };
        Self(bytes.iter().fold(self.0, step))
    }

    pub(crate) const fn value(self) -> u32 {
        !self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_usual_one() {
        assert_eq!(Crc::new().and(b"123456789").value(), 0xCBF4_3926);
        assert_eq!(Crc::new().value(), 0);
        assert_eq!(Crc::new().and(b"1234").and(b"56789"), Crc::new().and(b"123456789"));
    }
}
