//! Maintenance for operators: retention, backup, restore, health.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};

use sqlx::{AssertSqlSafe, Connection};
use tokio::sync::watch;

use super::place::Place;
use super::read::only_id;
use super::work::{Done, Work};
use super::{AppendError, Complaint, NO_LIMIT, Store, StoreError, TableId, files, private, schema};

/// How many tables are looked up at once, and how many are deleted in one step between other writes.
const LOOK_UP: i64 = 1000;
const PIECE: usize = 10;

/// The size of SQLite's pages.
const PAGE: u64 = 4096;

/// How long a successful check that the database can be written counts.
const PROBED: Duration = Duration::from_secs(1);

/// Tables that may be deleted once nothing has happened at them for long enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Old {
    /// Finished tables, and those where people gather.
    Idle,
    /// Those where people gather.
    Gathering,
    /// Those with games or versions of rules other than these, even if a match has begun: they cannot be continued.
    OtherRules(Vec<(&'static str, i64)>),
}

impl Old {
    /// The condition in SQL; arguments are numbered from here.
    pub(super) fn condition(&self, from: usize) -> String {
        match self {
            Old::Idle => "phase <> 'playing'".to_owned(),
            Old::Gathering => "phase = 'gathering'".to_owned(),
            Old::OtherRules(rules) => {
                let known = (0..rules.len()).map(|place| from + 2 * place);
                let known = known.map(|place| format!("game = ${place} AND rules = ${}", place + 1));
                let known: Vec<String> = known.collect();
                if known.is_empty() { "1 = 1".to_owned() } else { format!("NOT ({})", known.join(" OR ")) }
            }
        }
    }

    /// The arguments of [`Old::condition`], in pairs.
    pub(super) fn rules(&self) -> &[(&'static str, i64)] {
        match self {
            Old::Idle | Old::Gathering => &[],
            Old::OtherRules(rules) => rules,
        }
    }
}

impl Store {
    /// Deletes tables that were finished, or were still gathering players, before this time, with everything about
    /// them: logs, results and records. Returns how many. Others can write in between.
    ///
    /// # Errors
    /// Fails if the database cannot write. Tables deleted until then stay deleted.
    pub async fn forget(&self, before: i64) -> Result<u64, AppendError> {
        self.forget_old(&Old::Idle, before).await
    }

    /// Deletes tables of this kind that have not changed since, as [`Store::forget`] does.
    ///
    /// # Errors
    /// Fails if the database cannot write. Tables deleted until then stay deleted.
    pub async fn forget_old(&self, old: &Old, before: i64) -> Result<u64, AppendError> {
        let sql = format!("SELECT id FROM tables WHERE changed_at < $1 AND {} LIMIT $2", old.condition(3));
        let mut count = 0;
        loop {
            let mut query = sqlx::query(AssertSqlSafe(sql.clone())).bind(before).bind(LOOK_UP);
            for (game, rules) in old.rules() {
                query = query.bind(*game).bind(rules);
            }
            let rows = query.fetch_all(self.pool());
            let found = self.read(rows).await.map_err(AppendError::Unavailable)?;
            let found: Vec<TableId> = self.readable(&found, only_id);
            let mut gone = 0;
            for piece in found.chunks(PIECE) {
                if let Done::Forgotten(many) = self.write(Work::Forget(piece.to_vec(), old.clone(), before)).await? {
                    gone += many;
                    for table in piece {
                        if self.table(*table).await.is_ok_and(|row| row.is_none()) {
                            tracing::info!(table = table.tag(), "table deleted");
                        }
                    }
                }
            }
            count += gone;
            // Tables that changed again after they were looked up must not keep this going.
            if gone == 0 {
                return Ok(count);
            }
        }
    }

    /// Deletes players who are at no table, in no result, and have not been here since. Returns how many.
    ///
    /// # Errors
    /// Fails if the database cannot write.
    pub async fn forget_players(&self, before: i64) -> Result<u64, AppendError> {
        match self.write(Work::ForgetPlayers(before)).await? {
            Done::Forgotten(count) => Ok(count),
            _ => Ok(0),
        }
    }

    /// Writes a copy of an SQLite database to a new file that only its owner can read, while the server keeps running.
    ///
    /// # Errors
    /// Fails if the file exists, if it cannot be written, or over PostgreSQL, which has `pg_dump` for that.
    pub async fn backup(&self, path: &Path) -> Result<(), StoreError> {
        let Place::Sqlite(_) = self.place() else { return Err(StoreError::OwnTools) };
        let text = path.to_str().ok_or(StoreError::Address)?;
        // SQLite writes into an empty file, and so keeps its permissions.
        files::make_new(path)?;
        let mut connection = self.place().connect().await?;
        let copied = sqlx::query("VACUUM INTO $1").bind(text).execute(&mut connection).await;
        let _ = connection.close().await;
        if let Err(error) = copied {
            let _ = std::fs::remove_file(path);
            return Err(error.into());
        }
        files::sync(path)
    }

    /// Replaces an SQLite database that no server has open with a backup, and returns where the old database is kept.
    /// The new one gets the same owner as the old one, or as the folder, if the system allows it. Operator commands
    /// must not be running at the same time.
    ///
    /// # Errors
    /// Fails if the backup is damaged, not a database of this program or from a newer version of it; if a server has
    /// the database open; if files cannot be written; or over PostgreSQL, which has `pg_restore` for that.
    pub async fn restore(address: &str, backup: &Path) -> Result<Option<PathBuf>, StoreError> {
        let Place::Sqlite(path) = Place::from_str(address)? else { return Err(StoreError::OwnTools) };
        let backup = files::find(backup)?;
        let path = files::make_directory(&path)?;
        let _lock = files::lock(&path)?;
        files::give_to_owner_of(&path, &files::beside(&path, ".lock"));
        // The copy is checked, not the original: opening a database may write to it.
        let copy = files::beside(&path, ".restoring");
        let _ = std::fs::remove_file(&copy);
        files::copy(&backup, &copy)?;
        let checked = check(&copy).await;
        for ending in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(files::beside(&copy, ending));
        }
        if let Err(error) = checked {
            let _ = std::fs::remove_file(&copy);
            return Err(match error {
                StoreError::Database(_) => StoreError::NotOurs(backup),
                other => other,
            });
        }
        files::give_to_owner_of(&path, &copy);
        files::replace(&path, &copy)
    }

    /// From now on refuses to let an SQLite file grow beyond this many bytes, as if the disk were full; without a
    /// number, the disk is the limit. Deleting data makes room again. The write-ahead log next to the file is not
    /// counted.
    pub fn limit_size(&self, bytes: Option<u64>) {
        let pages = bytes.map(|bytes| u32::try_from(bytes / PAGE).unwrap_or(NO_LIMIT).clamp(1, NO_LIMIT));
        self.set_most_pages(pages.unwrap_or(NO_LIMIT));
    }

    /// Whether the database can be read and written: writes something and deletes it again, unless that was done just
    /// now and nothing has failed since.
    ///
    /// # Errors
    /// Says what is wrong.
    pub async fn health(&self) -> Result<(), StoreError> {
        let mut probed = self.0.probed.lock().await;
        if self.last_trouble().is_some() || probed.is_none_or(|at| at.elapsed() >= PROBED) {
            *probed = None;
            let name = format!("probe of {:016x}", self.0.instance);
            self.write(Work::Probe(name)).await.map_err(|why| match AppendError::from(why) {
                AppendError::Unavailable(why) => why,
                other => StoreError::Database(Complaint { code: None, message: other.to_string() }),
            })?;
            *probed = Some(Instant::now());
        }
        self.read(sqlx::query("SELECT 1").execute(self.pool())).await.map(drop)
    }

    /// The current problem with writing, whenever that changes.
    pub fn troubles(&self) -> watch::Receiver<Option<StoreError>> {
        self.0.trouble.clone()
    }

    /// The kind of database.
    pub fn kind(&self) -> &'static str {
        match self.place() {
            Place::Sqlite(_) => "SQLite",
            Place::Postgres(_) => "PostgreSQL",
        }
    }
}

/// Checks that a file is an intact database of this program that can be brought up to date, and notes in it that it is
/// a backup.
async fn check(path: &Path) -> Result<(), StoreError> {
    let mut connection = Place::Sqlite(path.to_owned()).connect().await?;
    let (verdict,): (String,) = sqlx::query_as("PRAGMA quick_check(1)").fetch_one(&mut connection).await?;
    let known = schema::check_known(&mut connection).await;
    if verdict == "ok" && known.is_ok() {
        private::mark_restored(&mut connection).await?;
    }
    // Everything must be in the one file that is moved.
    sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut connection).await?;
    connection.close().await?;
    if verdict == "ok" { known } else { Err(StoreError::NotOurs(path.to_owned())) }
}
