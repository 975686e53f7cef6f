//! What a seat can do in Blackjack Duel, what it claims by that, and why it may be refused.

use core::fmt;

use serde::{Deserialize, Serialize};
use table::{Chips, Look, Seat, Slot};

use super::hand::Cards;

/// What a seat chooses in secret before the cards are dealt.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Bet(pub Chips);

/// What a seat can do with the hand it plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Takes a card; claims a total of at most 20.
    Hit,
    /// Takes no more; claims a total of at most 21.
    Stand,
    /// Doubles the stake and takes exactly one more card; claims a total of at most 20.
    Double,
    /// Shows a pair and makes two hands of it, with the same stake each.
    Split,
    /// Has lost the hand; claims a total above 21.
    Bust,
    /// Gives up the match: all stakes of the round are lost.
    Surrender,
}

/// What a seat says about the total of a hand, as it is at that moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Claim {
    pub(super) by: Seat,
    pub(super) says: Says,
    pub(super) cards: Cards,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) enum Says {
    Below21,
    AtMost21,
    Above21,
}

impl table::Claim for Claim {
    type Illegal = Illegal;

    fn by(&self) -> Seat {
        self.by
    }

    fn slots(&self) -> impl Iterator<Item = Slot> {
        self.cards.iter()
    }

    fn holds(&self, faces: &impl Look) -> bool {
        self.cards.total(faces).is_some_and(|total| match self.says {
            Says::Below21 => total.points < 21,
            Says::AtMost21 => total.points <= 21,
            Says::Above21 => total.points > 21,
        })
    }

    fn refusal(&self) -> Illegal {
        match self.says {
            Says::Below21 => Illegal::NotBelow21,
            Says::AtMost21 => Illegal::MustBust,
            Says::Above21 => Illegal::NotBust,
        }
    }
}

/// Why a move is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Illegal {
    /// The seat is not (or no longer) in this round.
    NotSeated,
    /// Not what is to be done now.
    WrongPhase,
    /// Another seat is to act.
    NotYourTurn,
    /// A bet is within the limits of the table and the chips of the player.
    AmountOutOfRange {
        /// The smallest bet.
        least: Chips,
        /// The largest bet.
        most: Chips,
    },
    /// A second stake of the same size is needed.
    NotEnoughChips {
        /// That much.
        needs: Chips,
    },
    /// Only a hand of two cards can be doubled or split.
    NotTwoCards,
    /// The two cards do not match.
    NotAPair,
    /// The player has split as often as is allowed.
    TooManyHands {
        /// The most hands.
        most: u8,
    },
    /// At this table a hand that comes from a split cannot be doubled.
    NoDoubleAfterSplit,
    /// Every card is on the table.
    NoCardsLeft,
    /// A hand of 21 or more gets no further card.
    NotBelow21,
    /// A hand above 21 cannot stand.
    MustBust,
    /// A hand of 21 or less is not bust.
    NotBust,
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSeated => f.write_str("the seat is not in this round"),
            Self::WrongPhase => f.write_str("this cannot be done now"),
            Self::NotYourTurn => f.write_str("it is another seat's turn"),
            Self::AmountOutOfRange { least, most } => write!(f, "a bet is from {least} to {most} chips"),
            Self::NotEnoughChips { needs } => write!(f, "this needs {needs} more chips"),
            Self::NotTwoCards => f.write_str("this can only be done with two cards"),
            Self::NotAPair => f.write_str("the two cards are not a pair"),
            Self::TooManyHands { most } => write!(f, "a player can have at most {most} hands"),
            Self::NoDoubleAfterSplit => f.write_str("a hand that comes from a split cannot be doubled here"),
            Self::NoCardsLeft => f.write_str("there are not enough cards left"),
            Self::NotBelow21 => f.write_str("a hand of 21 or more gets no more cards"),
            Self::MustBust => f.write_str("a hand above 21 is bust and cannot stand"),
            Self::NotBust => f.write_str("a hand of 21 or less is not bust"),
        }
    }
}

impl core::error::Error for Illegal {}
