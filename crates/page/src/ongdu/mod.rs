//! Ongdu on a page. The viewer arranges their cards in three layers on the desk; the others' are in their panels.
//!
//! - `desk`: discarding and arranging cards.
//! - `ending`: everybody's layers, and who paid whom.
//! - `layers`: three layers as HTML.
//! - `words`: all texts, in both languages.
//!
//! The places of the cards while they are arranged are part of the draft ([`Laying`], which the terminal shares).

mod desk;
mod ending;
mod layers;
#[cfg(test)]
mod tests;
mod words;

use ::table::{Move, Outcome, Seat};
use games::ongdu::{Action, Class, Illegal, Laying, Moves, Ongdu, Places, PlayerView, View};
use maud::{Markup, html};

use super::{Desk, Draft, Mood, MoveOf, Page, Panel, Scene, back, card_text, face};
use crate::Lang;

impl Page for Ongdu {
    type Extra = Laying;

    fn title(scene: &Scene<'_, Self>) -> String {
        let (view, lang) = (scene.view, scene.lang);
        let mut title = words::phase(view.phase, lang).to_owned();
        let rounds = scene.settings.max_rounds;
        if rounds > 0 {
            title.push_str(&match (rounds, lang) {
                (1, _) => lang.pick(" · one round", " · eine Runde").to_owned(),
                (_, Lang::En) => format!(" · at most {rounds} rounds"),
                (_, Lang::De) => format!(" · höchstens {rounds} Runden"),
            });
        }
        if view.point_value.0 != 1 {
            title.push_str(&match lang {
                Lang::En => format!(" · a point is worth {} cash", view.point_value),
                Lang::De => format!(" · ein Punkt ist {} wert", view.point_value),
            });
        }
        title
    }

    fn panel(scene: &Scene<'_, Self>, seat: Seat) -> Panel {
        let (view, lang) = (scene.view, scene.lang);
        let Some(player) = player(view, seat) else { return Panel::default() };
        let cards = match (player.layers.as_slice(), player.open.as_slice()) {
            ([], []) => html! { div class="fan" { @for _ in 0..player.cards { (back(lang)) } } },
            ([], open) => html! { @for held in open { (face(held.slot, held.card, lang)) } },
            (layers, _) => layers::open(scene, layers),
        };
        Panel {
            facts: format!("{} {}", scene.pick("cash", "Geld"), scene.standing.total[seat]),
            marks: Vec::from_iter((view.starter == Some(seat)).then(|| scene.pick("starts", "beginnt").to_owned())),
            cards,
            status: status(scene, seat, player),
            out: player.gone,
        }
    }

    fn middle(scene: &Scene<'_, Self>, _: &Draft<Laying>) -> Markup {
        let view = scene.view;
        let says = match view.phase {
            "drawing" => scene.pick("Drawing lots to see who starts.", "Es wird ausgelost, wer beginnt.").to_owned(),
            "dealing" => scene.pick("Dealing the cards.", "Die Karten werden gegeben.").to_owned(),
            "discarding" => match (view.turn, scene.lang) {
                (Some(seat), lang) if scene.eye.is(seat) => lang
                    .pick("Ten cards, nine places: one card must go.", "Zehn Karten, neun Plätze: eine muss weg.")
                    .to_owned(),
                (Some(seat), Lang::En) => format!("{} has ten cards and discards one.", scene.name(seat)),
                (Some(seat), Lang::De) => format!("{} hat zehn Karten und legt eine ab.", scene.name(seat)),
                (None, _) => String::new(),
            },
            "arranging" => {
                let (all, open) = (view.choosing.iter().count(), scene.awaited.iter().count());
                match scene.lang {
                    Lang::En => {
                        format!("Everybody arranges nine cards in secret: {} of {all} are done.", all - open.min(all))
                    }
                    Lang::De => {
                        format!("Alle ordnen verdeckt neun Karten: {} von {all} sind fertig.", all - open.min(all))
                    }
                }
            }
            "over" if view.players.iter().all(|player| player.layers.is_empty()) => {
                scene.pick("Everybody else has left.", "Alle anderen sind gegangen.").to_owned()
            }
            _ => scene.pick("All hands are face up.", "Alle Hände liegen offen.").to_owned(),
        };
        html! {
            p { (says) }
            @if let Some(discard) = view.discard {
                div class="group" role="group" aria-label=(scene.pick("Discarded", "Abgelegt")) {
                    span class="dim" { (scene.pick("Discarded:", "Abgelegt:")) } (face(discard.slot, discard.card, scene.lang))
                }
            }
        }
    }

    fn own(scene: &Scene<'_, Self>) -> Markup {
        let Some(player) = scene.me().and_then(|me| player(scene.view, me)) else { return html! {} };
        html! {
            @if let Some(class) = player.class.and_then(|class| words::class(class, scene.lang)) {
                span class={ "fact " (if player.class == Some(Class::Foul) { "bad" } else { "good" }) } { (class) }
            }
            @if let Some(points) = player.points {
                span class={ "fact " (mood(points).class()) } { (words::points(points, scene.lang)) }
            }
        }
    }

    fn desk(scene: &Scene<'_, Self>, draft: &Draft<Laying>) -> Desk<Self> {
        let Some(player) = scene.me().and_then(|me| player(scene.view, me)) else { return Desk::default() };
        if !player.layers.is_empty() {
            return Desk { bench: Some(layers::open(scene, &player.layers)), ..Desk::default() };
        }
        let places = draft.extra.now.within(&scene.view.hand);
        let hand = desk::hand(scene, places);
        match (scene.moves, scene.chosen) {
            (Some(Moves::Discard(_)), _) => desk::discarding(scene, draft),
            (Some(Moves::Arrange(_)), _) => desk::arranging(scene, draft, places, hand),
            (Some(Moves::None) | None, Some(confirmed)) => desk::confirmed(scene, Places::of(confirmed)),
            (Some(Moves::None) | None, None) => {
                let bench = (places.count() > 0).then(|| layers::own(scene, places, false));
                Desk { hand, bench, ..Desk::default() }
            }
        }
    }

    fn command(scene: &Scene<'_, Self>, draft: &mut Draft<Laying>, key: char) -> Option<String> {
        let (hand, preset) = (&scene.view.hand, scene.view.preset);
        let mut places = draft.extra.now.within(hand);
        let picked = places.picked.take();
        let mut answer = None;
        match key {
            'a' => match Places::best(hand, preset)? {
                (Some(slot), _) => draft.marked = vec![slot],
                (None, best) => {
                    places = best;
                    draft.marked.clear();
                }
            },
            'o' => places.order(hand, preset),
            'r' => picked.into_iter().for_each(|place| places.take_back(place)),
            'x' => places.clear(),
            'z' => {
                draft.extra.undo(hand);
                return None;
            }
            't' | 'm' | 'b' => {
                let layer = "tmb".find(key).unwrap_or(0);
                // A card that is already placed can be moved to another layer.
                let lying = picked.and_then(|place| places.card(place));
                let slots = if draft.marked.is_empty() { Vec::from_iter(lying) } else { draft.marked.clone() };
                if slots.is_empty() {
                    return Some(scene.pick("Choose cards first.", "Wähle zuerst Karten.").to_owned());
                }
                let left = places.fill(layer, &slots);
                draft.marked.retain(|slot| !places.has(*slot));
                if left > 0 {
                    let full = scene.pick(
                        "This layer is full: choose a place in it to swap cards.",
                        "Diese Reihe ist voll: wähle einen Platz darin, um Karten zu tauschen.",
                    );
                    answer = Some(full.to_owned());
                }
            }
            _ => {}
        }
        draft.extra.change(places);
        answer
    }

    fn place(scene: &Scene<'_, Self>, draft: &mut Draft<Laying>, place: u16) -> Option<String> {
        if let Some(Moves::Arrange(_)) = scene.moves {
            let hand = &scene.view.hand;
            let mut places = draft.extra.now.within(hand);
            draft.marked.retain(|slot| hand.iter().any(|held| held.slot == *slot));
            draft.marked = places.choose(usize::from(place), &draft.marked);
            draft.extra.change(places);
        }
        None
    }

    fn marked(scene: &Scene<'_, Self>, draft: &mut Draft<Laying>) {
        let hand = &scene.view.hand;
        let mut places = draft.extra.now.within(hand);
        let marked = draft.marked.iter().copied().find(|slot| hand.iter().any(|held| held.slot == *slot));
        if let (Some(place), Some(slot), Some(Moves::Arrange(_))) = (places.picked.take(), marked, scene.moves) {
            places.put(slot, place);
            draft.marked.clear();
            draft.extra.change(places);
        }
    }

    fn prepare(_: &Scene<'_, Self>, draft: &mut Draft<Laying>, a_move: &MoveOf<Self>) {
        match a_move {
            Move::Act(Action::Discard(slot)) => draft.marked = vec![*slot],
            Move::Choose(arrangement) => {
                draft.marked.clear();
                draft.extra.change(Places::of(arrangement));
            }
        }
    }

    fn phrase(_: &View, scene: &Scene<'_, Self>, seat: Seat, a_move: &MoveOf<Self>) -> String {
        let name = scene.name(seat);
        match a_move {
            Move::Act(action) => words::phrase(name, scene.known, *action, scene.lang),
            Move::Choose(_) => format!("{name} {}", scene.pick("has arranged nine cards", "hat neun Karten geordnet")),
        }
    }

    fn suggestion(scene: &Scene<'_, Self>, a_move: &MoveOf<Self>) -> String {
        match a_move {
            Move::Act(Action::Discard(slot)) => {
                let card = scene.known.face(*slot).map(|card| card_text(card, scene.lang)).unwrap_or_default();
                format!("{} {card}", scene.pick("Discard", "Ablegen:"))
            }
            Move::Choose(arrangement) => words::arranged(scene.known, arrangement, scene.lang),
        }
    }

    fn reason(why: &Self::Why, lang: Lang) -> String {
        words::reason(why, lang)
    }

    fn refusal(why: &Illegal, lang: Lang) -> String {
        words::refusal(why, lang)
    }

    fn news(before: &View, after: &Scene<'_, Self>) -> Vec<String> {
        words::news(before, after)
    }

    fn closing(scene: &Scene<'_, Self>, outcome: &Outcome) -> Vec<String> {
        outcome.broken_off.map(|why| words::broken(scene, why)).into_iter().collect()
    }

    fn summary(scene: &Scene<'_, Self>, outcome: &Outcome) -> Markup {
        ending::summary(scene, outcome)
    }

    fn counts(lang: Lang) -> &'static str {
        lang.pick("cash", "Geld")
    }

    fn rules(lang: Lang) -> &'static str {
        lang.pick(games::ongdu::RULES_EN, games::ongdu::RULES_DE)
    }

    fn setting(name: &str, english: &'static str, lang: Lang) -> &'static str {
        match lang {
            Lang::En => english,
            Lang::De => words::setting(name).unwrap_or(english),
        }
    }
}

fn player(view: &View, seat: Seat) -> Option<&PlayerView> {
    view.players.get(usize::from(seat.index()))
}

fn mood(points: i64) -> Mood {
    match points {
        0 => Mood::Plain,
        1.. => Mood::Good,
        _ => Mood::Bad,
    }
}

/// A player's progress, or the points they won.
fn status(scene: &Scene<'_, Ongdu>, seat: Seat, player: &PlayerView) -> Option<(String, Mood)> {
    let (view, lang) = (scene.view, scene.lang);
    if let Some(points) = player.points {
        let class = player.class.and_then(|class| words::class(class, lang));
        let text = [Some(words::points(points, lang)), class.map(str::to_owned)];
        return Some((text.into_iter().flatten().collect::<Vec<_>>().join(" · "), mood(points)));
    }
    let (word, mood) = match view.phase {
        _ if player.gone => (lang.pick("left", "gegangen"), Mood::Dim),
        "discarding" if view.turn == Some(seat) => (lang.pick("discarding …", "legt eine Karte ab …"), Mood::Plain),
        "arranging" if scene.awaited.contains(seat) => (lang.pick("arranging …", "ordnet …"), Mood::Dim),
        "arranging" => (lang.pick("done", "fertig"), Mood::Good),
        _ => return None,
    };
    Some((word.to_owned(), mood))
}
