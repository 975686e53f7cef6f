//! `fairdeal verify`: the evidence in records, checked by somebody who trusts nobody.
//!
//! - `record`: one record after the other is played again while the auditor of its dealer looks on.
//! - `private`: the log of a private match.
//! - `chain`: a hand exported from a poker chain.
//! - `page`: the scripts and the modules of a server's pages; `loaded`: what one page loads; `tags`: its tags.
//! - [`report`](Report): what came of it, in plain words or as JSON.
//!
//! Which auditor is asked follows from the `dealer` of the record's header. With `--kept` the records of a house are
//! also compared with what a player kept at the table.

pub(crate) mod chain;
mod loaded;
mod page;
mod private;
mod record;
mod report;
mod tags;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use dealers::house::Kept;

use crate::Done;
use crate::cli::VerifyArgs;
use crate::failure::{Failure, in_words};
use crate::logfile::{Kind, glance};
use crate::replay::FileError;
use private::ResultFile;

pub use record::verify;
pub use report::{Checked, Flawed, Report};

/// Runs the command.
pub(crate) fn run(args: &VerifyArgs, out: &mut impl Write) -> Result<Done, Failure> {
    if let Some(url) = &args.page {
        return page::run(url, out);
    }
    let mut beside = Beside {
        kept: args.kept.as_deref().map(read_kept).transpose()?,
        results: args.results.iter().map(|path| ResultFile::read(path)).collect::<Result<_, _>>()?,
        earlier: Vec::new(),
    };
    let mut report = Report::new(args.json, out);
    for path in &args.files {
        verify_file(path, &mut beside, &mut report)?;
    }
    for unused in beside.results.iter().filter(|file| !file.used) {
        report.unused(&unused.path.display().to_string(), unused.result.body().facts().id)?;
    }
    report.finish()
}

/// What records are compared with.
struct Beside {
    /// What a player kept at the table of a house.
    kept: Option<Vec<Kept>>,
    /// Results of private matches.
    results: Vec<ResultFile>,
    /// The logs of private matches so far.
    earlier: Vec<private::Earlier>,
}

/// What a player kept.
fn read_kept(path: &Path) -> Result<Vec<Kept>, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::file(path, "open", &error))?;
    Kept::read(&text).map_err(|why| Failure::input(format_args!("{}: {why}", path.display())))
}

fn verify_file(path: &Path, beside: &mut Beside, report: &mut Report<impl Write>) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        report.begin_file("standard input");
        return verify_stream(io::stdin().lock(), None, beside, report);
    }
    report.begin_file(&path.display().to_string());
    let opened = File::open(path).and_then(|file| match file.metadata()? {
        about if about.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        about => Ok((file, about.len())),
    });
    match opened {
        Ok((file, bytes)) => verify_stream(BufReader::with_capacity(1 << 16, file), Some(bytes), beside, report),
        Err(error) => report.file_error(&FileError::new(0, format!("cannot open: {}", in_words(&error)))),
    }
}

/// Checks a stream, which has this many bytes if that is known.
fn verify_stream(
    input: impl BufRead,
    bytes: Option<u64>,
    beside: &mut Beside,
    report: &mut Report<impl Write>,
) -> Result<(), Failure> {
    match glance(input) {
        Ok((Kind::Private | Kind::Chain, _)) if beside.kept.is_some() => {
            let why = "--kept works only with records of a house";
            report.file_error(&FileError::new(1, why))?;
            report.end_file()
        }
        Ok((Kind::Chain, input)) => chain::verify(input, report),
        Ok((Kind::Private, input)) => private::verify(input, bytes, beside, report),
        Ok((Kind::Record, input)) => verify(input, beside.kept.as_deref(), report),
        Err(error) => {
            report.file_error(&FileError::new(0, format!("cannot read: {}", in_words(&error))))?;
            report.end_file()
        }
    }
}
