//! Records: everything written is read back, and nothing else is accepted.

mod common;

use std::collections::BTreeMap;

use common::{Action, Setup, Toy, ToyGame, faces, seat};
use table::record::{By, Evidence, Header, LONGEST_LINE, Reader, Step, Trouble, Writer};
use table::{Height, Rules as _, Settings as _, Slot, Table};

fn header(settings: Option<serde_json::Value>) -> Header {
    Header {
        format: 1,
        game: "toy".to_owned(),
        players: 2,
        id: None,
        settings,
        names: vec!["Ann".to_owned(), "Bob".to_owned()],
        dealer: "local".to_owned(),
        extra: BTreeMap::new(),
    }
}

/// A record of one deal.
fn record() -> String {
    let setup = Setup { players: 2, first_deck: 0 };
    let mut table = Table::new(Toy::deal(&setup).expect("a deal"), Height(0));
    let faces = faces(0, "AH KD 2C 3H");
    let mut writer = Writer::new();
    writer.header(header(None));
    writer.deal::<Toy>(1, &setup);
    writer.dealt(&table, &faces, |seat, slot| (seat == common::seat(0)).then(|| faces.get(slot)).flatten());
    table.dealt(Height(0), &faces).expect("dealt");
    for (height, who, action) in [(1, 0, Action::NoSpade), (2, 1, Action::Lay(Slot::new(0, 3)))] {
        writer.act(&table, seat(who), &action, &faces, false);
        table.act(Height(height), seat(who), &action, &faces).expect("an action");
    }
    writer.dealt(&table, &faces, |_, _| None);
    table.dealt(Height(3), &faces).expect("audited");
    writer.end(&table, None);
    writer.take()
}

fn read(text: &str) -> Result<Vec<Step>, (usize, Trouble)> {
    let mut reader = Reader::<ToyGame>::new();
    text.lines().enumerate().map(|(i, line)| reader.line(line).map_err(|trouble| (i + 1, trouble))).collect()
}

#[test]
fn a_record_reads_as_it_was_written() {
    let steps = read(&record()).expect("a good record");
    assert_eq!(steps.len(), 7);
    assert!(matches!(steps.last(), Some(Step::Ended(_))));
}

#[test]
fn the_text_of_a_record_is_frozen() {
    assert_eq!(record(), include_str!("data/toy.jsonl"));
}

#[test]
fn a_seats_cards_are_recorded_only_if_the_records_owner_may_know_them() {
    let text = record();
    let dealt = text.lines().nth(2).expect("the deal");
    assert!(dealt.contains("AH") && dealt.contains("KD"));
    assert!(!dealt.contains("2C") && !dealt.contains("3H"), "seat 1's cards must stay secret: {dealt}");
}

#[test]
fn a_missing_or_repeated_line_is_noticed() {
    let text = record();
    let lines: Vec<&str> = text.lines().collect();
    for i in 0..lines.len() {
        let without: Vec<&str> = lines.iter().enumerate().filter(|(k, _)| *k != i).map(|(_, line)| *line).collect();
        let complete = |text: &str| {
            let mut reader = Reader::<ToyGame>::new();
            text.lines().all(|line| reader.line(line).is_ok()) && reader.is_between_deals()
        };
        assert!(!complete(&without.join("\n")), "line {} was left out", i + 1);
        let mut doubled = lines.clone();
        doubled.insert(i, lines[i]);
        // A second header right after the first begins another record.
        assert_eq!(complete(&doubled.join("\n")), i == 0, "line {} was repeated", i + 1);
    }
}

#[test]
fn a_changed_outcome_or_hash_is_noticed_and_named() {
    let text = record();
    let end = text.lines().last().expect("an end");
    let changed = text.replace(end, &end.replacen("[7,3]", "[7,4]", 1));
    assert_ne!(changed, text);
    let said = |text: &str| match read(text) {
        Err((7, trouble @ Trouble::OutcomeDiffers { .. })) => trouble.to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!(said(&changed), "the result is [7, 3], not [7, 4] as recorded");
    let ending = end.split("\"ending\":\"").nth(1).and_then(|rest| rest.split('"').next()).expect("an ending");
    let changed = text.replace(end, &end.replacen(ending, "otherwise", 1));
    assert_eq!(said(&changed), format!("the ending is {ending:?}, not \"otherwise\" as recorded"));
    let broken = r#""broken_off":"dealer_failed","result""#;
    let changed = text.replace(end, &end.replacen("\"result\"", broken, 1));
    assert_eq!(said(&changed), "the deal is played to its end, not broken off as recorded");
    let changed = text.replace(end, &end.replacen("\"result\"", "\"away\":[1],\"result\"", 1));
    assert_eq!(said(&changed), "other seats may come back, or could not pay, than recorded");
    let hash = end.split("\"hash\":\"").nth(1).and_then(|rest| rest.get(..64)).expect("a hash");
    let changed = text.replace(hash, &"0".repeat(64));
    assert!(matches!(read(&changed), Err((7, Trouble::HashDiffers { .. }))));
}

#[test]
fn nonsense_is_refused_with_its_reason() {
    let first = |line: &str| Reader::<ToyGame>::new().line(line).expect_err("nonsense");
    assert_eq!(first(""), Trouble::NoHeader);
    assert_eq!(first("{\"deal\":{\"number\":1,\"setup\":{\"players\":2,\"first_deck\":0}}}"), Trouble::NoHeader);
    assert_eq!(first(&"x".repeat(LONGEST_LINE + 1)), Trouble::TooLong);
    let head = |change: fn(&mut Header)| {
        let mut header = header(None);
        change(&mut header);
        serde_json::to_string(&serde_json::json!({ "fairdeal": header })).expect("json")
    };
    assert_eq!(first(&head(|h| h.format = 2)), Trouble::Format(2));
    assert_eq!(first(&head(|h| h.game = "chess".to_owned())), Trouble::OtherGame("chess".to_owned()));
    let bad = first(&head(|h| h.settings = Some(serde_json::json!({ "deals": 9 }))));
    assert_eq!(bad, Trouble::Setup("deals must be from 1 to 5".to_owned()));
    let bad = first(&head(|h| h.settings = Some(serde_json::json!({ "dealz": 1 }))));
    assert!(matches!(bad, Trouble::Malformed(why) if why.contains("dealz")));
}

#[test]
fn evidence_is_allowed_from_the_first_deal_on() {
    let evidence = Evidence::new(By::Seat(seat(1)), "seed", &[0xab, 0x01]);
    let mut writer = Writer::new();
    writer.evidence(evidence.clone());
    let line = writer.take();
    assert_eq!(line.trim_end(), r#"{"evidence":{"by":{"seat":1},"kind":"seed","body":"ab01"}}"#);
    assert_eq!(evidence.bytes(), Some(vec![0xab, 0x01]));
    let text = record();
    let lines: Vec<&str> = text.lines().collect();
    for i in 0..=lines.len() {
        let mut with = lines.clone();
        with.insert(i, line.trim_end());
        let read = read(&with.join("\n"));
        match i {
            0 => assert_eq!(read, Err((1, Trouble::NoHeader))),
            1 => assert!(matches!(read, Err((2, Trouble::Expected(_))))),
            _ => assert_eq!(read.map(|steps| steps.get(i).cloned()), Ok(Some(Step::Evidence)), "line {}", i + 1),
        }
    }
}

#[test]
fn an_id_has_64_lowercase_digits() {
    let begin = |id: &str| {
        let header = Header { id: Some(id.to_owned()), ..header(None) };
        Reader::<ToyGame>::new().line(&serde_json::json!({ "fairdeal": header }).to_string())
    };
    assert_eq!(begin(&"0a".repeat(32)), Ok(Step::Began));
    for wrong in [String::new(), "0a".repeat(31), "0A".repeat(32), "0g".repeat(32), "0a".repeat(33)] {
        assert_eq!(begin(&wrong), Err(Trouble::Id), "{wrong}");
    }
}

#[test]
fn a_deal_that_does_not_belong_to_the_match_is_refused() {
    let mut settings = common::Settings::default();
    settings.set("deals", "1").expect("in range");
    let mut writer = Writer::new();
    writer.header(header(Some(serde_json::to_value(&settings).expect("json"))));
    writer.deal::<Toy>(1, &Setup { players: 3, first_deck: 0 });
    assert!(matches!(read(&writer.take()), Err((2, Trouble::Setup(_)))));
}

#[test]
fn a_flipped_byte_in_what_was_played_is_noticed() {
    let text = record();
    let header = text.find('\n').expect("a header") + 1;
    let mut bytes = text.clone().into_bytes();
    for i in header..bytes.len() {
        for bit in [1, 2, 16] {
            bytes[i] ^= bit;
            let whole = std::str::from_utf8(&bytes).is_ok_and(|changed| {
                let mut reader = Reader::<ToyGame>::new();
                changed.lines().all(|line| reader.line(line).is_ok()) && reader.is_between_deals()
            });
            // Only data that replay does not need may change unnoticed: cards shown to one seat.
            let line = text.get(..i).map_or(0, |before| before.matches('\n').count());
            assert!(!whole || line == 2, "byte {i}, bit {bit}: {}", String::from_utf8_lossy(&bytes));
            bytes[i] ^= bit;
        }
    }
}
