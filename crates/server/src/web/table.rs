//! The page of a table.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use maud::html;

use super::identity::Visitor;
use super::layout::{Sheet, send};
use super::new::told;
use super::{Failure, Site, fairness, stopped};
use crate::hub::HubError;
use crate::ids::{PlayerId, TableId};
use crate::room::{Refusal, Room};
use crate::sight::{self, Looker};
use page::{beside, desk, felt};

/// How a visitor views a table.
pub(super) async fn looker(site: &Site, visitor: &Visitor, id: TableId, room: &Room) -> Result<Looker, Failure> {
    let code = match room.stage() {
        None => site.hub().store().table(id).await?.map(|row| row.code),
        Some(_) => None,
    };
    let seat = room.seat_of(visitor.player);
    let live = site.hub().table(id);
    let missing = |player: PlayerId| player != visitor.player && !live.is_watched_by(player);
    // Other servers may have people, too.
    let known = !site.hub().store().is_shared();
    let absent = room.chairs().filter(|(_, chair)| known && chair.player().is_some_and(missing));
    Ok(Looker {
        lang: visitor.lang,
        player: visitor.player,
        moderates: room.moderates(visitor.player),
        seat,
        absent: absent.map(|(seat, _)| seat).collect(),
        owns: room.owns(visitor.player),
        code,
        link: visitor.here.table(id),
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
    let room = match site.hub().read_in_words(&live).await {
        Err(HubError::Refused(Refusal::OtherRules)) => return stopped::page(&site, &visitor, id).await,
        room => room?,
    };
    let looker = looker(&site, &visitor, id, &room).await?;
    // The socket follows in a moment.
    live.see(visitor.player);
    let lang = visitor.lang;
    let (frame, shown) = (sight::frame(&room, &looker), sight::show(&room, looker.eye(), lang, None));
    let title = games::with_game!(room.game(), G => <G as table::Game>::TITLE);
    let rules = games::with_game!(room.game(), G => <G as page::Page>::rules(lang));
    let body = html! {
        main id="table" data-socket={ "/tables/" (id) "/socket?lang=" (lang.code()) } data-table=(id) data-player=(visitor.player) {
            p id="alarm" class="alarm" role="alert" hidden {}
            (felt(&frame, shown.as_ref()))
            div class="near" {
                div class="clock" id="clock" hidden { div class="track" { div {} } span role="timer" aria-live="off" aria-label=(lang.pick("Time left", "Restzeit")) {} }
                (desk(&frame, shown.as_ref()))
            }
        }
        aside id="side" {
            // Players who cannot see the table hear what others do.
            details open { summary { (lang.pick("Log", "Protokoll")) } div role="log" aria-label=(lang.pick("Moves", "Spielzüge")) { (beside::log(room.told(), lang)) } }
            details open { summary { (lang.pick("Chat", "Chat")) }
                div role="log" aria-label=(lang.pick("Messages", "Nachrichten")) { (beside::talk(sight::remarks(&room), lang)) }
                p id="muted" hidden {}
                (beside::hush(sight::order(&room, &looker).as_ref(), lang))
                form id="say" { input name="text" maxlength="400" autocomplete="off" aria-label=(lang.pick("Say something", "Etwas sagen")) placeholder=(lang.pick("Say something", "Etwas sagen")); button { (lang.pick("Send", "Senden")) } }
            }
            details open[room.stage().is_none()] { summary { (lang.pick("This table", "Dieser Tisch")) } (told(&room, lang)) }
            details { summary { (lang.pick("Rules", "Regeln")) } div class="rules" { (beside::rules(rules)) } }
            details { summary { (lang.pick("Fairness", "Fairness")) } div id="fairness" { (fairness::panel(&room, &looker.address, lang)) } }
            (beside::leave(&frame))
        }
        div id="toasts" role="status" aria-live="polite" {}
        dialog id="dialog" {}
    };
    let style = format!("{}.css", room.game().name());
    let sheet =
        Sheet { title, class: "table", styles: &["cards.css", "table.css", &style], scripts: &["table.js"], body };
    Ok(send(&visitor, &sheet))
}

/// The proofs of the visitor's own cards, for their browser to check.
pub(super) async fn openings(
    State(site): State<Site>,
    Path(id): Path<String>,
    visitor: Option<Visitor>,
) -> Result<Json<serde_json::Value>, Failure> {
    let id: TableId = id.parse().map_err(|_| Failure::NotFound)?;
    let live = site.hub().table(id);
    let room = site.hub().read_in_words(&live).await?;
    let seat = visitor.and_then(|visitor| room.seat_of(visitor.player));
    Ok(Json(match (seat, room.play()) {
        (Some(seat), Some(play)) => serde_json::json!({
            "seat": seat, "session": room.terms().session, "openings": play.own_openings(seat),
        }),
        _ => serde_json::json!({}),
    }))
}
