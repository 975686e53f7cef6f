//! Places in a shuffled deck. A card in play is identified by its slot; its face is a separate fact.

use core::fmt;
use core::str::FromStr;

use cards::Pack;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The identity of a card in play: the deck it came from and its place there, with 0 at the top.
///
/// A shoe holds several cards with the same face, so a face cannot say *which* card is meant. A slot does, and
/// says nothing about the face.
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

    /// Passes the text of a slot to `used`. A message to a player holds dozens of slots, and the formatting
    /// machinery would take longer than the rest of the message.
    fn with_text<T>(self, used: impl FnOnce(&str) -> T) -> T {
        let mut text = [0; LONGEST];
        let mut free = text.iter_mut().rev();
        let mut written = 0;
        let mut put = |byte: u8| {
            if let Some(place) = free.next() {
                *place = byte;
                written += 1;
            }
        };
        digits(u32::from(self.index), &mut put);
        put(b':');
        digits(self.deck, &mut put);
        let text = text.get(LONGEST - written..).and_then(|text| core::str::from_utf8(text).ok());
        used(text.unwrap_or_default())
    }
}

/// The last slot of the last deck is `4294967295:65535`.
const LONGEST: usize = 16;

/// The digits of a number, the last one first.
fn digits(mut number: u32, put: &mut impl FnMut(u8)) {
    loop {
        let [digit, ..] = (number % 10).to_le_bytes();
        put(b'0' + digit);
        number /= 10;
        if number == 0 {
            return;
        }
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.with_text(|text| f.write_str(text))
    }
}

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not a slot.
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
            self.with_text(|text| serializer.serialize_str(text))
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

/// Evenly spaced slots of one deck. Every deal, flop and draw is such a run.
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

    /// `len` slots from `first` on, each `step` after the one before (cards dealt one at a time around a
    /// table).
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_written_as_its_two_numbers() {
        let numbers = [0, 1, 9, 10, 52, 99, 100, 1009, 65_535, 65_536, 1_000_000_000, u32::MAX];
        for deck in numbers {
            for index in numbers.into_iter().filter_map(|number| u16::try_from(number).ok()) {
                let (slot, text) = (Slot::new(deck, index), format!("{deck}:{index}"));
                assert_eq!(slot.to_string(), text);
                assert_eq!(serde_json::to_string(&slot).unwrap(), format!("\"{text}\""));
                assert_eq!(text.parse(), Ok(slot));
            }
        }
    }
}
