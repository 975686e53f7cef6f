//! `fairdeal replay`: what was played before, played again and compared.
//!
//! - [`report`](Report): what came of each hand, the same whatever it was read from.
//! - [`record`]: our own records, JSON Lines.
//! - [`phh`]: published hands of Hold'em.
//! - `trace`: every input with what it led to.
//!
//! A source reads a file from a stream, hands every hand to the report and says with a [`FileError`] if
//! the file is not what it should be. Which source reads a file follows from its name.

pub mod phh;
pub mod record;
mod report;
mod trace;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use crate::Done;
use crate::cli::ReplayArgs;
use crate::failure::{Failure, in_words};

pub use report::{FileError, Hand, Output, Report};

/// Runs the command.
pub(crate) fn run(args: &ReplayArgs, out: &mut impl Write) -> Result<Done, Failure> {
    let mut report = Report::new(Output { json: args.json, trace: args.trace }, out);
    for path in &args.files {
        replay_file(path, &mut report)?;
    }
    report.finish()
}

fn replay_file(path: &Path, report: &mut Report<impl Write>) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        report.begin_file("standard input");
        return replay(io::stdin().lock(), report);
    }
    report.begin_file(&path.display().to_string());
    let opened = File::open(path).and_then(|file| match file.metadata()?.is_dir() {
        true => Err(io::ErrorKind::IsADirectory.into()),
        false => Ok(file),
    });
    match opened {
        Ok(file) if phh::is_phh(path) => phh::replay(file, report),
        Ok(file) => replay(BufReader::with_capacity(1 << 16, file), report),
        Err(error) => report.file_error(&FileError::new(0, format!("cannot open: {}", in_words(&error)))),
    }
}

/// Replays a record from a stream whose file the report knows.
pub fn replay(input: impl BufRead, report: &mut Report<impl Write>) -> Result<(), Failure> {
    record::replay(input, report)
}
