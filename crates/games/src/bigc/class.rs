//! Which cards make a hand, of which class, and what counts in it.
//!
//! One, two, three or five cards. A hand is always classed as the strongest it can be; its player has no
//! say. Jokers help to make a class but never raise a hand inside it.

use core::fmt;

use cards::{Card, CardList};
use serde::Serialize;

use super::score::{at_place, place};

/// What a hand is. Those of five cards are in ascending order: a higher class beats a lower one, whatever
/// the cards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// One card that is no joker.
    Single,
    /// Two of one rank.
    Pair,
    /// Three of one rank.
    Triple,
    /// Two and two of one rank, and any fifth card.
    TwoPair,
    /// Five of one suit.
    Flush,
    /// Five ranks in a row.
    Straight,
    /// Three of one rank and two of another.
    FullHouse,
    /// Four of one rank, and any fifth card.
    FourOfAKind,
    /// Five of one rank.
    FiveOfAKind,
    /// Five of one suit in a row.
    StraightFlush,
}

impl Class {
    /// How many cards it has.
    pub const fn size(self) -> u8 {
        match self {
            Self::Single => 1,
            Self::Pair => 2,
            Self::Triple => 3,
            Self::TwoPair
            | Self::Flush
            | Self::Straight
            | Self::FullHouse
            | Self::FourOfAKind
            | Self::FiveOfAKind
            | Self::StraightFlush => 5,
        }
    }

    /// Its height among the hands of five cards, from 0 (two pair) to 6 (straight flush).
    pub const fn stratum(self) -> Option<u8> {
        match self {
            Self::Single | Self::Pair | Self::Triple => None,
            Self::TwoPair => Some(0),
            Self::Flush => Some(1),
            Self::Straight => Some(2),
            Self::FullHouse => Some(3),
            Self::FourOfAKind => Some(4),
            Self::FiveOfAKind => Some(5),
            Self::StraightFlush => Some(6),
        }
    }

    /// What people call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Pair => "pair",
            Self::Triple => "triple",
            Self::TwoPair => "two pair",
            Self::Flush => "flush",
            Self::Straight => "straight",
            Self::FullHouse => "full house",
            Self::FourOfAKind => "four of a kind",
            Self::FiveOfAKind => "five of a kind",
            Self::StraightFlush => "straight flush",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A legal hand: its class, and what counts when it is compared.
///
/// ```
/// use games::bigc::{Class, classify};
/// let hand = classify(&cards::parse_cards("4D 4S 9C 9H JK")?)?;
/// assert_eq!(hand.class(), Class::FullHouse);
/// assert_eq!(hand.to_string(), "full house, 9H,9C,JK over 4S,4D");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Hand {
    class: Class,
    /// The pair, triple, four or five of one rank; of two parts the weightier; else just the high card.
    pub(super) first: Part,
    /// The lower pair of two, or the pair of a full house.
    pub(super) second: Part,
}

/// The cards of one part of a hand by their places in the card order, highest first. Jokers, and what is
/// not there, are 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub(super) struct Part([u8; 5]);

impl Hand {
    /// Its class.
    pub const fn class(&self) -> Class {
        self.class
    }

    /// The place of the card that weighs most, by [`place`].
    pub const fn high(&self) -> u8 {
        self.first.high()
    }

    /// The cards that count in a comparison, by weight; jokers count least. What is missing here, such as
    /// the fifth card of two pairs, does not count.
    pub fn key(&self) -> Vec<Card> {
        let (first, second) = self.counting();
        self.first.cards(first).chain(self.second.cards(second)).collect()
    }

    /// How many cards of each part count.
    const fn counting(&self) -> (usize, usize) {
        match self.class {
            Class::Single
            | Class::Flush
            | Class::Straight
            | Class::FourOfAKind
            | Class::FiveOfAKind
            | Class::StraightFlush => (1, 0),
            Class::Pair => (2, 0),
            Class::Triple => (3, 0),
            Class::TwoPair => (2, 2),
            Class::FullHouse => (3, 2),
        }
    }
}

impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, second) = self.counting();
        let firsts: Vec<Card> = self.first.cards(first).collect();
        let seconds: Vec<Card> = self.second.cards(second).collect();
        write!(f, "{}, {}", self.class, CardList(&firsts))?;
        match self.class {
            Class::Single | Class::Pair | Class::Triple => Ok(()),
            Class::TwoPair => write!(f, " and {}", CardList(&seconds)),
            Class::FullHouse => write!(f, " over {}", CardList(&seconds)),
            Class::Flush | Class::Straight | Class::FourOfAKind | Class::FiveOfAKind | Class::StraightFlush => {
                f.write_str(" high")
            }
        }
    }
}

impl Part {
    const NONE: Self = Self([0; 5]);

    /// Up to five cards, sorted.
    fn of(cards: &[Card]) -> Self {
        let mut part = Self::NONE;
        part.0.iter_mut().zip(cards).for_each(|(to, card)| *to = place(*card));
        part.0.sort_unstable_by(|a, b| b.cmp(a));
        part
    }

    /// Those of one rank.
    fn of_rank(self, rank: u8) -> Self {
        let mut part = Self::NONE;
        part.0.iter_mut().zip(self.naturals().filter(|p| rank_at(*p) == rank)).for_each(|(to, from)| *to = from);
        part
    }

    /// Just the highest.
    fn only_high(self) -> Self {
        let mut part = Self::NONE;
        part.0.iter_mut().zip(self.naturals().take(1)).for_each(|(to, from)| *to = from);
        part
    }

    fn naturals(self) -> impl Iterator<Item = u8> {
        self.0.into_iter().take_while(|p| *p > 0)
    }

    /// The place of its highest card.
    pub(super) const fn high(self) -> u8 {
        let [high, ..] = self.0;
        high
    }

    /// The rank of its highest card.
    pub(super) fn rank(self) -> u8 {
        rank_at(self.high())
    }

    /// Is the card at this place in it?
    pub(super) fn contains(self, place: u8) -> bool {
        self.0.contains(&place)
    }

    /// How many cards it has that are no jokers.
    pub(super) fn len(self) -> usize {
        self.naturals().count()
    }

    fn cards(self, n: usize) -> impl Iterator<Item = Card> {
        self.0.into_iter().take(n).map(at_place)
    }
}

/// The rank at a place of the card order, three being 0.
fn rank_at(place: u8) -> u8 {
    place.saturating_sub(1) / 4
}

/// Why cards are no hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotAHand {
    /// A hand has 1, 2, 3 or 5 cards.
    WrongSize(usize),
    /// Not a playing card.
    NoCard(Card),
    /// At least one card must not be a joker.
    OnlyJokers,
    /// A pair or a triple is of one rank.
    NotOneRank,
    /// No class fits these five.
    NoClass,
}

impl fmt::Display for NotAHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongSize(n) => write!(f, "a hand has 1, 2, 3 or 5 cards, not {n}"),
            Self::NoCard(card) => write!(f, "{card} is not a playing card"),
            Self::OnlyJokers => f.write_str("at least one card must not be a joker"),
            Self::NotOneRank => f.write_str("a pair or a triple must be of one rank"),
            Self::NoClass => f.write_str("these five cards are not even two pair"),
        }
    }
}

impl core::error::Error for NotAHand {}

/// The class of these cards, always the strongest possible, and their key.
pub fn classify(cards: &[Card]) -> Result<Hand, NotAHand> {
    if !matches!(cards.len(), 1 | 2 | 3 | 5) {
        return Err(NotAHand::WrongSize(cards.len()));
    }
    if let Some(lot) = cards.iter().find(|card| card.pips().is_some()) {
        return Err(NotAHand::NoCard(*lot));
    }
    let all = Part::of(cards);
    if all.high() == 0 {
        return Err(NotAHand::OnlyJokers);
    }
    let class = match cards.len() {
        1 => Class::Single,
        2 => Class::Pair,
        3 => Class::Triple,
        _ => return classify_five(all).ok_or(NotAHand::NoClass),
    };
    if all.naturals().any(|p| rank_at(p) != all.rank()) {
        return Err(NotAHand::NotOneRank);
    }
    Ok(Hand { class, first: all, second: Part::NONE })
}

/// The ranks of every straight, as sets: ace and two may also stand below the three.
const STRAIGHTS: [u16; 11] = [
    0b1_1000_0000_0111,
    0b1_0000_0000_1111,
    0b0_0000_0001_1111,
    0b0_0000_0011_1110,
    0b0_0000_0111_1100,
    0b0_0000_1111_1000,
    0b0_0001_1111_0000,
    0b0_0011_1110_0000,
    0b0_0111_1100_0000,
    0b0_1111_1000_0000,
    0b1_1111_0000_0000,
];

/// The ranks of every straight, three being 0, from the one that begins with the ace on.
pub(super) fn straights() -> impl Iterator<Item = u16> {
    STRAIGHTS.into_iter()
}

/// Tries the classes from the strongest down.
fn classify_five(all: Part) -> Option<Hand> {
    let mut counts = [0u8; 13];
    let (mut ranks, mut suits, mut naturals) = (0u16, 0u8, 0u8);
    for p in all.naturals() {
        *counts.get_mut(usize::from(rank_at(p)))? += 1;
        ranks |= 1 << rank_at(p);
        suits |= 1 << (p % 4);
        naturals += 1;
    }
    let jokers = 5 - naturals;
    let of_high = |class| Hand { class, first: all.only_high(), second: Part::NONE };
    let of_ranks = |class, first, second| Hand { class, first: all.of_rank(first), second: all.of_rank(second) };
    let different = ranks.count_ones();
    let in_a_row = different == u32::from(naturals) && STRAIGHTS.iter().any(|straight| ranks & !straight == 0);
    let one_suit = suits.is_power_of_two();
    let highest_with = |wanted: u8| (0..13u8).zip(counts).rev().find(|(_, n)| *n >= wanted).map(|(rank, _)| rank);

    if one_suit && in_a_row {
        return Some(of_high(Class::StraightFlush));
    }
    if different == 1 {
        return Some(Hand { class: Class::FiveOfAKind, first: all, second: Part::NONE });
    }
    if let Some(rank) = highest_with(4u8.saturating_sub(jokers).max(1)) {
        return Some(Hand { class: Class::FourOfAKind, first: all.of_rank(rank), second: Part::NONE });
    }
    // Two ranks that are no four of a kind can only be 3 and 2, or 2 and 2 beside a joker.
    if different == 2 {
        let triple = highest_with(3 - jokers)?;
        let pair = (0..13u8).find(|rank| *rank != triple && ranks & (1 << rank) != 0)?;
        return Some(of_ranks(Class::FullHouse, triple, pair));
    }
    if in_a_row {
        return Some(of_high(Class::Straight));
    }
    if one_suit {
        return Some(of_high(Class::Flush));
    }
    // Three ranks are 2, 2 and 1 of each, with jokers in the place of some; or 3, 1 and 1, which is nothing.
    if different != 3 || highest_with(3).is_some() {
        return None;
    }
    let natural_pairs = (0..13u8).zip(counts).filter(|(_, n)| *n == 2).map(|(rank, _)| rank);
    let singles = (0..13u8).zip(counts).rev().filter(|(_, n)| *n == 1).map(|(rank, _)| rank);
    let mut pairs = natural_pairs.chain(singles);
    let (a, b) = (pairs.next()?, pairs.next()?);
    Some(of_ranks(Class::TwoPair, a.max(b), a.min(b)))
}
