//! Ways to fill a table's orders, all behind one trait.
//!
//! Rules say what they wait for; a [`Dealer`] shuffles, deals and opens. So far there is one:
//!
//! - [`local`](Local): this process shuffles and knows every card. For simulation, computers and one
//!   screen.
//!
//! [`play_deal`] is the loop that brings a table, a dealer and players together. With the feature `laws`
//! there are also checks that every game is run through.

mod dealer;
pub mod joint;
#[cfg(feature = "laws")]
pub mod laws;
mod local;
mod play;

pub use dealer::{Dealer, DealerError, Filling};
pub use local::Local;
pub use play::{Halt, Log, Players, Recording, admit, play_deal};
