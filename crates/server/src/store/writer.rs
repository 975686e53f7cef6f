//! The one task that writes.
//!
//! 1. Callers queue their work and wait. The queue is bounded, so that a slow disk slows everybody down instead of
//!    filling memory.
//! 2. The writer takes everything that is queued into one transaction. While the disk works, the next batch gathers:
//!    the more there is to do, the less each piece costs.
//! 3. Callers are told that something was written only after the commit.
//!
//! If the database refuses something in a batch, every piece is tried alone, so that it fails alone. If the database
//! is unreachable, the whole batch fails, and nothing of it was stored. If the connection breaks during the commit
//! itself, PostgreSQL is asked later whether the data is there.

use std::fs::File;
use std::time::Duration;

use sqlx::{AnyConnection, AssertSqlSafe, Connection};
use tokio::sync::{mpsc, watch};
use tokio::time::{sleep, timeout};

use super::batch::{self, Outcome, WriteError};
use super::news;
use super::place::Place;
use super::work::{Done, Ending, Failed, Job, Work};
use super::{Complaint, StoreError};

/// The most pieces of work in one transaction.
const BATCH: usize = 1000;

/// How often a transaction is retried after a conflict with another server, and after a stale connection.
const TRIES: usize = 5;

/// The task's state.
pub(super) struct Writer {
    place: Place,
    /// How long PostgreSQL may take for a batch.
    patience: Duration,
    /// Marks this server's own notifications.
    instance: u64,
    connection: Option<AnyConnection>,
    /// Why the last batch failed, if it did.
    trouble: watch::Sender<Option<StoreError>>,
    /// How many pages a file may have, and whether the connection has been told.
    most_pages: watch::Receiver<u32>,
    /// Held until the last batch is written.
    lock: Option<File>,
}

impl Writer {
    pub(super) fn new(
        place: Place,
        patience: Duration,
        instance: u64,
        trouble: watch::Sender<Option<StoreError>>,
        most_pages: watch::Receiver<u32>,
        lock: Option<File>,
    ) -> Self {
        Writer { place, patience, instance, connection: None, trouble, most_pages, lock }
    }

    /// Writes until the store is closed or nobody is left to ask for anything.
    pub(super) async fn run(mut self, mut queue: mpsc::Receiver<Job>) {
        let mut jobs = Vec::with_capacity(BATCH);
        let mut closing = Vec::new();
        while queue.recv_many(&mut jobs, BATCH).await > 0 {
            closing.extend(jobs.extract_if(.., |job| matches!(job.work, Work::Close)));
            if !closing.is_empty() {
                // No new work is accepted; queued work is still written.
                queue.close();
            }
            let batch = std::mem::replace(&mut jobs, Vec::with_capacity(BATCH));
            self.write(batch).await;
        }
        if let Some(connection) = self.connection.take() {
            hang_up(connection).await;
        }
        // A caller that is told that the store is closed may open the file again.
        drop(self.lock.take());
        for job in closing {
            let _ = job.reply.send(Ok(Done::Written));
        }
    }

    async fn write(&mut self, batch: Vec<Job>) {
        if batch.is_empty() {
            return;
        }
        match self.attempt(&batch).await {
            Err(Failed::Refused { .. }) if batch.len() > 1 => {
                for job in batch {
                    let answer = self.attempt(std::slice::from_ref(&job)).await;
                    self.answer(vec![job], answer);
                }
            }
            answer => self.answer(batch, answer),
        }
    }

    fn answer(&self, batch: Vec<Job>, answer: Result<Vec<Done>, Failed>) {
        let answer = answer.map_err(|failed| match failed {
            Failed::Unavailable(error) => Failed::Unavailable(self.place.named(error)),
            other => other,
        });
        let trouble = match &answer {
            Ok(_) | Err(Failed::Refused { .. }) => None,
            Err(Failed::Unavailable(error)) => Some(error.clone()),
            Err(Failed::Unknown) => Some(lost()),
        };
        self.trouble.send_if_modified(|now| {
            let modified = now.is_some() || trouble.is_some();
            *now = trouble;
            modified
        });
        // A caller that no longer waits needs no answer.
        match answer {
            Ok(done) => {
                for (job, done) in batch.into_iter().zip(done) {
                    let _ = job.reply.send(Ok(done));
                }
            }
            Err(failed) => {
                for job in batch {
                    let _ = job.reply.send(Err(failed.clone()));
                }
            }
        }
    }

    /// Writes a batch in one transaction, with retries where they help.
    async fn attempt(&mut self, batch: &[Job]) -> Result<Vec<Done>, Failed> {
        let mut last = lost();
        for _ in 0..TRIES {
            let (mut connection, fresh) = match self.connection.take() {
                Some(connection) => (connection, false),
                None => (self.place.connect().await.map_err(|error| Failed::Unavailable(error.into()))?, true),
            };
            if fresh {
                self.most_pages.mark_changed();
            }
            match self.transaction(&mut connection, batch).await {
                Ok(done) => {
                    self.connection = Some(connection);
                    return Ok(done);
                }
                Err(Stop::Before(Ending::Again(error))) => {
                    self.connection = Some(connection);
                    last = error;
                }
                Err(Stop::Before(Ending::Refused { complaint, no_table })) => {
                    self.connection = Some(connection);
                    return Err(Failed::Refused { complaint, no_table });
                }
                Err(Stop::Before(Ending::Unavailable(error))) => {
                    hang_up(connection).await;
                    // A connection that was idle while the database restarted is dead through no fault of the batch.
                    if fresh {
                        return Err(Failed::Unavailable(error));
                    }
                    last = error;
                }
                Err(Stop::Committing { error, number }) => {
                    hang_up(connection).await;
                    return match (&self.place, number) {
                        // SQLite refuses before anything counts; this includes an entry for a table that does not
                        // exist.
                        (Place::Sqlite(_), _) if matches!(error, sqlx::Error::Database(_)) => Err(error.into()),
                        (Place::Postgres(_), Some(number)) => match self.look_what_became_of(batch, &number).await {
                            Some(true) => Ok(number.done),
                            Some(false) => Err(Failed::Unavailable(error.into())),
                            None => Err(Failed::Unknown),
                        },
                        _ => Err(Failed::Unknown),
                    };
                }
            }
        }
        Err(Failed::Unavailable(last))
    }

    async fn transaction(&mut self, connection: &mut AnyConnection, batch: &[Job]) -> Result<Vec<Done>, Stop> {
        match self.place {
            Place::Sqlite(_) => {
                if self.most_pages.has_changed().unwrap_or(false) {
                    let most = *self.most_pages.borrow_and_update();
                    sqlx::query(AssertSqlSafe(format!("PRAGMA max_page_count = {most}")))
                        .execute(&mut *connection)
                        .await?;
                }
                let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
                match batch::write(&mut transaction, batch.iter().map(|job| &job.work), false).await {
                    Ok(outcome) => match transaction.commit().await {
                        Ok(()) => Ok(outcome.done),
                        Err(error) => Err(Stop::Committing { error, number: None }),
                    },
                    Err(error) => Err(undone(error, transaction.rollback().await)),
                }
            }
            Place::Postgres(_) => {
                let writing = async {
                    let mut transaction = connection.begin().await?;
                    let written = async {
                        let outcome = batch::write(&mut transaction, batch.iter().map(|job| &job.work), true).await?;
                        let xid = news::tell(&mut transaction, self.instance, &outcome).await?;
                        Ok::<_, WriteError>((outcome, xid))
                    };
                    match written.await {
                        Ok((Outcome { done, .. }, xid)) => Ok((transaction, Numbered { done, xid })),
                        Err(error) => Err(undone(error, transaction.rollback().await)),
                    }
                };
                let (transaction, number) = timeout(self.patience, writing).await.map_err(|_| too_slow())??;
                match timeout(self.patience, transaction.commit()).await {
                    Ok(Ok(())) => Ok(number.done),
                    Ok(Err(error)) => Err(Stop::Committing { error, number: Some(number) }),
                    Err(_) => Err(Stop::Committing { error: sqlx::Error::PoolTimedOut, number: Some(number) }),
                }
            }
        }
    }

    /// Checks whether a transaction was committed, until PostgreSQL knows or nobody wants to wait any longer.
    async fn look_what_became_of(&mut self, batch: &[Job], number: &Numbered) -> Option<bool> {
        let looking = async {
            loop {
                if let Ok(mut connection) = self.place.connect().await {
                    let became = became(&mut connection, batch, number).await;
                    hang_up(connection).await;
                    if let Ok(Some(stored)) = became {
                        return stored;
                    }
                }
                sleep(Duration::from_millis(100)).await;
            }
        };
        timeout(self.patience, looking).await.ok()
    }
}

/// Whether a transaction was committed; `None` while it is still running. After a crash PostgreSQL may reuse its
/// number, so the number only says that it is over; the data it wrote says the rest.
async fn became(connection: &mut AnyConnection, batch: &[Job], number: &Numbered) -> Result<Option<bool>, sqlx::Error> {
    let status = sqlx::query_as::<_, (Option<String>,)>("SELECT pg_xact_status(CAST(CAST($1 AS TEXT) AS xid8))")
        .bind(&number.xid)
        .fetch_one(&mut *connection)
        .await;
    let status = match status {
        Ok((status,)) => status,
        // "In the future": a database that crashed has never heard of it.
        Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some("22023") => None,
        Err(error) => return Err(error),
    };
    if status.as_deref() == Some("in progress") {
        return Ok(None);
    }
    let works = batch.iter().map(|job| &job.work).zip(number.done.iter().copied());
    let stored = batch::is_stored(connection, works).await?;
    Ok(Some(stored.unwrap_or(status.as_deref() == Some("committed"))))
}

/// The answers to give, and PostgreSQL's number of the transaction.
struct Numbered {
    done: Vec<Done>,
    xid: String,
}

/// Where a transaction ended.
enum Stop {
    /// Before the commit: nothing was stored.
    Before(Ending),
    /// During the commit.
    Committing { error: sqlx::Error, number: Option<Numbered> },
}

impl From<sqlx::Error> for Stop {
    fn from(error: sqlx::Error) -> Self {
        Stop::Before(Ending::from(error))
    }
}

impl From<WriteError> for Stop {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Database(error) => error.into(),
            WriteError::Garbled(error) => Stop::Before(Ending::Unavailable(error)),
            // Trying each alone will show.
            WriteError::Mixed => Stop::Before(Ending::Refused {
                complaint: Complaint { code: None, message: "some entries already existed".to_owned() },
                no_table: false,
            }),
        }
    }
}

/// What a failed transaction means. If it could not even be rolled back, its connection is unusable.
fn undone(error: WriteError, rollback: Result<(), sqlx::Error>) -> Stop {
    match (error, rollback) {
        (WriteError::Database(error), Err(_)) => Stop::Before(Ending::Unavailable(error.into())),
        (error, _) => error.into(),
    }
}

/// Closes properly if possible; a dead connection must not hold anybody up.
async fn hang_up(connection: AnyConnection) {
    let _ = timeout(Duration::from_secs(1), connection.close()).await;
}

fn lost() -> StoreError {
    StoreError::Database(Complaint { code: None, message: "the connection was lost".to_owned() })
}

fn too_slow() -> Stop {
    Stop::Before(Ending::Unavailable(StoreError::too_slow()))
}
