//! Big-C on a terminal.
//!
//! - `hands`: what cards make, and what could be played.
//! - `middle`: the hand to beat and the order of play.
//! - `words`: phrases, news, the end of a deal.

mod hands;
mod middle;
#[cfg(test)]
mod tests;
mod words;

use games::Held;
use games::bigc::{Action, BigC, Choice, Did, Moves, Options, RULES_EN, Sorting, View, position};
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use table::{Move, Outcome, Seat};

use super::drawing::shorten;
use super::look::Sign;
use super::page::Page;
use super::screen::{Button, Desk, Draft, Marking, MoveOf, Panel, Scene, Screen, Tile, text};

impl Screen for BigC {
    type Extra = Sorting;
    const RULES: &'static str = RULES_EN;
    const NUMBERS: &'static str = include_str!("../rules/bigc.txt");
    const COUNTS: &'static str = "points";

    fn title(scene: &Scene<'_, Self>) -> String {
        let view = scene.view;
        match (&view.table, view.phase) {
            (Some(table), _) => format!("a round of {}", hands::round(table.class.size())),
            (None, "playing" | "drawing") => "a new round".to_owned(),
            (None, "dealing" | "choosing" | "showing" | "lots") => "the order of play".to_owned(),
            (None, _) => "over".to_owned(),
        }
    }

    fn panel(scene: &Scene<'_, Self>, seat: Seat) -> Panel {
        panel(scene, seat)
    }

    fn middle_height(scene: &Scene<'_, Self>, width: u16) -> u16 {
        middle::height(scene, width)
    }

    fn middle(scene: &Scene<'_, Self>, _: &Draft<Sorting>, page: &mut Page<'_>, area: Rect) {
        middle::draw(scene, page, area);
    }

    fn own(scene: &Scene<'_, Self>) -> Line<'static> {
        let (view, look) = (scene.view, scene.look);
        let Some(me) = scene.me() else { return Line::default() };
        let n = view.hand.len();
        let jokers = view.hand.iter().filter(|held| held.card.is_some_and(|card| card.is_joker())).count();
        let mut spans = vec![text(format!("{n} card{}", if n == 1 { "" } else { "s" }))];
        if jokers > 0 {
            spans.push(text(format!(", {jokers} joker{}", if jokers == 1 { "" } else { "s" })));
        }
        let player = view.players.get(usize::from(me.index()));
        if player.is_some_and(|player| player.passed) {
            spans.push(Span::styled("  passed", look.dim()));
        }
        if scene.settings.deals > 1 {
            let dot = look.sign(Sign::Dot);
            spans.push(Span::styled(format!(" {dot} match {}", scene.standing.total[me]), look.dim()));
        }
        Line::from(spans)
    }

    fn desk(scene: &Scene<'_, Self>, draft: &Draft<Sorting>) -> Desk<Self> {
        let tiles = |usable: &dyn Fn(&Held) -> bool| {
            let tile = |held: &Held| Tile { slot: held.slot, card: held.card, usable: usable(held) };
            draft.extra.sort(&scene.view.hand).iter().map(tile).collect::<Vec<_>>()
        };
        let sort = Button::command(
            'r',
            match draft.extra {
                Sorting::Ranks => "By suit",
                Sorting::Suits => "By rank",
            },
        );
        match scene.moves {
            None | Some(Moves::None) => Desk { hand: tiles(&|_| true), ..Desk::default() },
            Some(Moves::Show(cards)) => {
                let hand = tiles(&|held| cards.contains(held));
                let (says, show) = showing(scene, draft, cards);
                Desk { hand, marking: Marking::One, says, buttons: vec![show, sort], amount: None }
            }
            Some(moves @ (Moves::Lead(_) | Moves::Answer { .. })) => {
                let usable = moves.options().and_then(Options::usable);
                let hand =
                    tiles(&|held| held.card.is_none_or(|card| usable.as_ref().is_none_or(|u| u.contains(&card))));
                let mut buttons = playing_buttons(scene, draft, moves);
                buttons.push(sort);
                Desk { hand, marking: Marking::Many, says: saying(scene, draft, moves), buttons, amount: None }
            }
        }
    }

    fn command(scene: &Scene<'_, Self>, draft: &mut Draft<Sorting>, key: char) -> Option<String> {
        match key {
            'r' => {
                draft.extra = draft.extra.other();
                None
            }
            _ => hands::suggest(scene, draft, key),
        }
    }

    fn forced(scene: &Scene<'_, Self>) -> Option<MoveOf<Self>> {
        match scene.moves? {
            Moves::Show(cards) if cards.is_empty() => Some(Move::Choose(Choice::Nothing)),
            Moves::Lead(options) if !options.has_naturals() => Some(Move::Act(Action::PassRole)),
            Moves::None | Moves::Show(_) | Moves::Lead(_) | Moves::Answer { .. } => None,
        }
    }

    fn prepare(_: &Scene<'_, Self>, draft: &mut Draft<Sorting>, a_move: &MoveOf<Self>) {
        draft.marked = match a_move {
            Move::Act(Action::Play(few)) => few.iter().collect(),
            Move::Choose(Choice::Show(slot)) => vec![*slot],
            Move::Act(Action::Pass | Action::PassRole) | Move::Choose(Choice::Nothing) => Vec::new(),
        };
    }

    fn phrase(_: &View, scene: &Scene<'_, Self>, _: Seat, a_move: &MoveOf<Self>) -> String {
        words::phrase(scene, a_move)
    }

    fn news(before: &View, after: &Scene<'_, Self>) -> Vec<String> {
        words::news(before, after)
    }

    fn summary(scene: &Scene<'_, Self>, outcome: &Outcome) -> Vec<Line<'static>> {
        words::summary(scene, outcome)
    }
}

/// Another player: how many cards, which of them everybody knows, what they did.
fn panel(scene: &Scene<'_, BigC>, seat: Seat) -> Panel {
    let (view, look) = (scene.view, scene.look);
    let Some(player) = view.players.get(usize::from(seat.index())) else { return Panel::default() };
    if !player.in_play {
        return Panel { status: Line::styled("left", look.dim()), out: true, ..Panel::default() };
    }
    let mut cards = look.row(player.open.iter().map(|held| held.card));
    let closed = player.cards.saturating_sub(player.open.len());
    cards.push(match (closed, player.open.is_empty()) {
        (0, _) => text(""),
        (_, true) => Span::styled(format!("[##]{}{closed}", look.sign(Sign::Times)), look.dim()),
        (_, false) => Span::styled(format!(" +{closed}"), look.dim()),
    });
    let on_table = view.table.as_ref().is_some_and(|table| table.by == seat);
    let status = match (player.passed, on_table, player.did) {
        (true, ..) => Span::styled("passed", look.dim()),
        (_, true, _) => Span::styled("highest so far", look.bright()),
        (_, _, Did::Played) => text("played"),
        (_, _, Did::Passed) => Span::styled("passed", look.dim()),
        (_, _, Did::PassedRole) => Span::styled("only jokers", look.dim()),
        (_, _, Did::Nothing) => text(""),
    };
    let few = player.cards <= 3;
    let count = format!("{} card{}", player.cards, if player.cards == 1 { "" } else { "s" });
    let total = if scene.settings.deals > 1 { format!(", {} pts", scene.standing.total[seat]) } else { String::new() };
    let mut status = vec![status];
    if few && player.cards > 0 && view.winner.is_none() {
        status.push(Span::styled(format!("  {} left!", player.cards), look.bad()));
    }
    Panel {
        facts: format!("{count}{total}"),
        mark: "",
        cards: Line::from(cards),
        status: Line::from(status),
        turn: view.turn == Some(seat) || view.choosing.contains(seat),
        out: false,
    }
}

/// A card is to be shown for the order of play.
fn showing(scene: &Scene<'_, BigC>, draft: &Draft<Sorting>, cards: &[Held]) -> (Line<'static>, Button<BigC>) {
    let look = scene.look;
    let marked = cards.iter().find(|held| draft.marked.contains(&held.slot));
    let again = scene.me().and_then(|me| scene.view.players.get(usize::from(me.index())));
    let says = match again.and_then(|me| me.shown.last()) {
        Some(card) => format!("Others showed {}, too: show another card.", look.short(Some(*card))),
        None => "Choose a card to show; it stays in your hand. The lowest plays first.".to_owned(),
    };
    let button = match marked {
        Some(held) => Button::choose('s', format!("Show {}", look.short(held.card)), Choice::Show(held.slot)),
        None => Button::refused('s', "Show", "choose a card first (not a joker)"),
    };
    (Line::raw(says), button)
}

/// As much as fits the line above the buttons.
const SAID: usize = 78;

fn saying(scene: &Scene<'_, BigC>, draft: &Draft<Sorting>, moves: &Moves) -> Line<'static> {
    let look = scene.look;
    let list = moves.options().map(Options::suggestions).unwrap_or_default();
    if !hands::marked(scene, draft).is_empty() {
        let (says, legal) = hands::judge(scene, draft);
        let at = position(&list, &draft.marked).map(|at| format!("  {} of {}", at + 1, list.len())).unwrap_or_default();
        let says = shorten(&look.plain(&says), SAID - at.chars().count(), look.sign(Sign::Ellipsis));
        let style = if legal { look.good() } else { look.bad() };
        return Line::from(vec![Span::styled(says, style), Span::styled(at, look.dim())]);
    }
    match (moves, list.len()) {
        (Moves::Lead(_), _) => Line::raw("You lead: mark 1, 2, 3 or 5 cards; n shows hands you can play."),
        (_, 0) => Line::raw("Nothing in your hand beats it: pass."),
        (_, 1) => Line::raw("You have one hand that beats it; n shows it."),
        (_, n) => Line::raw(format!("You have {n} hands that beat it; n shows them, the lowest first.")),
    }
}

fn playing_buttons(scene: &Scene<'_, BigC>, draft: &Draft<Sorting>, moves: &Moves) -> Vec<Button<BigC>> {
    let none = !moves.options().is_some_and(Options::any_at_all);
    let mut buttons = vec![Button::maybe('p', "Play", hands::play(scene, draft))];
    if let Moves::Answer { pass_draws, .. } = moves {
        let label = if *pass_draws > 0 { format!("Pass, draw {pass_draws}") } else { "Pass".to_owned() };
        let pass = Button::act('x', label, Action::Pass);
        // A player who has something to play must not pass by accident.
        buttons.push(if none { pass } else { pass.grave() });
    }
    let nothing = "you have nothing to play here";
    for (key, label) in [('n', "Next hand"), ('b', "Previous hand"), ('k', "More cards")] {
        match (none, key, moves) {
            (_, 'k', Moves::Answer { .. }) => {}
            (true, ..) => buttons.push(Button::refused(key, label, nothing)),
            (false, ..) => buttons.push(Button::command(key, label)),
        }
    }
    buttons
}
