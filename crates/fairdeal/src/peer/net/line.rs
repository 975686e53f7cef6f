//! The thread's side of a connection: it connects, greets, passes frames on both ways, and connects again.

use std::collections::VecDeque;
use std::fmt;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use ::peer::Head;
use ::peer::frame::{FromHub, MOST_FRAME, ToHub, Why};
use ::peer::place::{self, Caller, Pauses, Said};
use futures_util::{SinkExt as _, Stream, StreamExt as _};
use tokio::sync::mpsc as channel;
use tokio::time::{sleep, sleep_until, timeout, timeout_at};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{self, Message};

use super::turn::{Target, Turn};
use super::{Command, Ended, Event, Held, Who};
use crate::peer::transport::Stream as Carrier;
use crate::peer::{At, Unreachable, radio};
use crate::relay::guest;

/// A hub pings every 25 seconds; one that is silent for this long is gone.
const SILENCE: Duration = Duration::from_secs(60);
/// The pause after an entry that a hub gets back: hubs take 50 messages a second.
const RETURNING: Duration = Duration::from_millis(25);

/// How long what was said over Bluetooth or a relay has to get there after the end.
const TO_GET_THERE: Duration = Duration::from_secs(2);

type Begun = (channel::UnboundedSender<Command>, JoinHandle<()>);

/// Starts the thread.
pub(super) fn begin(who: Who, held: Held, tell: mpsc::Sender<Event>) -> Result<Begun, Unreachable> {
    let at = match &who {
        Who::Member { ticket, .. } => ticket.at.parse()?,
        Who::Knock { at, .. } => at.clone(),
    };
    let failed = |why: std::io::Error| Unreachable::Nobody(why.to_string());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    let (commands, orders) = channel::unbounded_channel();
    let line = Line { who, at, held, tell, orders, turn: Turn::first(), delivered: 0 };
    let thread = std::thread::Builder::new().name("hub".to_owned()).spawn(move || {
        runtime.block_on(line.run());
        // Looking up a name may still hang; nobody waits for that.
        runtime.shutdown_background();
    });
    Ok((commands, thread.map_err(failed)?))
}

/// The thread's side.
struct Line {
    who: Who,
    at: At,
    held: Held,
    tell: mpsc::Sender<Event>,
    orders: channel::UnboundedReceiver<Command>,
    turn: Turn,
    /// How many entries the owner has been told, stored or not.
    delivered: u64,
}

/// How a connection ends.
enum End {
    /// The owner wants it, or is gone.
    Closed,
    /// It may work again.
    Lost(String),
    /// It never will.
    ForGood(Ended),
}

impl From<tungstenite::Error> for End {
    fn from(why: tungstenite::Error) -> Self {
        Self::Lost(why.to_string())
    }
}

impl Line {
    async fn run(mut self) {
        let mut pauses = Pauses::default();
        loop {
            let mut greeted = false;
            let target = self.turn.target(&self.who, &self.at, &self.held);
            match self.talk(&target, &mut greeted).await {
                Err(End::Closed) | Ok(()) => return,
                Err(End::ForGood(why)) => {
                    let _ = self.tell.send(Event::Ended(why));
                    return;
                }
                Err(End::Lost(why)) => {
                    if self.tell.send(Event::Lost(why)).is_err() {
                        return;
                    }
                }
            }
            if greeted && target.is_in_office(&self.who, &self.held) {
                self.turn.since = Instant::now();
            }
            let pause = pauses.next(greeted, getrandom::u32().unwrap_or(u32::MAX));
            if self.wait(Duration::from_millis(pause)).await.is_err() {
                return;
            }
        }
    }

    /// Waits before the next attempt. What the owner wants to send meanwhile is dropped.
    async fn wait(&mut self, pause: Duration) -> Result<(), End> {
        let closed = async {
            while let Some(order) = self.orders.recv().await {
                if order == Command::Close {
                    return;
                }
            }
        };
        match timeout(pause, closed).await {
            Ok(()) => Err(End::Closed),
            Err(_) => Ok(()),
        }
    }

    /// One connection, until it ends.
    async fn talk(&mut self, target: &Target, greeted: &mut bool) -> Result<(), End> {
        match self.talk_to(target, greeted).await {
            // Another hub may be a better one; but somebody who connects twice must not drive themselves away.
            Err(End::ForGood(why)) if target.until.is_some() && why != Ended::Hub(Why::Replaced) => {
                Err(End::Lost(why.to_string()))
            }
            other => other,
        }
    }

    async fn talk_to(&mut self, target: &Target, greeted: &mut bool) -> Result<(), End> {
        let table = match &self.who {
            Who::Member { ticket, .. } => ticket.table(),
            Who::Knock { table, .. } => *table,
        };
        let to_greet = target.to_greet();
        let too_slow = || End::Lost(Unreachable::TooSlow.to_string());
        let mut config = WebSocketConfig::default();
        (config.max_message_size, config.max_frame_size) = (Some(MOST_FRAME), Some(MOST_FRAME));
        if let At::Radio(name) = &target.at {
            let knocks = matches!(self.who, Who::Knock { .. });
            return self.carried(target, radio::connect(name, table, knocks, config), greeted).await;
        }
        if let At::Relay(through) = &target.at {
            return self.carried(target, guest::connect(through, config), greeted).await;
        }
        let request = target.at.socket(&format!("/private/{table}/socket"));
        let request = request.into_client_request().map_err(|_| End::ForGood(Ended::Address(Unreachable::Address)))?;
        let stream = match timeout(to_greet, target.at.connect()).await {
            Ok(Ok(stream)) => stream,
            Ok(Err(why @ Unreachable::Address)) => return Err(End::ForGood(Ended::Address(why))),
            Ok(Err(why)) => return Err(End::Lost(why.to_string())),
            Err(_) => return Err(too_slow()),
        };
        let opening = tokio_tungstenite::client_async_with_config(request, stream, Some(config));
        let socket = match timeout(to_greet, opening).await {
            Ok(Ok((socket, _))) => socket,
            Ok(Err(tungstenite::Error::Http(answer))) if answer.status() == 404 => {
                return Err(End::ForGood(Ended::Hub(Why::NoTable)));
            }
            Ok(Err(why)) => return Err(why.into()),
            Err(_) => return Err(too_slow()),
        };
        self.converse(target, socket, to_greet, greeted).await
    }

    /// Talks through something that is slower than a network: everything has twice the time, and what was said gets there
    /// after the end.
    async fn carried<E: fmt::Display>(
        &mut self,
        target: &Target,
        connecting: impl Future<Output = Result<guest::Carried, E>>,
        greeted: &mut bool,
    ) -> Result<(), End> {
        let to_greet = target.to_greet() * 2;
        let (socket, carrying) = match timeout(to_greet, connecting).await {
            Ok(Ok(carried)) => carried,
            Ok(Err(why)) => return Err(End::Lost(why.to_string())),
            Err(_) => return Err(End::Lost(Unreachable::TooSlow.to_string())),
        };
        let ended = self.converse(target, socket, to_greet, greeted).await;
        let _ = timeout(TO_GET_THERE, carrying).await;
        ended
    }

    /// Greets the hub, and talks to it until the connection ends.
    async fn converse(
        &mut self,
        target: &Target,
        socket: WebSocketStream<Box<dyn Carrier>>,
        to_greet: Duration,
        greeted: &mut bool,
    ) -> Result<(), End> {
        let too_slow = || End::Lost(Unreachable::TooSlow.to_string());
        let (mut sink, mut stream) = socket.split();
        let line = timeout(to_greet, self.greet(target, &mut sink, &mut stream)).await;
        let line = line.unwrap_or_else(|_| Err(too_slow()))?;
        *greeted = true;
        let (out, mut outgoing) = channel::unbounded_channel::<Outgoing>();
        // Nothing is written while something is read, or both sides could wait for each other.
        let writing = async {
            while let Some(Outgoing { frame, pause }) = outgoing.recv().await {
                sink.send(Message::Binary(dealing::encode(&frame).into())).await?;
                if let Some(pause) = pause {
                    sleep(pause).await;
                }
            }
            let _ = sink.close().await;
            Err(End::Closed)
        };
        let reading = self.read(target, stream, out, line);
        tokio::select! {
            ended = writing => ended,
            ended = reading => ended,
        }
    }

    /// Says hello, or knocks.
    async fn greet<W, R>(&mut self, target: &Target, sink: &mut W, stream: &mut R) -> Result<place::Line, End>
    where
        W: futures_util::Sink<Message, Error = tungstenite::Error> + Unpin,
        R: Stream<Item = Result<Message, tungstenite::Error>> + Unpin,
    {
        let mut line = place::Line::new(target.key);
        loop {
            match self.heard(&mut line, next(stream).await?)? {
                Said::Greet(greeting) => sink.send(Message::Binary(dealing::encode(&greeting).into())).await?,
                Said::Open { hub, head } => {
                    // What the owner sent before they knew of this connection, they send again.
                    while let Ok(order) = self.orders.try_recv() {
                        if order == Command::Close {
                            return Err(End::Closed);
                        }
                    }
                    self.tell.send(Event::Connected { hub, head }).map_err(|_| End::Closed)?;
                    return Ok(line);
                }
                _ => return Err(not_a_hub()),
            }
        }
    }

    /// What a frame means.
    fn heard(&self, line: &mut place::Line, frame: FromHub) -> Result<Said, End> {
        let aux = random()?;
        let said = match &self.who {
            Who::Member { ticket, key } => {
                let (have, number) = {
                    let stored = self.held.stored();
                    (stored.head.unwrap_or_else(|| Head::begin(ticket.table(), &ticket.hub)), stored.number)
                };
                let member = number.map(|number| (number, key));
                line.hear(frame, Caller::Member { table: &ticket.key, have, member }, &aux)
            }
            Who::Knock { table, .. } => line.hear(frame, Caller::Knock(*table), &aux),
        };
        said.map_err(ended)
    }

    async fn read<R>(
        &mut self,
        target: &Target,
        mut stream: R,
        out: channel::UnboundedSender<Outgoing>,
        mut line: place::Line,
    ) -> Result<(), End>
    where
        R: Stream<Item = Result<Message, tungstenite::Error>> + Unpin,
    {
        let mut last = Instant::now();
        loop {
            let given_up = target.until.filter(|_| !target.is_in_office(&self.who, &self.held));
            let order = tokio::select! {
                order = self.orders.recv() => order.unwrap_or(Command::Close),
                () = sleep_until(given_up.unwrap_or_else(Instant::now).into()), if given_up.is_some() => {
                    if target.is_in_office(&self.who, &self.held) {
                        continue;
                    }
                    return Err(End::Lost("too few players have come to this hub".to_owned()));
                }
                // Somebody who goes on talking notices it, too.
                frame = timeout_at((last + SILENCE).into(), stream.next()) => {
                    let frame = frame.map_err(|_| End::Lost("the hub has fallen silent".to_owned()))?;
                    last = Instant::now();
                    if let Some(frame) = heard(frame)? {
                        let said = self.heard(&mut line, frame)?;
                        self.hear(said, &out)?;
                    }
                    continue;
                }
            };
            let frame = match order {
                Command::Append(envelope) => ToHub::Append(envelope),
                Command::Beside { to, words } => ToHub::Beside { to, words },
                Command::Install { change, signature } => ToHub::Install { change: *change, signature },
                Command::Close => {
                    drop(out);
                    // What was sent before is written.
                    return timeout(Duration::from_secs(2), std::future::pending()).await.unwrap_or(Err(End::Closed));
                }
            };
            let _ = out.send(Outgoing { frame, pause: None });
        }
    }

    fn hear(&mut self, said: Said, out: &channel::UnboundedSender<Outgoing>) -> Result<(), End> {
        let event = match said {
            // The owner has been told, and was storing it when the connection was lost.
            Said::Entry { height, .. } if height <= self.delivered => return Ok(()),
            Said::Entry { height, bytes } => {
                self.delivered = height;
                Event::Entry(bytes)
            }
            Said::Refused { sequence, why } => Event::Refused { sequence, why },
            Said::Beside { from, words } => Event::Beside { from, words },
            Said::Here(members) => Event::Here(members),
            Said::Behind(head) => {
                let from = usize::try_from(head.height).unwrap_or(usize::MAX);
                let missing: VecDeque<_> = self.held.stored().entries.iter().skip(from).cloned().collect();
                for entry in missing {
                    let _ = out.send(Outgoing { frame: ToHub::Entry(entry.to_vec()), pause: Some(RETURNING) });
                }
                return Ok(());
            }
            Said::Greet(_) | Said::Open { .. } => return Err(not_a_hub()),
        };
        self.tell.send(event).map_err(|_| End::Closed)
    }
}

/// A frame to be sent, and how long nothing is sent after it.
struct Outgoing {
    frame: ToHub,
    pause: Option<Duration>,
}

/// The next frame.
async fn next(stream: &mut (impl Stream<Item = Result<Message, tungstenite::Error>> + Unpin)) -> Result<FromHub, End> {
    loop {
        if let Some(frame) = heard(stream.next().await)? {
            return Ok(frame);
        }
    }
}

/// What a message says; nothing if it is only a sign of life.
fn heard(message: Option<Result<Message, tungstenite::Error>>) -> Result<Option<FromHub>, End> {
    match message {
        Some(Ok(Message::Binary(bytes))) => dealing::decode(&bytes).map(Some).map_err(|_| not_a_hub()),
        Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => Ok(None),
        Some(Ok(Message::Text(_))) => Err(not_a_hub()),
        Some(Ok(Message::Close(_))) | None => Err(End::Lost("the hub has closed the connection".to_owned())),
        Some(Err(why)) => Err(why.into()),
    }
}

/// Whether it makes sense to connect again.
fn ended(why: place::End) -> End {
    match why {
        place::End::OtherHub => End::ForGood(Ended::OtherHub),
        place::End::NotAHub => not_a_hub(),
        place::End::Closed(closed) if why.is_final() => End::ForGood(Ended::Hub(closed)),
        place::End::Closed(closed) => End::Lost(closed.to_string()),
    }
}

fn not_a_hub() -> End {
    End::Lost(Unreachable::NotAHub.to_string())
}

fn random<const N: usize>() -> Result<[u8; N], End> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|why| End::Lost(why.to_string()))?;
    Ok(bytes)
}
