//! The commands for the logs of private matches.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// `fairdeal peer`
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  fairdeal peer log log.jsonl")]
pub struct PeerArgs {
    /// What to do
    #[command(subcommand)]
    pub command: PeerCommand,
}

/// What to do with a log.
#[derive(Subcommand, Debug)]
pub enum PeerCommand {
    /// Print the log of a private match so that a person can read it
    Log(LogArgs),
}

/// `fairdeal peer log`
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fairdeal peer log log.jsonl
  fairdeal peer log --all log.jsonl | less
  fairdeal peer log --only ACTION log.jsonl
  fairdeal peer log --json - < log.jsonl

Each line has the number of the entry, the hub's clock (UTC), the player's callsign and what they said, in the
messages of the Geogram card games. Lines by `table` are not in the log: they follow from it. Cards that everybody
has seen are shown, others by deck and place (0.12). What had no effect, and what was wrong, says so after #.

Dealing takes many messages, so by default there is one line when everybody has done their part; --all prints
every message, and who has seen which move (ACK).

The exit code is 1 if the log is damaged, and 2 if the file cannot be read.")]
pub struct LogArgs {
    /// The log; `-` reads it from standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Print every message
    #[arg(long)]
    pub all: bool,
    /// Print only messages that begin with this word, such as ACTION; can be repeated
    #[arg(long, value_name = "WORD")]
    pub only: Vec<String>,
    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,
}
