//! Questions of players and wallets: JSON-RPC over HTTP and WebSocket.
//!
//! Nobody has to trust the answers: headers come with certificates, and entries of the state with proofs. Everything
//! that is not JSON by nature is borsh in hex.
//!
//! | path | |
//! |---|---|
//! | `POST /` | one request |
//! | `GET /` | a page about the node |
//! | `GET /hands/TABLE/HAND` | what proves a hand, as `fairdeal verify` reads it |
//! | `GET /ws` | requests, and news after `subscribe` |
//! | `GET /gossip` | transactions from other nodes |
//! | `GET /metrics` | figures for Prometheus |

mod limits;
mod lines;
mod listen;
mod methods;
mod metrics;
mod page;
mod snapshots;

use core::net::{IpAddr, SocketAddr};
use core::sync::atomic::Ordering;
use core::time::Duration;
use std::sync::Arc;

use axum::Router;
use axum::body::to_bytes;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{ConnectInfo, RawQuery, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use chain::tx::MOST_BYTES;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::time::timeout;

use crate::core::Shared;
use crate::faucet::Faucet;
use limits::{Kind, Limits};
use methods::Request;

/// The longest request: a transaction in hex, and what is around it.
const LONGEST: usize = 2 * MOST_BYTES + 4_096;
/// The whole request must be here after this long.
const PATIENCE: Duration = Duration::from_secs(5);

/// What every request can use.
#[derive(Clone)]
struct Site {
    shared: Shared,
    faucet: Option<Arc<Faucet>>,
    limits: Arc<Limits>,
    name: Arc<str>,
}

impl Site {
    /// Answers a request, in a thread of its own.
    async fn answer(&self, kind: Kind, from: SocketAddr, request: Request) -> Value {
        let (shared, faucet) = (self.shared.clone(), self.faucet.clone());
        let answered = self.limits.work(kind, move || request.answer(&shared, faucet.as_deref())).await;
        let (reply, nonsense) = answered.unwrap_or_else(methods::failed);
        if nonsense {
            self.limits.nonsense(from.ip());
        }
        reply
    }

    /// The refusal, if this address may not ask now.
    fn refuse(&self, from: SocketAddr) -> Option<Response> {
        if self.limits.allow(from.ip()) {
            return None;
        }
        self.shared.counts.refused_request();
        Some((StatusCode::TOO_MANY_REQUESTS, "too many requests: wait a second\n").into_response())
    }
}

/// Answers until the node stops. With a faucet, newcomers get coins. There is room for these addresses of other nodes,
/// whatever strangers do.
pub async fn serve(listener: TcpListener, shared: Shared, faucet: Option<Faucet>, name: String, known: Vec<IpAddr>) {
    let limits = Arc::new(Limits::new(known));
    let site = Site { shared, faucet: faucet.map(Arc::new), limits, name: name.into() };
    let app = Router::new()
        .route("/", get(page::about).post(one))
        .route("/hands/{table}/{hand}", get(page::hand))
        .route("/ws", get(line))
        .route("/gossip", get(other_node))
        .route("/metrics", get(figures))
        .with_state(site.clone());
    listen::run(listener, app, site).await;
}

/// One request.
async fn one(
    State(site): State<Site>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    request: axum::extract::Request,
) -> Response {
    if let Some(refused) = site.refuse(from) {
        return refused;
    }
    let body = match timeout(PATIENCE, to_bytes(request.into_body(), LONGEST)).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => {
            let why = format!("a request has at most {LONGEST} bytes\n");
            return (StatusCode::PAYLOAD_TOO_LARGE, why).into_response();
        }
        Err(_) => return (StatusCode::REQUEST_TIMEOUT, "the request took too long\n").into_response(),
    };
    let reply = match Request::read(core::str::from_utf8(&body).unwrap_or_default()) {
        Ok(request) => site.answer(Kind::Asking, from, request).await,
        Err(reply) => reply,
    };
    ([(header::CONTENT_TYPE, "application/json")], reply.to_string()).into_response()
}

async fn line(
    State(site): State<Site>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Some(seat) = site.limits.seat(from.ip(), Kind::Line) else { return too_many(&site) };
    upgrade.max_message_size(LONGEST).max_frame_size(LONGEST).on_upgrade(async move |socket| {
        lines::follow(&site, from, socket).await;
        drop(seat);
    })
}

async fn other_node(
    State(site): State<Site>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    RawQuery(query): RawQuery,
    upgrade: WebSocketUpgrade,
) -> Response {
    let both = query.as_deref() == Some("both");
    let Some(seat) = site.limits.seat(from.ip(), Kind::Node) else { return too_many(&site) };
    upgrade.max_message_size(MOST_BYTES).max_frame_size(MOST_BYTES).on_upgrade(async move |socket| {
        lines::hear(&site, from, both, socket).await;
        drop(seat);
    })
}

fn too_many(site: &Site) -> Response {
    site.shared.counts.refused_connection();
    (StatusCode::TOO_MANY_REQUESTS, "too many lines are open: try again later\n").into_response()
}

async fn figures(State(site): State<Site>, ConnectInfo(from): ConnectInfo<SocketAddr>) -> Response {
    if let Some(refused) = site.refuse(from) {
        return refused;
    }
    let open = |kind| u64::try_from(site.limits.open(kind)).unwrap_or(u64::MAX);
    site.shared.counts.connections.store(open(Kind::Asking), Ordering::Relaxed);
    site.shared.counts.lines.store(open(Kind::Line) + open(Kind::Node), Ordering::Relaxed);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], metrics::text(&site.shared, &site.name)).into_response()
}
