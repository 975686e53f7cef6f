//! A line that somebody types to the others at the table.

use ratatui::crossterm::event::KeyCode;
use ratatui::text::{Line, Span};

use crate::play::look::{Look, Sign};
use crate::play::page::width_of;
use crate::play::screen::does;
use crate::play::terminal::Happened;

/// The key that begins a line. Not a letter: those belong to the games.
pub(super) const KEY: char = '/';

/// The longest line, in bytes.
pub(super) const MOST: usize = 240;

/// A line being typed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Typing(String);

/// What came of a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Typed {
    /// The line is not finished.
    Goes,
    /// This is to be said.
    Said(String),
    /// Nothing is to be said.
    Nothing,
}

impl Typing {
    /// Another key.
    pub(super) fn react(&mut self, happened: Happened, most: usize) -> Typed {
        match happened {
            Happened::Key(KeyCode::Enter) => {
                let said = self.0.trim();
                return if said.is_empty() { Typed::Nothing } else { Typed::Said(said.to_owned()) };
            }
            Happened::Key(KeyCode::Esc) => return Typed::Nothing,
            Happened::Key(KeyCode::Backspace) => {
                self.0.pop();
            }
            Happened::Key(KeyCode::Char(c)) if !c.is_control() && self.0.len() + c.len_utf8() <= most => self.0.push(c),
            Happened::Key(_) | Happened::Click(..) | Happened::Wheel(_) | Happened::Nothing | Happened::Stop => {}
        }
        Typed::Goes
    }

    /// The line as it is shown; of a long one, its end.
    pub(super) fn line(&self, look: Look, width: u16) -> Line<'static> {
        let (prompt, keys) = (" You say: ", "   Enter sends, Esc cancels");
        let room = usize::from(width.saturating_sub(width_of(prompt) + width_of(keys) + 4));
        let mut shown: Vec<char> = Vec::new();
        for c in self.0.chars().rev() {
            shown.push(c);
            let text: String = shown.iter().collect();
            if usize::from(width_of(&text)) > room {
                shown.pop();
                break;
            }
        }
        let whole = shown.len() == self.0.chars().count();
        let text: String = shown.into_iter().rev().collect();
        let more = if whole { "" } else { look.sign(Sign::Ellipsis) };
        Line::from(vec![
            Span::styled(prompt, look.bright()),
            Span::raw(format!("{more}{}", look.plain(&text))),
            Span::styled("_", look.bright()),
            Span::styled(keys, look.dim()),
        ])
    }
}

/// A line of the log with what somebody said.
pub(super) fn said(look: Look, from: &str, text: &str) -> Line<'static> {
    let says = does(&harmless(from), "says", "say");
    let says = Span::styled(look.plain(&format!("{says}: ")), look.good());
    Line::from(vec![says, Span::raw(look.plain(&harmless(text)))])
}

/// What somebody else said, without anything that could steer a terminal.
pub(super) fn harmless(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::testing::PLAIN;

    fn typed(keys: &str) -> (Typing, Vec<Typed>) {
        let mut typing = Typing::default();
        let done = keys.chars().map(|c| {
            let key = match c {
                '\n' => KeyCode::Enter,
                '<' => KeyCode::Backspace,
                '!' => KeyCode::Esc,
                other => KeyCode::Char(other),
            };
            typing.react(Happened::Key(key), 12)
        });
        let done = done.collect();
        (typing, done)
    }

    #[test]
    fn a_line_is_typed_corrected_and_said() {
        let (_, done) = typed(" hellp<o \n");
        assert_eq!(done.last(), Some(&Typed::Said("hello".to_owned())));
        assert_eq!(typed("  \n").1.last(), Some(&Typed::Nothing), "blanks are not said");
        assert_eq!(typed("no!").1.last(), Some(&Typed::Nothing));
        assert_eq!(typed("0123456789abcdef").0.0, "0123456789ab", "no more than there is room for");
    }

    #[test]
    fn of_a_long_line_the_end_is_shown() {
        let mut typing = Typing::default();
        for c in "the quick brown fox jumps over the lazy dog, again and again".chars() {
            typing.react(Happened::Key(KeyCode::Char(c)), 200);
        }
        let line = typing.line(PLAIN, 80);
        assert!(line.width() <= 80, "{line}");
        let line = line.to_string();
        assert!(line.contains("...") && line.contains("again and again_   Enter sends"), "{line}");
    }

    #[test]
    fn what_others_say_cannot_steer_the_terminal() {
        assert_eq!(harmless("a\u{1b}[2Jb\nc"), "a [2Jb c");
    }
}
