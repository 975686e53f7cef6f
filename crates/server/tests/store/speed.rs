//! How fast entries are appended: `cargo test -p server --test store speed -- --ignored --nocapture --test-threads 1`.

use std::time::Duration;

use server::store::{Phase, TableId};
use tokio::time::Instant;

use crate::ground::{Ground, change, log, new_table};

const TABLES: u32 = 2000;

/// Every table appends as fast as it is answered; every fourth entry changes its table's row as well.
async fn measure(name: &str, ground: Ground) {
    let store = ground.open().await;
    let makers: Vec<_> = (0..TABLES).map(|number| store.create(new_table(number))).collect();
    for made in futures_util::future::join_all(makers).await {
        made.unwrap();
    }
    let body = format!("{{\"input\":\"{}\"}}", "x".repeat(180));
    let began = Instant::now();
    let tables: Vec<_> = (0..TABLES)
        .map(|number| {
            let (store, body) = (store.clone(), body.clone());
            tokio::spawn(async move {
                let (mut height, mut waits) = (1, Vec::new());
                while began.elapsed() < Duration::from_secs(5) {
                    let change = (height % 4 == 0).then(|| change(Phase::Playing));
                    let asked = Instant::now();
                    store.append(TableId(number.into()), height, 0, body.clone(), change).await.unwrap();
                    waits.push(asked.elapsed());
                    height += 1;
                }
                waits
            })
        })
        .collect();
    let mut waits = Vec::new();
    for table in tables {
        waits.extend(table.await.unwrap());
    }
    let seconds = began.elapsed().as_secs_f64();
    waits.sort();
    println!(
        "{name}: {:.0} appends a second, {TABLES} tables, p50 {:?}, p99 {:?}",
        waits.len() as f64 / seconds,
        waits[waits.len() / 2],
        waits[waits.len() * 99 / 100],
    );
    let mut stored = 0;
    for number in 0..TABLES {
        stored += log(&store, TableId(number.into())).await.len() - 1;
    }
    assert_eq!(stored, waits.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement"]
async fn speed_over_sqlite() {
    measure("SQLite", Ground::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement"]
async fn speed_over_postgres() {
    measure("PostgreSQL", Ground::postgres().await).await;
}
