//! The parts of the pages of private tables. A script shows the one that fits; the module fills the table.

use games::AnyGame;
use maud::{Markup, html};
use page::Lang;
use table::record::hex;

use crate::web::module::{MISSING, Module};

/// What to do without a module, in one line.
pub(in crate::web) const fn missing(lang: Lang) -> &'static str {
    lang.pick(
        MISSING,
        "Für private Tische im Browser fehlt ein Modul: `cargo xtask run` besorgt, was es dafür braucht, und startet alles.",
    )
}

/// For browsers that run no scripts.
pub(super) fn scriptless(lang: Lang) -> Markup {
    html! {
        noscript { p class="wrong" { (lang.pick(
            "At a private table your browser shuffles and deals itself. For that it has to run this page's scripts.",
            "An einem privaten Tisch mischt und gibt dein Browser selbst. Dafür muss er die Skripte dieser Seite ausführen.",
        )) } }
    }
}

/// Why it does not go on.
pub(super) fn failed(has_lobby: bool, lang: Lang) -> Markup {
    html! {
        section data-part="failed" class="panel failed" hidden role="alert" {
            h2 { (lang.pick("Something went wrong", "Etwas ist schiefgegangen")) }
            p class="what" {}
            p class="blame" hidden {}
            p class="then" hidden {}
            details hidden { summary { (lang.pick("Details", "Einzelheiten")) } p class="detail" {} }
            p class="actions" {
                button type="button" data-reload { (lang.pick("Try again", "Noch einmal versuchen")) }
                @if has_lobby { a class="button quiet" href="/" { (lang.pick("Lobby", "Lobby")) } }
            }
        }
    }
}

/// Coming with a link.
pub(super) fn enter(lang: Lang) -> Markup {
    html! {
        section data-part="enter" class="panel" hidden {
            h2 { (lang.pick("You are invited", "Du bist eingeladen")) }
            form {
                (name("come-name", lang))
                p class="brief" hidden { (lang.pick(
                    "This browser keeps nothing: if you reload the page, you lose your seat.",
                    "Dieser Browser speichert nichts: Wenn du die Seite neu lädst, verlierst du deinen Platz.",
                )) }
                p class="actions" {
                    button class="main" { (lang.pick("Sit down", "Mitspielen")) }
                    button type="button" class="quiet" data-watch { (lang.pick("Watch", "Zuschauen")) }
                }
            }
        }
    }
}

/// Coming without one; `terminal` is what somebody types to knock from there.
pub(super) fn knock(terminal: Option<&str>, lang: Lang) -> Markup {
    html! {
        section data-part="knock" class="panel" hidden {
            h2 { (lang.pick("Knock", "Anklopfen")) }
            p class="cut" { (lang.pick(
                "Your link has no key: the part after # is missing. Ask for the whole link, or knock, and somebody at the table lets you in.",
                "Dein Link hat keinen Schlüssel: Der Teil nach # fehlt. Bitte um den ganzen Link, oder klopf an, dann lässt dich jemand am Tisch herein.",
            )) }
            form {
                (name("knock-name", lang))
                p class="actions" { button class="main" { (lang.pick("Knock", "Anklopfen")) } }
            }
            div class="door" hidden role="status" {
                p class="says" {}
                p class="four" hidden {}
                p class="compare" hidden { (lang.pick(
                    "Compare these words with those the host sees. If they are the same, nobody is listening in between.",
                    "Vergleicht diese Wörter mit denen, die am Tisch zu sehen sind. Sind es dieselben, hört niemand dazwischen mit.",
                )) }
            }
            @if let Some(terminal) = terminal {
                details { summary { (lang.pick("From a terminal", "Aus einem Terminal")) } p { code class="command" { (terminal) } } }
            }
            p class="shut" hidden { (lang.pick("At this table nobody can knock: ask for the link.", "An diesem Tisch kann man nicht anklopfen: Bitte um den Link.")) }
        }
    }
}

fn name(id: &str, lang: Lang) -> Markup {
    html! {
        div class="field" {
            label for=(id) { (lang.pick("Your name", "Dein Name")) }
            input id=(id) name="name" maxlength="24" autocomplete="nickname" required;
        }
    }
}

/// Before the match.
pub(super) fn lobby(lang: Lang) -> Markup {
    html! {
        div data-part="lobby" class="gather" hidden {
            section class="panel here" {
                h2 { (lang.pick("Who is here", "Wer da ist")) }
                ol class="chairs people" {}
                p class="online" role="status" {}
                ul class="knocks" aria-label=(lang.pick("At the door", "An der Tür")) aria-live="polite" {}
                p class="why dim" {}
                p class="actions" {
                    button type="button" class="main" data-want="start" hidden { (lang.pick("Start the match", "Partie beginnen")) }
                    button type="button" class="main" data-want="accept" hidden { (lang.pick("I am ready", "Ich bin bereit")) }
                    button type="button" class="quiet" data-want="leave" hidden { (lang.pick("Leave the table", "Tisch verlassen")) }
                }
                details class="chat" { summary { (lang.pick("Chat", "Chat")) }
                    ol class="talk" tabindex="0" aria-label=(lang.pick("Messages", "Nachrichten")) {}
                    form class="say" { input name="text" maxlength="400" autocomplete="off" aria-label=(lang.pick("Say something", "Etwas sagen")) placeholder=(lang.pick("Say something", "Etwas sagen")); button { (lang.pick("Send", "Senden")) } }
                }
            }
            section class="panel invite" {
                h2 { (lang.pick("Invite others", "Andere einladen")) }
                p { (lang.pick("Whoever has this link can sit down:", "Wer diesen Link hat, kann sich hinsetzen:")) }
                svg class="picture qr" role="img" aria-label=(lang.pick("The link as a QR code", "Der Link als QR-Code")) {
                    rect x="-4" y="-4" width="100%" height="100%" fill="white" {} path fill="black" {}
                }
                p { input class="link" readonly aria-label=(lang.pick("Link", "Link")); }
                p class="actions" {
                    button type="button" data-copies="link" { (lang.pick("Copy link", "Link kopieren")) }
                    button type="button" data-shares hidden { (lang.pick("Share", "Teilen")) }
                }
                div class="code-for" hidden {
                    p { (lang.pick("Code to knock with", "Code zum Anklopfen")) ": " strong class="code" {} }
                    p class="dim" { (lang.pick("For people in the room: they type it in the lobby, and you let them in here.", "Für Leute im selben Raum: Sie geben ihn in der Lobby ein, und du lässt sie hier herein.")) }
                }
                details class="terminal" { summary { (lang.pick("Terminals and computers", "Terminals und Computer")) }
                    p { (lang.pick("Somebody joins from a terminal with:", "Im Terminal spielt man mit:")) }
                    p { code class="command join" {} } p { button type="button" class="quiet" data-copies="join" { (lang.pick("Copy", "Kopieren")) } }
                    p { (lang.pick("A computer joins with:", "Ein Computer spielt mit:")) }
                    p { code class="command auto" {} } p { button type="button" class="quiet" data-copies="auto" { (lang.pick("Copy", "Kopieren")) } }
                }
            }
        }
    }
}

/// What happens when a device sleeps, said before it does.
pub(super) fn asleep(lang: Lang) -> Markup {
    html! {
        details class="asleep" { summary { (lang.pick("If your phone goes to sleep", "Wenn dein Handy einschläft")) }
            p { (lang.pick(
                "Your device deals, too, so leave this page open and the screen on. If it sleeps, the others wait as long as a \
                 move may take, and half a minute more. Then the deal goes on without you, or is broken off as the rules say. \
                 Come back to this page, and you play on from the next deal. Keys and cards are kept in this browser.",
                "Dein Gerät gibt mit, also lass diese Seite offen und den Bildschirm an. Schläft es ein, warten die anderen so lange, \
                 wie ein Zug dauern darf, und eine halbe Minute länger. Dann geht das Spiel ohne dich weiter oder wird abgebrochen, wie es die \
                 Regeln sagen. Komm auf diese Seite zurück, dann spielst du vom nächsten Spiel an mit. Schlüssel und Karten bleiben in diesem Browser.",
            )) }
        }
    }
}

/// The identity of this browser.
pub(super) fn own_key(lang: Lang) -> Markup {
    html! {
        details class="own-key" { summary { (lang.pick("Your key", "Dein Schlüssel")) }
            p { (lang.pick(
                "This browser has one key for all private tables. It signs your results, and others recognise you by it. It stays here.",
                "Dieser Browser hat einen Schlüssel für alle privaten Tische. Er unterschreibt deine Ergebnisse, und andere erkennen dich daran. Er bleibt hier.",
            )) }
            dl {
                dt { (lang.pick("Callsign", "Rufzeichen")) } dd class="callsign" { "…" }
                dt { (lang.pick("Public key", "Öffentlicher Schlüssel")) } dd { code class="npub" { "…" } }
            }
            p class="actions" {
                button type="button" class="quiet" data-key="show" { (lang.pick("Show the secret key", "Geheimen Schlüssel zeigen")) }
                button type="button" class="quiet" data-key="save" { (lang.pick("Save it as a file", "Als Datei speichern")) }
            }
            div class="secret" hidden {
                p class="bad" { (lang.pick(
                    "Anyone who has this key can play as you. Show it to nobody, and keep it where only you can read it.",
                    "Wer diesen Schlüssel hat, kann als du spielen. Zeig ihn niemandem und verwahre ihn, wo nur du ihn lesen kannst.",
                )) }
                p { input class="nsec" readonly autocomplete="off" spellcheck="false" aria-label=(lang.pick("Secret key", "Geheimer Schlüssel")); }
                p class="actions" {
                    button type="button" class="quiet" data-key="copy" { (lang.pick("Copy", "Kopieren")) }
                    button type="button" class="quiet" data-key="hide" { (lang.pick("Hide", "Verbergen")) }
                }
            }
            form class="import" {
                div class="field" {
                    label for="other-key" { (lang.pick("Use another key (nsec1… or 64 hexadecimal digits)", "Anderen Schlüssel benutzen (nsec1… oder 64 hexadezimale Ziffern)")) }
                    input id="other-key" name="key" type="password" autocomplete="off" spellcheck="false" required;
                }
                p class="dim" { (lang.pick(
                    "It replaces the one above at tables that you join from now on. Save that one first if you want to keep it.",
                    "Er ersetzt den Schlüssel oben an Tischen, an die du dich ab jetzt setzt. Speichere den alten vorher, wenn du ihn behalten willst.",
                )) }
                p class="actions" { button { (lang.pick("Use this key", "Diesen Schlüssel benutzen")) } }
            }
            p class="said" role="status" {}
        }
    }
}

/// The module, and how to check it.
pub(in crate::web) fn hash(module: Module, lang: Lang) -> Markup {
    html! {
        details class="module" { summary { (lang.pick("The program in this page", "Das Programm in dieser Seite")) }
            p { (lang.pick(
                "What plays for you here is a module from this server. An installed fairdeal can compare it with its own:",
                "Was hier für dich spielt, ist ein Modul von diesem Server. Ein installiertes fairdeal kann es mit dem eigenen vergleichen:",
            )) " " code { "fairdeal verify --page URL" } }
            p class="dim" { "SHA-256 " code { (hex(&module.hash())) } " (" (module.compiler) ")" }
        }
    }
}

/// The table, filled by the module once a match begins.
pub(super) fn seat(game: Option<AnyGame>, lang: Lang) -> Markup {
    let rules = game.map(|game| games::with_game!(game, G => <G as page::Page>::rules(lang)));
    html! {
        div id="seat" hidden {
            main id="table" data-seat {
                p id="alarm" class="alarm" role="alert" hidden {}
                section id="felt" class="felt" {}
                div class="near" {
                    div class="clock" id="clock" hidden { div class="track" { div {} } span role="timer" aria-live="off" aria-label=(lang.pick("Time left", "Restzeit")) {} }
                    section id="desk" class="desk empty" {}
                }
            }
            aside id="side" {
                p id="waits" role="status" hidden {}
                (after(lang))
                details id="checked" { summary {} ul {} }
                details open { summary { (lang.pick("Log", "Protokoll")) } div role="log" aria-label=(lang.pick("Moves", "Spielzüge")) { ol id="log" class="log" {} } }
                details open { summary { (lang.pick("Chat", "Chat")) }
                    div role="log" aria-label=(lang.pick("Messages", "Nachrichten")) { ol id="talk" class="talk" {} }
                    p id="muted" hidden {}
                    form id="say" { input name="text" maxlength="400" autocomplete="off" aria-label=(lang.pick("Say something", "Etwas sagen")) placeholder=(lang.pick("Say something", "Etwas sagen")); button { (lang.pick("Send", "Senden")) } }
                }
                (asleep(lang))
                @if let Some(rules) = rules { details { summary { (lang.pick("Rules", "Regeln")) } div class="rules" { (page::beside::rules(rules)) } } }
                div id="leave" {}
            }
            div id="toasts" role="status" aria-live="polite" {}
            dialog id="dialog" {}
        }
    }
}

/// After the match.
fn after(lang: Lang) -> Markup {
    html! {
        section id="after" class="panel" hidden aria-labelledby="after-title" {
            h2 id="after-title" { (lang.pick("The result", "Das Ergebnis")) }
            p class="how" {}
            ol class="places" {}
            p class="signed" role="status" {}
            p class="actions" {
                button type="button" class="main" data-after="verify" { (lang.pick("Verify", "Nachprüfen")) }
                button type="button" data-after="record" { (lang.pick("Save the record", "Aufzeichnung speichern")) }
                button type="button" data-after="result" hidden { (lang.pick("Save the result", "Ergebnis speichern")) }
            }
            progress hidden aria-label=(lang.pick("Checking", "Prüfung läuft")) {}
            div class="verdict" role="status" {}
            div class="station" hidden {
                h3 { (lang.pick("Leaderboard of this server", "Bestenliste dieses Servers")) }
                p class="dim" { (lang.pick(
                    "A signed result counts here. It shows the callsigns, places and scores of all players, and nothing else.",
                    "Ein unterschriebenes Ergebnis zählt hier. Es zeigt Rufzeichen, Plätze und Punkte aller Spieler, sonst nichts.",
                )) }
                label class="flag" { input type="checkbox" data-after="always"; span { (lang.pick("Always send my results to this server", "Meine Ergebnisse immer an diesen Server schicken")) } }
                p class="actions" { button type="button" data-after="send" { (lang.pick("Send the result", "Ergebnis schicken")) } }
                p class="sent" role="status" {}
                div class="board" {}
            }
            div class="extension" hidden {
                h3 { (lang.pick("Your NOSTR extension", "Deine NOSTR-Erweiterung")) }
                p class="dim" { (lang.pick(
                    "It can sign that this result is yours, with the key it keeps.",
                    "Sie kann mit ihrem eigenen Schlüssel unterschreiben, dass dieses Ergebnis deines ist.",
                )) }
                p class="actions" { button type="button" data-after="extension" { (lang.pick("Sign with the extension", "Mit der Erweiterung unterschreiben")) } }
                p class="attested" role="status" {}
            }
            details { summary { (lang.pick("The signed result as text", "Das unterschriebene Ergebnis als Text")) } pre class="text" tabindex="0" {} }
            details { summary { (lang.pick("Check another record", "Andere Aufzeichnung prüfen")) }
                div class="field" { label for="other-record" { (lang.pick("A file that somebody saved after a private match", "Eine Datei, die jemand nach einer privaten Partie gespeichert hat")) } input id="other-record" type="file" accept=".jsonl,.txt,.json"; }
            }
        }
    }
}
