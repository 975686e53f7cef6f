//! The middle of a table of Big-C: the hand to beat, the order of play, what is left to draw.

use games::bigc::{BigC, Did, Footstool};
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::super::look::{Sign, side_by_side};
use super::super::page::{Page, width_of};
use super::super::screen::{Scene, text};
use super::hands;

/// How many lines it needs at least.
pub(super) fn height(scene: &Scene<'_, BigC>, width: u16) -> u16 {
    4 + u16::try_from(order(scene, width).len()).unwrap_or(1)
}

/// Draws it.
pub(super) fn draw(scene: &Scene<'_, BigC>, page: &mut Page<'_>, area: Rect) {
    let look = scene.look;
    let inside = Rect::new(area.x + 1, area.y, area.width.saturating_sub(2), area.height);
    let order = order(scene, inside.width);
    let orders = u16::try_from(order.len()).unwrap_or(1);
    page.line(inside.x, inside.y, inside.width, piles(scene));
    let below = Rect::new(inside.x, inside.bottom().saturating_sub(orders), inside.width, orders);
    page.lines(below, order);
    let free = Rect::new(inside.x, inside.y + 1, inside.width, inside.height.saturating_sub(1 + orders));
    let Some(table) = &scene.view.table else {
        page.line(free.x, free.y + free.height.saturating_sub(1) / 2, free.width, told(scene).centered());
        return;
    };
    let faces = || table.cards.iter().map(|held| held.card);
    // As large as there is room for: cards of five lines, of three, of one; at worst beside their name.
    let (cards, gap) = match free.height {
        8.. => (side_by_side(faces().map(|card| look.big(card)), " "), 1),
        4..8 => (side_by_side(faces().map(|card| look.tall(card)), ""), 0),
        2..4 => (vec![Line::from(look.row(faces())).centered()], 0),
        0..2 => {
            let mut line = Line::from(look.row(faces()));
            line.push_span(text("  "));
            line.extend(told(scene));
            return page.line(free.x, free.y, free.width, line.centered());
        }
    };
    let height = u16::try_from(cards.len()).unwrap_or(1);
    let top = free.y + free.height.saturating_sub(height + gap + 1) / 2;
    page.lines(Rect::new(free.x, top, free.width, height), cards);
    page.line(free.x, top + height + gap, free.width, told(scene).centered());
}

/// What lies on the table, or what is being done.
fn told(scene: &Scene<'_, BigC>) -> Line<'static> {
    let (view, look) = (scene.view, scene.look);
    let says = match (view.phase, &view.table, view.turn) {
        ("choosing" | "showing", ..) => {
            return Line::raw("Everybody shows a card: the lowest plays first.");
        }
        ("lots", ..) => "Drawing lots for the order of play.".to_owned(),
        (_, Some(table), _) => {
            let name = table.hand().map_or_else(|| table.text.clone(), |hand| hands::name(scene, &hand));
            let mut spans = vec![Span::styled(look.plain(&name), look.bright())];
            spans.push(text(look.plain(&format!(" by {}", scene.who(table.by)))));
            return Line::from(spans);
        }
        (_, None, Some(turn)) if scene.eye.is(turn) => "You lead: play 1, 2, 3 or 5 cards.".to_owned(),
        (_, None, Some(turn)) => format!("{} leads.", scene.name(turn)),
        (_, None, None) => String::new(),
    };
    Line::raw(look.plain(&says))
}

/// Draw pile, played cards, the last footstool.
fn piles(scene: &Scene<'_, BigC>) -> Line<'static> {
    let (view, look) = (scene.view, scene.look);
    let mut spans = vec![text(format!("Draw pile {}    Played {}", view.stock, view.pile))];
    if let Some(stool) = view.last_footstool {
        let kind = if stool.kind == Footstool::Full { "full" } else { "half" };
        let (by, of) = (scene.who(stool.by), scene.who(stool.of));
        let says = format!("    Last {kind} footstool: {by} on {of} ({} drawn)", stool.drawn);
        spans.push(Span::styled(look.plain(&says), look.dim()));
    }
    Line::from(spans)
}

/// The order of play, in as many lines as it takes: whose turn it is, who has passed.
fn order(scene: &Scene<'_, BigC>, width: u16) -> Vec<Line<'static>> {
    let (view, look) = (scene.view, scene.look);
    if matches!(view.phase, "dealing" | "choosing" | "showing" | "lots") {
        return vec![Line::raw("")];
    }
    let mut lines = vec![vec![Span::styled("Order ", look.dim())]];
    let mut used = 6;
    for (seat, n) in view.order.iter().zip(1..) {
        let player = view.players.get(usize::from(seat.index()));
        let passed = player.is_some_and(|player| player.passed || player.did == Did::Passed);
        let turn = view.turn == Some(*seat);
        let name = look.plain(scene.who(*seat));
        let (shown, style) = match (turn, passed) {
            (true, _) => (format!("{}{name}", look.sign(Sign::Turn)), look.bright()),
            (false, true) => (format!("({name})"), look.dim()),
            (false, false) => (name, ratatui::style::Style::new()),
        };
        let gap = if n == view.order.len() { "" } else { ", " };
        let wide = width_of(&shown) + width_of(gap);
        if used + wide > width {
            lines.push(vec![Span::raw("      ")]);
            used = 6;
        }
        used += wide;
        if let Some(line) = lines.last_mut() {
            line.push(Span::styled(shown, style));
            line.push(Span::styled(gap, look.dim()));
        }
    }
    lines.into_iter().map(Line::from).collect()
}
