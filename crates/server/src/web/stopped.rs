//! A table that was made under other rules than this program's: nobody can go on there, and nothing is played again.
//! What was stored of it when its match ended is there.

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
                    "This match was played by other rules than those of today, before this server was renewed. So it cannot be shown step by step. How it ended is here, and the record has every move.",
                    "Diese Partie wurde nach anderen Regeln gespielt als den heutigen, bevor dieser Server erneuert wurde. Deshalb lässt sie sich nicht Schritt für Schritt zeigen. Wie sie ausging, steht hier, und in der Aufzeichnung steht jeder Zug.",
                )) }
            } @else {
                p { (lang.pick(
                    "This table was made under other rules than those of today, before this server was renewed. Nobody can go on here, and nobody has to leave: it is no longer among your tables.",
                    "Dieser Tisch wurde unter anderen Regeln aufgemacht als den heutigen, bevor dieser Server erneuert wurde. Hier geht es nicht weiter, und niemand muss ihn verlassen: Er zählt nicht mehr zu deinen Tischen.",
                )) }
            }
            @if let Some(result) = results.first() { p class="dim" { (time(result.over_at)) } }
            ol class="people" {
                @for result in &results { li { span class="name" { (result.place) ". " (result.name) } span class="dim" { " " (result.total) } } }
            }
            p class="actions" {
                @if over { a class="button" href={ "/tables/" (id) "/record" } download { (lang.pick("Download the record", "Aufzeichnung herunterladen")) } }
                a class="button" href="/" { (lang.pick("To the lobby", "Zur Lobby")) }
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
