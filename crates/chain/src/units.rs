//! Coins, addresses and hashes.

use core::fmt;
use core::iter::Sum;
use core::ops::{Add, AddAssign};

use borsh::{BorshDeserialize, BorshSerialize};
use sha2::{Digest, Sha256};
use table::Chips;

/// A hash: SHA-256.
pub type Hash = [u8; 32];

/// SHA-256 over fields, each after its length, with a label that says what is hashed.
pub fn hash(label: &str, fields: &[&[u8]]) -> Hash {
    let mut hash = Sha256::new();
    for field in core::iter::once(label.as_bytes()).chain(fields.iter().copied()) {
        hash.update(u64::try_from(field.len()).unwrap_or(u64::MAX).to_le_bytes());
        hash.update(field);
    }
    hash.finalize().into()
}

/// An amount of the chain's own coin, which is also what chips are made of.
///
/// The supply is fixed at the beginning and at most [`Coins::MOST`], so no sum of coins that exist can overflow.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Coins(pub u64);

impl Coins {
    /// None.
    pub const ZERO: Self = Self(0);
    /// The largest supply a chain can have: what a table can count.
    pub const MOST: Self = Self(1_000_000_000_000_000);

    /// What is left after taking this away; `None` if there is not that much.
    pub const fn minus(self, other: Self) -> Option<Self> {
        match self.0.checked_sub(other.0) {
            Some(left) => Some(Self(left)),
            None => None,
        }
    }

    /// This many ten-thousandths of it, rounded down.
    pub fn bps(self, bps: u16) -> Self {
        let part = u128::from(self.0) * u128::from(bps) / 10_000;
        Self(u64::try_from(part).unwrap_or(u64::MAX))
    }

    /// As chips on a table; `None` if a table cannot count that far.
    pub fn chips(self) -> Option<Chips> {
        i64::try_from(self.0).ok().map(Chips).filter(|chips| *chips <= Chips::MOST)
    }

    /// From chips on a table; `None` if they are negative.
    pub fn from_chips(chips: Chips) -> Option<Self> {
        u64::try_from(chips.0).ok().map(Self)
    }
}

impl Add for Coins {
    type Output = Self;
    /// Never overflows for coins that exist; saturates for amounts that somebody made up.
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Coins {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Coins {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Coins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Coins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Who owns an account: an Ed25519 public key.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(pub [u8; 32]);

/// The part before the `1` of a written address.
const PREFIX: bech32::Hrp = bech32::Hrp::parse_unchecked("deal");

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = bech32::encode::<bech32::Bech32m>(PREFIX, &self.0).map_err(|_| fmt::Error)?;
        f.write_str(&text)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, ..] = self.0;
        write!(f, "Address({a:02x}{b:02x}{c:02x}{d:02x}…)")
    }
}

/// Not an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotAnAddress;

impl fmt::Display for NotAnAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an address begins with deal1 and has 63 characters")
    }
}

impl core::error::Error for NotAnAddress {}

impl core::str::FromStr for Address {
    type Err = NotAnAddress;

    fn from_str(text: &str) -> Result<Self, NotAnAddress> {
        let (prefix, bytes) = bech32::decode(text).map_err(|_| NotAnAddress)?;
        let bytes = bytes.try_into().map_err(|_| NotAnAddress)?;
        let address = Self(bytes);
        // Only one way to write it: with the right checksum, in lower case.
        if prefix == PREFIX && address.to_string() == text { Ok(address) } else { Err(NotAnAddress) }
    }
}

/// Bytes in hex.
pub fn hex(bytes: &[u8]) -> String {
    use core::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        // Writing to memory cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Hex as bytes; `None` if it is not.
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    let digit = |digit: u8| char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let bytes = pairs.iter().map(|[high, low]| Some(digit(*high)? * 16 + digit(*low)?)).collect();
    if rest.is_empty() { bytes } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_written_in_one_way() {
        let address = Address([7; 32]);
        let text = address.to_string();
        assert!(text.starts_with("deal1") && text.len() == 63, "{text}");
        assert_eq!(text.parse(), Ok(address));
        assert_eq!(text.to_uppercase().parse::<Address>(), Err(NotAnAddress));
        assert_eq!(text.replace('7', "8").replacen("deal1", "deal1q", 1).parse::<Address>(), Err(NotAnAddress));
        assert_eq!("".parse::<Address>(), Err(NotAnAddress));
    }

    #[test]
    fn hex_is_read_as_it_is_written() {
        assert_eq!(unhex(&hex(&[0, 1, 0xfe])), Some(vec![0, 1, 0xfe]));
        assert_eq!(unhex("0"), None);
        assert_eq!(unhex("0g"), None);
        assert_eq!(unhex("é0"), None);
    }

    #[test]
    fn parts_are_rounded_down() {
        assert_eq!(Coins(999).bps(1000), Coins(99));
        assert_eq!(Coins(u64::MAX).bps(10_000), Coins(u64::MAX));
        assert_eq!(Coins(5).minus(Coins(6)), None);
    }
}
