//! The laws of the store, each over SQLite and over PostgreSQL, and what each of the two promises beside.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "../common/mod.rs"]
mod common;

mod ground;
mod laws;
mod over_postgres;
mod over_sqlite;
mod people;
mod speed;
