//! The common screen: where title, players, middle, log, hand and buttons go.

use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::look::{Look, Sign};
use super::page::{Page, Target, width_of};
use super::screen::{Button, Desk, Draft, Scene, Screen, Tile};

/// What stands on the screen beside the game itself.
#[derive(Clone)]
pub struct Around<'a> {
    /// What has happened, the newest last.
    pub log: &'a [Line<'static>],
    /// Said to the viewer once: why something was refused, what was found.
    pub notice: Option<&'a str>,
    /// Seconds left to decide.
    pub clock: Option<u64>,
    /// Who everybody waits for, if it is not the viewer.
    pub waiting: Option<String>,
    /// Below the title: how things are between the players' computers.
    pub status: Option<Line<'static>>,
    /// The last line: the keys that always work, or what is being typed.
    pub foot: Line<'static>,
    /// How to leave where there is no room for anything else.
    pub leave: &'static str,
}

impl<'a> Around<'a> {
    /// Of a match that is played on this computer alone.
    pub fn new(log: &'a [Line<'static>], look: Look, clock: Option<u64>, waiting: Option<String>) -> Self {
        Self { log, notice: None, clock, waiting, status: None, foot: keys(look, &KEYS), leave: LEAVE }
    }
}

/// How to leave a match that is played on this computer alone.
const LEAVE: &str = "press q and Enter to leave; the match is saved";

/// The keys that always work.
const KEYS: [(&str, &str); 6] = [
    ("?", "rules"),
    ("h", "hint"),
    ("l", "log"),
    ("q", "quit"),
    ("arrows Space Enter", "choose"),
    ("Backspace", "undo"),
];

/// A line that says what keys do.
pub fn keys(look: Look, all: &[(&'static str, &'static str)]) -> Line<'static> {
    let mut spans = vec![Span::raw(" ")];
    for (key, what) in all {
        spans.push(Span::styled(*key, look.tinted(ratatui::style::Color::Cyan)));
        spans.push(Span::styled(format!(" {what}  "), look.dim()));
    }
    Line::from(spans)
}

/// The width from which the log stands beside the table.
const WIDE: u16 = 116;
/// The width of the log beside the table.
const LOG: u16 = 40;

/// Draws everything.
pub fn draw<G: Screen>(
    scene: &Scene<'_, G>,
    draft: &Draft<G::Extra>,
    desk: &Desk<G>,
    around: &Around<'_>,
    page: &mut Page<'_>,
) {
    let all = page.area();
    title(scene, page, all);
    let wide = all.width >= WIDE;
    let mut top = 1;
    if let Some(status) = &around.status {
        page.line(0, top, all.width, status.clone());
        top += 1;
    }
    let width = if wide { all.width - LOG - 1 } else { all.width };
    let main = Rect::new(0, top, width, all.height.saturating_sub(top));
    let panels = panels(scene, page, main);
    let rule = rule(page, main.width);
    let below = Rect::new(0, main.y + panels, main.width, main.height.saturating_sub(panels));
    page.line(0, below.y, main.width, rule.clone());

    // From the bottom up: keys, buttons, what is said, the hand, own facts.
    let rows = button_rows(&desk.buttons, main.width);
    let least_middle = G::middle_height(scene, main.width);
    let free = below.height.saturating_sub(1);
    let fixed = 1 + u16::try_from(rows.len()).unwrap_or(0).max(1) + 1 + 1 + 1;
    let small = hand_height(scene.look, &desk.hand, main.width, false);
    let big = hand_height(scene.look, &desk.hand, main.width, true);
    let boxes = !desk.hand.is_empty() && free >= fixed + big + least_middle + if wide { 0 } else { 2 };
    let hand = if boxes { big } else { small };
    let bottom = fixed + hand;
    let log = if wide { 0 } else { free.saturating_sub(bottom + least_middle).clamp(1, 4) };
    let middle = Rect::new(0, below.y + 1, main.width, free.saturating_sub(bottom + log));
    G::middle(scene, draft, page, middle);
    if wide {
        let side = Rect::new(main.width, main.y, LOG + 1, main.height);
        side_log(around.log, page, side);
    } else {
        let from = around.log.len().saturating_sub(usize::from(log));
        let lines = around.log.iter().skip(from).map(|line| line.clone().patch_style(scene.look.dim())).collect();
        page.lines(Rect::new(1, middle.bottom(), main.width.saturating_sub(2), log), lines);
    }
    let mut y = all.height.saturating_sub(bottom);
    page.line(0, y, main.width, rule);
    y += 1;
    own(scene, around, page, Rect::new(0, y, main.width, 1));
    y += 1;
    hand_of(&desk.hand, &draft.marked, page, Rect::new(1, y, main.width.saturating_sub(2), hand), boxes);
    y += hand;
    page.line(1, y, main.width.saturating_sub(2), said(scene, desk, draft, around));
    y += 1;
    for row in &rows {
        buttons(row, page, y);
        y += 1;
    }
    page.line(0, all.height.saturating_sub(1), main.width, around.foot.clone());
}

fn title<G: Screen>(scene: &Scene<'_, G>, page: &mut Page<'_>, all: Rect) {
    let look = scene.look;
    let dot = look.sign(Sign::Dot);
    let left = format!(" {} {dot} {}", look.plain(G::TITLE), look.plain(&G::title(scene)));
    let right = format!("deal {} ", scene.deal);
    let gap = usize::from(all.width.saturating_sub(width_of(&left) + width_of(&right)));
    let style = Style::new().add_modifier(Modifier::REVERSED | Modifier::BOLD);
    page.line(0, 0, all.width, Line::styled(format!("{left}{}{right}", " ".repeat(gap)), style));
}

fn rule(page: &Page<'_>, width: u16) -> Line<'static> {
    Line::styled(page.look.sign(Sign::Line).repeat(usize::from(width)), page.look.dim())
}

/// The other players; how many lines they took.
fn panels<G: Screen>(scene: &Scene<'_, G>, page: &mut Page<'_>, main: Rect) -> u16 {
    const NARROWEST: u16 = 19;
    let others = scene.others();
    let count = u16::try_from(others.len()).unwrap_or(0).max(1);
    let in_a_row = (main.width / NARROWEST).clamp(1, count);
    let rows = count.div_ceil(in_a_row);
    let in_a_row = count.div_ceil(rows);
    let width = main.width / in_a_row;
    for (seat, n) in others.iter().zip(0u16..) {
        let panel = G::panel(scene, *seat);
        let look = scene.look;
        let (x, y) = (n % in_a_row * width, main.y + n / in_a_row * 3);
        let name_style = match (panel.turn, panel.out) {
            (true, _) => look.bright(),
            (false, true) => look.dim(),
            (false, false) => look.bold(),
        };
        let turn = if panel.turn { look.sign(Sign::Turn) } else { " " };
        let mark = if panel.mark.is_empty() { String::new() } else { format!("{} ", panel.mark) };
        let room = usize::from(width).saturating_sub(4 + mark.chars().count() + panel.facts.chars().count());
        let name = shorten(&look.plain(scene.name(*seat)), room.max(3), look.sign(Sign::Ellipsis));
        let head = Line::from(vec![
            Span::styled(format!("{turn}{mark}{name} "), name_style),
            Span::raw(look.plain(&panel.facts)),
        ]);
        let indent = |line: Line<'static>| {
            let mut spans = vec![Span::raw(" ")];
            spans.extend(line.spans);
            Line { spans, ..line }
        };
        let lines = vec![head, indent(panel.cards), indent(panel.status)];
        page.lines(Rect::new(x, y, width.saturating_sub(1), 3), lines);
    }
    rows * 3
}

/// A text cut to this many letters.
pub fn shorten(text: &str, most: usize, ellipsis: &str) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let keep = most.saturating_sub(ellipsis.chars().count());
    format!("{}{ellipsis}", text.chars().take(keep).collect::<String>())
}

fn side_log(log: &[Line<'static>], page: &mut Page<'_>, area: Rect) {
    let look = page.look;
    let bar = if look.ascii { "|" } else { "│" };
    for y in area.y..area.bottom() {
        page.line(area.x, y, 1, Line::styled(bar, look.dim()));
    }
    let inside = Rect::new(area.x + 2, area.y, area.width.saturating_sub(2), area.height);
    // Long lines take two; count from the end what fits.
    let mut room = usize::from(inside.height);
    let taken = |line: &Line<'static>| line.width().div_ceil(usize::from(inside.width).max(1)).max(1);
    let shown = log.iter().rev().take_while(|line| {
        let lines = taken(line);
        let fits = lines <= room;
        room = room.saturating_sub(lines);
        fits
    });
    let count = shown.count();
    page.wrapped(inside, log.iter().skip(log.len() - count).cloned().collect(), 0);
}

/// The viewer's own line: name, facts, whose turn.
fn own<G: Screen>(scene: &Scene<'_, G>, around: &Around<'_>, page: &mut Page<'_>, area: Rect) {
    let look = scene.look;
    let mut spans = vec![Span::raw(" ")];
    if let Some(me) = scene.me() {
        let turn = around.waiting.is_none();
        let style = if turn { look.bright() } else { look.bold() };
        let sign = if turn { format!("{} ", look.sign(Sign::Turn)) } else { String::new() };
        spans.push(Span::styled(format!("{sign}{}", look.plain(scene.name(me))), style));
        spans.push(Span::raw("  "));
        spans.extend(G::own(scene).spans);
    }
    let right = match (&around.waiting, around.clock) {
        (Some(who), _) => look.plain(who),
        (None, Some(seconds)) => format!("your turn: {seconds} s left"),
        (None, None) => "your turn".to_owned(),
    };
    let style = if around.waiting.is_none() { look.bright() } else { look.dim() };
    let right = format!("  {right} ");
    let wide = width_of(&right);
    let facts = cut(Line::from(spans), area.width.saturating_sub(wide), look);
    page.line(area.x, area.y, area.width, facts);
    page.line(area.right().saturating_sub(wide), area.y, wide, Line::styled(right, style));
}

/// A line with as many of its words as have room.
fn cut(line: Line<'static>, room: u16, look: Look) -> Line<'static> {
    let (room, more) = (usize::from(room), look.sign(Sign::Ellipsis));
    if line.width() <= room {
        return line;
    }
    let room = room.saturating_sub(usize::from(width_of(more)) + 1);
    let (mut used, mut spans) = (0, Vec::new());
    for span in line.spans {
        let (mut kept, whole) = (String::new(), used + span.width() <= room);
        for word in span.content.split_inclusive(' ') {
            if used + usize::from(width_of(word.trim_end())) > room {
                break;
            }
            used += usize::from(width_of(word));
            kept.push_str(word);
        }
        let kept = if whole { kept } else { kept.trim_end_matches([' ', ',', '·', '-', '|']).to_owned() };
        spans.push(Span::styled(kept, span.style));
        if !whole {
            break;
        }
    }
    spans.push(Span::styled(format!(" {more}"), look.dim()));
    Line { spans, ..Line::default() }
}

fn said<G: Screen>(
    scene: &Scene<'_, G>,
    desk: &Desk<G>,
    draft: &Draft<G::Extra>,
    around: &Around<'_>,
) -> Line<'static> {
    let look = scene.look;
    if let Some(notice) = around.notice {
        return Line::styled(look.plain(notice), look.bad());
    }
    let mut line = desk.says.clone();
    if let (Some(amount), true) = (desk.amount, around.waiting.is_none()) {
        let now = amount.now(draft.amount);
        let gap = if line.width() > 0 { "  " } else { "" };
        line.push_span(Span::raw(gap));
        line.push_span(Span::styled(look.plain(&format!("{now}")), look.bright()));
        let between = if look.ascii { "-" } else { "–" };
        let range = format!(" ({}{between}{}; + and - or type a number)", amount.least, amount.most);
        line.push_span(Span::styled(range, look.dim()));
    }
    line
}

/// How many lines a hand takes.
fn hand_height(look: Look, hand: &[Tile], width: u16, boxes: bool) -> u16 {
    if boxes {
        let needed: u16 = hand.iter().map(|tile| look.width(tile.card)).sum();
        return if needed <= width.saturating_sub(2) { 3 } else { u16::MAX / 4 };
    }
    let mut rows = 1;
    let mut x = 0;
    for tile in hand {
        let wide = look.width(tile.card);
        if x + wide > width.saturating_sub(2) {
            rows += 1;
            x = 0;
        }
        x += wide;
    }
    rows
}

fn hand_of(hand: &[Tile], marked: &[table::Slot], page: &mut Page<'_>, area: Rect, boxes: bool) {
    let (mut x, mut y) = (area.x, area.y);
    for tile in hand {
        let is_marked = marked.contains(&tile.slot);
        let width = page.look.width(tile.card);
        if x + width > area.right() {
            x = area.x;
            y += 1;
        }
        if boxes {
            boxed(page, x, y, *tile, is_marked);
        } else {
            page.card(x, y, *tile, is_marked);
        }
        x += width;
    }
}

/// A card in a box of three lines.
fn boxed(page: &mut Page<'_>, x: u16, y: u16, tile: Tile, marked: bool) {
    let look = page.look;
    let around = if marked { look.bright() } else { look.dim() };
    let mut face = tile.card.map_or_else(|| look.dim(), |card| look.suit(card));
    if !tile.usable {
        face = face.patch(look.dim()).remove_modifier(Modifier::BOLD);
    }
    if page.focus == Some(Target::Card(tile.slot)) {
        face = face.add_modifier(Modifier::REVERSED);
    }
    let area = Rect::new(x, y, look.width(tile.card), 3);
    page.lines(area, look.tall_in(tile.card, face, around, marked));
    page.spot(area, Target::Card(tile.slot));
}

/// A button as it is drawn: its key, its label, whether it can be pressed.
struct Drawn {
    key: char,
    label: String,
    can: bool,
}

fn button_rows<G: Screen>(buttons: &[Button<G>], width: u16) -> Vec<Vec<Drawn>> {
    let mut rows: Vec<Vec<Drawn>> = Vec::new();
    let mut x = u16::MAX;
    for button in buttons {
        let wide = width_of(&button.label) + 6;
        if x.saturating_add(wide) > width {
            rows.push(Vec::new());
            x = 1;
        }
        x += wide;
        let drawn = Drawn { key: button.key, label: button.label.clone(), can: button.press.is_ok() };
        if let Some(row) = rows.last_mut() {
            row.push(drawn);
        }
    }
    rows
}

fn buttons(row: &[Drawn], page: &mut Page<'_>, y: u16) {
    let look = page.look;
    let mut x = 1;
    for button in row {
        let label = look.plain(&button.label);
        let width = width_of(&label) + 4;
        let focused = page.focus == Some(Target::Button(button.key));
        let (mut key, mut text) = if button.can { (look.key(), Style::new()) } else { (look.dim(), look.dim()) };
        if focused {
            (key, text) = (key.add_modifier(Modifier::REVERSED), text.add_modifier(Modifier::REVERSED));
        }
        let line =
            Line::from(vec![Span::styled(format!("[{}]", button.key), key), Span::styled(format!(" {label}"), text)]);
        page.line(x, y, width, line);
        page.spot(Rect::new(x, y, width, 1), Target::Button(button.key));
        x += width + 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::testing::PLAIN;

    #[test]
    fn a_line_without_room_loses_whole_words() {
        let line =
            || Line::from(vec![Span::raw(" Eva  "), Span::raw("132 points, 32 deadwood"), Span::raw(" - not opened")]);
        let whole = line().to_string();
        assert_eq!(cut(line(), width_of(&whole), PLAIN).to_string(), whole);
        for room in 4..width_of(&whole) {
            let short = cut(line(), room, PLAIN).to_string();
            assert!(width_of(&short) <= room, "{room}: {short}");
            let more = PLAIN.sign(Sign::Ellipsis);
            let kept = short.strip_suffix(more).expect("it says that there is more").trim_end();
            let rest = whole.strip_prefix(kept).expect("the beginning");
            assert!(rest.starts_with([' ', ',']), "{room}: {short}");
        }
    }
}
