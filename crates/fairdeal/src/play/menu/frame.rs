//! What the list of games and the form have in common: a window whose lines are chosen with arrows.

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::play::page::{Page, Spot};
use crate::play::terminal::Happened;

/// The widest that is good to read.
pub(super) const WIDEST: u16 = 96;

/// To another line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// To the next one.
    Down,
    /// To the one before.
    Up,
}

impl Way {
    /// Where a key or the wheel leads, if to another line.
    pub(super) fn of(happened: Happened) -> Option<Self> {
        match happened {
            Happened::Key(KeyCode::Down | KeyCode::Char('j') | KeyCode::Tab) | Happened::Wheel(1..) => Some(Self::Down),
            Happened::Key(KeyCode::Up | KeyCode::Char('k') | KeyCode::BackTab) | Happened::Wheel(_) => Some(Self::Up),
            Happened::Key(_) | Happened::Click(..) | Happened::Stop | Happened::Nothing => None,
        }
    }

    /// The line reached from this one of so many, round and round.
    pub(super) fn from(self, at: usize, count: usize) -> usize {
        match self {
            Self::Down if at + 1 < count => at + 1,
            Self::Down => 0,
            Self::Up => at.checked_sub(1).unwrap_or(count.saturating_sub(1)),
        }
    }
}

/// A window in the middle of the page.
pub(super) struct Frame {
    place: Rect,
    /// The room for its lines.
    pub(super) inside: Rect,
}

impl Frame {
    /// Draws one for so many lines, as far as there is room.
    pub(super) fn new(page: &mut Page<'_>, title: &str, lines: u16) -> Self {
        let (all, look) = (page.area(), page.look);
        let (width, height) = (all.width.min(WIDEST), lines.saturating_add(2).min(all.height));
        let place = Rect::new((all.width - width) / 2, (all.height - height) / 2, width, height);
        let inside = page.window(Line::styled(format!(" {} ", look.plain(title)), look.bright()), place);
        Self { place, inside }
    }

    /// Too narrow for many words?
    pub(super) const fn is_narrow(&self) -> bool {
        self.place.width < 70
    }

    /// Says on the lower edge what keys do. The places that can be chosen are handed over.
    pub(super) fn close(self, page: &mut Page<'_>, keys: &'static str) -> Vec<Spot> {
        let Rect { x, width, .. } = self.place;
        let below = self.place.bottom().saturating_sub(1);
        page.line(x + 2, below, width.saturating_sub(4), Line::styled(keys, page.look.key()));
        std::mem::take(&mut page.spots)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_chosen_round_and_round() {
        assert_eq!([0, 1, 2].map(|at| Way::Down.from(at, 3)), [1, 2, 0]);
        assert_eq!([0, 1, 2].map(|at| Way::Up.from(at, 3)), [2, 0, 1]);
        assert_eq!([Way::Down, Way::Up].map(|way| way.from(0, 0)), [0, 0]);
    }
}
