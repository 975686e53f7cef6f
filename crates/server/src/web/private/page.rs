//! The page of a private table. A ticket's secret is after `#`, which browsers do not send: everything about the table
//! itself is made in the browser, by the module. Without the module, a page can only say what to do with the link.

use axum::extract::{Path, State};
use axum::response::Response;
use games::AnyGame;
use maud::{Markup, html};

use super::parts;
use crate::ids::PrivateId;
use crate::store::PrivateRow;
use crate::web::identity::Visitor;
use crate::web::layout::{Sheet, send_private};
use crate::web::new::labels;
use crate::web::words::title_of;
use crate::web::{Failure, Site, module};
use page::Lang;

/// The page of a table.
pub(super) async fn page(
    State(site): State<Site>,
    Path(id): Path<String>,
    visitor: Visitor,
) -> Result<Response, Failure> {
    let id: PrivateId = id.parse().map_err(|_| Failure::NotFound)?;
    let row = site.private().store().private(id).await?.ok_or(Failure::NotFound)?;
    let lang = visitor.lang;
    let terminal = row.code.map(|code| format!("fairdeal join {code}@{}", visitor.here.as_str()));
    let game = AnyGame::from_name(&row.game);
    let Some(module) = game.and_then(module::private) else {
        let body = html! {
            main class="narrow" {
                (heading(&row, lang))
                (meaning(lang))
                h2 { (lang.pick("How to join", "So spielst du mit")) }
                p { (lang.pick(
                    "Install fairdeal and start it with the whole link, including the part after #:",
                    "Installiere fairdeal und starte es mit dem ganzen Link, auch mit dem Teil nach #:",
                )) }
                p { code { "fairdeal join LINK" } }
                @if let Some(terminal) = &terminal {
                    p { (lang.pick("Without a link you can knock:", "Ohne Link kannst du anklopfen:")) " " code { (terminal) } }
                }
                p class="dim" { (parts::missing(lang)) }
            }
        };
        let sheet = Sheet { title: &row.name, class: "plain", styles: &[], scripts: &[], body };
        return Ok(send_private(&site, &visitor, &sheet));
    };
    let body = html! {
        main id="private" class="private" data-table=(id) data-game=(row.game) data-seats=(row.seats) data-here=(visitor.here.as_str())
            data-code=[row.code.map(|code| code.to_string())] data-name=[visitor.chosen_name()] data-station=[site.station().map(|_| "yes")]
            data-lobby=[(!site.is_only_private()).then_some("/")] {
            header class="head" {
                (heading(&row, lang))
                (meaning(lang))
            }
            (parts::scriptless(lang))
            (parts::failed(!site.is_only_private(), lang))
            (parts::enter(lang))
            (parts::knock(terminal.as_deref(), lang))
            (parts::lobby(lang))
            @if let Some(game) = game {
                details class="settings" hidden { summary { (lang.pick("Settings", "Einstellungen")) } (labels(game, lang)) p class="usual" hidden { (lang.pick("As usual.", "Wie üblich.")) } }
            }
            (parts::asleep(lang))
            (parts::own_key(lang))
            (parts::hash(module, lang))
        }
        (parts::seat(game, lang))
    };
    let style = format!("{}.css", row.game);
    let title = format!("{} · fairdeal", row.name);
    let styles = &["cards.css", "table.css", &style, "private.css"];
    Ok(send_private(&site, &visitor, &Sheet { title: &title, class: "plain", styles, scripts: &["private.js"], body }))
}

/// The name of the table, and the game unless that is its name.
fn heading(row: &PrivateRow, lang: Lang) -> Markup {
    let game = title_of(&row.game);
    html! {
        h1 { (row.name) }
        p class="kind" { (lang.pick("Private table", "Privater Tisch")) @if row.name != game { " · " (game) } }
    }
}

fn meaning(lang: Lang) -> Markup {
    html! {
        p { (lang.pick(
            "The players' devices shuffle and deal, and everything they say is sealed. This server keeps it in order and \
             sees no cards.",
            "Hier mischen und geben die Geräte der Spieler, und alles, was sie sagen, ist versiegelt. Dieser Server hält es in \
             der richtigen Reihenfolge und sieht keine Karten.",
        )) }
    }
}
