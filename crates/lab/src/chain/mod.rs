//! `fairdeal chain sim`: a whole poker chain in one process, with validators and players, liars among them.
//!
//! - [`args`]: the options, checked.
//! - `run`: block after block, until enough hands have ended.
//! - `report`: what is written.
//!
//! The chain itself, and what must hold after every block, is [`::chain::laws::World`].

pub mod args;
mod report;
mod run;

pub use args::ChainSimArgs;
pub use run::run;
