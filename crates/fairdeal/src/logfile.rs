//! The log of a private match, read from a file line by line: no file fills the memory.

use std::io::{self, BufRead, Read as _};

use ::peer::{Entry, Record, TableKey};
use results::Public;

use crate::lines::Lines;
use crate::replay::FileError;

/// More than the beginning of such a file.
const GLANCE: u64 = 64;

/// What a file is, by its beginning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The log of a private match.
    Private,
    /// A hand exported from a poker chain.
    Chain,
    /// A record, or nothing that we know.
    Record,
}

/// Looks at the beginning of a file. Returns what it is, and the file from its beginning.
pub(crate) fn glance<R: BufRead>(mut input: R) -> io::Result<(Kind, impl BufRead + use<R>)> {
    let mut begin = Vec::new();
    input.by_ref().take(GLANCE).read_to_end(&mut begin)?;
    let text = String::from_utf8_lossy(&begin);
    let kind = match &*text {
        text if Record::is_one(text) => Kind::Private,
        text if text.starts_with(chain::export::BEGIN) => Kind::Chain,
        _ => Kind::Record,
    };
    Ok((kind, io::Cursor::new(begin).chain(input)))
}

/// A log, entry by entry.
pub(crate) struct LogFile<'a, R> {
    lines: Lines<R>,
    pub(crate) key: TableKey,
    pub(crate) hub: Public,
    /// Hears how many bytes have been read.
    progress: &'a mut dyn FnMut(u64),
    pub(crate) stopped: Option<Stopped>,
}

/// Why a log was not read to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Stopped {
    /// A line in it is not an entry.
    Damaged(FileError),
    /// Its last line is cut off, as after a crash.
    CutOff,
}

impl<'a, R: BufRead> LogFile<'a, R> {
    /// Reads the first line.
    pub(crate) fn open(input: R, progress: &'a mut dyn FnMut(u64)) -> Result<Self, FileError> {
        let mut lines = Lines::new(input);
        match lines.advance() {
            Some(Ok(())) => {}
            Some(Err(why)) => return Err(FileError::new(1, why)),
            None => return Err(FileError::new(0, "the file is empty")),
        }
        let header = Record::read_header(lines.text());
        let (key, hub) = header.map_err(|expected| FileError::new(1, format!("expected {expected}")))?;
        Ok(Self { lines, key, hub, progress, stopped: None })
    }

    /// The line read last, from 1.
    pub(crate) const fn line(&self) -> u64 {
        self.lines.number()
    }
}

impl<R: BufRead> Iterator for LogFile<'_, R> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        while self.stopped.is_none() {
            if let Err(why) = self.lines.advance()? {
                self.stopped = Some(Stopped::Damaged(FileError::new(self.lines.number(), why)));
                break;
            }
            let text = self.lines.text();
            (self.progress)(u64::try_from(text.len()).unwrap_or_default() + 1);
            if text.trim().is_empty() {
                continue;
            }
            if let Some(entry) = Record::read_line(text) {
                return Some(entry);
            }
            self.stopped = Some(if self.lines.is_cut_off() {
                Stopped::CutOff
            } else {
                Stopped::Damaged(FileError::new(self.lines.number(), "expected an entry of the log"))
            });
        }
        None
    }
}
