//! The records of a file, one after the other.
//!
//! A record that has a mistake is given up at the line where it is found; reading goes on with the next one.

use std::io::BufRead;

use games::AnyGame;
use serde::Deserialize;
use table::record::Trouble;

use crate::lines::{LineError, Lines};
use crate::replay::FileError;

/// The lines of a file, one record after the other.
pub(crate) struct Records<R> {
    lines: Lines<R>,
    /// The header that has been read but not yet played.
    header: Option<String>,
    /// Something was wrong; whatever comes before the next header is skipped.
    given_up: bool,
}

impl<R: BufRead> Records<R> {
    pub(crate) const fn new(input: R) -> Self {
        Self { lines: Lines::new(input), header: None, given_up: false }
    }

    /// The number of the line read last, from 1.
    pub(crate) const fn number(&self) -> u64 {
        self.lines.number()
    }

    /// The line read last.
    pub(crate) fn text(&self) -> &str {
        self.lines.text()
    }

    /// The header that [`Records::next_record`] found.
    pub(crate) fn take_header(&mut self) -> String {
        self.header.take().unwrap_or_default()
    }

    /// Whatever is left of this record is skipped.
    pub(crate) const fn give_up(&mut self) {
        self.given_up = true;
    }

    /// Goes to the next header and says of which game it is.
    pub(crate) fn next_record(&mut self) -> Result<Option<AnyGame>, FileError> {
        /// Just enough of a header to know who can read the rest.
        #[derive(Deserialize)]
        struct Peek {
            fairdeal: Named,
        }
        #[derive(Deserialize)]
        struct Named {
            game: String,
        }
        while self.header.is_none() {
            match self.lines.advance() {
                None => return Ok(None),
                Some(Ok(())) if self.keep_header() || self.lines.text().trim().is_empty() || self.given_up => {}
                Some(Ok(())) => return self.stop(Trouble::NoHeader),
                Some(Err(LineError::TooLong | LineError::NotText)) if self.given_up => {}
                Some(Err(error)) => return self.stop(error),
            }
        }
        self.given_up = false;
        let peeked = self.header.as_deref().map(serde_json::from_str::<Peek>);
        match peeked {
            None => Ok(None),
            Some(Ok(Peek { fairdeal: Named { game } })) => match AnyGame::from_name(&game) {
                Some(game) => Ok(Some(game)),
                None => {
                    let known: Vec<&str> = AnyGame::ALL.iter().map(|game| game.name()).collect();
                    self.stop(format!("no game is called {game:?}; there are {}", known.join(", ")))
                }
            },
            Some(Err(error)) => self.stop(Trouble::Malformed(error.to_string())),
        }
    }

    /// Reads the next line of the record; false at the end of the file and at the next record.
    pub(crate) fn advance(&mut self) -> Result<bool, FileError> {
        loop {
            match self.lines.advance() {
                None => return Ok(false),
                Some(Err(error)) => return self.stop(error),
                Some(Ok(())) if self.keep_header() => return Ok(false),
                Some(Ok(())) if self.lines.text().trim().is_empty() => {}
                Some(Ok(())) => return Ok(true),
            }
        }
    }

    /// If a header has been read, keeps it for later.
    fn keep_header(&mut self) -> bool {
        let text = self.lines.text();
        // A glance is enough: a line that begins so and is no header will be refused as one.
        let begins = text.trim_start().strip_prefix('{').map(str::trim_start);
        let found = begins.is_some_and(|rest| rest.starts_with("\"fairdeal\""));
        if found {
            self.header = Some(text.to_owned());
        }
        found
    }

    /// Gives up the record at this line.
    fn stop<T>(&mut self, why: impl ToString) -> Result<T, FileError> {
        self.header = None;
        self.given_up = true;
        Err(FileError::new(self.lines.number(), why))
    }
}
