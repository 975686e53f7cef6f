//! How a command ends when it does not end well: one line on stderr and an exit code.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// The exit code of a check that failed.
pub const CHECK: u8 = 1;
/// The exit code of bad usage or input.
pub const INPUT: u8 = 2;
/// What shells report for a program ended by Ctrl-C.
const INTERRUPTED: u8 = 130;

/// Why a command stopped.
#[derive(Debug)]
pub enum Failure {
    /// What somebody typed, or a file, is not as it should be.
    Input(String),
    /// Something that was checked is not so.
    Check(String),
    /// The reader of our output has closed it. Nothing is wrong.
    Closed,
    /// Ctrl-C.
    Interrupted,
}

impl Failure {
    /// Bad input, in words.
    pub fn input(why: impl fmt::Display) -> Self {
        Self::Input(why.to_string())
    }

    /// A file that cannot be opened, read or written.
    pub fn file(path: &Path, what: &str, why: &io::Error) -> Self {
        Self::Input(format!("{}: cannot {what}: {}", path.display(), in_words(why)))
    }

    /// What clap says over several lines, as one.
    pub fn usage(error: &clap::Error) -> Self {
        let text = error.render().to_string();
        let mut line = String::new();
        for part in text.lines().map(str::trim).take_while(|part| !part.starts_with("Usage:")) {
            let part = part.strip_prefix("error: ").unwrap_or(part);
            if part.is_empty() || part.starts_with("For more information") {
                continue;
            }
            match part.strip_prefix("tip: ") {
                Some(tip) => line = format!("{}; {tip}", line.trim_end_matches(':')),
                None if line.is_empty() => line.push_str(part),
                None => line = format!("{line} {part}"),
            }
        }
        Self::Input(line)
    }

    /// Says it and gives the exit code.
    pub fn report(self) -> ExitCode {
        match self {
            Self::Input(why) => {
                complain(&why);
                ExitCode::from(INPUT)
            }
            Self::Check(why) => {
                complain(&why);
                ExitCode::from(CHECK)
            }
            Self::Closed => ExitCode::SUCCESS,
            Self::Interrupted => {
                complain("interrupted");
                ExitCode::from(INTERRUPTED)
            }
        }
    }
}

/// Errors of writing to stdout; those of files are made by [`Failure::file`].
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::Closed;
        }
        Self::Input(format!("cannot write the output: {}", in_words(&error)))
    }
}

/// One line on stderr, whatever names and values are in it: they cannot steer a terminal or forge a line.
pub fn complain(why: impl fmt::Display) {
    let mut line = String::from("fairdeal: ");
    for c in why.to_string().chars() {
        if c.is_control() { line.extend(c.escape_default()) } else { line.push(c) }
    }
    line.push('\n');
    // There is nowhere left to say that stderr is closed.
    let _ = io::stderr().write_all(line.as_bytes());
}

/// The system's reason without its number, in small letters: "no such file or directory".
pub fn in_words(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut letters = text.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}
