//! A server that is killed again and again while people play: nothing that was accepted is lost, nothing is done
//! twice, and every table continues.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::players::{Table, tables};
use super::postgres::Postgres;
use super::process::{Server, free_address};

fn survives(data: &Path, database: Option<&str>) {
    let kills = super::count(5, 100);
    let address = free_address();
    let mut server = Server::without_limits(address, data, database);
    let mut tables = tables(server.address);
    let moves: Vec<AtomicU64> = tables.iter().map(|_| AtomicU64::new(0)).collect();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for (table, moves) in tables.iter_mut().zip(&moves) {
            let stop = &stop;
            scope.spawn(move || play(table, address, moves, stop));
        }
        for kill in 0..kills {
            let before: Vec<u64> = moves.iter().map(|moves| moves.load(Ordering::Relaxed)).collect();
            let until = Instant::now() + Duration::from_secs(60);
            // Every table must have advanced since the last time, except one whose match is over.
            while Instant::now() < until
                && moves.iter().zip(&before).any(|(moves, before)| moves.load(Ordering::Relaxed) <= *before + 1)
            {
                std::thread::sleep(Duration::from_millis(10));
            }
            for (moves, before) in moves.iter().zip(&before) {
                assert!(moves.load(Ordering::Relaxed) > *before, "a table has stopped after {kill} kills");
            }
            // At a different moment each time.
            std::thread::sleep(Duration::from_millis(u64::from(kill * 37 % 101)));
            server.kill();
            server = Server::without_limits(address, data, database);
        }
        std::thread::sleep(Duration::from_millis(500));
        stop.store(true, Ordering::Relaxed);
    });
    for table in &tables {
        eprintln!("{}: {} moves accepted in {kills} kills", table.game, table.accepted.len());
        assert!(table.accepted.len() > kills.min(100) as usize, "{} moves only", table.accepted.len());
        let record = table.check(server.address);
        if !table.seeds.is_empty() {
            assert!(record.contains(r#""timeout":true"#), "moves were made for an absent player");
        }
    }
    assert!(tables.iter().any(|table| !table.seeds.is_empty()), "seeds were accepted");
}

/// Plays until it is told to stop. If the server is not there, it tries again.
fn play(table: &mut Table, server: SocketAddr, moves: &AtomicU64, stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        match table.step(&[server]) {
            Ok(Some(_)) => {
                moves.fetch_add(1, Ordering::Relaxed);
            }
            Ok(None) => {
                // A match that is over has not stopped by mistake.
                if table.state(server, 0).is_ok_and(|state| state["phase"] == "over") {
                    moves.fetch_add(2, Ordering::Relaxed);
                }
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

#[test]
fn nothing_is_lost_when_the_server_is_killed_over_sqlite() {
    let data = tempfile::tempdir().unwrap();
    survives(data.path(), None);
}

#[test]
fn nothing_is_lost_when_the_server_is_killed_over_postgres() {
    let data = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let database = runtime.block_on(Postgres::shared().database());
    survives(data.path(), Some(&database));
}
