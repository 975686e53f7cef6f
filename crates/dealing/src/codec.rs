//! Bytes in and out: canonical, bounded, exact.
//!
//! Every value has exactly one encoding. Points are decoded strictly, scalars must be reduced, lists state
//! their length before anything is allocated, and nothing may follow the end.

use core::fmt;

use curve25519_dalek::Scalar;
use curve25519_dalek::ristretto::CompressedRistretto;

use crate::Element;

/// Why bytes cannot be decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Malformed {
    /// They end too early.
    Short,
    /// Something follows the end.
    Trailing,
    /// Not the encoding of a group element.
    Point,
    /// Not a reduced scalar.
    Scalar,
    /// The neutral element where it is not allowed.
    Identity,
    /// A list is too short or too long.
    Length {
        /// At least.
        least: usize,
        /// At most.
        most: usize,
    },
    /// An unknown tag.
    Unknown(u8),
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Short => f.write_str("the data ends too early"),
            Self::Trailing => f.write_str("the data has extra bytes at its end"),
            Self::Point => f.write_str("32 bytes do not encode a group element"),
            Self::Scalar => f.write_str("32 bytes do not encode a reduced scalar"),
            Self::Identity => f.write_str("the neutral element is not allowed there"),
            Self::Length { least, most } => write!(f, "a list must have from {least} to {most} entries"),
            Self::Unknown(tag) => write!(f, "unknown tag {tag}"),
        }
    }
}

impl core::error::Error for Malformed {}

/// A value with exactly one encoding.
pub trait Wire: Sized {
    /// Appends the encoding.
    fn write(&self, out: &mut Vec<u8>);
    /// Reads one from the front.
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed>;
}

/// The encoding of a value.
pub fn encode(value: &impl Wire) -> Vec<u8> {
    let mut out = Vec::new();
    value.write(&mut out);
    out
}

/// The value that exactly these bytes encode.
pub fn decode<T: Wire>(bytes: &[u8]) -> Result<T, Malformed> {
    let mut reader = Reader::new(bytes);
    let value = T::read(&mut reader)?;
    reader.finish()?;
    Ok(value)
}

/// Bytes being read from the front.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    left: &'a [u8],
}

impl<'a> Reader<'a> {
    /// From the first byte on.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { left: bytes }
    }

    /// The next `len` bytes.
    pub fn take(&mut self, len: usize) -> Result<&'a [u8], Malformed> {
        let (taken, left) = self.left.split_at_checked(len).ok_or(Malformed::Short)?;
        self.left = left;
        Ok(taken)
    }

    /// The next bytes, as an array.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let (taken, left) = self.left.split_first_chunk().ok_or(Malformed::Short)?;
        self.left = left;
        Ok(*taken)
    }

    /// The length of the list that follows, checked against its limits before anything is allocated.
    pub fn length(&mut self, least: usize, most: usize) -> Result<usize, Malformed> {
        let len = usize::from(u16::read(self)?);
        if (least..=most).contains(&len) { Ok(len) } else { Err(Malformed::Length { least, most }) }
    }

    /// A list of this many values.
    pub fn list<T: Wire>(&mut self, len: usize) -> Result<Vec<T>, Malformed> {
        // No value is shorter than a byte, so missing bytes allocate nothing.
        if len > self.left.len() {
            return Err(Malformed::Short);
        }
        (0..len).map(|_| T::read(self)).collect()
    }

    /// A list with its length before it.
    pub fn counted<T: Wire>(&mut self, least: usize, most: usize) -> Result<Vec<T>, Malformed> {
        let len = self.length(least, most)?;
        self.list(len)
    }

    /// Checks that nothing is left.
    pub fn finish(self) -> Result<(), Malformed> {
        if self.left.is_empty() { Ok(()) } else { Err(Malformed::Trailing) }
    }
}

/// Appends a list after its length (at most 65,535).
pub fn write_counted<T: Wire>(values: &[T], out: &mut Vec<u8>) {
    u16::try_from(values.len()).expect("no list is longer than its limit").write(out);
    values.iter().for_each(|value| value.write(out));
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Wire for $number {
            fn write(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
                from.array().map(Self::from_le_bytes)
            }
        }
    )*};
}
numbers!(u8, u16, u32, u64);

impl Wire for [u8; 32] {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        from.array()
    }
}

impl Wire for Scalar {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.as_bytes());
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Option::from(Self::from_canonical_bytes(from.array()?)).ok_or(Malformed::Scalar)
    }
}

/// Any element; callers that forbid the neutral one check for it.
impl Wire for Element {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.bytes());
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let bytes = from.array()?;
        let point = CompressedRistretto(bytes).decompress().ok_or(Malformed::Point)?;
        Ok(Self::from_parts(point, bytes))
    }
}
