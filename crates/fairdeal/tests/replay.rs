//! Records: what was played replays, and what was changed afterwards is refused.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail by a panic")]

#[allow(dead_code, reason = "every test file uses another part of it")]
mod common;

use std::fs;
use std::path::PathBuf;

use common::{Ran, run, run_with_input};
use games::AnyGame;
use serde_json::Value;
use tempfile::TempDir;

/// A folder with a record of so many units.
fn recorded(game: &str, units: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.jsonl");
    run(&format!("sim {game} {units} --seed 11 --record {}", path.display())).well();
    (folder, path)
}

fn replay(path: &std::path::Path, flags: &str) -> Ran {
    run(&format!("replay {flags} {}", path.display()))
}

/// Replays this text as a file.
fn replay_text(text: impl AsRef<[u8]>) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("changed.jsonl");
    fs::write(&path, text).unwrap();
    replay(&path, "")
}

/// It must end with this code, and its complaints must have all of these in them.
#[track_caller]
fn refused(ran: &Ran, code: i32, saying: &[&str]) {
    assert_eq!(ran.code, Some(code), "{}", ran.err);
    // A complaint and the summary.
    assert_eq!(ran.err.lines().count(), 2, "{}", ran.err);
    for text in saying {
        assert!(ran.err.contains(text), "{text:?} in {}", ran.err);
    }
}

#[test]
fn what_every_game_records_replays_as_written() {
    for game in AnyGame::ALL.iter().map(|game| game.name()) {
        for units in ["--deals 60", "--matches 3 --max-deals 30"] {
            let (_folder, path) = recorded(game, units);
            let ran = replay(&path, "--json");
            let hands: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert_eq!(ran.code, Some(0), "{game}: {}", ran.err);
            assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
            assert!(hands.len() >= 3, "{game}: {}", ran.err);
            for hand in hands {
                assert_eq!(hand["game"], game);
                assert_eq!(hand["ok"], true);
                assert_eq!(hand["error"], Value::Null);
                assert_eq!(hand["stacks"], hand["expected"]);
                assert!(hand["stacks"].as_array().unwrap().len() > 1);
            }
        }
    }
}

#[test]
fn several_files_and_standard_input_are_read() {
    let (_a, first) = recorded("blackout", "--deals 5");
    let (_b, second) = recorded("blackout", "--matches 1");
    let ran = run(&format!("replay {} {}", first.display(), second.display()));
    assert!(ran.err.contains("2 files: 30 of 30 deals replayed as recorded"), "{}", ran.err);
    assert_eq!(ran.well().lines().count(), 2);
    let mut both = fs::read(&first).unwrap();
    both.extend(fs::read(&second).unwrap());
    let ran = run_with_input("replay -", &both);
    assert!(ran.err.contains("1 file: 30 of 30 deals replayed as recorded"), "{}", ran.err);
    assert!(ran.well().starts_with("standard input: "));
}

#[test]
fn a_trace_tells_what_each_seat_can_do() {
    let (_folder, path) = recorded("blackout", "--deals 3 --players 3");
    let ran = replay(&path, "--trace");
    let inputs: Vec<Value> = ran.well().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let start = &inputs[0];
    assert_eq!((&start["record"], &start["hand"], &start["height"]), (&1.into(), &1.into(), &0.into()), "{start}");
    assert_eq!((&start["input"], &start["awaiting"]), (&Value::Null, &"dealer".into()), "{start}");
    assert_eq!(start["deal"]["deal"]["number"], 1, "{start}");
    assert_eq!(inputs.iter().filter(|input| input["deal"].is_object()).count(), 3, "every deal begins");
    let first = &inputs[1];
    assert_eq!(first["hand"], 1);
    assert_eq!(first["height"], 1);
    assert!(first["input"]["dealt"].is_object(), "{first}");
    assert!(first["awaiting"]["turn"].is_u64(), "{first}");
    assert_eq!(first["moves"]["bid"]["most"], 1, "{first}");
    // A player who must play a card is offered cards whose faces are in the record.
    let play = inputs.iter().find(|input| input["moves"].to_string().contains("play")).unwrap();
    assert!(play["moves"].to_string().contains("card"), "{play}");
    assert_eq!(inputs.last().unwrap()["awaiting"], "over");
}

#[test]
fn every_line_says_which_record_of_the_file_it_belongs_to() {
    let (_folder, path) = recorded("blackjack", "--matches 2 --max-deals 2");
    let records = |flags: &str| -> Vec<u64> {
        let said = replay(&path, flags).well();
        said.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["record"].as_u64().unwrap()).collect()
    };
    assert_eq!(records("--json"), [1, 1, 2, 2]);
    let mut traced = records("--trace");
    assert!(traced.is_sorted());
    traced.dedup();
    assert_eq!(traced, [1, 2]);
    // A part that is no record counts as one.
    let text = format!("nonsense\n{}", fs::read_to_string(&path).unwrap());
    let ran = run_with_input("replay - --json", text.as_bytes());
    let said: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(said.iter().map(|said| said["record"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 2, 2, 3, 3]);
}

#[test]
fn an_ending_that_differs_alone_is_told_as_it_is() {
    let (_folder, path) = recorded("holdem", "--deals 1");
    let text = fs::read_to_string(&path).unwrap();
    let ending = text.split("\"ending\":\"").nth(1).unwrap().split('"').next().unwrap();
    let changed = text.replace(&format!("\"ending\":\"{ending}\""), "\"ending\":\"elsewhere\"");
    let saying = format!("the ending is \"{ending}\", not \"elsewhere\" as recorded");
    let ran = replay_text(changed);
    refused(&ran, 1, &[&saying, "0 of 1 deal replayed as recorded"]);
    assert!(!ran.err.contains('['), "nothing else differs: {}", ran.err);
}

#[test]
fn a_byte_order_mark_and_the_line_ends_of_windows_are_tolerated() {
    let (_folder, path) = recorded("holdem", "--matches 1 --max-deals 2 --dealer house");
    let text = format!("\u{feff}{}", fs::read_to_string(&path).unwrap().replace('\n', "\r\n"));
    let folder = tempfile::tempdir().unwrap();
    let windows = folder.path().join("w.jsonl");
    fs::write(&windows, &text).unwrap();
    replay(&windows, "").well();
    assert!(run_with_input("verify -", text.as_bytes()).well().contains("1 record valid"));
    let hands = folder.path().join("w.phhs");
    run(&format!("convert {} {}", windows.display(), hands.display())).well();
    let text = format!("\u{feff}{}", fs::read_to_string(&hands).unwrap().replace('\n', "\r\n"));
    let again = folder.path().join("again.phhs");
    fs::write(&again, text).unwrap();
    assert!(replay(&again, "").well().contains("2 of 2 deals replayed as recorded"));
}

#[test]
fn a_changed_record_is_refused_with_file_and_line() {
    let (_folder, path) = recorded("blackout", "--deals 8 --players 3");
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let find = |what: &str| lines.iter().position(|line| line.contains(what)).unwrap();
    let with = |at: usize, line: &str| {
        let mut lines = lines.clone();
        lines[at] = line;
        lines.join("\n")
    };
    let place = |at: usize| format!("changed.jsonl:{}: deal ", at + 1);

    let end = find(r#"{"end""#);
    let other = lines[end].replacen("\"hash\":\"", "\"hash\":\"0", 1);
    refused(&replay_text(with(end, &other)), 1, &[&place(end), "hash"]);
    let other = lines[end].replacen("\"result\":[", "\"result\":[7", 1);
    refused(&replay_text(with(end, &other)), 1, &[&place(end), "as recorded", "7 of 8 deals replayed as recorded"]);

    // An action that is not this seat's, one twice, one left out, two exchanged.
    let act = find(r#"{"act""#);
    let twice = format!("{}\n{}", lines[act], lines[act]);
    refused(&replay_text(with(act, &twice)), 1, &[&place(act + 1), "height"]);
    refused(&replay_text(with(act, "")), 1, &[&place(act + 1), "height"]);
    let mut exchanged = lines.clone();
    exchanged.swap(act, act + 1);
    refused(&replay_text(exchanged.join("\n")), 1, &[&place(act), "height"]);
    let garbled = lines[act].replace("\"seat\":", "\"seat\":9");
    refused(&replay_text(with(act, &garbled)), 1, &[&place(act)]);
    refused(&replay_text(with(act, "{\"act\":{")), 1, &[&place(act), "not a line of a record"]);
    refused(&replay_text(with(act, "null")), 1, &[&place(act), "not a line of a record"]);

    // A card that lies open already.
    let dealt = find(r#"{"dealt""#);
    let trump = lines[dealt].split("\"open\":{\"").nth(1).unwrap().split('"').nth(2).unwrap();
    let played = find("\"play\"");
    let face = lines[played].rsplit('"').nth(1).unwrap();
    let double = lines[played].replace(face, trump);
    refused(&replay_text(with(played, &double)), 1, &[&place(played), trump, "no more"]);

    // Another number of players, and another number of the deal.
    let header = lines[0].replace("\"players\":3", "\"players\":4");
    refused(&replay_text(with(0, &header)), 1, &["changed.jsonl:2: deal 1", "players"]);
    let other = lines[1].replace("\"number\":1", "\"number\":2");
    refused(&replay_text(with(1, &other)), 1, &["changed.jsonl:2: deal 1", "deal 1, not 2"]);
}

#[test]
fn a_flipped_byte_never_passes_unnoticed_and_never_panics() {
    let (_folder, path) = recorded("blackout", "--deals 2 --players 2");
    let text = fs::read(&path).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let header = text.iter().position(|byte| *byte == b'\n').unwrap();
    let mut files = Vec::new();
    for at in (header + 1..text.len()).step_by(23) {
        let mut changed = text.clone();
        changed[at] ^= 0x04;
        let path = folder.path().join(format!("{at}.jsonl"));
        fs::write(&path, changed).unwrap();
        files.push(path);
    }
    let ran: Ran = common::program().arg("replay").args(&files).output().unwrap().into();
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    for (line, path) in ran.out.lines().zip(&files) {
        // What one seat alone saw is kept for its owner and proves nothing: there a change goes unnoticed.
        let at: usize = path.file_stem().unwrap().to_str().unwrap().parse().unwrap();
        let before = String::from_utf8_lossy(&text[..at]);
        let private = before.rsplit('\n').next().unwrap().contains("\"private\"");
        assert!(private || !line.ends_with(": 2 of 2 deals replayed as recorded"), "{line}");
    }
}

#[test]
fn a_record_cut_off_is_refused_unless_between_deals() {
    let (_folder, path) = recorded("blackout", "--deals 2 --players 2");
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let end = lines.iter().position(|line| line.contains("{\"end\"")).unwrap();
    refused(&replay_text(lines[..end].join("\n")), 1, &["changed.jsonl:", "ends before the deal does"]);
    let half = format!("{}\n{}", lines[..end].join("\n"), &lines[end][..lines[end].len() / 2]);
    refused(&replay_text(half), 1, &[&format!("changed.jsonl:{}: deal 1", end + 1), "not a line of a record"]);
    assert_eq!(replay_text(lines[..=end].join("\n")).code, Some(0));
    // The next record is read all the same.
    let two = format!("{}\n{text}", lines[..end].join("\n"));
    refused(&replay_text(two), 1, &["2 of 3 deals replayed as recorded", "before the deal does"]);
}

#[test]
fn what_is_no_record_gives_one_clear_line() {
    refused(&replay_text(""), 2, &["changed.jsonl: the file is empty"]);
    refused(&replay_text("\n\n"), 2, &["changed.jsonl: the file is empty"]);
    refused(&replay_text("hello\nworld\n"), 2, &["changed.jsonl:1: ", "header"]);
    refused(&replay_text(b"\x7fELF\x00\xff\xfe\n\xff"), 2, &["changed.jsonl:1: ", "not text"]);
    refused(&replay_text(b"\x00".repeat(3 << 20)), 2, &["changed.jsonl:1: ", "longer than 1048576 bytes"]);
    let header = |game: &str, format: u8| {
        format!("{{\"fairdeal\":{{\"format\":{format},\"game\":\"{game}\",\"players\":3,\"dealer\":\"local\"}}}}\n")
    };
    refused(&replay_text(header("chess", 1)), 2, &["changed.jsonl:1: ", "chess", "blackout"]);
    refused(&replay_text(header("blackout", 9)), 2, &["changed.jsonl:1: ", "format 9"]);
    refused(&replay_text("{\"fairdeal\":3}"), 2, &["changed.jsonl:1: ", "not a line of a record"]);
    let long = format!("{}{{\"deal\":{}}}\n", header("blackout", 1), "9".repeat(2 << 20));
    refused(&replay_text(long), 1, &["changed.jsonl:2: the line is longer than 1048576 bytes"]);
    let deep = format!("{}{}\n", header("blackout", 1), "[".repeat(100_000));
    refused(&replay_text(deep), 1, &["changed.jsonl:2: not a line of a record"]);
    refused(&run("replay /nowhere/at-all.jsonl"), 2, &["/nowhere/at-all.jsonl: ", "no such file"]);
    refused(&run("replay ."), 2, &[".: ", "directory"]);
}

#[test]
fn a_broken_file_is_told_in_json_too() {
    let ran = run_with_input("replay --json -", b"hello\n");
    let said: Value = serde_json::from_str(ran.out.trim()).unwrap();
    assert_eq!(said["ok"], false);
    assert_eq!(said["hand"], Value::Null);
    assert!(said["error"].as_str().unwrap().starts_with("line 1: "), "{said}");
}
