//! Matches checked by somebody who was not there.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "what goes wrong here fails a test")]

mod common;

use common::{Place, instead};
use games::{AnyGame, ongdu::Ongdu};
use peer::{Body, Entry, NotNext, Record, Why, verify};
use results::Verdict;
use table::Seat;

const ONGDU: &[(&str, &str)] = &[("max_rounds", "2")];

fn played() -> (Place<Ongdu>, Record) {
    let mut place = Place::<Ongdu>::new(3, 11);
    place.start(AnyGame::Ongdu, ONGDU);
    place.play(0);
    let record = Record { key: place.key.clone(), hub: *place.hub.chain().hub(), entries: place.log.clone() };
    (place, record)
}

#[test]
fn an_honest_match_is_clean_and_has_the_result_that_everybody_has() {
    let (place, record) = played();
    let report = verify(&record);
    assert!(report.is_clean(), "{report:?}");
    assert_eq!(report.entries, u64::try_from(record.entries.len()).unwrap());
    let found = report.played.unwrap();
    assert_eq!((found.ended, found.unsigned), (Some(Why::Over), vec![]));
    let result = found.result.unwrap();
    assert_eq!(*result.clone().check().verdict(), Verdict::Complete);
    let theirs = place.peers[1].session.as_ref().unwrap().ended().unwrap().result().unwrap().text();
    assert_eq!(result.text(), theirs);
}

#[test]
fn a_record_is_read_as_it_was_written() {
    let (_, record) = played();
    let text = record.text();
    assert!(Record::is_one(&text));
    assert_eq!(Record::parse(&text, false).as_ref(), Ok(&record));
    assert_eq!(Record::parse(&format!("\u{feff}{text}"), false).as_ref(), Ok(&record));
    // Cut off in its last line, as after a crash.
    let torn = &text[..text.len() - 10];
    assert_eq!(Record::parse(torn, true).unwrap().entries.len(), record.entries.len() - 1);
    let why = Record::parse(torn, false).unwrap_err();
    assert_eq!(why.line, record.entries.len() + 1);
    for wrong in ["", "{}", "hello", "{\"private\":2,\"key\":\"\",\"hub\":\"\"}\n"] {
        assert_eq!(Record::parse(wrong, true).unwrap_err().line, 1, "{wrong}");
    }
}

#[test]
fn entries_that_are_swapped_left_out_or_changed_are_noticed() {
    let (_, record) = played();
    let count = record.entries.len();
    for at in [1, count / 3, count / 2, count - 2] {
        let height = u64::try_from(at).unwrap();
        let mut swapped = record.clone();
        swapped.entries.swap(at, at + 1);
        assert_eq!(verify(&swapped).hub, Some((height, NotNext::Unsigned)), "swapped at {at}");
        let mut missing = record.clone();
        missing.entries.remove(at);
        assert_eq!(verify(&missing).hub, Some((height, NotNext::Unsigned)), "missing at {at}");
        let mut changed = record.clone();
        let Entry::Said(said) = &mut changed.entries[at] else { panic!() };
        said.clock += 1;
        assert_eq!(verify(&changed).hub, Some((height, NotNext::Unsigned)), "another clock at {at}");
    }
    // A log that ends early is clean as far as it goes, and has no result.
    let mut short = record.clone();
    short.entries.truncate(count / 2);
    let report = verify(&short);
    assert!(report.is_clean());
    assert_eq!(report.played.unwrap().ended, None);
}

#[test]
fn a_cheat_is_named_with_the_entry_that_shows_it() {
    let mut place = Place::<Ongdu>::new(3, 12);
    place.peers[1].lie = Some(instead(Body::Seed([9; 32])));
    place.start(AnyGame::Ongdu, ONGDU);
    place.play(0);
    let record = Record { key: place.key.clone(), hub: *place.hub.chain().hub(), entries: place.log.clone() };
    let report = verify(&record);
    assert!(!report.is_clean());
    let found = report.played.unwrap();
    let [fault] = &found.faults[..] else { panic!("{found:?}") };
    assert_eq!(fault.seat, Seat::new(1).unwrap());
    let entry = &record.entries[usize::try_from(fault.height).unwrap() - 1];
    assert!(matches!(entry.said().unwrap().envelope.author, peer::Author::Member(1)));
}
