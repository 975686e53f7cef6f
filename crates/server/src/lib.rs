//! The web lobby and tables, with storage.
//!
//! # Layout
//!
//! - [`room`]: a table as a pure state machine over its log. Start here.
//! - [`page`]: what a table looks like; a folder for every game.
//! - [`lang`]: English and German.
//! - [`ids`]: names of what is stored.

pub mod ids;
pub mod lang;
pub mod page;
pub mod room;
