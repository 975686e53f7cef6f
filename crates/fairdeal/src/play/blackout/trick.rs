//! The middle of the table in Blackout: trump, bids, the trick, and the one before it.

use cards::Card;
use games::blackout::{Blackout, View, beats};
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use table::{Seat, Seats};

use super::{player, suit_sign, trump};
use crate::play::drawing::shorten;
use crate::play::look::Sign;
use crate::play::page::Page;
use crate::play::screen::{Scene, Tile, text};

/// Draws it: a line of facts, what lies before each player in the order of play, and the last trick.
pub fn draw(scene: &Scene<'_, Blackout>, page: &mut Page<'_>, area: Rect) {
    if area.height < 5 {
        return;
    }
    // Boxes need two lines more, and look better with some air.
    let tall = area.height >= 8;
    let used = if tall { 8 } else { 6 };
    let spare = area.height.saturating_sub(used);
    let top = area.y + spare / 2;
    page.lines(Rect::new(area.x, top, area.width, 1), vec![facts(scene).centered()]);
    let gap = u16::from(area.height >= used);
    cells(scene, page, Rect::new(area.x, top + 1 + gap, area.width, if tall { 5 } else { 3 }), tall);
    let last = top + 1 + gap + if tall { 5 } else { 3 };
    page.lines(Rect::new(area.x, last, area.width, 1), vec![below(scene).centered()]);
}

/// Who takes a trick, as far as it goes.
pub fn best(trick: &[(Seat, Card)], view: &View) -> Option<(Seat, Card)> {
    let trump = trump(view);
    trick.iter().copied().reduce(|best, played| if beats(played.1, best.1, trump) { played } else { best })
}

/// What a card would do, for whoever thinks of playing it.
pub fn would_do(scene: &Scene<'_, Blackout>, tile: Tile) -> Line<'static> {
    let (view, look) = (scene.view, scene.look);
    if !tile.usable {
        let led = view.trick.first().and_then(|(_, card)| card.suit());
        let sign = led.map(|suit| suit_sign(look, suit)).unwrap_or_default();
        return Line::styled(format!("You must follow suit: {sign}."), look.bad());
    }
    let Some(card) = tile.card else { return Line::default() };
    let name = scene.card(Some(card));
    match best(&view.trick, view) {
        None => Line::raw(format!("{name} leads.")),
        Some((seat, highest)) if beats(card, highest, trump(view)) => {
            let last = view.trick.len() + 1 == view.players.len();
            let takes = if last { "takes the trick" } else { "is the best card so far" };
            let over =
                format!("{name} {takes}, over {}'s {}.", look.plain(scene.name(seat)), scene.card(Some(highest)));
            Line::styled(over, look.good())
        }
        Some((seat, highest)) => {
            let under = format!("{name} loses to {}'s {}.", look.plain(scene.name(seat)), scene.card(Some(highest)));
            Line::raw(under)
        }
    }
}

/// Trump, which trick it is, and how the bids compare with the tricks.
fn facts(scene: &Scene<'_, Blackout>) -> Line<'static> {
    let (view, look) = (scene.view, scene.look);
    let dot = format!("   {}   ", look.sign(Sign::Dot));
    if matches!(view.phase, "rolling" | "dealing") {
        return Line::styled("The cards are dealt.", look.dim());
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
        let says = match sum.cmp(&cards) {
            std::cmp::Ordering::Less => format!("{} more tricks than bids", cards - sum),
            std::cmp::Ordering::Equal => "as many bids as tricks".to_owned(),
            std::cmp::Ordering::Greater => format!("{} more bids than tricks", sum - cards),
        };
        spans.push(text(format!("{dot}{says}")));
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

/// Before each player in the order of play: the card he played, or his bid.
fn cells(scene: &Scene<'_, Blackout>, page: &mut Page<'_>, area: Rect, tall: bool) {
    let look = scene.look;
    let cells = arranged(scene);
    let Ok(count) = u16::try_from(cells.len()) else { return };
    if count == 0 {
        return;
    }
    let width = (area.width / count).min(16);
    let left = area.x + (area.width - width * count) / 2;
    for (cell, n) in cells.iter().zip(0u16..) {
        let x = left + n * width;
        let place = |y| Rect::new(x, y, width.saturating_sub(1), 1);
        let name = shorten(&look.plain(&cell.name), usize::from(width.saturating_sub(2)), look.sign(Sign::Ellipsis));
        let style = match (cell.best, cell.mine) {
            (true, _) => look.bright(),
            (false, true) => look.bold(),
            (false, false) => ratatui::style::Style::new(),
        };
        page.lines(place(area.y), vec![Line::styled(name, style).centered()]);
        let (y, below) = if tall { (area.y + 2, area.y + 4) } else { (area.y + 1, area.y + 2) };
        match cell.card {
            Some(card) if tall => {
                let wide = look.width(Some(card));
                let inset = width.saturating_sub(1 + wide) / 2;
                page.lines(Rect::new(x + inset, area.y + 1, wide, 3), look.tall(Some(card)));
            }
            Some(card) => page.lines(place(y), vec![Line::from(look.boxed(Some(card)).to_vec()).centered()]),
            None => page.lines(place(y), vec![Line::styled(cell.says.clone(), look.dim()).centered()]),
        }
        let star = if cell.best { format!("{} ", look.sign(Sign::Star)) } else { String::new() };
        let style = if cell.best { look.bright() } else { look.dim() };
        page.lines(place(below), vec![Line::styled(format!("{star}{}", cell.below), style).centered()]);
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
            let best = best(trick, view).map(|(seat, _)| seat);
            let cells = all.clockwise_from(leader).map(|seat| Cell {
                card: trick.iter().find(|(who, _)| *who == seat).map(|(_, card)| *card),
                below: match (best == Some(seat), complete) {
                    (true, true) => "takes it",
                    (true, false) => "wins so far",
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
        return Line::styled("How many tricks will everybody take?", look.dim());
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
    let winner = best(&view.last_trick, view).map(|(seat, _)| seat);
    let mut spans = vec![Span::styled("Last trick ", look.dim())];
    for (seat, card) in &view.last_trick {
        let star = if winner == Some(*seat) { look.sign(Sign::Star) } else { "" };
        let name = shorten(&look.plain(scene.name(*seat)), 5, "");
        spans.push(Span::styled(format!(" {star}{name} "), look.dim()));
        spans.push(look.face(Some(*card)));
    }
    Line::from(spans)
}
