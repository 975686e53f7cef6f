//! `fairdeal play`: a match in the terminal, with computers, programs, or people around one screen.
//!
//! - `seating`: who sits where.
//! - `saved`: matches on disk.
//! - `terminal`: the terminal, taken and given back; `suspend`: Ctrl-Z.
//! - `look`, `page`, `windows`, `drawing`: how a screen is drawn.
//! - `trying`: moves tried before they are made, and why not, for people.
//! - `screen`: what a game adds to it; `holdem`, `blackjack`, …: the six games.
//! - `story`: what the screen tells; `chronicle`: the record as well.
//! - `sitting`, `asking`: the seats, and how a person is asked.
//! - `ending`: how deals and matches end; `leaving`: whether somebody is sure.
//! - `evening`: matches from their first deal to their last.
//!
//! A match follows from one seed and from what people do. It is written down input by input; going on after an
//! interruption is playing it again from its record, with the same seed, up to its last line.

pub mod asking;
pub mod chronicle;
pub mod drawing;
pub mod ending;
pub mod evening;
mod leaving;
pub mod look;
pub mod menu;
pub mod page;
pub mod saved;
pub mod screen;
pub mod seating;
pub mod sitting;
pub mod story;
mod suspend;
pub mod terminal;
#[cfg(test)]
pub(crate) mod testing;
mod trying;
pub mod windows;

pub mod bigc;
pub mod blackjack;
pub mod blackout;
pub mod holdem;
pub mod ongdu;
pub mod romme;

use std::io::{IsTerminal as _, Write};

use sha2::{Digest, Sha256};

use crate::cli::PlayArgs;
use crate::failure::Failure;
use crate::locale;
use saved::Store;

/// Runs the command.
pub(crate) fn run(args: &PlayArgs, out: &mut impl Write) -> Result<(), Failure> {
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        return Err(Failure::input(
            "play needs a terminal; for a browser, run fairdeal serve; for computers among themselves, fairdeal sim",
        ));
    }
    if let Some(why) = locale::no_screens() {
        return Err(Failure::input(why));
    }
    let store = Store::new(args.data.as_deref())?;
    evening::run(args, &store, out)
}

/// A seed for one purpose, from another.
fn derived(seed: &[u8; 32], purpose: &str) -> [u8; 32] {
    Sha256::new().chain_update("fairdeal/play/v1").chain_update(seed).chain_update(purpose).finalize().into()
}
