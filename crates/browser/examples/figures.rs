//! How long the calls take in which a deck of 52 cards is shuffled and proven, or checked: two seats play Hold'em, natively.
//! `tests/browser/module.test.mjs` measures the same calls of the module.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "figures for people")]

#[path = "../tests/room/mod.rs"]
mod room;

use std::time::Duration;

use room::Room;
use serde_json::json;

/// A frame with a shuffle in it is longer than this, and no other is.
const SHUFFLE: usize = 8_000;

fn main() {
    let mut room = Room::new(1);
    room.come("Ada", Some(json!({ "game": "holdem", "settings": [["hand_limit", "10"]], "seats": 2 })));
    room.come("Bob", None);
    room.begin();
    room.play();
    let calls = || room.pages.iter().flat_map(|page| &page.took);
    let shuffled = calls().filter(|(_, came, sent)| *came < SHUFFLE && *sent >= SHUFFLE);
    let checked = calls().filter(|(_, came, sent)| *came >= SHUFFLE && *sent < SHUFFLE);
    println!("shuffle and prove {:?}", median(shuffled.map(|(took, ..)| *took).collect()));
    println!("check {:?}", median(checked.map(|(took, ..)| *took).collect()));
}

fn median(mut all: Vec<Duration>) -> Option<Duration> {
    all.sort();
    all.get(all.len() / 2).copied()
}
