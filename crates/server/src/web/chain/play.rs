//! Tables of a chain in a browser: a wallet with its key there, the list of tables, and a table.
//!
//! The server sends a page with empty parts, and the module for chain tables fills them: what there is to see comes from a
//! node and is proven in the browser. The server sees neither keys nor cards, and need not know the chain at all.

use axum::extract::{Path, State};
use axum::response::Response;
use games::AnyGame;
use maud::{Markup, html};
use page::Lang;

use super::parts;
use crate::web::identity::Visitor;
use crate::web::layout::{Sheet, send};
use crate::web::module::{self, Module};
use crate::web::{Failure, Site, private};

/// The module's name among the assets.
const MODULE: &str = "wallet.wasm";

/// Whether there are tables in the browser.
pub(super) fn exists() -> bool {
    module::find(MODULE).is_some()
}

/// The wallet, and all tables.
pub(in crate::web) async fn list(State(site): State<Site>, visitor: Visitor) -> Response {
    page(&site, &visitor, None)
}

/// One table.
pub(in crate::web) async fn table(
    State(site): State<Site>,
    Path(number): Path<String>,
    visitor: Visitor,
) -> Result<Response, Failure> {
    let number: u64 = number.parse().map_err(|_| Failure::NotFound)?;
    Ok(page(&site, &visitor, Some(number)))
}

fn page(site: &Site, visitor: &Visitor, table: Option<u64>) -> Response {
    let lang = visitor.lang;
    let heading = lang.pick("Poker on a chain", "Poker auf einer Chain");
    let title = match table {
        None => format!("{heading} · fairdeal"),
        Some(number) => format!("{} {number} · {heading} · fairdeal", lang.pick("Table", "Tisch")),
    };
    let found = module::find(MODULE);
    let body = match found {
        Some(module) => filled(site, table, module, heading, lang),
        None => html! {
            main class="narrow" { h1 { (heading) } p { (missing(lang)) } p { a href="/" { (lang.pick("Lobby", "Lobby")) } } }
        },
    };
    let styles = &["lobby.css", "cards.css", "table.css", "holdem.css", "private.css", "purse.css"];
    let scripts: &[&str] = if found.is_some() { &["purse.js"] } else { &[] };
    send(visitor, &Sheet { title: &title, class: "plain", styles, scripts, body })
}

fn filled(site: &Site, table: Option<u64>, module: Module, heading: &str, lang: Lang) -> Markup {
    let chain = site.chain();
    html! {
        main id="chain-play" class="private" data-table=[table] data-passes=[chain.map(|_| "yes")] {
            header class="head" {
                h1 { (heading) @if let Some(number) = table { ": " (lang.pick("table", "Tisch")) " " (number) } }
                p { (lang.pick(
                    "At these tables no server deals. Only you can read your cards: their key is in this browser, as is the key of your \
                     wallet. Whatever a node of the chain says is proven here before you see it.",
                    "An diesen Tischen gibt kein Server die Karten. Nur du kannst deine lesen: Ihr Schlüssel ist in diesem Browser, wie auch der \
                     Schlüssel deiner Wallet. Was ein Knoten der Chain sagt, wird hier bewiesen, bevor du es siehst.",
                )) }
            }
            noscript { p class="wrong" { (lang.pick(
                "Your browser keeps your key and checks everything itself. For that it has to run this page's scripts.",
                "Dein Browser verwahrt deinen Schlüssel und prüft alles selbst. Dafür muss er die Skripte dieser Seite ausführen.",
            )) } }
            (parts::failed(lang))
            p class="trouble" role="alert" hidden {}
            p class="note" role="status" hidden {}
            (parts::begin(lang))
            div data-part="tables" hidden {
                div id="list" { p { (lang.pick("Looking at the chain …", "Die Chain wird angesehen …")) } }
            }
            (parts::node(chain, lang))
            (parts::wallet(lang))
            (parts::checked(lang))
            (private::hash(module, lang))
        }
        (parts::seat(AnyGame::Holdem, lang))
        (parts::dialogs(lang))
    }
}

/// What to do without a module, in one line.
const fn missing(lang: Lang) -> &'static str {
    lang.pick(
        "Chain tables in browsers need a module that was not built: `cargo xtask run` gets what that takes, builds and starts.",
        "Für Tische einer Chain im Browser fehlt ein Modul: `cargo xtask run` besorgt, was es dafür braucht, und startet alles.",
    )
}
