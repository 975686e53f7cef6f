//! A socket at a table, whoever is at its other end: a browser or a program.
//!
//! A slow reader is not fed faster than it reads. What it is told next is always the table as it is then, so
//! nothing piles up; and one that does not read at all, or does not answer when it is asked whether it is still
//! there, is given up after a while.

use std::convert::Infallible;

use axum::body::Bytes;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use futures_util::SinkExt as _;
use tokio::time::{Interval, interval, timeout};

use super::Site;
use super::identity::Visitor;
use super::limits::Place;
use super::patience::Patience;
use crate::hub::Watching;

/// So often in a row it may stay silent when it is asked whether it is still there.
const MOST_SILENCE: u32 = 2;

/// The socket is closed, or should be.
pub(super) struct Closed;

impl From<axum::Error> for Closed {
    fn from(_: axum::Error) -> Self {
        Self
    }
}

/// Something that changes, and that somebody at a socket is told of.
pub(super) trait News {
    /// Waits until it has changed since the last time. Nothing is missed by whoever stops waiting.
    async fn changed(&mut self);
}

impl News for Watching {
    async fn changed(&mut self) {
        Self::changed(self).await;
    }
}

/// A socket, and what is talked about: a table, as a rule.
pub(super) struct Line<N = Watching> {
    socket: WebSocket,
    pub(super) watching: N,
    patience: Patience,
    /// How often it was asked whether it is still there since it said anything.
    silence: u32,
}

impl<N: News> Line<N> {
    pub(super) fn new(socket: WebSocket, watching: N, patience: Patience) -> Self {
        Self { socket, watching, patience, silence: 0 }
    }

    /// Sends messages, all of them at once.
    pub(super) async fn send(&mut self, messages: impl IntoIterator<Item = Message>) -> Result<(), Closed> {
        let sending = async {
            for message in messages {
                self.socket.feed(message).await?;
            }
            self.socket.flush().await
        };
        timeout(self.patience.take, sending).await.map_err(|_| Closed)??;
        Ok(())
    }

    async fn next(&mut self, ping: &mut Interval) -> Result<Next, Closed> {
        tokio::select! {
            () = self.watching.changed() => Ok(Next::Changed),
            message = self.socket.recv() => {
                let asked = std::mem::take(&mut self.silence) > 0;
                match message {
                    Some(Ok(Message::Text(text))) => Ok(Next::Heard(text)),
                    Some(Ok(Message::Pong(_))) if asked => Ok(Next::Answered),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(Next::Noise),
                    Some(Ok(Message::Binary(_) | Message::Close(_)) | Err(_)) | None => Err(Closed),
                }
            },
            _ = ping.tick() => Ok(Next::Ping),
        }
    }

    /// Asks whether it is still there, unless it has not answered for too long.
    async fn ping(&mut self) -> Result<(), Closed> {
        if self.silence >= MOST_SILENCE {
            return Err(Closed);
        }
        self.silence += 1;
        self.send([Message::Ping(Bytes::new())]).await
    }
}

/// What happens next on a line.
enum Next {
    Changed,
    Heard(Utf8Bytes),
    Ping,
    Answered,
    Noise,
}

/// What is said on a line.
pub(super) trait Talk {
    /// What is talked about.
    type News: News;
    /// The line.
    fn line(&mut self) -> &mut Line<Self::News>;
    /// Who is at its other end.
    fn visitor(&self) -> &Visitor;
    /// Tells what is new.
    async fn tell(&mut self, site: &Site) -> Result<(), Closed>;
    /// The other side said something.
    async fn hear(&mut self, site: &Site, text: &str) -> Result<(), Closed>;
}

/// Talks until the socket is closed; then its place is free again.
pub(super) async fn converse(site: &Site, place: Place, mut talk: impl Talk) {
    site.hub().metrics().sockets.inc();
    let Err(Closed) = go_on(site, &mut talk).await;
    site.hub().metrics().sockets.dec();
    drop(place);
}

async fn go_on(site: &Site, talk: &mut impl Talk) -> Result<Infallible, Closed> {
    let mut ping = interval(talk.line().patience.ping);
    ping.reset();
    talk.tell(site).await?;
    loop {
        match talk.line().next(&mut ping).await? {
            Next::Changed => talk.tell(site).await?,
            Next::Heard(text) => talk.hear(site, &text).await?,
            Next::Ping => talk.line().ping().await?,
            Next::Answered => {}
            // It costs something, too. Nobody sends so much of it who means well.
            Next::Noise => site.may_send(talk.visitor()).map_err(|_| Closed)?,
        }
    }
}
