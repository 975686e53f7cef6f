//! A table created under other rules than this program's: it cannot be continued or replayed. The data stored when its
//! match ended is still there.

use axum::http::StatusCode;
use axum::response::Response;
use maud::html;

use super::identity::Visitor;
use super::layout::{Sheet, send};
use super::words::{time, title_of};
use super::{Failure, Site};
use crate::ids::TableId;
use crate::store::Phase;

/// Says so, and shows what there is.
pub(super) async fn page(site: &Site, visitor: &Visitor, id: TableId) -> Result<Response, Failure> {
    let (store, lang) = (site.hub().store(), visitor.lang);
    let row = store.table(id).await?.ok_or(Failure::NotFound)?;
    let mut results = store.results(id).await?;
    results.sort_by_key(|result| result.place);
    let over = row.phase == Phase::Over;
    let body = html! {
        main class="narrow" {
            h1 { (title_of(&row.game)) }
            @if over {
                p { (lang.pick(
                    "This match was played under older rules, before this server was updated, so it cannot be replayed step by step. The result is shown here, and the record has every move.",
                    "Diese Partie wurde vor einem Update dieses Servers nach anderen Regeln gespielt. Deshalb kannst du sie nicht Schritt für Schritt ansehen. Das Ergebnis steht hier, und in der Aufzeichnung steht jeder Zug.",
                )) }
            } @else {
                p { (lang.pick(
                    "This table was created under older rules, before this server was updated. It cannot be continued. You do not have to leave it: it is no longer among your tables.",
                    "Dieser Tisch wurde vor einem Update dieses Servers mit anderen Regeln eröffnet. Hier geht es nicht weiter. Du musst ihn nicht verlassen: Er zählt nicht mehr zu deinen Tischen.",
                )) }
            }
            @if let Some(result) = results.first() { p class="dim" { (time(result.over_at)) } }
            ol class="people" {
                @for result in &results { li { span class="name" { (result.place) ". " (result.name) } span class="dim" { " " (result.total) } } }
            }
            p class="actions" {
                @if over { a class="button" href={ "/tables/" (id) "/record" } download { (lang.pick("Download the record", "Aufzeichnung herunterladen")) } }
                a class="button" href="/" { (lang.pick("Back to the lobby", "Zur Lobby")) }
            }
        }
    };
    let title = format!("{} · fairdeal", title_of(&row.game));
    let sheet = Sheet { title: &title, class: "plain", styles: &["lobby.css"], scripts: &["lobby.js"], body };
    let mut answer = send(visitor, &sheet);
    if !over {
        *answer.status_mut() = StatusCode::CONFLICT;
    }
    Ok(answer)
}
