//! The laws of the store, each over SQLite and over PostgreSQL, and what each of the two promises in addition.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by a panic")]
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "tests read files, and measurements print")]

#[path = "../common/mod.rs"]
mod common;

mod ground;
mod laws;
mod over_postgres;
mod over_sqlite;
mod over_tls;
mod people;
mod private;
mod upkeep;
