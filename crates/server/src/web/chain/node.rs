//! The way to a node of the chain, for browsers that cannot reach one: a server often has a node next to it that listens on
//! that computer only, and a page that came encrypted may not talk to one that is not.
//!
//! Texts are passed on as they are, in both directions. Nobody has to trust that: whatever a node says is proven to the
//! wallet, and what a wallet says is signed. The server answers at `/ws`, as a node does, so its own address is that of a
//! node for programs, too.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::response::Response;
use remote::{Net as _, Place, Socket, Sockets, Wire as _};
use tokio::time::{Instant, interval, sleep_until, timeout};

use crate::web::address::Address;
use crate::web::{Failure, Patience, Site};

/// The longest question: a transaction in hex, and what is around it.
const LONGEST: usize = 2 * chain::tx::MOST_BYTES + 4_096;
/// How many questions are passed on in a second. A node answers all visitors of a server as one.
const MOST_A_SECOND: u32 = 100;
/// How long a node may take to let somebody in.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long a node may say nothing. It is asked nothing meanwhile, and tells of every block.
const SILENCE: Duration = Duration::from_secs(120);
/// How many pings may stay unanswered.
const MOST_PINGS: u32 = 2;

/// A socket to a node of the chain.
pub(in crate::web) async fn open(
    State(site): State<Site>,
    from: Address,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Failure> {
    let nodes = site.chain().ok_or(Failure::NotFound)?.nodes().to_vec();
    let place = site.private_socket(from)?;
    let upgrade = upgrade.max_message_size(LONGEST).max_frame_size(LONGEST).read_buffer_size(4 << 10);
    Ok(upgrade.on_upgrade(move |mut near| async move {
        let patience = site.limits().patience();
        site.hub().metrics().sockets.inc();
        let why = match reach(&nodes).await {
            Some(far) => pass(&mut near, far, patience).await,
            None => Some("no node of the chain can be reached"),
        };
        if let Some(why) = why {
            let frame = CloseFrame { code: close_code::AGAIN, reason: Utf8Bytes::from_static(why) };
            let _ = timeout(patience.take, near.send(Message::Close(Some(frame)))).await;
        }
        site.hub().metrics().sockets.dec();
        drop(place);
    }))
}

/// A line to the first node that can be reached.
async fn reach(nodes: &[Place]) -> Option<Socket> {
    for node in nodes {
        if let Ok(far) = Sockets::default().open(node, PATIENCE).await {
            return Some(far);
        }
    }
    None
}

/// Passes texts on until one side ends it; why, if it was not the browser.
async fn pass(near: &mut WebSocket, mut far: Socket, patience: Patience) -> Option<&'static str> {
    const LOST: &str = "the node has closed the connection";
    let sockets = Sockets::default();
    let (mut ping, mut unanswered, mut pace) = (interval(patience.ping), 0, Pace { since: Instant::now(), count: 0 });
    ping.reset();
    loop {
        tokio::select! {
            said = near.recv() => {
                unanswered = 0;
                let text = match said {
                    Some(Ok(Message::Text(text))) => text,
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                    // A node would not read it either.
                    Some(Ok(Message::Binary(_))) => return Some("questions are texts"),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                };
                if let Some(until) = pace.next(Instant::now()) {
                    sleep_until(until).await;
                }
                if far.send(text.as_str().to_owned(), sockets.now().saturating_add(PATIENCE)).await.is_err() {
                    return Some(LOST);
                }
            }
            told = far.hear(sockets.now().saturating_add(SILENCE)) => {
                let Ok(text) = told else { return Some(LOST) };
                if !matches!(timeout(patience.take, near.send(Message::text(text))).await, Ok(Ok(()))) {
                    return None;
                }
            }
            _ = ping.tick() => {
                unanswered += 1;
                let sent = timeout(patience.take, near.send(Message::Ping(Bytes::new()))).await;
                if unanswered > MOST_PINGS || !matches!(sent, Ok(Ok(()))) {
                    return None;
                }
            }
        }
    }
}

/// How many questions came in this second.
struct Pace {
    since: Instant,
    count: u32,
}

impl Pace {
    /// Another question: until when to wait, if there were too many. Whoever asks so much is read more slowly.
    fn next(&mut self, now: Instant) -> Option<Instant> {
        const SECOND: Duration = Duration::from_secs(1);
        if now.saturating_duration_since(self.since) >= SECOND {
            *self = Self { since: now, count: 0 };
        }
        self.count += 1;
        (self.count > MOST_A_SECOND).then(|| self.since + SECOND)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_asks_too_much_is_read_more_slowly() {
        let begin = Instant::now();
        let mut pace = Pace { since: begin, count: 0 };
        assert!((0..MOST_A_SECOND).all(|_| pace.next(begin).is_none()));
        let later = begin + Duration::from_secs(1);
        assert_eq!(pace.next(begin), Some(later));
        assert_eq!(pace.next(later), None);
    }
}
