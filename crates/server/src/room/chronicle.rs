//! The log of a match in words, for the people at the table.

use std::collections::VecDeque;

use table::Seat;

use crate::lang::Said;

/// The log of a match, in words that everybody may read.
#[derive(Default)]
pub(crate) struct Chronicle {
    lines: VecDeque<Told>,
    /// The number of lines so far, so that readers can ask for the new ones.
    told: u64,
}

/// A line of the log.
#[derive(Clone, Debug)]
pub enum Told {
    /// A deal began.
    Deal(u32),
    /// A seat did something, or something happened.
    Line(Option<Seat>, Said),
}

/// The most lines that are kept.
const MOST: usize = 400;

impl Chronicle {
    /// A deal begins.
    pub(super) fn deal(&mut self, number: u32) {
        self.push(Told::Deal(number));
    }

    /// A line.
    pub(super) fn say(&mut self, seat: Option<Seat>, said: Said) {
        self.push(Told::Line(seat, said));
    }

    fn push(&mut self, line: Told) {
        if self.lines.len() >= MOST {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
        self.told += 1;
    }

    /// The lines, with their numbers.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (u64, &Told)> {
        let first = self.told - u64::try_from(self.lines.len()).unwrap_or(self.told);
        (first..).zip(&self.lines)
    }
}
