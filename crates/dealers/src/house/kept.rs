//! What a player has kept of the shuffles at a table, to compare it with the record afterwards.
//!
//! A file of it has one JSON object a line. Pages offer it for download, programs write it themselves, and `fairdeal
//! verify --kept` reads it. Nothing in it is secret: seeds are not in it, and commitments say nothing about them.

use core::fmt;

use dealing::Commitment;
use serde::{Deserialize, Serialize};
use table::Seat;

use super::commitments::{Commitments, bytes, digits};

/// What one seat has kept of one deck.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    /// Which table: whatever tells it from all others of its server.
    pub table: String,
    /// What the house said that the evidence of this table is bound to.
    #[serde(with = "bytes")]
    pub session: [u8; 32],
    /// Which seat.
    pub seat: Seat,
    /// Which deck.
    pub deck: u32,
    /// The commitments that it was shown, kept before it revealed its seed; absent if it was never asked to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commitments: Option<Commitments>,
    /// What it answered; absent if it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own: Option<Own>,
}

/// What a seat has answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Own {
    /// The commitment that it sent.
    #[serde(with = "digits")]
    pub commitment: Commitment,
    /// What became of that.
    pub commit: Answer,
    /// What became of its seed, if it has revealed that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reveal: Option<Answer>,
}

/// What became of a message, as far as its sender knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// It was sent. It may have come too late, or not at all.
    Sent,
    /// The house said that it has it.
    Taken,
    /// The house said that it has one of this seat already: another device of the same player was faster.
    Already,
    /// It was sent in good time over a connection that held, and the house did not take it.
    Ignored,
}

impl Answer {
    /// Must the house have it?
    pub const fn arrived(self) -> bool {
        match self {
            Self::Taken | Self::Already | Self::Ignored => true,
            Self::Sent => false,
        }
    }
}

/// A line that says nothing about what was kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotKept {
    /// Which, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub why: String,
}

impl fmt::Display for NotKept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: not what a player keeps: {}", self.line, self.why)
    }
}

impl core::error::Error for NotKept {}

impl Kept {
    /// Reads a file, a line each; empty lines are skipped.
    pub fn read(text: &str) -> Result<Vec<Self>, NotKept> {
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        let read = |(line, text)| serde_json::from_str(text).map_err(|why| NotKept { line, why: why.to_string() });
        lines.map(read).collect()
    }
}
