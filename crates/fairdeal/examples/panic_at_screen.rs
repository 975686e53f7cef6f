//! Takes the terminal over, shows a card and panics: what a user would see if the program had such a mistake.

#![allow(clippy::panic, reason = "that is what it is for")]

use fairdeal::play::terminal::Front;
use ratatui::text::Line;
use ratatui::widgets::Widget as _;

fn main() {
    let mut front = Front::take(std::io::stdout()).expect("a terminal");
    front.draw(|buffer, area| Line::raw("A♠ your turn").render(area, buffer)).expect("a screen");
    panic!("a mistake in the program");
}
