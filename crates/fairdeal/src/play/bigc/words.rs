//! What happens in Big-C, in words.

use cards::Card;
use games::bigc::{Action, BigC, Choice, Footstool, View, classify};
use ratatui::text::{Line, Span};
use table::{Move, Outcome, Seat};

use super::super::look::Sign;
use super::super::screen::{MoveOf, Scene, does, text};
use super::hands;

/// A move, without who makes it.
pub(super) fn phrase(scene: &Scene<'_, BigC>, a_move: &MoveOf<BigC>) -> String {
    match a_move {
        Move::Act(Action::Play(few)) => {
            let faces: Option<Vec<Card>> = few.iter().map(|slot| scene.known.face(slot)).collect();
            let shown = scene.cards(few.laid_out(&scene.known).into_iter().map(|held| held.card));
            let hand = faces.and_then(|faces| classify(&faces).ok()).filter(|_| few.len() > 1);
            match hand {
                Some(hand) => format!("play {shown}, {}", hands::name(scene, &hand)),
                None => format!("play {shown}"),
            }
        }
        Move::Act(Action::Pass) => "pass".to_owned(),
        Move::Act(Action::PassRole) => "pass the lead on (only jokers)".to_owned(),
        Move::Choose(Choice::Show(slot)) => match scene.known.face(*slot) {
            Some(card) => format!("show {}", scene.card(Some(card))),
            None => "show a card".to_owned(),
        },
        Move::Choose(Choice::Nothing) => "nothing left to show".to_owned(),
    }
}

/// What everybody sees has happened, apart from the seats' own moves.
pub(super) fn news(before: &View, after: &Scene<'_, BigC>) -> Vec<String> {
    let view = after.view;
    let mut news = Vec::new();
    let shown: Vec<String> = view
        .players
        .iter()
        .zip((0..).map_while(Seat::new))
        .filter_map(|(now, seat)| {
            let was = before.players.get(usize::from(seat.index()))?.shown.len();
            let fresh: Vec<Option<Card>> = now.shown.iter().skip(was).map(|card| Some(*card)).collect();
            (!fresh.is_empty()).then(|| format!("{} {}", after.name(seat), after.cards(fresh)))
        })
        .collect();
    if !shown.is_empty() {
        news.push(format!("shown: {}", shown.join(", ")));
    }
    let ordering = |phase| matches!(phase, "choosing" | "showing" | "lots" | "dealing");
    if ordering(before.phase) && view.phase == "playing" {
        let names: Vec<&str> = view.order.iter().map(|seat| after.name(*seat)).collect();
        news.push(format!("order of play: {}", names.join(", ")));
    }
    if before.phase != "choosing" && view.phase == "choosing" && !view.order.is_empty() && before.phase != "dealing" {
        news.push(format!("equal cards: {} show again", after.list(view.choosing.iter())));
    }
    if view.stock > before.stock && before.phase != "dealing" {
        news.push("the played cards are shuffled into the draw pile".to_owned());
    }
    if let Some(stool) = view.last_footstool.filter(|stool| before.last_footstool != Some(*stool)) {
        let kind = match stool.kind {
            Footstool::Full => "full footstool",
            Footstool::Half | Footstool::None => "half footstool",
        };
        news.push(format!("{kind}! {} on {}", does(after.name(stool.by), "steps", "step"), after.name(stool.of)));
    }
    for (now, seat) in view.players.iter().zip((0..).map_while(Seat::new)) {
        let Some(was) = before.players.get(usize::from(seat.index())) else { continue };
        if now.cards > was.cards && before.phase != "dealing" {
            let n = now.cards - was.cards;
            news.push({
                let drawn = if n == 1 { "a card".to_owned() } else { format!("{n} cards") };
                format!("{} {drawn}", does(after.name(seat), "draws", "draw"))
            });
        }
        if now.cards < was.cards && (1..=3).contains(&now.cards) {
            news.push({
                let left = if now.cards == 1 { "one card".to_owned() } else { format!("{} cards", now.cards) };
                format!("{} {left} left", does(after.name(seat), "has", "have"))
            });
        }
    }
    if let (Some(table), None, Some(turn)) = (&before.table, &view.table, view.turn) {
        let who = after.name(turn);
        news.push(match turn == table.by {
            true => does(who, "wins the round and leads", "win the round and lead"),
            false => does(who, "leads", "lead"),
        });
    }
    news
}

/// The end of a deal.
pub(super) fn summary(scene: &Scene<'_, BigC>, outcome: &Outcome) -> Vec<Line<'static>> {
    let (view, look) = (scene.view, scene.look);
    let mut lines = Vec::new();
    lines.push(match (view.winner, outcome.broken_off) {
        (_, Some(why)) => Line::styled(look.plain(&scene.broken(why, "Cheated with the jokers")), look.bad()),
        (Some(winner), None) => {
            let wins = does(scene.name(winner), "has no cards left and wins.", "have no cards left and win.");
            Line::styled(look.plain(&wins), look.bright())
        }
        (None, None) => Line::styled("Nobody went out: nobody could lead.", look.bright()),
    });
    if let Some(table) = &view.table {
        let mut spans = vec![text(look.plain(&format!("Last hand, by {}:  ", scene.name(table.by))))];
        spans.extend(look.row(table.cards.iter().map(|held| held.card)));
        lines.push(Line::from(spans));
    }
    lines.push(Line::raw(""));
    let mut seats: Vec<Seat> = outcome.result.seats().map(|(seat, _)| seat).collect();
    seats.sort_by_key(|seat| (outcome.result[*seat], *seat));
    for seat in seats {
        let Some(player) = view.players.get(usize::from(seat.index())) else { continue };
        let left = match (player.in_play, player.cards) {
            (false, _) => "left the table".to_owned(),
            (true, 0) => "no cards left".to_owned(),
            (true, 1) => "1 card left".to_owned(),
            (true, n) => format!("{n} cards left"),
        };
        let style = if view.winner == Some(seat) { look.good() } else { ratatui::style::Style::new() };
        let mut spans = vec![Span::styled(format!("  {:<12} {left}", look.plain(scene.name(seat))), style)];
        if !player.open.is_empty() {
            spans.push(Span::styled(format!("  {} ", look.sign(Sign::Dot)), look.dim()));
            spans.extend(look.row(player.open.iter().map(|held| held.card)));
        }
        lines.push(Line::from(spans));
    }
    lines
}
