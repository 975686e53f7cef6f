//! The middle of the table in Blackout: trump, bids, the trick, and the one before it.

use cards::Card;
use games::blackout::{Blackout, Would};
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use table::{Seat, Seats};

use super::{counted, player, suit_sign};
use crate::play::drawing::shorten;
use crate::play::look::Sign;
use crate::play::page::Page;
use crate::play::screen::{Scene, Tile, text};

/// How large cards are drawn, in lines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Size {
    Brackets = 1,
    Box = 3,
    Big = 5,
}

/// Draws it: a line of facts, what lies before each player in the order of play, and the last trick.
pub(super) fn draw(scene: &Scene<'_, Blackout>, page: &mut Page<'_>, area: Rect) {
    let size = match area.height {
        0..5 => return,
        5..8 => Size::Brackets,
        8..13 => Size::Box,
        _ => Size::Big,
    };
    let gap = u16::from(area.height > 5) + 2 * u16::from(size == Size::Big);
    // Facts, names, cards, what is below them, the last trick.
    let used = 4 + size as u16 + gap;
    let top = area.y + area.height.saturating_sub(used) / 2;
    page.lines(Rect::new(area.x, top, area.width, 1), vec![facts(scene).centered()]);
    let first = top + 1 + u16::from(gap > 0);
    cells(scene, page, Rect::new(area.x, first, area.width, 2 + size as u16), size);
    let last = top + used.saturating_sub(1);
    page.lines(Rect::new(area.x, last, area.width, 1), vec![below(scene).centered()]);
}

/// What a card would do, for a player who thinks of playing it.
pub(super) fn would_do(scene: &Scene<'_, Blackout>, tile: Tile) -> Line<'static> {
    let (view, look) = (scene.view, scene.look);
    if !tile.usable {
        let sign = view.led().map(|suit| suit_sign(look, suit)).unwrap_or_default();
        return Line::styled(format!("You must follow suit: {sign}."), look.bad());
    }
    let Some(card) = tile.card else { return Line::default() };
    let name = scene.card(Some(card));
    let held = |(seat, card): (Seat, Card)| format!("{}'s {}", look.plain(scene.name(seat)), scene.card(Some(card)));
    match view.would(card) {
        Would::Lead => Line::raw(format!("{name} leads.")),
        Would::Win { over, last } => {
            let takes = if last { "takes the trick" } else { "is the best card so far" };
            Line::styled(format!("{name} {takes}, beating {}.", held(over)), look.good())
        }
        Would::Lose { to } => Line::raw(format!("{name} loses to {}.", held(to))),
    }
}

/// Trump, which trick it is, and how the bids compare with the tricks.
fn facts(scene: &Scene<'_, Blackout>) -> Line<'static> {
    let (view, look) = (scene.view, scene.look);
    let dot = format!("   {}   ", look.sign(Sign::Dot));
    if matches!(view.phase, "rolling" | "dealing") {
        return Line::styled("Dealing the cards.", look.dim());
    }
    let mut spans = match view.trump {
        Some(card) => vec![text("Trump "), look.face(Some(card))],
        None => vec![text("No trump")],
    };
    let taken: u32 = view.players.iter().map(|player| u32::from(player.won)).sum();
    let cards = u32::from(view.cards);
    if view.phase == "playing" {
        spans.push(text(format!("{dot}Trick {} of {cards}", (taken + 1).min(cards))));
    }
    let bids: Option<Vec<u32>> = view.players.iter().map(|player| player.bid.map(u32::from)).collect();
    if let Some(bids) = bids {
        let sum: u32 = bids.iter().sum();
        spans.push(text(format!("{dot}{sum} bid for {}", counted(cards, "trick"))));
    }
    Line::from(spans)
}

/// What is shown of one player in the middle.
struct Cell {
    name: String,
    mine: bool,
    card: Option<Card>,
    /// Instead of a card.
    says: String,
    below: &'static str,
    best: bool,
}

/// Before each player in the order of play: the card they played, or their bid.
fn cells(scene: &Scene<'_, Blackout>, page: &mut Page<'_>, area: Rect, size: Size) {
    let look = scene.look;
    let cells = arranged(scene);
    let Ok(count) = u16::try_from(cells.len()) else { return };
    if count == 0 {
        return;
    }
    let width = (area.width / count).min(if size == Size::Big { 20 } else { 16 });
    let left = area.x + (area.width - width * count) / 2;
    let lines = size as u16;
    for (cell, n) in cells.iter().zip(0u16..) {
        let x = left + n * width;
        let place = |y| Rect::new(x, area.y + y, width.saturating_sub(1), 1);
        let name = shorten(&look.plain(&cell.name), usize::from(width.saturating_sub(2)), look.sign(Sign::Ellipsis));
        let style = match (cell.best, cell.mine) {
            (true, _) => look.bright(),
            (false, true) => look.bold(),
            (false, false) => ratatui::style::Style::new(),
        };
        page.lines(place(0), vec![Line::styled(name, style).centered()]);
        let (wide, drawn) = match (cell.card, size) {
            (None, _) => (0, Vec::new()),
            (card, Size::Brackets) => (look.width(card), vec![Line::from(look.boxed(card).to_vec())]),
            (card, Size::Box) => (look.width(card), look.tall(card)),
            (card, Size::Big) => (7, look.big(card)),
        };
        if drawn.is_empty() {
            page.lines(place(1 + lines / 2), vec![Line::styled(cell.says.clone(), look.dim()).centered()]);
        } else {
            let inset = width.saturating_sub(1 + wide) / 2;
            page.lines(Rect::new(x + inset, area.y + 1, wide, lines), drawn);
        }
        let star = if cell.best { format!("{} ", look.sign(Sign::Star)) } else { String::new() };
        let style = if cell.best { look.bright() } else { look.dim() };
        page.lines(place(1 + lines), vec![Line::styled(format!("{star}{}", cell.below), style).centered()]);
    }
}

fn arranged(scene: &Scene<'_, Blackout>) -> Vec<Cell> {
    let view = scene.view;
    let all = Seats::first(scene.names.players());
    let cell = |seat: Seat| Cell {
        name: scene.name(seat).to_owned(),
        mine: scene.eye.is(seat),
        card: None,
        says: scene.look.sign(Sign::Dot).to_owned(),
        below: "",
        best: false,
    };
    match view.phase {
        "bidding" => {
            let first = view.dealer.map(|dealer| dealer.left(scene.names.players())).unwrap_or_default();
            let bids = all.clockwise_from(first).map(|seat| Cell {
                says: match player(view, seat).and_then(|player| player.bid) {
                    Some(bid) => format!("bid {bid}"),
                    None if view.turn == Some(seat) => "?".to_owned(),
                    None => scene.look.sign(Sign::Dot).to_owned(),
                },
                below: if view.dealer == Some(seat) { "dealer" } else { "" },
                ..cell(seat)
            });
            bids.collect()
        }
        "playing" | "over" => {
            // Between two tricks the last one stays on the table.
            let complete = view.trick.is_empty();
            let trick = if complete { &view.last_trick } else { &view.trick };
            let leader = trick.first().map(|(seat, _)| *seat).or(view.turn).unwrap_or_default();
            let best = view.best(trick).map(|(seat, _)| seat);
            let cells = all.clockwise_from(leader).map(|seat| Cell {
                card: trick.iter().find(|(who, _)| *who == seat).map(|(_, card)| *card),
                below: match (best == Some(seat), complete) {
                    (true, true) => "takes it",
                    (true, false) => "best",
                    (false, _) if seat == leader && !trick.is_empty() => "led",
                    (false, _) => "",
                },
                best: best == Some(seat),
                ..cell(seat)
            });
            cells.collect()
        }
        _ => Vec::new(),
    }
}

/// Below the trick: the one before, or who is to lead.
fn below(scene: &Scene<'_, Blackout>) -> Line<'static> {
    let (view, look) = (scene.view, scene.look);
    if view.phase == "bidding" {
        return Line::styled("How many tricks will each player take?", look.dim());
    }
    if view.phase == "playing" && view.trick.is_empty() {
        let Some(seat) = view.turn else { return Line::default() };
        let (name, leads) = if scene.eye.is(seat) { ("You", "lead") } else { (scene.name(seat), "leads") };
        let what = if view.last_trick.is_empty() { "the first trick" } else { "the next trick" };
        return Line::styled(look.plain(&format!("{name} {leads} {what}.")), look.dim());
    }
    if view.phase == "over" || view.last_trick.is_empty() {
        return Line::default();
    }
    Line::from(told(scene, &view.last_trick))
}

/// The last trick in one line, even of seven players.
pub(super) fn told(scene: &Scene<'_, Blackout>, trick: &[(Seat, Card)]) -> Vec<Span<'static>> {
    let look = scene.look;
    let winner = scene.view.best(trick).map(|(seat, _)| seat);
    let mut spans = vec![Span::styled("Last trick ", look.dim())];
    for (seat, card) in trick {
        let star = if winner == Some(*seat) { look.sign(Sign::Star) } else { "" };
        let most = if trick.len() > 5 { 4 } else { 8 };
        let name = shorten(&look.plain(scene.name(*seat)), most, "");
        spans.push(Span::styled(format!(" {star}{name} "), look.dim()));
        spans.push(look.face(Some(*card)));
    }
    spans
}
