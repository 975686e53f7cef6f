//! One seat: a program that plays the first legal card, as in `docs/bots.md`.
//!
//! It looks for the few words it needs instead of parsing JSON: the server lacks every bit of CPU time it uses.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use super::Failed;

/// How long all tables may take to begin.
const PATIENCE: Duration = Duration::from_secs(300);

/// The state that all seats share.
pub(crate) struct Course {
    stage: watch::Sender<Stage>,
    measured: AtomicBool,
    /// Seats that have been told that the match has begun.
    there: AtomicUsize,
    /// When everybody began to play.
    began: OnceLock<Instant>,
    /// Time between two actions of one table, in microseconds; 0 if everybody acts at once.
    interval: u64,
    tables: AtomicU64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Waiting,
    Playing,
    Over,
}

impl Course {
    pub(crate) fn new(interval: Option<Duration>) -> Self {
        Self {
            stage: watch::Sender::new(Stage::Waiting),
            measured: AtomicBool::new(false),
            there: AtomicUsize::new(0),
            began: OnceLock::new(),
            interval: interval.map_or(0, micros),
            tables: AtomicU64::new(0),
        }
    }

    /// When a table's first action is due after the beginning, in microseconds: tables are spread evenly.
    pub(crate) fn first_due(&self) -> AtomicU64 {
        let number = self.tables.fetch_add(1, Ordering::Relaxed);
        // A step that has no common factor with a thousand.
        AtomicU64::new(self.interval * (number * 619 % 1000) / 1000)
    }

    pub(crate) async fn wait_for_all(&self, seats: usize) -> Result<(), Failed> {
        let began = Instant::now();
        while self.there.load(Ordering::Relaxed) < seats {
            if began.elapsed() > PATIENCE {
                return Err("not all tables have begun".into());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(())
    }

    pub(crate) fn go(&self) {
        self.start();
        self.stage.send_replace(Stage::Playing);
    }

    fn start(&self) -> Instant {
        *self.began.get_or_init(Instant::now)
    }

    pub(crate) fn measure(&self, on: bool) {
        self.measured.store(on, Ordering::Relaxed);
    }

    pub(crate) fn stop(&self) {
        self.stage.send_replace(Stage::Over);
    }
}

/// What a seat has done.
#[derive(Default)]
pub(crate) struct Played {
    /// The time of every action that counts, in microseconds.
    pub(crate) times: Vec<u32>,
    /// Whether its match was over too early.
    pub(crate) over: bool,
    /// Whether the server refused something or went away.
    pub(crate) broken: bool,
}

/// One seat.
pub(crate) struct Bot {
    socket: WebSocketStream<TcpStream>,
    course: Arc<Course>,
    /// When this table's next action is due.
    due: Arc<AtomicU64>,
    seat: Option<String>,
    /// When the action was sent that it has not been told about yet.
    sent: Option<Instant>,
    played: Played,
}

impl Bot {
    pub(crate) async fn open(
        at: SocketAddr,
        table: &str,
        key: &str,
        course: Arc<Course>,
        due: Arc<AtomicU64>,
    ) -> Result<Self, Failed> {
        let mut request = format!("ws://{at}/api/v1/tables/{table}/play").into_client_request()?;
        request.headers_mut().insert("Authorization", format!("Bearer {key}").parse()?);
        let stream = TcpStream::connect(at).await?;
        stream.set_nodelay(true)?;
        let config = WebSocketConfig::default().read_buffer_size(4 << 10).write_buffer_size(0);
        let (socket, _) = client_async_with_config(request, stream, Some(config)).await?;
        Ok(Self { socket, course, due, seat: None, sent: None, played: Played::default() })
    }

    /// Begins the match.
    pub(crate) async fn start(&mut self) -> Result<(), Failed> {
        Ok(self.socket.send(Message::text(r#"{"command":{"start":{}}}"#)).await?)
    }

    /// Plays until the time is over.
    pub(crate) async fn play(mut self) -> Played {
        let mut stage = self.course.stage.subscribe();
        loop {
            let message = tokio::select! {
                biased;
                _ = stage.wait_for(|stage| *stage == Stage::Over) => break,
                message = self.socket.next() => message,
            };
            let heard = match message {
                Some(Ok(Message::Text(text))) => self.hear(&text, &mut stage).await,
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(()),
                _ => Err(Gone),
            };
            if heard.is_err() {
                self.played.broken = true;
                break;
            }
        }
        self.played
    }

    async fn hear(&mut self, text: &Utf8Bytes, stage: &mut watch::Receiver<Stage>) -> Result<(), Gone> {
        if text.starts_with(r#"{"did":"#) {
            if self.seat.is_some() && number(text, "seat") == self.seat.as_deref() {
                self.told();
            }
        } else if text.starts_with(r#"{"ask":"#) {
            let answer = answer(text).ok_or(Gone)?;
            if stage.wait_for(|stage| *stage != Stage::Waiting).await.is_err() {
                return Err(Gone);
            }
            self.sent = Some(self.wait().await);
            self.socket.send(Message::text(answer)).await.map_err(|_| Gone)?;
        } else if text.starts_with(r#"{"hello":"#) {
            self.seat = number(text, "seat").map(str::to_owned);
            self.course.there.fetch_add(1, Ordering::Relaxed);
        } else if text.starts_with(r#"{"refused":"#) {
            return Err(Gone);
        } else if text.starts_with(r#"{"over":"#) {
            self.played.over = true;
        }
        Ok(())
    }

    /// Waits until an action is due, and returns when its time starts. If the server asks too late, the time starts
    /// when it was due, so that a server gains nothing by asking late.
    async fn wait(&self) -> Instant {
        if self.course.interval == 0 {
            return Instant::now();
        }
        let due = self.due.fetch_add(self.course.interval, Ordering::Relaxed);
        let due = self.course.start() + Duration::from_micros(due);
        if due < Instant::now() {
            return due;
        }
        tokio::time::sleep_until(due.into()).await;
        Instant::now()
    }

    /// It has been told about its own action.
    fn told(&mut self) {
        let Some(sent) = self.sent.take() else { return };
        if self.course.measured.load(Ordering::Relaxed) {
            self.played.times.push(u32::try_from(sent.elapsed().as_micros()).unwrap_or(u32::MAX));
        }
    }
}

/// The server is gone, or disagrees.
struct Gone;

/// The answer to a question.
fn answer(ask: &str) -> Option<String> {
    let id = number(ask, "id")?;
    let (_, moves) = ask.split_once(r#""moves":{""#)?;
    if let Some(cards) = moves.strip_prefix(r#"play":[{"slot":""#) {
        let (slot, _) = cards.split_once('"')?;
        return Some(format!(r#"{{"id":{id},"action":{{"play":"{slot}"}}}}"#));
    }
    moves.starts_with("bid").then(|| format!(r#"{{"id":{id},"action":{{"bid":1}}}}"#))
}

/// The first number of this name.
fn number<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let at = text.match_indices(name).find(|(at, _)| {
        let before = text.get(..*at).is_some_and(|before| before.ends_with('"'));
        before && text.get(at + name.len()..).is_some_and(|after| after.starts_with("\":"))
    });
    let number = text.get(at?.0 + name.len() + 2..)?;
    number.split(|c: char| !c.is_ascii_digit()).next().filter(|digits| !digits.is_empty())
}

/// The first text of this name.
pub(crate) fn text<'a>(json: &'a str, name: &str) -> Result<&'a str, Failed> {
    let found = json.split_once(&format!("\"{name}\":\"")).and_then(|(_, rest)| rest.split_once('"'));
    Ok(found.ok_or_else(|| format!("no {name} in {json}"))?.0)
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
