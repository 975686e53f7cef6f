//! Why something that is prepared cannot be done.

use core::fmt;

use table::Refused;

use crate::romme::{Flaw, Illegal, MeldId};

/// Why something cannot be done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Not {
    /// The looker does not play.
    OnlyWatching,
    /// No meld is marked or set aside.
    NothingToLay,
    /// The marked cards are no meld.
    NoMeld(Flaw),
    /// The melds are not enough to open.
    TooFewPoints {
        /// What they count.
        points: u16,
        /// What is asked.
        needed: u16,
    },
    /// Only after the player's own first melds.
    NotOpened,
    /// No cards are marked to be added.
    NothingToAdd,
    /// The marked cards do not fit the chosen meld.
    DoesNotFit(MeldId),
    /// The marked cards fit no meld.
    FitsNoMeld,
    /// No cards are marked to be swapped.
    NothingToSwap,
    /// No joker on the table stands for a marked card.
    NoSuchJoker,
    /// A joker could be taken, but not used with the marked cards.
    NoUseForJoker,
    /// No card is marked to be thrown away.
    NothingToDiscard,
    /// Only one card is thrown away.
    OnlyOneCard,
    /// The card came from the pile in this turn.
    JustTaken,
    /// There is no meld in the hand.
    NoMeldInHand,
    /// No card of the hand can be laid in any way.
    NothingCanBeLaid,
    /// The table refuses it.
    Refused(Refused<Illegal>),
}

impl fmt::Display for Not {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OnlyWatching => f.write_str("you are only watching"),
            Self::NothingToLay => f.write_str("mark the cards of a meld first"),
            Self::NoMeld(flaw) => write!(f, "not a meld: {flaw}"),
            Self::TooFewPoints { points, needed } => write!(f, "{points} of {needed} points"),
            Self::NotOpened => f.write_str("you must open first"),
            Self::NothingToAdd => f.write_str("mark the cards to add first"),
            Self::DoesNotFit(meld) => write!(f, "these cards do not fit {meld}"),
            Self::FitsNoMeld => f.write_str("these cards fit no meld on the table"),
            Self::NothingToSwap => {
                f.write_str("mark the card that a joker stands for, and the cards to use the joker with")
            }
            Self::NoSuchJoker => f.write_str("no joker on the table stands for one of these cards"),
            Self::NoUseForJoker => f.write_str("you must use the joker at once: mark cards that make a meld with it"),
            Self::NothingToDiscard => f.write_str("mark the card to discard first"),
            Self::OnlyOneCard => f.write_str("you can only discard one card"),
            Self::JustTaken => f.write_str("you took it from the discard pile this turn, so you cannot discard it"),
            Self::NoMeldInHand => f.write_str("you have no meld in your hand"),
            Self::NothingCanBeLaid => f.write_str("you cannot lay any card"),
            Self::Refused(why) => why.fmt(f),
        }
    }
}

impl core::error::Error for Not {}
