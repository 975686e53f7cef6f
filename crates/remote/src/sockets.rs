//! Sockets and clocks of this computer.

use core::time::Duration;
use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};

use futures_util::{SinkExt, StreamExt};
use light::{Cut, LONGEST, Net, Place, Wire};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep_until, timeout, timeout_at};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{self, Message};

/// When this program looked at the clock first.
static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Sockets and clocks of this computer.
#[derive(Clone, Copy, Debug)]
pub struct Sockets {
    clock: fn() -> u64,
}

impl Default for Sockets {
    fn default() -> Self {
        Self { clock: now }
    }
}

impl Sockets {
    /// With another clock: milliseconds since 1970.
    pub const fn with_clock(clock: fn() -> u64) -> Self {
        Self { clock }
    }
}

/// A connection to a node.
#[derive(Debug)]
pub struct Socket(WebSocketStream<TcpStream>);

impl Net for Sockets {
    type Wire = Socket;

    async fn open(&mut self, place: &Place, patience: Duration) -> Result<Socket, Cut> {
        let mut config = WebSocketConfig::default();
        (config.max_message_size, config.max_frame_size) = (Some(LONGEST), Some(LONGEST));
        let opening = async {
            let stream = TcpStream::connect(place.at()).await.map_err(|why| why.to_string())?;
            // Questions are short, and somebody waits for the answer.
            stream.set_nodelay(true).map_err(|why| why.to_string())?;
            let opened = tokio_tungstenite::client_async_with_config(place.address(), stream, Some(config)).await;
            opened.map(|(socket, _)| Socket(socket)).map_err(|why| why.to_string())
        };
        match timeout(patience, opening).await {
            Ok(opened) => opened.map_err(Cut::Unreachable),
            Err(_) => Err(Cut::Silent),
        }
    }

    fn clock(&self) -> u64 {
        (self.clock)()
    }

    fn now(&self) -> Duration {
        BEGIN.elapsed()
    }

    async fn sleep(&mut self, until: Duration) {
        sleep_until(*BEGIN + until).await;
    }
}

impl Wire for Socket {
    async fn send(&mut self, text: String, until: Duration) -> Result<(), Cut> {
        let sent = timeout_at(*BEGIN + until, self.0.send(Message::text(text))).await;
        sent.map_err(|_| Cut::Silent)?.map_err(|why| Cut::Lost(why.to_string()))
    }

    async fn hear(&mut self, until: Duration) -> Result<String, Cut> {
        loop {
            let frame = timeout_at(*BEGIN + until, self.0.next()).await.map_err(|_| Cut::Silent)?;
            match frame {
                Some(Ok(Message::Text(text))) => return Ok(text.as_str().to_owned()),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Binary(_) | Message::Frame(_))) => return Err(Cut::Nonsense("text")),
                Some(Ok(Message::Close(_))) | None => return Err(Cut::Lost("it was closed there".to_owned())),
                Some(Err(tungstenite::Error::Capacity(_))) => {
                    return Err(Cut::Nonsense("an answer of a size that nodes give"));
                }
                Some(Err(why)) => return Err(Cut::Lost(why.to_string())),
            }
        }
    }
}

/// Milliseconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
