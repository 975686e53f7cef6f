//! Values with an encoding of their own inside borsh: after their length, exactly.

use std::io::{Error, ErrorKind, Read, Result, Write};

use borsh::{BorshDeserialize, BorshSerialize};
use dealing::Wire;

/// The longest value.
const MOST_BYTES: usize = 4 << 20;

/// A value that is encoded as [`Wire`] says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wired<T>(pub T);

impl<T: Wire> BorshSerialize for Wired<T> {
    fn serialize<W: Write>(&self, writer: &mut W) -> Result<()> {
        dealing::encode(&self.0).serialize(writer)
    }
}

impl<T: Wire> BorshDeserialize for Wired<T> {
    fn deserialize_reader<R: Read>(reader: &mut R) -> Result<Self> {
        let length = usize::try_from(u32::deserialize_reader(reader)?).unwrap_or(usize::MAX);
        if length > MOST_BYTES {
            return Err(Error::new(ErrorKind::InvalidData, "the value is too long"));
        }
        let mut bytes = Vec::new();
        let read = reader.take(u64::try_from(length).unwrap_or(u64::MAX)).read_to_end(&mut bytes)?;
        if read != length {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        dealing::decode(&bytes).map(Self).map_err(|why| Error::new(ErrorKind::InvalidData, why.to_string()))
    }
}
