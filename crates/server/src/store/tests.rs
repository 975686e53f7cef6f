//! A database that does not answer.

use std::time::Duration;

use sqlx::{Connection as _, PgConnection};
use tokio::time::timeout;

use super::postgres::Postgres;
use super::*;

/// Longer than anybody should have to wait.
const LONG: Duration = Duration::from_secs(60);

#[tokio::test]
async fn callers_are_told_when_postgresql_does_not_answer_and_are_served_again_when_it_does() {
    let address = Postgres::shared().database().await;
    let store = Store::open_within(&address, Duration::from_millis(200)).await.unwrap();
    let mut other = PgConnection::connect(&address).await.unwrap();
    sqlx::raw_sql("BEGIN; LOCK TABLE tables, entries IN ACCESS EXCLUSIVE MODE").execute(&mut other).await.unwrap();

    let too_slow = StoreError::too_slow().to_string();
    let read = timeout(LONG, store.entries(TableId(1), 0)).await.expect("nobody waits forever");
    assert_eq!(read.unwrap_err().to_string(), too_slow);
    let written = store.append(TableId(1), 1, 0, String::new(), None);
    match timeout(LONG, written).await.expect("nobody waits forever") {
        Err(AppendError::Unavailable(why)) => assert_eq!(why.to_string(), too_slow),
        other => panic!("{other:?}"),
    }

    sqlx::raw_sql("ROLLBACK").execute(&mut other).await.unwrap();
    let answered = async {
        // Its first answers may take long, too.
        loop {
            if let Ok(entries) = store.entries(TableId(1), 0).await {
                return entries;
            }
        }
    };
    let answered = timeout(LONG, answered).await.expect("it answers again");
    assert!(answered.is_empty(), "nothing was stored");
}
