//! The module for private tables of Texas Hold'em.

#![cfg(target_family = "wasm")]

#[path = "../src/exports.rs"]
mod exports;

type Module = browser::Built<games::types::Holdem>;
