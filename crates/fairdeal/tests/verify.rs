//! Evidence: what was recorded is verified, and whatever was changed afterwards is noticed and named.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail by a panic")]

#[allow(dead_code, reason = "every test file uses another part of it")]
mod common;

use std::fs;
use std::path::Path;

use common::records::{UNITS, changed_bytes, changed_lines, evidence, recorded, verified, verify, words};
use common::{run, run_in};
use dealers::laws::times;
use games::AnyGame;
use serde_json::Value;

#[test]
fn what_every_game_records_with_a_house_is_verified() {
    for game in AnyGame::ALL.iter().map(|game| game.name()) {
        for units in UNITS {
            let said = verified(recorded(&format!("{game} {units} --dealer house")));
            assert_eq!((&said["ok"], &said["error"]), (&Value::Bool(true), &Value::Null), "{game} {units}: {said}");
            assert_eq!((&said["game"], &said["dealer"]), (&game.into(), &"house".into()));
            let published = ["romme", "blackjack"].contains(&game);
            let (proven, open) = (words(&said, "proven"), words(&said, "not_proven"));
            assert!(proven.contains("follows the rules"), "{proven}");
            assert!(proven.contains("every opened card is the one fixed"), "{proven}");
            assert_eq!(proven.contains("the order of all cards follows from the seeds of the house and"), published);
            assert_eq!(open.contains("the house keeps its seed"), !published, "{game}: {open}");
            assert!(open.contains("messages are not signed"), "{open}");
        }
    }
}

#[test]
fn a_seed_is_published_when_the_table_says_so() {
    for when in ["after_deal", "after_match"] {
        let text = recorded(&format!("holdem --matches 1 --max-deals 3 --dealer house --reveal-seed {when}"));
        let seeds: Vec<usize> =
            (0..).zip(text.lines()).filter(|(_, line)| line.contains("\"kind\":\"seed\"")).map(|(i, _)| i).collect();
        let ends: Vec<usize> =
            (0..).zip(text.lines()).filter(|(_, line)| line.starts_with("{\"end\"")).map(|(i, _)| i).collect();
        assert!(seeds.len() >= 3, "one for each deck");
        let (first, last) = (ends.first().unwrap(), ends.last().unwrap());
        assert_eq!(seeds[0] > *last, when == "after_match", "{when}: seeds at {seeds:?}, ends at {ends:?}");
        assert!(seeds[0] > *first);
        let said = verified(&text);
        assert_eq!(said["ok"], true, "{said}");
        assert!(words(&said, "proven").contains("the order of all cards follows from the seeds"), "{said}");
        assert!(!words(&said, "not_proven").contains("the house keeps its seed"), "{said}");
        // Without the last seed the record is not what the house committed to.
        let without: String = (0..)
            .zip(text.split_inclusive('\n'))
            .filter(|(i, _)| *i != seeds[seeds.len() - 1])
            .map(|(_, l)| l)
            .collect();
        assert_eq!(verified(without)["ok"], false);
    }
}

#[test]
fn one_changed_byte_in_the_evidence_is_noticed_at_its_line_and_under_its_name() {
    for game in AnyGame::ALL.iter().map(|game| game.name()) {
        for (seed, units) in (1..).zip(UNITS) {
            let words = format!("{game} {units} --dealer house");
            changed_bytes(&words, &recorded(&words), times(20, 200), seed);
        }
    }
}

#[test]
fn evidence_that_is_missing_doubled_or_in_another_order_is_noticed() {
    for game in AnyGame::ALL.iter().map(|game| game.name()) {
        for (seed, units) in (1..).zip(UNITS) {
            let words = format!("{game} {units} --dealer house");
            let text = recorded(&words);
            changed_lines(&words, &text, times(5, 50), seed);
        }
    }
}

#[test]
fn evidence_belongs_to_its_table() {
    let text = recorded("blackout --deals 1 --dealer house");
    let id = text.split("\"id\":\"").nth(1).unwrap().get(..64).unwrap();
    let other = text.replacen(id, &"0".repeat(64), 1);
    let said = verified(other);
    assert!(said["error"]["why"].as_str().unwrap().contains("belongs to another table"), "{said}");
    let said = verified(text.replacen(&format!("\"id\":\"{id}\","), "", 1));
    assert!(said["error"]["why"].as_str().unwrap().contains("has no id"), "{said}");
    // A house whose record says that somebody else dealt.
    let said = verified(text.replacen("\"dealer\":\"house\"", "\"dealer\":\"local\"", 1));
    assert!(said["error"]["why"].as_str().unwrap().contains("leaves no evidence"), "{said}");
    let ran = verify(text.replacen("\"dealer\":\"house\"", "\"dealer\":\"nobody\"", 1), "");
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains("no dealer is called \"nobody\""), "{}", ran.err);
}

#[test]
fn a_changed_face_or_result_is_noticed_though_it_is_no_evidence() {
    let text = recorded("blackout --deals 1 --dealer house");
    let dealt = text.lines().find(|line| line.starts_with("{\"dealt\"")).unwrap();
    let open = dealt.find("\"open\"").unwrap();
    let card = open + dealt[open..].find("\":\"").unwrap() + 3;
    let face = if &dealt[card..=card] == "2" { "3" } else { "2" };
    let said = verified(text.replace(dealt, &format!("{}{face}{}", &dealt[..card], &dealt[card + 1..])));
    assert_eq!((&said["ok"], &said["error"]["recorded_under"]), (&false.into(), &"house".into()), "{said}");
    let said = verified(text.replace("\"height\":1,", "\"height\":7,"));
    assert_eq!((&said["ok"], &said["error"]["recorded_under"]), (&false.into(), &Value::Null), "{said}");
}

#[test]
fn a_record_of_a_trusted_dealer_proves_nothing_about_the_shuffle() {
    let text = recorded("romme --deals 2");
    let said = verified(&text);
    assert_eq!(said["ok"], true);
    assert_eq!(words(&said, "proven"), "every deal follows the rules and ends as recorded");
    assert!(words(&said, "not_proven").contains("anything about the shuffle"), "{said}");
    let ran = verify(&text, "");
    assert!(ran.err.contains("1 file: 1 record valid\n"), "{}", ran.err);
    let said = ran.well();
    assert!(said.starts_with("standard input: 1 record valid, 2 deals (dealer: local)"), "{said}");
    assert!(said.contains("not proven:\n    - anything about the shuffle"), "{said}");
}

#[test]
fn people_are_told_what_is_wrong_and_where() {
    let text = recorded("blackout --matches 2 --max-deals 2 --dealer house");
    let (number, range) =
        evidence(&text).into_iter().find(|(_, range)| text[range.clone()].contains("{\"seat\":2}")).unwrap();
    let mut bytes = text.into_bytes();
    let digit = &mut bytes[range.end - 20];
    *digit = if *digit == b'0' { b'1' } else { b'0' };
    let ran = verify(&bytes, "");
    assert_eq!(ran.code, Some(1));
    let line = number + 1;
    assert!(ran.err.contains(&format!("standard input:{line}: deal 1: invalid or damaged, recorded under seat 3: ")));
    assert!(ran.err.contains("1 file: 1 record valid (1 incomplete), 1 invalid or damaged"), "{}", ran.err);
    assert!(ran.out.contains("INVALID OR DAMAGED: 1 of 2 records"), "{}", ran.out);
    assert!(
        ran.out.contains("standard input: 1 record valid as far as it goes, 2 deals (dealer: house)"),
        "{}",
        ran.out
    );
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let ran = run_in(Path::new("."), "verify no-such-file.jsonl");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("no-such-file.jsonl: cannot open: no such file"), "{}", ran.err);
    let ran = verify("", "");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("the file is empty"), "{}", ran.err);
    let ran = verify("{\"deal\":1}\n", "--json");
    assert_eq!(ran.code, Some(2));
    assert_eq!(serde_json::from_str::<Value>(&ran.out).unwrap()["error"]["verdict"], "unreadable");
}

#[test]
fn a_match_without_its_end_is_called_incomplete_and_no_deals_prove_nothing() {
    let text = recorded("blackout --matches 1 --option max=3");
    let said = verified(&text);
    assert_eq!((&said["ok"], &said["complete"]), (&true.into(), &true.into()), "{said}");
    // Cut after a deal that is not the last.
    let ends: Vec<usize> = text.match_indices("{\"deal\"").map(|(at, _)| at).collect();
    let cut = &text[..ends[2]];
    let said = verified(cut);
    assert_eq!((&said["ok"], &said["complete"], &said["deals"]), (&true.into(), &false.into(), &2.into()), "{said}");
    let ran = verify(cut, "");
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.contains("INCOMPLETE: 1 of 1 record: the match is not over"), "{}", ran.out);
    assert!(ran.out.contains("1 record valid as far as it goes, 2 deals"), "{}", ran.out);
    assert!(ran.err.ends_with("fairdeal: 1 file: 1 record valid (1 incomplete)\n"), "{}", ran.err);
    // Only the header.
    let header = &text[..=text.find('\n').unwrap()];
    let said = verified(header);
    assert_eq!((&said["ok"], &said["complete"], words(&said, "proven").as_str()), (&true.into(), &false.into(), ""));
    let ran = verify(header, "");
    assert!(ran.out.contains("INCOMPLETE: 1 of 1 record"), "{}", ran.out);
    assert!(ran.out.contains("0 deals") && ran.out.contains("proven: nothing"), "{}", ran.out);
    assert!(!ran.out.contains("follows the rules"), "{}", ran.out);
    // Single deals need no end.
    assert_eq!(verified(recorded("blackout --deals 2"))["complete"], true);
}

#[test]
fn a_junk_line_after_the_last_deal_belongs_to_no_deal() {
    let text = format!("{}junk\n", recorded("blackout --deals 2"));
    let line = text.lines().count();
    let ran = verify(&text, "");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains(&format!("standard input:{line}: after deal 2: invalid or damaged")), "{}", ran.err);
    let ran = common::run_with_input("replay -", text.as_bytes());
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains(&format!("standard input:{line}: after deal 2: ")), "{}", ran.err);
    assert!(
        ran.err.ends_with("fairdeal: 1 file: 2 of 2 deals replayed as recorded, 1 record damaged\n"),
        "{}",
        ran.err
    );
    let ran = common::run_with_input("replay --json -", text.as_bytes());
    let last: Value = serde_json::from_str(ran.out.lines().last().unwrap()).unwrap();
    assert_eq!((ran.out.lines().count(), &last["ok"], &last["hand"]), (3, &false.into(), &Value::Null), "{last}");
}

#[test]
fn junk_gets_one_verdict() {
    let ran = verify("junk\n", "");
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.out, "standard input: UNREADABLE: 1 of 1 record\n");
    assert!(ran.err.ends_with("fairdeal: 1 file: 0 records valid, 1 unreadable\n"), "{}", ran.err);
    assert!(!ran.err.contains("invalid"), "{}", ran.err);
}

#[test]
fn a_record_with_evidence_replays_and_does_not_depend_on_the_threads() {
    let folder = tempfile::tempdir().unwrap();
    for units in ["--deals 300", "--matches 5 --max-deals 4"] {
        let with = |threads: u8| {
            let words = format!("sim blackjack {units} --dealer house --seed 5 --threads {threads}");
            run_in(folder.path(), &format!("{words} --record r.jsonl --force")).well();
            fs::read(folder.path().join("r.jsonl")).unwrap()
        };
        assert!(with(1) == with(3), "{units}");
        let ran = run_in(folder.path(), "replay r.jsonl");
        assert!(ran.err.contains(" replayed as recorded"), "{}", ran.err);
        ran.well();
    }
}

#[test]
fn the_dealer_of_a_simulation_is_checked_and_repeated() {
    run("sim blackout --dealer nobody").refused(2, &["nobody", "it must be local"]);
    run("sim blackout --dealer house --reveal-seed never").refused(2, &["never", "auto, after_deal or after_match"]);
    run("sim blackout --reveal-seed auto").refused(2, &["--reveal-seed works only with --dealer house"]);
    run("sim blackout --dealer house --deals 5000000000").refused(2, &["--deals must be from 1 to", "--dealer house"]);
    let first = run("sim blackout --deals 20 --seed 1 --dealer house --reveal-seed after_match").well();
    assert!(first.contains("--dealer house --reveal-seed after_match"), "{first}");
}

/// What seat 0 of a recorded match would have kept: the commitments of every deck.
fn kept(text: &str) -> String {
    let id = text.split("\"id\":\"").nth(1).unwrap().get(..64).unwrap();
    let mut decks: std::collections::BTreeMap<u32, (String, Vec<String>)> = std::collections::BTreeMap::new();
    for line in text.lines().filter(|line| line.contains("\"kind\":\"commit\"")) {
        let line: Value = serde_json::from_str(line).unwrap();
        let body = line["evidence"]["body"].as_str().unwrap();
        let deck = u32::from_le_bytes(table::record::unhex(&body[8..16]).unwrap().try_into().unwrap());
        let hash = &body[body.len() - 16 - 64..body.len() - 16];
        if line["evidence"]["by"] == "house" {
            let publish = ["never", "after_deal", "after_match"][usize::from(body.as_bytes()[17] - b'0')];
            let head = format!(r#""publish":"{publish}","house":"{hash}""#);
            decks.insert(deck, (head, Vec::new()));
        } else {
            decks.get_mut(&deck).unwrap().1.push(format!(r#"{{"commitment":"{hash}"}}"#));
        }
    }
    let line = |(deck, (head, seats)): (&u32, &(String, Vec<String>))| {
        let list = format!(r#"{{{head},"seats":[{}]}}"#, seats.join(","));
        format!(r#"{{"table":"ab","session":"{id}","seat":0,"deck":{deck},"commitments":{list}}}"#) + "\n"
    };
    decks.iter().map(line).collect()
}

#[test]
fn a_record_is_compared_with_what_was_kept_at_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let text = recorded("romme --matches 1 --max-deals 3 --players 3 --dealer house");
    fs::write(folder.path().join("record.jsonl"), &text).unwrap();
    let good = kept(&text);
    let verify = |kept: &str, options: &str| {
        fs::write(folder.path().join("kept.jsonl"), kept).unwrap();
        run_in(folder.path(), &format!("verify record.jsonl --kept kept.jsonl {options}"))
    };
    let said = verify(&good, "").well();
    assert!(said.contains("all commitments are those that were kept before any seed was revealed"), "{said}");
    assert!(said.contains("who sent what for the other seats"), "{said}");
    assert!(said.contains("words, the same for all who saw the same commitments (32 bits each):"), "{said}");
    let json: Value = serde_json::from_str(&verify(&good, "--json").well()).unwrap();
    assert_eq!(json["words"].as_array().unwrap().len(), good.lines().count(), "{json}");
    assert!(said.contains(json["words"][0]["words"].as_str().unwrap()), "{said}");

    let last = good.lines().last().unwrap();
    let wrong = [
        (good.replacen("\"deck\":1,", "\"deck\":77,", 1), "deck 77 was kept, and the record does not have it"),
        (good.replacen("\"seats\":[{", "\"seats\":[{\"left_out\":\"gone\"},{", 1), "are not those kept before"),
        (format!("{good}{}", last.replace("after_deal", "never")), "two different lists of commitments were kept"),
        (String::new(), "nothing that was kept belongs to this record"),
    ];
    for (kept, why) in wrong {
        let ran = verify(&kept, "");
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        assert!(ran.err.contains(why), "{why}: {}", ran.err);
    }
    // A second session of the same table.
    let id = text.split("\"id\":\"").nth(1).unwrap().get(..64).unwrap();
    let ran = verify(&format!("{good}{}", last.replace(id, &"5".repeat(64))), "");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("this table was begun twice"), "{}", ran.err);
}

#[test]
fn a_file_that_is_none_of_what_was_kept_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("record.jsonl"), recorded("romme --matches 1 --max-deals 1 --dealer house")).unwrap();
    fs::write(folder.path().join("local.jsonl"), recorded("romme --matches 1 --max-deals 1")).unwrap();
    fs::write(folder.path().join("empty"), "").unwrap();
    fs::write(folder.path().join("odd"), "\n{\"table\":7}\n").unwrap();
    let run = |words: &str| run_in(folder.path(), &format!("verify {words}"));
    run("record.jsonl --kept nowhere").refused(2, &["nowhere: cannot open: no such file"]);
    run("record.jsonl --kept odd").refused(2, &["odd: line 2: not what a player keeps"]);
    let ran = run("local.jsonl --kept empty");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("--kept works only with records of a house"), "{}", ran.err);
}
