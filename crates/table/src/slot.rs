//! Places in a shuffled deck. A card in play is its slot; what is printed on it is a separate fact.

use core::fmt;
use core::str::FromStr;

use cards::Pack;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The identity of a card in play: the deck it came from and its place there, 0 being the top.
///
/// Shoes hold equal faces, so a face can never say *which* card is meant; a slot always does, and says
/// nothing about the face.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Slot {
    /// The deck's number; numbers run through a match.
    pub deck: u32,
    /// The place in that deck.
    pub index: u16,
}

impl Slot {
    /// A place in a deck.
    #[inline]
    pub const fn new(deck: u32, index: u16) -> Self {
        Self { deck, index }
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.deck, self.index)
    }
}

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is no slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseSlotError;

impl fmt::Display for ParseSlotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a slot, deck:index, such as 0:17")
    }
}

impl core::error::Error for ParseSlotError {}

impl FromStr for Slot {
    type Err = ParseSlotError;
    fn from_str(text: &str) -> Result<Self, ParseSlotError> {
        let digits = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
        let (deck, index) = text.split_once(':').filter(|(d, i)| digits(d) && digits(i)).ok_or(ParseSlotError)?;
        Ok(Self { deck: deck.parse().map_err(|_| ParseSlotError)?, index: index.parse().map_err(|_| ParseSlotError)? })
    }
}

impl Serialize for Slot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            (self.deck, self.index).serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Slot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
            text.parse().map_err(D::Error::custom)
        } else {
            let (deck, index) = <(u32, u16)>::deserialize(deserializer)?;
            Ok(Self { deck, index })
        }
    }
}

/// Evenly spaced slots of one deck: every deal, flop and draw is such a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Run {
    /// The first slot.
    pub first: Slot,
    /// From one slot to the next.
    pub step: u8,
    /// How many.
    pub len: u8,
}

impl Run {
    /// One slot.
    #[inline]
    pub const fn one(slot: Slot) -> Self {
        Self { first: slot, step: 1, len: 1 }
    }

    /// `len` neighbours from `first` on.
    #[inline]
    pub const fn of(first: Slot, len: u8) -> Self {
        Self { first, step: 1, len }
    }

    /// `len` slots from `first` on, each `step` after the one before (cards dealt one at a time round a table).
    #[inline]
    pub const fn every(first: Slot, step: u8, len: u8) -> Self {
        Self { first, step, len }
    }

    /// The slots, in order.
    #[inline]
    pub fn slots(self) -> impl Iterator<Item = Slot> + Clone {
        (0..u16::from(self.len)).map(move |i| self.nth(i))
    }

    /// The last slot: the deepest in the deck.
    #[inline]
    pub fn last(self) -> Option<Slot> {
        Some(self.nth(u16::from(self.len.checked_sub(1)?)))
    }

    #[inline]
    fn nth(self, i: u16) -> Slot {
        Slot::new(self.first.deck, self.first.index.saturating_add(i.saturating_mul(u16::from(self.step))))
    }
}

/// What a new deck is made of.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Source {
    /// A fresh pack.
    Pack(Pack),
    /// Cards already in play (a recycled pile); they leave their old slots.
    Slots(Box<[Slot]>),
}
