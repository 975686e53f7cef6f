//! Windows over the screen: the rules, a hint, the log, a question.

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use super::look::{Look, Sign};
use super::page::{Page, width_of};
use super::terminal::Happened;

/// A window with text that can be scrolled.
#[derive(Clone, Debug)]
pub struct Window {
    title: String,
    lines: Vec<Line<'static>>,
    /// What can be pressed, at its lower edge.
    keys: String,
    from: u16,
    /// How wide it likes to be.
    width: u16,
}

/// What a window does with a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reaction {
    /// It stays open.
    Stays,
    /// It closes.
    Closes,
    /// It closes, and what it offers is wanted.
    Agrees,
}

impl Window {
    /// A window.
    pub fn new(title: impl Into<String>, lines: Vec<Line<'static>>, keys: impl Into<String>) -> Self {
        Self { title: title.into(), lines, keys: keys.into(), from: 0, width: 76 }
    }

    /// The same, showing the end of its text first.
    #[must_use]
    pub fn at_end(mut self) -> Self {
        self.from = u16::MAX;
        self
    }

    /// The rules of a game, from its text.
    pub fn rules(title: &str, text: &str, look: Look) -> Self {
        let line = |line: &str| match line.strip_prefix("# ") {
            Some(heading) => Line::styled(look.plain(heading), look.bright()),
            None => Line::raw(look.plain(line)),
        };
        Self::new(format!("The rules of {title}"), text.lines().map(line).collect(), "arrows scroll, Esc closes")
    }

    /// Draws it in the middle of the page.
    pub fn draw(&mut self, page: &mut Page<'_>) {
        let all = page.area();
        let width = self.width.min(all.width.saturating_sub(2));
        let inside_width = width.saturating_sub(4).max(1);
        let wrapped: u16 = self.lines.iter().map(|line| lines_of(line, inside_width)).fold(0, u16::saturating_add);
        let height = (wrapped + 2).min(all.height.saturating_sub(2)).max(3);
        let area = Rect::new((all.width - width) / 2, (all.height - height) / 2, width, height);
        let look = page.look;
        let title = Line::styled(format!(" {} ", look.plain(&self.title)), look.bright());
        let inside = page.window(title, area);
        let most = wrapped.saturating_sub(inside.height);
        self.from = self.from.min(most);
        let text = Rect::new(inside.x + 1, inside.y, inside_width, inside.height);
        page.wrapped(text, self.lines.clone(), self.from);
        let more = if most > self.from { format!("{} more below ", look.sign(Sign::Ellipsis)) } else { String::new() };
        let keys = look.plain(&format!(" {more}{} ", self.keys));
        let x = area.right().saturating_sub(width_of(&keys) + 2).max(area.x + 1);
        let style = look.key().remove_modifier(Modifier::BOLD);
        page.line(x, area.bottom() - 1, width_of(&keys), Line::from(Span::styled(keys, style)));
    }

    /// What a window that only informs does with what happened.
    pub fn react(&mut self, happened: Happened) -> Reaction {
        match happened {
            Happened::Key(KeyCode::Down | KeyCode::Char('j')) => self.scroll(1),
            Happened::Key(KeyCode::Up | KeyCode::Char('k')) => self.scroll(-1),
            Happened::Key(KeyCode::PageDown | KeyCode::Char(' ')) => self.scroll(10),
            Happened::Key(KeyCode::PageUp) => self.scroll(-10),
            Happened::Key(KeyCode::Home) => self.scroll(i16::MIN),
            Happened::Key(KeyCode::End) => self.scroll(i16::MAX),
            Happened::Wheel(lines) => self.scroll(lines),
            Happened::Key(KeyCode::Enter) => return Reaction::Agrees,
            Happened::Key(_) | Happened::Click(..) => return Reaction::Closes,
            Happened::Nothing | Happened::Stop => {}
        }
        Reaction::Stays
    }

    /// What a window that asks does with what happened: Enter and `y` agree.
    pub fn answer(&mut self, happened: Happened) -> Reaction {
        match happened {
            Happened::Key(KeyCode::Char('y' | 'Y')) => Reaction::Agrees,
            other => self.react(other),
        }
    }

    fn scroll(&mut self, lines: i16) {
        self.from = self.from.saturating_add_signed(lines);
    }
}

/// How many lines a line takes in this width. Words are not broken, so this may be one too few for odd texts;
/// the count errs on the side of more.
pub fn lines_of(line: &Line<'_>, width: u16) -> u16 {
    let text: String = line.spans.iter().map(|span| span.content.as_ref()).collect();
    let (mut lines, mut used) = (1u16, 0u16);
    for word in text.split(' ') {
        let wide = width_of(word);
        if used > 0 && used + 1 + wide > width {
            lines = lines.saturating_add(1);
            used = wide;
        } else {
            used += wide + u16::from(used > 0);
        }
        while used > width {
            lines = lines.saturating_add(1);
            used -= width;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_counted_as_they_are_broken() {
        assert_eq!(lines_of(&Line::raw("one two three"), 20), 1);
        assert_eq!(lines_of(&Line::raw("one two three"), 7), 2);
        assert_eq!(lines_of(&Line::raw(""), 7), 1);
        assert_eq!(lines_of(&Line::raw("abcdefghij"), 4), 3);
    }

    #[test]
    fn a_window_scrolls_within_its_text_and_closes_on_any_other_key() {
        let mut window = Window::new("t", vec![Line::raw("a"); 50], "Esc");
        assert_eq!(window.react(Happened::Key(KeyCode::Up)), Reaction::Stays);
        assert_eq!(window.from, 0);
        window.react(Happened::Key(KeyCode::End));
        let mut buffer = ratatui::buffer::Buffer::empty(Rect::new(0, 0, 80, 24));
        window.draw(&mut Page::new(&mut buffer, Look { ascii: true, color: false, four_colors: false }, None));
        assert_eq!(window.from, 30);
        assert_eq!(window.react(Happened::Key(KeyCode::Enter)), Reaction::Agrees);
        assert_eq!(window.react(Happened::Key(KeyCode::Char('x'))), Reaction::Closes);
    }
}
