//! What a seat can do in Blackout, what it claims by that, and why it may be refused.

use core::fmt;

use cards::Suit;
use serde::{Deserialize, Serialize};
use table::{Look, Seat, Slot};

/// What a seat can do in its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// I shall take this many tricks.
    Bid(u8),
    /// Plays a card to the trick.
    Play(Slot),
}

/// "None of these is of the suit that was led."
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Claim {
    by: Seat,
    suit: Suit,
    deck: u32,
    /// The hand at that moment, as places in the deck.
    hand: u64,
}

impl Claim {
    pub(super) fn new(by: Seat, suit: Suit, deck: u32, hand: u64) -> Self {
        Self { by, suit, deck, hand }
    }
}

impl table::Claim for Claim {
    type Illegal = Illegal;

    fn by(&self) -> Seat {
        self.by
    }

    fn slots(&self) -> impl Iterator<Item = Slot> {
        places(self.deck, self.hand)
    }

    fn holds(&self, faces: &impl Look) -> bool {
        places(self.deck, self.hand).all(|slot| faces.face(slot).is_some_and(|card| card.suit() != Some(self.suit)))
    }

    fn refusal(&self) -> Illegal {
        Illegal::MustFollowSuit
    }
}

/// The slots of a deck that are marked in a set of places.
pub(super) fn places(deck: u32, set: u64) -> impl Iterator<Item = Slot> {
    let mut rest = set;
    core::iter::from_fn(move || {
        let index = u16::try_from(rest.trailing_zeros()).ok().filter(|i| *i < 64)?;
        rest &= rest - 1;
        Some(Slot::new(deck, index))
    })
}

/// Why an action is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Illegal {
    /// Not what is to be done now.
    WrongPhase,
    /// Another seat is to act.
    NotYourTurn,
    /// A bid is from 0 to the number of cards.
    BetOutOfRange {
        /// The highest bid.
        most: u8,
    },
    /// The dealer's bid would make the bids add up to the tricks.
    BetForbiddenByHook {
        /// The bid that is forbidden.
        bid: u8,
    },
    /// The seat does not hold that card.
    CardNotInHand(Slot),
    /// The seat holds a card of the suit that was led.
    MustFollowSuit,
    /// The seat is not (or no longer) in this deal.
    NotSeated,
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongPhase => f.write_str("this cannot be done now"),
            Self::NotYourTurn => f.write_str("it is another seat's turn"),
            Self::BetOutOfRange { most } => write!(f, "a bid is a number from 0 to {most}"),
            Self::BetForbiddenByHook { bid } => {
                write!(f, "the dealer may not bid {bid}: the bids would add up to the number of tricks (hook rule)")
            }
            Self::CardNotInHand(slot) => write!(f, "card {slot} is not in this hand"),
            Self::MustFollowSuit => f.write_str("the suit that was led must be followed"),
            Self::NotSeated => f.write_str("the seat is not in this deal"),
        }
    }
}

impl core::error::Error for Illegal {}
