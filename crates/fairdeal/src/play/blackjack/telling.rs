//! What happened in Blackjack, and how a round ended.

use games::blackjack::{Blackjack, BlackjackPays, Ground, HandView, Status, Total, Verdict, View};
use ratatui::text::{Line, Span};
use table::{Outcome, Seat, Value as _};

use super::{player, shows, total_text};
use crate::play::screen::{Scene, text};
use crate::text::{plural, signed};

/// What happened apart from the seats' own moves.
pub(super) fn news(before: &View, after: &Scene<'_, Blackjack>) -> Vec<String> {
    let view = after.view;
    let mut news = Vec::new();
    if view.shoe > before.shoe {
        news.push("the shoe is reshuffled".to_owned());
    }
    let faces = |cards: &[games::Held]| cards.iter().map(|held| after.card(held.card)).collect::<Vec<_>>().join(" ");
    let open = |view: &View| view.bank.cards.iter().filter(|held| held.card.is_some()).count();
    if let (0, Some(up)) = (open(before), view.bank.cards.first().and_then(|held| held.card)) {
        news.push(format!("the bank shows {}: {}", after.card(Some(up)), shows(up)));
    }
    for (seat, now) in (0..).map_while(Seat::new).zip(&view.players) {
        let was = player(before, seat);
        for (hand, n) in now.hands.iter().zip(0..) {
            let known = |hand: &&HandView| hand.total.is_some();
            let new = was.and_then(|was| was.hands.get(n)).filter(known).is_none();
            if let (Some(total), true) = (hand.total, new) {
                news.push(format!("{}: {} = {}", after.name(seat), faces(&hand.cards), total_text(total)));
            }
        }
        let split = was.is_some_and(|was| !was.hands.is_empty() && was.hands.len() < now.hands.len());
        if split && view.phase == "turns" {
            let open = now.hands.iter().filter_map(|hand| hand.cards.first()?.card).map(|card| after.card(Some(card)));
            news.push(format!("{}: {} split", after.name(seat), open.collect::<Vec<_>>().join(" and ")));
        }
    }
    if open(before) < 2 && open(view) >= 2 {
        news.push(format!("the bank turns over {}: {}", faces(&view.bank.cards), bank_total(view)));
    } else if open(before) >= 2 && view.bank.cards.len() > before.bank.cards.len() {
        let drawn = view.bank.cards.get(before.bank.cards.len()..).unwrap_or_default();
        news.push(format!("the bank draws {}: {}", faces(drawn), bank_total(view)));
    }
    news
}

fn bank_total(view: &View) -> String {
    view.bank.total.map(total_text).unwrap_or_default()
}

/// The bank, every hand against it, what that brought, and who gained on whom.
pub(super) fn summary(scene: &Scene<'_, Blackjack>, outcome: &Outcome) -> Vec<Line<'static>> {
    let (view, look) = (scene.view, scene.look);
    let mut lines = Vec::new();
    if let Some(why) = outcome.broken_off {
        lines.push(Line::styled(look.plain(&scene.broken(why, "Claimed a false total")), look.bad()));
        lines.push(Line::raw(""));
    }
    let widest = scene.names.iter().map(|name| name.chars().count()).max().unwrap_or(4).max(4);
    let row = |name: &str, cards: &[games::Held], says: String| {
        let mut spans = vec![text(format!("  {name:widest$}  "))];
        spans.extend(cards.iter().flat_map(|held| [look.face(held.card), text(" ")]));
        spans.push(text(format!(" {says}")));
        Line::from(spans)
    };
    if !view.bank.cards.is_empty() {
        lines.push(row("Bank", &view.bank.cards, format!("= {}", bank_total(view))));
        lines.push(Line::raw(""));
    }
    for (seat, now) in (0..).map_while(Seat::new).zip(&view.players) {
        let name = look.plain(scene.name(seat));
        for (hand, n) in now.hands.iter().zip(0..) {
            let total = hand.total.map(|total| format!("= {}", points(total))).unwrap_or_default();
            let mut line = row(if n == 0 { &name } else { "" }, &hand.cards, total);
            if let Some(verdict) = hand.verdict {
                let (word, style) = match verdict {
                    Verdict::Win => ("wins", look.good()),
                    Verdict::Lose => ("loses", look.bad()),
                    Verdict::Push => ("push", look.bold()),
                };
                line.push_span(Span::styled(format!("  stake {} {word}", hand.stake), style));
                let why = why(hand, view.bank.total, scene.settings.blackjack_pays);
                line.push_span(Span::styled(format!(": {why}"), look.dim()));
            }
            lines.push(line);
        }
        if let (Some(result), Some(ground)) = (now.result, now.ground) {
            let style = if result.0 < 0 { look.bad() } else { look.good() };
            let ground = compared(ground, view.everybody_lost());
            let says = format!("  {:widest$}  {} {}", "", signed(result.0), plural(result.0, "chip"));
            lines.push(Line::from(vec![Span::styled(says, style), Span::styled(format!(", {ground}"), look.dim())]));
        }
    }
    lines
}

/// How a player did, compared with the others. If everybody lost, the loss itself says how much.
pub(super) const fn compared(ground: Ground, everybody_lost: bool) -> &'static str {
    match ground {
        Ground::Same if everybody_lost => "everybody lost",
        Ground::Gained => "gained ground on the others",
        Ground::Lost => "lost ground to the others",
        Ground::Same => "neither gained nor lost ground",
    }
}

/// A total in little room.
fn points(total: Total) -> String {
    if total.soft && !total.natural { format!("soft {}", total.points) } else { total.points.to_string() }
}

/// Why a hand ended as it did.
fn why(hand: &HandView, bank: Option<Total>, pays: BlackjackPays) -> String {
    let (Some(own), Some(bank)) = (hand.total, bank) else { return "void".to_owned() };
    match (own.natural, bank.natural) {
        _ if hand.status == Status::Surrendered => "surrendered".to_owned(),
        _ if own.points > 21 => "bust".to_owned(),
        (true, true) => "two naturals".to_owned(),
        (true, false) => format!("a natural pays {}", pays.text()),
        (false, true) => "the bank has a natural".to_owned(),
        (false, false) if bank.points > 21 => "the bank busts".to_owned(),
        (false, false) => format!("{} against {}", own.points, bank.points),
    }
}
