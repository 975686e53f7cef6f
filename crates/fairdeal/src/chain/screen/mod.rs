//! A table of a chain, on the screens of `fairdeal play`.
//!
//! The [`Board`] knows no terminal: it hears what happens, is drawn, and says what a person wants. The loop around it is
//! here.

mod board;
mod drawn;
mod reacting;
#[cfg(test)]
mod tests;
mod words;

use std::io::Write;
use std::sync::mpsc::TryRecvError;
use std::time::{Duration, Instant};

use super::desk::{Desk, Told};
use crate::cli::LookArgs;
use crate::failure::Failure;
use crate::play::look::Look;
use crate::play::terminal::{self, Front};
use crate::{interrupt, locale};
use board::{Board, Wish};

pub(super) use words::{note_in_words, parting_in_words};

/// How long a key is waited for before there may be news.
const TICK: Duration = Duration::from_millis(50);
/// How often a page is drawn on which only the time changes.
const REDRAW: Duration = Duration::from_millis(250);
/// How long a change of the table stays on the screen.
const PACE: Duration = Duration::from_millis(600);

/// Plays, or watches, at a table on the screen, and says afterwards how to come back.
pub(super) fn run(
    desk: &Desk,
    table: u64,
    look: &LookArgs,
    way_back: &str,
    out: &mut impl Write,
) -> Result<(), Failure> {
    interrupt::listen_at_screen(terminal::leave);
    let look = Look::of(look.ascii, look.no_color, look.four_colors);
    let mut board = Board::new(look, PACE, table, way_back, Instant::now());
    let mut front = Front::take(&mut *out)?;
    let ended = at_table(desk, &mut board, &mut front);
    drop(front);
    ended?;
    for line in board.farewell() {
        writeln!(out, "{}", locale::shown(&line))?;
    }
    Ok(())
}

fn at_table<W: Write>(desk: &Desk, board: &mut Board, front: &mut Front<W>) -> Result<(), Failure> {
    let mut drawn: Option<Instant> = None;
    loop {
        loop {
            match desk.told.try_recv() {
                Ok(Told::Failed(why)) => return Err(why),
                Ok(told) => board.hear(told, Instant::now()),
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => break,
            }
        }
        let at = Instant::now();
        board.advance(at);
        if board.is_over(at) {
            return Ok(());
        }
        if board.is_stale() || drawn.is_none_or(|before| at.saturating_duration_since(before) >= REDRAW) {
            front.draw(|buffer, _| board.draw(buffer, at))?;
            drawn = Some(at);
        }
        match board.react(front.wait(TICK), Instant::now()) {
            None => {}
            Some(Wish::Want(want)) => desk.want(want),
            Some(Wish::Go) => return Ok(()),
        }
    }
}
