//! What a seat can do in Ongdu, and why it may be refused.

use core::fmt;

use serde::{Deserialize, Serialize};
use table::Slot;

/// What a seat can do in its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// With six players, the starting player lays one of ten cards aside, face up.
    Discard(Slot),
}

/// What every seat chooses in secret: where each of its nine cards lies.
///
/// A bottom layer that is worse than another is no mistake of form; it makes the hand a foul.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arrangement {
    /// The weakest layer.
    pub top: [Slot; 3],
    /// The layer between.
    pub middle: [Slot; 3],
    /// The strongest layer.
    pub bottom: [Slot; 3],
}

impl Arrangement {
    /// An arrangement from three lists of cards, or which layer has not exactly three.
    pub fn new(top: &[Slot], middle: &[Slot], bottom: &[Slot]) -> Result<Self, Illegal> {
        let three = |layer: &'static str, slots: &[Slot]| {
            <[Slot; 3]>::try_from(slots).map_err(|_| Illegal::LayersIncomplete { layer, cards: slots.len() })
        };
        Ok(Self { top: three("top", top)?, middle: three("middle", middle)?, bottom: three("bottom", bottom)? })
    }

    /// Top, middle and bottom.
    pub const fn layers(&self) -> [[Slot; 3]; 3] {
        [self.top, self.middle, self.bottom]
    }
}

/// Why an action or an arrangement is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Illegal {
    /// The seat is not (or no longer) in this deal.
    NotSeated,
    /// Not what is to be done now.
    WrongPhase,
    /// Another seat is to act.
    NotYourTurn,
    /// The starting player has to discard before anybody arranges.
    MustDiscardFirst,
    /// A layer has not exactly three cards.
    LayersIncomplete {
        /// `top`, `middle` or `bottom`.
        layer: &'static str,
        /// How many cards it has.
        cards: usize,
    },
    /// The seat does not hold that card.
    CardNotInHand(Slot),
    /// That card is named twice.
    DuplicateCard(Slot),
    /// That card should lie open by now.
    NotOpen(Slot),
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSeated => f.write_str("the seat is not in this deal"),
            Self::WrongPhase => f.write_str("this cannot be done now"),
            Self::NotYourTurn => f.write_str("it is another seat's turn"),
            Self::MustDiscardFirst => f.write_str("the starting player must discard first"),
            Self::LayersIncomplete { layer, cards } => {
                write!(f, "every layer needs three cards, but the {layer} layer has {cards}")
            }
            Self::CardNotInHand(slot) => write!(f, "card {slot} is not in this hand"),
            Self::DuplicateCard(slot) => write!(f, "card {slot} appears twice"),
            Self::NotOpen(slot) => write!(f, "card {slot} is not face up"),
        }
    }
}

impl core::error::Error for Illegal {}
