//! `fairdeal chain`: a wallet and a seat at the tables of a poker chain, through nodes that are not trusted.
//!
//! - `files`: what is kept: the wallet's key, a key for the cards of every seat, and what is trusted of every chain.
//! - `contact`: the chain that a node belongs to, known or new.
//! - `wallet`, `lobby`, `seat`, `hand`: the commands.
//! - `desk`: a thread that follows a table and says what a player wants; `auto`: a computer that plays there.
//! - `screen`: a table on the screens of `fairdeal play`.
//!
//! Whatever a node says is proven ([`remote`]); cards are opened here and nowhere else ([`chain::client`](::chain::client)).

mod auto;
mod contact;
mod desk;
mod files;
mod hand;
mod lobby;
mod screen;
mod seat;
#[cfg(test)]
mod tests;
mod wallet;

use std::io::Write;

use crate::Done;
use crate::cli::{ChainArgs, ChainCommand};
use crate::failure::Failure;

/// Runs the command.
pub(crate) fn run(args: ChainArgs, out: &mut impl Write) -> Result<Done, Failure> {
    match args.command {
        ChainCommand::Sim(args) => lab::chain::run(&args, out)?,
        ChainCommand::Wallet(args) => wallet::run(args, out)?,
        ChainCommand::Tables(args) => lobby::run(&args, out)?,
        ChainCommand::Sit(args) => seat::sit(&args, out)?,
        ChainCommand::Play(args) => seat::play(&args, out)?,
        ChainCommand::Watch(args) => seat::watch(&args, out)?,
        ChainCommand::Leave(args) => seat::leave(&args, out)?,
        ChainCommand::Verify(args) => return hand::verify(&args, out),
    }
    Ok(Done::Well)
}
