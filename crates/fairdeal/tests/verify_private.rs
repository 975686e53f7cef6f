//! Logs of private matches: `fairdeal verify` checks them, `fairdeal peer log` prints them.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may fail by a panic")]

#[allow(dead_code, reason = "every test file uses another part of it")]
mod common;

#[path = "verify_private/counted.rs"]
mod counted;
#[path = "../../peer/tests/common/mod.rs"]
mod table_of;

use std::fs;
use std::path::Path;
use std::process::Stdio;

use ::peer::{Body, Record};
use common::{Ran, program, run_in, run_with_input};
use games::AnyGame;
use games::ongdu::Ongdu;
use results::{Callsign, Signed};
use serde_json::Value;
use table_of::{Place, instead};

const SHORT: &[(&str, &str)] = &[("max_rounds", "1")];

/// A match of three, and its result.
fn played(seed: u64, change: impl FnOnce(&mut Place<Ongdu>)) -> (Place<Ongdu>, Record) {
    let mut place = Place::<Ongdu>::new(3, seed);
    change(&mut place);
    place.start(AnyGame::Ongdu, SHORT);
    place.play(0);
    let record = Record { key: place.key.clone(), hub: *place.hub.chain().hub(), entries: place.log.clone() };
    (place, record)
}

fn result(place: &Place<Ongdu>) -> Signed {
    place.peers[0].session.as_ref().unwrap().ended().unwrap().result().unwrap().clone()
}

fn callsign(place: &Place<Ongdu>, number: usize) -> String {
    Callsign::of_player(&place.peers[number].identity.public()).to_string()
}

/// A folder with the log as `log.jsonl`.
fn folder(record: &Record) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("log.jsonl"), record.text()).unwrap();
    folder
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(ran.out.lines().next().unwrap()).unwrap()
}

fn in_folder(folder: &Path, words: &str) -> Ran {
    run_in(folder, words)
}

#[test]
fn an_honest_match_is_valid_and_everything_about_it_is_said() {
    let (place, record) = played(1, |_| {});
    let folder = folder(&record);
    let ran = in_folder(folder.path(), "verify log.jsonl");
    assert_eq!(ran.err, "fairdeal: 1 file: 1 record valid\n");
    let said = ran.well();
    let expected = [
        "log.jsonl: valid private match: ongdu, 3 players, 1 deal (",
        "ended:  the match was played to its end",
        "result: complete, log hash ",
        "that players did not tell each other their cards",
        "that the hub took everything it was sent, and that its clock was right",
    ];
    for text in expected {
        assert!(said.contains(text), "{text}: {said}");
    }
    for number in 0..3 {
        let player = format!("seat {}: player {number} ({}), signed the result", number + 1, callsign(&place, number));
        assert!(said.contains(&player), "{player}: {said}");
    }
    let said = json(&in_folder(folder.path(), "verify --json log.jsonl"));
    assert_eq!((&said["ok"], &said["complete"], &said["error"]), (&true.into(), &true.into(), &Value::Null), "{said}");
    assert_eq!((&said["game"], &said["deals"]), (&"ongdu".into(), &1.into()));
    let about = &said["private"];
    assert_eq!(about["result"]["log_hash"], result(&place).body().facts().log_hash.unwrap().to_string());
    assert_eq!(about["match"], result(&place).body().facts().id.to_string());
    assert_eq!(about["players"][1]["callsign"], callsign(&place, 1));
    assert_eq!(about["players"].as_array().unwrap().len(), 3);
    assert!(about["wrong"].as_array().unwrap().is_empty() && about["late"].as_array().unwrap().is_empty(), "{about}");
    // The same from standard input.
    assert_eq!(json(&run_with_input("verify --json -", record.text().as_bytes()))["ok"], true);
}

#[test]
fn a_cheat_is_named_with_the_entry_that_shows_it() {
    let (place, record) = played(2, |place| place.peers[1].lie = Some(instead(Body::Seed([9; 32]))));
    let folder = folder(&record);
    let ran = in_folder(folder.path(), "verify log.jsonl");
    assert_eq!(ran.code, Some(1));
    let entry = record
        .entries
        .iter()
        .zip(&place.peers[0].heard)
        .position(|(_, (by, body))| *by == 1 && *body == Body::Seed([9; 32]));
    let wrong = format!(
        "entry {}: seat 2, player 1 ({}): the opened seed is not the one committed to",
        entry.unwrap() + 1,
        callsign(&place, 1)
    );
    assert!(ran.err.contains(&wrong) && ran.out.contains(&wrong), "{wrong}: {} {}", ran.err, ran.out);
    assert!(ran.out.contains("SOMEBODY DID WRONG"), "{}", ran.out);
    assert!(ran.out.contains("the match never began: seat 2 did not open its seed"), "{}", ran.out);
    assert!(ran.err.ends_with("fairdeal: 1 file: 0 records valid, 1 invalid or damaged\n"), "{}", ran.err);
    let said = json(&in_folder(folder.path(), "verify --json log.jsonl"));
    let one = &said["private"]["wrong"][0];
    assert_eq!((&one["seat"], &one["name"], &one["by"]), (&2.into(), &"player 1".into(), &"player".into()), "{said}");
    assert_eq!(said["error"]["verdict"], "somebody did wrong", "{said}");
    // The log shows the same entry.
    let lines = in_folder(folder.path(), "peer log log.jsonl").well();
    let line = lines.lines().find(|line| line.contains("WRONG")).unwrap();
    assert!(line.trim_start().starts_with(&format!("{} ", entry.unwrap() + 1)), "{line}");
}

#[test]
fn a_player_who_has_not_signed_is_named() {
    let (place, mut record) = played(3, |_| {});
    let by = |entry: &peer::Entry, number: u8| matches!(entry.said().unwrap().envelope.author, peer::Author::Member(n) if n == number);
    // The last signature is missing, as if its author had gone.
    let last = record.entries.pop().unwrap();
    let folder = folder(&record);
    let said = json(&in_folder(folder.path(), "verify --json log.jsonl"));
    let about = &said["private"];
    assert_eq!((&said["ok"], &about["result"]["state"]), (&true.into(), &"partial".into()), "{said}");
    let missing = (0..3).find(|number| by(&last, *number)).unwrap();
    for seat in 0..3_u8 {
        assert_eq!(about["players"][usize::from(seat)]["signed"], seat != missing, "{about}");
    }
    let text = in_folder(folder.path(), "verify log.jsonl").well();
    let name = format!("player {missing} ({}), has NOT SIGNED the result", callsign(&place, missing.into()));
    assert!(text.contains(&name) && text.contains("result: partial"), "{name}: {text}");
}

#[test]
fn a_result_is_compared_with_the_log() {
    let (place, record) = played(4, |_| {});
    let folder = folder(&record);
    let complete = result(&place);
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("right.txt", &complete.text());
    let mut one = Signed::new(complete.body().clone());
    one.add(0, complete.signatures()[0].unwrap()).unwrap();
    write("partial.txt", &one.text());
    write("export.txt", &Signed::new(complete.body().card_game()).text());
    let forged = complete.text().replacen("PLACE:1 ", "PLACE:2 ", 1);
    write("unreadable.txt", &forged);
    let mut facts = complete.body().facts().clone();
    facts.log_hash = Some(results::Hash([7; 32]));
    let other = Signed::new(results::Body::new(facts.clone(), complete.body().form()).unwrap());
    write("other.txt", &other.text());
    let mut wrong = other.clone().text();
    wrong.push_str(&complete.text()[complete.text().find("--> signature_1").unwrap()..]);
    write("forged.txt", &wrong);
    facts.id = results::Uuid::random([5; 16]);
    write("foreign.txt", &Signed::new(results::Body::new(facts, complete.body().form()).unwrap()).text());

    let ran = in_folder(folder.path(), "verify log.jsonl --result right.txt");
    assert!(ran.well().contains("right.txt: agrees with the log, signed by all players"));
    let said = in_folder(folder.path(), "verify log.jsonl --result partial.txt --result export.txt").well();
    assert!(said.contains("partial.txt: agrees with the log, not signed by X1"), "{said}");
    assert!(said.contains("export.txt: agrees with the log, not signed by X1"), "{said}");
    let refused = |file: &str, saying: &str| {
        let ran = in_folder(folder.path(), &format!("verify log.jsonl --result {file}"));
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert!(ran.err.contains(saying), "{saying}: {}", ran.err);
        assert!(ran.err.contains("1 result contradicted"), "{}", ran.err);
    };
    refused("other.txt", "other.txt: DIFFERS from the log: the LOG_HASH of another log; nobody signed it");
    refused("forged.txt", "forged.txt: FORGED: the signature of X1");
    refused(
        "foreign.txt",
        "foreign.txt: the result of match 05050505-0505-4505-8505-050505050505, which is none of these",
    );
    in_folder(folder.path(), "verify log.jsonl --result unreadable.txt").refused(2, &["unreadable.txt: line"]);
    in_folder(folder.path(), "verify log.jsonl --result nowhere.txt").refused(2, &["nowhere.txt: cannot open"]);
    // A match without a result.
    let mut short = record.clone();
    short.entries.truncate(record.entries.len() - 5);
    fs::write(folder.path().join("log.jsonl"), short.text()).unwrap();
    refused("right.txt", "right.txt: CONTRADICTS the log, which has no result");
}

#[test]
fn damaged_cut_off_foreign_and_empty_files_are_told_apart() {
    let (_, record) = played(5, |_| {});
    let text = record.text();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let verify = |text: &str| run_with_input("verify -", text.as_bytes());
    // One digit of an entry.
    let at = lines.len() / 2;
    let mut changed: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    let place = changed[at].len() - 20;
    let digit = if &changed[at][place..=place] == "0" { "1" } else { "0" };
    changed[at].replace_range(place..=place, digit);
    let ran = verify(&changed.concat());
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.contains("INVALID OR DAMAGED private match"), "{}", ran.out);
    let damage = format!("line {}: invalid or damaged: the hub has not signed this entry for this place", at + 1);
    assert!(ran.err.contains(&damage), "{damage}: {}", ran.err);
    // A line that is not an entry.
    let mut junk = lines.clone();
    junk[at] = "junk\n";
    let ran = verify(&junk.concat());
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains(&format!("line {}: invalid or damaged: expected an entry of the log", at + 1)));
    // Cut off, as after a crash.
    let ran = verify(&text[..text.len() - 9]);
    assert!(ran.out.contains("INCOMPLETE") && ran.out.contains("the last line is cut off"), "{}", ran.out);
    assert!(ran.err.contains("1 record valid (1 incomplete)"), "{}", ran.err);
    assert_eq!(ran.code, Some(0));
    // Cut off between two lines.
    let ran = verify(&lines[..at].concat());
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.contains("valid as far as it goes, INCOMPLETE"), "{}", ran.out);
    assert!(ran.out.contains("ended:  not yet, where the log ends"), "{}", ran.out);
    // Only the first line, and a first line that is wrong.
    let ran = verify(lines[0]);
    assert!(ran.out.contains("no match has begun (0 entries)"), "{}", ran.out);
    for (header, why) in [
        (lines[0].replace("\"private\":1", "\"private\":2"), "1: expected a format that this program knows"),
        (lines[0].replacen("\"key\":\"", "\"key\":\"xx", 1), "1: expected the table's key"),
        ("{\"private\":\n".to_owned(), "1: expected the first line of a private match"),
    ] {
        let ran = verify(&(header + &lines[1..].concat()));
        assert_eq!(ran.code, Some(2), "{}", ran.err);
        assert!(ran.err.contains(why) && ran.out.contains("UNREADABLE"), "{why}: {}", ran.err);
    }
    // A line without end does not fill the memory, and lines end as on Windows.
    let ran = verify(&format!("{}{}", lines[0], "x".repeat(3 << 20)));
    assert!(ran.code == Some(1) && ran.err.contains("line 2: invalid or damaged: the line is longer"), "{}", ran.err);
    assert_eq!(verify(&text.replace('\n', "\r\n")).code, Some(0));
    assert_eq!(verify(&format!("\u{feff}{text}")).code, Some(0));
}

#[test]
fn several_files_are_checked_at_once_and_kept_is_for_houses() {
    let (_, record) = played(6, |_| {});
    let folder = folder(&record);
    let (_, cheated) = played(7, |place| place.peers[2].lie = Some(instead(Body::Seed([9; 32]))));
    fs::write(folder.path().join("cheated.jsonl"), cheated.text()).unwrap();
    fs::write(folder.path().join("kept.jsonl"), "").unwrap();
    run_in(folder.path(), "sim blackout --deals 1 --record sim.jsonl").well();
    let ran = in_folder(folder.path(), "verify log.jsonl sim.jsonl cheated.jsonl log.jsonl nowhere.jsonl");
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let sum = "fairdeal: 5 files: 3 records valid, 1 invalid or damaged, 1 unreadable\n";
    assert!(ran.err.ends_with(sum), "{}", ran.err);
    let said = in_folder(folder.path(), "verify --json log.jsonl sim.jsonl cheated.jsonl");
    let ok: Vec<Value> =
        said.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["ok"].clone()).collect();
    assert_eq!(ok, [true, true, false]);
    let ran = in_folder(folder.path(), "verify log.jsonl --kept kept.jsonl");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("--kept works only with records of a house"), "{}", ran.err);
}

#[test]
fn a_log_is_printed_so_that_a_person_can_read_it() {
    let (place, record) = played(8, |_| {});
    let folder = folder(&record);
    let log = |words: &str| in_folder(folder.path(), &format!("peer log log.jsonl {words}")).well();
    let short = log("");
    let first = short.lines().next().unwrap();
    assert!(first.ends_with("CARD_GAME_INVITE:ongdu") && first.contains(&callsign(&place, 0)), "{first}");
    assert!(first.starts_with("    1  2023-11-14 22:13:20  X1"), "{first}");
    assert!(short.contains("  # player 2\n"), "names are shown: {short}");
    // Dealing is one line for everybody, and every message with --all.
    let count = |text: &str, word: &str| text.lines().filter(|line| line.contains(word)).count();
    assert!(count(&short, "  SHUFFLE_STEP:") >= 1 && short.contains("  3 players  "), "{short}");
    let all = log("--all");
    assert_eq!(count(&all, "SHUFFLE_STEP:"), 3 * count(&short, "SHUFFLE_STEP:"), "{all}");
    assert_eq!((count(&short, "  ACK"), count(&short, "RESULT_SIG")), (0, 3));
    assert!(count(&all, "  ACK") > 0 || count(&all, "ACTION") + count(&all, "DISCARD") == 0, "{all}");
    let seeds = log("--only SEED_REVEAL --only seed_hash");
    assert_eq!((seeds.lines().count(), count(&seeds, "SEED_")), (6, 6));
    let json: Vec<Value> = log("--json --all").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(json.len(), all.lines().count());
    assert_eq!((&json[0]["text"], &json[0]["entry"]), (&"CARD_GAME_INVITE:ongdu".into(), &1.into()));
    let ran = run_with_input("peer log -", record.text().as_bytes());
    assert_eq!(ran.well(), short);
}

#[test]
fn a_log_that_is_damaged_or_none_is_printed_as_far_as_it_goes() {
    let (_, record) = played(9, |_| {});
    let text = record.text();
    let log = |text: &str| run_with_input("peer log -", text.as_bytes());
    let mut swapped = record.clone();
    swapped.entries.swap(10, 11);
    let ran = log(&swapped.text());
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("entry 11: the hub has not signed this entry"), "{}", ran.err);
    assert!(ran.out.lines().all(|line| line.trim_start().split(' ').next().unwrap().parse::<u64>().unwrap() <= 10));
    let ran = log(&text[..text.len() - 9]);
    assert!(ran.code == Some(0) && ran.err.contains("the last line is cut off"), "{}", ran.err);
    let ran = log(&format!("{}junk\n{text}", text.lines().next().map(|line| format!("{line}\n")).unwrap()));
    assert!(ran.code == Some(1) && ran.err.contains(":2: expected an entry of the log"), "{}", ran.err);
    log("{\"fairdeal\":1}\n").refused(2, &["standard input: not the log of a private match"]);
    log("").refused(2, &["not the log of a private match"]);
    let ran = run_in(Path::new("."), "peer log nowhere.jsonl");
    ran.refused(2, &["nowhere.jsonl: cannot open: no such file"]);
    run_in(Path::new("."), "peer log .").refused(2, &["cannot open: is a directory"]);
    // Nobody reads on.
    let folder = folder(&record);
    let mut child = program()
        .current_dir(folder.path())
        .args(["peer", "log", "--all", "log.jsonl"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let ran: Ran = child.wait_with_output().unwrap().into();
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
}
