//! How good a poker hand is: 7462 steps in nine categories.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How good a poker hand is. Greater is better, and equal hands split the pot.
///
/// ```
/// use cards::{Category, HandRank};
///
/// let royal_flush = HandRank::from_position(1);
/// assert_eq!(royal_flush, Some(HandRank::BEST));
/// assert!(HandRank::BEST > HandRank::WORST);
/// assert_eq!(HandRank::WORST.position(), 7462);
/// assert_eq!(HandRank::WORST.category(), Category::HighCard);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u16", into = "u16")]
pub struct HandRank(
    /// As `pokers` has it: the category from 1 to 9 above twelve bits that count the steps within
    /// the category from 0. The numbers order hands as they are; a position is only worked out
    /// when somebody asks.
    u16,
);

impl HandRank {
    /// The royal flush.
    pub const BEST: HandRank = HandRank::top_of(Category::StraightFlush);

    /// Seven high with 5, 4, 3 and 2.
    pub const WORST: HandRank = HandRank(Category::HighCard.code() << HandRank::STEP_BITS);

    /// How many different ranks there are.
    pub const COUNT: u16 = 7462;

    const STEP_BITS: u16 = 12;

    const STEP_MASK: u16 = (1 << HandRank::STEP_BITS) - 1;

    /// Takes a value of `pokers::Hand::evaluate` for five to seven different cards.
    #[inline]
    pub(crate) const fn from_pokers(value: u16) -> HandRank {
        HandRank(value)
    }

    /// The rank at this position, if it lies between 1 and [`HandRank::COUNT`].
    pub fn from_position(position: u16) -> Option<HandRank> {
        if position == 0 {
            return None;
        }
        // Walk down from the best category until the position lies inside.
        let mut left = position;
        for category in Category::ALL.into_iter().rev() {
            match left.checked_sub(category.steps()) {
                None | Some(0) => return Some(HandRank(HandRank::top_of(category).0 + 1 - left)),
                Some(below) => left = below,
            }
        }
        None
    }

    /// The place among all hands: 1 is the best, 7462 the worst.
    #[inline]
    pub const fn position(self) -> u16 {
        let category = self.category();
        HandRank::COUNT - category.steps_below() - (self.0 & HandRank::STEP_MASK)
    }

    /// The category.
    #[inline]
    pub const fn category(self) -> Category {
        match self.0 >> HandRank::STEP_BITS {
            0 | 1 => Category::HighCard,
            2 => Category::Pair,
            3 => Category::TwoPair,
            4 => Category::ThreeOfAKind,
            5 => Category::Straight,
            6 => Category::Flush,
            7 => Category::FullHouse,
            8 => Category::FourOfAKind,
            _ => Category::StraightFlush,
        }
    }

    /// The best hand of a category.
    const fn top_of(category: Category) -> HandRank {
        HandRank((category.code() << HandRank::STEP_BITS) + category.steps() - 1)
    }
}

impl fmt::Debug for HandRank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HandRank({}, {})", self.position(), self.category())
    }
}

impl From<HandRank> for u16 {
    fn from(rank: HandRank) -> u16 {
        rank.position()
    }
}

/// The number is no [`HandRank::position`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoSuchPosition(
    /// The number.
    pub u16,
);

impl fmt::Display for NoSuchPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected a position from 1 to 7462, got {}", self.0)
    }
}

impl std::error::Error for NoSuchPosition {}

impl TryFrom<u16> for HandRank {
    type Error = NoSuchPosition;

    fn try_from(position: u16) -> Result<HandRank, NoSuchPosition> {
        HandRank::from_position(position).ok_or(NoSuchPosition(position))
    }
}

/// The nine kinds of poker hands, ascending. A royal flush is the highest straight flush.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Category {
    /// Five cards that make nothing else.
    HighCard,
    /// Two of a rank.
    Pair,
    /// Two of one rank and two of another.
    TwoPair,
    /// Three of a rank.
    ThreeOfAKind,
    /// Five ranks in a row; the ace may be low below a two.
    Straight,
    /// Five of a suit.
    Flush,
    /// Three of one rank and two of another.
    FullHouse,
    /// Four of a rank.
    FourOfAKind,
    /// A straight in one suit.
    StraightFlush,
}

impl Category {
    /// All categories, ascending.
    pub const ALL: [Category; 9] = [
        Category::HighCard,
        Category::Pair,
        Category::TwoPair,
        Category::ThreeOfAKind,
        Category::Straight,
        Category::Flush,
        Category::FullHouse,
        Category::FourOfAKind,
        Category::StraightFlush,
    ];

    /// The English name: `three of a kind`.
    pub const fn name(self) -> &'static str {
        match self {
            Category::HighCard => "high card",
            Category::Pair => "pair",
            Category::TwoPair => "two pair",
            Category::ThreeOfAKind => "three of a kind",
            Category::Straight => "straight",
            Category::Flush => "flush",
            Category::FullHouse => "full house",
            Category::FourOfAKind => "four of a kind",
            Category::StraightFlush => "straight flush",
        }
    }

    /// The short name used in files: `trips`.
    pub const fn key(self) -> &'static str {
        match self {
            Category::HighCard => "high_card",
            Category::Pair => "pair",
            Category::TwoPair => "two_pair",
            Category::ThreeOfAKind => "trips",
            Category::Straight => "straight",
            Category::Flush => "flush",
            Category::FullHouse => "full_house",
            Category::FourOfAKind => "quads",
            Category::StraightFlush => "straight_flush",
        }
    }

    /// The number `pokers` gives the category.
    const fn code(self) -> u16 {
        match self {
            Category::HighCard => 1,
            Category::Pair => 2,
            Category::TwoPair => 3,
            Category::ThreeOfAKind => 4,
            Category::Straight => 5,
            Category::Flush => 6,
            Category::FullHouse => 7,
            Category::FourOfAKind => 8,
            Category::StraightFlush => 9,
        }
    }

    /// How many different ranks the category has.
    const fn steps(self) -> u16 {
        match self {
            // Five of thirteen ranks, without the ten straights.
            Category::HighCard | Category::Flush => 1287 - 10,
            // A rank and three of the twelve others.
            Category::Pair => 13 * 220,
            // Two ranks and one of the eleven others.
            Category::TwoPair => 78 * 11,
            // A rank and two of the twelve others.
            Category::ThreeOfAKind => 13 * 66,
            Category::Straight | Category::StraightFlush => 10,
            // A rank and one of the twelve others.
            Category::FullHouse | Category::FourOfAKind => 13 * 12,
        }
    }

    /// How many ranks are worse than the whole category.
    const fn steps_below(self) -> u16 {
        let below = match self {
            Category::HighCard => return 0,
            Category::Pair => Category::HighCard,
            Category::TwoPair => Category::Pair,
            Category::ThreeOfAKind => Category::TwoPair,
            Category::Straight => Category::ThreeOfAKind,
            Category::Flush => Category::Straight,
            Category::FullHouse => Category::Flush,
            Category::FourOfAKind => Category::FullHouse,
            Category::StraightFlush => Category::FourOfAKind,
        };
        below.steps() + below.steps_below()
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_gives_its_rank_and_better_comes_first() {
        let ranks: Vec<HandRank> = (1..=HandRank::COUNT)
            .map(|position| HandRank::from_position(position).unwrap())
            .collect();
        assert!(ranks.is_sorted_by(|better, worse| better > worse));
        assert!(ranks.iter().map(|rank| rank.position()).eq(1..=7462));
        assert_eq!(ranks.first(), Some(&HandRank::BEST));
        assert_eq!(ranks.last(), Some(&HandRank::WORST));
        assert_eq!(HandRank::from_position(0), None);
        assert_eq!(HandRank::from_position(7463), None);
    }

    #[test]
    fn a_rank_is_told_by_its_position() {
        assert_eq!(serde_json::to_string(&HandRank::BEST).unwrap(), "1");
        assert_eq!(
            serde_json::from_str::<HandRank>("7462").unwrap(),
            HandRank::WORST
        );
        assert!(serde_json::from_str::<HandRank>("0").is_err());
        assert!(serde_json::from_str::<HandRank>("7463").is_err());
    }
}
