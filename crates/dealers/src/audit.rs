//! Checking a dealer's evidence. All it takes is the record.
//!
//! An [`Auditor`] follows the replay of a record: it sees every line of evidence and every input, and says what
//! is wrong. At the end it says what has been proven and what has not. It needs no secrets and asks nobody.

use core::fmt;

use table::record::{Act, By, Choices, Dealt, Evidence};
use table::{Rules, Table};

/// Checks the evidence of one kind of dealer.
pub trait Auditor {
    /// What can be wrong.
    type Flaw: core::error::Error;

    /// A session (a match, or a single deal) begins at a table with this many seats. Everything before is
    /// forgotten, except findings that [`Auditor::findings`] has not returned yet.
    fn begin(&mut self, session: [u8; 32], players: u8);

    /// The next line of evidence. `table` is absent between deals.
    fn evidence<R: Rules>(&mut self, table: Option<&Table<R>>, line: &Evidence) -> Result<(), Invalid<Self::Flaw>>;

    /// The dealer's work is about to be played: all evidence for it has been seen.
    fn dealt<R: Rules>(&mut self, table: &Table<R>, dealt: &Dealt) -> Result<(), Invalid<Self::Flaw>>;

    /// A seat is about to act: all evidence for the cards it lays down has been seen.
    fn act<R: Rules>(&mut self, table: &Table<R>, act: &Act<R::Action>) -> Result<(), Invalid<Self::Flaw>>;

    /// Seats are about to choose: all evidence that these were their choices has been seen.
    fn choices<R: Rules>(&mut self, table: &Table<R>, choices: &Choices<R::Choice>) -> Result<(), Invalid<Self::Flaw>>;

    /// A deal is over, and all evidence that follows it has been seen. Decks before `first` are never dealt
    /// from again; `None` means that the session is over.
    fn retire(&mut self, first: Option<u32>) -> Result<(), Invalid<Self::Flaw>>;

    /// The findings since the last call, about decks that are finished.
    fn findings(&mut self) -> Vec<Finding>;

    /// Four words for each deck that was made since the last call, for players to compare; a dealer may have none.
    fn codes(&mut self) -> Vec<Code> {
        Vec::new()
    }

    /// What no record of this kind of dealer can prove, in plain words.
    fn limits(&self) -> &'static [&'static str];
}

/// For dealers that leave no evidence.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unproven;

/// There is evidence where there should be none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Superfluous;

impl fmt::Display for Superfluous {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the dealer of this record leaves no evidence")
    }
}

impl core::error::Error for Superfluous {}

impl Auditor for Unproven {
    type Flaw = Superfluous;
    fn begin(&mut self, _: [u8; 32], _: u8) {}
    fn evidence<R: Rules>(&mut self, _: Option<&Table<R>>, line: &Evidence) -> Result<(), Invalid<Superfluous>> {
        Err(Invalid { by: line.by, flaw: Superfluous })
    }
    fn dealt<R: Rules>(&mut self, _: &Table<R>, _: &Dealt) -> Result<(), Invalid<Superfluous>> {
        Ok(())
    }
    fn act<R: Rules>(&mut self, _: &Table<R>, _: &Act<R::Action>) -> Result<(), Invalid<Superfluous>> {
        Ok(())
    }
    fn choices<R: Rules>(&mut self, _: &Table<R>, _: &Choices<R::Choice>) -> Result<(), Invalid<Superfluous>> {
        Ok(())
    }
    fn retire(&mut self, _: Option<u32>) -> Result<(), Invalid<Superfluous>> {
        Ok(())
    }
    fn findings(&mut self) -> Vec<Finding> {
        Vec::new()
    }
    fn limits(&self) -> &'static [&'static str] {
        &["anything about the shuffle: you have to trust the dealer"]
    }
}

/// Something is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invalid<F> {
    /// The recorded author of the line, or the author of missing evidence. Messages are not signed, so this
    /// does not say who is to blame.
    pub by: By,
    /// What.
    pub flaw: F,
}

impl<F: fmt::Display> fmt::Display for Invalid<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "recorded under {}: {}", self.by, self.flaw)
    }
}

impl<F: core::error::Error> core::error::Error for Invalid<F> {}

/// Four words that are the same for everybody who saw the same commitments to a deck.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Code {
    /// Which deck.
    pub deck: u32,
    /// The words.
    pub words: [&'static str; 4],
}

/// What the evidence about one deck says, in plain words.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Finding {
    /// Whether it has been proven. If not, it has to be trusted.
    pub proven: bool,
    /// The finding. Without numbers of decks and deals, so that equal findings can be counted.
    pub what: String,
}

impl Finding {
    /// This has been proven.
    pub fn proven(what: impl Into<String>) -> Self {
        Self { proven: true, what: what.into() }
    }

    /// This has not.
    pub fn open(what: impl Into<String>) -> Self {
        Self { proven: false, what: what.into() }
    }
}
