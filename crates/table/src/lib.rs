//! Runs any card game, without ever touching a deck.
//!
//! A game implements [`Rules`] for one deal and [`Series`] for a match; [`Table`] runs it. Shuffling, and who
//! sees which card, is up to a dealer in another crate. Here cards are [`Slot`]s, and [`Faces`] hold what a
//! seat or the table knows about them.
//!
//! ```text
//! player -> action -> Table -> Awaiting -> dealer fills the orders -> faces -> view -> player
//! ```
//!
//! # Layout
//!
//! - [`rules`](Rules): the trait a game implements, and the words it speaks. Start here.
//! - [`table`](Table): one deal, run for everybody alike; claims, audit, state hash. [`refused`](Refused) says why it
//!   does not take an input, `tally` which cards can still come.
//! - [`game`](Game): a game as a whole, and [`Series`], its matches.
//! - [`match`](Match): a match being played.
//! - [`record`]: one file format for everything that was played.
//! - [`settings`](Settings): the settings of a match.
//! - [`seat`](Seat), [`slot`](Slot), [`faces`](Faces), [`chips`](Chips), [`outcome`](Outcome),
//!   [`draw`](Draw): the small words; [`sorted`](Map): a map of few entries.

mod breaks;
mod chips;
mod draw;
mod faces;
mod game;
mod outcome;
pub mod record;
mod refused;
mod rules;
mod running;
mod seat;
mod settings;
mod slot;
mod sorted;
mod table;
mod tally;

pub use breaks::Breaks;
pub use chips::Chips;
pub use draw::Draw;
pub use faces::{Eye, Faces, Known, Look};
pub use game::{Counting, Game, Series, blamed};
pub use outcome::{Outcome, Standing, TieBreak};
pub use refused::Refused;
pub use rules::{Awaiting, Breakdown, Claim, Input, Leaving, Move, Moves, NoChoice, NoClaim, Order, Rules};
pub use running::Match;
pub use seat::{MAX_SEATS, PerSeat, Seat, Seats};
pub use settings::{BadSetting, Described, OnLeave, Range, SetError, Settings, Value, present};
pub use slot::{ParseSlotError, Run, Slot, Source};
pub use sorted::Map;
pub use table::{Height, Table};
