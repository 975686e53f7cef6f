//! Texas Hold'em on a page.

mod showdown;
#[cfg(test)]
mod tests;
mod words;

use ::table::{Chips, Move, Outcome, Seat};
use games::holdem::{Action, Did, Holdem, Illegal, PlayerView, Sizes, Status, View};
use maud::{Markup, html};

use super::{Button, Desk, Draft, Marking, Mood, MoveOf, Page, Panel, Scene, Tile, back, face, minis};
use crate::Lang;

impl Page for Holdem {
    type Extra = ();

    fn title(scene: &Scene<'_, Self>) -> String {
        let view = scene.view;
        let blinds = scene.pick("Blinds", "Blinds");
        format!("{blinds} {}/{} · {}", view.small_blind, view.big_blind, words::street(view.street, scene.lang))
    }

    fn panel(scene: &Scene<'_, Self>, seat: Seat) -> Panel {
        let Some(player) = player(scene.view, seat) else { return Panel::default() };
        let cards = match player.status {
            Status::Out | Status::Folded | Status::Gone => html! {},
            Status::Live | Status::AllIn if !player.shown.is_empty() => html! {
                @for held in &player.shown { (face(held.slot, held.card, scene.lang)) }
            },
            Status::Live | Status::AllIn if scene.view.phase == "drawing" || scene.view.phase == "dealing" => html! {},
            Status::Live | Status::AllIn => html! { (back(scene.lang)) (back(scene.lang)) },
        };
        let dealer = (scene.view.button == Some(seat)).then(|| scene.pick("D", "D").to_owned());
        Panel {
            facts: player.stack.to_string(),
            marks: dealer.into_iter().collect(),
            cards,
            status: status(scene, player),
            out: matches!(player.status, Status::Out | Status::Folded | Status::Gone),
        }
    }

    fn middle(scene: &Scene<'_, Self>, _: &Draft<()>) -> Markup {
        let view = scene.view;
        let open: Vec<_> = scene.table.open().iter().collect();
        html! {
            div class="board" role="group" aria-label=(scene.pick("Board", "Gemeinschaftskarten")) data-streets="3 4 5" data-names="Flop Turn River" {
                @for place in 0..5 {
                    @match view.board.get(place) {
                        // A card on the board is identified by its face: one pack has each once.
                        Some(card) => @if let Some((slot, _)) = open.iter().rev().find(|(_, open)| open == card) {
                            (face(*slot, Some(*card), scene.lang))
                        },
                        None => span class="card place" aria-hidden="true" {},
                    }
                }
            }
            p class="pot" {
                (scene.pick("Pot", "Pot")) " " strong { (view.pot) }
                @if view.pots.len() > 1 {
                    @for n in 0..view.pots.len() {
                        span class="dim" { " · " (words::pot(view, n, scene.lang)) }
                    }
                }
            }
        }
    }

    fn own(scene: &Scene<'_, Self>) -> Markup {
        let Some(player) = scene.me().and_then(|me| player(scene.view, me)) else { return html! {} };
        html! {
            @if let Some(name) = own_hand(scene) { span class="fact good" { (name) } }
            @if player.bet > Chips::ZERO { span class="fact" { (words::lies(player.last, scene.lang)) " " (player.bet) } }
            @if player.status == Status::Folded { span class="fact dim" { (scene.pick("folded", "gepasst")) } }
        }
    }

    fn desk(scene: &Scene<'_, Self>, draft: &Draft<()>) -> Desk<Self> {
        let hand = scene.view.hand.iter().map(|held| Tile { slot: held.slot, card: held.card, usable: true }).collect();
        let Some(moves) = scene.moves else { return Desk { hand, ..Desk::default() } };
        let sizes = moves.sizes(scene.view);
        let mut buttons = Vec::new();
        if moves.can_check {
            buttons.push(Button::act('c', scene.pick("Check", "Schieben"), Action::Check));
        } else {
            let all = scene.me().and_then(|me| player(scene.view, me)).is_some_and(|me| me.stack == moves.to_call);
            let all_in = if all { " (all-in)" } else { "" };
            let label = format!("{} {}{all_in}", scene.pick("Call", "Mitgehen"), moves.to_call);
            buttons.push(Button::act('c', label, Action::Call));
        }
        match sizes {
            Some(Sizes { amount, half_pot, pot }) => {
                let to = amount.now(draft.amount);
                buttons.push(if to == amount.most { all_in(to) } else { raise(scene, to) });
                // If all-in is the only raise, there is no amount to choose.
                if amount.least < amount.most {
                    buttons.push(Button::amount('b', scene.pick("½ pot", "½ Pot"), half_pot));
                    buttons.push(Button::amount('p', scene.pick("Pot", "Pot"), pot));
                    buttons.push(Button::amount('a', "All-in", amount.most));
                }
            }
            None => {
                let why = scene.pick("you cannot raise here", "du kannst hier nicht erhöhen");
                buttons.push(Button::refused('r', scene.pick("Raise", "Erhöhen"), why));
            }
        }
        let fold = Button::act('f', scene.pick("Fold", "Passen"), Action::Fold).grave();
        buttons.push(if moves.can_check {
            fold.sure(scene.pick("You can check for free. Fold anyway?", "Schieben kostet nichts. Trotzdem passen?"))
        } else {
            fold
        });
        let says = match (moves.to_call, scene.lang) {
            (Chips::ZERO, lang) => lang.pick("Nothing to call.", "Nichts zu zahlen.").to_owned(),
            (cost, Lang::En) => format!("{cost} to call into a pot of {}.", scene.view.pot),
            (cost, Lang::De) => format!("Mitgehen kostet {cost}, im Pot liegen {}.", scene.view.pot),
        };
        let amount = sizes.map(|sizes| sizes.amount);
        Desk { hand, marking: Marking::None, bench: None, says: (says, Mood::Plain), buttons, amount }
    }

    fn prepare(_: &Scene<'_, Self>, draft: &mut Draft<()>, a_move: &MoveOf<Self>) {
        match a_move {
            Move::Act(Action::RaiseTo(to)) => draft.amount = Some(to.0),
            // All the chips.
            Move::Act(Action::AllIn) => draft.amount = Some(i64::MAX),
            Move::Act(Action::Fold | Action::Check | Action::Call) => {}
            Move::Choose(never) => match *never {},
        }
    }

    fn phrase(before: &View, scene: &Scene<'_, Self>, seat: Seat, a_move: &MoveOf<Self>) -> String {
        let Move::Act(action) = a_move else { return String::new() };
        words::phrase(scene.name(seat), before, seat, *action, scene.lang)
    }

    fn suggestion(scene: &Scene<'_, Self>, a_move: &MoveOf<Self>) -> String {
        let Move::Act(action) = a_move else { return String::new() };
        words::suggestion(scene.view, *action, scene.lang)
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
        let wins = scene.pick("wins", "gewinnt");
        let line = |(seat, won)| format!("{} {wins} {won}{}", scene.name(seat), showdown::by(scene, seat, outcome));
        winners(scene.view).map(line).chain(showdown::odd_chips(scene)).collect()
    }

    fn summary(scene: &Scene<'_, Self>, outcome: &Outcome) -> Markup {
        let view = scene.view;
        html! {
            @for (seat, won) in winners(view) {
                p class="result" { strong { (scene.name(seat)) }
                    " " (scene.pick("wins", "gewinnt")) " " strong { (won) } (showdown::by(scene, seat, outcome)) }
            }
            @for line in showdown::odd_chips(scene) { p { (line) "." } }
            @if !view.showing.is_empty() {
                ul class="shown" {
                    @for seat in &view.showing {
                        @if let Some(player) = player(view, *seat) {
                            li { (scene.name(*seat)) ": " (minis(player.shown.iter().map(|held| held.card), scene.lang))
                                @if let Some(name) = words::hand_of(scene, *seat) { " " (name) } }
                        }
                    }
                }
            }
            @if view.pots.len() > 1 {
                ul {
                    @for (n, pot) in view.pots.iter().enumerate() {
                        li { (words::pot(view, n, scene.lang)) ": " (scene.list(pot.winners.iter())) }
                    }
                }
            }
        }
    }

    fn counts(lang: Lang) -> &'static str {
        lang.pick("chips", "Chips")
    }

    fn rules(lang: Lang) -> &'static str {
        lang.pick(games::holdem::RULES_EN, games::holdem::RULES_DE)
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

/// The winners, and how much they have won.
fn winners(view: &View) -> impl Iterator<Item = (Seat, Chips)> {
    let won = (0..).map_while(Seat::new).zip(&view.players).map(|(seat, player)| (seat, player.won));
    won.filter(|(_, won)| *won > Chips::ZERO)
}

/// The viewer's best hand, in words.
fn own_hand(scene: &Scene<'_, Holdem>) -> Option<String> {
    let hole: Vec<_> = scene.view.hand.iter().filter_map(|held| held.card).collect();
    words::hand(&hole, &scene.view.board, scene.lang)
}

/// What a player did, and their bet.
fn status(scene: &Scene<'_, Holdem>, player: &PlayerView) -> Option<(String, Mood)> {
    let (word, mood) = match player.status {
        Status::Out => (scene.pick("out", "raus"), Mood::Dim),
        Status::Gone => (scene.pick("left", "gegangen"), Mood::Dim),
        Status::Folded => (scene.pick("folded", "gepasst"), Mood::Dim),
        Status::AllIn => (scene.pick("all-in", "all-in"), Mood::Bad),
        Status::Live => (words::did(player.last, scene.lang), Mood::Plain),
    };
    let text = match (player.status, player.last) {
        _ if player.bet <= Chips::ZERO => word.to_owned(),
        // A call costs less than the whole bet if the player had bet before.
        (Status::Live, Some(Did::Call)) => format!("{word} · {} {}", player.bet, scene.pick("in", "gesetzt")),
        _ => format!("{word} {}", player.bet),
    };
    (!text.trim().is_empty()).then(|| (text.trim().to_owned(), mood))
}

/// The button that bets or raises.
fn raise(scene: &Scene<'_, Holdem>, to: i64) -> Button<Holdem> {
    let verb = match scene.view.bet_to {
        Chips::ZERO => scene.pick("Bet", "Setzen"),
        _ => scene.pick("Raise to", "Erhöhen auf"),
    };
    Button::act('r', format!("{verb} {to}"), Action::RaiseTo(Chips(to)))
}

/// The same button for all-in.
fn all_in(to: i64) -> Button<Holdem> {
    Button::act('r', format!("All-in {to}"), Action::AllIn).grave()
}
