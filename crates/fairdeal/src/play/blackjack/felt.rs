//! The middle of the table in Blackjack: the bank, and below it the viewer's own hands side by side.

use games::Held;
use games::blackjack::{Blackjack, HandView, Status, Verdict};
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{player, shows, total_text};
use crate::play::look::{Look, Sign};
use crate::play::page::Page;
use crate::play::screen::{Scene, text};

/// The lines that both need: a heading, a card in a box, a total.
pub(super) const LEAST: u16 = 10;
/// From this height on, cards are drawn big.
const ROOMY: u16 = 18;

/// Draws it.
pub(super) fn draw(scene: &Scene<'_, Blackjack>, page: &mut Page<'_>, area: Rect) {
    if area.height < LEAST {
        return small(scene, page, area);
    }
    let each = if area.height >= ROOMY { 7 } else { 5 };
    let spare = area.height - 2 * each;
    let top = area.y + spare / 3;
    bank(scene, page, Rect::new(area.x, top, area.width, each));
    hands(scene, page, Rect::new(area.x, top + each + spare / 3, area.width, each));
}

/// What the bank is known to have.
fn bank_says(scene: &Scene<'_, Blackjack>) -> Line<'static> {
    let (bank, look) = (&scene.view.bank, scene.look);
    match (bank.total, bank.cards.first().and_then(|held| held.card)) {
        (Some(total), _) => Line::styled(total_text(total), look.bright()),
        (None, Some(card)) => Line::from(vec![text("Shows: "), Span::styled(shows(card), look.bright())]),
        (None, None) => Line::default(),
    }
}

fn bank(scene: &Scene<'_, Blackjack>, page: &mut Page<'_>, area: Rect) {
    let (cards, look) = (&scene.view.bank.cards, scene.look);
    page.lines(area, vec![Line::styled("BANK", look.bold()).centered()]);
    let box_area = Rect::new(area.x, area.y + 1, area.width, area.height - 2);
    if cards.is_empty() {
        let says = if scene.view.phase == "betting" { "Everybody bets first." } else { "" };
        page.lines(Rect::new(area.x, area.y + 2, area.width, 1), vec![Line::styled(says, look.dim()).centered()]);
    } else {
        row(cards, page, box_area);
    }
    page.lines(Rect::new(area.x, area.bottom() - 1, area.width, 1), vec![bank_says(scene).centered()]);
}

/// The viewer's hands; while everybody looks, or they have none, nothing.
fn hands(scene: &Scene<'_, Blackjack>, page: &mut Page<'_>, area: Rect) {
    let look = scene.look;
    let Some(player) = scene.me().and_then(|me| player(scene.view, me)) else { return };
    let Ok(count) = u16::try_from(player.hands.len()) else { return };
    if count == 0 {
        return;
    }
    let width = (area.width / count).min(44);
    let left = area.x + (area.width - width * count) / 2;
    for (hand, n) in player.hands.iter().zip(0u16..) {
        let cell = Rect::new(left + n * width, area.y, width, area.height);
        let line = |y: u16| Rect::new(cell.x, cell.y + y, cell.width.saturating_sub(1), 1);
        let style = if hand.current { look.bright() } else { look.bold() };
        let turn = if hand.current { format!("{} ", look.sign(Sign::Turn)) } else { String::new() };
        let name = if count > 1 { format!("HAND {}", n + 1) } else { "YOUR HAND".to_owned() };
        let dot = look.sign(Sign::Dot);
        let heading = format!("{turn}{name} {dot} {}", hand.stake);
        page.lines(line(0), vec![Line::styled(heading, style).centered()]);
        row(&hand.cards, page, Rect::new(cell.x, cell.y + 1, cell.width.saturating_sub(1), cell.height - 2));
        page.lines(line(cell.height - 1), vec![Line::from(says(look, hand)).centered()]);
    }
}

/// The total of a hand, and how it stands.
fn says(look: Look, hand: &HandView) -> Vec<Span<'static>> {
    let total = hand.total.map(total_text).unwrap_or_default();
    let (word, style) = match (hand.verdict, hand.status) {
        (Some(Verdict::Win), _) => ("wins", look.good()),
        (Some(Verdict::Lose), _) => ("loses", look.bad()),
        (Some(Verdict::Push), _) => ("push", look.bold()),
        (None, Status::Stood) => ("stands", look.dim()),
        (None, Status::Surrendered) => ("surrendered", look.dim()),
        (None, Status::Bust | Status::Playing) => ("", look.dim()),
    };
    let gap = if word.is_empty() { "" } else { "  " };
    vec![Span::styled(total, look.bright()), text(gap), Span::styled(word, style)]
}

/// Cards beside each other in the middle of an area: big where they fit, else in boxes, else as closely as
/// possible.
fn row(cards: &[Held], page: &mut Page<'_>, area: Rect) {
    let look = page.look;
    let faces = || cards.iter().map(|held| held.card);
    let boxed: u16 = faces().map(|card| look.width(card)).sum();
    let big = u16::try_from(cards.len()).unwrap_or(u16::MAX).saturating_mul(7);
    let (wide, lines) = match area.height {
        5.. if big <= area.width => (big, 5),
        _ if boxed <= area.width => (boxed, 3),
        _ => {
            let spans: Vec<Span<'static>> = faces().flat_map(|card| [look.face(card), text(" ")]).collect();
            return page.wrapped(area, vec![Line::from(spans).centered()], 0);
        }
    };
    let mut x = area.x + (area.width - wide) / 2;
    let y = area.y + area.height.saturating_sub(lines) / 2;
    for card in faces() {
        let (width, drawn) = if lines == 5 { (7, look.big(card)) } else { (look.width(card), look.tall(card)) };
        page.lines(Rect::new(x, y, width, lines), drawn);
        x += width;
    }
}

/// Everything in as many lines as there are.
fn small(scene: &Scene<'_, Blackjack>, page: &mut Page<'_>, area: Rect) {
    let look = scene.look;
    let mut bank = vec![Span::styled("BANK  ", look.bold())];
    bank.extend(look.row(scene.view.bank.cards.iter().map(|held| held.card)));
    bank.push(text("  "));
    bank.extend(bank_says(scene).spans);
    let mut lines = vec![Line::from(bank)];
    let own = scene.me().and_then(|me| player(scene.view, me));
    for hand in own.iter().flat_map(|player| &player.hands) {
        let turn = if hand.current { look.sign(Sign::Turn) } else { " " };
        let mut spans = vec![text(format!("{turn} {:>4}  ", hand.stake))];
        spans.extend(look.row(hand.cards.iter().map(|held| held.card)));
        spans.push(text("  "));
        spans.extend(says(look, hand));
        lines.push(Line::from(spans));
    }
    page.lines(area, lines);
}
