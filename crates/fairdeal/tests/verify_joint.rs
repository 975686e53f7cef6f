//! Evidence of those who deal together: what was recorded is verified, and whatever was changed afterwards is
//! noticed and named.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail by a panic")]

#[allow(dead_code, reason = "every test file uses another part of it")]
mod common;

use common::records::{changed_bytes, changed_lines, evidence, recorded, verified, verify, words};
use dealers::laws::times;
use games::AnyGame;
use serde_json::Value;

/// Who deals, at a table of how many.
const TABLES: [&str; 3] =
    ["--players 3 --dealer peers", "--players 4 --dealer peers:3", "--players 3 --dealer committee:4,3"];

/// A few cards each: a single deal, and a match of a few deals.
const SMALL: [&str; 2] = ["--deals 2 --option max=2", "--matches 1 --option max=2 --max-deals 3"];

#[test]
fn what_every_game_records_is_verified() {
    for game in AnyGame::ALL.iter().map(|game| game.name()) {
        for table in TABLES {
            let said = verified(recorded(&format!("{game} --deals 1 {table}")));
            assert_eq!((&said["ok"], &said["error"]), (&Value::Bool(true), &Value::Null), "{game} {table}: {said}");
            assert!(table.ends_with(said["dealer"].as_str().unwrap()), "{said}");
            let (proven, open) = (words(&said, "proven"), words(&said, "not_proven"));
            assert!(proven.contains("follows the rules"), "{proven}");
            assert!(proven.contains("nobody knew or chose the order"), "{game} {table}: {proven}");
            assert!(open.contains("they are not signed"), "{open}");
        }
    }
}

#[test]
fn matches_are_verified() {
    for game in ["blackout --option max=2", "blackjack", "bigc"] {
        for table in TABLES {
            let said = verified(recorded(&format!("{game} --matches 1 --max-deals 3 {table}")));
            assert_eq!(said["ok"], true, "{game} {table}: {said}");
        }
    }
}

#[test]
fn one_changed_byte_in_the_evidence_is_noticed_at_its_line_and_under_its_name() {
    // One game lays cards down, one lets seats choose, and one lets them choose in secret.
    for game in ["blackout", "ongdu", "blackjack"] {
        for table in TABLES {
            let units: &[&str] = if game == "blackout" { &SMALL } else { &["--deals 1"] };
            for (seed, units) in (1..).zip(units) {
                let words = format!("{game} {units} {table}");
                changed_bytes(&words, &recorded(&words), times(20, 200), seed);
            }
        }
    }
}

#[test]
fn evidence_that_is_missing_doubled_or_in_another_order_is_noticed() {
    for table in TABLES {
        for (seed, units) in (1..).zip(SMALL) {
            let words = format!("blackout {units} {table}");
            changed_lines(&words, &recorded(&words), times(5, 50), seed);
        }
    }
}

#[test]
fn evidence_belongs_to_its_table_and_to_its_dealer() {
    for table in TABLES {
        let text = recorded(&format!("blackout --deals 1 --option max=2 {table}"));
        let id = text.split("\"id\":\"").nth(1).unwrap().get(..64).unwrap();
        let said = verified(text.replacen(id, &"0".repeat(64), 1));
        assert!(said["error"]["why"].as_str().unwrap().contains("belongs to another table"), "{table}: {said}");
        let said = verified(text.replacen(&format!("\"id\":\"{id}\","), "", 1));
        assert!(said["error"]["why"].as_str().unwrap().contains("has no id"), "{table}: {said}");
        let dealer = format!("\"dealer\":\"{}\"", table.rsplit(' ').next().unwrap());
        for other in
            ["peers", "peers:2", "peers:3", "committee:4,2", "committee:4,3", "committee:5,3", "house", "local"]
        {
            let other = format!("\"dealer\":\"{other}\"");
            let said = verified(text.replacen(&dealer, &other, 1));
            assert_eq!(said["ok"], other == dealer, "{table} as {other}: {said}");
        }
    }
}

#[test]
fn a_changed_face_is_noticed_though_it_is_no_evidence() {
    for table in TABLES {
        let text = recorded(&format!("blackout --deals 1 --option max=2 {table}"));
        let mut opened = 0;
        for (number, line) in (1..).zip(text.lines()) {
            let Some(open) = line.find("\"open\":{\"") else { continue };
            let card = open + line[open..].find("\":\"").unwrap() + 3;
            let face = if &line[card..=card] == "2" { "3" } else { "2" };
            let other = format!("{}{face}{}", &line[..card], &line[card + 1..]);
            let said = verified(text.replace(line, &other));
            assert_eq!((&said["ok"], &said["error"]["line"]), (&false.into(), &number.into()), "{table}: {said}");
            let by = &said["error"]["recorded_under"];
            if let Some(act) = serde_json::from_str::<Value>(line).unwrap().get("act") {
                assert_eq!(by["seat"], act["seat"], "{table}: {said}");
            }
            assert_ne!(by, &Value::Null, "{table}: {said}");
            opened += 1;
        }
        assert!(opened > 3, "{table}: only {opened} lines open a card");
    }
}

#[test]
fn a_face_that_its_owner_is_said_to_have_seen_must_be_the_one_that_is_laid_down_later() {
    for table in TABLES {
        let text = recorded(&format!("blackout --deals 1 --option max=2 {table}"));
        let private = text.find("\"private\":{\"").unwrap();
        let card = private + text[private..].find(":\"").unwrap() + 2;
        let face = if &text[card..=card] == "2" { "3" } else { "2" };
        let said = verified(format!("{}{face}{}", &text[..card], &text[card + 1..]));
        let why = said["error"]["why"].as_str().unwrap_or_default();
        assert!(why.starts_with("an earlier line shows another card"), "{table}: {said}");
    }
}

#[test]
fn people_are_told_what_is_wrong_and_where_and_nobody_is_blamed() {
    for (table, by, name) in [
        (TABLES[0], "{\"seat\":2}", "seat 3"),
        (TABLES[1], "{\"seat\":3}", "seat 4"),
        (TABLES[2], "{\"member\":1}", "member 2"),
    ] {
        let text = recorded(&format!("blackout --deals 1 --option max=2 {table}"));
        let (number, range) = evidence(&text).into_iter().find(|(_, at)| text[at.clone()].contains(by)).unwrap();
        let mut bytes = text.into_bytes();
        let digit = &mut bytes[range.end - 60];
        *digit = if *digit == b'0' { b'1' } else { b'0' };
        let ran = verify(&bytes, "");
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        let where_and_who =
            format!("standard input:{}: deal 1: invalid or damaged, recorded under {name}: ", number + 1);
        assert!(ran.err.contains(&where_and_who), "{where_and_who:?} in {}", ran.err);
        assert!(!format!("{}{}", ran.out, ran.err).contains("culprit"), "{}{}", ran.out, ran.err);
    }
}
