//! Which of several files about one match counts.
//!
//! A match is known by its id *and* its players: anybody can write an id into a file of their own, and that must not
//! touch the match it was copied from. Among the files about one match:
//!
//! - A complete result is final. Partial ones beside it change nothing.
//! - Two complete results that differ count for nobody: everybody signed both.
//! - A partial result counts only if the signed log of the match, whose hash it names, replays to it. Two that differ
//!   count for nobody.

use std::collections::BTreeMap;

use crate::{Body, Checked, Form, Public, Uuid, Verdict};

/// What the log of a match says about a partial result.
///
/// The crate that can read logs implements it. It must find the log whose head is the result's `LOG_HASH`, check its
/// signatures, find in it messages signed by every player who is missing here, and replay it to this very result.
pub trait Logs {
    /// Whether the log proves the result, although these players (by their index) have not signed it.
    fn replays(&self, body: &Body, missing: &[usize]) -> bool;
}

/// For those who have no logs: no partial result counts.
#[derive(Clone, Copy, Debug)]
pub struct NoLogs;

impl Logs for NoLogs {
    fn replays(&self, _: &Body, _: &[usize]) -> bool {
        false
    }
}

/// What files about one match prove together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Settled<'a> {
    /// This is the result.
    Counts(&'a Checked),
    /// These two contradict each other, and neither can be preferred.
    Disputed(&'a Checked, &'a Checked),
    /// Nothing is proven (yet).
    Open,
}

/// A match: its id and its players.
pub type MatchKey = (Uuid, Vec<Public>);

/// Sorts files by match.
pub fn by_match(all: &[Checked]) -> BTreeMap<MatchKey, Vec<&Checked>> {
    let mut matches: BTreeMap<MatchKey, Vec<&Checked>> = BTreeMap::new();
    for checked in all {
        let facts = checked.body().facts();
        matches.entry((facts.id, facts.keys())).or_default().push(checked);
    }
    matches
}

/// Decides about the files of one match.
pub fn settle<'a>(files: &[&'a Checked], logs: &impl Logs) -> Settled<'a> {
    let complete = files.iter().copied().filter(|file| *file.verdict() == Verdict::Complete);
    match agreed(complete) {
        Settled::Open => agreed(files.iter().copied().filter(|file| proven_by_log(file, logs))),
        settled => settled,
    }
}

fn proven_by_log(file: &Checked, logs: &impl Logs) -> bool {
    let body = file.body();
    match file.verdict() {
        Verdict::Partial { missing } => body.facts().log_hash.is_some() && logs.replays(body, missing),
        Verdict::Complete | Verdict::Unsigned | Verdict::Forged { .. } => false,
    }
}

/// The first of files that all say the same, preferring one that says how many deals there were.
fn agreed<'a>(files: impl Iterator<Item = &'a Checked>) -> Settled<'a> {
    let mut settled = Settled::Open;
    for file in files {
        settled = match settled {
            Settled::Counts(first) if contradict(first, file) => return Settled::Disputed(first, file),
            Settled::Counts(first) if first.body().form() != Form::CardGame => settled,
            _ => Settled::Counts(file),
        };
    }
    settled
}

/// Whether two files about one match cannot both be true. The two forms of one result do not contradict each other.
pub fn contradict(one: &Checked, other: &Checked) -> bool {
    let (one, other) = (one.body(), other.body());
    let deals = match (one.form(), other.form()) {
        (Form::Result { deals }, Form::Result { deals: others }) => deals != others,
        _ => false,
    };
    deals || !one.facts().same(other.facts())
}
