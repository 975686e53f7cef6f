//! Checking what a dealer left behind, by anybody who has the record.
//!
//! An [`Auditor`] goes along while a record is played again: it is shown every line of evidence and every
//! input, and says what is wrong with it. At the end it says what has been proven, and what has not. It
//! holds nothing secret and needs nobody to answer a question.

use core::fmt;

use table::record::{Act, By, Choices, Dealt, Evidence};
use table::{Rules, Table};

/// Somebody who checks the evidence of one kind of dealer.
pub trait Auditor {
    /// What can be wrong.
    type Flaw: core::error::Error;

    /// A session (a match, or a single deal) begins at a table with so many chairs; everything before is
    /// forgotten but for what [`Auditor::findings`] has yet to tell.
    fn begin(&mut self, session: [u8; 32], players: u8);

    /// The next line of evidence. `table` is absent between deals.
    fn evidence<R: Rules>(&mut self, table: Option<&Table<R>>, line: &Evidence) -> Result<(), Invalid<Self::Flaw>>;

    /// The dealer is about to have carried out the table's orders: all evidence for that has been seen.
    fn dealt<R: Rules>(&mut self, table: &Table<R>, dealt: &Dealt) -> Result<(), Invalid<Self::Flaw>>;

    /// A seat is about to act: all evidence for what it lays down has been seen.
    fn act<R: Rules>(&mut self, table: &Table<R>, act: &Act<R::Action>) -> Result<(), Invalid<Self::Flaw>>;

    /// Seats are about to choose: all evidence that these were their choices has been seen.
    fn choices<R: Rules>(&mut self, table: &Table<R>, choices: &Choices<R::Choice>) -> Result<(), Invalid<Self::Flaw>>;

    /// A deal is over and everything that was to be shown after it has been seen; decks before `first` can
    /// never be dealt from again, and with `None` the session is over.
    fn retire(&mut self, first: Option<u32>) -> Result<(), Invalid<Self::Flaw>>;

    /// What has been found since the last call about decks that are done with.
    fn findings(&mut self) -> Vec<Finding>;

    /// What no record of such a dealer can prove, in plain words.
    fn limits(&self) -> &'static [&'static str];
}

/// For dealers that leave no evidence.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unproven;

/// There should be no evidence, and there is.
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
        &["anything about the shuffle: whoever dealt must be believed"]
    }
}

/// Something is wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invalid<F> {
    /// Under whom the line is recorded, or whose evidence is missing. Messages are not signed: this is not
    /// who is to blame.
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

/// What the evidence about one deck says, in plain words.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Finding {
    /// Has it been proven, or must it be believed?
    pub proven: bool,
    /// What. Without numbers of decks and deals, so that equal findings can be counted.
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
