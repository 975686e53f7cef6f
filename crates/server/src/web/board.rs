//! The list of tables while somebody looks at it: sent over a socket whenever it has changed.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{Query, State};
use axum::response::Response;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{interval, sleep, timeout};

use super::identity::Visitor;
use super::socket::{LONGEST, Spoken};
use super::talk::{Closed, PATIENCE, PING};
use super::{Failure, Site, lobby};

/// What changes within this time is told at once.
const TOGETHER: Duration = Duration::from_millis(500);

pub(super) async fn open(
    State(site): State<Site>,
    Query(spoken): Query<Spoken>,
    visitor: Option<Visitor>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Failure> {
    let visitor = spoken.to(visitor.ok_or(Failure::NoPlayer)?);
    let place = site.limits().socket().ok_or(Failure::TooMany)?;
    let upgrade = upgrade.max_message_size(LONGEST).max_frame_size(LONGEST).write_buffer_size(0);
    Ok(upgrade.on_upgrade(move |socket| show(site, visitor, place, socket)))
}

/// Shows the list until the socket is closed; then its place is free again.
async fn show(site: Site, visitor: Visitor, place: OwnedSemaphorePermit, mut socket: WebSocket) {
    site.hub().metrics().sockets.inc();
    let _ = keep_showing(&site, &visitor, &mut socket).await;
    site.hub().metrics().sockets.dec();
    drop(place);
}

async fn keep_showing(site: &Site, visitor: &Visitor, socket: &mut WebSocket) -> Result<(), Closed> {
    let mut changed = site.hub().lobby();
    let mut ping = interval(PING);
    ping.reset();
    let mut sent = String::new();
    loop {
        // A list that cannot be read now may be read the next time.
        if let Ok(list) = lobby::tables(site, visitor).await
            && list.0 != sent
        {
            sent = list.0;
            send(socket, Message::Text(Utf8Bytes::from(sent.as_str()))).await?;
        }
        loop {
            tokio::select! {
                news = changed.changed() => {
                    news.map_err(|_| Closed)?;
                    sleep(TOGETHER).await;
                    changed.borrow_and_update();
                    break;
                }
                message = socket.recv() => match message {
                    // Nothing is asked here.
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    Some(Ok(Message::Text(_) | Message::Binary(_) | Message::Close(_)) | Err(_)) | None => return Err(Closed),
                },
                _ = ping.tick() => send(socket, Message::Ping(Bytes::new())).await?,
            }
        }
    }
}

async fn send(socket: &mut WebSocket, message: Message) -> Result<(), Closed> {
    timeout(PATIENCE, socket.send(message)).await.map_err(|_| Closed)??;
    Ok(())
}
