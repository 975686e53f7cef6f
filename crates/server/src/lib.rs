//! The web lobby and tables, with storage.
//!
//! # Layout
//!
//! - [`room`]: a table as a pure state machine over its log. Start here.
//! - [`page`]: what a table looks like; a folder for every game.
//! - [`hub`]: the tables in use, and what is due at them.
//! - [`store`]: where logs are kept.
//! - [`web`]: pages and sockets.
//! - [`lang`]: English and German.
//! - [`operate`]: what operators do beside a running server.
//! - `config`: what a server is started with.
//! - `laws`: what holds whatever comes from outside; for fuzzing, with the feature of that name.
//! - [`ids`], [`clock`], [`metrics`]: names, time, counts.

pub mod clock;
mod config;
pub mod hub;
pub mod ids;
pub mod lang;
#[cfg(any(test, feature = "laws"))]
pub mod laws;
pub mod metrics;
pub mod operate;
pub mod page;
pub mod room;
pub mod store;
pub mod web;

pub use config::{Config, Server};
