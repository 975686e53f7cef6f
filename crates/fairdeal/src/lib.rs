//! The command-line program: games, simulation, replay, ranking and measuring.
//!
//! # Layout
//!
//! - [`cli`]: the commands and their options, as clap sees them.
//! - `options`: what a server is told on the command line, in variables and in a file.
//! - `operate`: what operators do beside a running server.
//! - `serve`: the lobby and the tables in browsers.
//! - `listing`: the games and their settings.
//! - [`play`]: a match in the terminal.
//! - [`replay`]: what was played before, played again and compared.
//! - [`verify`]: the evidence in records, checked.
//! - `keyring`: somebody's key; `passphrase`: secrets that are typed.
//! - `collection`: signed results, kept, checked and exchanged.
//! - `station`: leaderboards, and the exchange of results.
//! - `relay`: NOSTR relays.
//! - `durable`: files that survive a power failure.
//! - [`peer`]: private tables over a network; `logfile`: their logs as files; `peerlog`: such a log in words.
//! - `chain`: a wallet and a seat at the tables of a poker chain.
//! - [`convert`]: hands from one kind of file to another.
//! - `text`: texts as wide as the terminal.
//! - `locale`: which letters a terminal has.
//! - `records`: the records of a file, one after the other.
//! - [`rank`]: how good a hand of cards is.
//!
//! Simulation, contests of bots and measurements are in [`lab`], with what all commands share.
//!
//! Every command is generic over the games through [`games::with_game!`]: a game that joins the list
//! there joins every command here.

pub mod cli;
pub mod convert;
pub mod peer;
pub mod play;
pub mod rank;
pub mod replay;
pub mod verify;

mod chain;
mod collection;
mod durable;
mod keyring;
mod listing;
mod locale;
mod logfile;
mod operate;
mod options;
mod passphrase;
mod peerlog;
mod records;
mod relay;
mod serve;
mod station;
mod text;

use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use cli::{Cli, Command};
use failure::Failure;
// Modules here name what the commands share as if it were here.
use lab::{arena, bench, computers, external, failure, interrupt, lines, new_file, sim};

/// Runs the program with these arguments, the first being its name.
///
/// Not generic, so that the commands are compiled here, beside the other crates, and not in the binary, after them.
pub fn run(args: Vec<OsString>) -> ExitCode {
    let mut out = BufWriter::new(io::stdout().lock());
    let done = match Cli::read(args) {
        Ok(cli) => dispatch(cli, &mut out),
        // Help and version come as errors, too; those are what was asked for.
        Err(text) if !text.use_stderr() => text.print().map(|()| Done::Well).map_err(Failure::from),
        Err(error) => Err(Failure::usage(&error)),
    };
    let done = done.and_then(|done| Ok(out.flush().map(|()| done)?));
    match done {
        Ok(Done::Well) => ExitCode::SUCCESS,
        Ok(Done::CheckFailed) => ExitCode::from(failure::CHECK),
        Ok(Done::BadInput) => ExitCode::from(failure::INPUT),
        Err(failure) => failure.report(),
    }
}

/// How a command ended that has said everything there is to say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Done {
    /// As it should.
    Well,
    /// Something that was checked is not so.
    CheckFailed,
    /// Some of the input could not be read.
    BadInput,
}

fn dispatch(cli: Cli, out: &mut impl Write) -> Result<Done, Failure> {
    match cli.command {
        // Parsed again, so that variables count as they do with the command.
        None => match Cli::read(["fairdeal", "serve"].map(OsString::from)) {
            Ok(Cli { command: Some(Command::Serve(args)) }) => serve::run(args, out)?,
            Ok(_) => {}
            Err(error) => return Err(Failure::usage(&error)),
        },
        Some(Command::Database(args)) => operate::database(args, out)?,
        Some(Command::Table(args)) => operate::run(args, out)?,
        Some(Command::Serve(args)) => serve::run(args, out)?,
        Some(Command::Games(args)) => listing::run(&args, out)?,
        Some(Command::Play(args)) => play::run(&args, out)?,
        Some(Command::Host(args)) => peer::host(args, out)?,
        Some(Command::Join(args)) => peer::join(args, out)?,
        Some(Command::Sim(args)) => sim::run(&args, out)?,
        Some(Command::Arena(args)) => arena::run(&args, out)?,
        Some(Command::Replay(args)) => return replay::run(&args, out),
        Some(Command::Verify(args)) => return verify::run(&args, out),
        Some(Command::Peer(args)) => return peerlog::run(&args, out),
        Some(Command::Key(args)) => keyring::run(args, out)?,
        Some(Command::Results(args)) => return collection::run(args, out),
        Some(Command::Station(args)) => return station::run(args, out),
        Some(Command::Chain(args)) => return chain::run(args, out),
        Some(Command::Convert(args)) => convert::run(&args)?,
        Some(Command::Rank(args)) => return rank::run(&args, out),
        Some(Command::Bench(args)) => bench::run(&args, out)?,
        Some(Command::Completions { shell }) => {
            // Into memory first: the generator panics where a pipe is closed.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut cli::command(), "fairdeal", &mut script);
            out.write_all(&script)?;
        }
    }
    Ok(Done::Well)
}
