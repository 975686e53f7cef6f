//! A socket's messages through a wire, and back.

use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::SplitSink;
use futures_util::{SinkExt as _, StreamExt as _};
use parcels::{Link, Output, State};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

use super::Wire;
use super::room::Room;

/// A line on which nothing was heard for this long is dead. So is one on which nothing gets through for this long.
const SILENCE: Duration = Duration::from_secs(30);
/// The same in Geogram's form, where a receiver says nothing until it has a whole envelope: the longest takes 155 seconds
/// in pieces of 20 bytes, and a lost receipt ten more.
const SLOW_SILENCE: Duration = Duration::from_secs(180);
/// How often the socket is told that the other end is there.
const SIGN_OF_LIFE: Duration = Duration::from_secs(10);
/// How many bytes may wait to be sent before the socket is no longer read.
const MOST_AHEAD: usize = 128 << 10;
/// The same where everybody hears it: nothing else slows it down.
const MOST_SAID: usize = 32 << 10;
/// How long the end of a line waits until everything is sent.
const TO_END: Duration = Duration::from_millis(1500);
/// How long a connection has to end.
const TO_DISCONNECT: Duration = Duration::from_millis(500);

/// Why a line is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Over {
    /// The socket was closed, and what had been sent before has arrived, or had its time.
    Closed,
    /// The radio is gone.
    Cut,
    /// Nothing was heard for too long, or nothing got through, or the other end has begun anew.
    Silent,
    /// Only one guest at a time can talk in Geogram's form.
    Crowded,
}

/// What the lines of a host have in common; nothing at a guest.
#[derive(Clone, Default)]
pub(super) struct Host {
    /// Room for those who talk in Geogram's form.
    pub(super) slow: Option<Arc<Semaphore>>,
    /// Everybody, if all hear what is written.
    pub(super) room: Option<Arc<Room>>,
}

/// Passes messages on until the socket is closed or the line is dead, and ends the connection.
pub(super) async fn carry<S>(link: Link, mut wire: Wire, socket: WebSocketStream<S>, host: Host) -> Over
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let connection = wire.connection.take();
    let over = pass(link, wire, socket, host).await;
    if let Some(connection) = connection {
        let _ = timeout(TO_DISCONNECT, connection).await;
    }
    over
}

async fn pass<S>(link: Link, wire: Wire, socket: WebSocketStream<S>, host: Host) -> Over
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let (sink, mut stream) = socket.split();
    let begun = Instant::now();
    let Host { slow, room: everybody } = host;
    let most_ahead = if everybody.is_some() { MOST_SAID } else { MOST_AHEAD };
    let mut line = Line { link, sink, everybody, begun, told: begun, closing: None };
    let Wire { mut heard, write, piece, .. } = wire;
    line.link.back(piece, Duration::ZERO);
    let mut room = None;
    loop {
        let wake = match line.pump(&write).await {
            Ok(wake) => wake,
            Err(over) => return over,
        };
        if line.link.state() == State::Ended {
            return Over::Silent;
        }
        if let Some(slow) = slow.as_ref().filter(|_| room.is_none() && line.link.state() == State::Slow) {
            room = slow.clone().try_acquire_owned().ok();
            if room.is_none() {
                return Over::Crowded;
            }
        }
        if line.closing.is_some_and(|until| line.link.is_done() || Instant::now() >= until) {
            return Over::Closed;
        }
        let reads = line.closing.is_none() && line.link.unsent() < most_ahead;
        let tells = line.tells_life_at();
        let wake = wake.map(|wake| begun + wake).into_iter().chain(line.closing).chain(tells).min();
        let silence = line.silence();
        let dead = begun + line.link.stuck_since().unwrap_or(Duration::MAX).min(line.link.alive_at()) + silence;
        if dead <= Instant::now() {
            return Over::Silent;
        }
        tokio::select! {
            message = stream.next(), if reads => line.say(message),
            piece = heard.recv() => {
                let Some(piece) = piece else { return Over::Cut };
                // What a bad line or a stranger says is no sign of life.
                if line.link.heard(&piece, begun.elapsed()).is_ok() {
                    line.settle();
                    line.tell_life().await;
                }
            }
            () = sleep_until(wake.unwrap_or(begun)), if wake.is_some() => {
                if tells.is_some_and(|tells| tells <= Instant::now()) {
                    line.tell_life().await;
                }
            }
            () = sleep_until(dead) => {}
        }
    }
}

/// One line.
struct Line<S> {
    link: Link,
    sink: SplitSink<WebSocketStream<S>, Message>,
    everybody: Option<Arc<Room>>,
    begun: Instant,
    /// When the socket was last told that the other end is there.
    told: Instant,
    /// The socket is closed; what was sent before has until then to arrive.
    closing: Option<Instant>,
}

impl<S> Drop for Line<S> {
    fn drop(&mut self) {
        if let Some(everybody) = &self.everybody {
            everybody.leave(self.link.other());
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Line<S> {
    /// Writes and passes on everything that there is; returns when the link wants to be asked again.
    async fn pump(&mut self, write: &tokio::sync::mpsc::Sender<Vec<Vec<u8>>>) -> Result<Option<Duration>, Over> {
        let mut pieces = Vec::new();
        loop {
            let output = self.link.poll(self.begun.elapsed());
            let over = match output {
                Output::Write(piece) => {
                    pieces.push(piece);
                    if self.link.is_writing() {
                        continue;
                    }
                    None
                }
                Output::Received(message) if self.closing.is_none() => {
                    if self.sink.send(Message::Binary(message.into())).await.is_err() {
                        self.close();
                    }
                    continue;
                }
                Output::Received(_) => continue,
                Output::Missed(from, length) => {
                    if let Some(everybody) = &self.everybody {
                        everybody.missed(from, length);
                    }
                    continue;
                }
                Output::Wait(wake) => Some(wake),
            };
            if !pieces.is_empty() {
                write.send(std::mem::take(&mut pieces)).await.map_err(|_| Over::Cut)?;
            }
            if let Some(wake) = over {
                return Ok(wake);
            }
        }
    }

    /// What comes from the socket.
    fn say(&mut self, message: Option<Result<Message, tokio_tungstenite::tungstenite::Error>>) {
        match message {
            // There is room, and no frame is longer than a message may be.
            Some(Ok(Message::Binary(bytes))) => {
                let sent = match &self.everybody {
                    Some(everybody) => everybody.send(&mut self.link, bytes.into()),
                    None => self.link.send(bytes.into()),
                };
                if sent.is_err() {
                    self.close();
                }
            }
            Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Text(_) | Message::Frame(_))) => {}
            Some(Ok(Message::Close(_)) | Err(_)) | None => self.close(),
        }
    }

    fn close(&mut self) {
        self.closing.get_or_insert_with(|| Instant::now() + TO_END);
    }

    /// What a guest has got, the host need not say to everybody again.
    fn settle(&self) {
        if let Some(everybody) = &self.everybody {
            everybody.settle(&self.link);
        }
    }

    /// How long the other end may say nothing. Whoever has never said anything may not be there, or may not want us.
    fn silence(&self) -> Duration {
        let talks_slowly = self.link.state() == State::Slow && self.link.alive_at() > Duration::ZERO;
        if talks_slowly { SLOW_SILENCE } else { SILENCE }
    }

    /// When the socket is told that the other end is there although nothing is heard of it: in Geogram's form, while
    /// something is on its way. There the line is given up before the socket could know better.
    fn tells_life_at(&self) -> Option<Instant> {
        let waits = self.link.state() == State::Slow && !self.link.is_done() && self.closing.is_none();
        waits.then(|| self.told + SIGN_OF_LIFE)
    }

    /// Tells the socket that the other end is there.
    async fn tell_life(&mut self) {
        let is_heard = self.begun.elapsed().saturating_sub(self.link.alive_at()) < SIGN_OF_LIFE;
        let is_there = is_heard || self.tells_life_at().is_some();
        if is_there && self.closing.is_none() && self.told.elapsed() >= SIGN_OF_LIFE {
            self.told = Instant::now();
            if self.sink.send(Message::Ping(Vec::new().into())).await.is_err() {
                self.close();
            }
        }
    }
}
