//! The page of a table.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use maud::{Markup, html};

use super::identity::Visitor;
use super::layout::{Sheet, send};
use super::new::told;
use super::{Failure, Site, stopped};
use crate::hub::HubError;
use crate::ids::{PlayerId, TableId};
use crate::lang::Lang;
use crate::page::{self, table::Looker};
use crate::room::{Refusal, Room, reveal_seed};
use dealers::house::Publish;
use table::Eye;

/// How a visitor looks at a table.
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
    let eye = looker.seat.map_or(Eye::Public, Eye::Seat);
    let shown = room.play().map(|play| play.show(eye, lang, None));
    let title = games::with_game!(room.game(), G => <G as table::Game>::TITLE);
    let rules = games::with_game!(room.game(), G => <G as page::Page>::rules(lang));
    let body = html! {
        main id="table" data-socket={ "/tables/" (id) "/socket?lang=" (lang.code()) } data-table=(id) data-player=(visitor.player) {
            (page::table::felt(&room, shown.as_ref(), &looker))
            div class="near" {
                div class="clock" id="clock" hidden { div class="track" { div {} } span role="timer" aria-live="off" aria-label=(lang.pick("Time left", "Restzeit")) {} }
                (page::table::desk(&room, shown.as_ref(), &looker))
            }
        }
        aside id="side" {
            // Whoever does not see the table hears what others do.
            details open { summary { (lang.pick("Log", "Protokoll")) } div role="log" aria-label=(lang.pick("What happens", "Was geschieht")) { (page::beside::log(&room, lang)) } }
            details open { summary { (lang.pick("Chat", "Chat")) }
                div role="log" aria-label=(lang.pick("What is said", "Was gesagt wird")) { (page::beside::talk(&room, &looker)) }
                p id="muted" hidden {}
                (page::beside::hush(&room, &looker))
                form id="say" { input name="text" maxlength="400" autocomplete="off" aria-label=(lang.pick("Say something", "Etwas sagen")) placeholder=(lang.pick("Say something", "Etwas sagen")); button { (lang.pick("Send", "Senden")) } }
            }
            details open[room.stage().is_none()] { summary { (lang.pick("This table", "Dieser Tisch")) } (told(&room, lang)) }
            details { summary { (lang.pick("Rules", "Regeln")) } div class="rules" { (page::beside::rules(rules)) } }
            details { summary { (lang.pick("Fairness", "Fairness")) } div id="fairness" { (fairness(&room, &looker.address, lang)) } }
            (page::beside::leave(&room, &looker))
        }
        div id="toasts" role="status" aria-live="polite" {}
        dialog id="dialog" {}
    };
    let style = format!("{}.css", room.game().name());
    let sheet =
        Sheet { title, class: "table", styles: &["cards.css", "table.css", &style], scripts: &["table.js"], body };
    Ok(send(&visitor, &sheet))
}

/// What this table proves, and what it does not.
fn fairness(room: &Room, address: &str, lang: Lang) -> Markup {
    let publish = reveal_seed(&room.terms().reveal).unwrap_or_default();
    let publish = games::with_game!(room.game(), G => publish.in_game::<G>());
    html! {
        p { (lang.pick(
            "Every browser adds a seed of its own to each shuffle, and everybody is committed before anybody reveals. So neither the house nor any player can choose the order of the cards. Each card is fixed before the first is dealt: none can change later.",
            "Jeder Browser steuert zu jedem Mischen einen eigenen Startwert bei, und alle legen sich fest, bevor jemand aufdeckt. Also kann weder das Haus noch ein Spieler die Reihenfolge der Karten wählen. Jede Karte steht fest, bevor die erste gegeben wird: keine kann sich später ändern."))
        }
        p { @match publish {
            Publish::Never => (lang.pick(
                "In this game hands may stay closed for ever, so the house keeps its own seed. Open cards and your own can be checked; the whole shuffle cannot.",
                "In diesem Spiel bleiben manche Karten für immer verdeckt, deshalb behält das Haus seinen Startwert. Offene und deine eigenen Karten lassen sich prüfen, die ganze Mischung nicht.")),
            Publish::AfterDeal => (lang.pick(
                "After every deal the house publishes its own seed, and everybody can repeat the whole shuffle.",
                "Nach jedem Spiel veröffentlicht das Haus seinen Startwert, und jeder kann das ganze Mischen wiederholen.")),
            Publish::AfterMatch => (lang.pick(
                "When the match is over the house publishes its seeds, and everybody can repeat all shuffles.",
                "Nach der Partie veröffentlicht das Haus seine Startwerte, und jeder kann alles Mischen wiederholen.")),
        } }
        p { (lang.pick(
            "What it does not prove: the house sees the cards. Whoever runs this server could tell somebody. That can only be ruled out where players deal among themselves, which a server cannot do for them.",
            "Was es nicht beweist: Das Haus sieht die Karten. Wer diesen Server betreibt, könnte sie jemandem verraten. Auszuschließen ist das nur, wo die Spieler die Karten selbst unter sich geben; ein Server kann ihnen das nicht abnehmen."))
        }
        (page::beside::proofs(room, lang))
        p { button type="button" data-verify="" { (lang.pick("Verify", "Nachprüfen")) } " "
            a href={ (address) "/record" } download { (lang.pick("Download the record", "Aufzeichnung herunterladen")) } }
    }
}

/// What proves the visitor's own cards, for his browser to check.
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
