//! One physical card among several of the same face, and a joker that stands for another card.
//!
//! `7S#2` is the second seven of spades; `JK#3` the third joker, counted by id over the whole
//! pack; `JK#3=7D` the same joker played as a seven of diamonds.

use std::error::Error;
use std::fmt::{self, Write};
use std::str::FromStr;

use crate::text::{Excerpt, Short};
use crate::{Card, ParseCardError};

/// A face and the number of its copy.
///
/// ```
/// use cards::{Card, PhysicalCard, Rank, Suit};
///
/// let card: PhysicalCard = "7♠#2".parse()?;
/// assert_eq!(card, PhysicalCard { face: Card::new(Rank::Seven, Suit::Spades), copy: 2 });
/// assert_eq!(card.to_string(), "7S#2");
/// # Ok::<(), cards::ParsePhysicalCardError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PhysicalCard {
    /// What is printed on it.
    pub face: Card,
    /// Which card with this face, counted from 1.
    pub copy: u8,
}

/// A physical card as it was played: a joker may stand for a natural card.
///
/// ```
/// use cards::Played;
///
/// let joker: Played = "JK#3=7D".parse()?;
/// assert!(joker.card.face.is_joker());
/// assert_eq!(joker.value().to_string(), "7D");
/// # Ok::<(), cards::ParsePlayedError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Played {
    /// The card that lies on the table.
    pub card: PhysicalCard,
    /// The natural card it stands for, if it is a joker.
    pub stands_for: Option<Card>,
}

impl Played {
    /// A joker that stands for a natural card.
    ///
    /// # Errors
    ///
    /// Fails if the card is not a joker, or if it would stand for something other than a natural card.
    pub fn standing(card: PhysicalCard, natural: Card) -> Result<Played, StandingError> {
        if !card.face.is_joker() {
            Err(StandingError::NotAJoker(card))
        } else if natural.natural().is_none() {
            Err(StandingError::NotNatural(natural))
        } else {
            Ok(Played { card, stands_for: Some(natural) })
        }
    }

    /// The card that counts: the one a joker stands for, otherwise the face itself.
    pub fn value(self) -> Card {
        self.stands_for.unwrap_or(self.card.face)
    }
}

impl From<PhysicalCard> for Played {
    fn from(card: PhysicalCard) -> Played {
        Played { card, stands_for: None }
    }
}

/// A card cannot stand for another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StandingError {
    /// Only a joker can stand for another card.
    NotAJoker(PhysicalCard),
    /// A joker can only stand for a natural card.
    NotNatural(Card),
}

impl fmt::Display for StandingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StandingError::NotAJoker(card) => {
                write!(f, "only a joker can stand for another card, not {card}")
            }
            StandingError::NotNatural(card) => {
                write!(f, "a joker can only stand for a card with a suit, not for {card}")
            }
        }
    }
}

impl Error for StandingError {}

/// The text is not a card with its copy number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParsePhysicalCardError {
    /// The part before `#` is not a card.
    Face(ParseCardError),
    /// The card is not followed by `#` and a number from 1 to 255. Quotes the text, shortened.
    Copy(String),
}

impl fmt::Display for ParsePhysicalCardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParsePhysicalCardError::Face(error) => error.fmt(f),
            ParsePhysicalCardError::Copy(got) => {
                write!(f, "expected a copy number as in 7S#2, got {got:?}")
            }
        }
    }
}

impl Error for ParsePhysicalCardError {}

/// The text is not a card that could be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParsePlayedError {
    /// The part before `=` is not a card with its copy number.
    Card(ParsePhysicalCardError),
    /// The part after `=` is not a card.
    StandsFor(ParseCardError),
    /// The first card cannot stand for the second.
    Standing(StandingError),
}

impl fmt::Display for ParsePlayedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParsePlayedError::Card(error) => error.fmt(f),
            ParsePlayedError::StandsFor(error) => write!(f, "after =: {error}"),
            ParsePlayedError::Standing(error) => error.fmt(f),
        }
    }
}

impl Error for ParsePlayedError {}

impl fmt::Display for PhysicalCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Short::default();
        write!(text, "{}#{}", self.face, self.copy)?;
        f.pad(text.as_str())
    }
}

impl fmt::Debug for PhysicalCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for PhysicalCard {
    type Err = ParsePhysicalCardError;

    fn from_str(text: &str) -> Result<PhysicalCard, ParsePhysicalCardError> {
        let (face, copy) = match text.split_once('#') {
            Some((face, copy)) => (face, Some(copy)),
            None => (text, None),
        };
        let face = face.parse().map_err(ParsePhysicalCardError::Face)?;
        // Each card has one text: no `#0`, no `#02`, and no `#+2`, which `u8` would accept.
        copy.filter(|copy| copy.starts_with(|first: char| matches!(first, '1'..='9')))
            .and_then(|copy| copy.parse().ok())
            .map(|copy| PhysicalCard { face, copy })
            .ok_or_else(|| ParsePhysicalCardError::Copy(Excerpt::of(text).into_string()))
    }
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Short::default();
        write!(text, "{}", self.card)?;
        if let Some(card) = self.stands_for {
            write!(text, "={card}")?;
        }
        f.pad(text.as_str())
    }
}

impl fmt::Debug for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Played {
    type Err = ParsePlayedError;

    fn from_str(text: &str) -> Result<Played, ParsePlayedError> {
        let Some((card, stands_for)) = text.split_once('=') else {
            let card: PhysicalCard = text.parse().map_err(ParsePlayedError::Card)?;
            return Ok(card.into());
        };
        let card: PhysicalCard = card.parse().map_err(ParsePlayedError::Card)?;
        let stands_for: Card = stands_for.parse().map_err(ParsePlayedError::StandsFor)?;
        Played::standing(card, stands_for).map_err(ParsePlayedError::Standing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_physical_card_is_read_as_it_is_written() {
        for text in ["7S#1", "7S#2", "JK#4", "TD#255", "d6#1"] {
            assert_eq!(text.parse::<PhysicalCard>().unwrap().to_string(), text);
        }
        assert_eq!("10d#2".parse::<PhysicalCard>().unwrap().to_string(), "TD#2");
    }

    #[test]
    fn a_physical_card_needs_a_copy_number_from_one() {
        for text in ["7S", "7S#", "7S#0", "7S#02", "7S#+2", "7S#256", "7S#2#2", "7S# 2"] {
            let error = text.parse::<PhysicalCard>().unwrap_err();
            assert_eq!(error, ParsePhysicalCardError::Copy(text.to_owned()));
        }
        assert!(matches!("XX#1".parse::<PhysicalCard>(), Err(ParsePhysicalCardError::Face(_))));
    }

    #[test]
    fn only_a_joker_stands_for_a_natural_card() {
        for text in ["7S#2", "JK#3", "JK#3=7D"] {
            assert_eq!(text.parse::<Played>().unwrap().to_string(), text);
        }
        let refused = |text: &str| text.parse::<Played>().unwrap_err();
        let standing = |text| match refused(text) {
            ParsePlayedError::Standing(error) => error,
            other => panic!("{text}: {other}"),
        };
        assert!(matches!(standing("7S#2=7D"), StandingError::NotAJoker(_)));
        assert!(matches!(standing("JK#1=JK"), StandingError::NotNatural(_)));
        assert!(matches!(standing("JK#1=d3"), StandingError::NotNatural(_)));
        assert!(matches!(refused("JK#1="), ParsePlayedError::StandsFor(_)));
        assert!(matches!(refused("JK=7D"), ParsePlayedError::Card(_)));
    }
}
