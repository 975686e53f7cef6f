//! The middle of the table in Ongdu: one's own layers while they are made, everybody's once they lie open.

use games::ongdu::{Category, LayerRank, LayerView, Ongdu, Places};
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use table::{Seat, Seats};

use super::{LAYERS, class_text, player};
use crate::play::drawing::shorten;
use crate::play::look::{Look, Sign};
use crate::play::page::{Page, Target};
use crate::play::screen::{Scene, text};
use crate::text::signed;

/// Draws it.
pub(super) fn draw(scene: &Scene<'_, Ongdu>, places: Places, page: &mut Page<'_>, area: Rect) {
    let (view, look) = (scene.view, scene.look);
    if view.players.iter().any(|player| !player.layers.is_empty()) {
        return everybody(scene, page, area);
    }
    let says = match view.phase {
        "drawing" => "Drawing lots to see who starts.".to_owned(),
        "dealing" => "Dealing the cards.".to_owned(),
        "discarding" => match view.turn {
            Some(seat) if scene.eye.is(seat) => "Ten cards, nine places: one card must go.".to_owned(),
            Some(seat) => format!("{} has ten cards and discards one.", look.plain(scene.name(seat))),
            None => String::new(),
        },
        "over" => "Everybody else has left.".to_owned(),
        _ if view.hand.is_empty() => "Everybody arranges nine cards in secret.".to_owned(),
        _ => {
            own(scene, places, page, area);
            return;
        }
    };
    page.lines(Rect::new(area.x, area.y + area.height / 2, area.width, 1), vec![Line::raw(says).centered()]);
}

/// The viewer's own layers.
fn own(scene: &Scene<'_, Ongdu>, places: Places, page: &mut Page<'_>, area: Rect) {
    let (view, look) = (scene.view, scene.look);
    let tall = area.height >= 11;
    let each = if tall { 3 } else { 1 };
    let used = 3 * each + 2;
    let top = area.y + area.height.saturating_sub(used) / 2;
    let left = area.x + area.width.saturating_sub(64) / 2;
    let disorder = places.disorder(&view.hand, view.preset);
    let mut heading = vec![Span::styled("YOUR LAYERS", look.bold()), text("  the best three go to the bottom")];
    if let Some(discard) = view.discard {
        heading.extend([text("   discarded: "), look.face(discard.card)]);
    }
    page.line(left, top, area.right().saturating_sub(left), Line::from(heading));
    for (name, layer) in LAYERS.iter().zip(0usize..) {
        let row = u16::try_from(layer).unwrap_or(0);
        let y = top + 1 + row * each;
        let middle = y + each / 2;
        page.line(left, middle, 8, Line::styled(format!("{name:>6}"), look.bold()));
        let mut x = left + 8;
        for place in layer * 3..layer * 3 + 3 {
            spot(scene, places, page, (x, y), (place, tall));
            x += 6;
        }
        let missing = places.layer(layer).iter().filter(|slot| slot.is_none()).count();
        let wrong = disorder.filter(|(upper, lower)| *upper == layer || *lower == layer);
        let mut says = match (places.rank(layer, &view.hand, view.preset), wrong) {
            (Some(rank), None) => vec![Span::styled(rank.to_string(), look.good())],
            (Some(rank), Some(_)) => vec![Span::styled(rank.to_string(), look.bad())],
            (None, _) => vec![Span::styled(format!("{missing} to place"), look.dim())],
        };
        if let Some((_, lower)) = wrong.filter(|(upper, _)| *upper == layer) {
            let below = LAYERS.get(lower).unwrap_or(&"");
            says.push(Span::styled(format!("  beats the {below}: foul!"), look.bad()));
        }
        page.line(x + 1, middle, area.right().saturating_sub(x + 1), Line::from(says));
    }
}

/// A place, with its card if there is one.
fn spot(
    scene: &Scene<'_, Ongdu>,
    places: Places,
    page: &mut Page<'_>,
    (x, y): (u16, u16),
    (place, tall): (usize, bool),
) {
    let look = scene.look;
    let held = places.card(place).and_then(|slot| scene.view.hand.iter().find(|held| held.slot == slot));
    let card = held.and_then(|held| held.card);
    let picked = places.picked == Some(place);
    let target = Target::Place(u16::try_from(place).unwrap_or(u16::MAX));
    let mut around = if picked { look.bright() } else { look.dim() };
    let mut face = card.map_or_else(|| look.dim(), |card| look.suit(card));
    if page.focus == Some(target) {
        face = face.add_modifier(Modifier::REVERSED);
        around = if tall { around } else { around.add_modifier(Modifier::REVERSED) };
    }
    let short = if held.is_some() { look.short(card) } else { "  ".to_owned() };
    if tall {
        let area = Rect::new(x, y, look.width(card), 3);
        let mut lines = look.tall_in(card, face, around, picked);
        if held.is_none() {
            let [left, right] = if picked { [">", "<"] } else { [look.border().vertical_left; 2] };
            let empty =
                Line::from(vec![Span::styled(left, around), Span::styled("  ", face), Span::styled(right, around)]);
            lines.iter_mut().skip(1).take(1).for_each(|line| *line = empty.clone());
        }
        page.lines(area, lines);
        page.spot(area, target);
    } else {
        let (open, close) = if picked { (">", "<") } else { ("[", "]") };
        let area = Rect::new(x, y, look.width(card), 1);
        let line = Line::from(vec![Span::styled(open, around), Span::styled(short, face), Span::styled(close, around)]);
        page.lines(area, vec![line]);
        page.spot(area, target);
    }
}

/// A layer's name in little room.
pub(super) fn short_name(rank: LayerRank) -> String {
    let number = match rank.value() {
        14 => "A".to_owned(),
        13 => "K".to_owned(),
        12 => "Q".to_owned(),
        11 => "J".to_owned(),
        number => number.to_string(),
    };
    match rank.category() {
        Category::Sum => format!("sum {number}"),
        Category::Court => "court".to_owned(),
        Category::WildThree => format!("wild {number}s"),
        Category::Straight => "JQK".to_owned(),
        Category::StraightFlush => "JQK suit".to_owned(),
        Category::Three => format!("three {number}s"),
    }
}

/// A player's layers in one line.
pub(super) fn line(look: Look, name: &str, layers: &[LayerView]) -> Vec<Span<'static>> {
    let name = shorten(&look.plain(name), 9, look.sign(Sign::Ellipsis));
    let mut spans = vec![Span::styled(format!("{name:<9}"), look.bold())];
    for layer in layers {
        let mut wide = 0;
        spans.push(text("  "));
        for held in layer.cards {
            wide += look.short(held.card).chars().count();
            spans.push(look.face(held.card));
        }
        let name = layer.rank.map(short_name).unwrap_or_default();
        spans.push(Span::styled(format!("{} {name:<9}", " ".repeat(8usize.saturating_sub(wide))), Style::new()));
    }
    spans
}

/// Above such lines.
pub(super) fn heading(look: Look) -> Line<'static> {
    let [top, middle, bottom] = LAYERS;
    Line::styled(format!("{:<9}  {top:<18}  {middle:<18}  {bottom:<18}", ""), look.dim())
}

/// Everybody's layers, and what they brought.
fn everybody(scene: &Scene<'_, Ongdu>, page: &mut Page<'_>, area: Rect) {
    let (view, look) = (scene.view, scene.look);
    let all: Vec<Seat> = Seats::first(scene.names.players()).iter().collect();
    let used = u16::try_from(all.len() + 1).unwrap_or(u16::MAX);
    let top = area.y + area.height.saturating_sub(used) / 2;
    let wide = 9 + 3 * 20 + 10;
    let left = area.x + (area.width.saturating_sub(wide) / 2).max(1);
    let mut lines = vec![heading(look)];
    for seat in all {
        let Some(player) = player(view, seat) else { continue };
        let mut spans = line(look, scene.name(seat), &player.layers);
        if let Some(points) = player.points {
            let style = if points < 0 { look.bad() } else { look.good() };
            spans.push(Span::styled(format!("{:>5}", signed(points)), style));
        }
        if area.width > 120 {
            spans.extend(player.class.and_then(class_text).map(|says| text(format!("  {says}"))));
        }
        lines.push(Line::from(spans));
    }
    page.lines(Rect::new(left, top, area.right().saturating_sub(left), used), lines);
}
