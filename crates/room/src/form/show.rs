//! The form for a new table.

use bots::Kind;
use maud::{Markup, html};
use table::{Described, Game as _, Range, Value as _};

use super::filled::{Filled, SEAT, SETTING, Wrong};
use super::{PACES, about, avatar, described, title, told, words};
use crate::{Face, Hints};
use page::Lang;
use page::{Page, level};

/// The computers to choose from.
const LEVELS: [Kind; 3] = [Kind::Easy, Kind::Normal, Kind::Hard];

/// The form for a table of the house.
pub fn page(filled: &Filled, wrong: &Wrong, me: &Face, lang: Lang) -> Markup {
    let game = filled.game;
    html! {
        main class="new" {
            h1 { (lang.pick("New table", "Neuer Tisch")) ": " (title(game)) }
            p { (about(game, lang)) }
            (not_yet(filled, wrong, lang))
            form method="post" action="/new" novalidate {
                input type="hidden" name="game" value=(game.name());
                (players(filled, wrong, me, lang))
                (settings(filled, wrong, &html! { (pace(filled, lang)) (hints(filled, lang)) (fairness(filled, lang)) }, lang))
                (who(filled, lang))
                p class="actions" { button class="main" { (lang.pick("Create table", "Tisch eröffnen")) } a class="button" href="/" { (lang.pick("Cancel", "Abbrechen")) } }
            }
        }
    }
}

/// The form for a private table: what is the same there. A browser fills in the name it has kept.
pub fn private(filled: &Filled, wrong: &Wrong, name: Option<&str>, lang: Lang) -> Markup {
    let game = filled.game;
    html! {
        form method="post" action="/private/new" novalidate data-game=(title(game)) {
            (not_yet(filled, wrong, lang))
            input type="hidden" name="game" value=(game.name());
            fieldset {
                legend { (lang.pick("You", "Du")) }
                div class="field" {
                    label for="name" { (lang.pick("Your name at the table", "Dein Name am Tisch")) }
                    input id="name" name="name" value=[name] maxlength="24" autocomplete="nickname" required;
                }
            }
            fieldset {
                legend { (lang.pick("Seats", "Plätze")) }
                (counts(filled, wrong, lang))
                p class="hint dim" { (lang.pick("You can also start with fewer players.", "Du kannst auch mit weniger Leuten beginnen.")) }
            }
            (settings(filled, wrong, &html! {}, lang))
            fieldset {
                legend { (lang.pick("Who can join", "Wer mitspielen kann")) }
                label class="choice" {
                    input type="radio" name="listed" value="no" checked[!filled.listed];
                    span { strong { (lang.pick("Not listed", "Nicht öffentlich")) } " " span class="dim" { (lang.pick(
                        "Whoever has the link can sit down. With the code, people can knock, and you let them in.",
                        "Wer den Link hat, kann sich hinsetzen. Mit dem Code kann man anklopfen, und du lässt herein.",
                    )) } }
                }
                label class="choice" {
                    input type="radio" name="listed" value="yes" checked[filled.listed];
                    span { strong { (lang.pick("Listed", "Öffentlich")) } " " span class="dim" { (lang.pick(
                        "The lobby shows the table as well, and anybody can knock.",
                        "Der Tisch steht außerdem in der Lobby, und alle können anklopfen.",
                    )) } }
                }
            }
            p class="actions" { button class="main" { (lang.pick("Create private table", "Privaten Tisch eröffnen")) } a class="button" href="/" { (lang.pick("Cancel", "Abbrechen")) } }
        }
    }
}

/// Settings that mean nothing to a person who is alone with computers.
const FOR_SEVERAL: [&str; 2] = ["away_after", "on_leave"];

/// The form for a table for one person. A script takes it to the module that runs the table.
pub fn alone(filled: &Filled, wrong: &Wrong, lang: Lang) -> Markup {
    let game = filled.game;
    html! {
        form method="post" novalidate data-game=(game.name()) {
            (not_yet(filled, wrong, lang))
            input type="hidden" name="game" value=(game.name());
            fieldset {
                legend { (lang.pick("Players", "Mitspieler")) }
                (counts(filled, wrong, lang))
                p class="hint dim" { (lang.pick("You are one of them.", "Du bist einer davon.")) }
                div class="field" {
                    label for="level" { (lang.pick("How well the computers play.", "Wie gut die Computer spielen.")) }
                    select id="level" name="level" {
                        @for kind in LEVELS { option value=(kind.text()) selected[filled.level == kind] { (level(kind, lang)) } }
                    }
                }
            }
            (chosen(filled, wrong, &FOR_SEVERAL, &pace(filled, lang), lang))
            p class="actions" { button class="main" { (lang.pick("Play", "Spielen")) } a class="button" href="/solo" { (lang.pick("Other games", "Andere Spiele")) } }
        }
    }
}

/// What is wrong with the form, as far as no field shows it.
fn not_yet(filled: &Filled, wrong: &Wrong, lang: Lang) -> Markup {
    let all = described(filled.game);
    let fields: Vec<&str> = all.iter().map(|setting| setting.name).chain(["players"]).collect();
    html! {
        @if !wrong.is_empty() {
            p class="wrong" role="alert" {
                (lang.pick("The table has not been created yet: please change the marked values.", "Der Tisch ist noch nicht eröffnet: Bitte ändere die markierten Werte."))
                @for (field, why) in wrong.beside(&fields) { " " (field) ": " (why) "." }
            }
        }
    }
}

/// The settings of the game: first those that people change often, then all others, and `more`.
fn settings(filled: &Filled, wrong: &Wrong, more: &Markup, lang: Lang) -> Markup {
    chosen(filled, wrong, &[], more, lang)
}

/// The same without some of them.
fn chosen(filled: &Filled, wrong: &Wrong, without: &[&str], more: &Markup, lang: Lang) -> Markup {
    let mut all = described(filled.game);
    all.retain(|setting| !without.contains(&setting.name));
    let common = words::common(filled.game);
    let named = |name: &&str| all.iter().find(|setting| setting.name == *name);
    let rest = || all.iter().filter(|setting| !common.contains(&setting.name));
    let rest_is_wrong = rest().any(|setting| wrong.get(setting.name).is_some());
    html! {
        fieldset {
            legend { (lang.pick("Settings", "Einstellungen")) }
            @for setting in common.iter().filter_map(named) { (field(filled, setting, wrong, lang)) }
            details open[rest_is_wrong] {
                summary { (lang.pick("More settings", "Weitere Einstellungen")) }
                @for setting in rest() { (field(filled, setting, wrong, lang)) }
                (more)
            }
        }
    }
}

/// The number of seats.
fn counts(filled: &Filled, wrong: &Wrong, lang: Lang) -> Markup {
    let range = games::with_game!(filled.game, G => G::PLAYERS);
    html! {
        div class="counts" role="radiogroup" aria-label=(lang.pick("Number of seats", "Anzahl der Plätze")) {
            @for count in range {
                label class="count" { input type="radio" name="players" value=(count) id={ "players-" (count) } checked[filled.players == count]; span { (count) } }
            }
        }
        @if let Some(why) = wrong.get("players") { p class="wrong" id="players-wrong" { (why) } }
    }
}

/// The number of players, and which of them are computers. The style sheet hides seats that do not exist.
fn players(filled: &Filled, wrong: &Wrong, me: &Face, lang: Lang) -> Markup {
    let range = games::with_game!(filled.game, G => G::PLAYERS);
    html! {
        fieldset class="seats" {
            legend { (lang.pick("Seats", "Plätze")) }
            (counts(filled, wrong, lang))
            ol class="chairs" {
                li { (avatar(me.avatar)) span class="name" { (me.name) " " span class="dim" { (lang.pick("(you)", "(du)")) } } }
                @for seat in 1..*range.end() {
                    li {
                        label for={ "seat-" (seat) } { (lang.pick("Seat", "Platz")) " " (seat + 1) }
                        select id={ "seat-" (seat) } name={ (SEAT) (seat) } {
                            option value="" { (lang.pick("open for players", "frei für Mitspieler")) }
                            @for kind in LEVELS {
                                option value=(kind.text()) selected[filled.computer(seat) == Some(kind)] { (lang.pick("computer", "Computer")) ", " (level(kind, lang)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn field(filled: &Filled, setting: &Described, wrong: &Wrong, lang: Lang) -> Markup {
    let name = setting.name;
    // A setting that follows a preset is left to it unless the visitor chooses a value.
    let follows = setting.follows.is_some();
    let value = filled.typed(name).unwrap_or(if follows { "" } else { &setting.default });
    let as_preset = lang.pick("as in the rules chosen above", "wie oben gewählt");
    let (id, describes) = (format!("set-{name}"), format!("set-{name}-about"));
    let why = wrong.get(name);
    let about = games::with_game!(filled.game, G => <G as Page>::setting(name, setting.about, lang));
    let field = format!("{SETTING}{name}");
    let invalid = why.map(|_| "true");
    html! {
        div class={ "field" @if why.is_some() { " bad" } } {
            @if setting.range == Range::Flag && !follows {
                input type="hidden" name=(field) value="false";
                label class="flag" { input type="checkbox" id=(id) name=(field) value="true" checked[value == "true"]; span { (about) } }
            } @else {
                label for=(id) { (about) }
                @match &setting.range {
                    Range::Whole { least, most, or_zero } => input type="number" id=(id) name=(field) value=(value) step="1" inputmode="numeric" placeholder=[follows.then_some(as_preset)]
                        min=(if *or_zero { 0 } else { *least }) max=(most) aria-describedby=(describes) aria-invalid=[invalid];,
                    Range::Words(all) => select id=(id) name=(field) aria-invalid=[invalid] {
                        @if follows { option value="" selected[value.is_empty()] { (as_preset) } }
                        @for word in all { option value=(word) selected[value == *word] { (words::word(word, lang)) } }
                    },
                    Range::Numbers { .. } => input type="text" id=(id) name=(field) value=(if value == "none" { "" } else { value }) inputmode="numeric"
                        maxlength="300" autocomplete="off" aria-describedby=(describes) aria-invalid=[invalid];,
                    Range::Flag => select id=(id) name=(field) aria-invalid=[invalid] {
                        option value="" selected[value.is_empty()] { (as_preset) }
                        @for word in ["true", "false"] { option value=(word) selected[value == word] { (told::shown(word, &setting.range, lang)) } }
                    },
                }
            }
            @match (why, &setting.range) {
                (Some(why), _) => p class="wrong" id=(describes) { (lang.pick("Allowed: ", "Erlaubt ist: ")) (why) "." },
                (None, Range::Whole { .. } | Range::Numbers { .. }) => p class="hint dim" id=(describes) { (words::must_be(&setting.range, lang)) },
                (None, Range::Flag | Range::Words(_)) => {},
            }
        }
    }
}

fn pace(filled: &Filled, lang: Lang) -> Markup {
    html! {
        div class="field" {
            label for="pace" { (words::pace(lang)) }
            select id="pace" name="pace" {
                @for (millis, [english, german]) in PACES {
                    option value=(millis) selected[filled.pace == millis] { (lang.pick(english, german)) }
                }
            }
        }
    }
}

fn hints(filled: &Filled, lang: Lang) -> Markup {
    html! {
        div class="field" {
            label for="hints" { (words::hints(lang)) }
            select id="hints" name="hints" {
                @for hints in Hints::ALL {
                    option value=(hints.name()) selected[filled.hints == hints] { (words::hints_for(hints, lang)) }
                }
            }
        }
    }
}

fn fairness(filled: &Filled, lang: Lang) -> Markup {
    let closed = games::with_game!(filled.game, G => G::KEEPS_CLOSED);
    html! {
        div class="field choices" role="radiogroup" aria-labelledby="reveal" {
            p id="reveal" { (lang.pick("When the house publishes its seed for shuffling.", "Wann das Haus seinen Startwert fürs Mischen veröffentlicht.")) }
            @for name in ["auto", "after_deal", "after_match"] {
                @let (title, text) = words::reveal(name, closed, lang);
                label class="choice" {
                    input type="radio" name="reveal" value=(name) checked[filled.reveal == name];
                    span { strong { (title) } " " span class="dim" { (text) } }
                }
            }
        }
    }
}

fn who(filled: &Filled, lang: Lang) -> Markup {
    html! {
        fieldset {
            legend { (lang.pick("Who can join", "Wer mitspielen kann")) }
            label class="choice" {
                input type="radio" name="listed" value="no" checked[!filled.listed];
                span { strong { (lang.pick("Private", "Privat")) } " " span class="dim" { (lang.pick("Only people with the code or the link can find the table.", "Nur wer den Code oder den Link hat, findet den Tisch.")) } }
            }
            label class="choice" {
                input type="radio" name="listed" value="yes" checked[filled.listed];
                span { strong { (lang.pick("Listed", "Öffentlich")) } " " span class="dim" { (lang.pick("It is shown in the lobby; anybody can sit down or watch.", "Er steht in der Lobby; alle können sich dazusetzen oder zuschauen.")) } }
            }
        }
    }
}
