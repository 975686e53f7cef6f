//! A server whose files cannot grow any more: it refuses, says so, loses nothing, and continues when there is room.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json;

use super::http::request;
use super::players::Table;
use super::process::{Server, free_address};

/// A server that may not write files larger than this many bytes, as if the disk were full.
fn limited(data: &Path, bytes: u64) -> Server {
    let mut command = Command::new("sh");
    // The signal that would kill it is ignored, so that writing fails as on a full disk.
    let script = format!("ulimit -f {}; trap '' XFSZ; exec \"$0\" \"$@\"", bytes / 512);
    command.args(["-c", &script, env!("CARGO_BIN_EXE_fairdeal"), "serve", "--listen"]);
    command.arg(free_address().to_string()).arg("--data").arg(data).stderr(Stdio::null());
    command.args(["--requests-per-second", "0", "--messages-per-second", "0", "--tables-per-minute", "0"]);
    Server::of(command)
}

fn health(server: &Server) -> u16 {
    request(server.address, "GET", "/healthz", None, None).unwrap().status
}

#[test]
fn a_server_with_a_full_disk_refuses_commands_and_loses_nothing() {
    let data = tempfile::tempdir().unwrap();
    let mut server = Server::without_limits(free_address(), data.path(), None);
    let settings = json!({ "hand_limit": 500, "blind_every": 0, "starting_chips": 1_000_000 });
    let mut table = Table::begin(server.address, "holdem", &settings);
    server.stop();
    let size = std::fs::metadata(data.path().join("fairdeal.sqlite")).unwrap().len();
    let mut server = limited(data.path(), size + 300_000);
    assert_eq!(health(&server), 200);
    let refused = loop {
        match table.step(&[server.address]) {
            Ok(Some(_)) => {}
            // It is the computer's turn, and there may have been no room for its move. Until then chat must not fill the disk.
            Ok(None) => {
                std::thread::sleep(std::time::Duration::from_millis(100));
                let (path, said) = (format!("/api/v1/tables/{}/commands", table.id), json!({ "say": { "text": "?" } }));
                let said = request(server.address, "POST", &path, Some(&table.keys[0]), Some(&said)).unwrap();
                if said.status != 204 {
                    break format!("{said:?}");
                }
            }
            Err(why) => break why.to_string(),
        }
        assert!(table.accepted.len() < 100_000, "the files are never full");
    };
    assert!(refused.contains("503") && refused.contains("unavailable"), "{refused}");
    assert!(refused.contains("The server cannot save anything right now, and nothing has changed."), "{refused}");
    assert!(table.accepted.len() > 5, "{}", table.accepted.len());
    assert_eq!(health(&server), 503);
    let new = json!({ "game": "holdem", "players": 2 });
    let made = request(server.address, "POST", "/api/v1/tables", Some(&table.keys[0]), Some(&new)).unwrap();
    assert_eq!(made.status, 503, "{made:?}");
    // Reading still works, and everything that was accepted is there.
    table.check(server.address);
    server.kill();
    let server = Server::without_limits(free_address(), data.path(), None);
    table.check(server.address);
    assert_eq!(health(&server), 200);
    let accepted = table.accepted.len();
    while table.accepted.len() < accepted + 10 {
        table.step(&[server.address]).unwrap();
    }
    table.check(server.address);
}
