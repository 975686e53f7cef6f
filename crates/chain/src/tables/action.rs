//! What a player can do in their turn, as it is sent and stored.

use borsh::{BorshDeserialize, BorshSerialize};
use games::holdem;
use table::Chips;

use crate::units::Coins;

/// What a player can do in their turn.
#[derive(BorshSerialize, BorshDeserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Gives up every interest in the pots.
    Fold,
    /// Pays nothing, where nothing is to be paid.
    Check,
    /// Matches the bet, or as much of it as the stack allows.
    Call,
    /// Bets or raises to this total for the street: never the increment.
    BetTo(Coins),
    /// The whole stack: a call if it is no more than the amount to call, else a bet or raise.
    AllIn,
}

impl From<Action> for holdem::Action {
    fn from(action: Action) -> Self {
        match action {
            Action::Fold => Self::Fold,
            Action::Check => Self::Check,
            Action::Call => Self::Call,
            // What is more than a table can count is more than anybody has, and refused as such.
            Action::BetTo(coins) => Self::RaiseTo(Chips(i64::try_from(coins.0).unwrap_or(i64::MAX))),
            Action::AllIn => Self::AllIn,
        }
    }
}

impl From<holdem::Action> for Action {
    fn from(action: holdem::Action) -> Self {
        match action {
            holdem::Action::Fold => Self::Fold,
            holdem::Action::Check => Self::Check,
            holdem::Action::Call => Self::Call,
            holdem::Action::RaiseTo(chips) => Self::BetTo(Coins::from_chips(chips).unwrap_or_default()),
            holdem::Action::AllIn => Self::AllIn,
        }
    }
}
