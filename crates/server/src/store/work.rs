//! The writer's jobs and its answers.

use tokio::sync::oneshot;

use super::private::PrivateWork;
use super::upkeep::Old;
use super::{Change, Complaint, NewTable, Player, PlayerId, StoreError, TableId};

/// A piece of work, and the channel for its answer.
pub(super) struct Job {
    pub(super) work: Work,
    pub(super) reply: oneshot::Sender<Result<Done, Failed>>,
}

/// One thing to write. Each is written whole or not at all.
pub(super) enum Work {
    Create(Box<NewTable>),
    Append(Append),
    Due(Vec<(TableId, Option<i64>)>),
    /// These players sit at these tables and have them open now.
    Here(Vec<(TableId, PlayerId)>, i64),
    /// Something about a private table.
    Private(PrivateWork),
    Save(Player),
    Seen(PlayerId, i64),
    /// Deletes these tables if they are still old and nothing has happened at them since.
    Forget(Vec<TableId>, Old, i64),
    /// Deletes players who are at no table and have not been here since.
    ForgetPlayers(i64),
    /// A temporary row under a name that nobody else uses; answered once it was on the disk.
    Probe(String),
    /// Nothing; answered when everything before it is written.
    Close,
}

pub(super) struct Append {
    pub(super) table: TableId,
    pub(super) height: i64,
    pub(super) at: i64,
    pub(super) body: String,
    pub(super) change: Option<Change>,
}

/// The outcome of work that the database accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Done {
    Written,
    /// Another entry has that height.
    Conflict,
    CodeTaken,
    IdTaken,
    /// This many tables or players were deleted.
    Forgotten(u64),
}

/// Why the work failed.
#[derive(Debug, Clone)]
pub(super) enum Failed {
    /// Nothing was stored.
    Unavailable(StoreError),
    /// Nothing was stored, because of the data itself.
    Refused { complaint: Complaint, no_table: bool },
    /// The outcome is unknown.
    Unknown,
}

/// What a database error means for the transaction it ended.
pub(super) enum Ending {
    /// Two transactions got in each other's way: trying again will do.
    Again(StoreError),
    /// Something in it cannot be written. The rest could.
    Refused { complaint: Complaint, no_table: bool },
    /// The database cannot write, or is unreachable.
    Unavailable(StoreError),
}

impl From<sqlx::Error> for Failed {
    /// For cases where nothing was stored.
    fn from(error: sqlx::Error) -> Self {
        match Ending::from(error) {
            Ending::Again(error) | Ending::Unavailable(error) => Failed::Unavailable(error),
            Ending::Refused { complaint, no_table } => Failed::Refused { complaint, no_table },
        }
    }
}

impl From<sqlx::Error> for Ending {
    fn from(error: sqlx::Error) -> Self {
        let complaint = Complaint::from(&error);
        let code = complaint.code.as_deref().unwrap_or_default();
        match &error {
            // PostgreSQL: serialization failure, deadlock.
            sqlx::Error::Database(_) if code == "40001" || code == "40P01" => Ending::Again(error.into()),
            sqlx::Error::Database(database) if database.is_foreign_key_violation() => {
                Ending::Refused { complaint, no_table: true }
            }
            // Constraints; PostgreSQL's data exceptions (five characters, 22…); SQLite's "too big" and "mismatch".
            sqlx::Error::Database(database)
                if database.is_unique_violation()
                    || database.is_check_violation()
                    || code.len() == 5 && (code.starts_with("22") || code.starts_with("23"))
                    || code == "18"
                    || code == "20" =>
            {
                Ending::Refused { complaint, no_table: false }
            }
            sqlx::Error::Encode(_) => Ending::Refused { complaint, no_table: false },
            _ => Ending::Unavailable(error.into()),
        }
    }
}
