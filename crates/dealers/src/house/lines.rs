//! The evidence of the house and its players, as bytes.

use core::fmt;

use cards::Card;
use dealing::merkle::{Path, Root};
use dealing::{Commitment, Malformed, Reader, Wire, write_counted};
use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};
use table::record::{By, hex};
use table::{Seat, Slot};

use super::{LeftOut, Publish};

/// The most cards opened in one line.
pub(super) const MOST_OPENINGS: usize = 512;

/// One line of evidence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Said {
    /// The house commits to its seed, and to when it will publish it.
    HouseCommit { deck: u32, publish: Publish, commitment: Commitment },
    /// A seat commits to its seed.
    Commit { seat: Seat, deck: u32, commitment: Commitment },
    /// A seat reveals its seed.
    Reveal { seat: Seat, deck: u32, seed: [u8; 32], nonce: [u8; 32] },
    /// The house says that a seat is left out of the order, and why.
    LeftOut { deck: u32, seat: Seat, why: LeftOut },
    /// The house fixes every card of the deck.
    Root { deck: u32, count: u16, root: Root },
    /// The house opens cards.
    Open(Vec<Opening>),
    /// The house publishes its seed of a deck.
    Seed { deck: u32, seed: [u8; 32], nonce: [u8; 32] },
    /// The session is over, and no more evidence follows.
    End,
}

/// A card that can be checked against the root of its deck.
///
/// In JSON with hashes in hexadecimal: `{"slot":"0:4","card":"7S","salt":"…","path":["…"]}`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// Which.
    pub slot: Slot,
    /// Its face.
    pub card: Card,
    /// The salt that hid it until now.
    pub salt: [u8; 32],
    /// The path to the root.
    pub path: Path,
}

/// A line that cannot be decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unreadable {
    /// This kind of author has no such evidence.
    Kind,
    /// The bytes cannot be decoded.
    Body(Malformed),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind => f.write_str("there is no evidence of this kind by this author"),
            Self::Body(why) => why.fmt(f),
        }
    }
}

impl core::error::Error for Unreadable {}

impl From<Malformed> for Unreadable {
    fn from(why: Malformed) -> Self {
        Self::Body(why)
    }
}

impl Said {
    /// Its recorded author.
    pub(super) const fn by(&self) -> By {
        match self {
            Self::Commit { seat, .. } | Self::Reveal { seat, .. } => By::Seat(*seat),
            _ => By::House,
        }
    }

    pub(super) const fn kind(&self) -> &'static str {
        match self {
            Self::HouseCommit { .. } | Self::Commit { .. } => "commit",
            Self::Reveal { .. } => "reveal",
            Self::LeftOut { .. } => "left_out",
            Self::Root { .. } => "root",
            Self::Open(_) => "open",
            Self::Seed { .. } => "seed",
            Self::End => "end",
        }
    }

    pub(super) fn payload(&self) -> Vec<u8> {
        let mut out = Vec::new();
        match self {
            Self::HouseCommit { deck, publish, commitment } => {
                deck.write(&mut out);
                publish.code().write(&mut out);
                commitment.write(&mut out);
            }
            Self::Commit { seat: _, deck, commitment } => {
                deck.write(&mut out);
                commitment.write(&mut out);
            }
            Self::Reveal { deck, seed, nonce, .. } | Self::Seed { deck, seed, nonce } => {
                deck.write(&mut out);
                seed.write(&mut out);
                nonce.write(&mut out);
            }
            Self::LeftOut { deck, seat, why } => {
                deck.write(&mut out);
                seat.index().write(&mut out);
                why.code().write(&mut out);
            }
            Self::Root { deck, count, root } => {
                deck.write(&mut out);
                count.write(&mut out);
                root.write(&mut out);
            }
            Self::Open(openings) => write_counted(openings, &mut out),
            Self::End => {}
        }
        out
    }

    pub(super) fn read(by: By, kind: &str, payload: &[u8]) -> Result<Self, Unreadable> {
        let mut from = Reader::new(payload);
        let said = match (by, kind) {
            (By::House, "commit") => {
                let (deck, code) = (u32::read(&mut from)?, u8::read(&mut from)?);
                let publish = Publish::from_code(code).ok_or(Malformed::Unknown(code))?;
                Self::HouseCommit { deck, publish, commitment: Commitment::read(&mut from)? }
            }
            (By::Seat(seat), "commit") => {
                Self::Commit { seat, deck: u32::read(&mut from)?, commitment: Commitment::read(&mut from)? }
            }
            (By::Seat(seat), "reveal") => {
                Self::Reveal { seat, deck: u32::read(&mut from)?, seed: from.array()?, nonce: from.array()? }
            }
            (By::House, "left_out") => {
                let (deck, seat, why) = (u32::read(&mut from)?, u8::read(&mut from)?, u8::read(&mut from)?);
                let seat = Seat::new(seat).ok_or(Malformed::Unknown(seat))?;
                Self::LeftOut { deck, seat, why: LeftOut::from_code(why).ok_or(Malformed::Unknown(why))? }
            }
            (By::House, "root") => {
                Self::Root { deck: u32::read(&mut from)?, count: u16::read(&mut from)?, root: Root::read(&mut from)? }
            }
            (By::House, "open") => Self::Open(from.counted(1, MOST_OPENINGS)?),
            (By::House, "seed") => {
                Self::Seed { deck: u32::read(&mut from)?, seed: from.array()?, nonce: from.array()? }
            }
            (By::House, "end") => Self::End,
            _ => return Err(Unreadable::Kind),
        };
        from.finish()?;
        Ok(said)
    }
}

impl Serialize for Opening {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let path: Vec<String> = self.path.hashes().iter().map(|hash| hex(hash)).collect();
        let mut opening = serializer.serialize_struct("Opening", 4)?;
        opening.serialize_field("slot", &self.slot)?;
        opening.serialize_field("card", &self.card)?;
        opening.serialize_field("salt", &hex(&self.salt))?;
        opening.serialize_field("path", &path)?;
        opening.end()
    }
}

impl Wire for Opening {
    fn write(&self, out: &mut Vec<u8>) {
        self.slot.deck.write(out);
        self.slot.index.write(out);
        self.card.code().write(out);
        self.salt.write(out);
        self.path.write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let slot = Slot::new(u32::read(from)?, u16::read(from)?);
        let code = u8::read(from)?;
        let card = Card::from_code(code).ok_or(Malformed::Unknown(code))?;
        Ok(Self { slot, card, salt: from.array()?, path: Path::read(from)? })
    }
}
