//! Private tables: the server puts their entries in order, stores them and passes them on, and can read none of them.
//!
//! ```text
//! envelope -> budget -> place in the log -> signed -> stored at its height -> sent to all who are connected
//!                                                     |-- height taken: adopt what is there, try again
//!                                                     `-- cannot be written: refused, nothing has happened
//! ```
//!
//! Several servers may share a database. All have the hub's key of a table, and the database decides which entry has a
//! height; an entry that lost is never sent to anybody, so there is only one order. A table is in memory while somebody
//! is connected, and is rebuilt from its rows.
//!
//! What a server knows of a table: its id, who may write (by keys made for this table), when, how much, and what its
//! creator wants the lobby to say. See the crate [`peer`] for what is in the entries and how they are sealed.
//!
//! - `live`: one table in memory, and the order of its log
//! - `people`: who is connected to it, and what is said beside the log
//! - `making`: a new table, and one whose hub may replace a lost one
//! - `sleep`: what is on its way to a computer that sleeps does not count

mod live;
mod making;
mod people;
mod sleep;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{Notify, watch};

use crate::clock::now;
use crate::ids::PrivateId;
use crate::metrics::Metrics;
use crate::store::{Store, TableChanged};

pub use crate::web::serve_private as serve;
pub(crate) use live::{Entered, Live};
pub use making::{Made, Making, Standby, make, stand_by};
use people::Words;
pub(crate) use people::{Letters, MOST_KNOCK, Present, Role};
use sleep::Naps;
pub use sleep::Sleeper;

/// How often it is noted who is there, and unused tables are dropped.
const SWEEP: Duration = Duration::from_secs(20);
/// A table that nobody is connected to is dropped from memory after this long; its log stays.
const IDLE: Duration = Duration::from_secs(60);
/// A table where somebody was this many milliseconds ago is listed: three times as long as it takes to note it.
const LISTED: i64 = 60_000;

/// All private tables in use. Cheap to clone.
#[derive(Clone)]
pub struct Private(Arc<Inner>);

struct Inner {
    store: Store,
    metrics: Arc<Metrics>,
    tables: Mutex<HashMap<PrivateId, Arc<Live>>>,
    most_tables: usize,
    /// Something that the lobby shows may have changed.
    lobby: watch::Sender<()>,
    /// Whether the server is stopping.
    ending: watch::Sender<bool>,
    /// Somebody has come to a table or gone, and other servers do not know.
    stir: Arc<Notify>,
    /// Connections from before the last of them count no more.
    naps: Naps,
}

impl Private {
    /// No tables in memory yet. [`Private::keep_going`] must run next to it.
    pub fn new(store: Store, metrics: Arc<Metrics>, most_tables: usize, lobby: watch::Sender<()>) -> Self {
        let (tables, ending, stir) = (Mutex::default(), watch::Sender::new(false), Arc::default());
        Self(Arc::new(Inner { store, metrics, tables, most_tables, lobby, ending, stir, naps: Naps::none() }))
    }

    /// The database.
    pub(crate) fn store(&self) -> &Store {
        &self.0.store
    }

    /// A table, kept in memory from now on while it is used. Whether it exists shows when it is read.
    pub(crate) fn table(&self, id: PrivateId) -> Arc<Live> {
        let mut tables = self.tables();
        let live = tables.entry(id).or_insert_with(|| Arc::new(Live::new(id, self.0.stir.clone())));
        live.touch();
        live.clone()
    }

    /// The listed tables where somebody is, and how many members are connected here.
    pub(crate) async fn listed(
        &self,
        most: i64,
    ) -> Result<Vec<(crate::store::PrivateRow, usize)>, crate::store::StoreError> {
        let rows = self.store().listed_private(now().0 - LISTED, most).await?;
        let tables = self.tables();
        let here = |id| tables.get(&id).map_or(0, |live| live.members_here());
        Ok(rows.into_iter().map(|row| (here(row.id), row)).map(|(here, row)| (row, here)).collect())
    }

    /// Changes to true when the server stops.
    pub(crate) fn ending(&self) -> watch::Receiver<bool> {
        self.0.ending.subscribe()
    }

    /// Tells everybody who is connected that the server stops.
    pub(crate) fn end(&self) {
        self.0.ending.send_replace(true);
    }

    /// How often this computer has slept so far.
    pub(crate) fn naps(&self) -> u64 {
        self.0.naps.count()
    }

    /// Changes when it has slept.
    pub(crate) fn sleeping(&self) -> watch::Receiver<u64> {
        self.0.naps.watch()
    }

    /// Keeps tables up to date until the server stops: entries of other servers, who is there, and whether this computer
    /// has slept.
    pub async fn keep_going(self) {
        let noticing = self.clone();
        tokio::join!(noticing.0.naps.notice(), self.keep_up());
    }

    async fn keep_up(self) {
        let (mut changed, mut asides) = (self.0.store.changed(), self.0.store.asides());
        let mut sweep = tokio::time::interval(SWEEP);
        loop {
            tokio::select! {
                _ = sweep.tick() => self.sweep().await,
                () = self.0.stir.notified(), if self.0.store.is_shared() => self.tell_here(false).await,
                // What is lost is repeated, or was only said in passing.
                Ok(aside) = asides.recv() => {
                    let live = self.tables().get(&aside.table).cloned();
                    if let Some(live) = live {
                        live.hear(aside.server, &aside.text);
                    }
                }
                change = changed.recv() => match change {
                    Ok(TableChanged::Private { id, own: false }) => {
                        let live = self.tables().get(&id).cloned();
                        self.reread(live.into_iter().collect());
                    }
                    // This server knows its own entries; other tables have their own hub.
                    Ok(TableChanged::Private { own: true, .. } | TableChanged::Table { .. }) => {}
                    Ok(TableChanged::Missed) | Err(RecvError::Lagged(_)) => {
                        let all = self.tables().values().cloned().collect();
                        self.reread(all);
                    }
                    Err(RecvError::Closed) => std::future::pending().await,
                },
            }
        }
    }

    /// Other servers have added to these tables. One that cannot be read now is read when something happens there.
    fn reread(&self, tables: Vec<Arc<Live>>) {
        if tables.is_empty() {
            return;
        }
        let private = self.clone();
        tokio::spawn(async move {
            for live in tables {
                private.catch_up(&live).await;
            }
        });
    }

    async fn sweep(&self) {
        let used = {
            let mut tables = self.tables();
            tables.retain(|_, live| !live.is_idle(IDLE));
            self.0.metrics.private_tables.set(i64::try_from(tables.len()).unwrap_or(i64::MAX));
            tables.values().filter(|live| live.is_attended()).map(|live| live.id()).collect::<Vec<_>>()
        };
        if !used.is_empty()
            && let Err(why) = self.0.store.use_private(used, now().0).await
        {
            tracing::warn!(%why, "who is at private tables could not be noted");
        }
        if self.0.store.is_shared() {
            self.tell_here(true).await;
            let tables: Vec<Arc<Live>> = self.tables().values().cloned().collect();
            tables.iter().for_each(|live| live.forget_servers(3 * SWEEP));
        }
        self.tell_lobby();
    }

    /// Tells other servers who is connected here.
    async fn tell_here(&self, repeat: bool) {
        let tables: Vec<Arc<Live>> = self.tables().values().cloned().collect();
        for live in tables {
            if let Some(here) = live.news(repeat) {
                self.tell_others(&live, &format!("here {here:x}")).await;
            }
        }
    }

    /// Passes words on to those who are connected to other servers.
    pub(crate) async fn pass_on(&self, live: &Live, words: &Words) {
        if self.0.store.is_shared() {
            self.tell_others(live, &format!("words {words}")).await;
        }
    }

    async fn tell_others(&self, live: &Live, text: &str) {
        // It is not worth a second attempt; storing fails as well, and operators are told about that.
        let _ = self.0.store.tell_others(live.id(), text).await;
    }

    /// Something that the lobby shows may have changed.
    fn tell_lobby(&self) {
        self.0.lobby.send_replace(());
    }

    fn drop_unknown(&self, live: &Live) {
        let mut tables = self.tables();
        if tables.get(&live.id()).is_some_and(|known| std::ptr::eq(Arc::as_ptr(known), live)) {
            tables.remove(&live.id());
        }
    }

    fn tables(&self) -> std::sync::MutexGuard<'_, HashMap<PrivateId, Arc<Live>>> {
        lock(&self.0.tables)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
