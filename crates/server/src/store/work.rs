//! What the writer is asked to do, and what it answers.

use tokio::sync::oneshot;

use super::upkeep::Old;
use super::{Change, Complaint, NewTable, Player, PlayerId, StoreError, TableId};

/// A piece of work with somebody who waits for it.
pub(super) struct Job {
    pub(super) work: Work,
    pub(super) reply: oneshot::Sender<Result<Done, Failed>>,
}

/// One thing to write. Each is written whole or not at all.
pub(super) enum Work {
    Create(Box<NewTable>),
    Append(Append),
    Due(Vec<(TableId, Option<i64>)>),
    /// These sit at these tables and have them open now.
    Here(Vec<(TableId, PlayerId)>, i64),
    Save(Player),
    Seen(PlayerId, i64),
    /// Removes these tables if they are still old, and nothing happened to them since.
    Forget(Vec<TableId>, Old, i64),
    /// Removes players who are at no table and were not here since.
    ForgetPlayers(i64),
    /// Nothing that stays, under a name that nobody else uses; answered when it was on the disk.
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

/// What became of work that the database took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Done {
    Written,
    /// Another entry has that height.
    Conflict,
    CodeTaken,
    IdTaken,
    /// So many tables or players were removed.
    Forgotten(u64),
}

/// Why nothing became of it.
#[derive(Debug, Clone)]
pub(super) enum Failed {
    /// Nothing was stored.
    Unavailable(StoreError),
    /// Nothing was stored, because of what was to be written.
    Refused { complaint: Complaint, no_table: bool },
    /// Nobody knows.
    Unknown,
}

/// What an error of the database means for the transaction that it ended.
pub(super) enum Ending {
    /// The database stumbled over two transactions at once: the same again will do.
    Again(StoreError),
    /// Something in it cannot be written. The rest could.
    Refused { complaint: Complaint, no_table: bool },
    /// The database cannot write, or is away.
    Unavailable(StoreError),
}

impl From<sqlx::Error> for Failed {
    /// Where nothing was stored.
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
