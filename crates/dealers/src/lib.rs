//! Ways to fill a table's orders, all behind one trait.
//!
//! Rules say what they wait for; a [`Dealer`] shuffles, deals and opens. There are four kinds:
//!
//! - [`local`](Local): this process shuffles and knows every card. For simulation, computers and one
//!   screen.
//! - [`house`](House): a server shuffles with seeds from all players and knows every card. It leaves
//!   evidence that it could not choose them, nor change one.
//! - [peers and committee](joint): several who do not trust each other shuffle in turn, each proving it, and nobody
//!   knows a card but its owner. One engine for both: among peers the players hold the key, in a committee others.
//!
//! An [`Auditor`] checks the evidence in a record, knowing nothing else; a [`Checker`] plays the record to it.
//!
//! [`play_deal`] is the loop that brings a table, a dealer and players together. With the feature `laws`
//! there are also checks that every game is run through.

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

pub use audit::{Auditor, Finding, Invalid, Superfluous, Unproven};
pub use check::{Checker, Wrong, named_in};
pub use dealer::{Dealer, DealerError, Filling};
pub use house::House;
pub use local::Local;
pub use numbered::{Damage, Numbers, Pen};
pub use play::{Halt, Log, Players, Recording, admit, play_deal};
