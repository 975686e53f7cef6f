//! NOSTR relays: stations and players that never meet exchange results through honest and dishonest ones.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "what goes wrong here fails a test")]
#![allow(clippy::print_stdout, reason = "figures, with --nocapture")]

#[allow(dead_code, reason = "every test file uses another part of it")]
#[path = "../common/mod.rs"]
mod common;
mod folders;
#[allow(dead_code, reason = "every test file uses another part of it")]
#[path = "../server/http.rs"]
mod http;
mod liars;
mod meeting;
#[allow(dead_code, reason = "every test file uses another part of it")]
#[path = "../private/process.rs"]
mod process;
mod relay;
#[allow(dead_code, reason = "every test file uses another part of it")]
#[path = "../server/process.rs"]
mod served;
mod serving;
mod stations;

use std::path::Path;

use common::{Ran, run_words};
use games::AnyGame;
use results::{Body, Callsign, Facts, Form, Hash, Player, Secret, Signed, Uuid, combined};
use serde_json::Value;
use table::Chips;

fn secret(number: u8) -> Secret {
    Secret::from_bytes(&[number; 32]).unwrap()
}

/// A match of some players, the first of whom won everything.
fn body(id: u8, players: &[u8]) -> Body {
    let id = Uuid::random([id; 16]);
    let seeds: Vec<[u8; 32]> = players.iter().map(|number| [*number; 32]).collect();
    let all = 1000 * i64::try_from(players.len()).unwrap();
    let lines = players.iter().zip(1..).map(|(number, place)| {
        let key = secret(*number).public();
        Player {
            callsign: Callsign::of_player(&key),
            key,
            place: if place == 1 { 1 } else { 2 },
            amount: Chips(if place == 1 { all } else { 0 }),
        }
    });
    let facts = Facts {
        id,
        game: AnyGame::Holdem,
        at: "2026-01-02 20:00:00".parse().unwrap(),
        seed: combined(&id, &seeds),
        log_hash: Some(Hash([7; 32])),
        players: lines.collect(),
    };
    Body::new(facts, Form::Result { deals: 12 }).unwrap()
}

/// Signed by these of the players, by their index.
fn signed(body: &Body, players: &[u8], by: &[usize]) -> Signed {
    let mut signed = Signed::new(body.clone());
    for index in by {
        let signature = body.sign(*index, &secret(players[*index]), &[0; 32]).unwrap();
        signed.add(*index, signature).unwrap();
    }
    signed
}

/// Signed by all.
fn complete(id: u8, players: &[u8]) -> Signed {
    signed(&body(id, players), players, &(0..players.len()).collect::<Vec<_>>())
}

/// A data folder, and the program in it.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// With the key of a station.
    fn station() -> Self {
        let home = Self::new();
        home.run(&["station", "init"]).well();
        home
    }

    /// With the key of a player.
    fn player(number: u8) -> Self {
        let home = Self::new();
        let path = home.0.path().join("nsec");
        std::fs::write(&path, &*secret(number).nsec()).unwrap();
        home.run(&["key", "import", path.to_str().unwrap()]).well();
        home
    }

    fn data(&self) -> std::path::PathBuf {
        self.0.path().join("data")
    }

    fn run(&self, words: &[&str]) -> Ran {
        run_words(self.0.path(), &[words, &["--data", "data"]].concat())
    }

    /// Keeps results as if they had been played or sent here.
    fn import(&self, results: &[&Signed]) {
        for result in results {
            let path = self.0.path().join("result.txt");
            std::fs::write(&path, result.text()).unwrap();
            let ran = self.run(&["results", "import", path.to_str().unwrap()]);
            assert!(ran.code == Some(0) || ran.out.contains("both are kept"), "{}", ran.err);
        }
    }

    /// What a sync with this place did.
    #[track_caller]
    fn sync(&self, with: &str) -> Value {
        let ran = self.run(&["station", "sync", with, "--json"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        serde_json::from_str(&ran.out).unwrap()
    }

    /// Who has won and lost how often.
    fn board(&self) -> Vec<(String, u64, u64)> {
        let out = self.run(&["station", "leaderboard", "holdem", "--json"]).well();
        let board: Value = serde_json::from_str(&out).unwrap();
        let row = |row: &Value| {
            (
                row["callsign"].as_str().unwrap().to_owned(),
                row["wins"].as_u64().unwrap(),
                row["losses"].as_u64().unwrap(),
            )
        };
        board["rows"].as_array().unwrap().iter().map(row).collect()
    }

    /// The states of all results.
    fn states(&self) -> Vec<String> {
        let out = self.run(&["results", "list", "--json"]).well();
        let mut states: Vec<String> = out
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["state"].as_str().unwrap().to_owned())
            .collect();
        states.sort();
        states
    }
}

/// The files of a collection, without what programs keep for themselves, and what is in them.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders =
        vec![folder.join("collections/card_games/results"), folder.join("collections/card_games/contradictions")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push((
                    path.file_name().unwrap().to_str().unwrap().to_owned(),
                    std::fs::read_to_string(&path).unwrap(),
                ));
            }
        }
    }
    found.sort();
    found
}
