//! What a seat can do, choose or claim in Big-C, and why it may be refused.

use core::fmt;

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use table::{Look, Seat, Slot};

use super::NotAHand;

/// What a seat can do in its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Plays a hand.
    Play(Few),
    /// Skips this turn.
    Pass,
    /// As chooser: "I have only jokers left." The next seat chooses.
    PassRole,
}

/// What a seat shows for the order of play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// This card.
    Show(Slot),
    /// "I have no card left to show": every card that has not been shown is a joker.
    Nothing,
}

/// Up to five cards, in a place of fixed size.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Few {
    slots: [Slot; 5],
    len: u8,
}

impl Few {
    /// No card.
    pub const NONE: Self = Self { slots: [Slot::new(0, 0); 5], len: 0 };

    /// These, if they are at most five.
    pub fn new(slots: &[Slot]) -> Option<Self> {
        let mut few = Self::NONE;
        slots.iter().all(|slot| few.push(*slot)).then_some(few)
    }

    /// Adds a card; `false` if there are five already.
    pub(super) fn push(&mut self, slot: Slot) -> bool {
        let free = self.slots.get_mut(usize::from(self.len));
        let fits = free.map(|place| *place = slot).is_some();
        self.len += u8::from(fits);
        fits
    }

    /// The cards.
    pub fn as_slice(&self) -> &[Slot] {
        self.slots.get(..usize::from(self.len)).unwrap_or(&[])
    }

    /// The cards.
    pub fn iter(self) -> impl Iterator<Item = Slot> {
        self.slots.into_iter().take(usize::from(self.len))
    }

    /// How many.
    pub const fn len(self) -> u8 {
        self.len
    }

    /// None at all?
    pub const fn is_empty(self) -> bool {
        self.len == 0
    }
}

impl fmt::Debug for Few {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(f)
    }
}

impl Serialize for Few {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_slice().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Few {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct List;
        impl<'de> Visitor<'de> for List {
            type Value = Few;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of at most five slots")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Few, A::Error> {
                let mut few = Few::NONE;
                while let Some(slot) = list.next_element()? {
                    if !few.push(slot) {
                        return Err(A::Error::custom("a hand has at most five cards"));
                    }
                }
                Ok(few)
            }
        }
        deserializer.deserialize_seq(List)
    }
}

/// What a seat says about cards that nobody else has seen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Claim {
    by: Seat,
    says: Says,
    cards: Vec<Slot>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
enum Says {
    /// All are jokers: the hand of a chooser who passes the role on.
    OnlyJokersToPlay,
    /// All are jokers: what is left to a seat that has no more card to show.
    OnlyJokersToShow,
    /// The card that is shown for the order of play is no joker.
    NoJoker,
}

impl Claim {
    pub(super) fn only_jokers_to_play(by: Seat, hand: &[Slot]) -> Self {
        Self { by, says: Says::OnlyJokersToPlay, cards: hand.to_vec() }
    }

    pub(super) fn only_jokers_to_show(by: Seat, rest: impl Iterator<Item = Slot>) -> Self {
        Self { by, says: Says::OnlyJokersToShow, cards: rest.collect() }
    }

    pub(super) fn no_joker(by: Seat, shown: Slot) -> Self {
        Self { by, says: Says::NoJoker, cards: vec![shown] }
    }
}

impl table::Claim for Claim {
    type Illegal = Illegal;

    fn by(&self) -> Seat {
        self.by
    }

    fn slots(&self) -> impl Iterator<Item = Slot> {
        self.cards.iter().copied()
    }

    fn holds(&self, faces: &impl Look) -> bool {
        let jokers = self.says != Says::NoJoker;
        self.cards.iter().all(|slot| faces.face(*slot).is_some_and(|card| card.is_joker() == jokers))
    }

    fn refusal(&self) -> Illegal {
        match self.says {
            Says::OnlyJokersToPlay => Illegal::ChooserMustPlay,
            Says::OnlyJokersToShow => Illegal::HasCardToShow,
            Says::NoJoker => Illegal::JokerShown,
        }
    }

    /// A card to be shown is opened at once, or not needed.
    fn is_kept(&self) -> bool {
        self.says != Says::NoJoker
    }
}

/// Why an action or a choice is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Illegal {
    /// The seat is not (or no longer) in this deal.
    NotSeated,
    /// Not what is to be done now.
    WrongPhase,
    /// Another seat is to act, or this one has no tie to break.
    NotYourTurn,
    /// Another number of cards must be played.
    WrongHandSize {
        /// The number of this round; absent for a chooser, who plays 1, 2, 3 or 5.
        round: Option<u8>,
        /// The number laid down.
        got: u8,
    },
    /// The seat does not hold that card.
    CardNotInHand(Slot),
    /// The card is named twice.
    DuplicateCard(Slot),
    /// The card has been shown before.
    AlreadyShown(Slot),
    /// The seat still holds a card that is no joker and has not been shown.
    HasCardToShow,
    /// A joker cannot be shown for the order of play.
    JokerShown,
    /// The cards are no hand.
    IllegalHand(NotAHand),
    /// The hand is neither higher than the last one nor its exact equal.
    NotHigher,
    /// A chooser with a card that is no joker must play.
    ChooserMustPlay,
    /// There is a hand to beat: the seat is not the chooser.
    NotChooser,
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSeated => f.write_str("the seat is not in this deal"),
            Self::WrongPhase => f.write_str("this cannot be done now"),
            Self::NotYourTurn => f.write_str("it is not this seat's turn"),
            Self::WrongHandSize { round: Some(n), got } => write!(f, "hands of this round have {n} cards, not {got}"),
            Self::WrongHandSize { round: None, got } => write!(f, "a hand has 1, 2, 3 or 5 cards, not {got}"),
            Self::CardNotInHand(slot) => write!(f, "card {slot} is not in this hand"),
            Self::DuplicateCard(slot) => write!(f, "card {slot} is named twice"),
            Self::AlreadyShown(slot) => write!(f, "card {slot} has been shown before"),
            Self::HasCardToShow => f.write_str("not all of these cards can be jokers: show one that is not"),
            Self::JokerShown => f.write_str("a joker cannot be shown for the order of play"),
            Self::IllegalHand(why) => why.fmt(f),
            Self::NotHigher => f.write_str("the hand is neither higher than the last one nor equal to it"),
            Self::ChooserMustPlay => f.write_str("the leader must play, unless they have only jokers"),
            Self::NotChooser => f.write_str("there is a hand to beat: play or pass"),
        }
    }
}

impl core::error::Error for Illegal {}
