//! Balances, transfers and fees.

mod data;
mod event;
mod execute;
mod gas;
mod keys;
mod params;
#[cfg(test)]
mod tests;

pub use data::Account;
pub use event::Event;
pub use execute::{Refused, Tx, balance, begin, burn, credit, debit, execute, held, take_fee};
pub use gas::{Room, gas};
pub use keys::{AccountOf, Burned};
pub use params::Params;

use crate::units::Address;

/// The account that fines and a part of the fees go to. Nobody has its key; governance spends it.
pub const TREASURY: Address = Address([0; 32]);
