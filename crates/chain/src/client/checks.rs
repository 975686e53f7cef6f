//! What a player's program checks before it acts.

use core::fmt;

use cards::Card;

use super::Hole;
use crate::dealer::DeckOf;
use crate::store::Store;
use crate::tables::{self, HandOf, Turn};
use crate::units::Address;

/// Why not to act now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unready {
    /// It is not this player's turn.
    NotYourTurn,
    /// Too few shares of the player's own cards are there to read them, or they were sealed to another key.
    CardsUnreadable,
    /// A card of the board is not what enough shares open.
    BoardNotFinal,
}

impl fmt::Display for Unready {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotYourTurn => "it is not your turn",
            Self::CardsUnreadable => "your cards cannot be read yet",
            Self::BoardNotFinal => "a card of the board is not proven",
        })
    }
}

impl core::error::Error for Unready {}

/// The player's turn and their cards, if everything is there to decide on: it is their turn, they can read both of their
/// cards, and every card of the board is one that enough shares have opened.
pub fn turn(store: &Store, table: u64, player: &Address, hole: &Hole) -> Result<(Turn, [Card; 2]), Unready> {
    let turn = tables::turn(store, table).filter(|turn| turn.player == *player).ok_or(Unready::NotYourTurn)?;
    let cards = hole.cards(store, turn.seat).ok_or(Unready::CardsUnreadable)?;
    let hand = store.get(&HandOf(table)).ok_or(Unready::NotYourTurn)?;
    let deck = store.get(&DeckOf(table, turn.hand)).ok_or(Unready::BoardNotFinal)?;
    let opened = deck.ledger.0.opened();
    let (open, board) = (hand.table().open(), hand.table().rules().open_board());
    let is_final = board.slots().all(|slot| open.get(slot).is_some() && open.get(slot) == opened.get(slot));
    if is_final { Ok((turn, cards)) } else { Err(Unready::BoardNotFinal) }
}
