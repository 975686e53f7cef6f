//! An empty database for one test, and small things to put into it.

use server::store::{Change, Code, NewTable, Phase, PlayerId, SeatResult, Secret, Store, TableId};
use tempfile::TempDir;

use crate::common::postgres::Postgres;

/// An empty database.
pub(crate) enum Ground {
    Sqlite(TempDir),
    Postgres(String),
}

impl Ground {
    pub(crate) fn sqlite() -> Self {
        Ground::Sqlite(tempfile::tempdir().expect("a directory"))
    }

    pub(crate) async fn postgres() -> Self {
        Ground::Postgres(Postgres::shared().database().await)
    }

    pub(crate) fn address(&self) -> String {
        match self {
            Ground::Sqlite(directory) => format!("sqlite:{}", directory.path().join("fairdeal.db").display()),
            Ground::Postgres(address) => address.clone(),
        }
    }

    pub(crate) async fn open(&self) -> Store {
        Store::open(&self.address()).await.expect("the database opens")
    }

    /// A second store on the same database: another server if the database allows it, otherwise an operator command.
    pub(crate) async fn open_another(&self) -> Store {
        match self {
            Ground::Sqlite(_) => Store::open_beside(&self.address()).await.expect("the database opens"),
            Ground::Postgres(_) => self.open().await,
        }
    }
}

/// Makes a test over SQLite and one over PostgreSQL for each law.
#[macro_export]
macro_rules! laws {
    ($($law:ident),* $(,)?) => {
        mod over {
            mod sqlite {
                $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $law() {
                    super::super::$law($crate::ground::Ground::sqlite()).await;
                })*
            }
            mod postgres {
                $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $law() {
                    super::super::$law($crate::ground::Ground::postgres().await).await;
                })*
            }
        }
    };
}

/// A table whose id and code are this number.
pub(crate) fn new_table(number: u32) -> NewTable {
    NewTable {
        id: TableId(u64::from(number)),
        code: Code::new(number).expect("a small number"),
        game: "blackout".to_owned(),
        rules: 1,
        listed: true,
        phase: Phase::Gathering,
        at: 1000,
        due_at: None,
        summary: "{}".to_owned(),
        secret: Secret::new([number as u8; 32]),
        seated: vec![],
        body: format!("made {number}"),
    }
}

pub(crate) fn change(phase: Phase) -> Change {
    Change { phase, due_at: None, summary: "{}".to_owned(), seated: None, results: vec![], record: None }
}

pub(crate) fn player(number: u32) -> PlayerId {
    format!("{number:032x}").parse().expect("hexadecimal digits")
}

pub(crate) fn result(seat: i64, player: Option<PlayerId>, place: i64, total: i64) -> SeatResult {
    SeatResult {
        seat,
        player,
        name: format!("seat {seat}"),
        game: "blackout".to_owned(),
        players: 3,
        place,
        total,
        won: place == 1,
        shared: false,
        deals: 9,
        over_at: 5000,
    }
}

/// The bodies of a table's log.
pub(crate) async fn log(store: &Store, table: TableId) -> Vec<String> {
    let entries = store.entries(table, 0).await.expect("the log can be read");
    let heights: Vec<i64> = entries.iter().map(|entry| entry.height).collect();
    assert_eq!(heights, (0..entries.len() as i64).collect::<Vec<_>>(), "the log has no holes");
    entries.into_iter().map(|entry| entry.body).collect()
}
