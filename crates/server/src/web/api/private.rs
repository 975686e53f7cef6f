//! New private tables, for programs.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use results::Public;
use serde::Deserialize;
use serde_json::json;
use table::Game as _;

use super::{Body, Trouble, game};
use crate::ids::PrivateId;
use crate::private::Making;
use crate::room::{LONGEST_NAME, check_text};
use crate::web::address::Address;
use crate::web::{Failure, Site};

/// What a program says about a private table that it wants to create.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewPrivate {
    table: PrivateId,
    access: String,
    game: String,
    seats: u8,
    name: String,
    #[serde(default)]
    listed: bool,
    #[serde(default = "yes")]
    knock: bool,
}

const fn yes() -> bool {
    true
}

impl NewPrivate {
    fn checked(self) -> Result<Making, Failure> {
        let game = game(&self.game)?;
        let range = games::with_game!(game, G => G::PLAYERS);
        if !range.contains(&self.seats) {
            return Err(Failure::Bad(format!("seats: expected {} to {}", range.start(), range.end())));
        }
        check_text(&self.name, LONGEST_NAME).map_err(|why| Failure::Bad(format!("name: {why}")))?;
        let digits =
            self.access.len() == 64 && self.access.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let access: Option<Public> = self.access.parse().ok().filter(|_| digits);
        Ok(Making {
            table: self.table,
            access: access
                .ok_or_else(|| Failure::Bad("access: expected a public key in 64 hexadecimal digits".to_owned()))?,
            game: game.name().to_owned(),
            seats: self.seats,
            name: self.name.trim().to_owned(),
            listed: self.listed,
            knock: self.knock,
        })
    }
}

/// Creates a private table. Nobody needs to be a player for that: who may write there, its ticket says.
pub(super) async fn make(
    State(site): State<Site>,
    from: Address,
    Body(new): Body<NewPrivate>,
) -> Result<Response, Trouble> {
    let making = new.checked()?;
    site.may_open(from)?;
    let id = making.table;
    let made = site.private().make(making).await?;
    let path = format!("/private/{id}");
    let body = json!({ "hub": made.hub.hex(), "code": made.code, "path": path });
    Ok((StatusCode::CREATED, Json(body)).into_response())
}

/// Reads a text as the body of such a request.
#[cfg(any(test, feature = "laws"))]
pub(super) fn decode(text: &str) {
    let _ = super::read::<NewPrivate>(text).and_then(NewPrivate::checked);
}
