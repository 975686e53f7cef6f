//! A result that somebody has not signed counts if the log of the match leads to it, at every station that has both.

use std::fs;
use std::path::Path;

use results::{Body, Form, Signed};
use serde_json::Value;

use super::common::{Ran, run_words};
use super::table_of::Place;
use super::{Ongdu, played, result};

/// The second player does not sign.
const SILENT: usize = 1;

/// A data folder of a station, and the program in it.
struct Station(tempfile::TempDir);

impl Station {
    fn new() -> Self {
        let station = Self(tempfile::tempdir().unwrap());
        station.run(&["station", "init"]).well();
        station
    }

    fn run(&self, words: &[&str]) -> Ran {
        run_words(self.0.path(), &[words, &["--data", "data"]].concat())
    }

    fn import(&self, name: &str, text: &str) -> Ran {
        fs::write(self.0.path().join(name), text).unwrap();
        self.run(&["results", "import", name])
    }

    /// Who has won and lost how often.
    fn board(&self) -> Vec<(String, u64, u64)> {
        let board: Value =
            serde_json::from_str(&self.run(&["station", "leaderboard", "ongdu", "--json"]).well()).unwrap();
        let row = |row: &Value| {
            let name = row["callsign"].as_str().unwrap().to_owned();
            (name, row["wins"].as_u64().unwrap(), row["losses"].as_u64().unwrap())
        };
        board["rows"].as_array().unwrap().iter().map(row).collect()
    }

    fn sync(&self, folder: &Path) -> Value {
        let ran = self.run(&["station", "sync", folder.to_str().unwrap(), "--json"]);
        serde_json::from_str(&ran.out).unwrap()
    }
}

/// Signed by all but one of the players of this match.
fn partial(place: &Place<Ongdu>, body: &Body) -> Signed {
    let mut signed = Signed::new(body.clone());
    for (number, peer) in place.peers.iter().enumerate().filter(|(number, _)| *number != SILENT) {
        let key = peer.identity.public();
        let line = body.facts().players.iter().position(|player| player.key == key).unwrap();
        signed.add(line, body.sign(line, &peer.identity, &[u8::try_from(number).unwrap(); 32]).unwrap()).unwrap();
    }
    signed
}

/// The board of a station that has the same with all signatures.
fn expected(place: &Place<Ongdu>) -> Vec<(String, u64, u64)> {
    let station = Station::new();
    station.import("complete.txt", &result(place).text()).well();
    let board = station.board();
    assert!(!board.is_empty());
    board
}

/// Also in the form for exchange.
#[test]
fn a_result_that_one_has_not_signed_counts_with_its_log_and_only_with_it() {
    let (place, record) = played(11, |_| {});
    let body = result(&place).body().clone();
    for body in [body.clone(), body.card_game()] {
        let station = Station::new();
        station.import("partial.txt", &partial(&place, &body).text()).well();
        assert!(station.board().is_empty(), "nobody can know whether it is true");
        let said = station.run(&["results", "verify"]);
        assert!(said.code == Some(1) && said.out.contains("it counts only with the log"), "{}", said.out);
        assert!(station.import("log.jsonl", &record.text()).well().contains("kept"));
        assert_eq!(station.board(), expected(&place), "for everybody, also who did not sign");
        assert!(
            station
                .run(&["results", "verify"])
                .well()
                .contains("the log of the match, which is kept here, leads to it")
        );
        assert!(station.import("log.jsonl", &record.text()).well().contains("was here already"));
        // What is changed later proves nothing.
        let hash = body.facts().log_hash.unwrap();
        let kept = station.0.path().join(format!("data/collections/card_games/logs/{hash}.jsonl"));
        let mut swapped = record.clone();
        swapped.entries.swap(10, 11);
        fs::write(kept, swapped.text()).unwrap();
        assert!(station.board().is_empty());
    }
}

#[test]
fn a_log_that_is_damaged_or_leads_elsewhere_proves_nothing() {
    let (place, record) = played(12, |_| {});
    let body = result(&place).body().clone();
    let station = Station::new();
    let text = record.text();
    let mut swapped = record.clone();
    swapped.entries.swap(10, 11);
    let mut early = record.clone();
    early.entries.truncate(record.entries.len() - 5);
    for (log, why) in [
        (swapped.text(), "the hub did wrong"),
        (early.text(), "has no result"),
        (text[..text.len() - 9].to_owned(), "damaged"),
    ] {
        let ran = station.import("log.jsonl", &log);
        assert!(ran.code == Some(1) && ran.err.contains(why), "{why}: {}", ran.err);
    }
    // All but one sign that something else happened in the very match of this log.
    let Form::Result { deals } = body.form() else { unreachable!("the canonical form") };
    let more = Body::new(body.facts().clone(), Form::Result { deals: deals + 1 }).unwrap();
    let mut facts = body.facts().clone();
    facts.seed = results::Hash([7; 32]);
    for other in [more, Body::new(facts, body.form()).unwrap()] {
        let station = Station::new();
        station.import("log.jsonl", &text).well();
        station.import("partial.txt", &partial(&place, &other).text()).well();
        assert!(station.board().is_empty());
        // The true one beside it counts: only that is proven.
        station.import("true.txt", &partial(&place, &body).text());
        assert_eq!(station.board(), expected(&place));
    }
}

#[test]
fn a_stick_carries_logs_and_two_stations_agree() {
    let (place, record) = played(13, |_| {});
    let body = result(&place).body().clone();
    let [one, other] = [Station::new(), Station::new()];
    one.import("partial.txt", &partial(&place, &body).text()).well();
    one.import("log.jsonl", &record.text()).well();
    let stick = tempfile::tempdir().unwrap();
    let went = one.sync(stick.path());
    assert_eq!((&went["logs_sent"], &went["logs_new"]), (&1.into(), &0.into()), "{went}");
    let came = other.sync(stick.path());
    assert_eq!((&came["logs_sent"], &came["logs_new"]), (&0.into(), &1.into()), "{came}");
    assert_eq!((one.board(), other.board()), (expected(&place), expected(&place)));
    // Somebody changes the log on the stick: it is not taken.
    let third = Station::new();
    let hash = body.facts().log_hash.unwrap();
    let on_stick = stick.path().join(format!("collections/card_games/logs/{hash}.jsonl"));
    fs::write(&on_stick, record.text().replacen("\"entry\":\"0", "\"entry\":\"1", 3)).unwrap();
    let came = third.sync(stick.path());
    assert_eq!((&came["logs_new"], &came["refused"]), (&0.into(), &1.into()), "{came}");
    assert!(third.board().is_empty());
}
