//! The module for private tables of Rommé.

#![cfg(target_family = "wasm")]

#[path = "../src/exports.rs"]
mod exports;

type Module = browser::Built<games::types::Romme>;
