//! A socket at a table, to a browser or a program.
//!
//! A slow reader is not fed faster than it reads. Its next update always shows the current table, so nothing piles up;
//! a client that does not read at all, or does not answer pings, is dropped after a while.
//!
//! A client that sends too much is not read for a while, so that it has to wait in turn; its messages are discarded
//! without being parsed. If it continues, its socket is closed with the reason.

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

/// How many pings in a row may stay unanswered.
const MOST_SILENCE: u32 = 2;

/// How long the other side has to receive the reason when its socket is closed.
const TO_HEAR_WHY: Duration = Duration::from_secs(1);

/// The socket is closed, or should be.
pub(super) struct Closed;

impl From<axum::Error> for Closed {
    fn from(_: axum::Error) -> Self {
        Self
    }
}

/// Something that changes, and whose changes are sent over a socket.
pub(super) trait News {
    /// Waits until it has changed since the last time. A caller that stops waiting misses nothing.
    async fn changed(&mut self);
}

impl News for Watching {
    async fn changed(&mut self) {
        Self::changed(self).await;
    }
}

/// A socket and its topic, usually a table.
pub(super) struct Line<N = Watching> {
    socket: WebSocket,
    pub(super) watching: N,
    patience: Patience,
    /// How many pings it has not answered since it last sent anything.
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

    /// Sends the last messages, and leaves the other side some time to read them: unread incoming data would make the
    /// system discard data that the other side has not read yet.
    pub(super) async fn hang_up(&mut self, messages: impl IntoIterator<Item = Message>) -> Result<(), Closed> {
        self.send(messages).await?;
        sleep(TO_HEAR_WHY).await;
        Err(Closed)
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
                    Some(Ok(Message::Binary(bytes))) => Ok(Next::Bytes(bytes)),
                    Some(Ok(Message::Pong(_))) if asked => Ok(Next::Listen),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(Next::Noise),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => Err(Closed),
                }
            },
            _ = ping.tick() => Ok(Next::Ping),
        }
    }

    /// Sends a ping, unless too many are unanswered, and something with it. The client cannot answer while nobody reads.
    async fn ping(&mut self, with: Option<Message>) -> Result<(), Closed> {
        if self.flood.wait(Instant::now().into_std()).is_some() {
            return Ok(());
        }
        if self.silence >= MOST_SILENCE {
            return Err(Closed);
        }
        self.silence += 1;
        self.send([Message::Ping(Bytes::new())].into_iter().chain(with)).await
    }
}

/// What happens next on a line.
enum Next {
    Changed,
    Heard(Utf8Bytes),
    Bytes(Bytes),
    Ping,
    Noise,
    /// Nothing: reading starts again.
    Listen,
}

/// One kind of conversation over a socket.
pub(super) trait Talk {
    /// Its topic.
    type News: News;
    /// The line.
    fn line(&mut self) -> &mut Line<Self::News>;
    /// Whether the limits allow the other side another message.
    fn may_send(&self, site: &Site) -> bool;
    /// Sends what is new.
    async fn tell(&mut self, site: &Site) -> Result<(), Closed>;
    /// Says that messages were ignored because there were too many.
    async fn turn_away(&mut self) -> Result<(), Closed>;
    /// What goes with a ping, which a page does not see.
    fn sign_of_life(&mut self) -> Option<Message> {
        None
    }
    /// A message from the other side.
    async fn hear(&mut self, site: &Site, text: &str) -> Result<(), Closed>;
    /// The same in bytes, which most conversations do not use.
    async fn hear_bytes(&mut self, _: &Site, _: Bytes) -> Result<(), Closed> {
        Err(Closed)
    }
}

/// Whether the limits allow this visitor another message.
pub(super) fn may_send(site: &Site, visitor: &Visitor) -> bool {
    site.limits().message(visitor.player, visitor.from.0)
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
            Next::Ping => {
                let sign = talk.sign_of_life();
                talk.line().ping(sign).await?;
            }
            Next::Listen => {}
            // Ignoring a message costs something, too.
            Next::Heard(_) | Next::Bytes(_) | Next::Noise => match (admit(site, talk).await?, next) {
                (true, Next::Heard(text)) => talk.hear(site, &text).await?,
                (true, Next::Bytes(bytes)) => talk.hear_bytes(site, bytes).await?,
                _ => {}
            },
        }
    }
}

/// Whether an incoming message is to be read. Nothing of it has been parsed.
async fn admit(site: &Site, talk: &mut impl Talk) -> Result<bool, Closed> {
    let limits = site.limits();
    let allowed = talk.may_send(site);
    match talk.line().flood.judge(allowed, limits.message_rate(), Instant::now().into_std()) {
        Verdict::Fine => Ok(true),
        Verdict::Pause { first } => {
            // Logged once per socket, and rarely for all of them.
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
            talk.line().hang_up([Message::Close(Some(why))]).await?;
            Err(Closed)
        }
    }
}
