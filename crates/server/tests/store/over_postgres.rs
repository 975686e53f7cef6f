//! What PostgreSQL promises in addition to the common laws: servers hear of each other, and restarts are survived.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use server::store::{AppendError, Store, StoreError, TableChanged, TableId};
use tokio::sync::broadcast;
use tokio::time::timeout;

use crate::common::postgres::Postgres;
use crate::ground::{Ground, log, new_table};

async fn next(news: &mut broadcast::Receiver<TableChanged>) -> TableChanged {
    timeout(Duration::from_secs(20), news.recv()).await.expect("in time").expect("the store is open")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_hear_of_each_others_changes() {
    let ground = Ground::postgres().await;
    let (one, two) = (ground.open().await, ground.open().await);
    let (mut at_one, mut at_two) = (one.changed(), two.changed());
    one.create(new_table(1)).await.unwrap();
    assert_eq!(next(&mut at_one).await, TableChanged::Table { id: TableId(1), own: true });
    assert_eq!(next(&mut at_two).await, TableChanged::Table { id: TableId(1), own: false });
    assert_eq!(log(&two, TableId(1)).await.len(), 1);

    two.append(TableId(1), 1, 0, "two".into(), None).await.unwrap();
    assert_eq!(next(&mut at_one).await, TableChanged::Table { id: TableId(1), own: false });
    assert_eq!(next(&mut at_two).await, TableChanged::Table { id: TableId(1), own: true });

    // A refused entry is not announced.
    one.append(TableId(1), 1, 0, "late".into(), None).await.unwrap_err();
    one.append(TableId(1), 2, 0, "three".into(), None).await.unwrap();
    next(&mut at_two).await;
    assert!(timeout(Duration::from_millis(200), at_two.recv()).await.is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn changes_of_very_many_tables_are_all_heard() {
    let ground = Ground::postgres().await;
    let (one, two) = (ground.open().await, ground.open().await);
    let mut news = two.changed();
    let makers: Vec<_> = (0..1500).map(|number| one.create(new_table(number))).collect();
    for made in futures_util::future::join_all(makers).await {
        made.unwrap();
    }
    let mut heard = BTreeSet::new();
    while heard.len() < 1500 {
        match next(&mut news).await {
            TableChanged::Table { id, own: false } => heard.insert(id),
            other => panic!("{other:?}"),
        };
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_at_many_tables_never_fail_each_other() {
    let ground = Ground::postgres().await;
    let stores = [ground.open().await, ground.open().await];
    for number in 0..20 {
        stores[0].create(new_table(number)).await.unwrap();
    }
    let mut players = Vec::new();
    for number in 0..20u64 {
        for store in &stores {
            let store = store.clone();
            players.push(tokio::spawn(async move {
                let mut wins = 0;
                for height in 1..=20 {
                    let change = crate::ground::change(server::store::Phase::Playing);
                    match store.append(TableId(number), height, 0, "move".into(), Some(change)).await {
                        Ok(()) => wins += 1,
                        Err(AppendError::Conflict) => {}
                        Err(other) => panic!("{other}"),
                    }
                    let dues = (0..20).map(|table| (TableId((table + number) % 20), Some(height))).collect();
                    store.set_due(dues).await.unwrap();
                }
                wins
            }));
        }
    }
    let mut wins = 0;
    for player in players {
        wins += player.await.unwrap();
    }
    assert_eq!(wins, 20 * 20);
    for number in 0..20 {
        assert_eq!(log(&stores[1], TableId(number)).await.len(), 21);
    }
}

/// Appends for a while, during which PostgreSQL goes away and comes back, and compares the answers with the log.
async fn restarted(crash: bool) {
    let server = Postgres::start();
    let address = server.database().await;
    let store = Store::open(&address).await.unwrap();
    let mut news = store.changed();
    for number in 0..10 {
        store.create(new_table(number)).await.unwrap();
    }
    let back = Arc::new(AtomicBool::new(false));
    let players: Vec<_> = (0..10u64)
        .map(|number| {
            let (store, back) = (store.clone(), back.clone());
            tokio::spawn(async move {
                let (mut accepted, mut refused, mut after) = (vec!["made".to_owned()], 0, 0);
                while after < 20 {
                    let height = accepted.len() as i64;
                    let body = format!("{height} {refused}");
                    match store.append(TableId(number), height, 0, body.clone(), None).await {
                        Ok(()) => {
                            accepted.push(body);
                            after += usize::from(back.load(Ordering::Relaxed));
                        }
                        Err(AppendError::Unavailable(_)) => {
                            refused += 1;
                            tokio::time::sleep(Duration::from_millis(20)).await;
                        }
                        Err(other) => panic!("table {number}: {other}"),
                    }
                }
                accepted
            })
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(500)).await;
    tokio::task::block_in_place(|| if crash { server.crash() } else { server.stop() });
    tokio::time::sleep(Duration::from_millis(500)).await;
    tokio::task::block_in_place(|| server.start_again());
    back.store(true, Ordering::Relaxed);
    for (number, player) in players.into_iter().enumerate() {
        let accepted = timeout(Duration::from_secs(60), player).await.expect("it continues").unwrap();
        assert_eq!(log(&store, TableId(number as u64)).await[1..], accepted[1..]);
    }
    store.health().await.unwrap();
    loop {
        match timeout(Duration::from_secs(20), news.recv()).await.expect("in time") {
            Ok(TableChanged::Missed) | Err(broadcast::error::RecvError::Lagged(_)) => break,
            Ok(TableChanged::Table { .. } | TableChanged::Private { .. }) => {}
            Err(closed) => panic!("{closed}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restart_of_the_database_is_survived() {
    restarted(false).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_of_the_database_is_survived() {
    restarted(true).await;
}

/// Nobody was writing while the database restarted: the first caller afterwards does not notice.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_idle_store_does_not_notice_a_restart() {
    let server = Postgres::start();
    let store = Store::open(&server.database().await).await.unwrap();
    let mut news = store.changed();
    store.create(new_table(1)).await.unwrap();
    tokio::task::block_in_place(|| {
        server.stop();
        server.start_again();
    });
    store.append(TableId(1), 1, 0, "after".into(), None).await.unwrap();
    assert_eq!(log(&store, TableId(1)).await, ["made 1", "after"]);
    while next(&mut news).await != TableChanged::Missed {}
    store.append(TableId(1), 2, 0, "heard".into(), None).await.unwrap();
    while next(&mut news).await != (TableChanged::Table { id: TableId(1), own: true }) {}
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_entry_that_cannot_be_written_does_not_hurt_others() {
    let ground = Ground::postgres().await;
    let store = ground.open().await;
    for number in 0..20 {
        store.create(new_table(number)).await.unwrap();
    }
    // PostgreSQL accepts no zero bytes in texts.
    let appends = (0..20u64).map(|number| {
        let body = if number == 7 { "\0" } else { "good" };
        store.append(TableId(number), 1, 0, body.into(), None)
    });
    for (number, answer) in futures_util::future::join_all(appends).await.into_iter().enumerate() {
        match answer {
            Err(AppendError::Refused(_)) => assert_eq!(number, 7),
            answer => answer.unwrap(),
        }
    }
}

#[tokio::test]
async fn backups_are_left_to_postgresqls_own_tools() {
    let ground = Ground::postgres().await;
    let store = ground.open().await;
    assert!(matches!(store.backup(Path::new("nowhere")).await, Err(StoreError::OwnTools)));
    assert!(matches!(Store::restore(&ground.address(), Path::new("nowhere")).await, Err(StoreError::OwnTools)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_servers_may_start_at_once() {
    let ground = Ground::postgres().await;
    let address = ground.address();
    let starting = (0..6).map(|_| Store::open(&address));
    for store in futures_util::future::join_all(starting).await {
        store.unwrap();
    }
    Store::open_beside(&address).await.unwrap();
}
