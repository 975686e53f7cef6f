//! A socket's messages through a relay, and back.
//!
//! ```text
//! guest: net ── socket in memory ── carry ── relays::Line ── wire ── pump ──────── relay
//! host:  hub ── socket ─────────── carry ── relays::Line ── wire ── switchboard ── relay      one line for each guest
//! ```
//!
//! Hubs and members know nothing of relays. An empty frame says that the socket at the other end is closed.

use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use relays::line::{Line, Output};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc;
use tokio::time::{Instant as Moment, sleep_until};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

/// A line on which nothing was heard for this long is dead.
const SILENCE: Duration = Duration::from_secs(60);
/// How often the socket is told that the other end is there.
const SIGN_OF_LIFE: Duration = Duration::from_secs(10);
/// How many bytes may wait to be sent before the socket is no longer read.
const MOST_AHEAD: usize = 512 << 10;
/// How long the end of a line waits until everything has arrived.
const TO_END: Duration = Duration::from_secs(3);

/// The way of packets to and from the relay.
pub(super) struct Wire {
    pub(super) heard: mpsc::Receiver<String>,
    pub(super) say: mpsc::Sender<String>,
}

/// Passes messages on until the socket is closed at either end, or the line is dead.
pub(super) async fn carry<S>(mut line: Line, mut wire: Wire, socket: WebSocketStream<S>)
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let (mut sink, mut stream) = socket.split();
    let begun = Instant::now();
    let (mut last, mut told) = (begun, begun);
    let mut closing: Option<Instant> = None;
    loop {
        let wake = loop {
            match line.poll(begun.elapsed()) {
                Output::Send(packet) => {
                    if wire.say.send(packet).await.is_err() {
                        return;
                    }
                }
                // The other end is closed.
                Output::Received(frame) if frame.is_empty() => {
                    let _ = sink.close().await;
                    return;
                }
                Output::Received(frame) => {
                    if closing.is_none() && sink.send(Message::Binary(frame.into())).await.is_err() {
                        closing = Some(closed(&mut line));
                    }
                }
                Output::Wait(wake) => break begun.checked_add(wake),
            }
        };
        if closing.is_some_and(|until| line.is_done() || Instant::now() >= until) {
            return;
        }
        let dead = last + SILENCE;
        let wake = [wake, closing].into_iter().flatten().fold(dead, Instant::min);
        let reads = closing.is_none() && line.unsent() < MOST_AHEAD;
        tokio::select! {
            message = stream.next(), if reads => match message {
                Some(Ok(Message::Binary(frame))) if !frame.is_empty() => {
                    if line.send(&frame).is_err() {
                        closing = Some(closed(&mut line));
                    }
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => closing = Some(closed(&mut line)),
                Some(Ok(_)) => {}
            },
            packet = wire.heard.recv() => {
                let Some(packet) = packet else { return };
                // Nonsense is no sign of life.
                if line.heard(&packet, begun.elapsed()).is_ok() {
                    last = Instant::now();
                    if told.elapsed() >= SIGN_OF_LIFE && closing.is_none() {
                        told = last;
                        let _ = sink.send(Message::Ping(Vec::new().into())).await;
                    }
                }
            }
            () = sleep_until(Moment::from_std(wake)) => {
                if Instant::now() >= dead {
                    return;
                }
            }
        }
    }
}

/// Says that the socket is closed; returns until when that is waited for.
fn closed(line: &mut Line) -> Instant {
    // An empty frame is never too long.
    let _ = line.send(&[]);
    Instant::now() + TO_END
}
