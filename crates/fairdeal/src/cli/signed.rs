//! The commands for keys, results and stations.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use games::AnyGame;

use super::game;
use crate::collection::Place;

/// Where keys and results are kept.
#[derive(Args, Debug, Default, Clone)]
pub struct DataArgs {
    /// Where keys and results are kept [default: the user's data folder]
    #[arg(long, value_name = "DIR", env = "FAIRDEAL_DATA", global = true)]
    pub data: Option<PathBuf>,
}

/// `fairdeal key`
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fairdeal key new
  fairdeal key show
  fairdeal key import < nsec.txt
  fairdeal key import backup.txt
  fairdeal key export --secret > backup.txt
  fairdeal key export --secret --format nsec --output nsec.txt

Your key is your name: results are signed with it, and NOSTR programs know it, too. It is a file in the data folder that
only you can read. Passphrases are asked for; without a terminal they are read from standard input, or from the file
given with --passphrase-file, never from the command line.")]
pub struct KeyArgs {
    /// What to do
    #[command(subcommand)]
    pub command: KeyCommand,
    /// Where everything is kept.
    #[command(flatten)]
    pub data: DataArgs,
    /// Print JSON
    #[arg(long, global = true)]
    pub json: bool,
}

/// What to do with the key.
#[derive(Subcommand, Debug)]
pub enum KeyCommand {
    /// Make a key, if there is none yet
    #[command(after_help = "Example:\n  fairdeal key new")]
    New,
    /// Show the public key and the callsign
    #[command(after_help = "Examples:\n  fairdeal key show\n  fairdeal key show --json")]
    Show,
    /// Take over a key that you have: nsec1…, ncryptsec1… (with a passphrase) or 64 hexadecimal digits
    #[command(after_help = "Examples:\n  fairdeal key import\n  fairdeal key import backup.txt")]
    Import {
        /// The file with the key [default: ask for it, or read standard input]
        file: Option<PathBuf>,
        /// A file whose first line is the passphrase
        #[arg(long, value_name = "FILE")]
        passphrase_file: Option<PathBuf>,
    },
    /// Print the secret key, for a backup or another program
    #[command(
        after_help = "Examples:\n  fairdeal key export --secret > backup.txt\n  fairdeal key export --secret --format nsec --output nsec.txt"
    )]
    Export {
        /// Yes, the secret: with it anybody can sign in your name
        #[arg(long)]
        secret: bool,
        /// In which form
        #[arg(long, value_enum, default_value = "ncryptsec")]
        format: KeyFormat,
        /// A file whose first line is the passphrase
        #[arg(long, value_name = "FILE")]
        passphrase_file: Option<PathBuf>,
        /// Write it to a new file that only you can read
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
}

/// The form of a secret key.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyFormat {
    /// Protected by a passphrase (NIP-49)
    Ncryptsec,
    /// As NOSTR programs show it
    Nsec,
    /// 64 hexadecimal digits
    Hex,
}

/// `fairdeal results`
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fairdeal results list
  fairdeal results show 0f8fad5b
  fairdeal results verify
  fairdeal results verify result.txt leaderboard.txt
  fairdeal results import *.txt
  fairdeal results export 0f8fad5b --card-game --output game.txt
  fairdeal results publish wss://relay.example.org

A result is complete when all players have signed it. docs/results.md describes the files and says what they prove.

The exit code is 1 if something that was checked is not so, and 2 if a file cannot be read.")]
pub struct ResultsArgs {
    /// What to do
    #[command(subcommand)]
    pub command: ResultsCommand,
    /// Where everything is kept.
    #[command(flatten)]
    pub data: DataArgs,
    /// Print one JSON object per result
    #[arg(long, global = true)]
    pub json: bool,
}

/// What to do with results.
#[derive(Subcommand, Debug)]
pub enum ResultsCommand {
    /// List the results kept here, the latest first
    #[command(after_help = "Examples:\n  fairdeal results list\n  fairdeal results list --game holdem")]
    List {
        /// Only of this game
        #[arg(long, value_parser = game())]
        game: Option<AnyGame>,
    },
    /// Show who played a match, how it ended, and who signed that
    #[command(after_help = "Example:\n  fairdeal results show 0f8fad5b")]
    Show {
        /// Its id, or how it begins
        id: String,
    },
    /// Check signatures, places, chips, seeds and contradictions
    #[command(
        after_help = "Examples:\n  fairdeal results verify\n  fairdeal results verify result.txt leaderboard.txt"
    )]
    Verify {
        /// Ids of results kept here, or files with results, sessions or leaderboards [default: all that is kept here]
        #[arg(value_name = "ID|FILE")]
        what: Vec<PathBuf>,
    },
    /// Keep results, sessions or logs of private matches from files, if they are as they should be
    #[command(after_help = "Examples:\n  fairdeal results import *.txt\n  fairdeal results import log.jsonl")]
    Import {
        /// The files; `-` reads one from standard input
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Send results that you signed to a NOSTR relay, or to a station
    #[command(after_help = "Examples:
  fairdeal results publish wss://relay.example.org
  fairdeal results publish https://station.example.org 0f8fad5b

What is there already is not sent again, so it does no harm to repeat this. Everybody can see what is published: who
played, when, and how it ended.")]
    Publish {
        /// A relay (wss://… or ws://…), or the address of a station (https://… or http://…)
        #[arg(value_name = "URL")]
        to: Place,
        /// Ids, or how they begin [default: all results that you signed]
        #[arg(value_name = "ID")]
        ids: Vec<String>,
    },
    /// Print a result as a file
    #[command(
        after_help = "Examples:\n  fairdeal results export 0f8fad5b\n  fairdeal results export 0f8fad5b --card-game --output game.txt"
    )]
    Export {
        /// Its id, or how it begins
        id: String,
        /// In the form for exchange (CARD_GAME), signed with your key if you played
        #[arg(long)]
        card_game: bool,
        /// Write it to this file
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Overwrite the output file
        #[arg(long)]
        force: bool,
    },
}

/// `fairdeal station`
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  fairdeal station init
  fairdeal results import *.txt && fairdeal station leaderboard
  fairdeal station leaderboard holdem --json
  fairdeal station sync wss://relay.example.org
  fairdeal station sync /media/stick
  fairdeal serve --station

A station counts the results that it keeps: a sole first place is a win, a lower place a loss. Only complete results
count, and each match counts once. The leaderboards are signed with the station's own key.")]
pub struct StationArgs {
    /// What to do
    #[command(subcommand)]
    pub command: StationCommand,
    /// Where everything is kept.
    #[command(flatten)]
    pub data: DataArgs,
    /// Print JSON
    #[arg(long, global = true)]
    pub json: bool,
}

/// What a station does.
#[derive(Subcommand, Debug)]
pub enum StationCommand {
    /// Make a key for the station, if there is none yet
    #[command(after_help = "Example:\n  fairdeal station init")]
    Init,
    /// Check all results, and write and print the leaderboards
    #[command(after_help = "Examples:\n  fairdeal station leaderboard\n  fairdeal station leaderboard holdem --json")]
    Leaderboard {
        /// Only of this game
        #[arg(value_parser = game())]
        game: Option<AnyGame>,
    },
    /// Exchange results with a folder or a NOSTR relay, and publish the leaderboards there
    #[command(after_help = "Examples:
  fairdeal station sync /media/stick
  fairdeal station sync wss://relay.example.org
  fairdeal station sync wss://relay.example.org --all

Both sides have all results afterwards. Whatever comes is checked first: nothing counts without the signatures of all
players, and nothing counts twice. Repeat it whenever there is a network, or a stick; after an interruption it goes on
where it was.")]
    Sync {
        /// A folder, or a relay (wss://… or ws://…)
        #[arg(value_name = "FOLDER|RELAY")]
        with: String,
        /// Ask the relay for everything, not only for what is new since the last time
        #[arg(long)]
        all: bool,
    },
}
