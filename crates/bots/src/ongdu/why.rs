//! Reasons for an arrangement.

use core::fmt;

use cards::Card;
use games::ongdu::{LayerRank, Special};

/// A reason for an arrangement or a discard.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Why {
    /// The hand is special: everybody pays.
    Special {
        /// How it is special.
        what: Special,
        /// The points that each opponent pays.
        points: i64,
    },
    /// The average points it wins or loses against each opponent.
    Expects {
        /// The points.
        points: f64,
    },
    /// How often this layer is better than an opponent's.
    Wins {
        /// Which.
        layer: Layer,
        /// Its rank.
        rank: LayerRank,
        /// How often, in percent.
        percent: u32,
    },
    /// The best three cards at the bottom would do worse.
    NotBottomFirst {
        /// The average difference in points against each opponent.
        points: f64,
    },
    /// The hand is best without this card.
    Spare {
        /// Which.
        card: Card,
    },
}

/// One of the three layers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layer {
    /// The weakest.
    Top,
    /// The one in between.
    Middle,
    /// The strongest.
    Bottom,
}

impl Layer {
    /// In order of strength.
    pub const ALL: [Self; 3] = [Self::Top, Self::Middle, Self::Bottom];
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Top => "top",
            Self::Middle => "middle",
            Self::Bottom => "bottom",
        })
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Special { what: Special::FourOfAKind, points } => {
                write!(f, "four of a kind is special: each opponent pays {points}")
            }
            Self::Special { what: Special::AllNine, points } => {
                write!(f, "three layers of nine or better are special: each opponent pays {points}")
            }
            Self::Expects { points } => {
                let gain = if *points < 0.0 { "loses" } else { "wins" };
                write!(f, "it {gain} {:.1} points against each opponent on average", points.abs())
            }
            Self::Wins { layer, rank, percent } => write!(f, "the {layer}, {rank}, wins {percent} % of the time"),
            Self::NotBottomFirst { points } => {
                write!(f, "the strongest possible bottom would cost {points:.1} points against each opponent")
            }
            Self::Spare { card } => write!(f, "your other nine cards do best without {card}"),
        }
    }
}
