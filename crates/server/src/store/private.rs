//! Private tables: sealed entries in an order that the database decides.
//!
//! What is stored about a table comes from the player who created it: its id, the key that shows who knows the ticket,
//! and what the lobby says about it. The key that opens the entries is never here. The hub's own key is; anyone who has
//! it could put entries in a second order, which players would notice, but could neither read nor forge any.
//!
//! An entry is appended at a height. If there is one at that height, that is a
//! [`Conflict`](AppendError::Conflict): another server was faster.

use results::Public;
use sqlx::AnyConnection;

use super::work::{Done, Failed, Work};
use super::{AppendError, Code, CreateError, PrivateId, Secret, Store, StoreError};

/// A private table to be created.
#[derive(Debug, Clone)]
pub struct NewPrivate {
    /// Its id, which follows from its key.
    pub id: PrivateId,
    /// Checks that somebody knows the ticket.
    pub access: Public,
    /// The hub's secret key.
    pub secret: Secret,
    /// The key of the hub that began the log, if it is another one.
    pub first: Option<Public>,
    /// Its code, if people without a ticket may knock.
    pub code: Option<Code>,
    /// The game, as announced.
    pub game: String,
    /// The number of seats, as announced.
    pub seats: u8,
    /// Its name, as announced.
    pub name: String,
    /// Whether the lobby lists it.
    pub listed: bool,
    /// When it was created.
    pub at: i64,
}

/// What is stored about a private table apart from its log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrivateRow {
    /// Its id.
    pub id: PrivateId,
    /// Checks that somebody knows the ticket.
    pub access: Public,
    /// The key of the hub that began the log, if it is another one.
    pub first: Option<Public>,
    /// Its code, if people without a ticket may knock.
    pub code: Option<Code>,
    /// The game, as announced.
    pub game: String,
    /// The number of seats, as announced.
    pub seats: u8,
    /// Its name, as announced.
    pub name: String,
    /// Whether the lobby lists it.
    pub listed: bool,
    /// When it was created.
    pub created_at: i64,
    /// When somebody was last there.
    pub used_at: i64,
    /// Whether it comes from a backup, so that members may have more of its log.
    pub restored: bool,
}

/// One thing to write about a private table.
pub(super) enum PrivateWork {
    Create(Box<NewPrivate>),
    Append {
        table: PrivateId,
        height: i64,
        body: Vec<u8>,
    },
    /// Somebody is at these tables now.
    Use(Vec<PrivateId>, i64),
    /// Members have returned what a backup did not have.
    Recovered(PrivateId),
    /// Deletes a table that nobody has used since.
    Forget(PrivateId, i64),
}

const COLUMNS: &str = "id, access, first_hub, code, game, seats, name, listed, created_at, used_at, restored";

type Columns = (String, String, Option<String>, Option<String>, String, i64, String, i64, i64, i64, i64);

impl Store {
    /// Creates a private table.
    ///
    /// # Errors
    /// Fails if its code or id is taken, or the database cannot write it.
    pub async fn create_private(&self, table: NewPrivate) -> Result<(), CreateError> {
        match self.write(Work::Private(PrivateWork::Create(Box::new(table)))).await {
            Ok(Done::CodeTaken) => Err(CreateError::CodeTaken),
            Ok(Done::IdTaken) => Err(CreateError::IdTaken),
            Ok(_) => Ok(()),
            Err(failed) => Err(CreateError::Failed(failed.into())),
        }
    }

    /// Appends an entry to a private table's log at this height. When this returns, it is on the disk. If the future is
    /// dropped before, the entry may still be written.
    ///
    /// # Errors
    /// Fails if there is an entry at that height, or the database cannot write.
    pub async fn append_private(&self, table: PrivateId, height: u64, body: Vec<u8>) -> Result<(), AppendError> {
        let height = i64::try_from(height).unwrap_or(i64::MAX);
        match self.write(Work::Private(PrivateWork::Append { table, height, body })).await? {
            Done::Conflict => Err(AppendError::Conflict),
            _ => Ok(()),
        }
    }

    /// Notes that somebody is at these private tables.
    ///
    /// # Errors
    /// Fails if the database cannot write it.
    pub async fn use_private(&self, tables: Vec<PrivateId>, at: i64) -> Result<(), AppendError> {
        self.write(Work::Private(PrivateWork::Use(tables, at))).await.map(drop).map_err(Failed::into)
    }

    /// Notes that a restored private table is up to date.
    ///
    /// # Errors
    /// Fails if the database cannot write it.
    pub async fn recovered_private(&self, table: PrivateId) -> Result<(), AppendError> {
        self.write(Work::Private(PrivateWork::Recovered(table))).await.map(drop).map_err(Failed::into)
    }

    /// What is stored about a private table apart from its log.
    ///
    /// # Errors
    /// Fails if the database cannot be read.
    pub async fn private(&self, table: PrivateId) -> Result<Option<PrivateRow>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM private_tables WHERE id = $1");
        let row = sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(table.to_string()).fetch_optional(self.pool());
        self.read(row).await?.map(private_row).transpose()
    }

    /// The private table with this code.
    ///
    /// # Errors
    /// Fails if the database cannot be read.
    pub async fn private_by_code(&self, code: Code) -> Result<Option<PrivateRow>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM private_tables WHERE code = $1");
        let row = sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(code.to_string()).fetch_optional(self.pool());
        self.read(row).await?.map(private_row).transpose()
    }

    /// The listed private tables where somebody has been since then, the newest first.
    ///
    /// # Errors
    /// Fails if the database cannot be read.
    pub async fn listed_private(&self, since: i64, limit: i64) -> Result<Vec<PrivateRow>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM private_tables WHERE listed = 1 AND used_at >= $1 ORDER BY created_at DESC LIMIT $2"
        );
        let rows = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(since).bind(limit).fetch_all(self.pool());
        Ok(self.readable(&self.read(rows).await?, private_row))
    }

    /// The hub's secret key for a private table.
    ///
    /// # Errors
    /// Fails if the database cannot be read.
    pub async fn private_secret(&self, table: PrivateId) -> Result<Option<Secret>, StoreError> {
        let row = sqlx::query_as("SELECT secret FROM private_tables WHERE id = $1")
            .bind(table.to_string())
            .fetch_optional(self.pool());
        let row: Option<(String,)> = self.read(row).await?;
        row.map(|(text,)| {
            let text = zeroize::Zeroizing::new(text);
            Secret::from_hex(&text).ok_or(StoreError::Garbled("secret of a private table"))
        })
        .transpose()
    }

    /// Entries of a private table from a height on, at most this many; empty if there is no such table.
    ///
    /// # Errors
    /// Fails if the database cannot be read.
    pub async fn private_entries(&self, table: PrivateId, from: u64, most: i64) -> Result<Vec<Vec<u8>>, StoreError> {
        let rows = sqlx::query_as(
            "SELECT height, body FROM private_entries WHERE table_id = $1 AND height >= $2 ORDER BY height LIMIT $3",
        )
        .bind(table.to_string())
        .bind(i64::try_from(from).unwrap_or(i64::MAX))
        .bind(most)
        .fetch_all(self.pool());
        let rows: Vec<(i64, Vec<u8>)> = self.read(rows).await?;
        // A log has no holes; what comes after one would be in the wrong place.
        let rows = (from..).zip(rows).take_while(|(height, (stored, _))| u64::try_from(*stored) == Ok(*height));
        Ok(rows.map(|(_, (_, body))| body).collect())
    }

    /// Deletes private tables where nobody has been since. Returns how many. Others can write in between.
    ///
    /// # Errors
    /// Fails if the database cannot write. Tables deleted until then stay deleted.
    pub async fn forget_private(&self, before: i64) -> Result<u64, AppendError> {
        let rows = sqlx::query("SELECT id FROM private_tables WHERE used_at < $1").bind(before).fetch_all(self.pool());
        let rows = self.read(rows).await.map_err(AppendError::Unavailable)?;
        let found: Vec<PrivateId> = self.readable(&rows, |(id,): (String,)| private_id(&id));
        let mut count = 0;
        for table in found {
            if let Done::Forgotten(many @ 1..) = self.write(Work::Private(PrivateWork::Forget(table, before))).await? {
                tracing::info!(table = table.tag(), "private table deleted");
                count += many;
            }
        }
        Ok(count)
    }
}

pub(super) async fn write(connection: &mut AnyConnection, work: &PrivateWork) -> Result<Done, sqlx::Error> {
    match work {
        PrivateWork::Create(table) => create(connection, table).await,
        PrivateWork::Append { table, height, body } => {
            let made = sqlx::query(
                "INSERT INTO private_entries (table_id, height, body) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
            );
            let made = made.bind(table.to_string()).bind(height).bind(body.as_slice()).execute(connection).await?;
            Ok(if made.rows_affected() == 0 { Done::Conflict } else { Done::Written })
        }
        PrivateWork::Use(tables, at) => {
            let mut tables: Vec<String> = tables.iter().map(PrivateId::to_string).collect();
            // All servers lock them in the same order.
            tables.sort();
            for table in tables {
                sqlx::query("UPDATE private_tables SET used_at = $1 WHERE id = $2 AND used_at < $1")
                    .bind(at)
                    .bind(table)
                    .execute(&mut *connection)
                    .await?;
            }
            Ok(Done::Written)
        }
        PrivateWork::Recovered(table) => {
            let done = sqlx::query("UPDATE private_tables SET restored = 0 WHERE id = $1");
            done.bind(table.to_string()).execute(connection).await?;
            Ok(Done::Written)
        }
        PrivateWork::Forget(table, before) => {
            let gone = sqlx::query("DELETE FROM private_tables WHERE id = $1 AND used_at < $2");
            let gone = gone.bind(table.to_string()).bind(before).execute(connection).await?;
            Ok(Done::Forgotten(gone.rows_affected()))
        }
    }
}

async fn create(connection: &mut AnyConnection, table: &NewPrivate) -> Result<Done, sqlx::Error> {
    let (id, code) = (table.id.to_string(), table.code.map(|code| code.to_string()));
    if let Some(code) = &code {
        let taken = sqlx::query("SELECT 1 FROM tables WHERE code = $1 AND phase <> 'over'").bind(code.as_str());
        if taken.fetch_optional(&mut *connection).await?.is_some() {
            return Ok(Done::CodeTaken);
        }
    }
    let made = sqlx::query(
        "INSERT INTO private_tables (id, access, secret, first_hub, code, game, seats, name, listed, created_at, used_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10) ON CONFLICT DO NOTHING",
    )
    .bind(id.as_str())
    .bind(table.access.hex())
    .bind(table.secret.to_hex())
    .bind(table.first.map(|key| key.hex()))
    .bind(code)
    .bind(table.game.as_str())
    .bind(i64::from(table.seats))
    .bind(table.name.as_str())
    .bind(i64::from(table.listed))
    .bind(table.at)
    .execute(&mut *connection)
    .await?;
    if made.rows_affected() > 0 {
        return Ok(Done::Written);
    }
    let same = sqlx::query("SELECT 1 FROM private_tables WHERE id = $1").bind(id.as_str());
    let same = same.fetch_optional(&mut *connection).await?;
    Ok(if same.is_some() { Done::IdTaken } else { Done::CodeTaken })
}

/// Whether a private table has this code.
pub(super) async fn has_code(connection: &mut AnyConnection, code: Code) -> Result<bool, sqlx::Error> {
    let taken = sqlx::query("SELECT 1 FROM private_tables WHERE code = $1").bind(code.to_string());
    Ok(taken.fetch_optional(connection).await?.is_some())
}

/// Whether exactly this entry is there.
pub(super) async fn is_stored(
    connection: &mut AnyConnection,
    table: PrivateId,
    height: i64,
    body: &[u8],
) -> Result<bool, sqlx::Error> {
    let stored = sqlx::query_as("SELECT body FROM private_entries WHERE table_id = $1 AND height = $2");
    let stored: Option<(Vec<u8>,)> = stored.bind(table.to_string()).bind(height).fetch_optional(connection).await?;
    Ok(stored.is_some_and(|(stored,)| stored == body))
}

/// After a restore: members may have more of every log than the backup.
pub(super) async fn mark_restored(connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
    // A backup of an older version has no private tables.
    let known = sqlx::query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'private_tables'");
    if known.fetch_optional(&mut *connection).await?.is_some() {
        sqlx::query("UPDATE private_tables SET restored = 1").execute(connection).await?;
    }
    Ok(())
}

fn private_id(text: &str) -> Result<PrivateId, StoreError> {
    text.parse().map_err(|_| StoreError::Garbled("id of a private table"))
}

fn private_row(columns: Columns) -> Result<PrivateRow, StoreError> {
    let (id, access, first, code, game, seats, name, listed, created_at, used_at, restored) = columns;
    let code = code.map(|code| code.parse()).transpose();
    Ok(PrivateRow {
        id: private_id(&id)?,
        access: access.parse().map_err(|_| StoreError::Garbled("key of a private table"))?,
        first: first.map(|key| key.parse()).transpose().map_err(|_| StoreError::Garbled("key of a hub"))?,
        code: code.map_err(|_| StoreError::Garbled("code of a private table"))?,
        game,
        seats: u8::try_from(seats).map_err(|_| StoreError::Garbled("number of seats"))?,
        name,
        listed: listed != 0,
        created_at,
        used_at,
        restored: restored != 0,
    })
}
