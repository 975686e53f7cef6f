//! Our own records: JSON Lines, read as a stream.
//!
//! A record that has a mistake is given up at the line where it is found, since what follows hangs on it;
//! reading goes on with the next record of the file.

use std::io::{BufRead, Write};
use std::marker::PhantomData;

use games::AnyGame;
use serde::{Deserialize, Serialize};
use serde_json::Number;
use table::record::{Line, Reader, Step, Trouble};
use table::{Chips, Game, PerSeat, Table};

use super::report::{FileError, Hand, Report};
use super::trace::{LineOf, Trace};
use crate::failure::Failure;
use crate::lines::{LineError, Lines};

/// Replays every record in the stream.
pub fn replay(input: impl BufRead, report: &mut Report<impl Write>) -> Result<(), Failure> {
    let mut lines = Source { lines: Lines::new(input), header: None, given_up: false };
    let mut records = 0u64;
    loop {
        let game = match lines.next_record() {
            Ok(Some(game)) => game,
            Ok(None) => break,
            Err(error) => {
                report.file_error(&error)?;
                records += 1;
                continue;
            }
        };
        records += 1;
        games::with_game!(game, G => replay_record::<G, _>(&mut lines, report))?;
    }
    if records == 0 {
        report.file_error(&FileError::new(0, "the file is empty: a record begins with a header line"))?;
    }
    report.end_file()
}

/// The lines of a file, one record after the other.
struct Source<R> {
    lines: Lines<R>,
    /// The header that has been read but not yet played.
    header: Option<String>,
    /// Something was wrong; whatever comes before the next header is skipped.
    given_up: bool,
}

impl<R: BufRead> Source<R> {
    /// Goes to the next header and says of which game it is.
    fn next_record(&mut self) -> Result<Option<AnyGame>, FileError> {
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
                Some(Ok(())) if self.take_header() || self.lines.text().trim().is_empty() || self.given_up => {}
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
    fn advance(&mut self) -> Result<bool, FileError> {
        loop {
            match self.lines.advance() {
                None => return Ok(false),
                Some(Err(error)) => return self.stop(error),
                Some(Ok(())) if self.take_header() => return Ok(false),
                Some(Ok(())) if self.lines.text().trim().is_empty() => {}
                Some(Ok(())) => return Ok(true),
            }
        }
    }

    /// If a header has been read, keeps it for later.
    fn take_header(&mut self) -> bool {
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

/// Replays the record whose header has been found.
fn replay_record<G: Game, R: BufRead>(source: &mut Source<R>, report: &mut Report<impl Write>) -> Result<(), Failure> {
    let mut reader = Reader::<G>::new();
    let header = source.header.take().unwrap_or_default();
    if let Err(trouble) = reader.line(&header) {
        source.given_up = true;
        return report.file_error(&FileError::new(source.lines.number(), trouble));
    }
    let mut hand = Replayed::<G>::new(1);
    let mut trace = report.traces().then(Trace::new);
    loop {
        match source.advance() {
            Ok(true) => {}
            Ok(false) if reader.is_between_deals() => return Ok(()),
            Ok(false) => {
                let error = FileError::new(source.lines.number(), "the record ends before the deal does");
                return report.hand(&hand.result(Some(error)));
            }
            Err(error) => return report.hand(&hand.result(Some(error))),
        }
        let line = source.lines.number();
        let step = reader.line_with(source.lines.text(), |table, line| {
            hand.look(table, line);
            if let Some(trace) = &mut trace {
                trace.look::<G::Rules>(line);
            }
        });
        match step {
            Ok(Step::Began | Step::Evidence) => {}
            Ok(Step::Deal(_)) => {
                if let (Some(trace), Some(table), Some(header)) = (&mut trace, reader.table(), reader.header()) {
                    trace.begin_deal(table, header);
                }
            }
            Ok(Step::Input) => {
                if let (Some(trace), Some(table)) = (&mut trace, reader.table()) {
                    report.input(trace.step(hand.number, table))?;
                }
            }
            Ok(Step::Ended(_)) => {
                report.hand(&hand.result(None))?;
                hand = Replayed::new(hand.number + 1);
            }
            Err(trouble) => {
                let goes_on = matches!(
                    trouble,
                    Trouble::OutcomeDiffers { .. } | Trouble::HashDiffers { .. } | Trouble::StandingDiffers
                );
                report.hand(&hand.result(Some(FileError::new(line, trouble))))?;
                if !goes_on {
                    source.given_up = true;
                    return Ok(());
                }
                hand = Replayed::new(hand.number + 1);
            }
        }
    }
}

/// What is known of the deal being replayed.
struct Replayed<G> {
    number: u64,
    /// The stacks before it, where the game has some.
    before: Option<Vec<i64>>,
    replayed: Option<PerSeat<Chips>>,
    written: Option<PerSeat<Chips>>,
    game: PhantomData<G>,
}

impl<G: Game> Replayed<G> {
    fn new(number: u64) -> Self {
        Self { number, before: None, replayed: None, written: None, game: PhantomData }
    }

    /// Looks at a line before it is played.
    fn look(&mut self, table: Option<&Table<G::Rules>>, line: &LineOf<G::Rules>) {
        match line {
            Line::Deal(deal) => self.before = stacks_before(&deal.setup),
            Line::End(end) => {
                self.written = Some(end.outcome.result);
                self.replayed = table.and_then(Table::outcome).map(|outcome| outcome.result);
            }
            _ => {}
        }
    }

    fn result(&self, error: Option<FileError>) -> Hand {
        let stacks = |result: PerSeat<Chips>| -> Vec<Number> {
            let before = self.before.iter().flatten().copied().chain(std::iter::repeat(0));
            result.iter().zip(before).map(|(Chips(won), before)| won.saturating_add(before).into()).collect()
        };
        Hand {
            name: self.number.into(),
            game: G::NAME,
            stacks: self.replayed.map(stacks),
            expected: self.written.map(stacks),
            error,
        }
    }
}

/// The stacks before a deal. Setups are as different as the games are; those of games with stacks have
/// them under this name, also in a record.
fn stacks_before(setup: &impl Serialize) -> Option<Vec<i64>> {
    let setup = serde_json::to_value(setup).ok()?;
    setup.get("stacks")?.as_array()?.iter().map(serde_json::Value::as_i64).collect()
}
