//! What happened in Ongdu, and how a round ended.

use games::ongdu::{Ongdu, View};
use ratatui::text::{Line, Span};
use table::{Outcome, Seat};

use super::{LAYERS, class_text, layers, player};
use crate::play::drawing::shorten;
use crate::play::look::Sign;
use crate::play::screen::{Scene, does, text};
use crate::text::{plural, signed};

/// What happened apart from the seats' own moves.
pub(super) fn news(before: &View, after: &Scene<'_, Ongdu>) -> Vec<String> {
    let view = after.view;
    let mut news = Vec::new();
    if let (None, Some(starter)) = (before.starter, view.starter) {
        news.push(format!("{} (drawn by lot)", does(after.name(starter), "starts", "start")));
    }
    if before.phase != "discarding" && view.phase == "discarding" {
        let tenth = |seat| does(after.name(seat), "has ten cards and discards one", "have ten cards and discard one");
        news.extend(view.turn.map(tenth));
    }
    for (seat, now) in (0..).map_while(Seat::new).zip(&view.players) {
        let new = player(before, seat).is_none_or(|was| was.class.is_none());
        if let (Some(class), true) = (now.class.and_then(class_text), new) {
            news.push(format!("{}: {class}", after.name(seat)));
        }
        if let (Some(points), true) = (now.points, new) {
            news.push(format!("{}: {} {}", after.name(seat), signed(points), plural(points, "point")));
        }
    }
    news
}

/// Everybody's layers, and the points of every pair.
pub(super) fn summary(scene: &Scene<'_, Ongdu>, outcome: &Outcome) -> Vec<Line<'static>> {
    let (view, look) = (scene.view, scene.look);
    let mut lines = Vec::new();
    if let Some(why) = outcome.broken_off {
        lines.push(Line::styled(look.plain(&scene.broken(why, "Cheated")), look.bad()));
    }
    if view.players.iter().any(|player| !player.layers.is_empty()) {
        lines.push(layers::heading(look));
    }
    for (seat, now) in (0..).map_while(Seat::new).zip(&view.players).filter(|(_, player)| !player.layers.is_empty()) {
        lines.push(Line::from(layers::line(look, scene.name(seat), &now.layers)));
        lines
            .extend(now.class.and_then(class_text).map(|says| Line::styled(format!("{:11}{says}", ""), look.bright())));
    }
    if !view.pairs.is_empty() {
        lines.push(Line::raw(""));
        lines.extend(if view.pairs.len() <= 3 { pairs(scene) } else { matrix(scene) });
    }
    lines
}

/// Pair after pair, layer by layer.
fn pairs(scene: &Scene<'_, Ongdu>) -> Vec<Line<'static>> {
    let look = scene.look;
    let pair = |pair: &games::ongdu::PairView| {
        let (first, second) = (look.plain(scene.name(pair.first)), look.plain(scene.name(pair.second)));
        let how = match pair.layers {
            Some(points) => {
                let layers = LAYERS.iter().zip(points).map(|(name, points)| format!("{name} {}", signed(points)));
                layers.collect::<Vec<_>>().join(", ")
            }
            None => "whole hand".to_owned(),
        };
        let style = if pair.points < 0 { look.bad() } else { look.good() };
        Line::from(vec![
            text(format!("{first} against {second}: ")),
            Span::styled(signed(pair.points), style),
            Span::styled(format!("  ({how})"), look.dim()),
        ])
    };
    scene.view.pairs.iter().map(pair).collect()
}

/// What everybody gets from everybody.
fn matrix(scene: &Scene<'_, Ongdu>) -> Vec<Line<'static>> {
    let (view, look) = (scene.view, scene.look);
    let seats: Vec<Seat> = (0..scene.names.players()).filter_map(Seat::new).collect();
    let name = |seat: Seat, most| shorten(&look.plain(scene.name(seat)), most, look.sign(Sign::Ellipsis));
    let mut heading = format!("{:<12}", "points from");
    seats.iter().for_each(|seat| heading.push_str(&format!("{:>8}", name(*seat, 7))));
    heading.push_str(&format!("{:>9}", "total"));
    let mut lines = vec![Line::styled(heading, look.dim())];
    for seat in &seats {
        let mut spans = vec![Span::styled(format!("{:<12}", name(*seat, 11)), look.bold())];
        for other in &seats {
            let points = view.pairs.iter().find_map(|pair| match (pair.first, pair.second) {
                (first, second) if first == *seat && second == *other => Some(pair.points),
                (first, second) if first == *other && second == *seat => Some(-pair.points),
                _ => None,
            });
            spans.push(match points {
                None => Span::styled(format!("{:>8}", look.sign(Sign::Dot)), look.dim()),
                Some(0) => Span::styled(format!("{:>8}", 0), look.dim()),
                Some(points) => {
                    Span::styled(format!("{:>8}", signed(points)), if points < 0 { look.bad() } else { look.good() })
                }
            });
        }
        let together = player(view, *seat).and_then(|player| player.points).unwrap_or(0);
        spans.push(Span::styled(format!("{:>9}", signed(together)), look.bold()));
        lines.push(Line::from(spans));
    }
    lines
}
