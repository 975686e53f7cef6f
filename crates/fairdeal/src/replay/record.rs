//! Our own records: JSON Lines, read as a stream.
//!
//! A record that has a mistake is given up at the line where it is found, since what follows hangs on it;
//! reading goes on with the next record of the file.

use std::io::{BufRead, Write};
use std::marker::PhantomData;

use serde::Serialize;
use serde_json::Number;
use table::record::{Line, Reader, Step, Trouble};
use table::{Chips, Game, PerSeat, Table};

use super::report::{FileError, Hand, Report};
use super::trace::{LineOf, Trace};
use crate::failure::Failure;
use crate::records::Records;

/// Replays every record in the stream.
pub fn replay(input: impl BufRead, report: &mut Report<impl Write>) -> Result<(), Failure> {
    let mut lines = Records::new(input);
    let mut any = false;
    loop {
        let found = lines.next_record();
        if matches!(found, Ok(None)) {
            break;
        }
        any = true;
        report.begin_record();
        match found {
            Ok(Some(game)) => games::with_game!(game, G => replay_record::<G, _>(&mut lines, report))?,
            Ok(None) => {}
            Err(error) => report.file_error(&error)?,
        }
    }
    if !any {
        report.file_error(&FileError::new(0, "the file is empty: a record begins with a header line"))?;
    }
    report.end_file()
}

/// Replays the record whose header has been found.
fn replay_record<G: Game, R: BufRead>(source: &mut Records<R>, report: &mut Report<impl Write>) -> Result<(), Failure> {
    let mut reader = Reader::<G>::new();
    let header = source.take_header();
    if let Err(trouble) = reader.line(&header) {
        source.give_up();
        return report.file_error(&FileError::new(source.number(), trouble));
    }
    let mut hand = Replayed::<G>::new(1);
    let mut trace = report.traces().then(Trace::new);
    loop {
        match source.advance() {
            Ok(true) => {}
            Ok(false) if reader.is_between_deals() => return Ok(()),
            Ok(false) => {
                let error = FileError::new(source.number(), "the record ends before the deal does");
                return report.hand(&hand.result(Some(error)));
            }
            Err(error) if reader.is_between_deals() => return report.damaged(hand.number - 1, &error),
            Err(error) => return report.hand(&hand.result(Some(error))),
        }
        let line = source.number();
        // What follows a whole deal and is no deal itself belongs to none.
        let beside = reader.is_between_deals() && !source.text().trim_start().starts_with("{\"deal\"");
        let step = reader.line_with(source.text(), |table, line| {
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
                    report.input(trace.start(hand.number, table))?;
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
            Err(trouble) if beside => {
                source.give_up();
                return report.damaged(hand.number - 1, &FileError::new(line, trouble));
            }
            Err(trouble) => {
                let goes_on = matches!(
                    trouble,
                    Trouble::OutcomeDiffers { .. } | Trouble::HashDiffers { .. } | Trouble::StandingDiffers
                );
                report.hand(&hand.result(Some(FileError::new(line, trouble))))?;
                if !goes_on {
                    source.give_up();
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
            stacks: self.replayed.map(stacks),
            expected: self.written.map(stacks),
            error,
            ..Hand::unplayed(self.number.into(), G::NAME)
        }
    }
}

/// The stacks before a deal. Setups are as different as the games are; those of games with stacks have
/// them under this name, also in a record.
fn stacks_before(setup: &impl Serialize) -> Option<Vec<i64>> {
    let setup = serde_json::to_value(setup).ok()?;
    setup.get("stacks")?.as_array()?.iter().map(serde_json::Value::as_i64).collect()
}
