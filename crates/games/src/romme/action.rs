//! What a seat can do in Rommé, and why it may be refused.
//!
//! Cards are laid as slots; their faces travel with the action, so every meld is checked at once and
//! nothing has to be claimed about closed cards.

use core::fmt;
use core::str::FromStr;

use cards::Card;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use table::Slot;

use super::meld::Flaw;

/// What a seat can do in its turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Draws the top card of the stock.
    DrawStock,
    /// Takes the top card of the discard pile.
    DrawDiscard,
    /// Lays new melds. The first time this is the opening: all its melds together must reach the
    /// points asked for.
    Meld(Vec<Vec<Laid>>),
    /// Adds cards to a meld of any player.
    LayOff {
        /// Which meld.
        meld: MeldId,
        /// What is added.
        cards: Vec<Laid>,
    },
    /// Gives a meld the card its joker stands for, and uses that joker at once in another one.
    Swap {
        /// The meld with the joker.
        meld: MeldId,
        /// The natural card it gets.
        card: Slot,
        /// What becomes of the joker.
        then: Use,
    },
    /// Throws a card on the discard pile, which ends the turn.
    Discard(Slot),
}

/// Where a joker goes that has been swapped. The cards name the joker by its own slot, like any other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Use {
    /// Into a new meld of these cards.
    Meld(Vec<Laid>),
    /// To another meld on the table.
    LayOff {
        /// Which meld.
        meld: MeldId,
        /// What is added.
        cards: Vec<Laid>,
    },
}

impl Use {
    /// The cards it lays, the joker among them.
    pub const fn cards(&self) -> &Vec<Laid> {
        match self {
            Self::Meld(cards) | Self::LayOff { cards, .. } => cards,
        }
    }
}

impl Action {
    /// Every slot that is laid down.
    pub(super) fn slots(&self) -> impl Iterator<Item = Slot> {
        let (single, lists): (Option<Slot>, &[Vec<Laid>]) = match self {
            Self::DrawStock | Self::DrawDiscard => (None, &[]),
            Self::Meld(melds) => (None, melds),
            Self::LayOff { cards, .. } => (None, core::slice::from_ref(cards)),
            Self::Swap { card, then, .. } => (Some(*card), core::slice::from_ref(then.cards())),
            Self::Discard(slot) => (Some(*slot), &[]),
        };
        single.into_iter().chain(lists.iter().flatten().map(|laid| laid.slot))
    }
}

/// A card laid into a meld.
///
/// A joker in a *run* names the exact card it stands for. A joker in a *set* names nothing: it stands for
/// whichever suits are missing. As text it is a slot, or `slot=card`: `0:17`, `0:52=7D`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Laid {
    /// Which card.
    pub slot: Slot,
    /// What it stands for, being a joker in a run.
    pub stands_for: Option<Card>,
}

impl From<Slot> for Laid {
    fn from(slot: Slot) -> Self {
        Self { slot, stands_for: None }
    }
}

impl fmt::Display for Laid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.stands_for {
            None => self.slot.fmt(f),
            Some(card) => write!(f, "{}={card}", self.slot),
        }
    }
}

/// A text that is no laid card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseLaidError;

impl fmt::Display for ParseLaidError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a slot, or a slot and what its joker stands for, such as 0:17 or 0:52=7D")
    }
}

impl core::error::Error for ParseLaidError {}

impl FromStr for Laid {
    type Err = ParseLaidError;
    fn from_str(text: &str) -> Result<Self, ParseLaidError> {
        let (slot, card) = match text.split_once('=') {
            None => (text, None),
            Some((slot, card)) => (slot, Some(card)),
        };
        let stands_for = card.map(str::parse).transpose().map_err(|_| ParseLaidError)?;
        Ok(Self { slot: slot.parse().map_err(|_| ParseLaidError)?, stands_for })
    }
}

impl Serialize for Laid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            (self.slot, self.stands_for).serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Laid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
            text.parse().map_err(D::Error::custom)
        } else {
            let (slot, stands_for) = Deserialize::deserialize(deserializer)?;
            Ok(Self { slot, stands_for })
        }
    }
}

/// The number of a meld, counted from 1 in order of creation: `M1`, `M2`, … as text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct MeldId(pub u8);

impl MeldId {
    /// The meld at this place of the list.
    pub(super) fn at(index: usize) -> Self {
        Self(u8::try_from(index + 1).unwrap_or(u8::MAX))
    }

    /// Its place in the list.
    pub(super) fn index(self) -> Option<usize> {
        usize::from(self.0).checked_sub(1)
    }
}

impl fmt::Display for MeldId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "M{}", self.0)
    }
}

impl Serialize for MeldId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() { serializer.collect_str(self) } else { serializer.serialize_u8(self.0) }
    }
}

impl<'de> Deserialize<'de> for MeldId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            return u8::deserialize(deserializer).map(Self);
        }
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        let number = text.strip_prefix('M').filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()));
        let number = number.and_then(|digits| digits.parse().ok());
        number.map(Self).ok_or_else(|| D::Error::custom("expected a meld, such as M1"))
    }
}

/// Why an action is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Illegal {
    /// The seat is not (or no longer) in this round.
    NotSeated,
    /// Not what is to be done now.
    WrongPhase,
    /// Another seat is to act.
    NotYourTurn,
    /// A turn begins with drawing a card.
    MustDrawFirst,
    /// Only one card is drawn in a turn.
    AlreadyDrawn,
    /// There is no card on the discard pile.
    PileEmpty,
    /// No cards were laid.
    NothingLaid,
    /// There is no such meld.
    UnknownMeld(MeldId),
    /// The seat does not hold that card.
    CardNotInHand(Slot),
    /// That card is laid twice.
    DuplicateCard(Slot),
    /// Only after the opening.
    NotOpened,
    /// It is no meld.
    IllegalMeld(Flaw),
    /// The first melds do not reach the points asked for.
    OpeningTooLow {
        /// What is asked for.
        needed: u16,
        /// What they reach.
        got: u16,
    },
    /// No joker of that meld stands for this card.
    NothingToSwap {
        /// The meld.
        meld: MeldId,
        /// The card.
        card: Slot,
    },
    /// The joker that is swapped is not among the cards laid then.
    NoUseForJoker,
    /// A swapped joker goes to another meld than it came from.
    SameMeld(MeldId),
    /// The last card must be kept for the discard.
    MustKeepDiscard,
    /// A card taken from the discard pile is not put back in the same turn.
    SameCardDiscard(Slot),
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSeated => f.write_str("the seat is not in this round"),
            Self::WrongPhase => f.write_str("this cannot be done now"),
            Self::NotYourTurn => f.write_str("it is another seat's turn"),
            Self::MustDrawFirst => f.write_str("a turn begins with drawing a card"),
            Self::AlreadyDrawn => f.write_str("a card has already been drawn this turn"),
            Self::PileEmpty => f.write_str("there is no card on the discard pile"),
            Self::NothingLaid => f.write_str("no cards were laid"),
            Self::UnknownMeld(meld) => write!(f, "there is no meld {meld}"),
            Self::CardNotInHand(slot) => write!(f, "card {slot} is not in this hand"),
            Self::DuplicateCard(slot) => write!(f, "card {slot} is laid twice"),
            Self::NotOpened => f.write_str("this is only possible after opening"),
            Self::IllegalMeld(flaw) => write!(f, "not a meld: {flaw}"),
            Self::OpeningTooLow { needed, got } => {
                write!(f, "opening needs {needed} points, these melds have {got}")
            }
            Self::NothingToSwap { meld, card } => write!(f, "no joker of {meld} stands for card {card}"),
            Self::NoUseForJoker => f.write_str("a swapped joker must be laid again at once"),
            Self::SameMeld(meld) => write!(f, "the joker of {meld} must go to another meld"),
            Self::MustKeepDiscard => f.write_str("one card must be left to discard"),
            Self::SameCardDiscard(slot) => {
                write!(f, "card {slot} was taken from the discard pile this turn and cannot go back")
            }
        }
    }
}

impl core::error::Error for Illegal {}
