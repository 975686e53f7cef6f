//! The log of a private match as a file: JSON Lines, one entry each.
//!
//! ```text
//! {"private":1,"key":"…","hub":"…"}      the table's key, and the hub's
//! {"entry":"…"}                          an entry, in hexadecimal digits
//! ```
//!
//! The file has everything that everybody at the table could read, and nothing else: no hidden card is in it. It is
//! all that [`verify`](crate::verify) needs. Anyone who has it can read the match; before the match is over, they could
//! also join it.

use core::fmt;

use results::Public;
use serde::{Deserialize, Serialize};
use table::record::{hex, unhex};

use crate::entry::{Entry, MOST_ENTRY};
use crate::seal::TableKey;

const FORMAT: u32 = 1;

/// The log of one table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The table's key.
    pub key: TableKey,
    /// The hub's key.
    pub hub: Public,
    /// The entries.
    pub entries: Vec<Entry>,
}

/// Why a text is not such a log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable {
    /// The line, counted from 1.
    pub line: usize,
    /// What was expected there.
    pub expected: &'static str,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: expected {}", self.line, self.expected)
    }
}

impl core::error::Error for Unreadable {}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct First {
    private: u32,
    key: String,
    hub: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    entry: String,
}

impl Record {
    /// The first line of a file.
    pub fn header(key: &TableKey, hub: &Public) -> String {
        let first = First { private: FORMAT, key: hex(key.bytes()), hub: hex(hub.bytes()) };
        serde_json::to_string(&first).unwrap_or_default() + "\n"
    }

    /// The line of an entry.
    pub fn line(entry: &Entry) -> String {
        let line = Line { entry: hex(&dealing::encode(entry)) };
        serde_json::to_string(&line).unwrap_or_default() + "\n"
    }

    /// The whole file.
    pub fn text(&self) -> String {
        let lines = self.entries.iter().map(Self::line);
        core::iter::once(Self::header(&self.key, &self.hub)).chain(lines).collect()
    }

    /// Whether a text begins like such a file.
    pub fn is_one(text: &str) -> bool {
        text.trim_start_matches('\u{feff}').starts_with("{\"private\":")
    }

    /// Reads the first line of a file: the table's key, and the hub's. The error says what was expected.
    pub fn read_header(line: &str) -> Result<(TableKey, Public), &'static str> {
        let line = line.trim_start_matches('\u{feff}');
        let first: First = serde_json::from_str(line).map_err(|_| "the first line of a private match")?;
        if first.private != FORMAT {
            return Err("a format that this program knows");
        }
        let key = |text: &str| unhex(text).and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
        let table = key(&first.key).ok_or("the table's key")?;
        let hub = key(&first.hub).and_then(|bytes| Public::from_bytes(bytes).ok()).ok_or("the hub's key")?;
        Ok((TableKey::new(table), hub))
    }

    /// Reads the line of an entry; `None` if it is not one.
    pub fn read_line(line: &str) -> Option<Entry> {
        if line.len() > 2 * MOST_ENTRY + 32 {
            return None;
        }
        let line: Line = serde_json::from_str(line).ok()?;
        dealing::decode(&unhex(&line.entry)?).ok()
    }

    /// Reads a file. A last line that is cut off, as after a crash, is left out if `torn` says that this can be.
    pub fn parse(text: &str, torn: bool) -> Result<Self, Unreadable> {
        let mut lines = text.split_inclusive('\n').enumerate();
        let (_, first) = lines.next().unwrap_or_default();
        let (key, hub) = Self::read_header(first).map_err(|expected| Unreadable { line: 1, expected })?;
        let mut record = Self { key, hub, entries: Vec::new() };
        for (number, line) in lines {
            match Self::read_line(line) {
                Some(entry) => record.entries.push(entry),
                None if torn && !line.ends_with('\n') => break,
                None => return Err(Unreadable { line: number + 1, expected: ENTRY }),
            }
        }
        Ok(record)
    }
}

/// What every line but the first has to be.
const ENTRY: &str = "an entry of the log";
