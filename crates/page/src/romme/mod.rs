//! Rommé on a page.
//!
//! What a player prepares, and what can be done with it, is in [`games::romme::bench`].
//!
//! - `middle`: draw pile, discard pile and melds.
//! - `desk`: the line about what is prepared, and the buttons.
//! - `words`: phrases, news, the end of a round.
//! - `why`: refusals and reasons.

mod desk;
mod middle;
#[cfg(test)]
mod tests;
mod why;
mod words;

use ::table::{Move, Outcome, Seat};
use games::romme::bench::{At, Bench, Prepared};
use games::romme::{DrawView, Illegal, Mode, Moves, PlayerView, Romme, View, in_hand};
use maud::{Markup, html};

use super::{Desk, Draft, Mood, MoveOf, Page, Panel, Scene, back, face, minis};
use crate::Lang;

impl Page for Romme {
    type Extra = Prepared;

    fn title(scene: &Scene<'_, Self>) -> String {
        let (settings, needed) = (scene.settings, scene.view.first_meld);
        let target = settings.target;
        let until = match (settings.mode, scene.lang) {
            (Mode::Target, Lang::En) => format!("to {target} points"),
            (Mode::Target, Lang::De) => format!("bis {target} Punkte"),
            (Mode::Rounds, lang) if settings.rounds == 1 => lang.pick("one round", "eine Runde").to_owned(),
            (Mode::Rounds, Lang::En) => format!("of {} rounds", settings.rounds),
            (Mode::Rounds, Lang::De) => format!("von {} Runden", settings.rounds),
            (Mode::Knockout, Lang::En) => format!("out at {target} points"),
            (Mode::Knockout, Lang::De) => format!("raus ab {target} Punkten"),
        };
        match scene.lang {
            _ if needed == 0 => until,
            Lang::En => format!("open with {needed} · {until}"),
            Lang::De => format!("erste Auslage ab {needed} · {until}"),
        }
    }

    fn panel(scene: &Scene<'_, Self>, seat: Seat) -> Panel {
        let Some(player) = scene.view.players.get(usize::from(seat.index())) else { return Panel::default() };
        if !player.playing || player.gone {
            let word = if player.gone { scene.pick("left", "gegangen") } else { scene.pick("out", "ausgeschieden") };
            return Panel { status: Some((word.to_owned(), Mood::Dim)), out: true, ..Panel::default() };
        }
        let dealer = (scene.view.dealer == Some(seat)).then(|| scene.pick("dealer", "Geber").to_owned());
        Panel {
            facts: facts(scene, seat, player),
            marks: dealer.into_iter().collect(),
            cards: cards(scene, player),
            status: Some(status(scene, seat, player)),
            out: false,
        }
    }

    fn middle(scene: &Scene<'_, Self>, draft: &Draft<Prepared>) -> Markup {
        middle::draw(scene, &bench(scene, draft))
    }

    fn own(scene: &Scene<'_, Self>) -> Markup {
        let Some((me, points)) = at(scene).me().zip(scene.view.hand_points) else { return html! {} };
        let prepared = Prepared::default();
        let left = Bench::new(at(scene), &[], &prepared).outside_melds().filter(|left| *left < points);
        html! {
            span class="fact" { (points) " " (scene.pick("points in hand", "Punkte auf der Hand")) }
            @if let Some(left) = left {
                span class="fact good" { (left) " " (scene.pick("deadwood", "ohne die Auslagen")) }
            }
            span class="fact dim" { (opened(me, scene.lang)) }
        }
    }

    fn desk(scene: &Scene<'_, Self>, draft: &Draft<Prepared>) -> Desk<Self> {
        desk::desk(scene, &bench(scene, draft), draft.extra.order)
    }

    fn command(scene: &Scene<'_, Self>, draft: &mut Draft<Prepared>, key: char) -> Option<String> {
        let (at, extra, marked) = (at(scene), &mut draft.extra, &mut draft.marked);
        let mut done = Ok(());
        match key {
            'a' => done = extra.set_aside(at, marked),
            'f' => done = extra.find(at, marked),
            'u' => extra.take_back(at, marked, None),
            'v' => extra.next_way(),
            'r' => extra.order = extra.order.other(),
            _ => {}
        }
        done.err().map(|not| why::not(&not, scene.lang))
    }

    fn place(scene: &Scene<'_, Self>, draft: &mut Draft<Prepared>, place: u16) -> Option<String> {
        if let Some(n) = place.checked_sub(middle::READY).filter(|_| place < middle::STOCK) {
            draft.extra.take_back(at(scene), &mut draft.marked, Some(usize::from(n)));
            return None;
        }
        let meld = scene.view.melds.iter().find(|meld| u16::from(meld.id.0) == place)?;
        let was_chosen = bench(scene, draft).chosen().is_some_and(|chosen| chosen.id == meld.id);
        // Cards go where the player points; pointing again tries the next way if there are several.
        let wanted = !draft.marked.is_empty() && (bench(scene, draft).fits(meld) || bench(scene, draft).swaps(meld));
        if !(was_chosen && wanted) {
            draft.extra.choose(at(scene), Some(meld.id));
        }
        None
    }

    fn button_at(scene: &Scene<'_, Self>, draft: &Draft<Prepared>, place: u16) -> Option<char> {
        let bench = bench(scene, draft);
        match (scene.moves?, place) {
            (Moves::Draw(_), middle::STOCK) => Some('s'),
            (Moves::Draw(_), middle::PILE) => Some('p'),
            (Moves::Play(_), middle::PILE) => Some('d'),
            (Moves::Play(_), _) if bench.chosen().is_some_and(|meld| u16::from(meld.id.0) == place) => {
                let add = (bench.lay_off().is_ok() && bench.ways() == 1).then_some('t');
                add.or_else(|| (bench.swap().is_ok() && bench.lay_off().is_err() && bench.ways() == 1).then_some('j'))
            }
            _ => None,
        }
    }

    fn prepare(scene: &Scene<'_, Self>, draft: &mut Draft<Prepared>, a_move: &MoveOf<Self>) {
        match a_move {
            Move::Act(action) => draft.extra.prepare(at(scene), &mut draft.marked, action),
            Move::Choose(never) => match *never {},
        }
    }

    fn kept(prepared: Prepared) -> Prepared {
        prepared.kept()
    }

    fn phrase(before: &View, scene: &Scene<'_, Self>, seat: Seat, a_move: &MoveOf<Self>) -> String {
        match a_move {
            Move::Act(action) => words::phrase(before, scene, seat, action),
            Move::Choose(never) => match *never {},
        }
    }

    fn suggestion(scene: &Scene<'_, Self>, a_move: &MoveOf<Self>) -> String {
        match a_move {
            Move::Act(action) => words::suggestion(scene, action),
            Move::Choose(never) => match *never {},
        }
    }

    fn reason(why: &Self::Why, lang: Lang) -> String {
        why::reason(why, lang)
    }

    fn refusal(why: &Illegal, lang: Lang) -> String {
        why::refusal(why, lang)
    }

    fn news(before: &View, after: &Scene<'_, Self>) -> Vec<String> {
        words::news(before, after)
    }

    fn closing(scene: &Scene<'_, Self>, outcome: &Outcome) -> Vec<String> {
        words::closing(scene, outcome)
    }

    fn summary(scene: &Scene<'_, Self>, outcome: &Outcome) -> Markup {
        summary(scene, outcome)
    }

    fn counts(lang: Lang) -> &'static str {
        lang.pick("points", "Punkte")
    }

    fn rules(lang: Lang) -> &'static str {
        lang.pick(games::romme::RULES_EN, games::romme::RULES_DE)
    }

    fn setting(name: &str, english: &'static str, lang: Lang) -> &'static str {
        match lang {
            Lang::En => english,
            Lang::De => words::setting(name).unwrap_or(english),
        }
    }
}

/// What the viewer sees while preparing a move.
const fn at<'a>(scene: &Scene<'a, Romme>) -> At<'a> {
    At { eye: scene.eye, view: scene.view, moves: scene.moves, table: scene.table, known: scene.known }
}

/// What the viewer has prepared.
const fn bench<'a>(scene: &Scene<'a, Romme>, draft: &'a Draft<Prepared>) -> Bench<'a> {
    Bench::new(at(scene), draft.marked.as_slice(), &draft.extra)
}

const fn opened(player: &PlayerView, lang: Lang) -> &'static str {
    match player.opened {
        true => lang.pick("opened", "hat ausgelegt"),
        false => lang.pick("not opened yet", "noch nichts ausgelegt"),
    }
}

/// The number of cards, and the points in the match.
fn facts(scene: &Scene<'_, Romme>, seat: Seat, player: &PlayerView) -> String {
    let cards = match (player.cards, scene.lang) {
        (1, Lang::En) => "1 card".to_owned(),
        (n, Lang::En) => format!("{n} cards"),
        (1, Lang::De) => "1 Karte".to_owned(),
        (n, Lang::De) => format!("{n} Karten"),
    };
    format!("{cards} · {} {}", scene.standing.total[seat], scene.pick("points", "Punkte"))
}

/// The player's cards that everybody knows, and the number of the others.
fn cards(scene: &Scene<'_, Romme>, player: &PlayerView) -> Markup {
    let closed = player.cards.saturating_sub(player.open.len());
    html! {
        @for held in &player.open { (face(held.slot, held.card, scene.lang)) }
        @if closed > 0 { (back(scene.lang)) span class="dim" { "×" (closed) } }
    }
}

/// Whether the player has opened, and their last move.
fn status(scene: &Scene<'_, Romme>, seat: Seat, player: &PlayerView) -> (String, Mood) {
    let lang = scene.lang;
    let turn = scene.view.turn == Some(seat);
    let did = match (turn, player.last_draw, player.last_discard) {
        (true, Some(DrawView::Discard(held)), _) if scene.view.phase == "play" => {
            Some(format!("{} {}", lang.pick("took", "hat genommen:"), words::card(held.card, lang)))
        }
        (true, Some(DrawView::Stock), _) if scene.view.phase == "play" => {
            Some(lang.pick("drew", "hat gezogen").to_owned())
        }
        (true, ..) => Some(lang.pick("drawing …", "zieht …").to_owned()),
        (false, _, Some(thrown)) => {
            Some(format!("{} {}", lang.pick("discarded", "Ablage:"), words::card(thrown.card, lang)))
        }
        (false, _, None) => None,
    };
    let text = [Some(opened(player, lang).to_owned()), did].into_iter().flatten().collect::<Vec<_>>().join(" · ");
    let mood = match (player.cards, player.opened) {
        (1, _) => Mood::Bad,
        (_, true) => Mood::Plain,
        (_, false) => Mood::Dim,
    };
    (text, mood)
}

/// The end of a round: the cards everybody still held, and their points.
fn summary(scene: &Scene<'_, Romme>, outcome: &Outcome) -> Markup {
    if outcome.broken_off.is_some() {
        return html! { p class="result" { (words::broken(scene.lang)) } };
    }
    let times = scene.view.times();
    let mut seats: Vec<Seat> = outcome.result.seats().map(|(seat, _)| seat).collect();
    seats.sort_by_key(|seat| (outcome.result[*seat], *seat));
    html! {
        p class="result" { strong { (words::ending(scene)) "." } }
        ul class="shown" {
            @for seat in seats {
                @if let Some(player) = scene.view.players.get(usize::from(seat.index())).filter(|player| player.playing) {
                    li { strong { (scene.name(seat)) } ": " (held(scene, player))
                        @match (player.points.unwrap_or_default().0, times) {
                            (0, _) => {},
                            (points, 1) => { "= " (points) },
                            (points, times) => { "= " (points / times) " × " (times) " = " (points) },
                        }
                    }
                }
            }
        }
    }
}

/// The cards a player still held, the most expensive first.
fn held(scene: &Scene<'_, Romme>, player: &PlayerView) -> Markup {
    let mut held: Vec<_> = player.open.iter().map(|held| held.card).collect();
    held.sort_by_key(|card| std::cmp::Reverse(card.map(in_hand)));
    html! {
        @if held.is_empty() { span class="good" { (scene.pick("no cards left", "keine Karten mehr")) } } @else { (minis(held, scene.lang)) }
    }
}
