//! What operators need: retention, backup, restore, health.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use sqlx::Connection;

use super::place::Place;
use super::read::table_ids;
use super::work::{Done, Work};
use super::{AppendError, NO_LIMIT, Store, StoreError, TableId, files, schema};

/// How many tables are looked up at once, and how many are removed in one piece between other writing.
const LOOK_UP: i64 = 1000;
const PIECE: usize = 10;

/// The size of SQLite's pages.
const PAGE: u64 = 4096;

impl Store {
    /// Removes tables that were over, or that gathered nobody, before this time, with everything about them: logs,
    /// results and records. Returns how many. Others can write in between.
    ///
    /// # Errors
    /// If the database cannot write. What was removed until then stays removed.
    pub async fn forget(&self, before: i64) -> Result<u64, AppendError> {
        let mut count = 0;
        loop {
            let rows = sqlx::query_as("SELECT id FROM tables WHERE changed_at < $1 AND phase <> 'playing' LIMIT $2")
                .bind(before)
                .bind(LOOK_UP)
                .fetch_all(self.pool());
            let old: Vec<TableId> = self.read(rows).await.and_then(table_ids).map_err(AppendError::Unavailable)?;
            let mut gone = 0;
            for piece in old.chunks(PIECE) {
                if let Done::Forgotten(piece) = self.write(Work::Forget(piece.to_vec(), before)).await? {
                    gone += piece;
                }
            }
            count += gone;
            // Tables that came to life again after they were looked up must not keep this going.
            if gone == 0 {
                return Ok(count);
            }
        }
    }

    /// Writes a copy of an SQLite database to a new file that only its owner can read, while the server goes on.
    ///
    /// # Errors
    /// If the file exists, if it cannot be written, or over PostgreSQL, which has `pg_dump` for that.
    pub async fn backup(&self, path: &Path) -> Result<(), StoreError> {
        let Place::Sqlite(_) = self.place() else { return Err(StoreError::OwnTools) };
        let text = path.to_str().ok_or(StoreError::Address)?;
        // SQLite writes into an empty file, and so keeps who may read it.
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

    /// Puts a backup in the place of an SQLite database that no server has open, and returns where the database that
    /// was there is kept. Operators' commands must not be running beside it.
    ///
    /// # Errors
    /// If the backup is damaged, not a database of this program or of a newer version of it; if a server has the
    /// database open; if files cannot be written; or over PostgreSQL, which has `pg_restore` for that.
    pub async fn restore(address: &str, backup: &Path) -> Result<Option<PathBuf>, StoreError> {
        let Place::Sqlite(path) = Place::from_str(address)? else { return Err(StoreError::OwnTools) };
        let backup = files::find(backup)?;
        let path = files::make_directory(&path)?;
        let _lock = files::lock(&path)?;
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
        files::replace(&path, &copy)
    }

    /// From now on refuses to let an SQLite file grow beyond so many bytes, as if the disk were full; without a number,
    /// the disk is the limit. What is removed makes room again. The file's log beside it is not counted.
    pub fn limit_size(&self, bytes: Option<u64>) {
        let pages = bytes.map(|bytes| u32::try_from(bytes / PAGE).unwrap_or(NO_LIMIT).clamp(1, NO_LIMIT));
        self.set_most_pages(pages.unwrap_or(NO_LIMIT));
    }

    /// Whether the database can be read, and could be written the last time that something was.
    ///
    /// # Errors
    /// What is wrong.
    pub async fn health(&self) -> Result<(), StoreError> {
        if let Some(error) = self.last_trouble() {
            return Err(error);
        }
        self.read(sqlx::query("SELECT 1").execute(self.pool())).await.map(drop)
    }
}

/// Checks that a file is a sound database of this program that can be brought up to date.
async fn check(path: &Path) -> Result<(), StoreError> {
    let mut connection = Place::Sqlite(path.to_owned()).connect().await?;
    let (verdict,): (String,) = sqlx::query_as("PRAGMA quick_check(1)").fetch_one(&mut connection).await?;
    let known = schema::check_known(&mut connection).await;
    // Everything must be in the one file that is moved.
    sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut connection).await?;
    connection.close().await?;
    if verdict == "ok" { known } else { Err(StoreError::NotOurs(path.to_owned())) }
}
