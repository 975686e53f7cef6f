//! Texas Hold'em on a terminal.

mod showdown;

use cards::Card;
use games::holdem::{Action, Did, Holdem, PlayerView, PotView, Sizes, Status, Street, View};
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use table::{Chips, Move, Outcome, Seat};

use super::look::{Sign, side_by_side};
use super::page::Page;
use super::screen::{Button, Desk, Draft, Marking, MoveOf, Panel, Scene, Screen, Tile, does, text};
use crate::text::plural;

impl Screen for Holdem {
    type Extra = ();
    const RULES: &'static str = games::holdem::RULES_EN;
    const NUMBERS: &'static str = include_str!("../rules/holdem.txt");
    const COUNTS: &'static str = "chips";

    fn title(scene: &Scene<'_, Self>) -> String {
        let view = scene.view;
        format!("blinds {}/{} · {}", view.small_blind, view.big_blind, street(view.street))
    }

    fn panel(scene: &Scene<'_, Self>, seat: Seat) -> Panel {
        let look = scene.look;
        let Some(player) = scene.view.players.get(usize::from(seat.index())) else { return Panel::default() };
        let cards = match player.status {
            Status::Out => Line::raw(""),
            Status::Folded | Status::Gone => Line::styled("folded", look.dim()),
            Status::Live | Status::AllIn if player.shown.is_empty() => Line::from(look.row([None, None])),
            Status::Live | Status::AllIn => {
                let mut spans = look.row(player.shown.iter().map(|held| held.card));
                spans.extend(player.hand_name.as_ref().map(|name| text(format!(" {}", look.plain(name)))));
                Line::from(spans)
            }
        };
        Panel {
            facts: player.stack.to_string(),
            mark: if scene.view.button == Some(seat) { look.sign(Sign::Dealer) } else { "" },
            cards,
            status: status(scene, player),
            turn: scene.view.turn == Some(seat),
            out: matches!(player.status, Status::Out | Status::Folded | Status::Gone),
        }
    }

    fn middle_height(_: &Scene<'_, Self>, _: u16) -> u16 {
        5
    }

    fn middle(scene: &Scene<'_, Self>, _: &Draft<()>, page: &mut Page<'_>, area: Rect) {
        let (view, look) = (scene.view, scene.look);
        let size = if area.height >= 10 { 5 } else { 3 };
        let board = (0..5).map(|n| match view.board.get(n).copied() {
            None => look.empty(size),
            card if size == 5 => look.big(card),
            card => look.tall(card),
        });
        let mut lines = side_by_side(board, " ");
        let mut pot = vec![text("Pot "), Span::styled(view.pot.to_string(), look.bright())];
        if view.pots.len() > 1 {
            let parts: Vec<String> = view.pots.iter().zip(0..).map(|(pot, n)| side_pot(view, *pot, n)).collect();
            pot.push(Span::styled(look.plain(&format!("   {}", parts.join(" · "))), look.dim()));
        }
        lines.push(Line::raw(""));
        lines.push(Line::from(pot).centered());
        let top = area.y + area.height.saturating_sub(u16::try_from(lines.len()).unwrap_or(0)) / 2;
        page.lines(Rect::new(area.x, top, area.width, area.height), lines);
    }

    fn own(scene: &Scene<'_, Self>) -> Line<'static> {
        let look = scene.look;
        let Some(player) = scene.me().and_then(|me| scene.view.players.get(usize::from(me.index()))) else {
            return Line::default();
        };
        let mut spans = vec![text(format!("{} {}", player.stack, plural(player.stack.0, "chip")))];
        if scene.view.button == scene.me() {
            spans.push(text(format!("  {} button", look.sign(Sign::Dealer))));
        }
        if player.bet > Chips::ZERO {
            spans.push(text(format!("  bet {}", player.bet)));
        }
        if let Some(name) = &scene.view.hand_name {
            spans.push(Span::styled(format!("  {}", look.plain(name)), look.good()));
        }
        if player.status == Status::Folded {
            spans.push(Span::styled("  folded", look.dim()));
        }
        Line::from(spans)
    }

    fn desk(scene: &Scene<'_, Self>, draft: &Draft<()>) -> Desk<Self> {
        let hand = scene.view.hand.iter().map(|held| Tile { slot: held.slot, card: held.card, usable: true }).collect();
        let Some(moves) = scene.moves else { return Desk { hand, ..Desk::default() } };
        let sizes = moves.sizes(scene.view);
        let mut buttons = Vec::new();
        if moves.can_check {
            buttons.push(Button::act('c', "Check", Action::Check));
        } else {
            buttons.push(Button::act('c', format!("Call {}", moves.to_call), Action::Call));
        }
        match sizes {
            Some(Sizes { amount, half_pot, pot }) => {
                let to = amount.now(draft.amount);
                let verb = if scene.view.bet_to == Chips::ZERO { "Bet" } else { "Raise to" };
                buttons.push(Button::act('r', format!("{verb} {to}"), Action::RaiseTo(Chips(to))));
                buttons.push(Button::amount('b', "½ pot", half_pot));
                buttons.push(Button::amount('p', "Pot", pot));
            }
            None => buttons.push(Button::refused('r', "Raise", "you cannot raise here")),
        }
        if moves.can_all_in {
            buttons.push(Button::act('a', "All-in", Action::AllIn));
        }
        let fold = Button::act('f', "Fold", Action::Fold);
        buttons.push(if moves.can_check { fold.sure("You can check for free. Fold anyway?") } else { fold });
        let says = match moves.to_call {
            Chips::ZERO => Line::raw("Nothing to call."),
            cost => Line::raw(format!("{cost} to call into a pot of {}.", scene.view.pot)),
        };
        Desk { hand, marking: Marking::None, says, buttons, amount: sizes.map(|sizes| sizes.amount) }
    }

    fn prepare(_: &Scene<'_, Self>, draft: &mut Draft<()>, a_move: &MoveOf<Self>) {
        if let Move::Act(Action::RaiseTo(to)) = a_move {
            draft.amount = Some(to.0);
        }
    }

    fn phrase(before: &View, _: &Scene<'_, Self>, seat: Seat, a_move: &MoveOf<Self>) -> String {
        let player = before.players.get(usize::from(seat.index()));
        match a_move {
            Move::Act(Action::Fold) => "fold".to_owned(),
            Move::Act(Action::Check) => "check".to_owned(),
            Move::Act(Action::Call) => {
                let cost = player.map_or(Chips::ZERO, |player| player.stack.min(before.bet_to - player.bet));
                format!("call {cost}")
            }
            Move::Act(Action::RaiseTo(to)) if before.bet_to == Chips::ZERO => format!("bet {to}"),
            Move::Act(Action::RaiseTo(to)) => format!("raise to {to}"),
            Move::Act(Action::AllIn) => {
                format!("all-in with {}", player.map_or(Chips::ZERO, |player| player.stack + player.bet))
            }
            Move::Choose(never) => match *never {},
        }
    }

    fn news(before: &View, after: &Scene<'_, Self>) -> Vec<String> {
        let (view, look) = (after.view, after.look);
        let mut news = Vec::new();
        if let (None, Some(button)) = (before.button, view.button) {
            news.push(format!("{} the button", does(after.name(button), "has", "have")));
        }
        if view.board.len() > before.board.len() {
            let street = match view.board.len() {
                3 => "flop",
                4 => "turn",
                5 => "river",
                _ => "board",
            };
            let cards: Vec<String> = view.board.iter().map(|card| look.short(Some(*card))).collect();
            news.push(format!("{street}: {}", cards.join(" ")));
        }
        for seat in view.showing.iter().filter(|seat| !before.showing.contains(seat)) {
            let player = view.players.get(usize::from(seat.index()));
            let cards = player.map(|player| faces(after, player.shown.iter().map(|held| held.card)));
            news.push(format!("{} {}", does(after.name(*seat), "shows", "show"), cards.unwrap_or_default()));
        }
        news
    }

    fn summary(scene: &Scene<'_, Self>, outcome: &Outcome) -> Vec<Line<'static>> {
        let (view, look) = (scene.view, scene.look);
        let mut lines = Vec::new();
        if let Some(why) = outcome.broken_off {
            lines.push(Line::styled(look.plain(&scene.broken(why, "Cheated")), look.bad()));
        }
        if !view.board.is_empty() {
            let mut spans = vec![text("Board  ")];
            spans.extend(look.row(view.board.iter().map(|card| Some(*card))));
            lines.push(Line::from(spans));
            lines.push(Line::raw(""));
        }
        lines.extend(showdown::results(scene, outcome).into_iter().map(|line| Line::styled(line, look.bright())));
        for seat in &view.showing {
            let Some(player) = view.players.get(usize::from(seat.index())) else { continue };
            let mut spans = vec![text(format!("  {:<12}", look.plain(scene.name(*seat))))];
            spans.extend(look.row(player.shown.iter().map(|held| held.card)));
            spans.extend(player.hand_name.as_ref().map(|name| text(format!("  {}", look.plain(name)))));
            lines.push(Line::from(spans));
        }
        if view.pots.len() > 1 {
            lines.push(Line::raw(""));
            for (pot, n) in view.pots.iter().zip(0..) {
                let line = format!("  {}: {}", side_pot(view, *pot, n), showdown::who_takes(scene, pot, outcome));
                lines.push(Line::raw(look.plain(&line)));
            }
        }
        lines
    }
}

const fn street(street: Street) -> &'static str {
    match street {
        Street::Preflop => "before the flop",
        Street::Flop => "flop",
        Street::Turn => "turn",
        Street::River => "river",
    }
}

/// What a player did, and what they have bet.
fn status(scene: &Scene<'_, Holdem>, player: &PlayerView) -> Line<'static> {
    let look = scene.look;
    let did = match player.last {
        Some(Did::Check) => "check",
        Some(Did::Call) => "call",
        Some(Did::Raise) => "raise",
        Some(Did::Bet) => "bet",
        Some(Did::Fold | Did::Leave) | None => "",
        Some(Did::Post) => "blind",
    };
    let bet = if player.bet > Chips::ZERO { format!("{} ", player.bet) } else { String::new() };
    let (word, style) = match player.status {
        Status::Out => ("out", look.dim()),
        Status::Gone => ("left", look.dim()),
        Status::Folded => ("", look.dim()),
        Status::AllIn => ("all-in", look.bad()),
        Status::Live => (did, ratatui::style::Style::new()),
    };
    Line::from(vec![Span::styled(bet, look.bright()), Span::styled(word, style)])
}

/// The main pot, the only side pot, or one of several: two numbers side by side would read as one.
fn side_pot(view: &View, pot: PotView, n: usize) -> String {
    match (n, view.pots.len()) {
        (0, _) => format!("main pot {}", pot.amount),
        (_, 2) => format!("side pot {}", pot.amount),
        _ => format!("side pot {n} ({})", pot.amount),
    }
}

fn faces(scene: &Scene<'_, Holdem>, cards: impl Iterator<Item = Option<Card>>) -> String {
    cards.map(|card| scene.card(card)).collect::<Vec<_>>().join(" ")
}
