//! The database's schema, which is part of the program: opening a store brings its database up to date.
//!
//! A published migration is never changed; a new one gets the next number.

use sqlx::migrate::{Migrate, MigrateError, Migration, MigrationType, Migrator};
use sqlx::{AnyConnection, AssertSqlSafe, SqlSafeStr};

use super::{Complaint, StoreError};

/// Where the database itself records which migrations it has had.
const NOTES: &str = "_sqlx_migrations";

/// Brings the database up to date. Several servers may do so at once.
pub(super) async fn migrate(connection: &mut AnyConnection) -> Result<(), StoreError> {
    let migrations = migrations(connection);
    Migrator::with_migrations(migrations).run(connection).await.map_err(refusal)
}

/// Checks that the database is up to date, and changes nothing.
pub(super) async fn check(connection: &mut AnyConnection) -> Result<(), StoreError> {
    let applied = connection.list_applied_migrations(NOTES).await.map_err(refusal)?;
    let known = migrations(connection);
    let same = applied.len() == known.len()
        && known
            .iter()
            .zip(&applied)
            .all(|(ours, theirs)| ours.version == theirs.version && ours.checksum == theirs.checksum);
    if same { Ok(()) } else { Err(StoreError::Schema) }
}

/// Checks that the database can be brought up to date.
pub(super) async fn check_known(connection: &mut AnyConnection) -> Result<(), StoreError> {
    let applied = connection.list_applied_migrations(NOTES).await.map_err(refusal)?;
    let known = migrations(connection);
    let ours = !applied.is_empty()
        && applied
            .iter()
            .all(|theirs| known.iter().any(|ours| ours.version == theirs.version && ours.checksum == theirs.checksum));
    if ours { Ok(()) } else { Err(StoreError::Schema) }
}

/// The migrations in the form for this database.
fn migrations(connection: &AnyConnection) -> Vec<Migration> {
    let sqlite = connection.backend_name() == "SQLite";
    let all = [
        (1, "tables", include_str!("../../migrations/1_tables.sql")),
        (2, "presence", include_str!("../../migrations/2_presence.sql")),
        (3, "private", include_str!("../../migrations/3_private.sql")),
    ];
    all.into_iter()
        .map(|(version, name, sql)| {
            let sql = if sqlite { for_sqlite(sql) } else { sql.to_owned() };
            Migration::new(version, name.into(), MigrationType::Simple, AssertSqlSafe(sql).into_sql_str(), false)
        })
        .collect()
}

/// Uncomments the parts that are meant for SQLite, and uses its word for bytes.
fn for_sqlite(sql: &str) -> String {
    sql.replace("/*SQLite ", "").replace(" */", "").replace("BYTEA", "BLOB")
}

fn refusal(error: MigrateError) -> StoreError {
    match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => StoreError::from(error),
        MigrateError::VersionMissing(_) | MigrateError::VersionMismatch(_) | MigrateError::Dirty(_) => {
            StoreError::Schema
        }
        other => StoreError::Database(Complaint { code: None, message: other.to_string() }),
    }
}
