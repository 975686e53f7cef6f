//! Epochs, committees, keys and decks.

use core::fmt;
use std::collections::BTreeSet;

use borsh::{BorshDeserialize, BorshSerialize};
use dealing::Element;
use table::Seat;

use crate::execute::Cx;
use crate::genesis::Genesis;
use crate::store::{Store, key};
use crate::tx::Signed;
use crate::units::{Address, Coins, Hash};

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

/// Dealing.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Params {}

/// The decks of a table that no hand uses yet.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct Ahead {
    /// Those that are ready, the oldest first.
    pub ready: Vec<u32>,
}

key! {
    /// The decks of a table that no hand uses yet.
    pub struct AheadOf(u64) => Ahead, in 0x54;
}

/// Proofs of a block's transactions that have been checked together.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Verified(BTreeSet<Hash>);

impl Verified {
    /// Checks all proofs in these transactions together.
    pub fn check(_store: &Store, _transactions: &[Signed]) -> Self {
        Self::default()
    }
}

/// The first epoch.
pub fn begin(_store: &mut Store, _genesis: &Genesis) {}

/// Carries out a transaction.
pub fn execute(_cx: &mut Cx<'_>, _from: Address, tx: &Tx) -> Result<(), Refused> {
    let Tx::Nothing = tx;
    Ok(())
}

/// What happens by itself.
pub fn end_block(_cx: &mut Cx<'_>) {}

/// A deck that is ready for the next hand at this table.
pub fn ready_deck(store: &Store, table: u64) -> Option<u32> {
    store.get(&AheadOf(table))?.ready.first().copied()
}

/// A hand begins with this deck, for the players with these keys. Must be called after the hand is in the store; the
/// keys are fixed from now on.
pub fn use_deck(cx: &mut Cx<'_>, table: u64, deck: u32, _players: &[(Seat, Element)]) {
    cx.store.edit(&AheadOf(table), |ahead| ahead.ready.retain(|ready| *ready != deck));
}

/// The hand with this deck is over.
pub fn deck_is_used(_cx: &mut Cx<'_>, _table: u64, _deck: u32) {}

/// The most chips that a table may have in play: what those lose who could spoil a hand by withholding.
pub fn most_chips(_store: &Store) -> Coins {
    Coins::MOST
}

/// All coins that dealing keeps: what tables have paid for decks, until it is paid out.
pub fn held(_store: &Store) -> Coins {
    Coins::ZERO
}
