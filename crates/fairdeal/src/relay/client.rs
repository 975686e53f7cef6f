//! One connection to a relay.
//!
//! A relay may be slow, silent, broken or hostile. So everything has a limit: how long a message is, how long an answer
//! takes and how many events it has, how much nonsense is listened to. Events that come are checked ([`Event`]), and
//! compared with the question.
//!
//! Anybody can publish what we do not read: events that are longer than ours, that have more tags, or whose id a relay
//! computes otherwise. They are passed over, however many there are: if they ended a connection, a stranger could end
//! everybody's. Nonsense is only what a relay itself is to blame for.

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use relays::message::MOST_HEARD;
use relays::{Event, EventId, Filter, FromRelay, RelayUrl, Seconds, ToRelay};
use tokio::time::{Instant, timeout, timeout_at};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use crate::peer::{At, Stream, Unreachable};

/// How long a connection may take to be opened.
const TO_CONNECT: Duration = Duration::from_secs(10);
/// A relay that is asked something and says nothing for this long is not waited for.
const SILENCE: Duration = Duration::from_secs(10);
/// A whole answer may take so long.
const TO_ANSWER: Duration = Duration::from_secs(60);
/// How many messages that make no sense, or were not asked for, are listened to.
const MOST_NONSENSE: u32 = 100;
/// How many messages may come in a second to somebody who only listens.
const MOST_IN_A_SECOND: u32 = 1000;
/// How many events may wait for the relay's word.
const IN_FLIGHT: usize = 16;

/// A connection to a relay.
pub(crate) struct Client {
    socket: WebSocketStream<Box<dyn Stream>>,
    asked: u32,
    /// How many of the questions are over.
    over: u32,
    nonsense: u32,
    unread: u32,
    /// How many messages came since then, for those who only listen.
    lately: (Instant, u32),
}

/// Why a relay is of no use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Trouble {
    /// There is no connection.
    Unreachable(Unreachable),
    /// Something else than a relay answers.
    NotARelay,
    /// The connection was lost.
    Lost,
    /// It did not answer in time.
    Silent,
    /// It sends nonsense, or events that nobody asked for.
    Nonsense,
    /// It refuses to answer, and says why.
    Refused(String),
    /// It wants to know who is there, and this program does not say so.
    WhoAreYou,
}

/// What a relay answered.
#[derive(Debug)]
pub(crate) struct Page {
    /// Events with right signatures that were asked for, each once.
    pub(crate) events: Vec<Event>,
    /// The times of those that are not read.
    pub(crate) unread: Vec<Seconds>,
    /// Whether the relay said that these are all, or as many were wanted.
    pub(crate) whole: bool,
}

/// What became of events that were published.
#[derive(Default, Debug)]
pub(crate) struct Published {
    /// How many the relay keeps.
    pub(crate) kept: usize,
    /// How many it does not keep, and the first reason.
    pub(crate) refused: usize,
    pub(crate) why: Option<String>,
}

impl Page {
    /// The times of all events, also of those that are not read: the relay has gone past them.
    pub(crate) fn times(&self) -> impl Iterator<Item = Seconds> {
        self.events.iter().map(Event::at).chain(self.unread.iter().copied())
    }
}

impl Client {
    /// Connects.
    pub(crate) async fn connect(relay: &RelayUrl) -> Result<Self, Trouble> {
        let RelayUrl { secure, host, port, .. } = relay.clone();
        let stream = At::Net { secure, host, port }.connect().await.map_err(Trouble::Unreachable)?;
        let config = WebSocketConfig::default()
            .max_message_size(Some(MOST_HEARD))
            .max_frame_size(Some(MOST_HEARD))
            .max_write_buffer_size(1 << 20);
        let greeting = tokio_tungstenite::client_async_with_config(relay.to_string(), stream, Some(config));
        let greeted = timeout(TO_CONNECT, greeting).await.map_err(|_| Trouble::Silent)?;
        let (socket, _) = greeted.map_err(|_| Trouble::NotARelay)?;
        Ok(Self { socket, asked: 0, over: 0, nonsense: 0, unread: 0, lately: (Instant::now(), 0) })
    }

    /// Asks for events, up to so many.
    pub(crate) async fn ask(&mut self, filter: &Filter, most: usize) -> Result<Page, Trouble> {
        let name = self.begin(filter).await?;
        let deadline = Instant::now() + TO_ANSWER;
        let (mut events, mut unread, mut ids) = (Vec::new(), Vec::new(), BTreeSet::new());
        let whole = loop {
            if events.len() + unread.len() >= most {
                break true;
            }
            match self.hear(deadline).await {
                Ok(FromRelay::Event { name: to, event }) if to == name => {
                    if !filter.fits(&event) {
                        self.nonsense()?;
                    } else if ids.insert(event.id()) {
                        events.push(*event);
                    }
                }
                Ok(FromRelay::Unread { name: to, kind, at, .. }) if to == name && filter.may_fit(kind, at) => {
                    self.unread = self.unread.saturating_add(1);
                    unread.push(at);
                }
                Ok(FromRelay::ThatIsAll(to)) if to == name => break true,
                Ok(FromRelay::Closed { name: to, why }) if to == name => return Err(refused(why)),
                Ok(_) => self.nonsense()?,
                // What has come is not thrown away; whether there is more, nobody knows.
                Err(Trouble::Silent | Trouble::Lost) if !events.is_empty() || !unread.is_empty() => break false,
                Err(trouble) => return Err(trouble),
            }
        };
        if whole {
            self.say(&ToRelay::Close(name)).await?;
            self.over = self.asked;
        }
        Ok(Page { events, unread, whole })
    }

    /// Asks for events without waiting for them; returns the name of the question.
    pub(crate) async fn begin(&mut self, filter: &Filter) -> Result<String, Trouble> {
        self.over = self.asked;
        self.asked += 1;
        let name = format!("q{}", self.asked);
        self.say(&ToRelay::Ask { name: name.clone(), filter: filter.clone() }).await?;
        Ok(name)
    }

    /// Publishes events, and waits until the relay has said of each what it does with it. `done` hears how many.
    pub(crate) async fn publish(
        &mut self,
        events: &[Event],
        done: &mut (dyn FnMut(usize) + Send),
    ) -> Result<Published, Trouble> {
        let mut published = Published::default();
        let mut coming = events.iter();
        let mut waiting: BTreeSet<EventId> = BTreeSet::new();
        loop {
            while waiting.len() < IN_FLIGHT {
                let Some(event) = coming.next() else { break };
                self.say(&ToRelay::Event(event.clone())).await?;
                waiting.insert(event.id());
            }
            if waiting.is_empty() {
                return Ok(published);
            }
            match self.hear(Instant::now() + TO_ANSWER).await? {
                FromRelay::Kept { id, kept, why } if waiting.remove(&id) => {
                    done(1);
                    if kept || why.starts_with("duplicate:") {
                        published.kept += 1;
                    } else if why.starts_with("auth-required:") {
                        return Err(Trouble::WhoAreYou);
                    } else {
                        published.refused += 1;
                        published.why.get_or_insert(why);
                    }
                }
                _ => self.nonsense()?,
            }
        }
    }

    /// Sends something.
    pub(crate) async fn say(&mut self, what: &ToRelay) -> Result<(), Trouble> {
        let sent = timeout(SILENCE, self.socket.send(Message::text(what.text()))).await;
        sent.map_err(|_| Trouble::Silent)?.map_err(|_| Trouble::Lost)
    }

    /// The next thing that makes sense, or trouble.
    async fn hear(&mut self, deadline: Instant) -> Result<FromRelay, Trouble> {
        loop {
            let patience = deadline.min(Instant::now() + SILENCE);
            match timeout_at(patience, self.next()).await.map_err(|_| Trouble::Silent)?? {
                Some(FromRelay::Notice(_) | FromRelay::WhoAreYou) => {}
                // Answers to earlier questions may still be on their way.
                Some(
                    FromRelay::Event { name, .. }
                    | FromRelay::Unread { name, .. }
                    | FromRelay::ThatIsAll(name)
                    | FromRelay::Closed { name, .. },
                ) if self.is_over(&name) => {}
                Some(said) => return Ok(said),
                None => self.nonsense()?,
            }
        }
    }

    /// The next message, however long it takes; `None` for one that makes no sense. Can be given up at any time.
    pub(crate) async fn next(&mut self) -> Result<Option<FromRelay>, Trouble> {
        loop {
            return match self.socket.next().await {
                Some(Ok(Message::Text(text))) => Ok(FromRelay::parse(text.as_str()).ok()),
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => continue,
                Some(Ok(Message::Binary(_))) => Ok(None),
                Some(Ok(Message::Close(_)) | Err(_)) | None => Err(Trouble::Lost),
            };
        }
    }

    fn is_over(&self, name: &str) -> bool {
        let number = name.strip_prefix('q').and_then(|number| number.parse::<u32>().ok());
        number.is_some_and(|number| number <= self.over)
    }

    /// Trouble if messages come faster than anybody can want.
    pub(crate) fn is_patient(&mut self) -> Result<(), Trouble> {
        let (since, count) = &mut self.lately;
        if since.elapsed() >= Duration::from_secs(1) {
            self.lately = (Instant::now(), 0);
            return Ok(());
        }
        *count += 1;
        if *count > MOST_IN_A_SECOND { Err(Trouble::Nonsense) } else { Ok(()) }
    }

    /// Counts something that makes no sense.
    fn nonsense(&mut self) -> Result<(), Trouble> {
        self.nonsense += 1;
        if self.nonsense > MOST_NONSENSE { Err(Trouble::Nonsense) } else { Ok(()) }
    }

    /// How much came that made no sense, was forged, was not asked for, or is outside of our limits.
    pub(crate) const fn ignored(&self) -> u32 {
        self.nonsense.saturating_add(self.unread)
    }
}

/// Why a question was closed.
fn refused(why: String) -> Trouble {
    if why.starts_with("auth-required:") { Trouble::WhoAreYou } else { Trouble::Refused(why) }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable(Unreachable::Address) => relays::BadAddress.fmt(f),
            Self::Unreachable(why) => why.fmt(f),
            Self::NotARelay => f.write_str("something else than a NOSTR relay answers there"),
            Self::Lost => f.write_str("the relay has ended the connection"),
            Self::Silent => f.write_str("the relay did not answer in time"),
            Self::Nonsense => f.write_str("the relay sends nonsense, or events that nobody asked for"),
            Self::Refused(why) if why.is_empty() => f.write_str("the relay refuses, and does not say why"),
            Self::Refused(why) => write!(f, "the relay refuses: {why}"),
            Self::WhoAreYou => f.write_str("the relay wants to know who you are (NIP-42), which is not supported"),
        }
    }
}

impl std::error::Error for Trouble {}
