//! Records with evidence: making them, verifying them, and changing them afterwards.

use std::fs;
use std::ops::Range;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::Value;
use tempfile::TempDir;

use super::{Ran, run_in, run_with_input};

/// Small enough to be verified often.
pub(crate) const UNITS: [&str; 2] = ["--deals 2", "--matches 1 --max-deals 3"];

/// A record, as text.
pub(crate) fn recorded(words: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    run_in(folder.path(), &format!("sim {words} --seed 11 --record r.jsonl")).well();
    fs::read_to_string(folder.path().join("r.jsonl")).unwrap()
}

pub(crate) fn verify(text: impl AsRef<[u8]>, flags: &str) -> Ran {
    run_with_input(&format!("verify - {flags}"), text.as_ref())
}

/// The only record of this text, verified.
pub(crate) fn verified(text: impl AsRef<[u8]>) -> Value {
    let ran = verify(text, "--json");
    assert_eq!(ran.out.lines().count(), 1, "{}", ran.out);
    let said: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(ran.code, Some(i32::from(said["ok"] == false)), "{}", ran.err);
    said
}

/// What it says under this heading, as one text.
pub(crate) fn words(said: &Value, heading: &str) -> String {
    let said = said[heading].as_array().unwrap().iter();
    said.map(|said| said["what"].as_str().unwrap()).collect::<Vec<_>>().join("\n")
}

/// Verifies many copies in one call; what is said of each.
pub(crate) fn verify_copies(copies: &[Vec<u8>]) -> Vec<Value> {
    let folder = TempDir::new().unwrap();
    let names: Vec<String> = (0..copies.len()).map(|i| format!("{i}.jsonl")).collect();
    for (name, copy) in names.iter().zip(copies) {
        fs::write(folder.path().join(name), copy).unwrap();
    }
    let ran = run_in(folder.path(), &format!("verify --json {}", names.join(" ")));
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(!ran.err.contains("culprit"), "{}", ran.err);
    let said: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(said.len(), copies.len(), "one object for each");
    said
}

/// The lines of evidence: number from 0, and where in the text.
pub(crate) fn evidence(text: &str) -> Vec<(usize, Range<usize>)> {
    let mut start = 0;
    let mut found = Vec::new();
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if line.starts_with("{\"evidence\"") {
            found.push((number, start..start + line.trim_end().len()));
        }
        start += line.len();
    }
    found
}

/// Changes one byte of the evidence at a time: it is noticed at its line and under its name.
pub(crate) fn changed_bytes(name: &str, text: &str, times: u32, seed: u64) {
    let lines = evidence(text);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut places = Vec::new();
    let mut copies = Vec::new();
    for _ in 0..times {
        let (number, range) = lines[rng.random_range(0..lines.len())].clone();
        let at = rng.random_range(range.clone());
        let mut copy = text.as_bytes().to_vec();
        copy[at] ^= rng.random_range(1..=255u8);
        if copy[at] == b'\n' {
            continue;
        }
        places.push((number, range, at));
        copies.push(copy);
    }
    for ((number, range, at), said) in places.iter().zip(verify_copies(&copies)) {
        let (line, error) = (&text[range.clone()], &said["error"]);
        let what = format!("{name}, seed {seed}, byte {at} of line {}: {said}", number + 1);
        assert_eq!(said["ok"], false, "{what}");
        assert_eq!(error["line"], *number + 1, "{what}");
        assert_eq!(error["verdict"], "invalid or damaged", "{what}");
        let [by, kind] = ["\"by\"", "\"kind\""].map(|word| range.start + line.find(word).unwrap());
        if !(by..kind).contains(at) {
            let author = &serde_json::from_str::<Value>(line).unwrap()["evidence"]["by"];
            assert_eq!(&error["recorded_under"], author, "{what}");
        }
    }
}

/// Removes, doubles and exchanges lines of evidence: it is noticed.
pub(crate) fn changed_lines(name: &str, text: &str, times: u32, seed: u64) {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let evidence = evidence(text);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut what = Vec::new();
    let mut copies = Vec::new();
    for _ in 0..times {
        let [(one, _), (two, _)] = [(); 2].map(|()| evidence[rng.random_range(0..evidence.len())].clone());
        let mut copy = |how: &str, change: &dyn Fn(&mut Vec<&str>)| {
            let mut lines = lines.clone();
            change(&mut lines);
            what.push(format!("{name}, seed {seed}, line {}: {how}", one + 1));
            copies.push(lines.concat().into_bytes());
        };
        copy("missing", &|lines| {
            lines.remove(one);
        });
        copy("doubled", &|lines| lines.insert(one, lines[one]));
        copy("a line earlier", &|lines| lines.swap(one, one - 1));
        if one != two {
            copy("exchanged with another", &|lines| lines.swap(one, two));
        }
    }
    // The last line, and all evidence at once.
    what.push(format!("{name}: the last line"));
    copies.push(lines[..lines.len() - 1].concat().into_bytes());
    what.push(format!("{name}: all evidence"));
    copies.push(
        text.lines()
            .filter(|l| !l.starts_with("{\"evidence\""))
            .map(|l| format!("{l}\n"))
            .collect::<String>()
            .into_bytes(),
    );
    for (what, said) in what.iter().zip(verify_copies(&copies)) {
        assert_eq!(said["ok"], false, "{what}: {said}");
        assert!(said["error"]["line"].as_u64().is_some_and(|line| line > 1), "{what}: {said}");
    }
}
