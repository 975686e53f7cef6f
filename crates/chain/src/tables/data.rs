//! What is kept about a table between hands: who sits where, with what.

use borsh::{BorshDeserialize, BorshSerialize};
use table::{Seat, Seats};

use super::Terms;
use crate::units::{Address, Coins};

/// Every table has this many seats.
pub const SEATS: u8 = 9;

/// A table.
///
/// A hand takes the stacks of its players and gives them back at its end, so no chip is in two places.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Ring {
    /// What it was created with.
    pub terms: Terms,
    /// Who created it, and gets the rest of the purse when it is closed.
    pub creator: Address,
    /// What decks are paid from.
    pub purse: Coins,
    /// By seat.
    pub chairs: [Chair; 9],
    /// Who had the button in the last hand.
    pub button: Option<u8>,
    /// Who had the big blind in the last hand.
    pub big_blind: Option<u8>,
    /// The last hand was aborted, so the button does not move.
    pub again: bool,
    /// The height of the block in which the last hand ended.
    pub ended: u64,
}

/// A seat.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Chair {
    /// Who sits there.
    pub player: Option<Player>,
    /// Who sat there before, if nobody does now.
    pub last: Option<Gone>,
}

/// Somebody who sits at a table.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub struct Player {
    /// Who.
    pub address: Address,
    /// Their key `Q`, from which the key of every hand is derived.
    pub key: [u8; 32],
    /// Their chips, without those that are in a hand.
    pub stack: Coins,
    /// What is left of their bond.
    pub bond: Coins,
    /// Chips they bought during a hand and get at its end.
    pub rebuy: Coins,
    /// Whether and why they sit out.
    pub out: Option<Out>,
    /// They leave after the hand.
    pub leaving: bool,
    /// Their time-outs since they last acted.
    pub timeouts: u8,
    /// How many hands have begun without them since they were last dealt in.
    pub idle: u8,
}

/// Why somebody sits out.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Out {
    /// By their own wish, until they return.
    Chosen,
    /// Because of time-outs, for one hand.
    Forced,
}

/// Somebody who sat at a table.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gone {
    /// Who.
    pub address: Address,
    /// Why they do not sit there any more.
    pub why: WhyGone,
}

/// Why somebody does not sit at a table any more.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhyGone {
    /// They wanted to leave.
    Left,
    /// They have not played for too many hands.
    Idle,
    /// Nothing was left of their bond.
    Ejected,
}

impl Ring {
    /// A new table, where nobody sits.
    pub fn new(terms: Terms, creator: Address, purse: Coins) -> Self {
        let chairs = core::array::from_fn(|_| Chair::default());
        Self { terms, creator, purse, chairs, button: None, big_blind: None, again: false, ended: 0 }
    }

    /// A seat; `None` if a table has no such seat.
    pub fn chair(&self, seat: Seat) -> Option<&Chair> {
        self.chairs.get(usize::from(seat.index()))
    }

    /// A seat, to be changed.
    pub(super) fn chair_mut(&mut self, seat: Seat) -> Option<&mut Chair> {
        self.chairs.get_mut(usize::from(seat.index()))
    }

    /// Who sits there.
    pub fn player(&self, seat: Seat) -> Option<&Player> {
        self.chair(seat)?.player.as_ref()
    }

    /// Who sits there, to be changed.
    pub(super) fn player_mut(&mut self, seat: Seat) -> Option<&mut Player> {
        self.chair_mut(seat)?.player.as_mut()
    }

    /// Everybody who sits at the table, by seat.
    pub fn players(&self) -> impl Iterator<Item = (Seat, &Player)> {
        (0..).map_while(Seat::new).zip(&self.chairs).filter_map(|(seat, chair)| Some((seat, chair.player.as_ref()?)))
    }

    /// Everybody who sits at the table, to be changed.
    pub(super) fn players_mut(&mut self) -> impl Iterator<Item = (Seat, &mut Player)> {
        let chairs = (0..).map_while(Seat::new).zip(&mut self.chairs);
        chairs.filter_map(|(seat, chair)| Some((seat, chair.player.as_mut()?)))
    }

    /// Where somebody sits.
    pub fn seat_of(&self, address: &Address) -> Option<Seat> {
        self.players().find(|(_, player)| player.address == *address).map(|(seat, _)| seat)
    }

    /// Seats where nobody sits.
    pub fn free(&self) -> Seats {
        Seats::first(SEATS) - self.players().map(|(seat, _)| seat).collect()
    }

    /// Those who can be dealt in now.
    pub fn ready(&self) -> Seats {
        self.players()
            .filter(|(_, player)| player.wants_cards() && player.stack > Coins::ZERO)
            .map(|(s, _)| s)
            .collect()
    }

    /// Who has the button if these play the next hand: the lowest seat in the first hand, then the next one clockwise.
    pub fn next_button(&self, ready: Seats) -> Option<Seat> {
        let Some(last) = self.button.and_then(Seat::new) else { return ready.lowest() };
        if self.again && ready.contains(last) {
            return Some(last);
        }
        let next = ready.after(last)?;
        // Heads-up, nobody has the big blind twice in a row: that player gets the button instead.
        let had_it = |big: &Seat| ready.len() == 2 && self.big_blind == Some(big.index());
        Some(ready.after(next).filter(had_it).unwrap_or(next))
    }

    /// The coins it keeps, without those in a hand.
    pub fn held(&self) -> Coins {
        self.purse + self.players().map(|(_, player)| player.stack + player.bond + player.rebuy).sum()
    }
}

impl Player {
    /// Whether they want to be dealt in, and may be.
    pub fn wants_cards(&self) -> bool {
        self.out.is_none() && !self.leaving && self.bond > Coins::ZERO
    }

    /// Everything they take along when they leave.
    pub fn takes_along(&self) -> Coins {
        self.stack + self.bond + self.rebuy
    }
}
