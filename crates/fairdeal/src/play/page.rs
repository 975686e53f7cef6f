//! A page being drawn: where things go, and where a mouse or the arrow keys can go.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Widget as _, Wrap};
use table::Slot;

use super::look::Look;

/// Something on the page that can be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A card.
    Card(Slot),
    /// The button with this key.
    Button(char),
    /// A place that a game offers: a meld, an empty place.
    Place(u16),
}

/// Where a target is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot {
    /// Its area.
    pub area: Rect,
    /// What it is.
    pub target: Target,
}

/// A page being drawn.
pub struct Page<'a> {
    buffer: &'a mut Buffer,
    /// How it looks.
    pub look: Look,
    /// What the arrow keys stand on.
    pub focus: Option<Target>,
    /// What can be chosen.
    pub spots: Vec<Spot>,
}

impl<'a> Page<'a> {
    /// An empty page.
    pub fn new(buffer: &'a mut Buffer, look: Look, focus: Option<Target>) -> Self {
        Self { buffer, look, focus, spots: Vec::new() }
    }

    /// All of it.
    pub fn area(&self) -> Rect {
        self.buffer.area
    }

    fn inside(&self, area: Rect) -> Rect {
        area.intersection(self.area())
    }

    /// One line.
    pub fn line(&mut self, x: u16, y: u16, width: u16, line: impl Into<Line<'static>>) {
        self.lines(Rect::new(x, y, width, 1), vec![line.into()]);
    }

    /// Several lines, as many as fit; from the top.
    pub fn lines(&mut self, area: Rect, lines: Vec<Line<'static>>) {
        Paragraph::new(lines).render(self.inside(area), self.buffer);
    }

    /// A text whose long lines are broken, from a line on.
    pub fn wrapped(&mut self, area: Rect, lines: Vec<Line<'static>>, from: u16) {
        let text = Paragraph::new(lines).wrap(Wrap { trim: false }).scroll((from, 0));
        text.render(self.inside(area), self.buffer);
    }

    /// A border with a title around an emptied area; what is inside it.
    pub fn window(&mut self, title: impl Into<Line<'static>>, area: Rect) -> Rect {
        let area = self.inside(area);
        Clear.render(area, self.buffer);
        Block::bordered().border_set(self.look.border()).title(title).render(area, self.buffer);
        area.inner(ratatui::layout::Margin::new(1, 1))
    }

    /// Something here can be chosen.
    pub fn spot(&mut self, area: Rect, target: Target) {
        let area = self.inside(area);
        if !area.is_empty() {
            self.spots.push(Spot { area, target });
        }
    }

    /// A place of the game's own, drawn as this line; highlighted while the arrow keys stand on it.
    pub fn place(&mut self, area: Rect, place: u16, line: impl Into<Line<'static>>) {
        let mut line: Line<'static> = line.into();
        if self.focus == Some(Target::Place(place)) {
            line = line.patch_style(Style::new().add_modifier(Modifier::REVERSED));
        }
        self.lines(area, vec![line]);
        self.spot(area, Target::Place(place));
    }

    /// A card that can be chosen, as `[A♠]`; bright while marked, reversed while the arrow keys stand on it.
    pub fn card(&mut self, x: u16, y: u16, tile: super::screen::Tile, marked: bool) -> u16 {
        let look = self.look;
        let face = look.short(tile.card);
        let mut style = tile.card.map_or_else(|| look.dim(), |card| look.suit(card));
        if !tile.usable {
            style = style.patch(look.dim()).remove_modifier(Modifier::BOLD);
        }
        let (open, close) = if marked { (">", "<") } else { ("[", "]") };
        let mut around = if marked { look.bright() } else { look.dim() };
        if self.focus == Some(Target::Card(tile.slot)) {
            style = style.add_modifier(Modifier::REVERSED);
            around = around.add_modifier(Modifier::REVERSED);
        }
        let width = width_of(&face) + 2;
        let line = Line::from(vec![Span::styled(open, around), Span::styled(face, style), Span::styled(close, around)]);
        let area = Rect::new(x, y, width, 1);
        self.lines(area, vec![line]);
        self.spot(area, Target::Card(tile.slot));
        width
    }
}

/// How many columns a text takes.
pub fn width_of(text: &str) -> u16 {
    u16::try_from(Span::raw(text).width()).unwrap_or(u16::MAX)
}

/// What lies at a point, what was drawn last first.
pub fn at(spots: &[Spot], x: u16, y: u16) -> Option<Target> {
    spots.iter().rev().find(|spot| spot.area.contains(Position::new(x, y))).map(|spot| spot.target)
}

/// A direction of the arrow keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Upwards.
    Up,
    /// Downwards.
    Down,
}

/// Where the arrow keys go from here: the nearest in that direction; in a row, around its end to the next.
pub fn step(spots: &[Spot], from: Option<Target>, way: Way) -> Option<Target> {
    let Some(here) = from.and_then(|target| spots.iter().find(|spot| spot.target == target)) else {
        return spots.first().map(|spot| spot.target);
    };
    let middle = |area: Rect| (i32::from(area.x) * 2 + i32::from(area.width), i32::from(area.y));
    let (x, y) = middle(here.area);
    let at = spots.iter().position(|spot| spot.target == here.target).unwrap_or(0);
    let next = match way {
        Way::Left => spots.get(at.checked_sub(1).unwrap_or(spots.len() - 1)),
        Way::Right => spots.get((at + 1) % spots.len()),
        Way::Up | Way::Down => {
            let side = |spot: &&Spot| match way {
                Way::Up => middle(spot.area).1 < y,
                _ => middle(spot.area).1 > y,
            };
            let distance = |spot: &&Spot| {
                let (other_x, other_y) = middle(spot.area);
                ((other_y - y).abs(), (other_x - x).abs())
            };
            spots.iter().filter(side).min_by_key(distance)
        }
    };
    next.map(|spot| spot.target).or(from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spots() -> Vec<Spot> {
        let place = |n, x, y| Spot { area: Rect::new(x, y, 4, 1), target: Target::Place(n) };
        vec![place(0, 0, 0), place(1, 10, 0), place(2, 0, 5), place(3, 11, 5)]
    }

    #[test]
    fn arrows_go_to_the_nearest_and_around_the_end() {
        let spots = spots();
        let go = |from, way| step(&spots, Some(Target::Place(from)), way);
        assert_eq!(go(1, Way::Down), Some(Target::Place(3)));
        assert_eq!(go(3, Way::Up), Some(Target::Place(1)));
        assert_eq!(go(3, Way::Down), Some(Target::Place(3)), "there is nothing below");
        assert_eq!(go(3, Way::Right), Some(Target::Place(0)));
        assert_eq!(go(0, Way::Left), Some(Target::Place(3)));
        assert_eq!(step(&spots, None, Way::Left), Some(Target::Place(0)));
        assert_eq!(step(&[], None, Way::Left), None);
    }

    #[test]
    fn a_click_hits_what_lies_there() {
        assert_eq!(at(&spots(), 12, 0), Some(Target::Place(1)));
        assert_eq!(at(&spots(), 5, 0), None);
    }
}
