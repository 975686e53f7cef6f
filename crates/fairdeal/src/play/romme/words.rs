//! What happens in Rommé, in words.

use games::romme::bench::Not;
use games::romme::{Action, Laid, MeldId, MeldView, Romme, Use, View, in_hand};
use ratatui::text::{Line, Span};
use table::{Outcome, Seat};

use super::super::screen::{Scene, does, text};

/// Why something cannot be done, with the keys that help.
pub(super) fn not(scene: &Scene<'_, Romme>, why: &Not) -> String {
    match why {
        Not::NothingToLay => format!("{why}; f finds melds"),
        Not::TooFewPoints { .. } => format!("{why}; a sets this meld aside, so that you can mark another"),
        Not::NoMeld(_) | Not::Refused(_) => scene.spoken(&why.to_string()),
        other => other.to_string(),
    }
}

/// An action, without who does it.
pub(super) fn phrase(before: &View, scene: &Scene<'_, Romme>, seat: Seat, action: &Action) -> String {
    match action {
        Action::DrawStock => "draw from the draw pile".to_owned(),
        Action::DrawDiscard => {
            format!("take {} from the discard pile", scene.card(before.pile.last().and_then(|held| held.card)))
        }
        Action::Meld(melds) => {
            let opened = before.players.get(usize::from(seat.index())).is_some_and(|player| player.opened);
            let melds: Vec<String> = melds.iter().map(|meld| laid(scene, meld)).collect();
            format!("{} {}", if opened { "meld" } else { "open with" }, melds.join(", "))
        }
        Action::LayOff { meld, cards } => format!("add {} to {}", laid(scene, cards), named(before, scene, *meld)),
        Action::Swap { meld, card, then } => {
            let given = scene.card(scene.known.face(*card));
            let then = match then {
                Use::Meld(cards) => format!("meld {}", laid(scene, cards)),
                Use::LayOff { meld, cards } => format!("add {} to {}", laid(scene, cards), named(before, scene, *meld)),
            };
            format!("swap {given} for the joker in {}, and {then}", named(before, scene, *meld))
        }
        Action::Discard(slot) => format!("discard {}", scene.card(scene.known.face(*slot))),
    }
}

/// Cards as they are laid.
pub(super) fn laid(scene: &Scene<'_, Romme>, cards: &[Laid]) -> String {
    faces(scene, cards).join(" ")
}

/// The same, one by one: a joker with what it stands for.
pub(super) fn faces(scene: &Scene<'_, Romme>, cards: &[Laid]) -> Vec<String> {
    let card = |laid: &Laid| {
        let face = scene.card(scene.known.face(laid.slot));
        laid.stands_for.map_or(face.clone(), |card| format!("{face}={}", scene.card(Some(card))))
    };
    cards.iter().map(card).collect()
}

/// Cards in a sentence, many of them shortened to both ends.
pub(super) fn few(scene: &Scene<'_, Romme>, faces: Vec<String>) -> String {
    match faces.as_slice() {
        [first, second, .., last] if faces.len() > 5 => scene.look.plain(&format!("{first} {second} … {last}")),
        _ => faces.join(" "),
    }
}

/// A meld by its number and what lies in it.
fn named(view: &View, scene: &Scene<'_, Romme>, id: MeldId) -> String {
    let meld = view.melds.iter().find(|meld| meld.id == id);
    meld.map_or_else(|| id.to_string(), |meld| format!("{id} ({})", lying(scene, meld)))
}

/// What lies in a meld.
pub(super) fn lying(scene: &Scene<'_, Romme>, meld: &MeldView) -> String {
    few(scene, meld.cards.iter().map(|card| scene.card(Some(card.card))).collect())
}

/// What everybody sees has happened, apart from the seats' own moves.
pub(super) fn news(before: &View, after: &Scene<'_, Romme>) -> Vec<String> {
    let view = after.view;
    let mut news = Vec::new();
    if let (None, Some(dealer)) = (before.dealer, view.dealer) {
        news.push(does(after.name(dealer), "deals", "deal"));
    }
    if let (true, Some(first)) = (before.pile.is_empty() && before.stock == 0, view.pile.last()) {
        news.push(format!("{} starts the discard pile", after.card(first.card)));
    }
    if view.reshuffles.0 > before.reshuffles.0 {
        news.push("the discard pile is shuffled into a new draw pile".to_owned());
    }
    for (player, seat) in view.players.iter().zip((0..).map_while(Seat::new)) {
        let had = before.players.get(usize::from(seat.index()));
        if player.cards == 1 && view.ending.is_none() && had.is_some_and(|had| had.cards > 1) {
            news.push(format!("{} one card left", does(after.name(seat), "has", "have")));
        }
    }
    if let (None, Some(_)) = (before.ending, view.ending) {
        news.push(ending(after));
    }
    news
}

/// How the round ended, in a sentence.
fn ending(scene: &Scene<'_, Romme>) -> String {
    let winner = scene.view.out().map_or("a player", |seat| scene.name(seat));
    match scene.view.ending {
        Some("went out") => does(winner, "goes out", "go out"),
        Some("rommé") => {
            format!("Rommé! {} in one go: points count double", does(winner, "goes out", "go out"))
        }
        Some("hand rommé") => {
            format!("Hand Rommé! {} on the first turn: points count triple", does(winner, "goes out", "go out"))
        }
        Some("blocked") => "The draw pile is empty, and nobody has gone out".to_owned(),
        Some("left alone") => "Everybody else has left".to_owned(),
        Some(other) => other.to_owned(),
        None => String::new(),
    }
}

/// The end of a round: what everybody still held, and what it counts.
pub(super) fn summary(scene: &Scene<'_, Romme>, outcome: &Outcome) -> Vec<Line<'static>> {
    let look = scene.look;
    if let Some(why) = outcome.broken_off {
        return vec![Line::styled(look.plain(&scene.broken(why, "Cheated")), look.bad())];
    }
    let mut lines = vec![Line::styled(look.plain(&ending(scene)), look.bright()), Line::raw("")];
    let times = scene.view.times();
    let mut seats: Vec<Seat> = outcome.result.seats().map(|(seat, _)| seat).collect();
    seats.sort_by_key(|seat| (outcome.result[*seat], *seat));
    for seat in seats {
        let Some(player) = scene.view.players.get(usize::from(seat.index())).filter(|player| player.playing) else {
            continue;
        };
        let mut held: Vec<_> = player.open.iter().map(|held| held.card).collect();
        held.sort_by_key(|card| std::cmp::Reverse(card.map(in_hand)));
        let name = look.plain(scene.name(seat));
        let mut spans = vec![text(format!("  {name:<12} "))];
        if held.is_empty() {
            spans.push(Span::styled("no cards left", look.good()));
        }
        for card in held {
            spans.extend([look.face(card), text(" ")]);
        }
        let points = player.points.unwrap_or_default().0;
        let sum = match (points, times) {
            (0, _) => String::new(),
            (_, 1) => format!("= {points}"),
            (_, times) => format!("= {} x {times} = {points}", points / times),
        };
        spans.push(text(sum));
        lines.push(Line::from(spans));
    }
    lines
}
