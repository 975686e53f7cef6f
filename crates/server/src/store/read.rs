//! Reading tables, their logs and their records.
//!
//! One unreadable row must not hide all others: lists skip it, and the log names it once. A request for exactly that
//! row fails with an error that says so.

use std::sync::PoisonError;

use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, FromRow, Row as _};

use super::{Code, Entry, Phase, PlayerId, PrivateId, Secret, Store, StoreError, TableId, TableRow};

/// The columns of [`TableRow`], in its order.
const COLUMNS: &str = "tables.id, tables.code, tables.game, tables.rules, tables.listed, tables.phase, \
    tables.created_at, tables.changed_at, tables.due_at, tables.summary";

/// The most unreadable rows that are named in the log.
const MOST_PASSED_OVER: usize = 1000;

type Columns = (String, String, String, i64, i64, String, i64, i64, Option<i64>, String);

impl Store {
    /// The log of a table from a height on; empty if there is no such table.
    ///
    /// # Errors
    /// Fails if the database cannot be read.
    pub async fn entries(&self, table: TableId, from_height: i64) -> Result<Vec<Entry>, StoreError> {
        let rows =
            sqlx::query_as("SELECT height, at, body FROM entries WHERE table_id = $1 AND height >= $2 ORDER BY height")
                .bind(table.to_string())
                .bind(from_height)
                .fetch_all(self.pool());
        let rows: Vec<(i64, i64, String)> = self.read(rows).await?;
        Ok(rows.into_iter().map(|(height, at, body)| Entry { height, at, body }).collect())
    }

    /// What is stored about a table apart from its log.
    ///
    /// # Errors
    /// Fails if the database cannot be read.
    pub async fn table(&self, table: TableId) -> Result<Option<TableRow>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM tables WHERE id = $1");
        let row =
            self.read(sqlx::query_as(AssertSqlSafe(sql)).bind(table.to_string()).fetch_optional(self.pool())).await?;
        row.map(table_row).transpose()
    }

    /// The house's secret for a table.
    ///
    /// # Errors
    /// Fails if the database cannot be read.
    pub async fn secret(&self, table: TableId) -> Result<Option<Secret>, StoreError> {
        let row = sqlx::query_as("SELECT secret FROM tables WHERE id = $1")
            .bind(table.to_string())
            .fetch_optional(self.pool());
        let row: Option<(String,)> = self.read(row).await?;
        row.map(|(text,)| {
            let text = zeroize::Zeroizing::new(text);
            Secret::from_hex(&text).ok_or(StoreError::Garbled("table secret"))
        })
        .transpose()
    }

    /// The unfinished table with this code.
    ///
    /// # Errors
    /// Fails if the database cannot be read.
    pub async fn by_code(&self, code: Code) -> Result<Option<TableRow>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM tables WHERE code = $1 AND phase <> 'over'");
        let row =
            self.read(sqlx::query_as(AssertSqlSafe(sql)).bind(code.to_string()).fetch_optional(self.pool())).await?;
        row.map(table_row).transpose()
    }

    /// The tables in the lobby: unfinished ones, the newest first.
    ///
    /// # Errors
    /// Fails if the database cannot be read.
    pub async fn listed(&self, limit: i64) -> Result<Vec<TableRow>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM tables WHERE listed = 1 AND phase <> 'over' ORDER BY created_at DESC LIMIT $1"
        );
        let rows = self.read(sqlx::query(AssertSqlSafe(sql)).bind(limit).fetch_all(self.pool())).await?;
        Ok(self.readable(&rows, table_row))
    }

    /// Tables where this player sits, or stayed to the end: unfinished ones first, and within each group the most
    /// recently changed first.
    ///
    /// # Errors
    /// Fails if the database cannot be read.
    pub async fn mine(&self, player: &PlayerId, limit: i64) -> Result<Vec<TableRow>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM seats JOIN tables ON tables.id = seats.table_id \
             WHERE seats.player_id = $1 \
             ORDER BY CASE WHEN tables.phase = 'over' THEN 1 ELSE 0 END, tables.changed_at DESC LIMIT $2"
        );
        let rows = sqlx::query(AssertSqlSafe(sql)).bind(player.to_string()).bind(limit).fetch_all(self.pool());
        Ok(self.readable(&self.read(rows).await?, table_row))
    }

    /// Whether this player sits at a table, or stayed there to the end.
    ///
    /// # Errors
    /// Fails if the database cannot be read.
    pub async fn sits(&self, player: &PlayerId, table: TableId) -> Result<bool, StoreError> {
        let row = sqlx::query("SELECT 1 FROM seats WHERE table_id = $1 AND player_id = $2")
            .bind(table.to_string())
            .bind(player.to_string())
            .fetch_optional(self.pool());
        Ok(self.read(row).await?.is_some())
    }

    /// The players at a table, and when they last had it open, on any server that reports it.
    ///
    /// # Errors
    /// Fails if the database cannot be read.
    pub async fn here(&self, table: TableId) -> Result<Vec<(PlayerId, i64)>, StoreError> {
        let rows = sqlx::query_as("SELECT player_id, here_at FROM seats WHERE table_id = $1")
            .bind(table.to_string())
            .fetch_all(self.pool());
        let rows: Vec<(String, i64)> = self.read(rows).await?;
        let player = |text: String| text.parse().map_err(|_| StoreError::Garbled("player id"));
        rows.into_iter().map(|(id, at)| Ok((player(id)?, at))).collect()
    }

    /// All tables, finished or not, the most recently changed first.
    ///
    /// # Errors
    /// Fails if the database cannot be read.
    pub async fn latest(&self, limit: i64) -> Result<Vec<TableRow>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM tables ORDER BY changed_at DESC LIMIT $1");
        let rows = self.read(sqlx::query(AssertSqlSafe(sql)).bind(limit).fetch_all(self.pool())).await?;
        Ok(self.readable(&rows, table_row))
    }

    /// The unfinished tables.
    ///
    /// # Errors
    /// Fails if the database cannot be read.
    pub async fn unfinished(&self) -> Result<Vec<TableId>, StoreError> {
        let rows = self.read(sqlx::query("SELECT id FROM tables WHERE phase <> 'over'").fetch_all(self.pool())).await?;
        Ok(self.readable(&rows, only_id))
    }

    /// Tables where something is due before this time, the longest overdue first.
    ///
    /// # Errors
    /// Fails if the database cannot be read.
    pub async fn due_before(&self, at: i64, limit: i64) -> Result<Vec<TableId>, StoreError> {
        let rows = sqlx::query("SELECT id FROM tables WHERE due_at < $1 ORDER BY due_at LIMIT $2")
            .bind(at)
            .bind(limit)
            .fetch_all(self.pool());
        Ok(self.readable(&self.read(rows).await?, only_id))
    }

    /// The record of a finished match.
    ///
    /// # Errors
    /// Fails if the database cannot be read.
    pub async fn record(&self, table: TableId) -> Result<Option<String>, StoreError> {
        let row = sqlx::query_as("SELECT record FROM records WHERE table_id = $1")
            .bind(table.to_string())
            .fetch_optional(self.pool());
        let row: Option<(String,)> = self.read(row).await?;
        Ok(row.map(|(record,)| record))
    }
}

impl Store {
    /// The rows that can be decoded. The first column names a row.
    pub(super) fn readable<C: for<'r> FromRow<'r, AnyRow>, T>(
        &self,
        rows: &[AnyRow],
        read: impl Fn(C) -> Result<T, StoreError>,
    ) -> Vec<T> {
        let one = |row: &AnyRow| {
            let columns = C::from_row(row).map_err(|_| StoreError::Garbled("row"));
            let why = match columns.and_then(&read) {
                Ok(one) => return Some(one),
                Err(why) => why,
            };
            let id: Option<String> = row.try_get(0).ok();
            self.passed_over(id.as_deref().unwrap_or("?"), &why.to_string());
            None
        };
        rows.iter().filter_map(one).collect()
    }

    /// Logs, once for each, that something about a table cannot be decoded.
    pub(crate) fn passed_over(&self, id: &str, why: &str) {
        let mut known = self.0.passed_over.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() < MOST_PASSED_OVER && known.insert(id.to_owned()) {
            let table = match (id.parse(), id.parse()) {
                (Ok(id), _) => TableId::tag(id),
                (_, Ok(id)) => PrivateId::tag(id),
                _ => id.escape_debug().to_string(),
            };
            tracing::error!(table, why, "skipped an unreadable database row");
        }
    }
}

/// The columns of a row that only has an id.
pub(super) fn only_id((id,): (String,)) -> Result<TableId, StoreError> {
    table_id(&id)
}

/// An id as the database stores it.
pub(super) fn table_id(text: &str) -> Result<TableId, StoreError> {
    text.parse().map_err(|_| StoreError::Garbled("table id"))
}

fn table_row(columns: Columns) -> Result<TableRow, StoreError> {
    let (id, code, game, rules, listed, phase, created_at, changed_at, due_at, summary) = columns;
    Ok(TableRow {
        id: table_id(&id)?,
        code: code.parse().map_err(|_| StoreError::Garbled("table code"))?,
        game,
        rules,
        listed: listed != 0,
        phase: Phase::from_name(&phase).ok_or(StoreError::Garbled("table phase"))?,
        created_at,
        changed_at,
        due_at,
        summary,
    })
}
