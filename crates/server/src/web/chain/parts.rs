//! The parts of the page of chain tables. A script shows those that fit; the module fills the list and the table.

use games::AnyGame;
use maud::{Markup, html};
use page::Lang;

use crate::chain::Chain;

/// Why it does not go on.
pub(super) fn failed(lang: Lang) -> Markup {
    html! {
        section data-part="failed" class="panel failed" hidden role="alert" {
            h2 { (lang.pick("Something went wrong", "Etwas ist schiefgegangen")) }
            p class="what" {}
            details { summary { (lang.pick("Details", "Einzelheiten")) } p class="detail" {} }
            p class="actions" { button type="button" data-reload { (lang.pick("Try again", "Noch einmal versuchen")) } a class="button quiet" href="/" { (lang.pick("Lobby", "Lobby")) } }
        }
    }
}

/// For somebody whose browser has no wallet yet.
pub(super) fn begin(lang: Lang) -> Markup {
    html! {
        section data-part="begin" class="panel" hidden {
            h2 { (lang.pick("Your wallet", "Deine Wallet")) }
            p { (lang.pick(
                "Chips are bought with coins, and coins are in a wallet: a key that this browser makes and keeps. There is no account, no \
                 name and no password.",
                "Chips kauft man mit Münzen, und Münzen liegen in einer Wallet: einem Schlüssel, den dieser Browser macht und verwahrt. Es gibt \
                 kein Konto, keinen Namen und kein Passwort.",
            )) }
            p class="brief" hidden { (lang.pick(
                "This browser keeps nothing: when you close the page, the key is gone.",
                "Dieser Browser speichert nichts: Wenn du die Seite schließt, ist der Schlüssel weg.",
            )) }
            p class="actions" { button type="button" class="main" data-begin { (lang.pick("Make a wallet", "Wallet anlegen")) } }
            details { summary { (lang.pick("I have one already", "Ich habe schon eine")) } (import("first-key", lang)) }
        }
    }
}

/// A key from elsewhere.
fn import(id: &str, lang: Lang) -> Markup {
    html! {
        form class="import" {
            div class="field" {
                label for=(id) { (lang.pick("Key of a wallet (64 hexadecimal digits)", "Schlüssel einer Wallet (64 hexadezimale Ziffern)")) }
                input id=(id) name="key" type="password" autocomplete="off" spellcheck="false" required;
            }
            p class="said" role="status" {}
            p class="actions" { button { (lang.pick("Use this wallet", "Diese Wallet benutzen")) } }
        }
    }
}

/// The wallet of this browser.
pub(super) fn wallet(lang: Lang) -> Markup {
    html! {
        details class="own-key" data-with="wallet" hidden { summary { (lang.pick("Your wallet", "Deine Wallet")) }
            p { (lang.pick(
                "Whoever has the key has the coins, and without it nobody gets them back. So save it once, and keep it where only you can read it.",
                "Wer den Schlüssel hat, hat die Münzen, und ohne ihn bekommt sie niemand zurück. Speichere ihn also einmal und verwahre ihn, wo nur du ihn lesen kannst.",
            )) }
            dl { dt { (lang.pick("Your address, which others may know", "Deine Adresse, die andere kennen dürfen")) } dd { code class="address" { "…" } } }
            p class="actions" {
                button type="button" class="quiet" data-key="address" { (lang.pick("Copy the address", "Adresse kopieren")) }
                button type="button" class="quiet" data-key="show" { (lang.pick("Show the key", "Schlüssel zeigen")) }
                button type="button" class="quiet" data-key="save" { (lang.pick("Save the key as a file", "Schlüssel als Datei speichern")) }
            }
            div class="secret" hidden {
                p class="bad" { (lang.pick("Anyone who sees this can take your coins.", "Wer das sieht, kann deine Münzen nehmen.")) }
                p { input class="key-text" readonly autocomplete="off" spellcheck="false" aria-label=(lang.pick("Key of the wallet", "Schlüssel der Wallet")); }
                p class="actions" {
                    button type="button" class="quiet" data-key="copy" { (lang.pick("Copy", "Kopieren")) }
                    button type="button" class="quiet" data-key="hide" { (lang.pick("Hide", "Verbergen")) }
                }
            }
            p class="told" role="status" {}
            details { summary { (lang.pick("Use another wallet", "Andere Wallet benutzen")) }
                p class="dim" { (lang.pick(
                    "The one above stays in this browser: come back to it with its key.",
                    "Die Wallet oben bleibt in diesem Browser: Mit ihrem Schlüssel kommst du zu ihr zurück.",
                )) }
                (import("other-key", lang))
            }
        }
    }
}

/// Which node is asked.
pub(super) fn node(chain: Option<&Chain>, lang: Lang) -> Markup {
    html! {
        details class="node own-key" data-with="wallet" hidden open[chain.is_none()] {
            summary { (lang.pick("Node", "Knoten")) ": " span class="at" { "…" } }
            p { (lang.pick(
                "A node tells your browser what happens on the chain. You do not have to trust it: what it cannot prove is not shown.",
                "Ein Knoten sagt deinem Browser, was auf der Chain geschieht. Du musst ihm nicht vertrauen: Was er nicht beweisen kann, wird nicht gezeigt.",
            )) }
            form class="at-node" {
                @if chain.is_some() {
                    label class="choice" { input type="radio" name="which" value="here" checked; span { (lang.pick("The node of this server", "Der Knoten dieses Servers")) } }
                    label class="choice" { input type="radio" name="which" value="other"; span { (lang.pick("Another one", "Ein anderer")) } }
                }
                div class="field" {
                    label for="node-at" { (lang.pick("Address of a node", "Adresse eines Knotens")) }
                    input id="node-at" name="at" autocomplete="off" spellcheck="false" autocapitalize="off" placeholder="127.0.0.1:27001" maxlength="200" aria-describedby="node-said";
                }
                details { summary { (lang.pick("If you know the chain", "Wenn du die Chain kennst")) }
                    div class="field" {
                        label for="node-chain" { (lang.pick("Its number (64 digits); a node of another chain is refused then", "Ihre Nummer (64 Ziffern); ein Knoten einer anderen wird dann abgelehnt")) }
                        input id="node-chain" name="chain" autocomplete="off" spellcheck="false" maxlength="80";
                    }
                    div class="field" {
                        label for="node-trust" { (lang.pick("A block from somebody you trust, as NUMBER:HASH", "Ein Block von jemandem, dem du vertraust, als NUMMER:HASH")) }
                        input id="node-trust" name="trust" autocomplete="off" spellcheck="false" maxlength="120";
                    }
                }
                p id="node-said" class="said" role="status" {}
                p class="actions" { button { (lang.pick("Use this node", "Diesen Knoten benutzen")) } }
            }
            dl class="of-chain" hidden { dt { (lang.pick("The chain", "Die Chain")) } dd { span class="chain-name" {} " " code class="chain-id" {} } }
        }
    }
}

/// What is proven, and what is not.
pub(super) fn checked(lang: Lang) -> Markup {
    html! {
        details class="proven" { summary { (lang.pick("What is proven", "Was bewiesen ist")) }
            ul {
                li { (lang.pick("Your coins, the tables, chips, bets and the board: signed by the chain, and each proven.", "Deine Münzen, die Tische, Chips, Einsätze und die Karten in der Mitte: von der Chain unterschrieben und jedes bewiesen.")) }
                li { (lang.pick("Your cards: opened here, with a key that never leaves this browser.", "Deine Karten: hier geöffnet, mit einem Schlüssel, der diesen Browser nie verlässt.")) }
                li { (lang.pick("Whether a move counted: from what the table shows afterwards, not from what a node says.", "Dass ein Zug zählt: durch das, was der Tisch danach zeigt, nicht durch das Wort eines Knotens.")) }
                li { (lang.pick("A whole hand, on demand: “Verify” repeats every shuffle, every card and every pot.", "Eine ganze Hand, auf Wunsch: „Nachprüfen“ wiederholt jedes Mischen, jede Karte und jeden Pot.")) }
            }
            p class="dim" { (lang.pick(
                "A node can be silent or behind, and says nothing about which chain is the right one: compare its number with others. And you trust whoever serves this page.",
                "Ein Knoten kann schweigen oder hinterherhinken, und welche Chain die richtige ist, beweist niemand: Vergleiche ihre Nummer mit anderen. Und du vertraust dem, der diese Seite liefert.",
            )) }
        }
    }
}

/// The table, filled by the module.
pub(super) fn seat(game: AnyGame, lang: Lang) -> Markup {
    let rules = games::with_game!(game, G => <G as page::Page>::rules(lang));
    html! {
        div id="seat" hidden {
            main id="table" data-seat="chain" {
                p id="alarm" class="alarm" role="alert" hidden {}
                section id="felt" class="felt" {}
                div class="near" {
                    div class="clock" id="clock" hidden { div class="track" { div {} } span role="timer" aria-live="off" aria-label=(lang.pick("Time left", "Restzeit")) {} }
                    section id="desk" class="desk empty" {}
                }
            }
            aside id="side" {
                p id="status" role="status" {}
                section id="purse" {}
                details class="late" { summary { (lang.pick("The table does not wait", "Der Tisch wartet nicht")) }
                    p { (lang.pick(
                        "When your time is up, you check, or fold if you cannot, and lose a big blind of your bond. If that happens twice in a row, you \
                         sit out a hand. So press “Sit out” before you go for a coffee. Your seat is kept while this page is closed.",
                        "Wenn deine Zeit abläuft, schiebst du oder passt, wenn das nicht geht, und verlierst einen Big Blind von deinem Pfand. Passiert das zweimal \
                         hintereinander, setzt du eine Hand aus. Drück also „Aussetzen“, bevor du Kaffee holst. Dein Platz bleibt, auch wenn diese Seite zu ist.",
                    )) }
                }
                details open { summary { (lang.pick("Log", "Protokoll")) } div role="log" aria-label=(lang.pick("Moves", "Spielzüge")) { ol id="log" class="log" {} } }
                details { summary { (lang.pick("Rules", "Regeln")) } div class="rules" { (page::beside::rules(rules)) } }
                (checked(lang))
                div id="leave" {}
            }
            div id="toasts" role="status" aria-live="polite" {}
            dialog id="dialog" {}
        }
    }
}

/// How many chips somebody sits down with.
pub(super) fn dialogs(lang: Lang) -> Markup {
    html! {
        dialog id="seating" aria-labelledby="seating-title" {
            form method="dialog" {
                h2 id="seating-title" { (lang.pick("Sit down", "Hinsetzen")) }
                div class="field" {
                    label for="chips" { (lang.pick("Chips", "Chips")) " (" span class="range" {} ")" }
                    input id="chips" name="chips" type="number" inputmode="numeric" required;
                }
                p class="terms" {}
                p class="actions" {
                    button type="button" class="quiet" data-close { (lang.pick("Go back", "Zurück")) }
                    button class="main" { (lang.pick("Sit down", "Hinsetzen")) }
                }
            }
        }
    }
}
