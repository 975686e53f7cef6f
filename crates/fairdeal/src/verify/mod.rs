//! `fairdeal verify`: the evidence in records, checked by somebody who trusts nobody.
//!
//! - `record`: one record after the other is played again while the auditor of its dealer looks on.
//! - [`report`](Report): what came of it, in plain words or as JSON.
//!
//! Which auditor is asked follows from the `dealer` of the record's header. With `--kept` the records of a house are
//! also compared with what a player kept at the table.

mod record;
mod report;

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;

use dealers::house::Kept;

use crate::Done;
use crate::cli::VerifyArgs;
use crate::failure::{Failure, in_words};
use crate::replay::FileError;

pub use record::verify;
pub use report::{Checked, Flawed, Report};

/// Runs the command.
pub(crate) fn run(args: &VerifyArgs, out: &mut impl Write) -> Result<Done, Failure> {
    let kept = args.kept.as_deref().map(read_kept).transpose()?;
    let mut report = Report::new(args.json, out);
    for path in &args.files {
        verify_file(path, kept.as_deref(), &mut report)?;
    }
    report.finish()
}

/// What a player kept.
fn read_kept(path: &Path) -> Result<Vec<Kept>, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::file(path, "open", &error))?;
    Kept::read(&text).map_err(|why| Failure::input(format_args!("{}: {why}", path.display())))
}

fn verify_file(path: &Path, kept: Option<&[Kept]>, report: &mut Report<impl Write>) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        report.begin_file("standard input");
        return verify(io::stdin().lock(), kept, report);
    }
    report.begin_file(&path.display().to_string());
    let opened = File::open(path).and_then(|file| match file.metadata()?.is_dir() {
        true => Err(io::ErrorKind::IsADirectory.into()),
        false => Ok(file),
    });
    match opened {
        Ok(file) => verify(BufReader::with_capacity(1 << 16, file), kept, report),
        Err(error) => report.file_error(&FileError::new(0, format!("cannot open: {}", in_words(&error)))),
    }
}
