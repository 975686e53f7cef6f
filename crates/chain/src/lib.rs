//! The poker chain as a pure state machine: funds, betting and settlement on a chain whose validators deal encrypted
//! cards.
//!
//! [`State::execute`] takes a block and gives the next state. There is no clock but the block's, no randomness and no
//! I/O, so every replica that executes the same blocks has the same state and the same root.
//!
//! # Layout
//!
//! - [`store`]: ordered keys and values, with a root and proofs of single entries
//! - [`tx`]: transactions, who signed them, and what they cost
//! - [`block`]: headers and blocks
//! - [`execute`]: what a block does
//! - [`bank`]: balances, transfers, fees, and room in blocks
//! - [`staking`]: validators, their stake, and what they lose
//! - [`governance`]: votes on parameters and upgrades
//! - [`tables`]: ring games of Hold'em
//! - [`dealer`]: epochs, committees, keys and decks
//! - [`client`]: a player's half
//! - [`light`]: what proves to somebody without the state that a block was decided
//! - [`supply()`]: all coins, wherever they are
//!
//! Each module has the same files: `data` (what it keeps), `params`, `keys` (its spaces of the store), `execute` (its
//! transactions), `event`, and `tests`.

pub mod bank;
pub mod block;
pub mod client;
pub mod dealer;
pub mod event;
pub mod execute;
pub mod export;
pub mod genesis;
pub mod governance;
#[cfg(feature = "laws")]
pub mod laws;
pub mod light;
pub mod params;
pub mod staking;
pub mod store;
mod supply;
pub mod tables;
#[cfg(any(test, feature = "laws"))]
pub mod testing;
#[cfg(test)]
mod tests;
pub mod tx;
mod units;
mod wired;

pub use block::{Block, Header};
pub use event::{Event, Events};
pub use execute::{BadBlock, Cx, Executed, Now, Receipt, Refused, State, Tip};
pub use export::Export;
pub use genesis::{BadGenesis, FirstValidator, Genesis};
pub use params::{OutOfRange, Params};
pub use supply::supply;
pub use tx::{Body, Signed, Tx};
pub use units::{Address, Coins, Hash, NotAnAddress, hash, hex, unhex};
pub use wired::Wired;
