//! The middle of a table of Rommé: stock, discard pile, everybody's melds, and what the viewer has set aside.
//!
//! Melds are many and terminals small, so they are drawn in the roomiest of several ways that fits.

use games::romme::bench::Bench;
use games::romme::{Laid, MeldCard, MeldView, Romme};
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use table::Seat;

use super::super::drawing::shorten;
use super::super::look::Sign;
use super::super::page::{Page, Target};
use super::super::screen::{Draft, Scene, text};
use super::{Extra, bench};
use crate::text::plural;

/// Places on the page: melds by number, then those set aside, then stock and pile.
pub(super) const READY: u16 = 300;
/// The stock.
pub(super) const STOCK: u16 = 400;
/// The discard pile.
pub(super) const PILE: u16 = 401;

/// How roomy melds are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Room {
    /// Cards of three lines, a line for each player and one between them.
    Tall,
    /// `[5♠][6♠][7♠]`, a line for each player and one between them.
    Boxes,
    /// `5♠ 6♠ 7♠`, a line for each player.
    Lines,
    /// `5♠6♠7♠`, a line for each player.
    Close,
    /// The same, one player after the other.
    Closest,
}

impl Room {
    /// The lines that a meld takes.
    const fn height(self) -> u16 {
        match self {
            Self::Tall => 3,
            Self::Boxes | Self::Lines | Self::Close | Self::Closest => 1,
        }
    }

    /// Is there a line between players?
    const fn is_airy(self) -> bool {
        matches!(self, Self::Tall | Self::Boxes)
    }
}

/// Something that takes a part of a line, or of three.
struct Piece {
    lines: Vec<Line<'static>>,
    place: Option<u16>,
}

impl Piece {
    const fn plain(line: Vec<Line<'static>>) -> Self {
        Self { lines: line, place: None }
    }

    fn size(&self) -> (u16, u16) {
        let width = self.lines.iter().map(Line::width).max().unwrap_or(0);
        (u16::try_from(width).unwrap_or(0), u16::try_from(self.lines.len()).unwrap_or(1))
    }

    /// Draws it; what can be chosen is reversed while the arrow keys stand on it.
    fn draw(self, page: &mut Page<'_>, x: u16, y: u16) {
        let (width, height) = self.size();
        let area = Rect::new(x, y, width, height);
        let focused = self.place.is_some_and(|place| page.focus == Some(Target::Place(place)));
        let style = if focused { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
        page.lines(area, self.lines.into_iter().map(|line| line.patch_style(style)).collect());
        if let Some(place) = self.place {
            page.spot(area, Target::Place(place));
        }
    }
}

/// A piece and where it goes.
struct Placed {
    x: u16,
    y: u16,
    piece: Piece,
}

/// How many lines the middle needs at least.
pub(super) fn height(scene: &Scene<'_, Romme>, width: u16) -> u16 {
    let draft = Draft { marked: Vec::new(), amount: None, changing: None, extra: Extra::default() };
    let (_, melds) = flow(scene, &draft, width, Room::Closest);
    let (_, lines) = flow(scene, &draft, width, Room::Lines);
    // One line for stock and pile, one for what is set aside.
    2 + lines.min(8).max(melds).max(2)
}

/// Draws it.
pub(super) fn draw(scene: &Scene<'_, Romme>, draft: &Draft<Extra>, page: &mut Page<'_>, area: Rect) {
    let inside = Rect::new(area.x + 1, area.y, area.width.saturating_sub(2), area.height);
    let bench = bench(scene, draft);
    let ready = u16::from(!bench.ready().is_empty());
    let room = inside.height.saturating_sub(1 + ready);
    let mut last = None;
    for way in [Room::Tall, Room::Boxes, Room::Lines, Room::Close, Room::Closest] {
        let (placed, height) = flow(scene, draft, inside.width, way);
        last = Some((placed, height));
        // What is tall should not make the rest look lost.
        let wanted = if way == Room::Tall { height + 6 } else { height };
        if wanted <= room {
            break;
        }
    }
    let (placed, height) = last.unwrap_or_default();
    // What is left over goes between the parts.
    let spare = room.saturating_sub(height);
    let top = inside.y + spare.min(6) / 3;
    piles(scene, page, Rect::new(inside.x, top, inside.width, 1));
    let melds_at = top + 1 + u16::from(spare > 0) + u16::from(spare > 6);
    let end = inside.bottom().saturating_sub(ready);
    for Placed { x, y, piece } in placed {
        let (_, high) = piece.size();
        if melds_at + y + high > end {
            break;
        }
        piece.draw(page, inside.x + x, melds_at + y);
    }
    if ready > 0 {
        set_aside(scene, &bench, page, Rect::new(inside.x, inside.bottom().saturating_sub(1), inside.width, 1));
    }
}

/// Stock and discard pile, the newest discards first.
fn piles(scene: &Scene<'_, Romme>, page: &mut Page<'_>, area: Rect) {
    let (view, look) = (scene.view, scene.look);
    let mut x = area.x;
    let mut put = |page: &mut Page<'_>, spans: Vec<Span<'static>>, place: Option<u16>| {
        let line = Line::from(spans);
        let at = Rect::new(x, area.y, u16::try_from(line.width()).unwrap_or(0), 1);
        x += at.width;
        match place {
            Some(place) => page.place(at, place, line),
            None => page.lines(at.intersection(area), vec![line]),
        }
    };
    let back = if view.stock > 0 { "[##]" } else { "[  ]" };
    put(page, vec![text("Draw pile "), Span::styled(back, look.dim())], Some(STOCK));
    put(page, vec![text(format!(" {}", view.stock))], None);
    let times = view.reshuffles.1.saturating_sub(view.reshuffles.0);
    let renewed =
        if view.stock < 15 { format!(", {times} more {}", plural(times, "reshuffle")) } else { String::new() };
    put(page, vec![Span::styled(renewed, look.dim()), text("    ")], None);
    let mut pile = view.pile.iter().rev();
    let mut top = vec![text("Discards ")];
    match pile.next() {
        Some(held) => top.extend(look.boxed(held.card)),
        None => top.push(Span::styled("[  ]", look.dim())),
    }
    put(page, top, Some(PILE));
    put(page, vec![text(format!(" {}", view.pile.len()))], None);
    let below: Vec<String> = pile.map(|held| look.short(held.card)).collect();
    if !below.is_empty() {
        let used = usize::from(x - area.x) + 13;
        let shown = shorten(&below.join(" "), usize::from(area.width).saturating_sub(used), look.sign(Sign::Ellipsis));
        let line = Line::styled(format!("    below it {shown}"), look.dim());
        page.lines(Rect::new(x, area.y, area.right().saturating_sub(x), 1), vec![line]);
    }
}

/// The melds that are ready to be laid.
fn set_aside(scene: &Scene<'_, Romme>, bench: &Bench<'_>, page: &mut Page<'_>, area: Rect) {
    let look = scene.look;
    page.line(area.x, area.y, 6, Line::styled("Ready ", look.bright()));
    let mut x = area.x + 6;
    for (meld, n) in bench.ready().iter().zip(0u16..) {
        let mut spans = vec![Span::styled("[", look.bright())];
        spans.extend(between(meld.iter().map(|laid| laid_card(scene, *laid)), " "));
        spans.push(Span::styled("]", look.bright()));
        let line = Line::from(spans);
        let width = u16::try_from(line.width()).unwrap_or(0);
        page.place(Rect::new(x, area.y, width, 1), READY + n, line);
        x += width + 1;
    }
    let points: u16 = bench.ready().iter().map(|meld| bench.points(meld)).sum();
    let needed = scene.view.first_meld;
    let (says, style) = match (bench.opened() || needed == 0, points >= needed) {
        (true, _) => (format!("{points} {}", plural(points, "point")), Style::new()),
        (false, true) => (format!("{points} of {needed} points"), look.good()),
        (false, false) => (format!("{points} of {needed} points"), look.bad()),
    };
    page.line(x, area.y, area.right().saturating_sub(x), Line::styled(says, style));
}

/// A card as it is laid: a joker with what it stands for.
pub(super) fn laid_card(scene: &Scene<'_, Romme>, laid: Laid) -> Span<'static> {
    let mut face = scene.look.face(scene.known.face(laid.slot));
    if let Some(card) = laid.stands_for {
        face.content = format!("{}={}", face.content, scene.look.short(Some(card))).into();
    }
    face
}

fn lying_card(scene: &Scene<'_, Romme>, meld: &MeldView, card: &MeldCard) -> Span<'static> {
    let mut face = scene.look.face(Some(card.card));
    if let (Some(stands_for), "run") = (card.stands_for.first(), meld.kind) {
        face.content = format!("{}={}", face.content, scene.look.short(Some(*stands_for))).into();
    }
    face
}

fn between(spans: impl Iterator<Item = Span<'static>>, sign: &'static str) -> Vec<Span<'static>> {
    let mut all = Vec::new();
    for span in spans {
        if !all.is_empty() {
            all.push(Span::raw(sign));
        }
        all.push(span);
    }
    all
}

/// A meld as a piece. Before it stands a sign: chosen, takes the marked cards, or has a joker for one of them.
fn piece(scene: &Scene<'_, Romme>, bench: &Bench<'_>, meld: &MeldView, room: Room) -> Piece {
    let look = scene.look;
    let chosen = bench.chosen().is_some_and(|chosen| chosen.id == meld.id);
    let (sign, style) = if chosen {
        (">", look.bright())
    } else if bench.fits(meld) {
        ("+", look.good())
    } else if bench.swaps(meld) {
        ("~", look.good())
    } else {
        (" ", look.dim())
    };
    let label = Span::styled(format!("{sign}{} ", meld.id), style);
    let faces = meld.cards.iter().map(|card| lying_card(scene, meld, card));
    let place = Some(u16::from(meld.id.0));
    let mut spans = vec![label.clone()];
    match room {
        Room::Tall => return Piece { lines: tall(scene, label, faces), place },
        Room::Boxes => {
            for face in faces {
                spans.extend([Span::styled("[", look.dim()), face, Span::styled("]", look.dim())]);
            }
        }
        Room::Lines => spans.extend(between(faces, " ")),
        Room::Close | Room::Closest => spans.extend(faces),
    }
    Piece { lines: vec![Line::from(spans)], place }
}

/// Faces in boxes of three lines, with a label before them.
fn tall(
    scene: &Scene<'_, Romme>,
    label: Span<'static>,
    faces: impl Iterator<Item = Span<'static>>,
) -> Vec<Line<'static>> {
    let (dim, set) = (scene.look.dim(), scene.look.border());
    let space = Span::raw(" ".repeat(label.width()));
    let (mut top, mut middle, mut bottom) = (vec![space.clone()], vec![label], vec![space]);
    for face in faces {
        let flat = |l: &str, m: &str, r: &str| Span::styled(format!("{l}{}{r}", m.repeat(face.width())), dim);
        top.push(flat(set.top_left, set.horizontal_top, set.top_right));
        bottom.push(flat(set.bottom_left, set.horizontal_bottom, set.bottom_right));
        middle.extend([Span::styled(set.vertical_left, dim), face, Span::styled(set.vertical_right, dim)]);
    }
    vec![Line::from(top), Line::from(middle), Line::from(bottom)]
}

/// All melds in lines of this width, and how many lines that takes.
fn flow(scene: &Scene<'_, Romme>, draft: &Draft<Extra>, width: u16, room: Room) -> (Vec<Placed>, u16) {
    let (view, look) = (scene.view, scene.look);
    let bench = bench(scene, draft);
    let mut owners: Vec<Seat> = view.melds.iter().map(|meld| meld.owner).collect();
    owners.sort_unstable();
    owners.dedup();
    let mut placed = Vec::new();
    if owners.is_empty() {
        let says = match view.first_meld {
            0 => "No melds yet.".to_owned(),
            needed => format!("No melds yet. You need at least {needed} points to open."),
        };
        let piece = Piece::plain(vec![Line::styled(says, look.dim())]);
        return (vec![Placed { x: 0, y: 0, piece }], 1);
    }
    let name = |seat: Seat| shorten(&look.plain(scene.who(seat)), 10, look.sign(Sign::Ellipsis));
    let widest = owners.iter().map(|seat| name(*seat).chars().count()).max().unwrap_or(0);
    let column = u16::try_from(widest).unwrap_or(0) + 1;
    let (mut x, mut y) = (0, 0);
    for (owner, n) in owners.into_iter().zip(0..) {
        let heading = Line::styled(format!("{} ", name(owner)), look.bold());
        if n > 0 && room != Room::Closest {
            y += room.height() + u16::from(room.is_airy());
            x = 0;
        }
        let indent = if room == Room::Closest { 0 } else { column };
        let heading_width = u16::try_from(heading.width()).unwrap_or(0);
        if x + heading_width > width {
            (x, y) = (0, y + 1);
        }
        let beside = room.height() / 2;
        placed.push(Placed { x, y: y + beside, piece: Piece::plain(vec![heading]) });
        x += heading_width.max(indent);
        for meld in view.melds.iter().filter(|meld| meld.owner == owner) {
            let piece = piece(scene, &bench, meld, room);
            let (wide, _) = piece.size();
            if x + wide > width && x > indent {
                (x, y) = (indent, y + room.height());
            }
            placed.push(Placed { x, y, piece });
            x += wide + 1;
        }
    }
    (placed, y + room.height())
}
