//! The tables that are in use: loads them from their logs, takes what players want, keeps what is due.
//!
//! Any number of servers may share a database. None of them owns a table: whoever wants to add an entry
//! appends it at the height he knows, and where another was faster he reads on and tries again. A table in
//! memory is only a copy of its log, and is thrown away and read anew whenever it may not be one any more.
//!
//! ```text
//! command -> Room::event -> Room::apply -> append at this height -> everybody who looks on is told
//!                                          |-- taken: read the log, try again
//!                                          |-- cannot be written: refused, nothing has happened
//!                                          `-- perhaps written: said so, and read again
//! ```
//!
//! Nobody sees a state that is not stored: the table stays locked until its entry is. What has begun is done to its
//! end, whoever waits for it; a request that is given up changes nothing about that.
//!
//! - `live`: one table in memory
//! - `driver`: what is due at a table
//! - `finish`: what is stored when a match is over
//! - `thinkers`: where computers think
//! - `opening`: a new table
//! - `again`: a further match of the same people
//! - `present`, `handing`: who has a table open just now, and whose table it is when its owner has not

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
use crate::room::{Command, Entry, Face, Refusal};
use crate::store::{self, Store, StoreError, TableChanged};

pub(crate) use finish::Log;
pub use finish::{Seated, Summary};
pub use live::{Live, Reading, Watching};
pub use opening::Opening;
use thinkers::Thinkers;

/// How often due times are written down, and overdue tables looked for.
const SWEEP: Duration = Duration::from_secs(1);
/// A table that is overdue by this much is nobody's, and is taken up.
const OVERDUE: i64 = 3_000;
/// A table that nobody looks at is forgotten after so long; its log is not.
const IDLE: Duration = Duration::from_secs(60);
/// How long it takes until a table is read again that could not be, at first and at most.
const PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// How many tables are read at the same time when any may have changed.
const AT_ONCE: usize = 16;

/// A log of so many entries is long.
const LONG: usize = 300;

/// Why something could not be done at a table.
#[derive(Clone, Debug)]
pub enum HubError {
    /// The table refuses.
    Refused(Refusal),
    /// There is no such table.
    NoTable,
    /// Nothing can be stored or read now; nothing has happened.
    Unavailable(String),
    /// The database was lost at the very moment of writing: it may have happened or not.
    Unsure,
    /// There are too many tables, or too much was asked for at once.
    TooMany,
}

impl core::fmt::Display for HubError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Refused(why) => why.fmt(f),
            Self::NoTable => f.write_str("there is no such table"),
            Self::Unavailable(why) => write!(f, "nothing can be stored now, so nothing was done: {why}"),
            Self::Unsure => f.write_str("it is not known whether it was stored: look again"),
            Self::TooMany => f.write_str("that was too much at once; try again later"),
        }
    }
}

impl std::error::Error for HubError {}

impl HubError {
    /// For programs: a word that stays the same.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Refused(why) => why.code(),
            Self::NoTable => "not_found",
            Self::Unavailable(_) => "unavailable",
            Self::Unsure => "unsure",
            Self::TooMany => "too_many",
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
    /// When something is due at tables, as far as that has changed since it was written down.
    due: Mutex<HashMap<TableId, Option<i64>>>,
    /// Something that the lobby shows may have changed.
    lobby: watch::Sender<()>,
    most_tables: usize,
    /// How many of the tables in memory have been read.
    read: AtomicUsize,
    started: Millis,
    /// When something could not be stored for the last time.
    trouble: AtomicI64,
    /// When other servers were told last who is there.
    told: Mutex<Option<Instant>>,
    thinkers: Thinkers,
}

impl Hub {
    /// No tables in memory yet. [`Hub::keep_going`] must run beside it.
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

    /// The database behind.
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// What is counted.
    pub fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    /// Hears whenever something may have changed that the lobby shows, here or on another server.
    pub fn lobby(&self) -> watch::Receiver<()> {
        self.0.lobby.subscribe()
    }

    /// How many tables are in memory.
    pub fn loaded(&self) -> usize {
        self.0.read.load(Ordering::Relaxed)
    }

    /// A table, in memory from now on as long as it is used. Whether there is one shows when it is read.
    pub fn table(&self, id: TableId) -> Arc<Live> {
        self.table_since(id, self.0.started)
    }

    /// A table that is looked after since then, if it is not in memory already.
    fn table_since(&self, id: TableId, since: Millis) -> Arc<Live> {
        let mut tables = self.tables();
        if let Some(live) = tables.get(&id) {
            // Before the list can be looked through for those that nobody uses.
            live.touch();
            return live.clone();
        }
        let live = Arc::new(Live::new(id, since));
        tables.insert(id, live.clone());
        drop(tables);
        tokio::spawn(driver::drive(self.clone(), live.clone()));
        live
    }

    /// A player wants something of a table. It is done to its end even if nobody waits for that any more, as when
    /// a browser goes away in the middle of a request.
    pub async fn command(&self, id: TableId, player: PlayerId, face: &Face, command: Command) -> Result<(), HubError> {
        let (hub, face) = (self.clone(), face.clone());
        to_the_end(async move { hub.command_here(id, player, &face, command).await }).await
    }

    /// The same for tasks that nobody drops before their end, as those of sockets are.
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

    /// Keeps tables going until the server ends: what is due at those that nobody looks at, what other servers
    /// did, what is to be written down from time to time.
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
                        // What this server wrote it knows, but for what was lost on the way.
                        self.reread(live.into_iter().filter(|live| !own || live.is_unsure()).collect());
                    }
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

    /// After a start: tables where computers or clocks are to go on.
    async fn take_up_unfinished(&self) {
        match self.0.store.unfinished().await {
            Ok(tables) => {
                tracing::info!(tables = tables.len(), "unfinished tables are taken up");
                for id in tables {
                    self.table(id);
                    tokio::task::yield_now().await;
                }
            }
            Err(why) => tracing::error!(%why, "unfinished tables cannot be read"),
        }
    }

    async fn sweep(&self) {
        let due: Vec<(TableId, Option<i64>)> = lock(&self.0.due).drain().collect();
        if !due.is_empty()
            && let Err(why) = self.0.store.set_due(due.clone()).await
        {
            tracing::warn!(%why, "due times cannot be written");
            let mut later = lock(&self.0.due);
            for (id, due) in due {
                later.entry(id).or_insert(due);
            }
        }
        match self.0.store.due_before(now().plus(-OVERDUE).0, 200).await {
            Ok(tables) => tables.into_iter().for_each(|id| drop(self.table_since(id, now()))),
            Err(why) => tracing::warn!(%why, "overdue tables cannot be read"),
        }
        self.attend().await;
        self.forget_idle();
        self.0.metrics.loaded.set(i64::try_from(self.loaded()).unwrap_or(i64::MAX));
    }

    /// Other servers changed these tables. They are read in a task of its own, so that no table can hold up the
    /// news of others, and some at a time, so that the database is left to those who play.
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

    /// Reads on at a table, again and again if the database cannot be read.
    async fn read_until_known(&self, live: Arc<Live>) {
        let mut pause = PAUSE;
        loop {
            // What is told from here on may come too late for this reading.
            live.behind.store(false, Ordering::Relaxed);
            match self.catch_up(&live).await {
                Err(HubError::Unavailable(why)) if !live.is_forgotten() => {
                    tracing::warn!(table = live.id().tag(), %why, "a table cannot be read");
                    live.behind.store(true, Ordering::Relaxed);
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
                Ok(()) | Err(_) => return,
            }
        }
    }

    /// Nothing can be done at a table, whatever was noted before.
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

    /// There is no such table, so nothing is kept of it: ids are easily made up.
    fn drop_unknown(&self, live: &Live) {
        let mut tables = self.tables();
        if tables.get(&live.id()).is_some_and(|known| std::ptr::eq(Arc::as_ptr(known), live)) {
            tables.remove(&live.id());
        }
        self.uncount(live);
    }

    /// It has been read.
    fn count(&self, live: &Live) {
        // One that was forgotten meanwhile is not in the list, and none of it.
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

/// Does something that takes the longer the longer a log is. Where that is long, nobody else waits for it.
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

/// Does something to its end, whoever waits for it.
async fn to_the_end<T: Send + 'static>(
    doing: impl Future<Output = Result<T, HubError>> + Send + 'static,
) -> Result<T, HubError> {
    // A task fails if something in it breaks down, or when the server ends.
    tokio::spawn(doing).await.unwrap_or(Err(HubError::Unsure))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Random bytes.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], HubError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|why| HubError::Unavailable(format!("no randomness: {why}")))?;
    Ok(bytes)
}

fn body(entry: &Entry) -> Result<String, HubError> {
    serde_json::to_string(entry).map_err(|why| HubError::Unavailable(why.to_string()))
}

/// An entry as it was stored.
fn entry(stored: &store::Entry) -> Result<Entry, Refusal> {
    serde_json::from_str(&stored.body).map_err(|_| Refusal::Damaged("an entry cannot be read"))
}

/// The time of an event, never before that of the one before it.
fn time_after(earlier: Millis) -> Millis {
    now().max(earlier)
}
