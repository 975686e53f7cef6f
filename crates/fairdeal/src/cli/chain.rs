//! The commands for poker chains.

use clap::{Args, Subcommand};
use lab::chain::ChainSimArgs;

/// `fairdeal chain`
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  fairdeal chain sim --validators 7 --liars 2=wrong-proof --seed 1")]
pub struct ChainArgs {
    /// What to do
    #[command(subcommand)]
    pub command: ChainCommand,
}

/// What to do with a chain.
#[derive(Subcommand, Debug)]
pub enum ChainCommand {
    /// Simulate a whole chain with validators and players, liars among them, and report what happened
    Sim(ChainSimArgs),
}
