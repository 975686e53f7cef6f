//! The module for private tables of Blackout.

#![cfg(target_family = "wasm")]

#[path = "../src/exports.rs"]
mod exports;

type Module = browser::Built<games::types::Blackout>;
