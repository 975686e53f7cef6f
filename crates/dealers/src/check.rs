//! Replays a record while an auditor watches.

use core::fmt;

use table::Game;
use table::record::{By, Line, Reader, Step, Trouble};
use table::{Rules as _, Table};

use crate::{Auditor, Code, Finding, Invalid};

/// Checks one record, line by line: that it follows the rules, and that its evidence is complete and true.
#[derive(Debug)]
pub struct Checker<G: Game, A> {
    reader: Reader<G>,
    auditor: A,
    began: bool,
}

/// What is wrong with a line, or with the end of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wrong<F> {
    /// It cannot be replayed as written.
    Replay(Trouble),
    /// The evidence is wrong.
    Evidence(Invalid<F>),
    /// It is not a valid line of a record, but it looks like evidence by this author.
    Damaged(By, Trouble),
    /// A line of evidence is not in its canonical form.
    NotCanonical(By),
    /// Evidence is bound to the id of its record, but the record has none.
    NoId(By),
    /// The record ends before the deal does.
    Unfinished,
}

impl<F> Wrong<F> {
    /// The recorded author of the wrong or missing evidence, if it is about evidence.
    pub const fn by(&self) -> Option<By> {
        match self {
            Self::Evidence(Invalid { by, .. }) | Self::Damaged(by, _) | Self::NotCanonical(by) | Self::NoId(by) => {
                Some(*by)
            }
            Self::Replay(_) | Self::Unfinished => None,
        }
    }
}

impl<F: fmt::Display> fmt::Display for Wrong<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Replay(why) | Self::Damaged(_, why) => why.fmt(f),
            Self::Evidence(Invalid { flaw, .. }) => flaw.fmt(f),
            Self::NotCanonical(_) => f.write_str("the evidence is not in its canonical form"),
            Self::NoId(_) => f.write_str("the header has no id to which the evidence could be bound"),
            Self::Unfinished => f.write_str("the record ends before the deal does"),
        }
    }
}

impl<F: core::error::Error> core::error::Error for Wrong<F> {}

impl<G: Game, A: Auditor> Checker<G, A> {
    /// A checker that expects a header.
    pub const fn new(auditor: A) -> Self {
        Self { reader: Reader::new(), auditor, began: false }
    }

    /// The reader that replays the record.
    pub const fn reader(&self) -> &Reader<G> {
        &self.reader
    }

    /// Checks the next line. After an error, nothing more can be said about this record.
    pub fn line(&mut self, text: &str) -> Result<Step, Wrong<A::Flaw>> {
        let Self { reader, auditor, began } = self;
        let has_id = reader.header().is_none_or(|header| header.id.is_some());
        let mut seen = Ok(());
        let step = reader.line_with(text, |table, line| {
            seen = match (line, table) {
                (Line::Evidence(evidence), _) if !has_id => Err(Wrong::NoId(evidence.by)),
                (Line::Evidence(evidence), table) => {
                    if serde_json::to_string(line).is_ok_and(|canonical| canonical == text) {
                        auditor.evidence(table, evidence).map_err(Wrong::Evidence)
                    } else {
                        Err(Wrong::NotCanonical(evidence.by))
                    }
                }
                (Line::Dealt(dealt), Some(table)) => auditor.dealt(table, dealt).map_err(Wrong::Evidence),
                (Line::Act(act), Some(table)) => auditor.act(table, act).map_err(Wrong::Evidence),
                (Line::Choices(choices), Some(table)) => auditor.choices(table, choices).map_err(Wrong::Evidence),
                _ => Ok(()),
            };
        });
        seen?;
        let step = step.map_err(|trouble| match (&trouble, named_in(text)) {
            (Trouble::Malformed(_), Some(by)) => Wrong::Damaged(by, trouble),
            _ => Wrong::Replay(trouble),
        })?;
        if let Step::Deal(number) = step {
            let Some(header) = reader.header() else { return Err(Wrong::Replay(Trouble::NoHeader)) };
            let is_match = header.settings.is_some();
            let first = reader.table().map(|table: &Table<G::Rules>| table.rules().decks().start);
            if core::mem::replace(began, true) {
                auditor.retire(first.filter(|_| is_match)).map_err(Wrong::Evidence)?;
            }
            if !is_match || number == 1 {
                auditor.begin(header.session(number).unwrap_or_default(), header.players);
            }
        }
        Ok(step)
    }

    /// The record is over.
    pub fn end(&mut self) -> Result<(), Wrong<A::Flaw>> {
        if !self.reader.is_between_deals() {
            return Err(Wrong::Unfinished);
        }
        if self.began { self.auditor.retire(None).map_err(Wrong::Evidence) } else { Ok(()) }
    }

    /// The findings since the last call.
    pub fn findings(&mut self) -> Vec<Finding> {
        self.auditor.findings()
    }

    /// The words of decks since the last call.
    pub fn codes(&mut self) -> Vec<Code> {
        self.auditor.codes()
    }

    /// What no record of this kind of dealer can prove.
    pub fn limits(&self) -> &'static [&'static str] {
        self.auditor.limits()
    }
}

/// The recorded author of a line that is damaged elsewhere.
pub fn named_in(text: &str) -> Option<By> {
    let (_, rest) = text.split_once("\"by\":")?;
    serde_json::Deserializer::from_str(rest).into_iter().next()?.ok()
}
