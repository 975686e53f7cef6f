//! A station for programs.

use std::time::Instant;

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use results::{Leaderboard, game_name};
use serde_json::{Value, json};

use super::{LONGEST, counter, game};
use crate::station::{Brought, NotTaken, Taken, Wanted};
use crate::web::address::Address;
use crate::web::api::Trouble;
use crate::web::limits::network;
use crate::web::{Failure, Site};

/// Takes a file of a result from anybody: its signatures say who it is from.
pub(super) async fn take(
    State(site): State<Site>,
    from: Address,
    file: Result<Bytes, BytesRejection>,
) -> Result<Response, Trouble> {
    let counter = counter(&site)?;
    let from = network(from.0);
    // Whoever has brought too much may still send what is known, and signatures that are missing.
    let wanted = if counter.intake.may_bring(from, Instant::now()) { Wanted::Everything } else { Wanted::Known };
    let file = file.map_err(|why| match why.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Failure::TooLong(LONGEST),
        _ => Failure::Bad(why.body_text()),
    })?;
    let station = counter.station.clone();
    let taken = counter.apart.run(move || station.take(&file, wanted)).await?;
    Ok(match taken {
        Ok(Taken { brought, complete }) => {
            if matches!(brought, Brought::Match | Brought::Contradiction) {
                counter.intake.has_brought(from);
            }
            let status = if brought == Brought::Match { StatusCode::CREATED } else { StatusCode::OK };
            (status, Json(json!({ "kept": brought.code(), "complete": complete }))).into_response()
        }
        Err(NotTaken::TooMany) => return Err(site.limited("new results").into()),
        Err(why) => {
            if let NotTaken::Unavailable(why) = &why {
                tracing::error!(%why, "a result could not be kept");
            }
            let status = match why {
                NotTaken::Unreadable(_) => StatusCode::BAD_REQUEST,
                NotTaken::Stranger => StatusCode::FORBIDDEN,
                NotTaken::Full | NotTaken::TooMany => StatusCode::TOO_MANY_REQUESTS,
                NotTaken::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
                NotTaken::Forged | NotTaken::Unsigned | NotTaken::Implausible(_) => StatusCode::UNPROCESSABLE_ENTITY,
            };
            (status, Json(json!({ "error": why.code(), "message": why.to_string() }))).into_response()
        }
    })
}

/// A board, with the file that the station has signed.
pub(super) async fn board(State(site): State<Site>, Path(name): Path<String>) -> Result<Json<Value>, Trouble> {
    let board = counter(&site)?.board(game(&name)?).await?;
    Ok(Json(described(&board)))
}

fn described(board: &Leaderboard) -> Value {
    let rows: Vec<Value> = (1..)
        .zip(board.rows())
        .map(|(rank, row)| {
            json!({ "rank": rank, "callsign": row.callsign.to_string(), "wins": row.wins, "losses": row.losses })
        })
        .collect();
    json!({
        "station": board.station().to_string(), "npub": board.signer().ok().flatten().map(|key| key.npub()),
        "game": game_name(board.game()), "updated": board.updated().iso(), "rows": rows, "file": board.text(),
    })
}
