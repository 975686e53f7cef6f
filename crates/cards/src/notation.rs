//! Lists of cards as text.
//!
//! Written with commas and no spaces: `7S,TH,JK`. Read with commas, spaces, or nothing in between:
//! `8c9sTs2cQd3c3s`. Without separators, a lot takes all the digits it can.

use std::error::Error;
use std::fmt;

use crate::text::scan;
use crate::{Card, ParseCardError};

/// Reads a list of cards; an empty text is the empty list.
///
/// ```
/// use cards::{CardList, parse_cards};
///
/// let cards = parse_cards("AhTd10s")?;
/// assert_eq!(CardList(&cards).to_string(), "AH,TD,TS");
/// assert_eq!(parse_cards(" 10♥, 7♠ jk ")?.len(), 3);
/// assert_eq!(parse_cards("Ah?").unwrap_err().position, 2);
/// # Ok::<(), cards::ParseCardsError>(())
/// ```
///
/// # Errors
///
/// Names the position of the first thing that is not a card.
pub fn parse_cards(text: &str) -> Result<Vec<Card>, ParseCardsError> {
    let mut cards = Vec::new();
    let mut rest = skip_separators(text);
    while !rest.is_empty() {
        let Some((card, after)) = scan(rest) else {
            return Err(not_a_card(text, rest));
        };
        cards.push(card);
        rest = skip_separators(after);
    }
    Ok(cards)
}

/// A list of cards contains something else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseCardsError {
    /// How many characters come before it.
    pub position: usize,
    /// What is there instead of a card.
    pub error: ParseCardError,
}

impl fmt::Display for ParseCardsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nth = self.position.saturating_add(1);
        write!(f, "at character {nth}: {}", self.error)
    }
}

impl Error for ParseCardsError {}

/// Displays cards separated by commas, as in messages and files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardList<'a>(pub &'a [Card]);

impl fmt::Display for CardList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, card) in self.0.iter().enumerate() {
            if place > 0 {
                f.write_str(",")?;
            }
            write!(f, "{card}")?;
        }
        Ok(())
    }
}

fn skip_separators(text: &str) -> &str {
    text.trim_start_matches(is_separator)
}

fn is_separator(character: char) -> bool {
    character == ',' || character.is_whitespace()
}

fn not_a_card(text: &str, rest: &str) -> ParseCardsError {
    let word = rest.split(is_separator).next().unwrap_or(rest);
    ParseCardsError { position: text.chars().count() - rest.chars().count(), error: ParseCardError::new(word) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        CardList(&parse_cards(text).unwrap()).to_string()
    }

    #[test]
    fn cards_are_read_with_any_separators_or_none() {
        assert_eq!(read(""), "");
        assert_eq!(read(" ,\t"), "");
        assert_eq!(read("8c9sTs2cQd3c3s"), "8C,9S,TS,2C,QD,3C,3S");
        assert_eq!(read("AhTd10s"), "AH,TD,TS");
        assert_eq!(read("as, 10♥\u{FE0F}7♠\njk"), "AS,TH,7S,JK");
        assert_eq!(read("JKJHKC"), "JK,JH,KC");
        assert_eq!(read("d1 d63d7"), "d1,d63,d7");
    }

    #[test]
    fn the_error_says_where_it_is() {
        let error = parse_cards("A♠ 7♥ what, KS").unwrap_err();
        assert_eq!(error.position, 6);
        assert_eq!(error.error.got(), "what");
        assert_eq!(error.to_string(), "at character 7: expected a card such as AS, 10h, 7♠, JK or d7, got \"what\"");
    }
}
