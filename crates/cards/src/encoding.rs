//! The serde forms: text in formats for people (JSON, TOML), numbers in binary formats.
//!
//! | type | human readable | binary |
//! |---|---|---|
//! | [`Suit`], [`Rank`] | the letter, `"S"`, `"T"` | the index |
//! | [`Card`] | `"AS"` | the code |
//! | [`PhysicalCard`] | `"7S#2"` | face and copy |
//! | [`Played`] | `"JK#3=7D"` | card and what it stands for |
//! | [`CardSet`] | a list of cards | the 64 bits |
//!
//! Everything read is checked; values that this crate could not have written are refused.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Error, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Card, CardSet, PhysicalCard, Played, Rank, Suit};

impl Serialize for Suit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_char(self.letter())
        } else {
            serializer.serialize_u8(self.index())
        }
    }
}

impl<'de> Deserialize<'de> for Suit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Suit, D::Error> {
        letter_or_index(deserializer, Suit::from_char, Suit::from_index, &"a suit: C, D, H or S, or a number below 4")
    }
}

impl Serialize for Rank {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_char(self.letter())
        } else {
            serializer.serialize_u8(self.index())
        }
    }
}

impl<'de> Deserialize<'de> for Rank {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Rank, D::Error> {
        letter_or_index(
            deserializer,
            Rank::from_char,
            Rank::from_index,
            &"a rank: one of 23456789TJQKA, or a number below 13",
        )
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_str(self.short().as_str())
        } else {
            serializer.serialize_u8(self.code())
        }
    }
}

impl<'de> Deserialize<'de> for Card {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Card, D::Error> {
        if deserializer.is_human_readable() {
            return deserializer.deserialize_str(Text::new("a card"));
        }
        let code = u8::deserialize(deserializer)?;
        Card::from_code(code).ok_or_else(|| number_refused(code, &"0 to 52 or 64 to 127"))
    }
}

impl Serialize for PhysicalCard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            (self.face, self.copy).serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for PhysicalCard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PhysicalCard, D::Error> {
        if deserializer.is_human_readable() {
            return deserializer.deserialize_str(Text::new("a card with its copy number"));
        }
        match Deserialize::deserialize(deserializer)? {
            (_, 0) => Err(number_refused(0u8, &"a copy number from 1")),
            (face, copy) => Ok(PhysicalCard { face, copy }),
        }
    }
}

impl Serialize for Played {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            (self.card, self.stands_for).serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Played {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Played, D::Error> {
        if deserializer.is_human_readable() {
            return deserializer.deserialize_str(Text::new("a played card"));
        }
        match Deserialize::deserialize(deserializer)? {
            (card, None) => Ok(Played::from(card)),
            (card, Some(natural)) => Played::standing(card, natural).map_err(D::Error::custom),
        }
    }
}

impl Serialize for CardSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_seq(self.iter())
        } else {
            serializer.serialize_u64(self.bits())
        }
    }
}

impl<'de> Deserialize<'de> for CardSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CardSet, D::Error> {
        if deserializer.is_human_readable() {
            return deserializer.deserialize_seq(DistinctNaturals);
        }
        let bits = u64::deserialize(deserializer)?;
        CardSet::from_bits(bits).ok_or_else(|| number_refused(bits, &"a set of 52 bits"))
    }
}

/// Reads any type that has a text form.
struct Text<T> {
    expected: &'static str,
    read: PhantomData<T>,
}

impl<T> Text<T> {
    fn new(expected: &'static str) -> Text<T> {
        Text { expected, read: PhantomData }
    }
}

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

/// Reads a list of different natural cards.
struct DistinctNaturals;

impl<'de> Visitor<'de> for DistinctNaturals {
    type Value = CardSet;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of different natural cards")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<CardSet, A::Error> {
        let mut set = CardSet::new();
        while let Some(card) = list.next_element::<Card>()? {
            if !set.insert(card) {
                let refused = card.to_string();
                return Err(A::Error::invalid_value(Unexpected::Str(&refused), &self));
            }
        }
        Ok(set)
    }
}

fn letter_or_index<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    from_char: fn(char) -> Option<T>,
    from_index: fn(u8) -> Option<T>,
    expected: &&'static str,
) -> Result<T, D::Error> {
    if deserializer.is_human_readable() {
        let letter = char::deserialize(deserializer)?;
        from_char(letter).ok_or_else(|| D::Error::invalid_value(Unexpected::Char(letter), expected))
    } else {
        let index = u8::deserialize(deserializer)?;
        from_index(index).ok_or_else(|| number_refused(index, expected))
    }
}

fn number_refused<E: Error>(number: impl Into<u64>, expected: &&'static str) -> E {
    E::invalid_value(Unexpected::Unsigned(number.into()), expected)
}
