//! A socket at a table, whoever is at its other end: a browser or a program.
//!
//! A slow reader is not fed faster than it reads. What it is told next is always the table as it is then, so
//! nothing piles up; and one that does not read at all, or does not answer when it is asked whether it is still
//! there, is given up after a while.
//!
//! One that sends too much is not listened to for a while, so that it has to wait in its turn; whatever it sent is thrown
//! away before anybody looks into it. If it goes on like that, it is told why and closed.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use futures_util::SinkExt as _;
use tokio::time::{Instant, Interval, interval, sleep, timeout};

use super::Site;
use super::identity::Visitor;
use super::limits::{Flood, Place, Verdict};
use super::patience::Patience;
use crate::hub::Watching;

/// So often in a row it may stay silent when it is asked whether it is still there.
const MOST_SILENCE: u32 = 2;

/// How long the other side has to hear why its socket is closed.
const TO_HEAR_WHY: Duration = Duration::from_secs(1);

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
    /// How much it sends.
    flood: Flood,
}

impl<N: News> Line<N> {
    pub(super) fn new(socket: WebSocket, watching: N, patience: Patience) -> Self {
        Self { socket, watching, patience, silence: 0, flood: Flood::default() }
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
        let pause = self.flood.wait(Instant::now().into_std());
        tokio::select! {
            () = self.watching.changed() => Ok(Next::Changed),
            () = sleep(pause.unwrap_or_default()), if pause.is_some() => Ok(Next::Listen),
            message = self.socket.recv(), if pause.is_none() => {
                let asked = std::mem::take(&mut self.silence) > 0;
                match message {
                    Some(Ok(Message::Text(text))) => Ok(Next::Heard(text)),
                    Some(Ok(Message::Pong(_))) if asked => Ok(Next::Listen),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(Next::Noise),
                    Some(Ok(Message::Binary(_) | Message::Close(_)) | Err(_)) | None => Err(Closed),
                }
            },
            _ = ping.tick() => Ok(Next::Ping),
        }
    }

    /// Asks whether it is still there, unless it has not answered for too long. It cannot answer while nobody listens.
    async fn ping(&mut self) -> Result<(), Closed> {
        if self.flood.wait(Instant::now().into_std()).is_some() {
            return Ok(());
        }
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
    Noise,
    /// Nothing: it is listened to again.
    Listen,
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
    /// Tells that something was not listened to, since there was too much.
    async fn turn_away(&mut self) -> Result<(), Closed>;
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
        let next = talk.line().next(&mut ping).await?;
        match next {
            Next::Changed => talk.tell(site).await?,
            Next::Ping => talk.line().ping().await?,
            Next::Listen => {}
            // What is not to be listened to costs something, too.
            Next::Heard(_) | Next::Noise => {
                if admit(site, talk).await?
                    && let Next::Heard(text) = next
                {
                    talk.hear(site, &text).await?;
                }
            }
        }
    }
}

/// Is a message that has come to be read? Nothing of it has been looked at.
async fn admit(site: &Site, talk: &mut impl Talk) -> Result<bool, Closed> {
    let limits = site.limits();
    let allowed = limits.message(talk.visitor().player, talk.visitor().from.0);
    match talk.line().flood.judge(allowed, limits.message_rate(), Instant::now().into_std()) {
        Verdict::Fine => Ok(true),
        Verdict::Pause { first } => {
            // Logged once for each socket, and seldom for all of them.
            if first {
                site.limited("a message");
            } else {
                site.hub().metrics().limited.inc();
            }
            talk.turn_away().await?;
            Ok(false)
        }
        Verdict::Close => {
            site.hub().metrics().floods.inc();
            site.limited("a socket that floods");
            let why = CloseFrame { code: close_code::POLICY, reason: Utf8Bytes::from_static("too many messages") };
            talk.line().send([Message::Close(Some(why))]).await?;
            // What has come and is not read makes the system throw away what the other side has not read, either.
            sleep(TO_HEAR_WHY).await;
            Err(Closed)
        }
    }
}
