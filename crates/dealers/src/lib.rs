//! Ways to fill a table's orders, all behind one trait.
//!
//! Rules say what they wait for; a [`Dealer`] shuffles, deals and opens. There are four kinds:
//!
//! - [`local`](Local): this process shuffles and knows every card. For simulation, computers and one
//!   screen.
//! - [`house`](House): a server shuffles with seeds from all players and knows every card. It leaves evidence
//!   that it could neither choose nor change them.
//! - [peers and committee](joint): parties that do not trust each other shuffle in turn, each with a proof, and
//!   only its owner knows a card. One engine serves both: peers hold the key themselves, a committee holds it for
//!   the players.
//!
//! An [`Auditor`] checks the evidence in a record and needs nothing else; a [`Checker`] replays the record for
//! it.
//!
//! [`play_deal`] is the loop that brings a table, a dealer and players together. The feature `laws` adds checks
//! that every game must pass.

mod audit;
mod check;
mod dealer;
pub mod house;
pub mod joint;
#[cfg(feature = "laws")]
pub mod laws;
mod local;
mod numbered;
mod play;

pub use audit::{Auditor, Code, Finding, Invalid, Superfluous, Unproven};
pub use check::{Checker, Wrong, named_in};
pub use dealer::{Dealer, DealerError, Filling};
pub use house::House;
pub use local::Local;
pub use numbered::{Damage, Numbers, Pen};
pub use play::{Halt, Log, Players, Recording, admit, play_deal};
