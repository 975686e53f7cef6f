//! Published hands: replayed, traced, turned into records and back.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail by a panic")]

#[allow(dead_code, reason = "every test file uses another part of it")]
mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Ran, run_in};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder with copies of the sample hands.
fn samples() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/tests/data/phh");
    for file in fs::read_dir(from).unwrap() {
        let path = file.unwrap().path();
        fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    folder
}

fn objects(ran: &Ran) -> Vec<Value> {
    ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn write(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn hands_come_out_as_written_in_the_unit_of_the_file() {
    let folder = samples();
    let ran = run_in(folder.path(), "replay --json heads_up.phh antes.phh cents.phh straddle.phh");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let hands = objects(&ran);
    assert_eq!(
        hands[2],
        json!({"file": "cents.phh", "record": 1, "hand": 1, "game": "holdem", "ok": true, "stacks": [10.05, 7.25, 12.55],
               "expected": [10.05, 7.25, 12.55], "error": null})
    );
    assert!(ran.out.contains("\"stacks\":[10.05,7.25,12.55]"), "{}", ran.out);
    assert!(ran.out.contains("\"stacks\":[6500,0]"), "{}", ran.out);
    assert!(hands.iter().all(|hand| hand["ok"] == true && hand["stacks"] == hand["expected"]));
    let plain = run_in(folder.path(), "replay heads_up.phh");
    assert_eq!(plain.well(), "heads_up.phh: 1 of 1 deal replayed as recorded\n");
}

#[test]
fn every_hand_of_a_session_is_told() {
    let folder = samples();
    let ran = run_in(folder.path(), "replay --json session.phhs");
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let hands = objects(&ran);
    let names: Vec<&Value> = hands.iter().map(|hand| &hand["hand"]).collect();
    assert_eq!(names, [&json!(7001), &json!(2), &json!(3), &json!(10)]);
    assert_eq!(hands[0]["stacks"], json!([201.3, 80.6, 197]));
    assert_eq!(hands[1]["ok"], false);
    assert!(hands[1]["error"].as_str().unwrap().contains("\"FT\""), "{}", hands[1]);
    assert_eq!((&hands[2]["ok"], &hands[2]["expected"]), (&json!(true), &Value::Null));
    assert!(ran.err.contains("session.phhs: deal 2: field variant: "), "{}", ran.err);
    assert!(ran.err.contains("1 file: 3 of 4 deals replayed as recorded"), "{}", ran.err);
}

#[test]
fn what_does_not_come_out_as_written_is_told() {
    let folder = samples();
    let text = fs::read_to_string(folder.path().join("heads_up.phh")).unwrap();
    write(&folder, "other.phh", &text.replace("[6500, 0]", "[6400, 100]"));
    let unknown = fs::read_to_string(folder.path().join("unknown_at_showdown.phh")).unwrap();
    write(&folder, "unknown.phh", &unknown.replace("AhAd", "????"));
    let ran = run_in(folder.path(), "replay --json other.phh unknown.phh");
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let hands = objects(&ran);
    assert_eq!(hands[0]["ok"], false);
    assert_eq!((&hands[0]["stacks"], &hands[0]["expected"]), (&json!([6500, 0]), &json!([6400, 100])));
    assert_eq!((&hands[1]["stacks"], &hands[1]["expected"]), (&Value::Null, &Value::Null));
    let error = hands[1]["error"].as_str().unwrap();
    assert_eq!(error, "action 16, \"p2 sm ????\": the cards of p2 are unknown, and the showdown needs them");
    write(&folder, "garbled.phh", "variant = \"NT\nactions = [");
    fs::write(folder.path().join("bytes.PHH"), b"\xff\xfe\x00").unwrap();
    for (file, saying) in
        [("garbled.phh", "not TOML: line 2"), ("bytes.PHH", "not text"), ("none.phhs", "no such file")]
    {
        let ran = run_in(folder.path(), &format!("replay --json {file}"));
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert_eq!(objects(&ran)[0]["ok"], false);
        assert!(ran.err.contains(saying) && ran.err.lines().count() == 2, "{}", ran.err);
    }
}

#[test]
fn rake_mucked_cards_and_unlimited_stacks_are_reported() {
    let folder = samples();
    let unknown = fs::read_to_string(folder.path().join("unknown_at_showdown.phh")).unwrap();
    write(&folder, "mucked.phh", &unknown);
    write(&folder, "raked.phh", &format!("{unknown}finishing_stacks = [99, 94, 106.50]\n"));
    write(&folder, "unlimited.phh", &unknown.replace("[100, 100, 100]", "[inf, inf, inf]"));
    let ran = run_in(folder.path(), "replay --json mucked.phh raked.phh unlimited.phh");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let hands = objects(&ran);
    assert!(hands.iter().all(|hand| hand["mucked"] == json!(["p2"]) && hand["ok"] == true), "{}", ran.out);
    assert_eq!((&hands[0]["stacks"], hands[0].get("rake")), (&json!([99, 94, 107]), None));
    assert_eq!((&hands[1]["stacks"], &hands[1]["rake"]), (&json!([99, 94, 107]), &json!(0.5)));
    assert_eq!((&hands[2]["stacks"], &hands[2]["net"]), (&Value::Null, &json!([-1, -6, 7])));
    let plain = run_in(folder.path(), "replay raked.phh");
    assert_eq!(plain.well(), "raked.phh: 1 of 1 deal replayed as recorded, 1 with rake, 1 with cards mucked\n");
    // The same hands through a record.
    run_in(folder.path(), "convert unlimited.phh unlimited.jsonl").well();
    run_in(folder.path(), "convert unlimited.jsonl again.phh").well();
    let again = objects(&run_in(folder.path(), "replay --json again.phh"));
    assert_eq!((&again[0]["net"], &again[0]["mucked"]), (&json!([-1, -6, 7]), &json!(["p2"])));
}

#[test]
fn a_trace_tells_what_can_be_bet() {
    let folder = samples();
    let ran = run_in(folder.path(), "replay --trace cents.phh");
    let all = objects(&ran);
    let start = json!({"file": "cents.phh", "record": 1, "hand": 1, "height": 0, "input": null, "awaiting": "dealer",
                       "moves": null, "deal": all[0]["deal"]});
    assert_eq!(all[0], start);
    assert_eq!(all[0]["deal"]["starting_stacks"].as_array().unwrap().len(), 3);
    let inputs = &all[1..];
    assert_eq!(inputs[0]["input"], "d dh p3 AhKc");
    assert_eq!(inputs[0]["awaiting"], json!({"turn": 2}));
    let moves = &inputs[0]["moves"];
    assert_eq!((&moves["to_call"], &moves["min_to"], &moves["max_to"]), (&json!(0.1), &json!(0.2), &json!(12.5)));
    assert_eq!(inputs[1]["input"], "p3 cbr 0.35");
    assert_eq!(inputs[1]["moves"]["to_call"], 0.3);
    assert_eq!(inputs[1]["moves"]["min_to"], 0.6);
    assert_eq!(inputs.last().unwrap()["awaiting"], "over");
    assert_eq!(inputs.last().unwrap()["moves"], json!(null));
}

#[test]
fn hands_become_records_and_hands_again() {
    let folder = samples();
    for name in ["heads_up", "antes", "cents", "straddle"] {
        run_in(folder.path(), &format!("convert {name}.phh {name}.jsonl")).well();
        run_in(folder.path(), &format!("replay {name}.jsonl")).well();
        run_in(folder.path(), &format!("convert {name}.jsonl {name}2.phh")).well();
        run_in(folder.path(), &format!("convert {name}2.phh {name}2.jsonl")).well();
        let read = |file: String| fs::read_to_string(folder.path().join(file)).unwrap();
        assert_eq!(read(format!("{name}.jsonl")), read(format!("{name}2.jsonl")));
        let ran = run_in(folder.path(), &format!("replay --json {name}.phh {name}2.phh"));
        let hands = objects(&ran);
        assert_eq!(hands[0]["stacks"], hands[1]["stacks"]);
    }
    let again = fs::read_to_string(folder.path().join("heads_up2.phh")).unwrap();
    for kept in ["author = \"fairdeal\"", "players = [\"Ada\", \"Bo\"]", "time = 20:15:00", "year = 2026", "\"quiet\""]
    {
        assert!(again.contains(kept), "{kept} in {again}");
    }
}

#[test]
fn matches_become_text_for_trackers() {
    let folder = tempfile::tempdir().unwrap();
    let sim = "sim holdem --matches 3 --players 3 --max-deals 10 --seed 5 --bot easy --record match.jsonl";
    let steps = [
        sim,
        "convert match.jsonl match.txt",
        "convert match.jsonl match.phhs",
        "convert match.phhs other.hands --to pokerstars --owner Anna",
    ];
    for step in steps {
        run_in(folder.path(), step).well();
    }
    let read = |file: &str| fs::read_to_string(folder.path().join(file)).unwrap();
    let hands = |text: &str| text.matches("PokerStars Hand #").count();
    assert!(hands(&read("match.txt")) > 5, "{}", read("match.txt"));
    assert_eq!(hands(&read("match.txt")), hands(&read("other.hands")));
    assert_eq!(hands(&read("match.txt")), read("match.txt").matches("*** SUMMARY ***").count());
    let text = read("match.txt");
    let mut first: Vec<&str> = text.lines().filter(|line| line.starts_with("Seat 1: ")).collect();
    first.retain(|line| line.contains(" in chips)"));
    assert!(first.iter().all(|line| line.starts_with("Seat 1: Player 1 (")), "names stay with their chairs: {first:?}");
    let refused = |line: &str, says: &str| {
        let ran = run_in(folder.path(), line);
        assert!(ran.code != Some(0) && ran.err.contains(says), "{line}: {}", ran.err);
    };
    refused("convert match.txt again.jsonl", "can only be written, not read");
    refused("convert match.jsonl again.phhs --owner Anna", "--owner");
}

#[test]
fn matches_become_hands_and_records_again() {
    let folder = tempfile::tempdir().unwrap();
    let steps = [
        "sim holdem --matches 3 --players 5 --max-deals 40 --seed 5 --option ante=2 --record match.jsonl",
        "convert match.jsonl match.phhs",
        "convert match.phhs again.jsonl",
        "convert again.jsonl again.phhs",
    ];
    for step in steps {
        run_in(folder.path(), step).well();
    }
    let stacks = |file: &str| -> Vec<(Value, Value)> {
        let ran = run_in(folder.path(), &format!("replay --json {file}"));
        assert_eq!(ran.code, Some(0), "{file}: {}", ran.err);
        objects(&ran).iter().map(|hand| (hand["stacks"].clone(), hand["expected"].clone())).collect()
    };
    let first = stacks("match.phhs");
    assert!(first.len() > 20, "{} hands", first.len());
    assert!(first.iter().all(|(stacks, expected)| stacks == expected));
    assert_eq!(first, stacks("again.phhs"));
    // Records tell all seats of the table, in its order.
    let ends = |file: &str| {
        let text = fs::read_to_string(folder.path().join(file)).unwrap();
        let lines = text.lines().filter(|line| line.starts_with("{\"end\""));
        lines.map(|line| serde_json::from_str::<Value>(line).unwrap()["end"]["outcome"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(ends("match.jsonl"), ends("again.jsonl"));
}

#[test]
fn convert_refuses_in_one_line_and_leaves_nothing_behind() {
    let folder = samples();
    let refused = |words: &str, saying: &[&str]| run_in(folder.path(), words).refused(2, saying);
    write(&folder, "there.jsonl", "mine");
    refused("convert heads_up.phh there.jsonl", &["there.jsonl: ", "--force"]);
    assert_eq!(fs::read_to_string(folder.path().join("there.jsonl")).unwrap(), "mine");
    run_in(folder.path(), "convert heads_up.phh there.jsonl --force").well();
    refused("convert heads_up.phh out.doc", &["out.doc: ", ".jsonl"]);
    refused("convert heads_up.phh out.phh", &["out.phh: ", "same kind"]);
    refused("convert none.phh out.jsonl", &["none.phh: ", "no such file"]);
    refused("convert session.phhs out.jsonl", &["session.phhs: ", "hand 2", "FT"]);
    let unknown = fs::read_to_string(folder.path().join("unknown_at_showdown.phh")).unwrap();
    write(&folder, "unknown.phh", &unknown.replace("AhAd", "????"));
    refused("convert unknown.phh out.jsonl", &["unknown.phh: action 16", "p2"]);
    run_in(folder.path(), "sim holdem --deals 2 --seed 1 --record two.jsonl").well();
    refused("convert two.jsonl out.phh", &["out.phh: ", "there are 2", ".phhs"]);
    run_in(folder.path(), "sim blackout --deals 2 --seed 1 --record blackout.jsonl").well();
    refused("convert blackout.jsonl out.phhs", &["blackout.jsonl:1: ", "holdem", "blackout"]);
    write(&folder, "hello.jsonl", "hello\n");
    refused("convert hello.jsonl out.phhs", &["hello.jsonl:1: ", "header"]);
    write(&folder, "empty.jsonl", "");
    refused("convert empty.jsonl out.phhs", &["empty.jsonl: ", "no complete hand"]);
    let two = fs::read_to_string(folder.path().join("two.jsonl")).unwrap();
    write(&folder, "cut.jsonl", two.trim_end().rsplit_once('\n').unwrap().0);
    refused("convert cut.jsonl out.phhs", &["cut.jsonl: ", "middle of a hand"]);
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    let ours = |name: &std::ffi::OsString| {
        name.to_string_lossy().starts_with("out.") || name.to_string_lossy().ends_with(".part")
    };
    assert!(!left.iter().any(ours), "{left:?}");
}

#[test]
fn a_hand_that_does_not_come_out_as_written_is_not_converted() {
    let folder = samples();
    let text = fs::read_to_string(folder.path().join("heads_up.phh")).unwrap();
    write(&folder, "other.phh", &text.replace("[6500, 0]", "[6400, 100]"));
    for output in ["other.jsonl", "other.phhs"] {
        let ran = run_in(folder.path(), &format!("convert other.phh {output}"));
        ran.refused(2, &["other.phh", "the stacks at the end are 6500, 0, not 6400, 100 as recorded"]);
        assert!(!folder.path().join(output).exists());
    }
    let unknown = fs::read_to_string(folder.path().join("unknown_at_showdown.phh")).unwrap();
    write(&folder, "unknown.phh", &unknown.replace("AhAd", "????"));
    run_in(folder.path(), "convert unknown.phh other.phhs").refused(2, &["unknown.phh"]);
}
