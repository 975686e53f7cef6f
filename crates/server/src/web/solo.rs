//! Tables for one person and computers, in their browser: the choice of a game, the form and an empty table, which a
//! module fills; and what it takes to keep all that in a browser, for when this server is gone.
//!
//! A service worker may look after pages under its own address only, and after what they load. The script of a worker counts
//! as a page there, so the files of the table's worker are also served under `/solo`.

use axum::Router;
use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use games::AnyGame;
use maud::{Markup, html};
use page::Lang;
use serde_json::json;

use super::identity::Visitor;
use super::layout::{FELT, Sheet, send_installable};
use super::new::games_under;
use super::words::{about, title};
use super::{Failure, Site, assets, module};
use crate::room::form::{Filled, Wrong, alone};

/// The module that runs a table.
const MODULE: &str = "solo.wasm";
/// Where browsers read what can be installed.
pub const MANIFEST: &str = "/solo/app.webmanifest";
/// The script of the service worker.
const OFFLINE: &str = "/solo/offline.js";

/// What the pages load, beside the style of each game.
const FILES: [&str; 19] = [
    "icon.svg",
    "style.css",
    "avatars.css",
    "lobby.css",
    "cards.css",
    "table.css",
    "private.css",
    "install.js",
    "solo.js",
    "table.js",
    "alerts.js",
    "confirm.js",
    "drafts.js",
    "line.js",
    "morph.js",
    "motion.js",
    "runout.js",
    "say.js",
    "sounds.js",
];
/// What their worker loads.
const WORKER: [&str; 4] = ["solotable.js", "seat.js", "vault.js", MODULE];

pub(super) fn routes() -> Router<Site> {
    Router::new()
        .route("/solo", get(choose))
        .route("/solo/{game}", get(page))
        .route(OFFLINE, get(offline))
        .route(MANIFEST, get(manifest))
        .route("/solo/assets/{version}/{name}", get(assets::asset))
}

/// This way to play, for the lobby.
pub(super) fn kind(lang: Lang) -> Markup {
    html! {
        div class="kind" {
            h2 { (lang.pick("Alone", "Allein")) }
            p { (sentence(lang)) }
            @if module::find(MODULE).is_some() {
                p class="actions" { a class="button main" href="/solo" { (lang.pick("Play alone", "Allein spielen")) } }
            } @else {
                p class="dim" { (missing(lang)) }
            }
        }
    }
}

const fn sentence(lang: Lang) -> &'static str {
    lang.pick(
        "Against computers, on this device, also without a network.",
        "Gegen Computer, auf diesem Gerät, auch ohne Netz.",
    )
}

const fn missing(lang: Lang) -> &'static str {
    lang.pick(
        "Playing alone needs a module that was not built: `cargo xtask run` gets what that takes, builds and starts.",
        "Dafür fehlt ein Modul: `cargo xtask run` besorgt, was es braucht, und startet alles.",
    )
}

/// The choice of a game.
async fn choose(visitor: Visitor) -> Response {
    let (lang, built) = (visitor.lang, module::find(MODULE).is_some());
    let body = html! {
        main class="lobby" {
            h1 { (heading(lang)) }
            p { (sentence(lang)) }
            @if built { (games_under("/solo/", lang)) (installing(lang)) } @else { p { (missing(lang)) } }
        }
    };
    let scripts: &[&str] = if built { &["install.js"] } else { &[] };
    sheet(&visitor, heading(lang), &["lobby.css"], scripts, body)
}

/// The page of one game: the form, and an empty table.
async fn page(Path(game): Path<String>, visitor: Visitor) -> Result<Response, Failure> {
    let game = AnyGame::from_name(&game).ok_or(Failure::NotFound)?;
    if module::find(MODULE).is_none() {
        return Ok(choose(visitor).await);
    }
    let lang = visitor.lang;
    let body = html! {
        main id="solo" class="new" data-game=(game.name()) data-name=(visitor.face.name) data-avatar=(visitor.face.avatar) {
            h1 { (heading(lang)) ": " (title(game)) }
            p { (about(game, lang)) }
            noscript { p class="wrong" { (lang.pick(
                "This table is in your browser, which has to run this page's scripts for that.",
                "Dieser Tisch steht in deinem Browser, der dafür die Skripte dieser Seite ausführen muss.",
            )) } }
            (failed(lang))
            p class="brief" hidden { (lang.pick(
                "This browser keeps nothing: if you reload the page, the match is gone.",
                "Dieser Browser speichert nichts: Wenn du die Seite neu lädst, ist die Partie weg.",
            )) }
            section data-part="new" hidden { (alone(&Filled::alone(game), &Wrong::default(), lang)) }
            (installing(lang))
        }
        (table(game, lang))
    };
    let style = format!("{}.css", game.name());
    let styles = &["lobby.css", "cards.css", "table.css", &style, "private.css"];
    Ok(sheet(&visitor, title(game), styles, &["solo.js", "install.js"], body))
}

const fn heading(lang: Lang) -> &'static str {
    lang.pick("Alone", "Allein")
}

fn sheet(visitor: &Visitor, title: &str, styles: &[&str], scripts: &[&str], body: Markup) -> Response {
    let title = format!("{title} · fairdeal");
    send_installable(visitor, &Sheet { title: &title, class: "plain", styles, scripts, body }, MANIFEST)
}

/// Whether the page stays without a network. A script fills it in.
fn installing(lang: Lang) -> Markup {
    html! {
        p id="install" class="dim" role="status" hidden {
            span {} " " button type="button" class="quiet" hidden { (lang.pick("Install", "Installieren")) }
        }
    }
}

/// Why it does not go on.
fn failed(lang: Lang) -> Markup {
    html! {
        section data-part="failed" class="panel failed" hidden role="alert" {
            h2 { (lang.pick("Something went wrong", "Etwas ist schiefgegangen")) }
            p class="what" {}
            p class="detail dim" {}
            p class="actions" {
                button type="button" data-reload { (lang.pick("Try again", "Noch einmal versuchen")) }
                button type="button" class="quiet" data-forget hidden { (lang.pick("Begin another match", "Neue Partie beginnen")) }
            }
        }
    }
}

/// The table, filled by the module.
fn table(game: AnyGame, lang: Lang) -> Markup {
    let rules = games::with_game!(game, G => <G as page::Page>::rules(lang));
    html! {
        div id="seat" hidden {
            main id="table" data-seat="solo" data-player="solo" {
                p id="alarm" class="alarm" role="alert" hidden {}
                section id="felt" class="felt" {}
                div class="near" {
                    div class="clock" id="clock" hidden { div class="track" { div {} } span role="timer" aria-live="off" aria-label=(lang.pick("Time left", "Restzeit")) {} }
                    section id="desk" class="desk empty" {}
                }
            }
            aside id="side" {
                // Players who cannot see the table hear what others do.
                details open { summary { (lang.pick("Log", "Protokoll")) } div role="log" aria-label=(lang.pick("Moves", "Spielzüge")) { ol id="log" class="log" {} } }
                details { summary { (lang.pick("Rules", "Regeln")) } div class="rules" { (page::beside::rules(rules)) } }
                p class="actions" { a class="button quiet" href="/solo" { (lang.pick("Other games", "Andere Spiele")) } }
                div id="leave" {}
            }
            div id="toasts" role="status" aria-live="polite" {}
            dialog id="dialog" {}
        }
    }
}

/// What can be installed.
async fn manifest() -> Response {
    ([(CONTENT_TYPE, "application/manifest+json")], installable()).into_response()
}

fn installable() -> String {
    let icon = json!({ "src": assets::address("icon.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any" });
    let manifest = json!({
        "id": "/solo", "name": "fairdeal", "short_name": "fairdeal", "start_url": "/solo", "scope": "/solo",
        "description": "Card games against computers, also without a network.",
        "display": "standalone", "background_color": FELT, "theme_color": FELT, "icons": [icon],
    });
    manifest.to_string()
}

/// The service worker. It may look after `/solo` itself as well, and is asked for again at every visit.
async fn offline() -> Response {
    let kind = [(CONTENT_TYPE, "text/javascript; charset=utf-8"), (CACHE_CONTROL, "no-cache")];
    (kind, [("service-worker-allowed", "/solo")], script()).into_response()
}

/// Its script: what it keeps, and then what it does.
fn script() -> String {
    let styles = AnyGame::ALL.iter().map(|game| format!("{}.css", game.name()));
    let files = FILES.iter().map(|name| (*name).to_owned()).chain(styles);
    let files = files.map(|name| assets::address(&name));
    let worker = WORKER.iter().map(|name| format!("/solo{}", assets::address(name)));
    let files: Vec<String> = files.chain(worker).chain([MANIFEST.to_owned()]).collect();
    let games = AnyGame::ALL.iter().map(|game| format!("/solo/{}", game.name()));
    let pages: Vec<String> = ["/solo".to_owned()].into_iter().chain(games).collect();
    let (version, files, pages) = (json!(assets::version()), json!(files), json!(pages));
    format!("const VERSION = {version}, FILES = {files}, PAGES = {pages};\n{}", assets::text("offline.js"))
}

/// What is served under `/solo` beside pages, as this program has it, for a server whose assets have this version:
/// addresses and bytes.
pub fn served(version: &str) -> Vec<(String, Vec<u8>)> {
    let own = assets::assets().filter(|(name, _)| WORKER.contains(name));
    let files = own.map(|(name, bytes)| (format!("/solo/assets/{version}/{name}"), bytes.to_vec()));
    let made = [(OFFLINE, script()), (MANIFEST, installable())];
    files.chain(made.map(|(address, text)| (address.to_owned(), text.into_bytes()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The scripts that a script imports when it is loaded.
    fn imports(text: &str) -> impl Iterator<Item = &str> {
        let lines = text.lines().filter(|line| line.starts_with("import ") || line.starts_with("export {"));
        lines.filter_map(|line| line.rsplit_once("\"./")?.1.split_once('"').map(|(name, _)| name))
    }

    #[test]
    fn whatever_a_kept_script_imports_is_kept() {
        for kept in [&FILES[..], &WORKER[..]] {
            for name in kept.iter().filter(|name| name.ends_with(".js")) {
                let text = assets::text(name);
                assert!(!text.is_empty(), "{name}");
                for imported in imports(text) {
                    assert!(kept.contains(&imported), "{name} imports {imported}");
                }
            }
        }
        assert_eq!(imports(assets::text("table.js")).count(), 9, "they are found");
    }

    #[test]
    fn the_service_worker_keeps_pages_and_files_of_this_version() {
        let script = script();
        for part in ["\"/solo\",\"/solo/", &assets::address("table.js"), &assets::address("romme.css"), "/solo.wasm"] {
            assert!(script.contains(part), "{part}");
        }
        assert!(script.starts_with(&format!("const VERSION = \"{}\"", assets::version())));
        assert!(served("12ab").iter().any(|(address, _)| address == "/solo/assets/12ab/solotable.js"));
    }
}
