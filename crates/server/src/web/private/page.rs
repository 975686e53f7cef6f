//! The page behind a ticket's link. The ticket's secret is after `#`, which browsers do not send, so this page can only
//! say what to do with the link.

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::http::header::ACCEPT_LANGUAGE;
use axum::response::{IntoResponse, Response};
use maud::html;

use crate::ids::PrivateId;
use crate::lang::Lang;
use crate::web::layout::plain_in;
use crate::web::words::title_of;
use crate::web::{Failure, Site};

pub(super) async fn page(
    State(site): State<Site>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let id: PrivateId = id.parse().map_err(|_| Failure::NotFound)?;
    let row = site.private().store().private(id).await?.ok_or(Failure::NotFound)?;
    let accepted = headers.get(ACCEPT_LANGUAGE).and_then(|header| header.to_str().ok()).unwrap_or_default();
    let lang = Lang::preferred(accepted);
    let body = html! {
        main class="narrow" {
            h1 { (row.name) }
            p { (lang.pick("A private table", "Ein privater Tisch")) ": " (title_of(&row.game)) }
            p { (lang.pick(
                "The players shuffle and deal themselves, and everything they say is sealed. This server keeps it in order and \
                 sees no cards.",
                "Hier mischen und geben die Spieler selbst, und alles, was sie sagen, ist versiegelt. Dieser Server hält es in \
                 der richtigen Reihenfolge und sieht keine Karten.",
            )) }
            h2 { (lang.pick("How to join", "So spielst du mit")) }
            p { (lang.pick(
                "Install fairdeal and start it with the whole link, including the part after #:",
                "Installiere fairdeal und starte es mit dem ganzen Link, auch mit dem Teil nach #:",
            )) }
            p { code { "fairdeal join LINK" } }
            @if let Some(code) = row.code {
                p { (lang.pick(
                    "Without a link you can knock, and a player lets you in:",
                    "Ohne Link kannst du anklopfen, und ein Spieler lässt dich herein:",
                )) }
                p { code { "fairdeal join " (code) "@HOST" } }
            }
            p class="dim" { (lang.pick(
                "Playing in the browser is still to come.",
                "Im Browser geht das noch nicht.",
            )) }
        }
    };
    Ok(plain_in(lang, &row.name, body).into_response())
}
