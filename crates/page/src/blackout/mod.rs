//! Blackout on a page.
//!
//! - `middle`: trump, dice, bids and tricks.
//! - `words`: all texts, in both languages.

mod middle;
#[cfg(test)]
mod tests;
mod words;

use ::table::{Game as _, Move, Outcome, Rules as _, Seat, Slot};
use cards::Card;
use games::blackout::{Action, Blackout, Illegal, Moves, PlayerView, RULES_DE, RULES_EN, Sorting, View};
use maud::{Markup, html};

use super::{Button, Desk, Draft, Marking, Mood, MoveOf, Page, Panel, Scene, Tile, back, face, mini};
use crate::Lang;

impl Page for Blackout {
    type Extra = Sorting;

    fn title(scene: &Scene<'_, Self>) -> String {
        let rounds = Self::start(scene.settings, scene.table.rules().players()).map(|series| series.sizes().len());
        words::title(scene.view, rounds.ok(), scene.lang)
    }

    fn panel(scene: &Scene<'_, Self>, seat: Seat) -> Panel {
        let (view, lang) = (scene.view, scene.lang);
        let Some(player) = player(view, seat) else { return Panel::default() };
        let cards = html! {
            @for held in &player.open { (face(held.slot, held.card, lang)) }
            @if player.open.is_empty() && player.cards > 0 {
                (back(lang)) span class="count" { "× " (player.cards) }
            }
        };
        Panel {
            facts: words::points(scene.standing.total[seat].0, lang),
            marks: (view.dealer == Some(seat)).then(|| lang.pick("D", "G").to_owned()).into_iter().collect(),
            cards,
            status: status(scene, player),
            out: !player.open.is_empty(),
        }
    }

    fn middle(scene: &Scene<'_, Self>, _: &Draft<Sorting>) -> Markup {
        middle::middle(scene)
    }

    fn own(scene: &Scene<'_, Self>) -> Markup {
        let Some(player) = scene.me().and_then(|me| player(scene.view, me)) else { return html! {} };
        let Some(bid) = player.bid else { return html! {} };
        let (says, mood) = words::outlook(bid, player.won, player.cards, scene.lang);
        html! {
            span class="fact" { (words::contract(bid, player.won, scene.lang)) }
            span class={ "fact " (mood.class()) } { (says) }
        }
    }

    fn desk(scene: &Scene<'_, Self>, draft: &Draft<Sorting>) -> Desk<Self> {
        let hand = hand(scene, draft.extra);
        match scene.moves {
            Some(Moves::Bid { most, forbidden }) => bidding(scene, draft, hand, *most, *forbidden),
            Some(Moves::Play(_)) => playing(scene, draft, hand),
            Some(Moves::None) | None => Desk { hand, ..Desk::default() },
        }
    }

    fn command(_: &Scene<'_, Self>, draft: &mut Draft<Sorting>, key: char) -> Option<String> {
        if key == 's' {
            draft.extra = draft.extra.other();
        }
        None
    }

    /// The places on the page are the numbers of tricks that can be bid.
    fn place(_: &Scene<'_, Self>, draft: &mut Draft<Sorting>, place: u16) -> Option<String> {
        draft.amount = Some(i64::from(place));
        None
    }

    fn prepare(_: &Scene<'_, Self>, draft: &mut Draft<Sorting>, a_move: &MoveOf<Self>) {
        match a_move {
            Move::Act(Action::Bid(bid)) => draft.amount = Some(i64::from(*bid)),
            Move::Act(Action::Play(slot)) => draft.marked = vec![*slot],
            Move::Choose(never) => match *never {},
        }
    }

    fn phrase(_: &View, scene: &Scene<'_, Self>, seat: Seat, a_move: &MoveOf<Self>) -> String {
        match a_move {
            Move::Act(action) => words::phrase(scene, seat, *action),
            Move::Choose(never) => match *never {},
        }
    }

    fn suggestion(scene: &Scene<'_, Self>, a_move: &MoveOf<Self>) -> String {
        match a_move {
            Move::Act(action) => words::suggestion(scene, *action),
            Move::Choose(never) => match *never {},
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
        if let Some(why) = outcome.broken_off {
            return vec![words::broken(scene, why)];
        }
        let line = |(seat, player): (Seat, &PlayerView)| {
            let (bid, won, lang) = (player.bid?, player.won, scene.lang);
            let (says, _) = words::verdict(bid, won, scene.settings.points_for_correct_bet, lang);
            Some(format!("{}: {} – {says}", scene.name(seat), words::contract(bid, won, lang)))
        };
        seats(scene.view).filter_map(line).collect()
    }

    fn summary(scene: &Scene<'_, Self>, outcome: &Outcome) -> Markup {
        let (view, lang) = (scene.view, scene.lang);
        html! {
            @if let Some(why) = outcome.broken_off { p class="bad" { (words::broken(scene, why)) } }
            ul class="shown" {
                @for (seat, player) in seats(view) {
                    @if let Some(bid) = player.bid {
                        li {
                            strong { (scene.name(seat)) } ": " (words::contract(bid, player.won, lang))
                            @if outcome.broken_off.is_none() {
                                @let (says, mood) = words::verdict(bid, player.won, scene.settings.points_for_correct_bet, lang);
                                " – " span class=(mood.class()) { (says) }
                            }
                        }
                    }
                }
            }
            @if !view.last_trick.is_empty() {
                p class="told" { span class="dim" { (lang.pick("Last trick:", "Letzter Stich:")) } " " (told(scene, &view.last_trick)) }
            }
        }
    }

    fn counts(lang: Lang) -> &'static str {
        lang.pick("points", "Punkte")
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

/// The slot of a face-up card: one pack has each card once.
fn slot_of(scene: &Scene<'_, Blackout>, card: Card) -> Option<Slot> {
    scene.table.open().iter().find(|(_, open)| *open == card).map(|(slot, _)| slot)
}

/// A trick within a text.
fn told(scene: &Scene<'_, Blackout>, trick: &[(Seat, Card)]) -> Markup {
    let winner = scene.view.best(trick).map(|(seat, _)| seat);
    html! {
        @for (seat, card) in trick {
            span class={ "laid" @if winner == Some(*seat) { " best" } } {
                (scene.name(*seat)) " " (mini(Some(*card), scene.lang))
                @if winner == Some(*seat) { " " (scene.pick("takes it", "macht ihn")) }
            } " "
        }
    }
}

/// A player's bid and tricks.
fn status(scene: &Scene<'_, Blackout>, player: &PlayerView) -> Option<(String, Mood)> {
    let bid = player.bid?;
    let mood = match player.won.cmp(&bid) {
        core::cmp::Ordering::Less => Mood::Plain,
        core::cmp::Ordering::Equal => Mood::Good,
        core::cmp::Ordering::Greater => Mood::Bad,
    };
    Some((words::contract(bid, player.won, scene.lang), mood))
}

/// The hand in order; on the viewer's turn, cards they may not play are not usable.
fn hand(scene: &Scene<'_, Blackout>, sorting: Sorting) -> Vec<Tile> {
    let may = |slot| match scene.moves {
        Some(Moves::Play(playable)) => playable.iter().any(|held| held.slot == slot),
        Some(Moves::None | Moves::Bid { .. }) | None => true,
    };
    let hand = sorting.sort(&scene.view.hand, scene.view.trump_suit());
    hand.into_iter().map(|held| Tile { slot: held.slot, card: held.card, usable: may(held.slot) }).collect()
}

fn sort_button(scene: &Scene<'_, Blackout>, hand: &[Tile], sorting: Sorting) -> Option<Button<Blackout>> {
    let to = match sorting {
        Sorting::Suits => scene.pick("Sort by rank", "Nach Rang ordnen"),
        Sorting::Ranks => scene.pick("Sort by suit", "Nach Farbe ordnen"),
    };
    (hand.len() > 1).then(|| Button::command('s', to))
}

fn bidding(
    scene: &Scene<'_, Blackout>,
    draft: &Draft<Sorting>,
    hand: Vec<Tile>,
    most: u8,
    forbidden: Option<u8>,
) -> Desk<Blackout> {
    let lang = scene.lang;
    let chosen = draft.amount.and_then(|amount| u8::try_from(amount).ok()).filter(|bid| *bid <= most);
    let why_not = |bid| words::refusal(&Illegal::BetForbiddenByHook { bid }, lang);
    let label = lang.pick("Bid", "Ansagen");
    let bid = match chosen {
        None => Button::refused(
            'b',
            label,
            lang.pick("choose a number of tricks first", "wähle zuerst, wie viele Stiche du machst"),
        ),
        Some(bid) if Some(bid) == forbidden => Button::refused('b', format!("{label} {bid}"), why_not(bid)),
        Some(bid) => Button::act('b', format!("{label} {bid}"), Action::Bid(bid)),
    };
    let bench = html! {
        div class="bids" role="group" aria-label=(lang.pick("How many tricks will you take?", "Wie viele Stiche machst du?")) {
            @for bid in 0..=most {
                @if Some(bid) == forbidden {
                    button type="button" class="bid" aria-disabled="true" title=(why_not(bid)) { (bid) }
                } @else {
                    button type="button" class="bid" data-place=(bid) aria-pressed=(if chosen == Some(bid) { "true" } else { "false" }) { (bid) }
                }
            }
        }
    };
    let others: u32 = scene.view.players.iter().filter_map(|player| player.bid).map(u32::from).sum();
    let says = words::bids_so_far(others, u32::from(most), forbidden, lang);
    let buttons = core::iter::once(bid).chain(sort_button(scene, &hand, draft.extra)).collect();
    Desk { hand, marking: Marking::None, bench: Some(bench), says: (says, Mood::Plain), buttons, amount: None }
}

fn playing(scene: &Scene<'_, Blackout>, draft: &Draft<Sorting>, hand: Vec<Tile>) -> Desk<Blackout> {
    let lang = scene.lang;
    let marked = draft.marked.first().and_then(|slot| hand.iter().find(|tile| tile.slot == *slot));
    // A player with only one legal card need not choose it.
    let mut usable = hand.iter().filter(|tile| tile.usable);
    let only = usable.next().filter(|_| usable.next().is_none());
    let chosen = marked.or(only);
    let label = lang.pick("Play", "Spielen:");
    let play = match chosen.map(|tile| (tile, tile.card)) {
        None => {
            let label = lang.pick("Play", "Spielen");
            Button::refused('p', label, lang.pick("choose a card first", "wähle zuerst eine Karte"))
        }
        Some((tile, card)) if tile.usable => {
            Button::act('p', format!("{label} {}", words::card(card, lang)), Action::Play(tile.slot))
        }
        Some((_, card)) => {
            let why = words::refusal(&Illegal::MustFollowSuit, lang);
            Button::refused('p', format!("{label} {}", words::card(card, lang)), why)
        }
    };
    let says = match (chosen, scene.view.led()) {
        (Some(tile), _) => words::would(scene, *tile),
        (None, None) => {
            (lang.pick("You lead: choose a card.", "Du spielst aus: wähle eine Karte.").to_owned(), Mood::Plain)
        }
        (None, Some(suit)) => {
            let free = hand.iter().any(|tile| tile.usable && tile.card.and_then(Card::suit) != Some(suit));
            (words::follow(suit, free, lang), Mood::Plain)
        }
    };
    let buttons = core::iter::once(play).chain(sort_button(scene, &hand, draft.extra)).collect();
    Desk { hand, marking: Marking::One, bench: None, says, buttons, amount: None }
}
