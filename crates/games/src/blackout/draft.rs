//! What people look at while they think: the order of a hand, who wins a trick so far, what a card would do.

use cards::{Card, Suit};
use serde::{Deserialize, Serialize};
use table::Seat;

use super::{View, beats};
use crate::Held;

/// How a hand is sorted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sorting {
    /// By suit, trump first.
    #[default]
    Suits,
    /// By rank.
    Ranks,
}

impl Sorting {
    /// The other way.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Suits => Self::Ranks,
            Self::Ranks => Self::Suits,
        }
    }

    /// A hand in this order, high cards first.
    pub fn sort(self, hand: &[Held], trump: Option<Suit>) -> Vec<Held> {
        // Black and red in turn, so that suits beside each other differ.
        let suit_place = |suit: Suit| match suit {
            suit if Some(suit) == trump => 0,
            Suit::Spades => 1,
            Suit::Hearts => 2,
            Suit::Clubs => 3,
            Suit::Diamonds => 4,
        };
        let mut hand = hand.to_vec();
        hand.sort_by_key(|held| {
            let Some((rank, suit)) = held.card.and_then(Card::natural) else { return (u8::MAX, u8::MAX) };
            let high = 14 - rank.number();
            match self {
                Self::Suits => (suit_place(suit), high),
                Self::Ranks => (high, suit_place(suit)),
            }
        });
        hand
    }
}

/// What a card would do in the trick on the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Would {
    /// It is the first.
    Lead,
    /// It beats the best card so far.
    Win {
        /// Whose card that is, and which.
        over: (Seat, Card),
        /// Is it the last card of the trick?
        last: bool,
    },
    /// It does not beat the best card so far.
    Lose {
        /// Whose card that is, and which.
        to: (Seat, Card),
    },
}

impl View {
    /// The suit that is trump.
    pub fn trump_suit(&self) -> Option<Suit> {
        self.trump.and_then(Card::suit)
    }

    /// Who takes this trick, as far as it goes, and with what.
    pub fn best(&self, trick: &[(Seat, Card)]) -> Option<(Seat, Card)> {
        let trump = self.trump_suit();
        trick.iter().copied().reduce(|best, played| if beats(played.1, best.1, trump) { played } else { best })
    }

    /// The suit that was led to the trick on the table.
    pub fn led(&self) -> Option<Suit> {
        self.trick.first().and_then(|(_, card)| card.suit())
    }

    /// What a card would do in the trick on the table.
    pub fn would(&self, card: Card) -> Would {
        match self.best(&self.trick) {
            None => Would::Lead,
            Some(over) if beats(card, over.1, self.trump_suit()) => {
                Would::Win { over, last: self.trick.len() + 1 == self.players.len() }
            }
            Some(to) => Would::Lose { to },
        }
    }
}
