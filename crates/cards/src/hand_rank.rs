//! How good a poker hand is: 7462 steps in nine categories.

use std::cmp::Reverse;
use std::fmt;
use std::iter;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::{Card, Rank, RankError, Suit, rank_cards};

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
    /// As in `pokers`: the category from 1 to 9 above twelve bits that ascend within the category. There are
    /// gaps, so finding a position takes a search, but hands can be compared directly.
    u16,
);

impl HandRank {
    /// The royal flush.
    pub const BEST: HandRank = HandRank((9 << HandRank::STEP_BITS) + 10);

    /// Seven high with 5, 4, 3 and 2.
    pub const WORST: HandRank = HandRank((1 << HandRank::STEP_BITS) + 40);

    /// How many different ranks there are.
    pub const COUNT: u16 = 7462;

    /// The largest value of [`HandRank::order`].
    pub const MOST_ORDER: u16 = HandRank::BEST.0;

    const STEP_BITS: u16 = 12;

    /// Wraps the value of `pokers::Hand::evaluate` for five to seven different cards.
    #[inline]
    pub(crate) const fn from_pokers(value: u16) -> HandRank {
        HandRank(value)
    }

    /// The rank at this position, if that is between 1 and [`HandRank::COUNT`].
    pub fn from_position(position: u16) -> Option<HandRank> {
        let better = usize::from(position.checked_sub(1)?);
        DESCENDING.get(better).copied()
    }

    /// The place among all hands: 1 is the best, 7462 the worst.
    ///
    /// To find the better of two hands, compare their ranks, which is faster.
    pub fn position(self) -> u16 {
        let better = DESCENDING.partition_point(|rank| *rank > self);
        u16::try_from(better + 1).unwrap_or(HandRank::COUNT)
    }

    /// A number that grows with the strength, with gaps. Unlike the position, it costs nothing.
    ///
    /// ```
    /// use cards::HandRank;
    ///
    /// assert!(HandRank::BEST.order() <= HandRank::MOST_ORDER);
    /// assert!(HandRank::BEST.order() > HandRank::WORST.order());
    /// ```
    #[inline]
    pub const fn order(self) -> u16 {
        self.0
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

/// The number is not a [`HandRank::position`].
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
    /// None of the others.
    HighCard,
    /// Two cards of one rank.
    Pair,
    /// Two of one rank and two of another.
    TwoPair,
    /// Three cards of one rank.
    ThreeOfAKind,
    /// Five ranks in a row; an ace can be high, or low below a two.
    Straight,
    /// Five cards of one suit.
    Flush,
    /// Three of one rank and two of another.
    FullHouse,
    /// Four cards of one rank.
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
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Every rank once, the best first.
static DESCENDING: LazyLock<Vec<HandRank>> = LazyLock::new(|| {
    let mut ranks = one_hand_of_each();
    ranks.sort_by_key(|rank| Reverse(*rank));
    ranks
});

/// Ranks all choices of five ranks, in mixed suits and in one suit.
///
/// Impossible hands (a rank five times, or a pair in one suit) are refused as duplicates. That leaves 6175
/// mixed and 1287 suited hands, and no two of them tie.
fn one_hand_of_each() -> Vec<HandRank> {
    let up_to = |highest| Rank::ALL.into_iter().take_while(move |rank| *rank <= highest);
    let mut found = Vec::with_capacity(usize::from(HandRank::COUNT));
    for a in Rank::ALL {
        for b in up_to(a) {
            for c in up_to(b) {
                for d in up_to(c) {
                    for e in up_to(d) {
                        let ranks = [a, b, c, d, e];
                        found.extend(rank_in(Suit::ALL.into_iter().cycle(), ranks));
                        found.extend(rank_in(iter::repeat(Suit::Clubs), ranks));
                    }
                }
            }
        }
    }
    found
}

fn rank_in(suits: impl Iterator<Item = Suit>, ranks: [Rank; 5]) -> Result<HandRank, RankError> {
    let cards = ranks.into_iter().zip(suits);
    let cards: Vec<Card> = cards.map(|(rank, suit)| Card::new(rank, suit)).collect();
    rank_cards(&cards)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_gives_its_rank_and_better_comes_first() {
        assert_eq!(DESCENDING.len(), usize::from(HandRank::COUNT));
        let ranks: Vec<HandRank> =
            (1..=HandRank::COUNT).map(|position| HandRank::from_position(position).unwrap()).collect();
        assert!(ranks.is_sorted_by(|better, worse| better > worse));
        assert!(ranks.iter().map(|rank| rank.position()).eq(1..=7462));
        assert_eq!(ranks.first(), Some(&HandRank::BEST));
        assert_eq!(ranks.last(), Some(&HandRank::WORST));
        assert_eq!(HandRank::from_position(0), None);
        assert_eq!(HandRank::from_position(7463), None);
    }

    #[test]
    fn a_rank_is_written_as_its_position() {
        assert_eq!(serde_json::to_string(&HandRank::BEST).unwrap(), "1");
        assert_eq!(serde_json::from_str::<HandRank>("7462").unwrap(), HandRank::WORST);
        assert!(serde_json::from_str::<HandRank>("0").is_err());
        assert!(serde_json::from_str::<HandRank>("7463").is_err());
    }
}
