//! What happened, for those who follow the chain.
//!
//! Every event has a cursor: its number since the chain began. Events follow from the blocks and are not part of the
//! state; only the next cursor is.

use borsh::{BorshDeserialize, BorshSerialize};

use crate::{bank, dealer, governance, staking, tables};

/// Something that happened.
#[derive(BorshSerialize, BorshDeserialize, Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// To coins.
    Bank(bank::Event),
    /// To validators.
    Staking(staking::Event),
    /// In a vote.
    Governance(governance::Event),
    /// At a table.
    Tables(tables::Event),
    /// In dealing.
    Dealer(dealer::Event),
}

/// The events of a block, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Events {
    /// The cursor of the first.
    pub first: u64,
    /// What happened.
    pub list: Vec<Event>,
}

impl Events {
    /// Every event with its cursor.
    pub fn numbered(&self) -> impl Iterator<Item = (u64, &Event)> {
        (self.first..).zip(&self.list)
    }
}

macro_rules! events {
    ($($module:ident => $variant:ident),*) => {$(
        impl From<$module::Event> for Event {
            fn from(event: $module::Event) -> Self {
                Self::$variant(event)
            }
        }
    )*};
}
events!(bank => Bank, staking => Staking, governance => Governance, tables => Tables, dealer => Dealer);
