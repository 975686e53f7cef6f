//! The common page of a table: the players and the middle.
//!
//! A page consists of parts, each an element with its own id; when something has changed, only the parts that differ
//! are sent again.

use ::table::{Game as _, Seat, Seats};
use maud::{Markup, html};

use crate::ending::end;
use crate::frame::{Awaited, Chair, Frame, Stage, Step, level};
use crate::gathering::gathering;
use crate::scene::enumerate;
use crate::{Lang, Shown};

/// The part of the page with the players and the middle of the table.
pub fn felt(frame: &Frame, shown: Option<&Shown>) -> Markup {
    let lang = frame.lang;
    let (game, title) = (frame.game.name(), games::with_game!(frame.game, G => G::TITLE));
    html! {
        section id="felt" class={ "felt " (game) } aria-label=(lang.pick("Table", "Tisch")) data-beat=(frame.beat) {
            header {
                h1 { (title) }
                @if let Some(shown) = shown.filter(|_| frame.has_begun()) {
                    p class="facts" { (lang.pick("Deal", "Spiel")) " " (frame.number()) " · " (shown.title) }
                }
                @if let Some((seat, _)) = frame.own().filter(|(_, chair)| chair.away && frame.stage != Stage::Over) {
                    p class="away" { (lang.pick("You are away: the table plays for you.", "Du bist abwesend: der Tisch spielt für dich.")) " "
                        (command(&serde_json::json!({"back": {}}), lang.pick("I'm back", "Ich bin wieder da"), "main")) span hidden { (seat) } }
                }
            }
            @match shown {
                Some(shown) if frame.has_begun() => {
                    (players(frame, shown))
                    div id="middle" class="middle" { (shown.middle) }
                    @if let Some(ending) = &shown.ending { (end(frame, shown, ending)) }
                }
                _ => (gathering(frame)),
            }
        }
    }
}

/// A button that sends a command as it is.
pub(crate) fn command(command: &serde_json::Value, label: &str, class: &str) -> Markup {
    html! { button type="button" class=(class) data-command=(command) { (label) } }
}

fn players(frame: &Frame, shown: &Shown) -> Markup {
    let all = Seats::first(u8::try_from(frame.chairs.len()).unwrap_or(u8::MAX));
    // At tables where people come and go between deals, a seat may never have had a name.
    let named = |seat: &Seat| !frame.name(*seat).is_empty();
    let others: Vec<Seat> = match frame.me {
        Some(me) => all.clockwise_after(me).filter(|seat| *seat != me).filter(named).collect(),
        None => all.iter().filter(named).collect(),
    };
    let lang = frame.lang;
    html! {
        ol class={ "players n" (others.len()) } {
            @for seat in others {
                @if let (Some(panel), Some(chair)) = (shown.panels.get(usize::from(seat.index())), frame.chair(seat)) {
                    @let turn = frame.awaited.players().contains(seat);
                    li id={ "seat-" (seat.index()) } class={ "player" @if turn { " turn" } @if panel.out { " out" } } aria-current=[turn.then_some("true")] {
                        div class="who" {
                            (avatar(chair))
                            span class="name" { (chair.name) }
                            @for mark in &panel.marks { span class="badge" { (mark) } }
                            (hints_used(chair, lang))
                            (checked(chair, lang))
                            @if chair.absent { span class="absent" { (not_here(lang)) } }
                        }
                        p class="fact" { (panel.facts) }
                        @if let Some((status, mood)) = &panel.status { p class={ "status " (mood.class()) } { (status) } }
                        @else { (presence(frame, chair, seat)) }
                        div class="cards" { (panel.cards) }
                    }
                }
            }
        }
    }
}

/// The number of hints a player has used, for everybody to see.
pub(crate) fn hints_used(chair: &Chair, lang: Lang) -> Markup {
    html! {
        @match (chair.hints, lang) {
            (0, _) => {},
            (1, lang) => span class="badge hinted" { (lang.pick("1 hint", "1 Tipp")) },
            (count, lang) => span class="badge hinted" { (count) " " (lang.pick("hints", "Tipps")) },
        }
    }
}

/// The mark of a player whose device did everything right, as far as the viewer's own has seen.
fn checked(chair: &Chair, lang: Lang) -> Markup {
    let about = lang.pick(
        "Your device has checked all that this player's device did.",
        "Dein Gerät hat alles geprüft, was das Gerät dieses Spielers getan hat.",
    );
    html! { @if chair.checked { span class="badge checked" role="img" title=(about) aria-label=(about) { "✓" } } }
}

/// The note about a player who does not have the table open.
pub(crate) const fn not_here(lang: Lang) -> &'static str {
    lang.pick("not here", "nicht da")
}

/// A player's status if the game says nothing.
fn presence(frame: &Frame, chair: &Chair, seat: Seat) -> Markup {
    let lang = frame.lang;
    let shuffles = matches!(frame.awaited, Awaited::Devices(Step::Shuffle, seats) if seats.contains(seat));
    let text = if chair.left && chair.computer().is_none() {
        lang.pick("left", "gegangen").to_owned()
    } else if shuffles {
        lang.pick("shuffling …", "mischt …").to_owned()
    } else if let Some(kind) = chair.computer() {
        format!("{} · {}", lang.pick("computer", "Computer"), level(kind, lang))
    } else if chair.away {
        lang.pick("away", "abwesend").to_owned()
    } else if frame.awaited.players().contains(seat) {
        lang.pick("thinking …", "überlegt …").to_owned()
    } else {
        String::new()
    };
    html! { p class="status dim" { (text) } }
}

/// What the table waits for, for a viewer whose turn it is not.
pub(crate) fn waiting(frame: &Frame) -> Markup {
    let lang = frame.lang;
    let others = |seats: Seats| frame.me.map_or(seats, |me| seats - Seats::one(me));
    let wait_for = |seats: Seats| match (frame.names(others(seats)), lang) {
        (names, _) if names.is_empty() => html! {},
        (names, Lang::En) => html! { "Waiting for " (names) " …" },
        (names, Lang::De) => html! { "Warten auf " (names) " …" },
    };
    match frame.awaited {
        Awaited::Seeds(seats) => html! {
            (lang.pick("Everybody is shuffling the cards …", "Alle mischen gemeinsam die Karten …"))
            // Usually all of them answer at once: names that come and go in an instant tell nobody anything.
            span class="late" { @match (others(seats).len(), lang) {
                (0, _) => {},
                (_, Lang::En) => { " Waiting for " (frame.names(others(seats))) "." },
                (1, Lang::De) => { " Es fehlt noch " (frame.names(others(seats))) "." },
                (_, Lang::De) => { " Es fehlen noch " (frame.names(others(seats))) "." },
            } }
        },
        Awaited::Devices(step, seats) => html! { (devices(frame, step, seats)) },
        Awaited::Turn(_) | Awaited::Choices(_) => wait_for(frame.awaited.players()),
        // A player who has not asked for the next deal yet sees the button for it.
        Awaited::Looking if frame.me.is_some_and(|me| !frame.ready.contains(me)) => html! {},
        Awaited::Looking => wait_for(frame.looking),
        Awaited::Nothing => html! {},
    }
}

/// What players' devices are doing.
fn devices(frame: &Frame, step: Step, seats: Seats) -> String {
    let lang = frame.lang;
    let me = frame.me.filter(|me| seats.contains(*me));
    let others = me.map_or(seats, |me| seats - Seats::one(me));
    let names = |you: &'static str| {
        let mut names: Vec<&str> = others.iter().map(|seat| frame.name(seat)).collect();
        names.extend(me.map(|_| you));
        enumerate(&names, lang)
    };
    let alone = seats.len() == 1;
    let (english, german) = match step {
        Step::Shuffle => {
            return match (me, alone, lang) {
                (Some(_), true, _) => lang.pick("Your device is shuffling …", "Dein Gerät mischt …").to_owned(),
                (None, true, Lang::En) => format!("{} is shuffling …", names("")),
                (None, true, Lang::De) => format!("{} mischt …", names("")),
                (_, false, Lang::En) => format!("Waiting for {} to shuffle …", names("you")),
                (_, false, Lang::De) => format!("Noch nicht gemischt haben: {} …", names("du")),
            };
        }
        Step::Seeds => ("seeds for this match", "Startwerte für diese Partie"),
        Step::Keys => ("keys for this deal", "Schlüssel für dieses Spiel"),
        Step::Cards => ("opening cards", "Karten aufdecken"),
        Step::Reveal => ("revealing the choice", "Wahl aufdecken"),
        Step::Sign => ("signature", "Unterschrift"),
    };
    match (me, alone, lang) {
        (Some(_), true, Lang::En) => format!("Waiting for your device: {english} …"),
        (Some(_), true, Lang::De) => format!("Warten auf dein Gerät: {german} …"),
        (None, true, Lang::En) => format!("Waiting for the device of {}: {english} …", names("you")),
        (None, true, Lang::De) => format!("Warten auf das Gerät von {}: {german} …", names("dir")),
        (_, false, Lang::En) => format!("Waiting for the devices of {}: {english} …", names("you")),
        (_, false, Lang::De) => format!("Warten auf die Geräte von {}: {german} …", names("dir")),
    }
}

/// A player's picture.
pub(crate) fn avatar(chair: &Chair) -> Markup {
    html! { span class={ "avatar a" (chair.avatar) } aria-hidden="true" {} }
}

#[cfg(test)]
mod tests {
    use games::AnyGame;

    use super::*;
    use crate::desk;
    use crate::frame::{Invite, Links, Who};

    fn seat(index: u8) -> Seat {
        Seat::new(index).unwrap()
    }

    /// Three people at a table without a house; the viewer sits in the first seat.
    fn frame(lang: Lang, awaited: Awaited) -> Frame {
        let chair = |name: &str| Chair { who: Who::Person, name: name.to_owned(), ..Chair::default() };
        let chairs = ["Anna", "Bert", "Cleo"].map(chair).to_vec();
        Frame { me: Some(seat(0)), stage: Stage::Deal, awaited, ..Frame::new(lang, AnyGame::Holdem, chairs) }
    }

    #[test]
    fn people_read_whose_device_is_awaited_and_for_what() {
        let says = |lang, step, seats: &[u8]| {
            let seats = seats.iter().map(|index| seat(*index)).collect();
            waiting(&frame(lang, Awaited::Devices(step, seats))).into_string()
        };
        assert_eq!(says(Lang::En, Step::Shuffle, &[1]), "Bert is shuffling …");
        assert_eq!(says(Lang::De, Step::Shuffle, &[1]), "Bert mischt …");
        assert_eq!(says(Lang::En, Step::Shuffle, &[0]), "Your device is shuffling …");
        assert_eq!(says(Lang::En, Step::Shuffle, &[0, 2]), "Waiting for Cleo and you to shuffle …");
        assert_eq!(
            says(Lang::En, Step::Keys, &[1, 2]),
            "Waiting for the devices of Bert and Cleo: keys for this deal …"
        );
        assert_eq!(says(Lang::En, Step::Cards, &[0]), "Waiting for your device: opening cards …");
        assert_eq!(says(Lang::De, Step::Sign, &[0, 1]), "Warten auf die Geräte von Bert und dir: Unterschrift …");
        for step in [Step::Seeds, Step::Keys, Step::Shuffle, Step::Cards, Step::Reveal, Step::Sign] {
            let [english, german] = Lang::ALL.map(|lang| says(lang, step, &[2]));
            assert!(english.contains("Cleo") && german.contains("Cleo") && english != german, "{english} {german}");
        }
    }

    #[test]
    fn a_table_that_offers_no_links_has_none() {
        let gathering = Frame { stage: Stage::Gathering, ..frame(Lang::En, Awaited::Nothing) };
        let html = felt(&gathering, None).into_string() + &desk(&gathering, None).into_string();
        assert!(
            !html.contains("href") && !html.contains("<form") && html.contains("Waiting for the match to start"),
            "{html}"
        );
    }

    #[test]
    fn an_invitation_has_a_link_and_a_code_only_if_there_is_one() {
        let invited = |code: Option<&str>| {
            let invite = Invite {
                code: code.map(str::to_owned),
                link: "http://here/#key".to_owned(),
                picture: "data:,".to_owned(),
            };
            let links = Links { invite: Some(invite), ..Links::default() };
            felt(&Frame { stage: Stage::Gathering, links, ..frame(Lang::En, Awaited::Nothing) }, None).into_string()
        };
        let (with, without) = (invited(Some("123 456")), invited(None));
        assert!(with.contains("123 456") && !without.contains("Code"), "{without}");
        assert!([with, without].iter().all(|html| html.contains("http://here/#key") && html.contains("data:,")));
    }
}
