//! Two servers on one database: players of one table on different servers play to the end, even when one of the
//! servers dies.

use std::time::{Duration, Instant};

use serde_json::json;

use super::players::Table;
use super::postgres::Postgres;
use super::process::{Server, free_address};

#[test]
fn a_match_is_played_to_the_end_over_two_servers_and_over_the_one_that_is_left() {
    let data = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let database = runtime.block_on(Postgres::shared().database());
    let mut one = Server::without_limits(free_address(), &data.path().join("one"), Some(&database));
    let two = Server::without_limits(free_address(), &data.path().join("two"), Some(&database));

    let mut table = Table::begin(one.address, "blackout", &json!({ "max": 3 }));
    play_to_the_end(&mut table, &[one.address, two.address]);
    let record = table.check(one.address);
    assert_eq!(record, table.check(two.address));

    let mut table = Table::begin(one.address, "blackout", &json!({ "max": 4 }));
    for _ in 0..20 {
        table.step(&[one.address, two.address]).unwrap();
    }
    one.kill();
    play_to_the_end(&mut table, &[two.address]);
    table.check(two.address);
}

/// A client that has asked one server is never told by another that it is too early.
#[test]
fn a_move_on_one_server_is_known_on_the_other_at_once() {
    let data = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let database = runtime.block_on(Postgres::shared().database());
    let servers =
        ["one", "two"].map(|name| Server::without_limits(free_address(), &data.path().join(name), Some(&database)));
    let addresses = servers.each_ref().map(|server| server.address);
    let mut table = Table::begin(addresses[0], "blackout", &json!({ "max": 3 }));
    let mut moves = 0;
    while moves < 15 {
        // Everybody asks the server where the last move was made, and answers on the other.
        let (asked, answered) = (addresses[moves % 2], addresses[(moves + 1) % 2]);
        let before = table.accepted.len();
        if table.step_elsewhere(asked, answered).unwrap().is_some() {
            assert_eq!(table.accepted.len(), before + 1, "move {moves} was refused");
            moves += 1;
        }
    }
    table.check(addresses[0]);
}

fn play_to_the_end(table: &mut Table, servers: &[std::net::SocketAddr]) {
    let until = Instant::now() + Duration::from_secs(120);
    while table.state(servers[0], 0).unwrap()["phase"] != "over" {
        assert!(Instant::now() < until, "it stands still: {}", table.state(servers[0], 0).unwrap());
        if table.step(servers).unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
