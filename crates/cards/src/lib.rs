//! Cards, packs, notation, and the ranking of poker hands.
//!
//! A [`Card`] is a face: a natural card with [`Rank`] and [`Suit`], a joker, or a lot. A [`Pack`]
//! says which cards a game is played with and numbers them; a [`PhysicalCard`] tells two copies of
//! one face apart. [`CardSet`] holds natural cards in one machine word. [`parse_cards`] and the
//! `Display` and `FromStr` of the types are the text forms used by people, logs and tests.
//! [`PokerHand`] and [`rank_cards`] compare poker hands of five to seven cards.
//!
//! ```
//! use cards::{Category, describe, parse_cards, rank_cards};
//!
//! let aces = rank_cards(&parse_cards("As Ah 2c 7d 9h Jd Kc")?)?;
//! let straight = rank_cards(&parse_cards("8s 6h 2c 7d 9h Td Kc")?)?;
//! assert!(straight > aces);
//! assert_eq!(straight.category(), Category::Straight);
//! assert_eq!(describe(&parse_cards("8s6h2c7d9hTdKc")?)?, "straight, ten high");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Everything here is a value or a function of values: no clock, no randomness, no files.
//!
//! # Layout
//!
//! - `suit`, `rank`: the four suits and the thirteen ranks.
//! - `card`: the face of a card in one byte.
//! - `text`: how one card is written and read.
//! - `notation`: lists of cards as text.
//! - `physical`: copies of one face, and jokers that stand for another card.
//! - `encoding`: the serde forms, text for people and numbers for machines.
//! - `pack`: which cards a game is played with.
//! - `set`: sets of natural cards.
//! - `hand_rank`: how good a poker hand is.
//! - `poker`: ranking the best five of up to seven cards.
//! - `describe`: poker hands in words, the five cards that count, and what beats another hand.

mod card;
mod describe;
mod encoding;
mod hand_rank;
mod notation;
mod pack;
mod physical;
mod poker;
mod rank;
mod set;
mod suit;
mod text;

pub use card::Card;
pub use describe::{Decided, best_five, decided, describe, describe_in_sentence};
pub use hand_rank::{Category, HandRank, NoSuchPosition};
pub use notation::{CardList, ParseCardsError, parse_cards};
pub use pack::Pack;
pub use physical::{ParsePhysicalCardError, ParsePlayedError, PhysicalCard, Played, StandingError};
pub use poker::{PokerHand, RankError, rank_cards};
pub use rank::Rank;
pub use set::{CardSet, CardSetIter};
pub use suit::Suit;
pub use text::{ParseCardError, Pretty};
