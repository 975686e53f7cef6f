//! `fairdeal host` and `fairdeal join`: real programs play whole matches without anybody who has to be trusted.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "what goes wrong here fails a test")]

mod process;

use std::path::Path;

use process::{Played, Player, agreed};

/// A data folder for each player.
struct Homes(tempfile::TempDir);

impl Homes {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn of(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }
}

/// Somebody who hosts on this computer.
fn host(data: &Path, game: &[&str], seats: &str, more: &[&str]) -> Player {
    let all = [&["host"], game, &["--listen", "127.0.0.1:0", "--seats", seats, "--auto", "easy"], more].concat();
    Player::start(data, &all)
}

fn join(data: &Path, ticket: &str, more: &[&str]) -> Player {
    Player::start(data, &[&["join", ticket, "--auto", "easy"], more].concat())
}

/// Two programs play this to the end.
fn two_play(game: &[&str]) -> Vec<Played> {
    let homes = Homes::new();
    let mut ada = host(&homes.of("ada"), game, "2", &["--name", "Ada"]);
    let ticket = ada.until("ticket ");
    let bob = join(&homes.of("bob"), &ticket, &["--name", "Bob"]);
    let all = vec![bob.result(), ada.result()];
    agreed(&all);
    all
}

#[test]
fn two_programs_play_holdem_to_a_result_that_both_have_signed() {
    let all = two_play(&["holdem", "--option", "hand_limit=3"]);
    for played in &all {
        assert!(played.lines.contains(&"joined Ada".to_owned()) && played.lines.contains(&"joined Bob".to_owned()));
        assert!(played.lines.contains(&"deal 3".to_owned()), "{:?}", played.lines);
        assert!(!played.folder().join("secret").exists(), "secrets are erased");
        let table = std::fs::read_to_string(played.folder().join("table.json")).unwrap();
        assert!(table.contains("\"ticket\": \"\"") && table.contains("\"key\": \"\""), "{table}");
        assert!(!played.folder().join("hub.sqlite").exists(), "so is the hub's key");
    }
}
