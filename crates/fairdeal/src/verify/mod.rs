//! `fairdeal verify`: the evidence in records, checked by somebody who trusts nobody.
//!
//! - `record`: one record after the other is played again while the auditor of its dealer looks on.
//! - [`report`](Report): what came of it, in plain words or as JSON.
//!
//! Which auditor is asked follows from the `dealer` of the record's header.

mod record;
mod report;

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;

use crate::Done;
use crate::cli::VerifyArgs;
use crate::failure::{Failure, in_words};
use crate::replay::FileError;

pub use record::verify;
pub use report::{Checked, Flawed, Report};

/// Runs the command.
pub(crate) fn run(args: &VerifyArgs, out: &mut impl Write) -> Result<Done, Failure> {
    let mut report = Report::new(args.json, out);
    for path in &args.files {
        verify_file(path, &mut report)?;
    }
    report.finish()
}

fn verify_file(path: &Path, report: &mut Report<impl Write>) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        report.begin_file("standard input");
        return verify(io::stdin().lock(), report);
    }
    report.begin_file(&path.display().to_string());
    let opened = File::open(path).and_then(|file| match file.metadata()?.is_dir() {
        true => Err(io::ErrorKind::IsADirectory.into()),
        false => Ok(file),
    });
    match opened {
        Ok(file) => verify(BufReader::with_capacity(1 << 16, file), report),
        Err(error) => report.file_error(&FileError::new(0, format!("cannot open: {}", in_words(&error)))),
    }
}
