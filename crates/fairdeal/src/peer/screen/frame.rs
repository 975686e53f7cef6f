//! What all pages of a private table have: a title, and lines across.

use ratatui::style::{Modifier, Style};
use ratatui::text::Line;

use crate::play::look::Sign;
use crate::play::page::{Page, width_of};

/// The first line of a page.
pub(super) fn title(page: &mut Page<'_>, left: &str, right: &str) {
    let width = page.area().width;
    let gap = usize::from(width.saturating_sub(width_of(left) + width_of(right)));
    let style = Style::new().add_modifier(Modifier::REVERSED | Modifier::BOLD);
    page.line(0, 0, width, Line::styled(format!("{left}{}{right}", " ".repeat(gap)), style));
}

/// A line across the first columns of the page.
pub(super) fn rule(page: &mut Page<'_>, y: u16, width: u16) {
    let look = page.look;
    page.line(0, y, width, Line::styled(look.sign(Sign::Line).repeat(usize::from(width)), look.dim()));
}
