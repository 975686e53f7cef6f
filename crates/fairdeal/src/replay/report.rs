//! What came of each hand, the same whatever it was read from.

use std::fmt;
use std::io::Write;

use serde::Serialize;
use serde_json::{Number, Value};

use crate::Done;
use crate::failure::{Failure, complain};
use crate::text::{counted, grouped};

/// What is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Output {
    /// One object per hand.
    pub json: bool,
    /// One object per input.
    pub trace: bool,
}

/// A hand (a deal) that was played again.
#[derive(Clone, PartialEq, Debug)]
pub struct Hand {
    /// Its number or name as the file has it, or counted from 1.
    pub name: Value,
    /// The game.
    pub game: &'static str,
    /// What each seat has in the end where the game has stacks, else what it won or lost; absent if the
    /// hand cannot be played to its end.
    pub stacks: Option<Vec<Number>>,
    /// What each seat won or lost, where stacks are unlimited.
    pub net: Option<Vec<Number>>,
    /// The stacks as the file has them, if it says so.
    pub expected: Option<Vec<Number>>,
    /// What the house took, where it took something and the file tells it.
    pub rake: Option<Number>,
    /// Who put away cards that nobody knows, as the file names them.
    pub mucked: Vec<String>,
    /// Where and why it does not come out as recorded.
    pub error: Option<FileError>,
}

impl Hand {
    /// A hand of which nothing is known yet.
    pub const fn unplayed(name: Value, game: &'static str) -> Self {
        Self { name, game, stacks: None, net: None, expected: None, rake: None, mucked: Vec::new(), error: None }
    }
}

/// What is wrong with a file, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileError {
    /// The line, from 1; 0 means the file as a whole.
    pub line: u64,
    /// The reason.
    pub why: String,
}

impl FileError {
    /// At this line (0: the file as a whole), for this reason.
    pub fn new(line: u64, why: impl ToString) -> Self {
        Self { line, why: why.to_string() }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.why),
            line => write!(f, "line {line}: {}", self.why),
        }
    }
}

/// Takes the results of hands, prints them and counts them.
#[derive(Debug)]
pub struct Report<W> {
    output: Output,
    out: W,
    file: String,
    /// Which record of the file is read, from 1; 0 before the first.
    record: u64,
    /// Hands of the file at hand: as written, and not.
    here: (u64, u64),
    /// Hands of the file at hand from which the house took something, and with cards put away unseen.
    raked: u64,
    mucked: u64,
    right: u64,
    wrong: u64,
    files: u64,
    unreadable: u64,
    /// Records with something wrong after a whole deal.
    damaged: u64,
}

/// One line of JSON.
#[derive(Serialize)]
struct Object<'a> {
    file: &'a str,
    record: Option<u64>,
    hand: Option<&'a Value>,
    game: Option<&'static str>,
    ok: bool,
    stacks: Option<&'a [Number]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    net: Option<&'a [Number]>,
    expected: Option<&'a [Number]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rake: Option<&'a Number>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    mucked: &'a [String],
    error: Option<String>,
}

impl<W: Write> Report<W> {
    /// Prints to `out`; complaints go to stderr.
    pub fn new(output: Output, out: W) -> Self {
        Self {
            output,
            out,
            file: String::new(),
            record: 0,
            here: (0, 0),
            raked: 0,
            mucked: 0,
            right: 0,
            wrong: 0,
            files: 0,
            unreadable: 0,
            damaged: 0,
        }
    }

    /// Is every input to be printed?
    pub const fn traces(&self) -> bool {
        self.output.trace
    }

    /// What follows is from this file.
    pub fn begin_file(&mut self, name: &str) {
        name.clone_into(&mut self.file);
        self.files += 1;
        self.record = 0;
        self.here = (0, 0);
        (self.raked, self.mucked) = (0, 0);
    }

    /// What follows is from the file's next record; in a file of published hands each is one.
    pub const fn begin_record(&mut self) {
        self.record += 1;
    }

    fn record(&self) -> Option<u64> {
        (self.record > 0).then_some(self.record)
    }

    /// A hand has been played again.
    pub fn hand(&mut self, hand: &Hand) -> Result<(), Failure> {
        self.raked += u64::from(hand.rake.is_some());
        self.mucked += u64::from(!hand.mucked.is_empty());
        match &hand.error {
            None => self.here.0 += 1,
            Some(FileError { line, why }) => {
                self.here.1 += 1;
                let line = if *line == 0 { String::new() } else { format!(":{line}") };
                complain(format_args!("{}{line}: deal {}: {why}", self.file, hand.name));
            }
        }
        let object = Object {
            file: &self.file,
            record: self.record(),
            hand: Some(&hand.name),
            game: Some(hand.game),
            ok: hand.error.is_none(),
            stacks: hand.stacks.as_deref(),
            net: hand.net.as_deref(),
            expected: hand.expected.as_deref(),
            rake: hand.rake.as_ref(),
            mucked: &hand.mucked,
            error: hand.error.as_ref().map(FileError::to_string),
        };
        if self.output.json { write_line(&mut self.out, &object) } else { Ok(()) }
    }

    /// After this many deals of a record comes something that belongs to none.
    pub fn damaged(&mut self, deals: u64, error: &FileError) -> Result<(), Failure> {
        self.damaged += 1;
        let after = if deals > 0 { format!(" after deal {deals}:") } else { String::new() };
        complain(format_args!("{}:{}:{after} {}", self.file, error.line, error.why));
        self.no_hand(error)
    }

    /// A part of the file is no hand at all.
    pub fn file_error(&mut self, error: &FileError) -> Result<(), Failure> {
        self.unreadable += 1;
        let FileError { line, why } = error;
        match line {
            0 => complain(format_args!("{}: {why}", self.file)),
            line => complain(format_args!("{}:{line}: {why}", self.file)),
        }
        self.no_hand(error)
    }

    fn no_hand(&mut self, error: &FileError) -> Result<(), Failure> {
        let (file, record, error) = (&*self.file, self.record(), Some(error.to_string()));
        let object = Object {
            file,
            record,
            hand: None,
            game: None,
            ok: false,
            stacks: None,
            net: None,
            expected: None,
            rake: None,
            mucked: &[],
            error,
        };
        if self.output.json { write_line(&mut self.out, &object) } else { Ok(()) }
    }

    /// A deal has begun, or an input has been played; `object` says what came of it, file and record are added here.
    pub fn input(&mut self, object: impl Serialize) -> Result<(), Failure> {
        #[derive(Serialize)]
        struct Named<'a, T> {
            file: &'a str,
            record: Option<u64>,
            #[serde(flatten)]
            object: T,
        }
        if self.output.trace {
            let named = Named { file: &self.file, record: self.record(), object };
            write_line(&mut self.out, &named)?;
        }
        Ok(())
    }

    /// The file has been read to its end.
    pub fn end_file(&mut self) -> Result<(), Failure> {
        let (right, wrong) = self.here;
        self.right += right;
        self.wrong += wrong;
        if !self.output.json && !self.output.trace {
            let told = |count: u64, what: &str| if count > 0 { format!(", {count} {what}") } else { String::new() };
            let raked = told(self.raked, "with rake");
            let mucked = told(self.mucked, "with cards mucked");
            writeln!(self.out, "{}: {}{raked}{mucked}", self.file, replayed(right, wrong))?;
        }
        Ok(())
    }

    /// Sums up on stderr.
    pub fn finish(mut self) -> Result<Done, Failure> {
        self.out.flush()?;
        let Self { right, wrong, files, unreadable, damaged, .. } = self;
        let mut broken = String::new();
        for (count, what) in [(damaged, "damaged"), (unreadable, "unreadable")] {
            if count > 0 {
                broken.push_str(&format!(", {} {what}", counted(count, "record")));
            }
        }
        complain(format_args!("{}: {}{broken}", counted(files, "file"), replayed(right, wrong)));
        Ok(match (wrong + damaged, unreadable) {
            (0, 0) => Done::Well,
            (0, _) => Done::BadInput,
            _ => Done::CheckFailed,
        })
    }
}

/// "7 of 8 deals replayed as recorded".
fn replayed(right: u64, wrong: u64) -> String {
    format!("{} of {} replayed as recorded", grouped(right), counted(right + wrong, "deal"))
}

fn write_line(out: &mut impl Write, object: &impl Serialize) -> Result<(), Failure> {
    serde_json::to_writer(&mut *out, object).map_err(std::io::Error::from)?;
    Ok(writeln!(out)?)
}
