//! Ring games of Hold'em.

use core::fmt;

use borsh::{BorshDeserialize, BorshSerialize};
use games::holdem::Deal;
use table::{Faces, Table};

use crate::execute::Cx;
use crate::store::Store;
use crate::units::{Address, Coins};

/// What one can ask.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Tx {
    Nothing,
}

impl Tx {
    /// Whether the chain waits for it.
    pub const fn is_duty(&self) -> bool {
        true
    }
}

/// Why it is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Refused {
    Nothing,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nothing")
    }
}

/// What happened.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Event {
    Nothing,
}

/// Tables.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Params {}

/// Carries out a transaction.
pub fn execute(_cx: &mut Cx<'_>, _from: Address, tx: &Tx) -> Result<(), Refused> {
    let Tx::Nothing = tx;
    Ok(())
}

/// What happens by itself.
pub fn end_block(_cx: &mut Cx<'_>) {}

/// The hand that is played at a table: the number of its deck, and the deal.
pub fn hand(_store: &Store, _table: u64) -> Option<(u32, &Table<Deal>)> {
    None
}

/// Where the players of a running hand get what a validator loses for it.
pub fn players(_store: &Store, _table: u64) -> Vec<Address> {
    Vec::new()
}

/// Tables that need decks: with two players or more who have chips and are not sitting out.
pub fn in_use(_store: &Store) -> Vec<u64> {
    Vec::new()
}

/// Takes the price of a deck from the table's purse; `false` if there is not enough in it.
pub fn pay_for_deck(_cx: &mut Cx<'_>, _table: u64, _coins: Coins) -> bool {
    true
}

/// Puts back what was not needed of the price of a deck.
pub fn refund_deck(_cx: &mut Cx<'_>, _table: u64, _coins: Coins) {}

/// The dealer has carried out the orders of the hand: these faces are open.
pub fn dealt(_cx: &mut Cx<'_>, _table: u64, _opened: &Faces) {}

/// The dealer cannot carry out the orders of the hand: it is aborted, and everybody gets back what they put in.
pub fn dealer_failed(_cx: &mut Cx<'_>, _table: u64) {}

/// How long the dealer may take for one step at this table, in milliseconds of the game clock.
pub fn dealer_timeout(_store: &Store, _table: u64) -> u64 {
    60_000
}

/// All coins that tables keep: stacks, pots, bonds and purses.
pub fn held(_store: &Store) -> Coins {
    Coins::ZERO
}
