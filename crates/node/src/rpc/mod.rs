//! Questions of players and wallets: JSON-RPC over HTTP and WebSocket.
//!
//! Nobody has to trust the answers: headers come with certificates, and entries of the state with proofs. Everything
//! that is not JSON by nature is borsh in hex.
//!
//! | path | |
//! |---|---|
//! | `POST /` | one request |
//! | `GET /ws` | requests, and news after `subscribe` |
//! | `GET /gossip` | transactions from other nodes |
//! | `GET /metrics` | figures for Prometheus |

mod limits;
mod methods;
mod metrics;

use core::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{ConnectInfo, DefaultBodyLimit, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use chain::tx::MOST_BYTES;
use futures_util::StreamExt;
use serde_json::json;
use tokio::net::TcpListener;

use crate::core::Shared;
use crate::faucet::Faucet;
use crate::gossip;
use limits::Limits;
use methods::{Request, news};

/// The longest request: a transaction in hex, and what is around it.
const LONGEST: usize = 2 * MOST_BYTES + 4_096;

/// What every request can use.
#[derive(Clone)]
struct Site {
    shared: Shared,
    faucet: Option<Arc<Faucet>>,
    limits: Arc<Limits>,
    name: Arc<str>,
}

impl Site {
    fn answer(&self, request: &Request) -> serde_json::Value {
        request.answer(&self.shared, self.faucet.as_deref())
    }
}

/// Answers until the node stops. With a faucet, newcomers get coins.
pub async fn serve(listener: TcpListener, shared: Shared, faucet: Option<Faucet>, name: String) {
    let site = Site { shared, faucet: faucet.map(Arc::new), limits: Arc::default(), name: name.into() };
    let app = Router::new()
        .route("/", post(one))
        .route("/ws", get(line))
        .route("/gossip", get(other_node))
        .route("/metrics", get(figures))
        .layer(DefaultBodyLimit::max(LONGEST))
        .with_state(site);
    let served = axum::serve(listener, app.into_make_service_with_connect_info::<SocketAddr>()).await;
    if let Err(why) = served {
        tracing::error!(%why, "nobody is answered any more");
    }
}

/// One request.
async fn one(State(site): State<Site>, ConnectInfo(from): ConnectInfo<SocketAddr>, body: Bytes) -> Response {
    if !site.limits.allow(from.ip()) {
        return (StatusCode::TOO_MANY_REQUESTS, "too many requests: wait a second\n").into_response();
    }
    let text = core::str::from_utf8(&body).unwrap_or_default();
    let answer = || Request::read(text).map_or_else(|reply| reply, |request| site.answer(&request));
    let reply = tokio::task::block_in_place(answer);
    ([(header::CONTENT_TYPE, "application/json")], reply.to_string()).into_response()
}

async fn line(
    State(site): State<Site>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Some(seat) = site.limits.seat(from.ip()) else {
        return (StatusCode::TOO_MANY_REQUESTS, "too many lines from this address\n").into_response();
    };
    upgrade.max_message_size(LONGEST).on_upgrade(async move |socket| {
        follow(&site, from, socket).await;
        drop(seat);
    })
}

/// Requests, and news for those who asked for them.
async fn follow(site: &Site, from: SocketAddr, mut socket: WebSocket) {
    let mut seen = site.shared.seen.clone();
    let mut cursor: Option<u64> = None;
    loop {
        tokio::select! {
            frame = socket.next() => {
                let text = match frame {
                    Some(Ok(Message::Text(text))) => text,
                    Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Binary(_))) => continue,
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                };
                while !site.limits.allow(from.ip()) {
                    tokio::time::sleep(core::time::Duration::from_millis(50)).await;
                }
                let next = site.shared.seen.borrow().cursor;
                let reply = match Request::read(&text) {
                    Err(reply) => reply,
                    Ok(request) => match request.subscribes(next) {
                        None => tokio::task::block_in_place(|| site.answer(&request)),
                        Some(from) => {
                            cursor = Some(from);
                            seen.mark_changed();
                            request.reply(json!({ "cursor": from }))
                        }
                    },
                };
                if socket.send(Message::text(reply.to_string())).await.is_err() {
                    return;
                }
            }
            changed = seen.changed(), if cursor.is_some() => {
                let Some(from) = cursor.filter(|_| changed.is_ok()) else { return };
                let (told, next) = tokio::task::block_in_place(|| news(&site.shared, from));
                cursor = Some(next);
                if next > from && next < site.shared.seen.borrow().cursor {
                    seen.mark_changed();
                }
                if socket.send(Message::text(told.to_string())).await.is_err() {
                    return;
                }
            }
        }
    }
}

async fn other_node(
    State(site): State<Site>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Some(seat) = site.limits.seat(from.ip()) else {
        return (StatusCode::TOO_MANY_REQUESTS, "too many lines from this address\n").into_response();
    };
    upgrade.max_message_size(MOST_BYTES).on_upgrade(async move |socket| {
        gossip::hear(site.shared, socket).await;
        drop(seat);
    })
}

async fn figures(State(site): State<Site>, ConnectInfo(from): ConnectInfo<SocketAddr>) -> Response {
    if !site.limits.allow(from.ip()) {
        return (StatusCode::TOO_MANY_REQUESTS, "too many requests: wait a second\n").into_response();
    }
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], metrics::text(&site.shared, &site.name)).into_response()
}
