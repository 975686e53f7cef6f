//! Storage for tables, players and results: SQLite in a file, or PostgreSQL for several servers at once.
//!
//! A table's log is the source of truth: entries at the heights 0, 1, 2, …, each written once and never changed.
//! Everything else can be derived from it and is stored only for quick lookups. To add to a log, a server reads it to
//! its end and appends at the next height; if another server was faster, that is a
//! [`Conflict`](AppendError::Conflict), and nothing was written. This one rule is enough for any number of servers,
//! players and operators at one table.
//!
//! ```text
//!  append, create, … ──► queue ──► writer ──► one transaction for all that is queued
//!  entries, table, … ──► pool ───────────────► database ──► news from other servers
//! ```
//!
//! Stored JSON is opaque here. Caveat: a caller must know the outcome of one entry before appending the next to the
//! same table, or a log could get a hole.
//!
//! Layout: `rows` holds what goes in and out; `work`, `writer` and `batch` write; `read` and `people` read; `news`
//! listens; `upkeep` maintains; `private` has everything about private tables; `place`, `files` and `schema` are about
//! the database itself.

mod batch;
mod error;
mod files;
mod news;
mod people;
mod place;
#[cfg(test)]
#[path = "../../tests/common/postgres.rs"]
#[allow(dead_code, reason = "other test programs use the rest")]
pub(crate) mod postgres;
mod private;
mod read;
mod rows;
mod schema;
mod secret;
#[cfg(test)]
mod tests;
mod upkeep;
mod work;
mod writer;

use std::collections::HashSet;
use std::fs::File;
use std::str::FromStr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use sqlx::{AnyPool, Connection};
use tokio::sync::{broadcast, mpsc, oneshot, watch};
use tokio::task::AbortHandle;
use tokio::time::timeout;

pub use crate::ids::{Code, PlayerId, PrivateId, TableId};
pub use error::{AppendError, Complaint, CreateError, StoreError};
pub use news::{Aside, TableChanged};
pub use private::{NewPrivate, PrivateRow};
pub use rows::{Change, Entry, Finished, NewTable, Phase, Player, SeatResult, Statistics, TableRow};
pub use secret::Secret;
pub use upkeep::Old;

use place::Place;
use work::{Append, Done, Failed, Job, Work};
use writer::Writer;

/// How much can be queued for writing before callers have to wait, too.
const QUEUE: usize = 4000;

/// How long PostgreSQL may take to answer a query, or for a batch. A file never needs a limit, and must not have one
/// for writing: SQLite continues when nobody waits any more.
const PATIENCE: Duration = Duration::from_secs(20);

/// How many change messages a slow listener may be behind.
const NEWS: usize = 4096;

/// The most pages that SQLite can count.
const NO_LIMIT: u32 = u32::MAX - 1;

/// The store. Clones are the same store.
#[derive(Clone)]
pub struct Store(Arc<Inner>);

struct Inner {
    place: Place,
    /// How long PostgreSQL may take.
    patience: Duration,
    pool: AnyPool,
    queue: mpsc::Sender<Job>,
    trouble: watch::Receiver<Option<StoreError>>,
    most_pages: watch::Sender<u32>,
    news: broadcast::Sender<TableChanged>,
    asides: broadcast::Sender<Aside>,
    listening: Option<AbortHandle>,
    /// A number that no other running server has.
    instance: u64,
    /// The last successful check that the database can be written.
    probed: tokio::sync::Mutex<Option<Instant>>,
    /// Rows that the log has already reported as unreadable.
    passed_over: Mutex<HashSet<String>>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        if let Some(listening) = &self.listening {
            listening.abort();
        }
    }
}

impl Store {
    /// Opens the database at `sqlite:PATH` or `postgres://…` for a server: creates it if it is missing and brings it
    /// up to date. Must be called within a Tokio runtime, on which the store then works.
    ///
    /// # Errors
    /// Fails if another server has the file open, or the database cannot be reached, created or read.
    pub async fn open(address: &str) -> Result<Self, StoreError> {
        Store::open_within(address, PATIENCE).await
    }

    /// The same with a different limit on waiting for PostgreSQL.
    pub(crate) async fn open_within(address: &str, patience: Duration) -> Result<Self, StoreError> {
        let (place, lock) = match Place::from_str(address)? {
            Place::Sqlite(path) => {
                let path = files::make_directory(&path)?;
                let lock = files::lock(&path)?;
                files::make(&path)?;
                (Place::Sqlite(path), Some(lock))
            }
            postgres => (postgres, None),
        };
        place.check_files()?;
        let mut connection = place.connect().await.map_err(|error| place.named(error))?;
        schema::migrate(&mut connection).await.map_err(|error| place.named(error))?;
        connection.close().await.map_err(|error| place.named(error))?;
        Store::start(place, lock, patience).await
    }

    /// Opens an existing, up-to-date database, even while a server has it open: for operator commands.
    ///
    /// # Errors
    /// Fails if there is no such database, or another version of this program created it.
    pub async fn open_beside(address: &str) -> Result<Self, StoreError> {
        let place = match Place::from_str(address)? {
            Place::Sqlite(path) => Place::Sqlite(files::find(&path)?),
            postgres => postgres,
        };
        place.check_files()?;
        let mut connection = place.connect().await.map_err(|error| place.named(error))?;
        let known = schema::check(&mut connection).await;
        connection.close().await.map_err(|error| place.named(error))?;
        known.map_err(|error| place.named(error))?;
        Store::start(place, None, PATIENCE).await
    }

    /// Writes everything that is queued and closes the database. Every later call fails.
    pub async fn close(&self) {
        self.0.pool.close().await;
        let _ = self.write(Work::Close).await;
    }

    /// Creates a table with the first entry of its log, at height 0.
    ///
    /// # Errors
    /// Fails if its code or id is taken, or the database cannot write it.
    pub async fn create(&self, table: NewTable) -> Result<(), CreateError> {
        match self.write(Work::Create(Box::new(table))).await {
            Ok(Done::CodeTaken) => Err(CreateError::CodeTaken),
            Ok(Done::IdTaken) => Err(CreateError::IdTaken),
            Ok(_) => Ok(()),
            Err(failed) => Err(CreateError::Failed(failed.into())),
        }
    }

    /// Appends an entry to a table's log at this height, together with the changes it makes. When this returns, the
    /// entry is on the disk. If the future is dropped before, the entry may still be written.
    ///
    /// # Errors
    /// Fails if there is an entry at that height, or the database cannot write.
    pub async fn append(
        &self,
        table: TableId,
        height: i64,
        at: i64,
        body: String,
        change: Option<Change>,
    ) -> Result<(), AppendError> {
        match self.write(Work::Append(Append { table, height, at, body, change })).await? {
            Done::Conflict => Err(AppendError::Conflict),
            _ => Ok(()),
        }
    }

    /// Sets for several tables when something is due automatically. Finished tables stay as they are.
    ///
    /// # Errors
    /// Fails if the database cannot write it.
    pub async fn set_due(&self, dues: Vec<(TableId, Option<i64>)>) -> Result<(), AppendError> {
        self.write(Work::Due(dues)).await.map(drop).map_err(Failed::into)
    }

    /// Notes that these players sit at these tables and have them open at this time.
    ///
    /// # Errors
    /// Fails if the database cannot write it.
    pub async fn set_here(&self, people: Vec<(TableId, PlayerId)>, at: i64) -> Result<(), AppendError> {
        self.write(Work::Here(people, at)).await.map(drop).map_err(Failed::into)
    }

    /// Changes of tables from now on, over PostgreSQL; over SQLite it stays silent. A listener that was too slow
    /// (`Lagged`) must treat that as [`TableChanged::Missed`].
    pub fn changed(&self) -> broadcast::Receiver<TableChanged> {
        self.0.news.subscribe()
    }

    /// Tells other servers something about a private table that is not stored; over SQLite there are none.
    ///
    /// # Errors
    /// Fails if the database cannot be reached.
    pub async fn tell_others(&self, table: PrivateId, text: &str) -> Result<(), StoreError> {
        if !self.is_shared() {
            return Ok(());
        }
        self.read(news::tell_aside(self.pool(), self.0.instance, table, text)).await
    }

    /// What other servers say about private tables from now on.
    pub fn asides(&self) -> broadcast::Receiver<Aside> {
        self.0.asides.subscribe()
    }

    async fn start(place: Place, lock: Option<File>, patience: Duration) -> Result<Self, StoreError> {
        let instance = instance()?;
        let pool = place.pool()?;
        let ((news, _), (asides, _)) = (broadcast::channel(NEWS), broadcast::channel(NEWS));
        let listening = match &place {
            Place::Sqlite(_) => None,
            Place::Postgres(address) => {
                let listener = news::connect(address).await?;
                let (news, asides) = (news.clone(), asides.clone());
                let listening = news::listen(listener, address.clone(), instance, news, asides, news::QUIET);
                Some(tokio::spawn(listening).abort_handle())
            }
        };
        let (queue, jobs) = mpsc::channel(QUEUE);
        let (tell_trouble, trouble) = watch::channel(None);
        let (most_pages, hear_most_pages) = watch::channel(NO_LIMIT);
        let writer = Writer::new(place.clone(), patience, instance, tell_trouble, hear_most_pages, lock);
        tokio::spawn(writer.run(jobs));
        let probed = tokio::sync::Mutex::default();
        let passed_over = Mutex::default();
        let inner = Inner {
            place,
            patience,
            pool,
            queue,
            trouble,
            most_pages,
            news,
            asides,
            listening,
            instance,
            probed,
            passed_over,
        };
        Ok(Store(Arc::new(inner)))
    }

    /// Whether other servers may write to it.
    pub fn is_shared(&self) -> bool {
        matches!(self.place(), Place::Postgres(_))
    }

    /// Reads from PostgreSQL with a time limit: a database that does not answer must not keep everybody waiting. A
    /// file always answers.
    async fn read<T>(&self, reading: impl Future<Output = Result<T, sqlx::Error>>) -> Result<T, StoreError> {
        match self.place() {
            Place::Sqlite(_) => reading.await.map_err(|error| self.place().named(error)),
            Place::Postgres(_) => {
                let read = timeout(self.0.patience, reading).await;
                Ok(read.map_err(|_| StoreError::too_slow())??)
            }
        }
    }

    async fn write(&self, work: Work) -> Result<Done, Failed> {
        let (reply, answer) = oneshot::channel();
        let closed = || Failed::Unavailable(StoreError::Closed);
        self.0.queue.send(Job { work, reply }).await.map_err(|_| closed())?;
        // The writer answers every job it takes, unless the whole runtime goes down.
        answer.await.unwrap_or(Err(Failed::Unknown))
    }

    fn set_most_pages(&self, most: u32) {
        self.0.most_pages.send_replace(most);
    }

    fn pool(&self) -> &AnyPool {
        &self.0.pool
    }

    fn place(&self) -> &Place {
        &self.0.place
    }

    fn last_trouble(&self) -> Option<StoreError> {
        self.0.trouble.borrow().clone()
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Store({})", self.kind())
    }
}

impl From<Failed> for AppendError {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Unavailable(error) => AppendError::Unavailable(error),
            Failed::Refused { no_table: true, .. } => AppendError::NoTable,
            Failed::Refused { complaint, no_table: false } => AppendError::Refused(complaint),
            Failed::Unknown => AppendError::Unknown,
        }
    }
}

/// A number that no other running server has.
fn instance() -> Result<u64, StoreError> {
    getrandom::u64().map_err(|_| StoreError::Garbled("source of random numbers"))
}
