//! Where tables, players and results are kept: SQLite in a file, or PostgreSQL for several servers at once.
//!
//! The log of a table is the truth about it: entries at the heights 0, 1, 2, …, each written once and never changed.
//! Everything else can be worked out from it and is kept only to be found quickly. Whoever wants to add to a log reads
//! it to its end and appends at the next height; if somebody else was faster, that is a
//! [`Conflict`](AppendError::Conflict), and nothing was written. This one rule is enough for any number of servers,
//! players and operators at one table.
//!
//! ```text
//!  append, create, … ──► queue ──► writer ──► one transaction for all that is queued
//!  entries, table, … ──► pool ───────────────► database ──► news of other servers
//! ```
//!
//! What is kept as JSON is opaque here. Caveat: whoever appends must know what became of one entry before appending
//! the next to the same table, or a log could get a hole.
//!
//! Layout: `rows` is what goes in and out, `work`, `writer` and `batch` write, `read` and `people` read,
//! `news` listens, `upkeep` tends, `place`, `files` and `schema` are about the database itself.

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

pub use crate::ids::{Code, PlayerId, TableId};
pub use error::{AppendError, Complaint, CreateError, StoreError};
pub use news::TableChanged;
pub use rows::{Change, Entry, Finished, NewTable, Phase, Player, SeatResult, Statistics, TableRow};
pub use secret::Secret;
pub use upkeep::Old;

use place::Place;
use work::{Append, Done, Failed, Job, Work};
use writer::Writer;

/// How much can wait to be written before those who ask have to wait too.
const QUEUE: usize = 4000;

/// How long PostgreSQL may take to answer a question, or for a batch. A file never needs a limit, and must not have one
/// for writing: SQLite goes on when nobody waits any more.
const PATIENCE: Duration = Duration::from_secs(20);

/// How many messages about changes a slow listener may be behind.
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
    listening: Option<AbortHandle>,
    /// A number that no other running server has.
    instance: u64,
    /// When it was last tried out, with success, whether the database can be written.
    probed: tokio::sync::Mutex<Option<Instant>>,
    /// Rows of which the log says that they cannot be understood.
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
    /// Opens the database at `sqlite:PATH` or `postgres://…` for a server: makes it where missing and brings it up to
    /// date. Must be called within a Tokio runtime, on which the store then works.
    ///
    /// # Errors
    /// If another server has the file open, or the database cannot be reached, made or understood.
    pub async fn open(address: &str) -> Result<Self, StoreError> {
        Store::open_within(address, PATIENCE).await
    }

    /// The same for whoever does not want to wait so long for PostgreSQL.
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

    /// Opens a database that exists and is up to date, also while a server has it open: for commands of operators.
    ///
    /// # Errors
    /// If there is no such database, or another version of this program has made it.
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

    /// Writes everything that is queued and closes the database. Whatever is asked afterwards fails.
    pub async fn close(&self) {
        self.0.pool.close().await;
        let _ = self.write(Work::Close).await;
    }

    /// Makes a table with the first entry of its log, at height 0.
    ///
    /// # Errors
    /// If its code or id is taken, or the database cannot write it.
    pub async fn create(&self, table: NewTable) -> Result<(), CreateError> {
        match self.write(Work::Create(Box::new(table))).await {
            Ok(Done::CodeTaken) => Err(CreateError::CodeTaken),
            Ok(Done::IdTaken) => Err(CreateError::IdTaken),
            Ok(_) => Ok(()),
            Err(failed) => Err(CreateError::Failed(failed.into())),
        }
    }

    /// Appends an entry to a table's log at this height, together with what it changes. When this returns, it is on
    /// the disk. If the future is dropped before, the entry may still be written.
    ///
    /// # Errors
    /// If there is an entry at that height, or the database cannot write.
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

    /// Says for several tables when something is due though nobody does anything. Tables that are over stay as they
    /// are.
    ///
    /// # Errors
    /// If the database cannot write it.
    pub async fn set_due(&self, dues: Vec<(TableId, Option<i64>)>) -> Result<(), AppendError> {
        self.write(Work::Due(dues)).await.map(drop).map_err(Failed::into)
    }

    /// Notes that these players sit at these tables and have them open at this time.
    ///
    /// # Errors
    /// If the database cannot write it.
    pub async fn set_here(&self, people: Vec<(TableId, PlayerId)>, at: i64) -> Result<(), AppendError> {
        self.write(Work::Here(people, at)).await.map(drop).map_err(Failed::into)
    }

    /// What happens to tables from now on, over PostgreSQL; over SQLite it stays silent. A listener that was too slow
    /// (`Lagged`) must treat that as [`TableChanged::Missed`].
    pub fn changed(&self) -> broadcast::Receiver<TableChanged> {
        self.0.news.subscribe()
    }

    async fn start(place: Place, lock: Option<File>, patience: Duration) -> Result<Self, StoreError> {
        let instance = instance()?;
        let pool = place.pool()?;
        let (news, _) = broadcast::channel(NEWS);
        let listening = match &place {
            Place::Sqlite(_) => None,
            Place::Postgres(address) => {
                let listener = news::connect(address).await?;
                Some(
                    tokio::spawn(news::listen(listener, address.clone(), instance, news.clone(), news::QUIET))
                        .abort_handle(),
                )
            }
        };
        let (queue, jobs) = mpsc::channel(QUEUE);
        let (tell_trouble, trouble) = watch::channel(None);
        let (most_pages, hear_most_pages) = watch::channel(NO_LIMIT);
        let writer = Writer::new(place.clone(), patience, instance, tell_trouble, hear_most_pages, lock);
        tokio::spawn(writer.run(jobs));
        let probed = tokio::sync::Mutex::default();
        let passed_over = Mutex::default();
        let inner =
            Inner { place, patience, pool, queue, trouble, most_pages, news, listening, instance, probed, passed_over };
        Ok(Store(Arc::new(inner)))
    }

    /// May other servers write to it?
    pub fn is_shared(&self) -> bool {
        matches!(self.place(), Place::Postgres(_))
    }

    /// Reads from PostgreSQL for so long and no longer: one that does not answer must not keep everybody waiting who
    /// asks. A file always answers.
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
        // The writer answers everything that it takes, unless the whole runtime goes down.
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
