//! The middle of a table of Big-C: the hand to beat, the order of play, what is left to draw.

use games::bigc::{BigC, Did, Footstool};
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::super::look::Sign;
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
    if free.height >= 6
        && let Some(table) = &scene.view.table
    {
        let boxes = large(scene, table.cards.iter().map(|held| held.card));
        let top = free.y + (free.height - 5) / 2;
        page.lines(Rect::new(free.x, top, free.width, 3), boxes);
        page.line(free.x, top + 4, free.width, told(scene).centered());
        return;
    }
    let cards = match &scene.view.table {
        Some(table) => Line::from(look.row(table.cards.iter().map(|held| held.card))),
        None => Line::raw(""),
    };
    let lines = vec![cards.centered(), told(scene).centered()];
    let top = free.y + free.height.saturating_sub(2) / 2;
    page.lines(Rect::new(free.x, top, free.width, 2), lines);
}

/// Cards with boxes around them, three lines high.
fn large(scene: &Scene<'_, BigC>, cards: impl Iterator<Item = Option<cards::Card>>) -> Vec<Line<'static>> {
    let look = scene.look;
    let set = look.border();
    let mut rows: [Vec<Span<'static>>; 3] = Default::default();
    for card in cards {
        let mut face = look.face(card);
        let width = usize::from(width_of(&face.content)).max(2);
        while usize::from(width_of(&face.content)) < width {
            face.content.to_mut().push(' ');
        }
        let flat = |l: &str, m: &str, r: &str| Span::styled(format!("{l}{}{r} ", m.repeat(width + 2)), look.dim());
        let [top, middle, bottom] = &mut rows;
        top.push(flat(set.top_left, set.horizontal_top, set.top_right));
        middle.push(Span::styled(format!("{} ", set.vertical_left), look.dim()));
        middle.push(face);
        middle.push(Span::styled(format!(" {} ", set.vertical_right), look.dim()));
        bottom.push(flat(set.bottom_left, set.horizontal_bottom, set.bottom_right));
    }
    rows.map(|spans| Line::from(spans).centered()).into()
}

/// What lies on the table, or what is being done.
fn told(scene: &Scene<'_, BigC>) -> Line<'static> {
    let (view, look) = (scene.view, scene.look);
    let says = match (view.phase, &view.table, view.turn) {
        ("choosing" | "showing", ..) => {
            return Line::raw("Who begins? Everybody shows a card; the lowest plays first, equal cards show again.");
        }
        ("lots", ..) => "Lots are drawn for the order of play.".to_owned(),
        (_, Some(table), _) => {
            let name = hands::on_table(scene).map_or_else(|| table.text.clone(), |hand| hands::name(scene, &hand));
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

/// Stock, pile, the last footstool.
fn piles(scene: &Scene<'_, BigC>) -> Line<'static> {
    let (view, look) = (scene.view, scene.look);
    let mut spans = vec![text(format!("Stock {}    Pile {}", view.stock, view.pile))];
    if let Some(stool) = view.last_footstool {
        let kind = if stool.kind == Footstool::Full { "full" } else { "half" };
        let (by, of) = (scene.who(stool.by), scene.who(stool.of));
        let says = format!("    Last footstool: {by} on {of}, {kind} ({} drawn)", stool.drawn);
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
        let gap = if n == view.order.len() { "" } else { " > " };
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
