//! A station in a browser and for programs: leaderboards, and a place to send results to.
//!
//! - `page`: the boards, for people.
//! - `api`: the same for programs; results from anybody; `intake`: how many.

mod api;
mod intake;
mod page;

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use games::AnyGame;
use results::{Leaderboard, game_name, game_named};

use super::apart::Apart;
use super::{Failure, Site};
use crate::hub::HubError;
use crate::station::Station;
use intake::Intake;

pub(super) use page::link;

/// The longest file of a result: twelve players need a tenth of it.
const LONGEST: usize = 32 << 10;
/// How many requests may wait for the station.
const MOST_WAITING: usize = 64;

/// The station of a site.
pub(crate) struct Counter {
    station: Arc<dyn Station>,
    apart: Apart,
    intake: Intake,
}

impl Counter {
    pub(super) fn new(station: Arc<dyn Station>) -> Self {
        Self { station, apart: Apart::new(MOST_WAITING), intake: Intake::new(Instant::now()) }
    }

    async fn board(&self, game: AnyGame) -> Result<Arc<Leaderboard>, Failure> {
        let station = self.station.clone();
        let board = self.apart.run(move || station.board(game)).await?;
        board.map_err(|why| Failure::Hub(HubError::Unavailable(why)))
    }
}

/// The pages and requests of a station. Without one, there is nothing at these addresses.
pub(super) fn routes() -> Router<Site> {
    Router::new()
        .route("/station", get(page::all))
        .route("/station/{game}", get(page::one))
        .route("/api/v1/results", post(api::take))
        .route("/api/v1/leaderboards/{game}", get(api::board))
        .layer(DefaultBodyLimit::max(LONGEST))
}

fn counter(site: &Site) -> Result<&Counter, Failure> {
    site.station().ok_or(Failure::NotFound)
}

/// A game as addresses name it: by the name in files, or the program's own.
fn game(name: &str) -> Result<AnyGame, Failure> {
    game_named(name).or_else(|| AnyGame::from_name(name)).ok_or(Failure::NotFound)
}

/// Where a game's board is.
fn path(game: AnyGame) -> String {
    format!("/station/{}", game_name(game))
}
