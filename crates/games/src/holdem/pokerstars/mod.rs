//! Hands as PokerStars writes them: the text that trackers and other programs of players read.
//!
//! A hand is played again while it is written, so whatever stands in the text has happened at a table:
//!
//! ```text
//! PhhHand -> replay -> lines of play -> text
//! ```
//!
//! Only the cards of one player, whose file it is, are told as dealt; all others only if they were shown.
//!
//! # What is different here
//!
//! - Nobody mucks at a showdown: every hand that reaches it is shown.
//! - Chips have no currency unless the hand says so; then they are written as PokerStars writes play money.
//! - There is no rake. Times are in UTC.
//!
//! ```
//! use games::holdem::{phh, pokerstars};
//!
//! let hand = phh::decode(r#"
//!     variant = "NT"
//!     antes = [0, 0]
//!     blinds_or_straddles = [1, 2]
//!     min_bet = 2
//!     starting_stacks = [100, 100]
//!     players = ["Anna", "Bert"]
//!     actions = ["d dh p1 AhKh", "d dh p2 ????", "p2 cbr 6", "p1 cbr 20", "p2 f"]
//! "#).unwrap();
//! let about = pokerstars::About { owner: Some("Anna".into()), ..pokerstars::About::of(&hand) };
//! let text = pokerstars::write(&hand, &about).unwrap();
//! assert!(text.contains("Dealt to Anna [Ah Kh]\nBert: raises 4 to 6\nAnna: raises 14 to 20\nBert: folds\n"));
//! assert!(text.contains("Uncalled bet (14) returned to Anna\nAnna collected 12 from pot\n"));
//! ```

mod money;
mod naming;
mod summary;
#[cfg(test)]
mod tests;
mod time;
mod writer;

use core::fmt;

use super::phh::{PhhError, PhhHand};

pub use time::Time;

/// What the text says about a hand beside what happened in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct About {
    /// The number of the hand. Trackers know hands by it.
    pub number: u64,
    /// The name of the table.
    pub table: String,
    /// When it began.
    pub time: Time,
    /// Whose cards are told as dealt, by name.
    pub owner: Option<String>,
}

impl About {
    /// What the hand itself says; where it says nothing, the number is 1 and the time the beginning of 1970.
    pub fn of(hand: &PhhHand) -> Self {
        let field = |name: &str| hand.fields.get(name);
        let number = |name: &str| field(name).and_then(toml::Value::as_integer).and_then(|n| u64::try_from(n).ok());
        let table = field("table").and_then(|table| table.as_str().map(str::to_owned));
        Self {
            number: number("hand").unwrap_or(1),
            table: table.unwrap_or_else(|| "fairdeal".to_owned()),
            time: Time::of(hand).unwrap_or_default(),
            owner: None,
        }
    }
}

/// Why a hand is not written.
#[derive(Clone, PartialEq, Debug)]
pub enum NotWritten {
    /// It cannot be played again.
    Replay(PhhError),
    /// It was broken off, for which the form has no words.
    BrokenOff,
}

impl fmt::Display for NotWritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Replay(why) => why.fmt(f),
            Self::BrokenOff => f.write_str("the hand was broken off, which the PokerStars format cannot express"),
        }
    }
}

impl core::error::Error for NotWritten {}

/// The text of a hand. Between hands of a file there are empty lines; two follow each hand here.
pub fn write(hand: &PhhHand, about: &About) -> Result<String, NotWritten> {
    writer::write(hand, about)
}
