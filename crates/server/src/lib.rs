//! The web lobby and tables, with storage.
//!
//! # Layout
//!
//! - [`room`]: a table as a pure state machine over its log, a crate of its own. Start there.
//! - [`sight`]: a room as people see it, drawn by [`page`]; in the same crate.
//! - [`hub`]: the tables in use, and the events that are due at them.
//! - [`private`]: private tables, whose entries the server cannot read.
//! - `chain`: the tables of a poker chain, for the lobby.
//! - [`station`]: leaderboards, and results that people send.
//! - [`store`]: where logs are kept.
//! - [`web`]: pages and sockets.
//! - [`operate`]: operator commands that work next to a running server.
//! - `config`: the configuration of a server.
//! - `laws`: laws that hold for any input from outside; for fuzzing, behind the feature of that name.
//! - [`ids`], [`clock`], [`metrics`]: identifiers, time, counters.

mod chain;
pub mod clock;
mod config;
pub mod hub;
pub mod ids;
#[cfg(any(test, feature = "laws"))]
pub mod laws;
pub mod metrics;
pub mod operate;
pub mod private;
pub mod station;
pub mod store;
pub mod web;

pub use chain::Chain;
pub use config::{Config, Server};
pub use room::{self, sight};
