//! The statements of one transaction that writes many pieces of work.
//!
//! Everything here is built so that one piece of work cannot make another fail: the database leaves existing rows
//! alone, and its result shows which they are. A statement's text depends on its number of rows; these come in a few
//! sizes only, so that the database can reuse each prepared statement.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use sqlx::{AnyConnection, AssertSqlSafe};

use super::private::{self, PrivateWork};
use super::upkeep::Old;
use super::work::{Append, Done, Work};
use super::{Change, NewTable, PlayerId, PrivateId, SeatResult, StoreError, TableId};

/// The numbers of rows a statement can have. SQLite takes 32,766 arguments, PostgreSQL 65,535.
const SIZES: [usize; 4] = [256, 32, 4, 1];

/// The size of a probe in bytes: as many pages as a batch may need, so that a disk with less room counts as full.
const PROBE: usize = 100_000;

/// The outcome of each piece of work, and the tables that others should read again.
pub(super) struct Outcome {
    pub(super) done: Vec<Done>,
    pub(super) changed: BTreeSet<TableId>,
    pub(super) private: BTreeSet<PrivateId>,
}

/// Writes everything within the transaction that is open on this connection. If several servers write (`together`),
/// they all lock existing rows in the same order, so that they never deadlock.
pub(super) async fn write<'w>(
    connection: &mut AnyConnection,
    works: impl Iterator<Item = &'w Work> + Clone,
    together: bool,
) -> Result<Outcome, WriteError> {
    let mut outcome = Outcome { done: Vec::new(), changed: BTreeSet::new(), private: BTreeSet::new() };
    let mut appends = BTreeMap::new();
    for (place, work) in works.clone().enumerate() {
        let done = match work {
            Work::Create(table) => create(connection, table).await?,
            Work::Append(append) => {
                // Of two entries for one height the first wins, no matter in which order the database sees them.
                appends.entry((append.table, append.height)).or_insert((place, append));
                Done::Conflict
            }
            Work::Private(work) => private::write(connection, work).await?,
            Work::Save(player) => {
                sqlx::query(
                    "INSERT INTO players (id, name, avatar, preferences, created_at, seen_at) \
                     VALUES ($1, $2, $3, '{}', $4, $5) ON CONFLICT (id) DO UPDATE SET name = excluded.name, \
                     avatar = excluded.avatar, seen_at = excluded.seen_at",
                )
                .bind(player.id.to_string())
                .bind(player.name.as_str())
                .bind(player.avatar.as_str())
                .bind(player.created_at)
                .bind(player.seen_at)
                .execute(&mut *connection)
                .await?;
                Done::Written
            }
            Work::Seen(player, at) => {
                sqlx::query("UPDATE players SET seen_at = $1 WHERE id = $2 AND seen_at < $1")
                    .bind(at)
                    .bind(player.to_string())
                    .execute(&mut *connection)
                    .await?;
                Done::Written
            }
            Work::Here(people, at) => {
                let mut people: Vec<_> =
                    people.iter().map(|(table, player)| (table.to_string(), player.to_string())).collect();
                // All servers lock them in the same order.
                people.sort();
                for (table, player) in people {
                    sqlx::query(
                        "UPDATE seats SET here_at = $1 WHERE table_id = $2 AND player_id = $3 AND here_at < $1",
                    )
                    .bind(at)
                    .bind(table)
                    .bind(player)
                    .execute(&mut *connection)
                    .await?;
                }
                Done::Written
            }
            Work::Forget(tables, old, before) => forget(connection, tables, old, *before).await?,
            Work::ForgetPlayers(before) => forget_players(connection, *before).await?,
            Work::Probe(name) => probe(connection, name).await?,
            Work::Due(_) | Work::Close => Done::Written,
        };
        match (work, done) {
            (Work::Create(table), Done::Written) => drop(outcome.changed.insert(table.id)),
            (Work::Private(PrivateWork::Append { table, .. }), Done::Written) => drop(outcome.private.insert(*table)),
            _ => {}
        }
        outcome.done.push(done);
    }
    for (table, height) in append(connection, appends.values().map(|(_, append)| *append), together).await? {
        if let Some((place, _)) = appends.get(&(table, height))
            && let Some(done) = outcome.done.get_mut(*place)
        {
            *done = Done::Written;
            outcome.changed.insert(table);
        }
    }
    change(connection, works.zip(outcome.done.iter().copied()), together).await?;
    Ok(outcome)
}

/// Why a transaction cannot be finished.
pub(super) enum WriteError {
    Database(sqlx::Error),
    /// The database returned something that makes no sense.
    Garbled(StoreError),
    /// Some of several entries already existed, and it is not known which.
    Mixed,
}

impl From<sqlx::Error> for WriteError {
    fn from(error: sqlx::Error) -> Self {
        WriteError::Database(error)
    }
}

async fn create(connection: &mut AnyConnection, table: &NewTable) -> Result<Done, sqlx::Error> {
    let id = table.id.to_string();
    // Codes are typed into one field, no matter what kind of table they lead to.
    if private::has_code(connection, table.code).await? {
        return Ok(Done::CodeTaken);
    }
    let made = sqlx::query(
        "INSERT INTO tables (id, code, game, rules, listed, phase, created_at, changed_at, due_at, summary, secret) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9, $10) ON CONFLICT DO NOTHING",
    )
    .bind(id.as_str())
    .bind(table.code.to_string())
    .bind(table.game.as_str())
    .bind(table.rules)
    .bind(i64::from(table.listed))
    .bind(table.phase.name())
    .bind(table.at)
    .bind(table.due_at)
    .bind(table.summary.as_str())
    .bind(table.secret.to_hex())
    .execute(&mut *connection)
    .await?;
    if made.rows_affected() == 0 {
        let same = sqlx::query("SELECT 1 FROM tables WHERE id = $1").bind(id.as_str());
        let same = same.fetch_optional(&mut *connection).await?;
        return Ok(if same.is_some() { Done::IdTaken } else { Done::CodeTaken });
    }
    sqlx::query("INSERT INTO entries (table_id, height, at, body) VALUES ($1, 0, $2, $3)")
        .bind(id.as_str())
        .bind(table.at)
        .bind(table.body.as_str())
        .execute(&mut *connection)
        .await?;
    seat(connection, &id, &table.seated).await?;
    Ok(Done::Written)
}

/// Appends in the order of tables and heights, so that two servers rarely deadlock, and returns the new entries.
/// SQLite only reports how many there are: it passes every returned row to another thread one by one, which takes
/// longer than writing it. With SQLite, usually nobody else writes.
async fn append(
    connection: &mut AnyConnection,
    appends: impl Iterator<Item = &Append>,
    together: bool,
) -> Result<Vec<(TableId, i64)>, WriteError> {
    let appends: Vec<&Append> = appends.collect();
    let mut written = Vec::with_capacity(appends.len());
    for rows in sized(&appends) {
        let (or, then) =
            if together { ("", " ON CONFLICT DO NOTHING RETURNING table_id, height") } else { (" OR IGNORE", "") };
        let values = places(rows.len(), 4, together);
        let sql = format!("INSERT{or} INTO entries (table_id, height, at, body) VALUES {values}{then}");
        if together {
            let mut query = sqlx::query_as::<_, (String, i64)>(AssertSqlSafe(sql));
            for append in rows {
                query =
                    query.bind(append.table.to_string()).bind(append.height).bind(append.at).bind(append.body.as_str());
            }
            for (table, height) in query.fetch_all(&mut *connection).await? {
                let table = table.parse().map_err(|_| WriteError::Garbled(StoreError::Garbled("table id")))?;
                written.push((table, height));
            }
            continue;
        }
        let mut query = sqlx::query(AssertSqlSafe(sql));
        for append in rows {
            query = query.bind(append.table.to_string()).bind(append.height).bind(append.at).bind(append.body.as_str());
        }
        let count = query.execute(&mut *connection).await?.rows_affected();
        if count == u64::try_from(rows.len()).unwrap_or(u64::MAX) {
            written.extend(rows.iter().map(|append| (append.table, append.height)));
        } else if rows.len() > 1 {
            return Err(WriteError::Mixed);
        }
    }
    Ok(written)
}

/// Whether the entries to be written are there. `None` if there were none.
pub(super) async fn is_stored<'w>(
    connection: &mut AnyConnection,
    works: impl Iterator<Item = (&'w Work, Done)>,
) -> Result<Option<bool>, sqlx::Error> {
    let mut any = None;
    for work in works {
        let (table, height, body) = match work {
            (Work::Append(append), Done::Written) => (append.table, append.height, append.body.as_str()),
            (Work::Create(table), Done::Written) => (table.id, 0, table.body.as_str()),
            (Work::Private(PrivateWork::Append { table, height, body }), Done::Written) => {
                if !private::is_stored(connection, *table, *height, body).await? {
                    return Ok(Some(false));
                }
                any = Some(true);
                continue;
            }
            _ => continue,
        };
        let stored: Option<(String,)> = sqlx::query_as("SELECT body FROM entries WHERE table_id = $1 AND height = $2")
            .bind(table.to_string())
            .bind(height)
            .fetch_optional(&mut *connection)
            .await?;
        if stored.is_none_or(|(stored,)| stored != body) {
            return Ok(Some(false));
        }
        any = Some(true);
    }
    Ok(any)
}

/// Updates the tables' rows to the latest state of each. The due time can be given on its own.
async fn change<'w>(
    connection: &mut AnyConnection,
    works: impl Iterator<Item = (&'w Work, Done)>,
    together: bool,
) -> Result<(), sqlx::Error> {
    let mut changes: BTreeMap<TableId, (&Change, i64)> = BTreeMap::new();
    let mut dues: BTreeMap<TableId, Option<i64>> = BTreeMap::new();
    for work in works {
        match work {
            (Work::Append(append), Done::Written) => {
                let Some(change) = &append.change else { continue };
                changes.insert(append.table, (change, append.at));
                dues.remove(&append.table);
                let id = append.table.to_string();
                if let Some(seated) = &change.seated {
                    stand(connection, &id, seated).await?;
                    seat(connection, &id, seated).await?;
                }
                keep_results(connection, &id, &change.results).await?;
                if let Some(record) = &change.record {
                    sqlx::query(
                        "INSERT INTO records (table_id, record, at) VALUES ($1, $2, $3) \
                         ON CONFLICT (table_id) DO UPDATE SET record = excluded.record, at = excluded.at",
                    )
                    .bind(&id)
                    .bind(record.as_str())
                    .bind(append.at)
                    .execute(&mut *connection)
                    .await?;
                }
            }
            (Work::Due(tables), Done::Written) => dues.extend(tables.iter().copied()),
            _ => {}
        }
    }
    if together {
        let tables: BTreeSet<TableId> = changes.keys().chain(dues.keys()).copied().collect();
        let tables: Vec<TableId> = tables.into_iter().collect();
        for rows in sized(&tables) {
            let sql = format!(
                "SELECT id FROM tables WHERE id IN (VALUES {}) ORDER BY id FOR NO KEY UPDATE",
                places(rows.len(), 1, together)
            );
            let mut query = sqlx::query(AssertSqlSafe(sql));
            for table in rows {
                query = query.bind(table.to_string());
            }
            query.execute(&mut *connection).await?;
        }
    }
    let changes: Vec<_> = changes.into_iter().collect();
    for rows in sized(&changes) {
        // Both databases call the columns of a list of values column1, column2 and so on.
        let sql = format!(
            "UPDATE tables SET phase = v.column2, due_at = v.column3, summary = v.column4, changed_at = v.column5 \
             FROM (VALUES {}) AS v WHERE tables.id = v.column1",
            places(rows.len(), 5, together)
        );
        let mut query = sqlx::query(AssertSqlSafe(sql));
        for (table, (change, at)) in rows {
            query = query.bind(table.to_string()).bind(change.phase.name()).bind(change.due_at);
            query = query.bind(change.summary.as_str()).bind(at);
        }
        query.execute(&mut *connection).await?;
    }
    let dues: Vec<_> = dues.into_iter().collect();
    for rows in sized(&dues) {
        let sql = format!(
            "UPDATE tables SET due_at = v.column2 FROM (VALUES {}) AS v \
             WHERE tables.id = v.column1 AND tables.phase <> 'over'",
            places(rows.len(), 2, together)
        );
        let mut query = sqlx::query(AssertSqlSafe(sql));
        for (table, due) in rows {
            query = query.bind(table.to_string()).bind(due);
        }
        query.execute(&mut *connection).await?;
    }
    Ok(())
}

/// Frees the seats of all others; those who stay keep the time they were last there.
async fn stand(connection: &mut AnyConnection, table: &str, stay: &[PlayerId]) -> Result<(), sqlx::Error> {
    let stay: BTreeSet<String> = stay.iter().map(PlayerId::to_string).collect();
    let sat: Vec<(String,)> = sqlx::query_as("SELECT player_id FROM seats WHERE table_id = $1 ORDER BY player_id")
        .bind(table)
        .fetch_all(&mut *connection)
        .await?;
    for (player,) in sat.into_iter().filter(|(player,)| !stay.contains(player)) {
        sqlx::query("DELETE FROM seats WHERE table_id = $1 AND player_id = $2")
            .bind(table)
            .bind(player)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

async fn seat(connection: &mut AnyConnection, table: &str, players: &[PlayerId]) -> Result<(), sqlx::Error> {
    for player in players {
        sqlx::query("INSERT INTO seats (table_id, player_id) VALUES ($1, $2) ON CONFLICT DO NOTHING")
            .bind(table)
            .bind(player.to_string())
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

async fn keep_results(connection: &mut AnyConnection, table: &str, results: &[SeatResult]) -> Result<(), sqlx::Error> {
    for result in results {
        sqlx::query(
            "INSERT INTO results \
             (table_id, seat, player_id, name, game, players, place, total, won, shared, deals, over_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT DO NOTHING",
        )
        .bind(table)
        .bind(result.seat)
        .bind(result.player.as_ref().map(PlayerId::to_string))
        .bind(result.name.as_str())
        .bind(result.game.as_str())
        .bind(result.players)
        .bind(result.place)
        .bind(result.total)
        .bind(i64::from(result.won))
        .bind(i64::from(result.shared))
        .bind(result.deals)
        .bind(result.over_at)
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

/// Everything else about these tables is deleted with them, as the schema says.
async fn forget(
    connection: &mut AnyConnection,
    tables: &[TableId],
    old: &Old,
    before: i64,
) -> Result<Done, sqlx::Error> {
    let sql = format!("DELETE FROM tables WHERE id = $1 AND changed_at < $2 AND {}", old.condition(3));
    let mut count = 0;
    for table in tables {
        let mut query = sqlx::query(AssertSqlSafe(sql.clone())).bind(table.to_string()).bind(before);
        for (game, rules) in old.rules() {
            query = query.bind(*game).bind(rules);
        }
        count += query.execute(&mut *connection).await?.rows_affected();
    }
    Ok(Done::Forgotten(count))
}

/// Players who are at no table and in no result any more.
async fn forget_players(connection: &mut AnyConnection, before: i64) -> Result<Done, sqlx::Error> {
    let gone = sqlx::query(
        "DELETE FROM players WHERE seen_at < $1 \
         AND NOT EXISTS (SELECT 1 FROM seats WHERE seats.player_id = players.id) \
         AND NOT EXISTS (SELECT 1 FROM results WHERE results.player_id = players.id)",
    );
    Ok(Done::Forgotten(gone.bind(before).execute(&mut *connection).await?.rows_affected()))
}

/// Writes a row that needs new pages, and deletes it again: there is no other way to see whether there is room.
async fn probe(connection: &mut AnyConnection, name: &str) -> Result<Done, sqlx::Error> {
    let row = "INSERT INTO players (id, name, avatar, preferences, created_at, seen_at) VALUES ($1, '', '', $2, 0, 0)";
    sqlx::query(row).bind(name).bind("x".repeat(PROBE)).execute(&mut *connection).await?;
    sqlx::query("DELETE FROM players WHERE id = $1").bind(name).execute(&mut *connection).await?;
    Ok(Done::Written)
}

/// The rows in chunks of one of the [`SIZES`].
fn sized<T>(mut rows: &[T]) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let size = SIZES.into_iter().find(|size| *size <= rows.len())?;
        let (piece, rest) = rows.split_at_checked(size)?;
        rows = rest;
        Some(piece)
    })
}

/// `($1, $2), ($3, $4)` for two rows of two columns, for PostgreSQL (`together`); for SQLite `(?, ?), (?, ?)`, since
/// it searches a list of all numbered arguments for each one.
fn places(rows: usize, columns: usize, together: bool) -> String {
    let mut places = String::new();
    for place in 0..rows * columns {
        places.push_str(match (place, place % columns) {
            (0, _) => "(",
            (_, 0) => "), (",
            _ => ", ",
        });
        if together {
            // Writing to a string cannot fail.
            let _ = write!(places, "${}", place + 1);
        } else {
            places.push('?');
        }
    }
    places.push(')');
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_in_a_few_sizes_and_none_is_lost() {
        let rows: Vec<usize> = (0..999).collect();
        assert_eq!(sized(&rows).flatten().copied().collect::<Vec<_>>(), rows);
        assert!(sized(&rows).all(|piece| SIZES.contains(&piece.len())));
        assert_eq!(sized::<u8>(&[]).count(), 0);
    }

    #[test]
    fn placeholders_are_numbered_for_postgresql_only() {
        assert_eq!(places(2, 2, true), "($1, $2), ($3, $4)");
        assert_eq!(places(2, 2, false), "(?, ?), (?, ?)");
    }
}
