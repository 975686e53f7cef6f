//! The tables in use: loads them from their logs, carries out players' commands, does what is due.
//!
//! Any number of servers may share a database. None of them owns a table: a server that wants to add an entry appends
//! it at the height it knows; if another server was faster, it reads on and tries again. A table in memory is only a
//! copy of its log, and is discarded and reloaded whenever it may be out of date.
//!
//! ```text
//! command -> Room::event -> Room::apply -> append at this height -> all viewers are told
//!                                          |-- height taken: read the log, try again
//!                                          |-- cannot be written: refused, nothing has happened
//!                                          `-- perhaps written: reported as such, and reloaded
//! ```
//!
//! Nobody sees a state that is not stored: the table stays locked until its entry is. Work that has begun is always
//! finished, even if the request that started it is dropped.
//!
//! - `live`: one table in memory
//! - `driver`: what is due at a table
//! - `finish`: what is stored when a match is over
//! - `thinkers`: the threads that compute computer moves
//! - `opening`: a new table
//! - `again`: a rematch of the same people
//! - `present`, `handing`: who has a table open right now, and who gets it if its owner is away

mod again;
mod driver;
mod finish;
mod handing;
mod live;
mod opening;
mod present;
#[cfg(test)]
mod tests;
mod thinkers;

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;

use crate::clock::now;
use crate::ids::{Millis, PlayerId, TableId};
use crate::metrics::Metrics;
use crate::private::Private;
use crate::room::{Command, Entry, Face, Refusal};
use crate::store::{self, Store, StoreError, TableChanged};

pub(crate) use finish::Log;
pub use finish::{Seated, Summary};
pub use live::{Live, Reading, Watching};
pub use opening::Opening;
pub(crate) use opening::code;
use thinkers::Thinkers;

/// How often due times are stored, and overdue tables looked for.
const SWEEP: Duration = Duration::from_secs(1);
/// A table that is overdue by this much belongs to no server, and is taken up.
const OVERDUE: i64 = 3_000;
/// A table that nobody watches is dropped from memory after this long; its log stays.
const IDLE: Duration = Duration::from_secs(60);
/// How long to wait before reading a table again after a failure, at first and at most.
const PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// How many tables are read at the same time when any may have changed.
const AT_ONCE: usize = 16;

/// A log with this many entries is long.
const LONG: usize = 300;

/// Why something could not be done at a table.
#[derive(Clone, Debug)]
pub enum HubError {
    /// The table refuses.
    Refused(Refusal),
    /// There is no such table.
    NoTable,
    /// The database cannot be read or written now; nothing has happened.
    Unavailable(String),
    /// The connection to the database was lost while writing: it may have happened or not.
    Unsure,
    /// There are too many tables, or too much was asked for at once.
    TooMany,
    /// There is such a table already.
    Taken,
}

impl core::fmt::Display for HubError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Refused(why) => why.fmt(f),
            Self::NoTable => f.write_str("there is no such table"),
            Self::Unavailable(why) => write!(f, "the database cannot be reached; nothing has changed: {why}"),
            Self::Unsure => f.write_str("this may or may not have been stored: please check"),
            Self::TooMany => f.write_str("too many requests at once; try again later"),
            Self::Taken => f.write_str("there is such a table already"),
        }
    }
}

impl std::error::Error for HubError {}

impl HubError {
    /// For programs: a code that never changes.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Refused(why) => why.code(),
            Self::NoTable => "not_found",
            Self::Unavailable(_) => "unavailable",
            Self::Unsure => "unsure",
            Self::TooMany => "too_many",
            Self::Taken => "taken",
        }
    }
}

impl From<Refusal> for HubError {
    fn from(why: Refusal) -> Self {
        Self::Refused(why)
    }
}

impl From<StoreError> for HubError {
    fn from(why: StoreError) -> Self {
        Self::Unavailable(why.to_string())
    }
}

/// All tables in use. Cheap to clone.
#[derive(Clone)]
pub struct Hub(Arc<Inner>);

struct Inner {
    store: Store,
    metrics: Arc<Metrics>,
    tables: Mutex<HashMap<TableId, Arc<Live>>>,
    /// The due times of tables that have changed since they were last stored.
    due: Mutex<HashMap<TableId, Option<i64>>>,
    /// Something that the lobby shows may have changed.
    lobby: watch::Sender<()>,
    most_tables: usize,
    /// The number of tables in memory that have been loaded.
    read: AtomicUsize,
    started: Millis,
    /// When storing last failed.
    trouble: AtomicI64,
    /// When other servers were last told who is there.
    told: Mutex<Option<Instant>>,
    thinkers: Thinkers,
}

impl Hub {
    /// No tables in memory yet. [`Hub::keep_going`] must run next to it.
    pub fn new(store: Store, metrics: Arc<Metrics>, most_tables: usize) -> Self {
        let thinkers = Thinkers::new(metrics.clone());
        Self(Arc::new(Inner {
            store,
            metrics,
            thinkers,
            tables: Mutex::default(),
            due: Mutex::default(),
            lobby: watch::Sender::new(()),
            most_tables,
            read: AtomicUsize::new(0),
            started: now(),
            trouble: AtomicI64::new(i64::MIN),
            told: Mutex::default(),
        }))
    }

    /// The database.
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// The counters.
    pub fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    /// Receives a message whenever something that the lobby shows may have changed, here or on another server.
    pub fn lobby(&self) -> watch::Receiver<()> {
        self.0.lobby.subscribe()
    }

    /// Something else that the lobby shows has changed.
    pub(crate) fn lobby_changed(&self) {
        self.0.lobby.send_replace(());
    }

    /// Private tables share the lobby, the counters and the limit on tables.
    pub(crate) fn private(&self) -> Private {
        Private::new(self.0.store.clone(), self.0.metrics.clone(), self.0.most_tables, self.0.lobby.clone())
    }

    /// The number of tables in memory.
    pub fn loaded(&self) -> usize {
        self.0.read.load(Ordering::Relaxed)
    }

    /// A table, kept in memory from now on while it is used. Whether it exists shows when it is loaded.
    pub fn table(&self, id: TableId) -> Arc<Live> {
        self.table_since(id, self.0.started)
    }

    /// A table that has been looked after since then, if it is not already in memory.
    fn table_since(&self, id: TableId, since: Millis) -> Arc<Live> {
        let mut tables = self.tables();
        if let Some(live) = tables.get(&id) {
            // Before the list can be searched for unused tables.
            live.touch();
            return live.clone();
        }
        let live = Arc::new(Live::new(id, since));
        tables.insert(id, live.clone());
        drop(tables);
        tokio::spawn(driver::drive(self.clone(), live.clone()));
        live
    }

    /// A player's command to a table. It is finished even if nobody waits for it any more, such as when a browser goes
    /// away in the middle of a request.
    pub async fn command(&self, id: TableId, player: PlayerId, face: &Face, command: Command) -> Result<(), HubError> {
        let (hub, face) = (self.clone(), face.clone());
        to_the_end(async move { hub.command_here(id, player, &face, command).await }).await
    }

    /// The same, for tasks that are never dropped before their end, like those of sockets.
    pub async fn command_here(
        &self,
        id: TableId,
        player: PlayerId,
        face: &Face,
        command: Command,
    ) -> Result<(), HubError> {
        let live = self.table(id);
        live.present.see(player);
        self.act(&live, |room| room.event(player, face, command.clone())).await
    }

    /// Keeps tables going until the server stops: what is due at tables nobody watches, changes by other servers, data
    /// that is stored from time to time.
    pub async fn keep_going(self) {
        let mut changed = self.0.store.changed();
        self.take_up_unfinished().await;
        let mut sweep = tokio::time::interval(SWEEP);
        loop {
            tokio::select! {
                _ = sweep.tick() => self.sweep().await,
                change = changed.recv() => match change {
                    Ok(TableChanged::Table { id, own }) => {
                        if !own {
                            self.0.lobby.send_replace(());
                        }
                        let live = self.tables().get(&id).cloned();
                        // This server knows its own entries, except those whose outcome was lost.
                        self.reread(live.into_iter().filter(|live| !own || live.is_unsure()).collect());
                    }
                    // Their own hub listens as well.
                    Ok(TableChanged::Private { .. }) => {}
                    Ok(TableChanged::Missed) | Err(RecvError::Lagged(_)) => {
                        self.0.lobby.send_replace(());
                        let all = self.tables().values().cloned().collect();
                        self.reread(all);
                    }
                    Err(RecvError::Closed) => std::future::pending().await,
                },
            }
        }
    }

    /// After a start: tables where computers or clocks must continue.
    async fn take_up_unfinished(&self) {
        match self.0.store.unfinished().await {
            Ok(tables) => {
                tracing::info!(tables = tables.len(), "resuming unfinished tables");
                for id in tables {
                    self.table(id);
                    tokio::task::yield_now().await;
                }
            }
            Err(why) => tracing::error!(%why, "unfinished tables could not be read"),
        }
    }

    async fn sweep(&self) {
        let due: Vec<(TableId, Option<i64>)> = lock(&self.0.due).drain().collect();
        if !due.is_empty()
            && let Err(why) = self.0.store.set_due(due.clone()).await
        {
            tracing::warn!(%why, "due times could not be written");
            let mut later = lock(&self.0.due);
            for (id, due) in due {
                later.entry(id).or_insert(due);
            }
        }
        match self.0.store.due_before(now().plus(-OVERDUE).0, 200).await {
            Ok(tables) => tables.into_iter().for_each(|id| drop(self.table_since(id, now()))),
            Err(why) => tracing::warn!(%why, "overdue tables could not be read"),
        }
        self.attend().await;
        self.forget_idle();
        self.0.metrics.loaded.set(i64::try_from(self.loaded()).unwrap_or(i64::MAX));
    }

    /// Other servers changed these tables. They are read in a separate task, so that no table can delay news about
    /// others, and a few at a time, so that the database stays free for players.
    fn reread(&self, mut tables: Vec<Arc<Live>>) {
        tables.retain(|live| !live.behind.swap(true, Ordering::Relaxed));
        if tables.is_empty() {
            return;
        }
        let hub = self.clone();
        tokio::spawn(async move {
            let reading = |live: Arc<Live>| hub.read_until_known(live);
            futures_util::stream::iter(tables).for_each_concurrent(AT_ONCE, reading).await;
        });
    }

    /// Reads new entries of a table, again and again if the database cannot be read.
    async fn read_until_known(&self, live: Arc<Live>) {
        let mut pause = PAUSE;
        loop {
            // News from now on may come too late for this read.
            live.behind.store(false, Ordering::Relaxed);
            match self.catch_up(&live).await {
                Err(HubError::Unavailable(why)) if !live.is_forgotten() => {
                    tracing::warn!(table = live.id().tag(), %why, "a table could not be read");
                    live.behind.store(true, Ordering::Relaxed);
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                Ok(()) | Err(_) => return,
            }
        }
    }

    /// Nothing can be done at a table, no matter what was noted before.
    fn nothing_is_due(&self, id: TableId) {
        lock(&self.0.due).insert(id, None);
    }

    fn forget_idle(&self) {
        self.tables().retain(|_, live| {
            let keep = !live.is_idle(IDLE);
            if !keep {
                self.uncount(live);
            }
            keep
        });
    }

    /// There is no such table, so nothing is kept of it: anyone can invent ids.
    fn drop_unknown(&self, live: &Live) {
        let mut tables = self.tables();
        if tables.get(&live.id()).is_some_and(|known| std::ptr::eq(Arc::as_ptr(known), live)) {
            tables.remove(&live.id());
        }
        self.uncount(live);
    }

    /// It has been loaded.
    fn count(&self, live: &Live) {
        // A table that was dropped meanwhile is not in the list and does not count.
        let tables = self.tables();
        if tables.contains_key(&live.id()) && !live.is_forgotten() && !live.read.swap(true, Ordering::Relaxed) {
            self.0.read.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// It is no longer in the list, which is still locked.
    fn uncount(&self, live: &Live) {
        live.forget();
        if live.read.swap(false, Ordering::Relaxed) {
            self.0.read.fetch_sub(1, Ordering::Relaxed);
        }
    }

    fn tables(&self) -> std::sync::MutexGuard<'_, HashMap<TableId, Arc<Live>>> {
        lock(&self.0.tables)
    }
}

/// Does work whose duration grows with the length of a log. If the log is long, nobody else waits for it.
async fn aside<T: Send + 'static>(
    entries: usize,
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, HubError> {
    if entries < LONG {
        return Ok(work()?);
    }
    let done = tokio::task::spawn_blocking(work).await;
    Ok(done.map_err(|why| HubError::Unavailable(why.to_string()))??)
}

/// Finishes the work even if nobody waits for it.
async fn to_the_end<T: Send + 'static>(
    doing: impl Future<Output = Result<T, HubError>> + Send + 'static,
) -> Result<T, HubError> {
    // A task fails if it panics, or when the server stops.
    tokio::spawn(doing).await.unwrap_or(Err(HubError::Unsure))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Random bytes.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], HubError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|why| HubError::Unavailable(format!("no random numbers: {why}")))?;
    Ok(bytes)
}

fn body(entry: &Entry) -> Result<String, HubError> {
    serde_json::to_string(entry).map_err(|why| HubError::Unavailable(why.to_string()))
}

/// A stored entry.
fn entry(stored: &store::Entry) -> Result<Entry, Refusal> {
    serde_json::from_str(&stored.body).map_err(|_| Refusal::Damaged("an entry cannot be read"))
}

/// The time of an event, never before that of the previous one.
fn time_after(earlier: Millis) -> Millis {
    now().max(earlier)
}
