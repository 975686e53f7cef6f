//! A program's questions about its player: name, tables, past matches.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Asker, Body, NewPlayer, Trouble, face, game, listed};
use crate::ids::PlayerId;
use crate::room::Face;
use crate::store::{Phase, SeatResult};
use crate::web::{Failure, Site, history, me};

/// The most tables that are listed.
const MOST: i64 = 100;

/// The player who asks.
pub(super) async fn show(asker: Asker) -> Result<Json<Value>, Trouble> {
    let visitor = asker.player()?;
    Ok(Json(about(visitor.player, &visitor.face)))
}

/// Changes their name or picture, also at tables where they wait for a match to begin.
pub(super) async fn change(
    State(site): State<Site>,
    asker: Asker,
    Body(new): Body<NewPlayer>,
) -> Result<Json<Value>, Trouble> {
    let mut visitor = asker.player()?;
    visitor.face = face(new, visitor.face.avatar)?;
    me::keep(&site, &visitor).await?;
    me::rename(&site, &visitor).await?;
    Ok(Json(about(visitor.player, &visitor.face)))
}

fn about(player: PlayerId, face: &Face) -> Value {
    json!({ "player": player, "name": face.name, "avatar": face.avatar })
}

/// Their unfinished tables.
pub(super) async fn tables(State(site): State<Site>, asker: Asker) -> Result<Json<Value>, Trouble> {
    let visitor = asker.player()?;
    let rows = site.hub().store().mine(&visitor.player, MOST).await?;
    Ok(Json(listed(&site, rows.into_iter().filter(|row| row.phase != Phase::Over))))
}

/// Their finished matches, summed up per game.
pub(super) async fn statistics(State(site): State<Site>, asker: Asker) -> Result<Json<Value>, Trouble> {
    let visitor = asker.player()?;
    let games = site.hub().store().statistics(&visitor.player).await?.into_iter().map(|game| {
        json!({
            "game": game.game, "matches": game.matches, "won": game.won, "shared": game.shared, "deals": game.deals,
            "total": game.total, "mean_place": game.mean_place,
        })
    });
    Ok(Json(games.collect()))
}

/// Which matches to list.
#[derive(Deserialize)]
pub(super) struct Wanted {
    game: Option<String>,
    before: Option<String>,
}

/// Their finished matches, the latest first.
pub(super) async fn past(
    State(site): State<Site>,
    asker: Asker,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Result<Json<Value>, Trouble> {
    let visitor = asker.player()?;
    let Query(wanted) = wanted.map_err(|why| Failure::Bad(why.body_text()))?;
    let game = wanted.game.as_deref().map(game).transpose()?;
    let unknown = || Failure::Bad("before: expected the value of \"next\" in an earlier response".to_owned());
    let before = wanted.before.as_deref().map(|text| history::place(text).ok_or_else(unknown)).transpose()?;
    let page = history::Past::read(&site, visitor.player, game, before).await?;
    let matches = page.rows.iter().map(|(one, all)| {
        json!({
            "table": one.table, "game": one.result.game, "over_at": one.result.over_at, "deals": one.result.deals,
            "seat": one.result.seat, "seats": all.iter().map(seat).collect::<Vec<_>>(),
        })
    });
    Ok(Json(json!({ "matches": matches.collect::<Vec<_>>(), "next": page.next })))
}

fn seat(result: &SeatResult) -> Value {
    json!({ "name": result.name, "place": result.place, "total": result.total, "computer": result.player.is_none() })
}
