//! Keys: a byte for the space, then parts of fixed length, so that keys sort as their parts do.

use crate::store::Value;
use crate::units::Address;

/// A key of the state.
pub trait Key: Sized {
    /// The first byte of every key of this space.
    const SPACE: u8;
    /// What the values are.
    type Value: Value;
    /// The whole key.
    fn bytes(&self) -> Vec<u8>;
    /// The key that these bytes are.
    fn read(bytes: &[u8]) -> Option<Self>;
}

/// A part of a key.
pub trait Part: Sized {
    /// Appends it.
    fn write(&self, out: &mut Vec<u8>);
    /// Takes it from the front.
    fn read(from: &mut &[u8]) -> Option<Self>;
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Part for $number {
            fn write(&self, out: &mut Vec<u8>) {
                // Highest byte first, so that they sort as numbers.
                out.extend_from_slice(&self.to_be_bytes());
            }
            fn read(from: &mut &[u8]) -> Option<Self> {
                let (bytes, rest) = from.split_first_chunk()?;
                *from = rest;
                Some(Self::from_be_bytes(*bytes))
            }
        }
    )*};
}
numbers!(u8, u16, u32, u64);

impl Part for [u8; 32] {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self);
    }
    fn read(from: &mut &[u8]) -> Option<Self> {
        let (bytes, rest) = from.split_first_chunk()?;
        *from = rest;
        Some(*bytes)
    }
}

impl Part for Address {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
    }
    fn read(from: &mut &[u8]) -> Option<Self> {
        Part::read(from).map(Self)
    }
}

/// Declares a space of the state: `key! { /// Whose. pub struct Balance(Address) => Account, in 0x10 }`.
macro_rules! key {
    ($($(#[$meta:meta])* $vis:vis struct $name:ident($($part:ty),*) => $value:ty, in $space:literal;)+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        $vis struct $name($(pub $part),*);

        impl $crate::store::Key for $name {
            const SPACE: u8 = $space;
            type Value = $value;

            fn bytes(&self) -> Vec<u8> {
                #[allow(unused_mut, reason = "a key without parts is only its space")]
                let mut out = vec![$space];
                $crate::store::key!(@write self out; 0 $($part),*);
                out
            }

            fn read(bytes: &[u8]) -> Option<Self> {
                #[allow(unused_mut, reason = "a key without parts has no rest")]
                let mut rest = bytes.strip_prefix(&[$space])?;
                let key = Self($(<$part as $crate::store::Part>::read(&mut rest)?),*);
                rest.is_empty().then_some(key)
            }
        }
    )+};
    (@write $self:ident $out:ident; 0) => {};
    (@write $self:ident $out:ident; 0 $a:ty) => { $crate::store::Part::write(&$self.0, &mut $out); };
    (@write $self:ident $out:ident; 0 $a:ty, $b:ty) => {
        $crate::store::Part::write(&$self.0, &mut $out);
        $crate::store::Part::write(&$self.1, &mut $out);
    };
    (@write $self:ident $out:ident; 0 $a:ty, $b:ty, $c:ty) => {
        $crate::store::Part::write(&$self.0, &mut $out);
        $crate::store::Part::write(&$self.1, &mut $out);
        $crate::store::Part::write(&$self.2, &mut $out);
    };
}
pub(crate) use key;
