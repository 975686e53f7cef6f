//! Agreement on blocks: the chain on top of [Malachite](https://github.com/circlefin/malachite), a Tendermint engine.
//!
//! The engine decides which block comes next and finds other nodes; it knows nothing of cards or coins. Whoever runs a
//! chain implements [`App`] with the types of [`chain`] and calls [`start`]. Nothing of the engine's own types leaves
//! this crate, and everything generic in the engine is compiled here, once.
//!
//! # Layout
//!
//! - [`app`]: what the engine asks of a node
//! - `context`: heights, votes, proposals and validators, as the engine wants them
//! - `signing`: what validators sign
//! - `codec`: messages as bytes
//! - `run`: starts the engine and answers it
//!
//! # What travels how
//!
//! A proposal and all votes name a block by its hash. The block itself travels beside them, as one [`Part`] that its
//! proposer has signed together with height and round.

pub mod app;
mod codec;
mod context;
mod evidence;
mod peers;
mod run;
mod signing;

pub use app::{App, Part, Turn};
pub use peers::{BadPeer, Peer};
pub use run::{Handle, Settings, start};
