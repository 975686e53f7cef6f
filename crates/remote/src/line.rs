//! A connection to one node: questions, answers, and news in between.

use core::time::Duration;
use std::collections::BTreeMap;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use crate::{Error, Place};

/// The longest answer: an exported hand in hex, and what is around it.
const LONGEST: usize = 32 << 20;
/// How much may come that nobody asked for before the answer to a question.
const MOST_BETWEEN: usize = 1_000;

/// A connection to one node.
pub(crate) struct Line {
    place: Place,
    socket: WebSocketStream<TcpStream>,
    /// The number of the next question.
    next: u64,
    /// There was news since somebody waited for it.
    news: bool,
    patience: Duration,
}

impl core::fmt::Debug for Line {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Line({})", self.place)
    }
}

impl Line {
    /// Connects to a node.
    pub(crate) async fn open(place: Place, patience: Duration) -> Result<Self, Error> {
        let mut config = WebSocketConfig::default();
        (config.max_message_size, config.max_frame_size) = (Some(LONGEST), Some(LONGEST));
        let opening = async {
            let stream = TcpStream::connect(place.at()).await.map_err(|why| why.to_string())?;
            // Questions are short, and somebody waits for the answer.
            stream.set_nodelay(true).map_err(|why| why.to_string())?;
            let url = format!("ws://{}/ws", place.at());
            let opened = tokio_tungstenite::client_async_with_config(url, stream, Some(config)).await;
            opened.map(|(socket, _)| socket).map_err(|why| why.to_string())
        };
        match timeout(patience, opening).await {
            Ok(Ok(socket)) => Ok(Self { place, socket, next: 1, news: false, patience }),
            Ok(Err(why)) => Err(Error::Unreachable { place, why }),
            Err(_) => Err(Error::Silent { place }),
        }
    }

    /// Whom it leads to.
    pub(crate) const fn place(&self) -> &Place {
        &self.place
    }

    /// The error for something that no node would say.
    pub(crate) fn nonsense(&self, expected: &'static str) -> Error {
        Error::Nonsense { place: self.place.clone(), expected }
    }

    /// One question.
    pub(crate) async fn ask(&mut self, method: &str, params: Value) -> Result<Value, Error> {
        let mut answers = self.ask_all(method, vec![params]).await?;
        answers.pop().ok_or_else(|| self.nonsense("an answer"))
    }

    /// Several questions at once; the answers in the same order.
    pub(crate) async fn ask_all(&mut self, method: &str, params: Vec<Value>) -> Result<Vec<Value>, Error> {
        let until = Instant::now() + self.patience;
        let (first, count) = (self.next, params.len());
        for params in params {
            let request = json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params });
            self.next += 1;
            let sent = timeout_at(until, self.socket.send(Message::text(request.to_string()))).await;
            sent.map_err(|_| self.silent())?.map_err(|why| self.lost(&why))?;
        }
        let mut answers: BTreeMap<u64, Value> = BTreeMap::new();
        for _ in 0..count.saturating_add(MOST_BETWEEN) {
            if answers.len() == count {
                return Ok(answers.into_values().collect());
            }
            let mut said = self.hear(until).await?;
            // Answers to questions that nobody waits for any more are passed over.
            let Some(id) = said.get("id").and_then(Value::as_u64).filter(|id| (first..self.next).contains(id)) else {
                continue;
            };
            if let Some(wrong) = said.get("error") {
                let why = wrong.get("message").and_then(Value::as_str).unwrap_or("it does not say why");
                return Err(Error::Refused { why: harmless(why) });
            }
            answers.insert(id, said.get_mut("result").map(Value::take).unwrap_or_default());
        }
        Err(self.nonsense("an answer before so much else"))
    }

    /// Asks to be told of every block.
    pub(crate) async fn subscribe(&mut self) -> Result<(), Error> {
        self.ask("subscribe", json!({})).await.map(drop)
    }

    /// Waits for news, for this long at most; whether there was any.
    pub(crate) async fn news(&mut self, most: Duration) -> Result<bool, Error> {
        let until = Instant::now() + most;
        while !self.news {
            match self.hear(until).await {
                Ok(_) => {}
                Err(Error::Silent { .. }) => return Ok(false),
                Err(why) => return Err(why),
            }
        }
        self.news = false;
        Ok(true)
    }

    /// The next thing that the node says.
    async fn hear(&mut self, until: Instant) -> Result<Value, Error> {
        loop {
            let frame = timeout_at(until, self.socket.next()).await.map_err(|_| self.silent())?;
            match frame {
                Some(Ok(Message::Text(text))) => {
                    let said: Value = serde_json::from_str(&text).map_err(|_| self.nonsense("JSON"))?;
                    self.news |= said.get("method").and_then(Value::as_str) == Some("news");
                    return Ok(said);
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Binary(_) | Message::Frame(_))) => return Err(self.nonsense("text")),
                Some(Ok(Message::Close(_))) | None => return Err(self.lost(&"it was closed there")),
                Some(Err(tokio_tungstenite::tungstenite::Error::Capacity(_))) => {
                    return Err(self.nonsense("an answer of a size that nodes give"));
                }
                Some(Err(why)) => return Err(self.lost(&why)),
            }
        }
    }

    fn silent(&self) -> Error {
        Error::Silent { place: self.place.clone() }
    }

    fn lost(&self, why: &dyn core::fmt::Display) -> Error {
        Error::Lost { place: self.place.clone(), why: why.to_string() }
    }
}

/// Words of a stranger, that cannot steer a terminal and do not fill it.
pub(crate) fn harmless(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(300).collect()
}
