//! How one card is written and read.
//!
//! Written as `AS`, `TD`, `JK`, and `d7` for the lot with seven pips. Read in either case, with `10` for `T`,
//! and with suits as Unicode symbols, black or white, with or without a selector for text or emoji style.
//! People are shown [`Card::pretty`].

use std::error::Error;
use std::fmt::{self, Write};
use std::str::FromStr;

use crate::{Card, Rank, Suit};

/// The text is not a card.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseCardError {
    got: Excerpt,
}

impl ParseCardError {
    /// Keeps the beginning of `text`, which was found instead of a card.
    pub(crate) fn new(text: &str) -> ParseCardError {
        ParseCardError { got: Excerpt::of(text) }
    }

    /// What was found instead of a card, shortened to a few characters.
    pub fn got(&self) -> &str {
        &self.got.0
    }
}

impl fmt::Display for ParseCardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected a card such as AS, 10h, 7♠, JK or d7, got {}", self.got)
    }
}

impl Error for ParseCardError {}

/// The beginning of a text from outside, short enough to quote in an error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Excerpt(String);

impl Excerpt {
    /// How many characters are quoted.
    const LENGTH: usize = 16;

    pub(crate) fn of(text: &str) -> Excerpt {
        let mut characters = text.chars();
        let mut short: String = characters.by_ref().take(Excerpt::LENGTH).collect();
        if characters.next().is_some() {
            short.push('…');
        }
        Excerpt(short)
    }

    pub(crate) fn into_string(self) -> String {
        self.0
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The text comes from a stranger. Quoted and escaped, it cannot control a terminal or forge a line.
        fmt::Debug::fmt(&self.0, f)
    }
}

impl Card {
    /// The card in two or three letters.
    pub(crate) fn short(self) -> Short {
        let mut text = Short::default();
        // Everything written here fits.
        let _ = match (self.natural(), self.pips()) {
            (Some((rank, suit)), _) => text.write_char(rank.letter()).and_then(|()| text.write_char(suit.letter())),
            (None, Some(pips)) => write!(text, "d{pips}"),
            (None, None) => text.write_str("JK"),
        };
        text
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.short().as_str())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Card {
    type Err = ParseCardError;

    fn from_str(text: &str) -> Result<Card, ParseCardError> {
        match scan(text) {
            Some((card, "")) => Ok(card),
            _ => Err(ParseCardError::new(text)),
        }
    }
}

impl Card {
    /// The card as shown to people: `A♠`, `10♦`, `★` for a joker, a plain number for a lot.
    ///
    /// ```
    /// use cards::{Card, Rank, Suit};
    ///
    /// assert_eq!(Card::new(Rank::Ten, Suit::Diamonds).pretty().to_string(), "10♦");
    /// assert_eq!(Card::JOKER.pretty().to_string(), "★");
    /// ```
    pub const fn pretty(self) -> Pretty {
        Pretty(self)
    }
}

/// Displays a card with a Unicode suit; made by [`Card::pretty`].
#[derive(Clone, Copy, Debug)]
pub struct Pretty(Card);

impl fmt::Display for Pretty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Short::default();
        match (self.0.natural(), self.0.pips()) {
            (Some((Rank::Ten, suit)), _) => write!(text, "10{}", suit.symbol())?,
            (Some((rank, suit)), _) => write!(text, "{rank}{}", suit.symbol())?,
            (None, Some(pips)) => write!(text, "{pips}")?,
            (None, None) => text.write_char('★')?,
        }
        f.pad(text.as_str())
    }
}

/// Reads the card that `text` begins with; returns it with the rest of the text.
///
/// The card takes as much text as it can: `d12` is one lot, not `d1` and a stray `2`.
pub(crate) fn scan(text: &str) -> Option<(Card, &str)> {
    scan_natural(text).or_else(|| scan_joker(text)).or_else(|| scan_lot(text))
}

fn scan_natural(text: &str) -> Option<(Card, &str)> {
    let (rank, rest) = match text.strip_prefix("10") {
        Some(rest) => (Rank::Ten, rest),
        None => {
            let (first, rest) = split_first(text)?;
            (Rank::from_char(first)?, rest)
        }
    };
    let (written, rest) = split_first(rest)?;
    let suit = Suit::from_char(written)?;
    // A selector for text or emoji style belongs to the symbol before it, never to a letter.
    let rest = if written.is_ascii() { rest } else { rest.strip_prefix(['\u{FE0E}', '\u{FE0F}']).unwrap_or(rest) };
    Some((Card::new(rank, suit), rest))
}

fn scan_joker(text: &str) -> Option<(Card, &str)> {
    let rest = text.strip_prefix(['J', 'j'])?.strip_prefix(['K', 'k'])?;
    Some((Card::JOKER, rest))
}

fn scan_lot(text: &str) -> Option<(Card, &str)> {
    let rest = text.strip_prefix(['D', 'd'])?;
    let (first, rest) = split_digit(rest)?;
    // Each lot has one text: no leading zeros.
    let (pips, rest) = match split_digit(rest) {
        Some((second, rest)) if first != 0 => (first * 10 + second, rest),
        _ => (first, rest),
    };
    Some((Card::lot(pips)?, rest))
}

fn split_first(text: &str) -> Option<(char, &str)> {
    let mut characters = text.chars();
    let first = characters.next()?;
    Some((first, characters.as_str()))
}

fn split_digit(text: &str) -> Option<(u8, &str)> {
    let (first, rest) = split_first(text)?;
    let digit = u8::try_from(first.to_digit(10)?).ok()?;
    Some((digit, rest))
}

/// Room for the longest card text, so that padding works without allocating.
#[derive(Default)]
pub(crate) struct Short {
    bytes: [u8; 16],
    length: usize,
}

impl Short {
    pub(crate) fn as_str(&self) -> &str {
        self.bytes.get(..self.length).and_then(|written| str::from_utf8(written).ok()).unwrap_or_default()
    }
}

impl fmt::Write for Short {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.length + text.len();
        let room = self.bytes.get_mut(self.length..end).ok_or(fmt::Error)?;
        room.copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_is_read_as_it_is_written() {
        for card in (0..=u8::MAX).filter_map(Card::from_code) {
            let text = card.to_string();
            assert_eq!(text.parse(), Ok(card));
            assert_eq!(text.to_lowercase().parse(), Ok(card));
            assert_eq!(text.to_uppercase().parse(), Ok(card));
            assert_eq!(format!("{card:?}"), text);
        }
    }

    #[test]
    fn a_natural_card_can_be_typed_as_it_is_shown() {
        for card in Card::naturals() {
            assert_eq!(card.pretty().to_string().parse(), Ok(card));
        }
        assert_eq!(Card::lot(7).unwrap().pretty().to_string(), "7");
    }

    #[test]
    fn a_card_is_read_in_many_forms() {
        let forms = [
            ("AS", ["as", "aS", "A♠", "a♤"]),
            ("TH", ["Th", "10h", "10♥\u{FE0F}", "t♡\u{FE0E}"]),
            ("7D", ["7d", "7♦", "7♢", "7♦\u{FE0F}"]),
            ("QC", ["qc", "Q♣", "q♧", "Q♣\u{FE0E}"]),
        ];
        for (written, read) in forms {
            for text in read {
                assert_eq!(text.parse::<Card>().unwrap().to_string(), written);
            }
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "A",
            "S",
            "SA",
            "1S",
            "11S",
            "100S",
            "AS ",
            " AS",
            "ASS",
            "J",
            "JKK",
            "d",
            "d64",
            "d07",
            "d-1",
            "d123",
            "A\u{FE0F}♠",
            "AS\u{FE0F}",
            "A♠\u{FE0F}\u{FE0F}",
            "７S",
        ] {
            assert_eq!(text.parse::<Card>(), Err(ParseCardError::new(text)), "{text}");
        }
    }

    #[test]
    fn the_error_quotes_little_and_escapes_it() {
        let error = "\u{1b}[31m".parse::<Card>().unwrap_err();
        assert!(error.to_string().ends_with(r#"got "\u{1b}[31m""#));
        let error = "♠".repeat(1000).parse::<Card>().unwrap_err();
        assert_eq!(error.got(), format!("{}…", "♠".repeat(16)));
    }

    #[test]
    fn a_card_fills_the_width_it_is_given() {
        let ten = Card::new(Rank::Ten, Suit::Clubs);
        assert_eq!(format!("[{ten:4}|{:>4}]", ten.pretty()), "[TC  | 10♣]");
    }
}
