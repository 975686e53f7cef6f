//! Rommé on a terminal.
//!
//! What a player prepares, and what can be done with it, is in [`games::romme::bench`].
//!
//! - `desk`: what is said about it, and the buttons.
//! - `middle`: stock, pile and melds.
//! - `words`: phrases, news, the end of a round.

mod desk;
mod middle;
#[cfg(test)]
mod tests;
mod words;

use games::romme::bench::{At, Bench, Prepared as Extra};
use games::romme::{Action, DrawView, Drawing, Mode, Moves, Romme, View};
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use table::{Move, Outcome, Seat};

use super::page::Page;
use super::screen::{Desk, Draft, Marking, MoveOf, Panel, Scene, Screen, Tile, text};
use crate::text::plural;

impl Screen for Romme {
    type Extra = Extra;
    const RULES: &'static str = games::romme::RULES_EN;
    const NUMBERS: &'static str = include_str!("../rules/romme.txt");
    const COUNTS: &'static str = "points";

    fn title(scene: &Scene<'_, Self>) -> String {
        let settings = scene.settings;
        let until = match settings.mode {
            Mode::Target => format!("to {} points", settings.target),
            Mode::Rounds => format!("round {} of {}", scene.deal, settings.rounds),
            Mode::Knockout => format!("out at {} points", settings.target),
        };
        match scene.view.first_meld {
            0 => until,
            needed => format!("open with {needed} · {until}"),
        }
    }

    fn panel(scene: &Scene<'_, Self>, seat: Seat) -> Panel {
        panel(scene, seat)
    }

    fn middle_height(scene: &Scene<'_, Self>, width: u16) -> u16 {
        middle::height(scene, width)
    }

    fn middle(scene: &Scene<'_, Self>, draft: &Draft<Extra>, page: &mut Page<'_>, area: Rect) {
        middle::draw(scene, draft, page, area);
    }

    fn own(scene: &Scene<'_, Self>) -> Line<'static> {
        own(scene)
    }

    fn desk(scene: &Scene<'_, Self>, draft: &Draft<Extra>) -> Desk<Self> {
        let bench = bench(scene, draft);
        let hand =
            bench.loose().into_iter().map(|(slot, card)| Tile { slot, card: Some(card), usable: true }).collect();
        let (says, buttons) = match scene.moves {
            None | Some(Moves::None) => return Desk { hand, ..Desk::default() },
            Some(Moves::Draw(drawing)) => {
                (desk::before_drawing(scene, &bench, *drawing), desk::drawing_buttons(scene, &bench, draft))
            }
            Some(Moves::Play(_)) => (desk::while_playing(scene, &bench), desk::playing_buttons(scene, &bench, draft)),
        };
        Desk { hand, marking: Marking::Many, says, buttons, amount: None }
    }

    fn command(scene: &Scene<'_, Self>, draft: &mut Draft<Extra>, key: char) -> Option<String> {
        let (at, extra) = (at(scene), &mut draft.extra);
        let done = match key {
            'a' => extra.set_aside(at, &mut draft.marked),
            'f' => extra.find(at, &mut draft.marked),
            'u' => {
                extra.take_back(at, &mut draft.marked, None);
                Ok(())
            }
            'v' => {
                extra.next_way();
                Ok(())
            }
            'r' => {
                extra.order = extra.order.other();
                Ok(())
            }
            _ => Ok(()),
        };
        done.err().map(|why| words::not(scene, &why))
    }

    fn marked(_: &Scene<'_, Self>, draft: &mut Draft<Extra>) -> Option<String> {
        draft.extra.first_way();
        None
    }

    fn place(scene: &Scene<'_, Self>, draft: &mut Draft<Extra>, place: u16) -> Option<String> {
        if let Some(n) = place.checked_sub(middle::READY).filter(|_| place < middle::STOCK) {
            draft.extra.take_back(at(scene), &mut draft.marked, Some(usize::from(n)));
            return None;
        }
        let meld = scene.view.melds.iter().find(|meld| u16::from(meld.id.0) == place)?;
        draft.extra.choose(at(scene), Some(meld.id));
        None
    }

    fn button_at(scene: &Scene<'_, Self>, draft: &Draft<Extra>, place: u16) -> Option<char> {
        let bench = bench(scene, draft);
        match (scene.moves?, place) {
            (Moves::Draw(_), middle::STOCK) => Some('s'),
            (Moves::Draw(_), middle::PILE) => Some('p'),
            (Moves::Play(_), middle::PILE) => Some('d'),
            // Chosen already: what is marked goes there.
            (Moves::Play(_), _) if bench.chosen().is_some_and(|meld| u16::from(meld.id.0) == place) => {
                let add = bench.lay_off().is_ok().then_some('t');
                add.or_else(|| bench.swap().is_ok().then_some('j'))
            }
            _ => None,
        }
    }

    fn undo(scene: &Scene<'_, Self>, draft: &mut Draft<Extra>) {
        if draft.marked.pop().is_some() {
            return;
        }
        if bench(scene, draft).chosen().is_some() {
            draft.extra.choose(at(scene), None);
        } else {
            draft.extra.take_back(at(scene), &mut draft.marked, None);
        }
    }

    fn forced(scene: &Scene<'_, Self>) -> Option<MoveOf<Self>> {
        match scene.moves? {
            Moves::Draw(Drawing { blocks: false, discard: None, .. }) => Some(Move::Act(Action::DrawStock)),
            Moves::None | Moves::Draw(_) | Moves::Play(_) => None,
        }
    }

    fn prepare(scene: &Scene<'_, Self>, draft: &mut Draft<Extra>, a_move: &MoveOf<Self>) {
        match a_move {
            Move::Act(action) => draft.extra.prepare(at(scene), &mut draft.marked, action),
            Move::Choose(never) => match *never {},
        }
    }

    fn phrase(before: &View, scene: &Scene<'_, Self>, seat: Seat, a_move: &MoveOf<Self>) -> String {
        match a_move {
            Move::Act(action) => words::phrase(before, scene, seat, action),
            Move::Choose(never) => match *never {},
        }
    }

    fn news(before: &View, after: &Scene<'_, Self>) -> Vec<String> {
        words::news(before, after)
    }

    fn summary(scene: &Scene<'_, Self>, outcome: &Outcome) -> Vec<Line<'static>> {
        words::summary(scene, outcome)
    }
}

/// What the viewer sees while they prepare something.
const fn at<'a>(scene: &Scene<'a, Romme>) -> At<'a> {
    At { eye: scene.eye, view: scene.view, moves: scene.moves, table: scene.table, known: scene.known }
}

/// What they have prepared.
const fn bench<'a>(scene: &Scene<'a, Romme>, draft: &'a Draft<Extra>) -> Bench<'a> {
    Bench::new(at(scene), draft.marked.as_slice(), &draft.extra)
}

/// Another player: how many cards, those that everybody knows, whether they have opened, what they did last.
fn panel(scene: &Scene<'_, Romme>, seat: Seat) -> Panel {
    let look = scene.look;
    let Some(player) = scene.view.players.get(usize::from(seat.index())) else { return Panel::default() };
    if !player.playing || player.gone {
        let word = if player.gone { "left" } else { "out" };
        return Panel { status: Line::styled(word, look.dim()), out: true, ..Panel::default() };
    }
    let mut cards = look.row(player.open.iter().map(|held| held.card));
    let closed = player.cards.saturating_sub(player.open.len());
    cards.push(match (closed, player.open.is_empty()) {
        (0, _) => text(""),
        (_, true) => Span::styled(format!("[##]{}{closed}", look.sign(super::look::Sign::Times)), look.dim()),
        (_, false) => Span::styled(format!(" +{closed}"), look.dim()),
    });
    let opened =
        if player.opened { Span::styled("opened", look.good()) } else { Span::styled("not opened", look.dim()) };
    let mut status = vec![opened];
    if scene.view.turn == Some(seat) {
        if scene.view.phase == "play" {
            status.push(text(match player.last_draw {
                Some(DrawView::Discard(held)) => format!(", took {}", look.short(held.card)),
                Some(DrawView::Stock) => ", drew".to_owned(),
                None => String::new(),
            }));
        }
    } else if let Some(thrown) = player.last_discard {
        status.push(text(", discarded "));
        status.push(look.face(thrown.card));
    }
    let plural = if player.cards == 1 { "" } else { "s" };
    Panel {
        facts: format!("{} card{plural}, {} pts", player.cards, scene.standing.total[seat]),
        mark: if scene.view.dealer == Some(seat) { look.sign(super::look::Sign::Dealer) } else { "" },
        cards: Line::from(cards),
        status: Line::from(status),
        turn: scene.view.turn == Some(seat),
        out: false,
    }
}

/// The points in the viewer's hand, and its deadwood: what would be left with all melds laid.
fn own(scene: &Scene<'_, Romme>) -> Line<'static> {
    let look = scene.look;
    let (Some(me), Some(points)) = (scene.me(), scene.view.hand_points) else { return Line::default() };
    let left = Bench::new(at(scene), &[], &Extra::default()).outside_melds().unwrap_or(points);
    let mut spans = vec![text(format!("{points} {} in hand", plural(points, "point")))];
    if left < points {
        spans.push(Span::styled(format!(", {left} deadwood"), look.good()));
    }
    let opened = scene.view.players.get(usize::from(me.index())).is_some_and(|player| player.opened);
    let opened = if opened { "opened" } else { "not opened" };
    let dot = look.sign(super::look::Sign::Dot);
    spans.push(Span::styled(format!(" {dot} {opened} {dot} match {}", scene.standing.total[me]), look.dim()));
    Line::from(spans)
}
