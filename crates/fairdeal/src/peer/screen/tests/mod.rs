//! Matches of real players in one process, looked at on a screen that is only drawn.

mod fixture;
mod lobbies;
mod matches;
mod questions;

use std::time::{Duration, Instant};

use ratatui::buffer::{Buffer, Cell};
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;

use self::fixture::Place;
use super::board::{Board, Wish};
use crate::peer::desk::Want;
use crate::play::look::Look;
use crate::play::page::Page;
use crate::play::screen::Screen;
use crate::play::terminal::Happened;

/// Every sign and colour a terminal can have.
const RICH: Look = Look { ascii: false, color: true, four_colors: true };
/// The smallest terminal.
const SMALL: (u16, u16) = (80, 24);

/// A page as text, line by line.
fn lines(size: (u16, u16), draw: impl FnOnce(&mut Buffer)) -> Vec<String> {
    let mut buffer = Buffer::empty(Rect::new(0, 0, size.0, size.1));
    draw(&mut buffer);
    let rows = buffer.content.chunks(usize::from(size.0));
    rows.map(|row| row.iter().map(Cell::symbol).collect::<String>().trim_end().to_owned()).collect()
}

/// The same of a page without a buffer of its own.
fn page(size: (u16, u16), look: Look, draw: impl FnOnce(&mut Page<'_>)) -> Vec<String> {
    lines(size, |buffer| draw(&mut Page::new(buffer, look, None)))
}

/// A person in front of a screen, and everybody else at the table.
struct Person<G: Screen> {
    place: Place<G>,
    board: Board<G>,
    me: usize,
    at: Instant,
    size: (u16, u16),
    /// What the person has said to others.
    chatted: Vec<String>,
}

impl<G: Screen> Person<G> {
    fn new(place: Place<G>, me: usize, look: Look) -> Self {
        let at = Instant::now();
        let board = Board::new(look, Duration::ZERO, "fairdeal join --resume 3f1c", at);
        let mut person = Self { place, board, me, at, size: SMALL, chatted: Vec::new() };
        person.listen();
        person
    }

    /// The screen hears everything that has happened.
    fn listen(&mut self) {
        for told in self.place.told(self.me) {
            self.board.hear(told, self.at);
        }
        self.advance(Duration::ZERO);
    }

    /// Time passes in front of the screen.
    fn advance(&mut self, time: Duration) {
        self.at += time;
        if let Some(want) = self.board.advance(self.at) {
            self.carry_out(want);
        }
    }

    fn screen(&mut self) -> Vec<String> {
        lines(self.size, |buffer| self.board.draw(buffer, self.at))
    }

    fn text(&mut self) -> String {
        self.screen().join("\n")
    }

    /// Presses keys, one letter each.
    fn press(&mut self, keys: &str) {
        for key in keys.chars() {
            let key = match key {
                '\n' => KeyCode::Enter,
                '\u{1b}' => KeyCode::Esc,
                other => KeyCode::Char(other),
            };
            self.screen();
            match self.board.react(Happened::Key(key), self.at) {
                Some(Wish::Want(want)) => self.carry_out(want),
                Some(Wish::Go(after)) => panic!("{after:?}"),
                None => {}
            }
            self.advance(Duration::ZERO);
        }
    }

    fn carry_out(&mut self, want: Want<G>) {
        match want {
            Want::Decide(decided) => assert!(self.place.all[self.me].decide(decided), "a move on the screen is legal"),
            Want::Leave => self.place.all[self.me].leave(),
            Want::Chat(text) => self.chatted.push(text),
            Want::Abandon | Want::Again | Want::Quit => {}
        }
    }

    /// Others play until this person is asked or the match is over; whether they are asked.
    fn until_asked(&mut self) -> bool {
        for _ in 0..5_000 {
            self.place.settle();
            self.listen();
            if self.place.session(self.me).is_asked().is_some() {
                return true;
            }
            if self.place.session(self.me).ended().is_some() {
                return false;
            }
            // This person's only move may be on its way.
            assert!(self.place.others_decide(self.me) || self.place.step(), "nobody can go on");
        }
        panic!("the match does not go on")
    }
}
