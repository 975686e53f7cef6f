//! How programs find out what the other one can do.
//!
//! ```text
//! fd · 48 · 00 00 · version and heard u8 · pause u8 · largest parcel u16 · session u32 · to u32 · CRC-32      20 bytes
//! ```
//!
//! The guest says hello when it is connected, and the host answers; both repeat it until each knows that the other has
//! heard it. Geogram's programs ignore it: two zeros in that place are no parcel of theirs. A host that does not answer
//! is spoken to in the slow form.
//!
//! The session is a random number for the lifetime of a [`Link`](crate::Link). It is part of every checksum in the fast
//! form, and a hello names the session that it answers. So what is said to one guest never counts for another who
//! hears it as well: some hosts can only notify all guests at once.

use core::time::Duration;

use crate::reader::{Reader, checked, seal};
use crate::{LEAST_PIECE, Malformed};

/// The version of this protocol.
pub const VERSION: u8 = 2;
/// The first bytes of a hello.
pub(crate) const MARKER: [u8; 4] = [0xFD, 0x48, 0, 0];
/// How long a hello is.
pub const LENGTH: usize = 20;
const _: () = assert!(LENGTH <= LEAST_PIECE, "a hello fits into the smallest piece");

/// The smallest parcel that a program may ask for, and the largest.
pub const LEAST_PARCEL: u16 = 64;
/// The largest parcel.
pub const MOST_PARCEL: u16 = 4096;
/// A hello says a pause in steps of this many milliseconds, up to 255 of them.
pub const PAUSE_STEP: u8 = 10;

/// What a program asks of the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The largest parcel it takes.
    pub parcel: u16,
    /// The pause that it needs between two parcels.
    pub pause: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { parcel: MOST_PARCEL, pause: Duration::ZERO }
    }
}

impl Limits {
    /// What both can do.
    pub(crate) fn and(self, other: Self) -> Self {
        Self { parcel: self.parcel.min(other.parcel), pause: self.pause.max(other.pause) }
    }

    /// The nearest that can be said in a hello, with a pause that is not shorter.
    pub(crate) fn possible(self) -> Self {
        Self { parcel: self.parcel.clamp(LEAST_PARCEL, MOST_PARCEL), pause: pause(self.steps()) }
    }

    /// The pause in steps.
    fn steps(self) -> u8 {
        u8::try_from(self.pause.as_millis().div_ceil(PAUSE_STEP.into())).unwrap_or(u8::MAX)
    }
}

fn pause(steps: u8) -> Duration {
    Duration::from_millis(u64::from(PAUSE_STEP) * u64::from(steps))
}

/// How far a greeting has come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Hears {
    /// The other's hello was not heard.
    Nobody,
    /// The other's hello was heard.
    You,
    /// It was heard, and the other has said that it has heard ours.
    Both,
}

/// What a program says first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hello {
    /// The number of its link.
    pub session: u32,
    /// The number of the link that it answers; 0 if it does not know one.
    pub to: u32,
    /// What it has heard of the other.
    pub heard: Hears,
    /// What it asks for.
    pub limits: Limits,
}

impl Hello {
    /// The bytes.
    pub fn encode(&self) -> Vec<u8> {
        let heard = match self.heard {
            Hears::Nobody => 0,
            Hears::You => 1,
            Hears::Both => 2,
        };
        let mut bytes = MARKER.to_vec();
        bytes.extend([VERSION << 4 | heard, self.limits.steps()]);
        bytes.extend(self.limits.possible().parcel.to_le_bytes());
        bytes.extend(self.session.to_le_bytes());
        bytes.extend(self.to.to_le_bytes());
        seal(b"", bytes)
    }

    /// Whether these bytes begin like a hello.
    pub fn begins(bytes: &[u8]) -> bool {
        bytes.starts_with(&MARKER)
    }

    /// Reads a hello.
    ///
    /// # Errors
    /// Fails if it is none, or one of another version.
    pub fn decode(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut from = Reader(checked(b"", bytes)?);
        if from.array()? != MARKER {
            return Err(Malformed::Unknown);
        }
        let [first, steps] = from.array()?;
        if first >> 4 != VERSION {
            return Err(Malformed::Value);
        }
        let heard = match first & 0x0F {
            0 => Hears::Nobody,
            1 => Hears::You,
            2 => Hears::Both,
            _ => return Err(Malformed::Value),
        };
        let parcel = u16::from_le_bytes(from.array()?);
        let (session, to) = (u32::from_le_bytes(from.array()?), u32::from_le_bytes(from.array()?));
        from.finish()?;
        if !(LEAST_PARCEL..=MOST_PARCEL).contains(&parcel) {
            return Err(Malformed::Value);
        }
        Ok(Self { session, to, heard, limits: Limits { parcel, pause: pause(steps) } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HELLO: Hello = Hello {
        session: 0x0102_0304,
        to: 0x0506_0708,
        heard: Hears::You,
        limits: Limits { parcel: 4096, pause: Duration::from_millis(20) },
    };

    #[test]
    fn a_hello_is_read_as_it_was_written() {
        assert_eq!(HELLO.encode().len(), LENGTH);
        assert!(Hello::begins(&HELLO.encode()));
        assert_eq!(Hello::decode(&HELLO.encode()), Ok(HELLO));
    }

    #[test]
    fn a_damaged_hello_is_refused() {
        let bytes = HELLO.encode();
        for place in 0..bytes.len() * 8 {
            let mut damaged = bytes.clone();
            damaged[place / 8] ^= 1 << (place % 8);
            assert_eq!(Hello::decode(&damaged), Err(Malformed::Checksum), "bit {place}");
        }
        assert_eq!(Hello::decode(&bytes[..3]), Err(Malformed::Short));
        assert_eq!(Hello::decode(&bytes[..19]), Err(Malformed::Checksum));
    }

    #[test]
    fn a_hello_that_asks_for_the_impossible_is_refused() {
        let resealed = |place: usize, byte: u8| {
            let mut bytes = HELLO.encode();
            bytes.truncate(LENGTH - 4);
            bytes[place] = byte;
            Hello::decode(&seal(b"", bytes))
        };
        assert_eq!(resealed(4, 0x11), Err(Malformed::Value), "another version");
        assert_eq!(resealed(4, 0x23), Err(Malformed::Value), "neither heard nor not");
        assert_eq!(resealed(7, 0), Err(Malformed::Value), "a parcel of no bytes");
        assert_eq!(resealed(7, 0x20), Err(Malformed::Value), "a parcel of 8 kB");
        assert_eq!(resealed(0, 0), Err(Malformed::Unknown));
        let mut long = HELLO.encode();
        long.truncate(LENGTH - 4);
        long.push(0);
        assert_eq!(Hello::decode(&seal(b"", long)), Err(Malformed::Long));
    }

    #[test]
    fn limits_are_those_of_both() {
        let slow = Limits { parcel: 280, pause: Duration::from_millis(500) };
        assert_eq!(Limits::default().and(slow), slow);
        let wild = Limits { parcel: 1, pause: Duration::from_secs(99) };
        assert_eq!(wild.possible(), Limits { parcel: LEAST_PARCEL, pause: Duration::from_millis(2550) });
    }
}
