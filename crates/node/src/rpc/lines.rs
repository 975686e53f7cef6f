//! Lines: WebSockets of players, and of other nodes.
//!
//! A line is asked every now and then whether somebody is still there. One that is silent is closed, and so is one that
//! does not take what it has asked for: what happened since is read from the disk when it can be sent, so nothing piles up.

use core::net::SocketAddr;
use core::time::Duration;
use std::sync::Arc;
use std::vec::IntoIter;

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use chain::Signed;
use chain::tx::MOST_BYTES;
use serde_json::{Value, json};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, interval, sleep, sleep_until, timeout};

use super::Site;
use super::limits::Kind;
use super::methods::{Request, news};
use crate::pool::NotLetIn;

/// How often the other side is asked whether it is still there.
const PING: Duration = Duration::from_secs(15);
/// A line that says nothing for this long is closed.
const SILENCE: Duration = Duration::from_secs(45);
/// A message must be taken after this long.
const SLOW: Duration = Duration::from_secs(10);
/// A line of another node that brought so much nonsense is closed.
const MOST_NONSENSE: u32 = 100;
/// The most bytes and transactions that a line may bring in a second.
const MOST_PER_SECOND: (usize, u32) = (8 << 20, 2_000);

/// Requests, and news for those who asked for them.
pub(super) async fn follow(site: &Site, from: SocketAddr, mut socket: WebSocket) {
    let mut seen = site.shared.seen.clone();
    let mut cursor: Option<u64> = None;
    let (mut ping, mut heard) = (interval(PING), Instant::now());
    loop {
        tokio::select! {
            frame = socket.recv() => {
                heard = Instant::now();
                let text = match frame {
                    Some(Ok(Message::Text(text))) => text,
                    Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Binary(_))) => continue,
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                };
                while !site.limits.allow(from.ip()) {
                    sleep(Duration::from_millis(50)).await;
                }
                let next = site.shared.seen.borrow().cursor;
                let reply = match Request::read(&text) {
                    Err(reply) => reply,
                    Ok(request) => match request.subscribes(next) {
                        None => site.answer(Kind::Line, from, request).await,
                        Some(from) => {
                            cursor = Some(from);
                            seen.mark_changed();
                            request.reply(json!({ "cursor": from }))
                        }
                    },
                };
                if !send(site, &mut socket, &reply).await {
                    return;
                }
            }
            changed = seen.changed(), if cursor.is_some() => {
                let Some(start) = cursor.filter(|_| changed.is_ok()) else { return };
                let shared = site.shared.clone();
                let Some((told, next)) = site.limits.work(Kind::Line, move || news(&shared, start)).await else { return };
                cursor = Some(next);
                if next > start && next < site.shared.seen.borrow().cursor {
                    // There is more to read from the disk, and each piece of it counts like a request.
                    while !site.limits.allow(from.ip()) {
                        sleep(Duration::from_millis(50)).await;
                    }
                    seen.mark_changed();
                }
                if !send(site, &mut socket, &told).await {
                    return;
                }
            }
            _ = ping.tick() => {
                if heard.elapsed() > SILENCE {
                    return close(site, socket, "nothing was heard for too long").await;
                }
                if !matches!(timeout(SLOW, socket.send(Message::Ping(Default::default()))).await, Ok(Ok(()))) {
                    return;
                }
            }
        }
    }
}

/// Sends a message; whether it was taken in time.
async fn send(site: &Site, socket: &mut WebSocket, message: &Value) -> bool {
    match timeout(SLOW, socket.send(Message::text(message.to_string()))).await {
        Ok(sent) => sent.is_ok(),
        Err(_) => {
            // It will hardly be read either, but that costs nothing.
            let frame = CloseFrame { code: close_code::POLICY, reason: "what was sent was not read".into() };
            let _ = timeout(Duration::from_millis(100), socket.send(Message::Close(Some(frame)))).await;
            site.shared.counts.closed_line();
            false
        }
    }
}

/// Closes a line with a word.
async fn close(site: &Site, mut socket: WebSocket, why: &'static str) {
    site.shared.counts.closed_line();
    let frame = CloseFrame { code: close_code::POLICY, reason: why.into() };
    let _ = timeout(Duration::from_secs(1), socket.send(Message::Close(Some(frame)))).await;
}

/// Hears what another node sends, until it stops or talks nonsense. With `both`, it is sent what this one lets in.
pub(super) async fn hear(site: &Site, from: SocketAddr, both: bool, mut socket: WebSocket) {
    let mut news = site.shared.news.subscribe();
    // Whatever waits here may be news there.
    let mut waiting = if both { site.shared.everything_waiting() } else { Vec::new() }.into_iter();
    let mut heard = Instant::now();
    let (mut nonsense, mut second, mut bytes, mut count) = (0, Instant::now(), 0, 0);
    loop {
        let frame = tokio::select! {
            frame = socket.recv() => {
                heard = Instant::now();
                match frame {
                    Some(Ok(Message::Binary(frame))) => frame,
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                    Some(Ok(_)) => continue,
                }
            }
            told = next(&mut waiting, &mut news), if both => {
                let Some(signed) = told else {
                    // The line was too slow. What it missed and what still waits is said again.
                    waiting = site.shared.everything_waiting().into_iter();
                    continue;
                };
                let bytes = borsh::to_vec(&*signed).expect("plain data can be written to memory");
                if !matches!(timeout(SLOW, socket.send(Message::Binary(bytes.into()))).await, Ok(Ok(()))) {
                    return site.shared.counts.closed_line();
                }
                continue;
            }
            () = sleep_until(heard + SILENCE) => {
                return close(site, socket, "nothing was heard for too long").await;
            }
        };
        if second.elapsed() >= Duration::from_secs(1) {
            (second, bytes, count) = (Instant::now(), 0, 0);
        }
        (bytes, count) = (bytes + frame.len(), count + 1);
        if bytes > MOST_PER_SECOND.0 || count > MOST_PER_SECOND.1 {
            sleep_until(second + Duration::from_secs(1)).await;
        }
        let signed = (frame.len() <= MOST_BYTES).then(|| borsh::from_slice::<Signed>(&frame).ok()).flatten();
        let good = match signed {
            Some(signed) => {
                let shared = site.shared.clone();
                let submitted = site.limits.work(Kind::Node, move || shared.submit(signed)).await;
                // Somebody else may have been faster, or the chain has moved on: nobody's fault.
                !matches!(submitted, Some(Err(why)) if is_nonsense(why))
            }
            None => false,
        };
        if !good {
            nonsense += 1;
            site.limits.nonsense(from.ip());
        }
        if nonsense > MOST_NONSENSE {
            tracing::warn!(%from, "another node talks nonsense, and its line is closed");
            return close(site, socket, "too many transactions were nonsense").await;
        }
    }
}

/// What another node is told next: what waits, then what comes. `None` if something was missed.
async fn next(waiting: &mut IntoIter<Signed>, news: &mut Receiver<Arc<Signed>>) -> Option<Arc<Signed>> {
    if let Some(signed) = waiting.next() {
        return Some(Arc::new(signed));
    }
    match news.recv().await {
        Ok(signed) => Some(signed),
        Err(RecvError::Lagged(_)) => None,
        // The node stops, and closes its lines.
        Err(RecvError::Closed) => core::future::pending().await,
    }
}

/// Whether a transaction could never have been let in anywhere.
pub(super) const fn is_nonsense(why: NotLetIn) -> bool {
    matches!(why, NotLetIn::Chain | NotLetIn::Bytes | NotLetIn::Signature | NotLetIn::NotFree)
}
