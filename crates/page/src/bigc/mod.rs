//! Big-C on a page.
//!
//! - `desk`: what the marked cards make, what could be played, the buttons.
//! - `middle`: the hand to beat, what beats it, the order of play.
//! - `words`: what happens, in both languages; `names`: hands and cards.

mod desk;
mod middle;
mod names;
#[cfg(test)]
mod tests;
mod words;

use ::table::{Move, Outcome, Seat};
use games::bigc::{Action, BigC, Choice, Did, Illegal, PlayerView, RULES_DE, RULES_EN, Sorting, View};
use maud::{Markup, html};

use super::{Desk, Draft, Mood, MoveOf, Page, Panel, Scene, back, face, minis};
use crate::Lang;

impl Page for BigC {
    type Extra = Sorting;

    fn title(scene: &Scene<'_, Self>) -> String {
        words::title(scene.view, scene.lang)
    }

    fn panel(scene: &Scene<'_, Self>, seat: Seat) -> Panel {
        panel(scene, seat)
    }

    fn middle(scene: &Scene<'_, Self>, _: &Draft<Sorting>) -> Markup {
        middle::middle(scene)
    }

    fn own(scene: &Scene<'_, Self>) -> Markup {
        let Some((me, player)) = scene.me().and_then(|me| Some((me, player(scene.view, me)?))) else { return html! {} };
        let jokers = scene.view.hand.iter().filter(|held| held.card.is_some_and(|card| card.is_joker())).count();
        html! {
            @if jokers > 0 { span class="fact" { (names::jokers(jokers, scene.lang)) } }
            // A viewer sees their own choice on the desk.
            @if let Some((says, mood)) = status(scene, me, player).filter(|_| scene.chosen.is_none()) { span class={ "fact " (mood.class()) } { (says) } }
        }
    }

    fn desk(scene: &Scene<'_, Self>, draft: &Draft<Sorting>) -> Desk<Self> {
        desk::desk(scene, draft)
    }

    fn command(scene: &Scene<'_, Self>, draft: &mut Draft<Sorting>, key: char) -> Option<String> {
        match key {
            'r' => {
                draft.extra = draft.extra.other();
                None
            }
            _ => desk::suggest(scene, draft, key),
        }
    }

    fn prepare(_: &Scene<'_, Self>, draft: &mut Draft<Sorting>, a_move: &MoveOf<Self>) {
        draft.marked = match a_move {
            Move::Act(Action::Play(few)) => few.iter().collect(),
            Move::Choose(Choice::Show(slot)) => vec![*slot],
            Move::Act(Action::Pass | Action::PassRole) | Move::Choose(Choice::Nothing) => Vec::new(),
        };
    }

    fn phrase(_: &View, scene: &Scene<'_, Self>, seat: Seat, a_move: &MoveOf<Self>) -> String {
        words::phrase(scene, seat, a_move)
    }

    fn suggestion(scene: &Scene<'_, Self>, a_move: &MoveOf<Self>) -> String {
        words::suggestion(scene, a_move)
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
        words::closing(scene, outcome)
    }

    fn summary(scene: &Scene<'_, Self>, outcome: &Outcome) -> Markup {
        let (view, lang) = (scene.view, scene.lang);
        let mut seats: Vec<Seat> = outcome.result.seats().map(|(seat, _)| seat).collect();
        seats.sort_by_key(|seat| (outcome.result[*seat], *seat));
        html! {
            p class="result" {
                @match (outcome.broken_off, view.winner) {
                    (Some(why), _) => span class="bad" { (words::broken(scene, why)) },
                    (None, Some(winner)) => strong { (words::wins(scene.name(winner), lang)) },
                    (None, None) => (words::nobody_out(lang)),
                }
            }
            @if let Some(table) = &view.table {
                p { (lang.pick("Last hand, by", "Zuletzt gelegt, von")) " " (scene.name(table.by)) ": "
                    (minis(table.cards.iter().map(|held| held.card), lang)) }
            }
            ul class="shown" {
                @for seat in seats {
                    @if let Some(player) = player(view, seat) {
                        li {
                            strong { (scene.name(seat)) } ": " (words::left(player.in_play, player.cards, lang))
                            @if !player.open.is_empty() { " " (minis(player.open.iter().map(|held| held.card), lang)) }
                        }
                    }
                }
            }
        }
    }

    fn counts(lang: Lang) -> &'static str {
        lang.pick("points (low wins)", "Punkte (wenig ist gut)")
    }

    fn rules(lang: Lang) -> &'static str {
        lang.pick(RULES_EN, RULES_DE)
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

/// The players with their seats.
fn seats(view: &View) -> impl Iterator<Item = (Seat, &PlayerView)> {
    (0..).map_while(Seat::new).zip(&view.players)
}

/// A player: how many cards they hold, which of them everybody knows, what they did.
fn panel(scene: &Scene<'_, BigC>, seat: Seat) -> Panel {
    let (view, lang) = (scene.view, scene.lang);
    let Some(player) = player(view, seat) else { return Panel::default() };
    if !player.in_play {
        return Panel {
            status: Some((lang.pick("left", "gegangen").to_owned(), Mood::Dim)),
            out: true,
            ..Panel::default()
        };
    }
    let closed = player.cards.saturating_sub(player.open.len());
    let mut facts = names::cards(player.cards, lang);
    if scene.settings.deals > 1 {
        facts.push_str(&format!(" · {}", names::points(scene.standing.total[seat].0, lang)));
    }
    Panel {
        facts,
        marks: Vec::new(),
        cards: html! {
            @for held in &player.open { (face(held.slot, held.card, lang)) }
            @if closed > 0 { (back(lang)) span class="count" { "× " (closed) } }
        },
        status: status(scene, seat, player),
        out: false,
    }
}

/// What a player did in this round, and whether they are about to go out.
fn status(scene: &Scene<'_, BigC>, seat: Seat, player: &PlayerView) -> Option<(String, Mood)> {
    let (view, lang) = (scene.view, scene.lang);
    let on_table = view.table.as_ref().is_some_and(|table| table.by == seat);
    let (says, mood) = match (player.passed, on_table, player.did) {
        _ if view.winner == Some(seat) => (lang.pick("wins", "gewinnt"), Mood::Good),
        _ if view.choosing.contains(seat) && !scene.awaited.contains(seat) => {
            (lang.pick("has chosen", "hat gewählt"), Mood::Good)
        }
        (true, ..) | (_, false, Did::Passed) => (lang.pick("passed", "gepasst"), Mood::Dim),
        (false, true, _) => (lang.pick("highest so far", "bisher am höchsten"), Mood::Good),
        (false, false, Did::Played) => (lang.pick("played", "hat gelegt"), Mood::Plain),
        (false, false, Did::PassedRole) => (lang.pick("only jokers", "nur Joker"), Mood::Dim),
        (false, false, Did::Nothing) => ("", Mood::Plain),
    };
    let few = (1..=3).contains(&player.cards) && view.winner.is_none();
    match (says, few) {
        ("", false) => None,
        (says, false) => Some((says.to_owned(), mood)),
        ("", true) => Some((names::only(player.cards, lang), Mood::Bad)),
        (says, true) => Some((format!("{says} · {}", names::only(player.cards, lang)), Mood::Bad)),
    }
}
