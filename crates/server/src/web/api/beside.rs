//! Requests of programs other than commands: a hint, the record, another match, and quick play.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Asker, Body, Id, Trouble, game};
use crate::room::Event;
use crate::web::address::Address;
use crate::web::lobby::{Wanted, seat_quickly};
use crate::web::{Site, record};

/// What a strong player would do.
pub(super) async fn hint(State(site): State<Site>, Id(id): Id, asker: Asker) -> Result<Json<Value>, Trouble> {
    let visitor = asker.message(&site)?;
    let hint = site.hint(&site.hub().table(id), &visitor).await?;
    let command = match hint.event {
        Some(Event::Acted { height, action, .. }) => json!({ "act": { "height": height, "action": action } }),
        Some(Event::Chose { height, choice, .. }) => json!({ "choose": { "height": height, "choice": choice } }),
        _ => Value::Null,
    };
    Ok(Json(json!({ "what": hint.what, "why": hint.why, "command": command })))
}

/// The same people want another match.
pub(super) async fn again(
    State(site): State<Site>,
    Id(id): Id,
    from: Address,
    asker: Asker,
) -> Result<Json<Value>, Trouble> {
    let visitor = asker.player()?;
    site.may_open(from)?;
    Ok(Json(json!({ "table": site.hub().again(id, visitor.player).await? })))
}

/// The record of a match, with what the player may know.
pub(super) async fn record(state: State<Site>, Id(id): Id, Asker(visitor): Asker) -> Result<Response, Trouble> {
    Ok(record::download(state, Path(id.to_string()), visitor).await?)
}

/// A game that a player wants to play at once.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Quick {
    game: String,
    #[serde(default)]
    seeds: bool,
    #[serde(default)]
    alone: bool,
}

/// A seat at a table that waits for players, or in a new match with computers.
pub(super) async fn quick(
    State(site): State<Site>,
    from: Address,
    asker: Asker,
    Body(wanted): Body<Quick>,
) -> Result<Json<Value>, Trouble> {
    let visitor = asker.player()?;
    let wanted = Wanted { game: game(&wanted.game)?, seeds: wanted.seeds, alone: wanted.alone };
    let table = seat_quickly(&site, from, &visitor, wanted).await?;
    Ok(Json(json!({ "table": table })))
}
