//! Blackjack Duel on a page: the bank in the middle, the viewer's hands on their desk, everybody else's in their
//! panels.

#[cfg(test)]
mod tests;
mod words;

use ::table::{Chips, Move, Outcome, Seat};
use games::blackjack::{Action, Bet, Blackjack, HandView, Illegal, Moves, PlayerView, Status, TurnMoves, View};
use maud::{Markup, html};

use super::{Amount, Button, Desk, Draft, Mood, MoveOf, Page, Panel, Scene, face, minis};
use crate::Lang;

impl Page for Blackjack {
    type Extra = ();

    fn title(scene: &Scene<'_, Self>) -> String {
        let (view, lang) = (scene.view, scene.lang);
        let rounds = words::rounds(scene.deal, scene.settings.rounds, lang);
        match lang {
            Lang::En => format!("{rounds} · bets {}–{} · {} cards in the shoe", view.min_bet, view.max_bet, view.shoe),
            Lang::De => {
                format!("{rounds} · Einsätze {}–{} · {} Karten im Schlitten", view.min_bet, view.max_bet, view.shoe)
            }
        }
    }

    fn panel(scene: &Scene<'_, Self>, seat: Seat) -> Panel {
        let Some(player) = player(scene.view, seat) else { return Panel::default() };
        let cards = html! {
            @for (hand, n) in player.hands.iter().zip(1..) {
                div class="group" role="group" aria-label=(hand_name(scene, n, player.hands.len())) {
                    @for held in &hand.cards { (face(held.slot, held.card, scene.lang)) }
                    @if let Some(total) = hand.total { span class="total" { (words::total(total, scene.lang)) } }
                }
            }
        };
        Panel {
            facts: format!("{} {}", player.chips, scene.pick("chips", "Chips")),
            marks: Vec::new(),
            cards,
            status: words::status(scene, seat, player),
            out: !player.seated,
        }
    }

    fn middle(scene: &Scene<'_, Self>, _: &Draft<()>) -> Markup {
        let (bank, lang) = (&scene.view.bank, scene.lang);
        let shows = bank.cards.first().and_then(|held| held.card);
        html! {
            div class="bank" {
                h2 { (scene.pick("Bank", "Bank")) }
                div class="board" role="group" aria-label=(scene.pick("The bank's cards", "Karten der Bank")) {
                    @for held in &bank.cards { (face(held.slot, held.card, lang)) }
                    @if bank.cards.is_empty() {
                        @for _ in 0..2 { span class="card place" aria-hidden="true" {} }
                    }
                }
                p class="shows" {
                    @match (bank.total, shows) {
                        (Some(total), _) => strong { (words::total(total, lang)) },
                        (None, Some(card)) => { (scene.pick("Shows:", "Zeigt:")) " " strong { (words::shows(card, lang)) } },
                        (None, None) => span class="dim" { (scene.pick("Everybody bets first.", "Zuerst setzen alle.")) },
                    }
                }
            }
        }
    }

    fn own(scene: &Scene<'_, Self>) -> Markup {
        let Some(player) = scene.me().and_then(|me| player(scene.view, me)) else { return html! {} };
        let staked: Chips = player.hands.iter().map(|hand| hand.stake).sum();
        let totals = player.hands.iter().filter_map(|hand| hand.total).map(|total| words::total(total, scene.lang));
        let totals = totals.collect::<Vec<_>>().join(scene.pick(" and ", " und "));
        let bust = player.hands.iter().all(|hand| hand.total.is_some_and(|total| total.points > 21));
        html! {
            @if staked > Chips::ZERO { span class="fact" { (scene.pick("bet", "Einsatz")) " " (staked) } }
            @if let Some(Bet(bet)) = scene.chosen { span class="fact" { (scene.pick("bet", "Einsatz")) " " (bet) } }
            @if !totals.is_empty() {
                span class={ "fact " (if bust { "bad" } else { "good" }) } { (scene.pick("total", "Wert")) " " (totals) }
            }
            @if let Some(result) = player.result {
                span class={ "fact " (mood(result).class()) } {
                    (words::signed(result.0)) " " (scene.pick("in this round", "in dieser Runde"))
                }
            }
            @if !player.seated { span class="fact dim" { (scene.pick("out", "ausgeschieden")) } }
        }
    }

    fn desk(scene: &Scene<'_, Self>, draft: &Draft<()>) -> Desk<Self> {
        let bench = scene.me().and_then(|me| own_hands(scene, me));
        let desk = match scene.moves {
            Some(Moves::Bet { least, most }) => betting(scene, draft, least.0, most.0),
            Some(Moves::Turn(can)) => playing(scene, *can),
            Some(Moves::None) | None => match scene.chosen {
                Some(Bet(bet)) => Desk { says: (has_bet(scene, *bet), Mood::Good), ..Desk::default() },
                None => Desk::default(),
            },
        };
        Desk { bench, ..desk }
    }

    fn prepare(_: &Scene<'_, Self>, draft: &mut Draft<()>, a_move: &MoveOf<Self>) {
        match a_move {
            Move::Choose(Bet(bet)) => draft.amount = Some(bet.0),
            Move::Act(_) => {}
        }
    }

    fn phrase(before: &View, scene: &Scene<'_, Self>, seat: Seat, a_move: &MoveOf<Self>) -> String {
        match a_move {
            Move::Choose(Bet(bet)) => words::bet(scene.name(seat), *bet, scene.lang),
            Move::Act(action) => words::phrase(scene.name(seat), before, seat, *action, scene.lang),
        }
    }

    fn suggestion(scene: &Scene<'_, Self>, a_move: &MoveOf<Self>) -> String {
        match a_move {
            Move::Choose(Bet(bet)) => format!("{} {bet}", scene.pick("Bet", "Setzen:")),
            Move::Act(action) => words::suggestion(*action, scene.lang).to_owned(),
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
        words::closing(scene, outcome)
    }

    fn summary(scene: &Scene<'_, Self>, outcome: &Outcome) -> Markup {
        let (view, lang) = (scene.view, scene.lang);
        html! {
            @if let Some(why) = outcome.broken_off { p class="bad" { (words::broken(scene, why)) } }
            @if !view.bank.cards.is_empty() {
                p class="result" { strong { (scene.pick("Bank", "Bank")) } " " (minis(view.bank.cards.iter().map(|held| held.card), lang))
                    @if let Some(total) = view.bank.total { " " (words::total(total, lang)) } }
            }
            @if view.everybody_lost() { p class="bad" { (scene.pick("Everybody lost this round.", "In dieser Runde haben alle verloren.")) } }
            ul class="hands" {
                @for (seat, player) in (0..).map_while(Seat::new).zip(&view.players).filter(|(_, player)| !player.hands.is_empty()) {
                    li { strong { (scene.name(seat)) }
                        @if let Some(result) = player.result {
                            " " span class=(mood(result).class()) { (words::signed(result.0)) }
                            @if let Some(ground) = player.ground.filter(|_| !view.everybody_lost()) { span class="dim" { " · " (words::ground(ground, lang)) } }
                        }
                        @for hand in &player.hands { (told(scene, hand)) }
                    }
                }
            }
        }
    }

    fn counts(lang: Lang) -> &'static str {
        lang.pick("chips", "Chips")
    }

    fn rules(lang: Lang) -> &'static str {
        lang.pick(games::blackjack::RULES_EN, games::blackjack::RULES_DE)
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

fn mood(result: Chips) -> Mood {
    match result {
        Chips::ZERO => Mood::Plain,
        lost if lost < Chips::ZERO => Mood::Bad,
        _ => Mood::Good,
    }
}

/// The name of a hand: with its number if there are several.
fn hand_name(scene: &Scene<'_, Blackjack>, n: usize, of: usize) -> String {
    let hand = scene.pick("Hand", "Hand");
    if of > 1 { format!("{hand} {n}") } else { hand.to_owned() }
}

/// The viewer's hands side by side, each with its total and state.
fn own_hands(scene: &Scene<'_, Blackjack>, me: Seat) -> Option<Markup> {
    let (player, lang) = (player(scene.view, me)?, scene.lang);
    let several = player.hands.len() > 1;
    (!player.hands.is_empty()).then(|| {
        html! {
            @for (hand, n) in player.hands.iter().zip(1..) {
                section class={ "own-hand" @if hand.current && several { " current" } }
                    aria-label=(hand_name(scene, n, player.hands.len())) {
                    @if several { h3 { (hand_name(scene, n, player.hands.len())) " · " (hand.stake) } }
                    div class="group" role="group" aria-label=(scene.pick("Your cards", "Deine Karten")) {
                        @for held in &hand.cards { (face(held.slot, held.card, lang)) }
                    }
                    p {
                        @if let Some(total) = hand.total { strong class="total" { (words::total(total, lang)) } }
                        @let (word, mood) = hand.verdict.map_or_else(
                            || words::state(hand, scene.view.turn == Some(me), lang), |verdict| words::verdict(verdict, lang));
                        // The total already says that it is bust.
                        @if !hand.current && (hand.verdict.is_some() || hand.status != Status::Bust) { " " span class=(mood.class()) { (word) } }
                    }
                }
            }
        }
    })
}

/// A hand in the summary.
fn told(scene: &Scene<'_, Blackjack>, hand: &HandView) -> Markup {
    let lang = scene.lang;
    html! {
        div class="hand-told" {
            (minis(hand.cards.iter().map(|held| held.card), lang))
            @if let Some(total) = hand.total { " " (words::total(total, lang)) }
            @if let Some(verdict) = hand.verdict {
                @let (word, mood) = words::verdict(verdict, lang);
                span class="dim" { " · " (scene.pick("stake", "Einsatz")) " " (hand.stake) " " } span class=(mood.class()) { (word) }
                @if hand.status != Status::Bust {
                    span class="dim" { ": " (words::why(hand, scene.view.bank.total, scene.settings.blackjack_pays, lang)) }
                }
            }
        }
    }
}

/// The viewer has bet, and others have not yet.
fn has_bet(scene: &Scene<'_, Blackjack>, bet: Chips) -> String {
    let done = match scene.lang {
        Lang::En => format!("You have bet {bet}"),
        Lang::De => format!("Du hast {bet} gesetzt"),
    };
    scene.has_chosen(&done)
}

fn betting(scene: &Scene<'_, Blackjack>, draft: &Draft<()>, least: i64, most: i64) -> Desk<Blackjack> {
    let step = scene.view.min_bet.0.max(1);
    let amount = Amount { least, most, step, start: least };
    let bet = amount.now(draft.amount);
    let half = (least + (most - least) / 2) / step * step;
    let buttons = vec![
        scene.button('b', format!("{} {bet}", scene.pick("Bet", "Setzen:")), Move::Choose(Bet(Chips(bet)))),
        Button::amount('m', scene.pick("Min", "Minimum"), least),
        Button::amount('a', scene.pick("Half", "Mitte"), half.clamp(least, most)),
        Button::amount('x', scene.pick("Max", "Maximum"), most),
    ];
    let says = scene.pick(
        "Your bet stays hidden until everybody has bet.",
        "Dein Einsatz bleibt verdeckt, bis alle gesetzt haben.",
    );
    Desk { says: (says.to_owned(), Mood::Plain), buttons, amount: Some(amount), ..Desk::default() }
}

fn playing(scene: &Scene<'_, Blackjack>, can: TurnMoves) -> Desk<Blackjack> {
    let lang = scene.lang;
    if can.bust {
        let lost = scene.pick("you lose your stake", "dein Einsatz ist verloren");
        let says = (format!("{}: {lost}.", words::total(can.total, lang)), Mood::Bad);
        let button = Button::act('b', scene.pick("Bust", "Überkauft"), Action::Bust).forced();
        return Desk { says, buttons: vec![button], ..Desk::default() };
    }
    let stand = scene.button('s', scene.pick("Stand", "Bleiben"), Move::Act(Action::Stand));
    if can.total.points == 21 {
        let says = (format!("{}!", words::total(can.total, lang)), Mood::Good);
        return Desk { says, buttons: vec![stand.forced()], ..Desk::default() };
    }
    let sure =
        scene.pick("If you surrender, you lose the whole match.", "Wenn du aufgibst, verlierst du die ganze Partie.");
    let give_up = Button::act('u', scene.pick("Surrender", "Aufgeben"), Action::Surrender).grave().sure(sure);
    let hands = scene.me().and_then(|me| player(scene.view, me)).map_or(&[][..], |player| &player.hands);
    let mut buttons = vec![scene.button('c', scene.pick("Hit", "Karte"), Move::Act(Action::Hit)), stand];
    // With more than two cards these are never allowed.
    if hands.iter().any(|hand| hand.current && hand.cards.len() == 2) {
        buttons.push(scene.button('d', scene.pick("Double", "Verdoppeln"), Move::Act(Action::Double)));
        buttons.push(scene.button('p', scene.pick("Split", "Teilen"), Move::Act(Action::Split)));
    }
    buttons.push(give_up);
    let which = match hands.len() {
        0 | 1 => scene.pick("You have", "Du hast"),
        _ => scene.pick("This hand has", "Diese Hand hat"),
    };
    let up = scene.view.bank.cards.first().and_then(|held| held.card).map(|card| words::shows(card, lang));
    let bank = up.map(|up| format!("; {} {up}", scene.pick("the bank shows", "die Bank zeigt"))).unwrap_or_default();
    let says = (format!("{which} {}{bank}.", words::total(can.total, lang)), Mood::Plain);
    Desk { says, buttons, ..Desk::default() }
}
