//! Computers play among themselves: simulation, contests of bots, benchmarks.
//!
//! # Layout
//!
//! - [`sim`]: many deals or matches among computers, on several threads.
//! - [`arena`]: which of two computers plays better, and how sure that is.
//! - [`chain`]: a whole poker chain, with validators and players, liars among them.
//! - [`mod@bench`]: how fast this machine ranks and deals.
//! - [`external`]: bots that are programs of their own.
//! - [`computers`]: seats that computers play.
//! - [`args`]: the options of `sim`, `arena` and `bench`.
//!
//! What all commands of the program share is here, too:
//!
//! - [`failure`]: how a command ends when it does not end well.
//! - [`interrupt`]: Ctrl-C during long work.
//! - [`lines`]: text read line by line, with a limit.
//! - [`new_file`]: files that are complete or not there.
//! - `ordered`: work divided among threads.
//! - [`text`]: numbers as people read them.
//!
//! A simulation spends its time in code that is generic over the game, and generic code is compiled in the crate that
//! uses it. This crate is small and compiled for speed; `server` and `fairdeal` are large and compiled for a short
//! build. So nothing here that takes long may be generic for its caller: the commands write to a `dyn Write`.

pub mod arena;
pub mod args;
pub mod bench;
pub mod chain;
pub mod computers;
pub mod external;
pub mod failure;
pub mod interrupt;
pub mod lines;
pub mod new_file;
pub mod sim;
pub mod text;

mod ordered;
