//! Which layer is better, which hands are foul or special, and what two players owe each other.
//!
//! ```
//! use cards::parse_cards;
//! use games::ongdu::{Category, Preset, rank_layer};
//!
//! let layer = |text| rank_layer(parse_cards(text).unwrap().try_into().unwrap(), Preset::Seed).unwrap();
//! assert_eq!(layer("JS QS JK").category(), Category::StraightFlush);
//! assert_eq!(layer("KC 5D JK").to_string(), "sum 9");
//! assert!(layer("2C 2D 2H") > layer("AS AH JK"));
//! ```

use core::fmt;

use cards::{Card, Rank, Suit};
use serde::ser::{Serialize, SerializeStruct, Serializer};

table::words! {
    /// How layers are valued.
    pub enum Preset {
        /// A layer won is one point; three of jack, queen and king are all equal.
        Seed = "seed",
        /// A layer won is one, three or five points; higher court cards win; only sums of nine are special.
        Author = "author",
    }
}

/// What three cards are, the weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// Anything else: the sum of the pips modulo ten.
    #[default]
    Sum,
    /// Three of jack, queen and king, not one of each.
    Court,
    /// Three of a kind with a wildcard or two.
    WildThree,
    /// Jack, queen and king.
    Straight,
    /// Jack, queen and king of one suit.
    StraightFlush,
    /// Three of a kind without a wildcard.
    Three,
}

impl Category {
    /// Its number in the rule book, 1 being best.
    pub const fn number(self) -> u8 {
        match self {
            Self::Three => 1,
            Self::StraightFlush => 2,
            Self::Straight => 3,
            Self::WildThree => 4,
            Self::Court => 5,
            Self::Sum => 6,
        }
    }
}

/// How good a layer is: greater is better, equal is a tie.
///
/// One number for all layers, in order of strength: sums from 0 to 9, court cards (first where they are all
/// equal, then by their sum from 34 to 38), threes with a wildcard, the two straights, natural threes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct LayerRank(u8);

impl LayerRank {
    /// How many different layers there are.
    pub(super) const COUNT: usize = 44;

    /// The best sum.
    const NINE: Self = Self(9);

    const COURT: u8 = 10;
    const COURT_BY_SUM: u8 = 11;
    const WILD_THREE: u8 = 16;
    const STRAIGHT: u8 = 29;
    const STRAIGHT_FLUSH: u8 = 30;
    const THREE: u8 = 31;

    /// The layer with this place in the order of strength; places beyond the last are the last.
    pub(super) fn at(place: usize) -> Self {
        Self(u8::try_from(place.min(Self::COUNT - 1)).unwrap_or(0))
    }

    /// Its place in the order of strength, 0 to 43.
    pub fn place(self) -> usize {
        usize::from(self.0)
    }

    /// What the three cards are.
    pub const fn category(self) -> Category {
        match self.0 {
            0..Self::COURT => Category::Sum,
            Self::COURT..Self::WILD_THREE => Category::Court,
            Self::WILD_THREE..Self::STRAIGHT => Category::WildThree,
            Self::STRAIGHT => Category::Straight,
            Self::STRAIGHT_FLUSH => Category::StraightFlush,
            Self::THREE.. => Category::Three,
        }
    }

    /// What compares layers of one category: the rank (2 to 14) of three of a kind, a sum from 0 to 9, the
    /// sum of ranks of court cards where that counts, else 0.
    pub const fn value(self) -> u8 {
        match self.0 {
            0..Self::COURT => self.0,
            Self::COURT_BY_SUM..Self::WILD_THREE => self.0 - Self::COURT_BY_SUM + 34,
            Self::WILD_THREE..Self::STRAIGHT => self.0 - Self::WILD_THREE + 2,
            Self::THREE.. => self.0 - Self::THREE + 2,
            Self::COURT | Self::STRAIGHT | Self::STRAIGHT_FLUSH => 0,
        }
    }
}

impl Serialize for LayerRank {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut plain = serializer.serialize_struct("LayerRank", 2)?;
        plain.serialize_field("category", &self.category())?;
        plain.serialize_field("value", &self.value())?;
        plain.end()
    }
}

impl fmt::Display for LayerRank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = Rank::from_index(self.value().saturating_sub(2)).map_or("cards", Rank::plural);
        match self.category() {
            Category::Three => write!(f, "three {plural}"),
            Category::StraightFlush => f.write_str("jack, queen, king of one suit"),
            Category::Straight => f.write_str("jack, queen, king"),
            Category::WildThree => write!(f, "three {plural} with a joker"),
            Category::Court => f.write_str("three court cards"),
            Category::Sum => write!(f, "sum {}", self.value()),
        }
    }
}

/// How good three cards are; `None` if one of them is a lot, which no pack of this game has.
///
/// A wildcard stands for whatever is best, even for a card that is there already; only a three of a kind
/// that needs one is less than a natural one.
pub fn rank_layer(cards: [Card; 3], preset: Preset) -> Option<LayerRank> {
    let playing = |card: Card| card.is_joker() || card.rank().is_some();
    cards.into_iter().all(playing).then(|| rank(cards, preset))
}

/// [`rank_layer`] of cards that are known to be in the pack.
#[inline]
pub(super) fn rank(cards: [Card; 3], preset: Preset) -> LayerRank {
    // Numbers from 2 to 14, descending; a wildcard is 0 and so comes last.
    let [a, b, c] = cards.map(|card| card.rank().map_or(0, Rank::number));
    // Without branches, which nobody could predict.
    let (high, low) = (a.max(b).max(c), a.min(b).min(c));
    let middle = a ^ b ^ c ^ high ^ low;
    let court = |number| (11..=13).contains(&number);
    LayerRank(if low > 0 {
        if high == low {
            LayerRank::THREE + high - 2
        } else if !court(high) || !court(low) {
            (pips(high) + pips(middle) + pips(low)) % 10
        } else if high != middle && middle != low {
            straight(cards)
        } else if preset == Preset::Author {
            LayerRank::COURT_BY_SUM + (high + middle + low - 34)
        } else {
            LayerRank::COURT
        }
    } else if middle > 0 {
        if high == middle {
            LayerRank::WILD_THREE + high - 2
        } else if court(high) && court(middle) {
            straight(cards)
        } else {
            9
        }
    } else if high == 0 || court(high) {
        LayerRank::STRAIGHT_FLUSH
    } else {
        LayerRank::WILD_THREE + high - 2
    })
}

fn straight(cards: [Card; 3]) -> u8 {
    if one_suit(cards) { LayerRank::STRAIGHT_FLUSH } else { LayerRank::STRAIGHT }
}

/// What a card counts in a sum, modulo ten: an ace 1, ten and court cards nothing.
#[inline]
fn pips(number: u8) -> u8 {
    match number {
        14 => 1,
        10.. => 0,
        _ => number,
    }
}

/// Are all natural cards of one suit?
fn one_suit(cards: [Card; 3]) -> bool {
    let mut suits = cards.into_iter().filter_map(Card::suit);
    let first: Option<Suit> = suits.next();
    suits.all(|suit| Some(suit) == first)
}

/// The points for a layer of this category where it wins, by the author's later scale; sums of one suit
/// count more.
pub(super) const fn worth(category: Category, preset: Preset) -> u8 {
    match (preset, category) {
        (Preset::Seed, _) | (Preset::Author, Category::Sum) => 1,
        (Preset::Author, Category::Court | Category::Straight | Category::StraightFlush) => 3,
        (Preset::Author, Category::WildThree | Category::Three) => 5,
    }
}

/// A layer's rank, and the points for it where it wins.
#[inline]
pub(super) fn value_layer(cards: [Card; 3], preset: Preset) -> (LayerRank, u8) {
    let rank = rank(cards, preset);
    let worth = match preset {
        Preset::Seed => 1,
        Preset::Author if rank.category() == Category::Sum && one_suit(cards) => 3,
        Preset::Author => worth(rank.category(), preset),
    };
    (rank, worth)
}

/// What beats an ordinary hand as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Special {
    /// Four natural cards of one rank among the nine.
    FourOfAKind,
    /// No wildcard, and no layer below a sum of nine.
    AllNine,
}

/// How a hand is compared with others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Layer by layer.
    #[default]
    Plain,
    /// A layer is better than one below it: it pays everybody.
    Foul,
    /// Everybody pays it.
    Special(Special),
}

/// A whole arrangement, ranked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct HandRank {
    /// Top, middle and bottom.
    pub layers: [LayerRank; 3],
    /// The points for each of them where it wins.
    pub worth: [u8; 3],
    /// Ordinary, foul or special.
    pub class: Class,
}

/// Ranks an arrangement: top, middle and bottom; `None` if there is a lot among the cards.
pub fn rank_hand(layers: [[Card; 3]; 3], preset: Preset) -> Option<HandRank> {
    layers.iter().all(|layer| rank_layer(*layer, preset).is_some()).then(|| hand(layers, preset))
}

/// [`rank_hand`] of cards that are known to be in the pack.
pub(super) fn hand(layers: [[Card; 3]; 3], preset: Preset) -> HandRank {
    let [top, middle, bottom] = layers.map(|layer| value_layer(layer, preset));
    let ranks = [top.0, middle.0, bottom.0];
    let class = if top.0 > middle.0 || middle.0 > bottom.0 {
        Class::Foul
    } else {
        Makeup::of(layers.as_flattened()).special(ranks, preset).map_or(Class::Plain, Class::Special)
    };
    HandRank { layers: ranks, worth: [top.1, middle.1, bottom.1], class }
}

/// What matters of nine cards however they are arranged.
#[derive(Clone, Copy)]
pub(super) struct Makeup {
    /// There are four natural cards of one rank.
    four: bool,
    /// There is a wildcard.
    wild: bool,
}

impl Makeup {
    pub(super) fn of(cards: &[Card]) -> Self {
        // Four bits count each rank; a pack has no fifth card of one.
        let ranks = cards.iter().filter_map(|card| card.rank());
        let counts = ranks.fold(0u64, |sum, rank| sum + (1 << (4 * rank.index())));
        Self { four: counts & 0x4_4444_4444_4444 != 0, wild: cards.contains(&Card::JOKER) }
    }

    /// What makes a valid arrangement with these layers special.
    pub(super) fn special(self, layers: [LayerRank; 3], preset: Preset) -> Option<Special> {
        let nine = |rank: LayerRank| match preset {
            Preset::Seed => rank >= LayerRank::NINE,
            Preset::Author => rank == LayerRank::NINE,
        };
        if self.four {
            Some(Special::FourOfAKind)
        } else if !self.wild && layers.into_iter().all(nine) {
            Some(Special::AllNine)
        } else {
            None
        }
    }
}

/// The points that whole hands are worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stakes {
    /// What a foul hand pays to each opponent.
    pub foul: i64,
    /// What a special hand gets from each opponent.
    pub special: i64,
}

/// What two players owe each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// What the first gets from the second.
    pub points: i64,
    /// What the first gets for each layer, where layers decide.
    pub layers: Option<[i64; 3]>,
}

impl HandRank {
    /// Compares two hands. A special hand wins over anything else, then a foul hand loses; only two
    /// ordinary ones are compared by layers.
    pub fn compare(&self, other: &Self, stakes: Stakes) -> Comparison {
        let whole = |points| Comparison { points, layers: None };
        match (self.class, other.class) {
            (Class::Special(_), Class::Special(_)) | (Class::Foul, Class::Foul) => whole(0),
            (Class::Special(_), Class::Plain | Class::Foul) => whole(stakes.special),
            (Class::Plain | Class::Foul, Class::Special(_)) => whole(-stakes.special),
            (Class::Foul, Class::Plain) => whole(-stakes.foul),
            (Class::Plain, Class::Foul) => whole(stakes.foul),
            (Class::Plain, Class::Plain) => {
                let ([a, b, c], [x, y, z]) = (self.points(other), other.points(self));
                let layers = [a - x, b - y, c - z];
                Comparison { points: layers.iter().sum(), layers: Some(layers) }
            }
        }
    }

    /// The points for each layer that is better than the other hand's.
    fn points(&self, other: &Self) -> [i64; 3] {
        let ([a, b, c], [x, y, z], [i, j, k]) = (self.layers, other.layers, self.worth.map(i64::from));
        [i * i64::from(a > x), j * i64::from(b > y), k * i64::from(c > z)]
    }
}

/// What a culprit pays to each opponent when a deal is broken off: ten points, or the most that they could
/// have lost by playing on, so that running away never pays.
pub(super) fn penalty(stakes: Stakes, preset: Preset) -> i64 {
    let layers = 3 * i64::from(worth(Category::Three, preset));
    10.max(stakes.foul).max(stakes.special).max(layers)
}
