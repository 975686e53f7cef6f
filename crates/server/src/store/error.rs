//! Errors of the store, one type for each operation.
//!
//! No error carries an address (it may hold a password) or the values of a row (it may hold a secret): of a database's
//! error only the code and the first line are kept.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// Why the store could not be opened, read or maintained.
#[derive(Debug, Clone)]
pub enum StoreError {
    /// The address is neither `sqlite:PATH` nor `postgres://…`, or is malformed.
    Address,
    /// Another server has this database open.
    InUse(PathBuf),
    /// There is no database at this path.
    Missing(PathBuf),
    /// There is something at this path that must not be overwritten.
    Exists(PathBuf),
    /// This is not a database of this program.
    NotOurs(PathBuf),
    /// The database was written by a newer or a modified version of this program.
    Schema,
    /// This kind of database has its own tools for that (`pg_dump`, `pg_restore`).
    OwnTools,
    /// A file could not be created, read or locked.
    File(PathBuf, Arc<std::io::Error>),
    /// The database refused or did not answer.
    Database(Complaint),
    /// The database in this file refused, or is damaged.
    DatabaseFile(PathBuf, Complaint),
    /// Something in the database cannot be decoded.
    Garbled(&'static str),
    /// The store was closed.
    Closed,
}

/// A database's error message, without any stored data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// The database's own code, such as SQLSTATE.
    pub code: Option<String>,
    /// Its message.
    pub message: String,
}

/// Why an entry was not appended. Only [`AppendError::Unknown`] leaves open whether it was.
#[derive(Debug, Clone)]
pub enum AppendError {
    /// Another entry has that height: read the log again.
    Conflict,
    /// There is no such table (any more).
    NoTable,
    /// The database can never accept this entry or its change.
    Refused(Complaint),
    /// The database cannot write now. Nothing was stored.
    Unavailable(StoreError),
    /// The connection was lost while writing and did not come back in time: read the log again.
    Unknown,
}

/// Why a table was not created.
#[derive(Debug, Clone)]
pub enum CreateError {
    /// Another unfinished table has this code.
    CodeTaken,
    /// There is a table with this id.
    IdTaken,
    /// The database could not write it.
    Failed(AppendError),
}

impl From<&sqlx::Error> for Complaint {
    fn from(error: &sqlx::Error) -> Self {
        match error {
            sqlx::Error::Database(database) => Complaint {
                code: database.code().map(|code| code.into_owned()),
                message: database.message().lines().next().unwrap_or_default().to_owned(),
            },
            other => Complaint { code: None, message: other.to_string() },
        }
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::PoolClosed => StoreError::Closed,
            other => StoreError::Database(Complaint::from(&other)),
        }
    }
}

impl StoreError {
    /// PostgreSQL did not answer in time.
    pub(super) fn too_slow() -> Self {
        StoreError::Database(Complaint { code: None, message: "the database did not answer in time".to_owned() })
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.code {
            Some(code) => write!(f, "{} ({code})", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Address => f.write_str("the database address must be sqlite:PATH or postgres://USER@HOST/NAME"),
            StoreError::InUse(path) => write!(f, "{}: another server is using this database", path.display()),
            StoreError::Missing(path) => write!(f, "{}: no database found", path.display()),
            StoreError::Exists(path) => write!(f, "{}: already exists and will not be overwritten", path.display()),
            StoreError::NotOurs(path) => write!(f, "{}: not a fairdeal database, or damaged", path.display()),
            StoreError::Schema => f.write_str("the database was written by another version of fairdeal"),
            StoreError::OwnTools => f.write_str("use pg_dump and pg_restore to back up and restore PostgreSQL"),
            StoreError::File(path, error) => write!(f, "{}: {error}", path.display()),
            StoreError::Database(complaint) => write!(f, "database error: {complaint}"),
            StoreError::DatabaseFile(path, complaint) => {
                write!(f, "{}: database error: {complaint}", path.display())
            }
            StoreError::Garbled(what) => write!(f, "the database holds an invalid {what}"),
            StoreError::Closed => f.write_str("the store is closed"),
        }
    }
}

impl fmt::Display for AppendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AppendError::Conflict => f.write_str("another entry has that height"),
            AppendError::NoTable => f.write_str("there is no such table"),
            AppendError::Refused(complaint) => write!(f, "the database refused it: {complaint}"),
            AppendError::Unavailable(error) => write!(f, "the database cannot be written: {error}"),
            AppendError::Unknown => f.write_str("the connection was lost while writing"),
        }
    }
}

impl fmt::Display for CreateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CreateError::CodeTaken => f.write_str("another table has that code"),
            CreateError::IdTaken => f.write_str("another table has that id"),
            CreateError::Failed(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for StoreError {}
impl std::error::Error for AppendError {}
impl std::error::Error for CreateError {}
