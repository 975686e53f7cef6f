//! Computers play by themselves, as fast as they can: simulation, contests of bots, measurements.
//!
//! # Layout
//!
//! - [`sim`]: many deals or matches among computers, on several threads.
//! - [`arena`]: which of two computers plays better, and how sure that is.
//! - [`bench`]: how fast this machine ranks and deals.
//! - [`external`]: bots of somebody else.
//! - [`computers`]: seats that computers play.
//! - [`args`]: what the three commands are told.
//!
//! What every command of the program has in common is here, too:
//!
//! - [`failure`]: how a command ends when it does not end well.
//! - [`interrupt`]: Ctrl-C.
//! - [`lines`]: text read line by line, with a limit.
//! - [`new_file`]: files that are complete or not there.
//! - `ordered`: work divided among threads.
//! - `text`: numbers as people read them.
//!
//! Nearly all time of a simulation is spent in code that is generic over the game and that the compiler therefore
//! puts into this crate. It is small, and compiled for speed; the large crates beside it are compiled for a short
//! build.

pub mod arena;
pub mod args;
pub mod bench;
pub mod computers;
pub mod external;
pub mod failure;
pub mod interrupt;
pub mod lines;
pub mod new_file;
pub mod sim;

mod ordered;
mod text;
