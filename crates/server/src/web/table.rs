//! The page of a table.

use axum::extract::{Path, State};
use axum::response::Response;
use maud::html;

use super::identity::Visitor;
use super::layout::{Sheet, send};
use super::{Failure, Site};
use crate::ids::TableId;
use crate::page::{self, table::Looker};
use crate::room::Room;
use table::Eye;

/// How a visitor looks at a table.
pub(super) async fn looker(site: &Site, visitor: &Visitor, id: TableId, room: &Room) -> Result<Looker, Failure> {
    let code = match room.stage() {
        None => site.hub().store().table(id).await?.map(|row| row.code),
        Some(_) => None,
    };
    Ok(Looker {
        lang: visitor.lang,
        seat: room.seat_of(visitor.player),
        owns: room.owns(visitor.player),
        code,
        link: code.map(|code| format!("{}/join/{code}", site.public())).unwrap_or_default(),
        address: format!("/tables/{id}"),
    })
}

pub(super) async fn page(
    State(site): State<Site>,
    Path(id): Path<String>,
    visitor: Visitor,
) -> Result<Response, Failure> {
    let id: TableId = id.parse().map_err(|_| Failure::NotFound)?;
    let live = site.hub().table(id);
    let room = site.hub().read_in_words(&live).await?;
    let looker = looker(&site, &visitor, id, &room).await?;
    let lang = visitor.lang;
    let eye = looker.seat.map_or(Eye::Public, Eye::Seat);
    let shown = room.play().map(|play| play.show(eye, lang, None));
    let title = games::with_game!(room.game(), G => <G as table::Game>::TITLE);
    let rules = games::with_game!(room.game(), G => <G as page::Page>::rules(lang));
    let body = html! {
        main id="table" data-socket={ "/tables/" (id) "/socket?lang=" (lang.code()) } data-table=(id) data-player=(visitor.player) {
            (page::table::felt(&room, shown.as_ref(), &looker))
            (page::table::desk(&room, shown.as_ref(), &looker))
        }
        aside id="side" {
            div class="clock" id="clock" hidden { div {} }
            details open { summary { (lang.pick("Log", "Protokoll")) } (page::table::log(&room, lang)) }
            details open { summary { (lang.pick("Chat", "Chat")) }
                (page::table::talk(&room, lang))
                form id="say" { input name="text" maxlength="400" autocomplete="off" aria-label=(lang.pick("Say something", "Etwas sagen")) placeholder=(lang.pick("Say something", "Etwas sagen")); button { (lang.pick("Send", "Senden")) } }
            }
            details { summary { (lang.pick("Rules", "Regeln")) } div class="rules" { (page::table::rules(rules)) } }
            details { summary { (lang.pick("Fairness", "Fairness")) } div id="fairness" {} }
            @if looker.seat.is_some() { details { summary { (lang.pick("Leave", "Verlassen")) }
                p { (lang.pick("Whoever leaves a running match cannot come back to it.", "Wer eine laufende Partie verlässt, kann nicht zurück.")) }
                button type="button" class="grave" data-command=(serde_json::json!({"stand": {}})) { (lang.pick("Leave the table", "Tisch verlassen")) } } }
        }
        div id="toasts" role="status" aria-live="polite" {}
        dialog id="dialog" {}
    };
    let style = format!("{}.css", room.game().name());
    let sheet = Sheet { title, class: "table", styles: &["cards.css", "table.css", &style], scripts: &["table.js"], body };
    Ok(send(&site, &visitor, &sheet))
}
