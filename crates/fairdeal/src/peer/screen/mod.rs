//! The screens of private tables, on the screens of `fairdeal play`.
//!
//! - `lobby`: before a match; `invite`, `qr`: how others get in.
//! - `board`: a match; `status`: its line about the players' computers; `end`: how it ended.
//! - `telling`: what happens between computers, in plain words; `typing`: what people say to each other.
//!
//! Lobby and board know no terminal: they hear, are drawn, and say what a person wants. The loops around them are here.

mod board;
mod end;
mod frame;
mod invite;
mod lobby;
mod qr;
mod status;
mod telling;
#[cfg(test)]
mod tests;
mod typing;

use std::io::Write;
use std::sync::mpsc::TryRecvError;
use std::time::{Duration, Instant};

use super::desk::{Desk, Told};
use super::entrance::{Entrance, News};
use crate::cli::LookArgs;
use crate::failure::Failure;
use crate::play::look::Look;
use crate::play::page::Page;
use crate::play::screen::Screen;
use crate::play::terminal::{self, Front, Happened};
use crate::{interrupt, locale};
use board::{Board, Wish};

pub use board::After;

/// How long a key is waited for before there may be news.
const TICK: Duration = Duration::from_millis(50);
/// How often a page is drawn on which only the time changes.
const REDRAW: Duration = Duration::from_millis(250);

/// How long a change of the table stays on the screen.
const PACE: Duration = Duration::from_millis(700);

/// Plays, or watches, at a table on the screen, and says afterwards where everything is. Returns the ticket of a rematch
/// that this player wants to play.
pub(super) fn play(mut entrance: Entrance, look: &LookArgs, out: &mut impl Write) -> Result<Option<String>, Failure> {
    interrupt::listen_at_screen(terminal::leave);
    let look = Look::of(look.ascii, look.no_color, look.four_colors);
    let way_back = entrance.view().way_back;
    let mut front = Front::take(&mut *out)?;
    let opened = lobby(&mut entrance, &mut front, look)?;
    let game = entrance.begun();
    let (left, farewell) = match (opened, game) {
        (Opened::Begun, Some(game)) => games::with_game!(game, G => {
            at_table(entrance.sit::<G>()?, &mut front, look, PACE)?
        }),
        (Opened::Begun, None) => return Err(Failure::input("the game of this match is unknown")),
        (Opened::Closed, _) => (After::Quit, Vec::new()),
        (Opened::Left, _) => (After::Done, Vec::new()),
    };
    drop(front);
    for line in farewell {
        writeln!(out, "{}", locale::shown(&line))?;
    }
    match left {
        After::Quit => writeln!(out, "Your seat is kept. Continue with: {way_back}")?,
        After::Again(ticket) => return Ok(Some(ticket)),
        After::Done => {}
    }
    Ok(None)
}

/// How a lobby is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opened {
    /// The match begins.
    Begun,
    /// The person has given up their seat, or has only watched.
    Left,
    /// The person closes the program, and can come back.
    Closed,
}

/// Shows the lobby until the match begins or the person goes.
pub fn lobby<W: Write>(entrance: &mut Entrance, front: &mut Front<W>, look: Look) -> Result<Opened, Failure> {
    let mut lobby = lobby::Lobby::new(look);
    // The link is on the terminal's own screen.
    let mut copying = false;
    // A host who starts a match accepts it, too.
    let mut started = false;
    loop {
        for news in entrance.poll(Duration::ZERO)? {
            if news == News::Begun {
                if copying {
                    front.step_in()?;
                }
                return Ok(Opened::Begun);
            }
            lobby.hear(&news);
        }
        let mut view = entrance.view();
        if started && view.to_accept {
            entrance.accept();
            view = entrance.view();
        }
        if !copying {
            front.draw(|buffer, _| lobby.draw(&view, &mut Page::new(buffer, look, None)))?;
        }
        let happened = front.wait(TICK * 2);
        if copying && happened != Happened::Stop {
            if happened != Happened::Nothing {
                front.step_in()?;
                copying = false;
            }
            continue;
        }
        match lobby.react(happened, &view) {
            None => {}
            Some(lobby::Wish::Start) => {
                let done = entrance.start();
                started = done.is_ok();
                if let Err(why) = done {
                    lobby.refuse(&why);
                }
            }
            Some(lobby::Wish::Accept) => entrance.accept(),
            Some(lobby::Wish::Admit(knock)) => entrance.admit(knock)?,
            Some(lobby::Wish::TurnAway(knock)) => entrance.turn_away(knock),
            Some(lobby::Wish::Chat(text)) => match entrance.chat(&text) {
                Ok(()) => lobby.chat("You", &text),
                Err(why) => lobby.refuse(&why),
            },
            Some(lobby::Wish::Copy) => {
                front.step_out(&invite::copied(&view))?;
                copying = true;
            }
            Some(lobby::Wish::Leave) => {
                entrance.leave();
                return Ok(Opened::Left);
            }
            Some(lobby::Wish::Close) => return Ok(if view.me.is_some() { Opened::Closed } else { Opened::Left }),
        }
    }
}

/// Shows a match until the person goes; returns how, and what to tell them afterwards. A change of the table stays on
/// the screen for `pace` at least.
pub fn at_table<G: Screen, W: Write>(
    desk: Desk<G>,
    front: &mut Front<W>,
    look: Look,
    pace: Duration,
) -> Result<(After, Vec<String>), Failure> {
    let mut board = Board::<G>::new(look, pace, &desk.way_back, Instant::now());
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
        if let Some(want) = board.advance(at) {
            desk.want.send(want);
        }
        if let Some(ticket) = board.next() {
            return Ok((After::Again(ticket), board.farewell()));
        }
        if board.is_stale() || drawn.is_none_or(|before| at.saturating_duration_since(before) >= REDRAW) {
            front.draw(|buffer, _| board.draw(buffer, at))?;
            drawn = Some(at);
        }
        match board.react(front.wait(TICK), Instant::now()) {
            None => {}
            Some(Wish::Want(want)) => desk.want.send(want),
            Some(Wish::Go(after)) => return Ok((after, board.farewell())),
        }
    }
}
