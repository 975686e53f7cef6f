//! Leaving a match: asked about first, because a key is pressed easily.

use std::io::Write;
use std::time::Duration;

use ratatui::text::Line;

use super::look::Look;
use super::page::Page;
use super::terminal::{Front, Happened};
use super::windows::{Reaction, Window};

/// The question, with the command that continues the match.
pub(super) fn question(way_back: &str) -> Window {
    let text =
        vec![Line::raw("Your match is saved. You can continue it at any time with"), Line::raw(way_back.to_owned())];
    Window::new("Leave the table?", text, "Enter leaves, any other key cancels")
}

/// Asks the question where no table is on the screen; whether they leave.
pub(super) fn is_sure<W: Write>(front: &mut Front<W>, look: Look, way_back: &str) -> bool {
    let mut window = question(way_back);
    loop {
        if front.draw(|buffer, _| window.draw(&mut Page::new(buffer, look, None))).is_err() {
            return true;
        }
        let happened = front.wait(Duration::from_secs(60));
        match window.answer(happened) {
            _ if happened == Happened::Stop => return true,
            Reaction::Agrees => return true,
            Reaction::Closes => return false,
            Reaction::Stays => {}
        }
    }
}
