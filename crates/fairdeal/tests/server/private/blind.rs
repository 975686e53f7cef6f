//! What the server has of a private table: sealed bytes, and nothing that opens them.

use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::process::Command as Process;

use ::peer::Body;
use table::record::hex;

use super::super::process::{Server, free_address};
use super::{Player, settle, table};

/// Whether these bytes are in any file of this folder.
fn files_contain(folder: &Path, bytes: &[u8]) -> bool {
    std::fs::read_dir(folder)
        .unwrap()
        .flatten()
        .filter(|entry| entry.path().is_file())
        .any(|entry| std::fs::read(entry.path()).unwrap().windows(bytes.len()).any(|some| some == bytes))
}

/// Whether these bytes are anywhere in the memory of a process.
fn memory_contains(pid: u32, bytes: &[u8]) -> bool {
    let mut memory = std::fs::File::open(format!("/proc/{pid}/mem")).unwrap();
    let maps = std::fs::read_to_string(format!("/proc/{pid}/maps")).unwrap();
    maps.lines().filter(|line| line.split(' ').nth(1).is_some_and(|rights| rights.starts_with("rw"))).any(|line| {
        let (from, to) = line.split(' ').next().unwrap().split_once('-').unwrap();
        let [from, to] = [from, to].map(|at| u64::from_str_radix(at, 16).unwrap());
        let mut all = vec![0; usize::try_from(to - from).unwrap()];
        memory.seek(SeekFrom::Start(from)).unwrap();
        // Some of it may be gone meanwhile.
        memory.read_exact(&mut all).is_ok() && all.windows(bytes.len()).any(|some| some == bytes)
    })
}

#[test]
fn the_key_of_a_private_table_is_never_in_the_servers_files_logs_or_memory() {
    let data = tempfile::tempdir().unwrap();
    let log = data.path().join("log");
    let mut command = Process::new(env!("CARGO_BIN_EXE_fairdeal"));
    command.env("RUST_LOG", "trace").stderr(std::fs::File::create(&log).unwrap());
    command.args(["serve", "--listen", &free_address().to_string(), "--data"]).arg(data.path());
    let mut server = Server::of(command);
    let made = table(server.address);
    let (mut ada, mut bob) = (Player::join(&made.ticket, 1), Player::join(&made.ticket, 2));
    let secret = b"the queen of hearts, twice".to_vec();
    ada.say(&Body::Act { height: 1, on: [1; 32], action: secret.clone() });
    settle(&mut ada, &mut bob, 3);
    let key = made.ticket.key.bytes();
    let link = made.ticket.to_string();
    let (_, after) = link.split_once('#').unwrap();
    let digits = hex(key);
    let secrets: [&[u8]; 4] = [key, digits.as_bytes(), after.as_bytes(), &secret];
    let id = made.ticket.table();
    for bytes in secrets {
        assert!(
            !memory_contains(server.pid(), bytes),
            "{:?} is in the server's memory",
            String::from_utf8_lossy(bytes)
        );
    }
    assert!(memory_contains(server.pid(), &id.0), "this would be found");
    server.stop();
    for bytes in secrets {
        assert!(!files_contain(data.path(), bytes), "{:?} is in a file", String::from_utf8_lossy(bytes));
    }
    assert!(files_contain(data.path(), id.to_string().as_bytes()), "this is found");
    assert!(files_contain(data.path(), &ada.entries[2][..64]), "entries are there as they are");
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains("private table created"), "{log}");
    assert!(!log.contains(&id.to_string()), "anyone with the id could knock");
    let code = made.code.unwrap();
    assert!(!log.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == code), "{log}");
}

#[test]
fn what_the_server_stores_and_sends_has_the_same_lengths_whatever_is_said() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(free_address(), data.path(), None, &[]);
    // Two runs with the same kinds of messages and other contents.
    let runs = [[b"AS".as_slice(), b"{\"raise\":40}", &[1; 90]], [b"2C", b"{\"fold\":true, \"a\":1}", &[200; 85]]];
    let lengths = runs.map(|bodies| {
        let made = table(server.address);
        let mut ada = Player::join(&made.ticket, 1);
        let mut bob = Player::join(&made.ticket, 2);
        for action in bodies {
            ada.say(&Body::Act { height: 7, on: [action[0]; 32], action: action.to_vec() });
            bob.say(&Body::Seed([action[0]; 32]));
            bob.say(&Body::Overdue { who: action[0], since: action[0].into() });
        }
        settle(&mut ada, &mut bob, 11);
        let kinds: Vec<_> = ada.heard.iter().map(|(author, body)| (*author, std::mem::discriminant(body))).collect();
        // The two write at the same time, so the order of the log may differ; lengths by author do not.
        let mut sent: Vec<_> =
            ada.heard.iter().zip(&ada.lengths).map(|((author, _), length)| (*author, *length)).collect();
        sent.sort_unstable();
        (kinds.len(), sent, stored(data.path(), &made.ticket.table().to_string()))
    });
    assert_eq!(lengths[0], lengths[1]);
    assert_eq!(lengths[0].0, 11);
}

/// The lengths of what is stored about a table.
fn stored(data: &Path, table: &str) -> (Vec<i64>, i64) {
    use sqlx::Connection as _;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let address = format!("sqlite:{}", data.join("fairdeal.sqlite").display());
        let mut database = sqlx::SqliteConnection::connect(&address).await.unwrap();
        let rows: Vec<(i64,)> = sqlx::query_as(
            "SELECT length(body) FROM private_entries WHERE table_id = $1 ORDER BY length(body)",
        )
        .bind(table)
        .fetch_all(&mut database)
        .await
        .unwrap();
        let (row,): (i64,) = sqlx::query_as(
            "SELECT length(access) + length(secret) + length(code) + length(game) + length(name) FROM private_tables WHERE id = $1",
        )
        .bind(table)
        .fetch_one(&mut database)
        .await
        .unwrap();
        (rows.into_iter().map(|(length,)| length).collect(), row)
    })
}
