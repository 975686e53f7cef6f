//! `fairdeal host` and `fairdeal join`: real programs play whole matches without anybody who has to be trusted.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "what goes wrong here fails a test")]
#![allow(clippy::print_stdout, reason = "figures, with --nocapture")]

#[cfg(unix)]
mod asleep;
mod killed;
mod lost;
mod network;
mod process;
mod refused;
mod screens;
#[allow(dead_code, reason = "other tests use more of it")]
#[path = "../common/terminal.rs"]
mod terminal;
mod together;

use std::path::{Path, PathBuf};

use process::{Played, Player, agreed};

/// A data folder for each player.
struct Homes(tempfile::TempDir);

impl Homes {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn of(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

/// The command of somebody who hosts on this computer.
fn hosting<'a>(game: &[&'a str], seats: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["host"], game, &["--listen", "127.0.0.1:0", "--seats", seats, "--auto", "easy"], more].concat()
}

fn host(data: &Path, game: &[&str], seats: &str, more: &[&str]) -> Player {
    Player::start(data, &hosting(game, seats, more))
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
    let homes = Homes::new();
    let mut ada = host(&homes.of("ada"), &["holdem", "--option", "hand_limit=10"], "2", &["--name", "Ada"]);
    let ticket = ada.until("ticket ");
    let bob = join(&homes.of("bob"), &ticket, &["--name", "Bob"]);
    let all = vec![bob.result(), ada.result()];
    agreed(&all);
    for played in &all {
        for line in ["joined Ada", "joined Bob", "begun", "deal 1", "cards 1"] {
            assert!(played.lines.iter().any(|said| said == line), "{line}: {:?}", played.lines);
        }
        let files: Vec<String> = std::fs::read_dir(played.folder())
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .filter(|name| name != "lock")
            .collect();
        assert!(files.len() == 2 && files.contains(&"log.jsonl".to_owned()), "every secret is erased: {files:?}");
        let table = std::fs::read_to_string(played.folder().join("table.json")).unwrap();
        assert!(table.contains("\"ticket\": \"\"") && table.contains("\"key\": \"\""), "{table}");
    }
}

#[test]
fn two_programs_play_blackjack() {
    two_play(&["blackjack", "--option", "rounds=2"]);
}

#[test]
fn two_programs_play_romme() {
    two_play(&["romme", "--option", "mode=rounds", "--option", "rounds=1"]);
}

#[test]
fn two_programs_play_bigc() {
    two_play(&["bigc", "--option", "hand_size=5"]);
}

#[test]
fn two_programs_play_ongdu() {
    two_play(&["ongdu", "--option", "max_rounds=2"]);
}

#[test]
fn two_programs_play_blackout() {
    two_play(&["blackout", "--option", "max=2"]);
}
