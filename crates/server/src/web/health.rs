//! Pages for operators: health and metrics.

use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

use super::address::Address;
use super::{Failure, Site};

/// A database that has not answered by then is not working.
const PATIENCE: Duration = Duration::from_secs(5);

/// Whether the database answers and can be written.
pub(super) async fn health(State(site): State<Site>) -> Response {
    let store = site.hub().store();
    let works = tokio::time::timeout(PATIENCE, store.health()).await.is_ok_and(|read| read.is_ok());
    if works {
        "ok\n".into_response()
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "the database cannot be read or written\n").into_response()
    }
}

/// Counters for Prometheus; only visible from this machine, unless the operator opens them.
pub(super) async fn metrics(State(site): State<Site>, from: Address) -> Result<Response, Failure> {
    if !from.is_here() && !site.shows_metrics() {
        return Err(Failure::NotFound);
    }
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(([(CONTENT_TYPE, kind)], site.hub().metrics().text()).into_response())
}
