//! A socket at a table, whoever is at its other end: a browser or a program.
//!
//! A slow reader is not fed faster than it reads. What it is told next is always the table as it is then, so
//! nothing piles up; and one that does not read at all is given up after a while.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use futures_util::SinkExt as _;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Interval, interval, timeout};

use super::Site;
use crate::hub::Watching;

/// Who does not take a message for so long is not there any more.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);
/// How often it is asked whether somebody is still there.
pub(super) const PING: Duration = Duration::from_secs(25);

/// The socket is closed, or should be.
pub(super) struct Closed;

impl From<axum::Error> for Closed {
    fn from(_: axum::Error) -> Self {
        Self
    }
}

/// A socket, and the table that is talked about.
pub(super) struct Line {
    socket: WebSocket,
    pub(super) watching: Watching,
}

impl Line {
    pub(super) fn new(socket: WebSocket, watching: Watching) -> Self {
        Self { socket, watching }
    }

    /// Sends messages, all of them at once.
    pub(super) async fn send(&mut self, messages: impl IntoIterator<Item = Message>) -> Result<(), Closed> {
        let sending = async {
            for message in messages {
                self.socket.feed(message).await?;
            }
            self.socket.flush().await
        };
        timeout(PATIENCE, sending).await.map_err(|_| Closed)??;
        Ok(())
    }

    async fn next(&mut self, ping: &mut Interval) -> Result<Next, Closed> {
        tokio::select! {
            () = self.watching.changed() => Ok(Next::Changed),
            message = self.socket.recv() => match message {
                Some(Ok(Message::Text(text))) => Ok(Next::Heard(text)),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(Next::Nothing),
                Some(Ok(Message::Binary(_) | Message::Close(_)) | Err(_)) | None => Err(Closed),
            },
            _ = ping.tick() => Ok(Next::Ping),
        }
    }
}

/// What happens next on a line.
enum Next {
    Changed,
    Heard(Utf8Bytes),
    Ping,
    Nothing,
}

/// What is said on a line.
pub(super) trait Talk {
    /// The line.
    fn line(&mut self) -> &mut Line;
    /// Tells what is new.
    async fn tell(&mut self, site: &Site) -> Result<(), Closed>;
    /// The other side said something.
    async fn hear(&mut self, site: &Site, text: &str) -> Result<(), Closed>;
}

/// Talks until the socket is closed; then its place is free again.
pub(super) async fn converse(site: &Site, place: OwnedSemaphorePermit, mut talk: impl Talk) {
    site.hub().metrics().sockets.inc();
    let Err(Closed) = go_on(site, &mut talk).await;
    site.hub().metrics().sockets.dec();
    drop(place);
}

async fn go_on(site: &Site, talk: &mut impl Talk) -> Result<Infallible, Closed> {
    let mut ping = interval(PING);
    ping.reset();
    talk.tell(site).await?;
    loop {
        match talk.line().next(&mut ping).await? {
            Next::Changed => talk.tell(site).await?,
            Next::Heard(text) => talk.hear(site, &text).await?,
            Next::Ping => talk.line().send([Message::Ping(Bytes::new())]).await?,
            Next::Nothing => {}
        }
    }
}
