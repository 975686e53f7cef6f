//! Relays that lie, hold back, repeat, flood, and fall silent.

use relays::{Draft, Kind, result};
use results::{Body, Facts, Uuid};

use super::relay::{Manner, Relay};
use super::{Home, body, complete, secret, signed};

/// A relay with three results of different players.
fn stocked(manner: Manner) -> Relay {
    let relay = Relay::with(manner);
    for number in 1..=3 {
        let result = complete(number, &[1, number + 1]);
        relay.put(result::write(&result, 1_767_390_000 + u64::from(number)).sign(&secret(number), &[0; 32]));
    }
    relay
}

#[test]
fn a_relay_that_changes_results_is_believed_nothing() {
    let relay = stocked(Manner { forges: true, ..Manner::default() });
    let station = Home::station();
    let synced = station.sync(relay.url());
    assert_eq!((&synced["new"], &synced["refused"]), (&0.into(), &0.into()), "{synced}");
    assert!(synced["ignored"].as_u64().unwrap() >= 3, "{synced}");
    assert!(station.states().is_empty() && station.board().is_empty());
}

#[test]
fn what_comes_twice_or_was_not_asked_for_counts_once_or_not_at_all() {
    let relay = stocked(Manner { doubles: true, answers_other_questions: true, ..Manner::default() });
    relay.put(Draft { at: 1, kind: Kind(1), tags: Vec::new(), content: "spam".to_owned() }.sign(&secret(9), &[0; 32]));
    let station = Home::station();
    assert_eq!(station.sync(relay.url())["new"], 3);
    assert_eq!(station.board()[0].1, 3);
}

#[test]
fn a_relay_that_only_floods_is_left() {
    let relay = Relay::with(Manner { answers_other_questions: true, ..Manner::default() });
    for number in 0..150 {
        let draft = Draft { at: number, kind: Kind(1), tags: Vec::new(), content: "spam".to_owned() };
        relay.put(draft.sign(&secret(9), &[0; 32]));
    }
    Home::station().run(&["station", "sync", relay.url()]).refused(2, &["nobody asked for"]);
}

/// Events of the same kind that are valid and outside of our limits, each newer than what the relay has else.
fn outsized(relay: &Relay, count: u64, content: &str, tags: usize) {
    for number in 0..count {
        let tags: Vec<Vec<String>> = (0..tags).map(|tag| vec!["d".to_owned(), format!("{number} {tag}")]).collect();
        let draft = Draft { at: 1_767_400_000 + number, kind: Kind::RESULT, tags, content: content.to_owned() };
        relay.put(draft.sign(&secret(9), &[0; 32]));
    }
}

#[test]
fn a_strangers_long_event_does_not_stop_a_sync() {
    let relay = stocked(Manner::default());
    outsized(&relay, 1, &"x".repeat(300_000), 1);
    let synced = Home::station().sync(relay.url());
    assert_eq!((&synced["new"], &synced["ignored"]), (&3.into(), &1.into()), "{synced}");
}

#[test]
fn many_events_with_more_tags_than_ours_neither_stop_a_sync_nor_hide_what_is_older() {
    // They fill a whole page.
    let relay = stocked(Manner { page: 120, ..Manner::default() });
    outsized(&relay, 120, "", 129);
    let synced = Home::station().sync(relay.url());
    assert_eq!(synced["new"], 3, "{synced}");
}

#[test]
fn what_waits_because_there_are_too_many_partial_results_is_taken_the_next_time() {
    let relay = stocked(Manner::default());
    let like = body(0, &[8, 9]);
    for number in 0..2100_u32 {
        let mut id = [0; 16];
        id[..4].copy_from_slice(&number.to_le_bytes());
        let facts = Facts { id: Uuid::random(id), ..like.facts().clone() };
        let invented = signed(&Body::new(facts, like.form()).unwrap(), &[8, 9], &[0]);
        relay.put(result::write(&invented, 1_767_400_000 + u64::from(number)).sign(&secret(8), &[0; 32]));
    }
    let honest = signed(&body(9, &[1, 2]), &[1, 2], &[0]);
    relay.put(result::write(&honest, 1_767_380_000).sign(&secret(1), &[0; 32]));
    let station = Home::station();
    let first = station.run(&["station", "sync", relay.url()]);
    assert_eq!(first.code, Some(1), "{}", first.err);
    assert!(first.err.contains("have to wait") && first.err.contains("repeat this to go on"), "{}", first.err);
    assert_eq!(station.sync(relay.url())["new"], 101);
    assert_eq!(station.states().len(), 2104);
}

/// A stranger dates so many events to the second of somebody's result that the relay cannot give all of them at once.
fn crowded() -> Relay {
    let relay = stocked(Manner { page: 120, ..Manner::default() });
    for number in 0..300 {
        let tags = vec![vec!["d".to_owned(), number.to_string()]];
        let draft = Draft { at: 1_767_390_002, kind: Kind::RESULT, tags, content: "nonsense".to_owned() };
        relay.put(draft.sign(&secret(9), &[0; 32]));
    }
    relay
}

#[test]
fn a_second_that_is_too_full_to_be_given_at_once_is_told() {
    let relay = crowded();
    let station = Home::station();
    let synced = station.run(&["station", "sync", relay.url()]);
    assert_eq!(synced.code, Some(1), "{}", synced.err);
    assert!(synced.err.contains("2026-01-02 21:40:02 than it gives at once"), "{}", synced.err);
    assert_eq!(station.states().len(), 2, "the others are found nevertheless");
}

#[test]
fn known_players_are_found_in_a_second_that_a_stranger_has_filled() {
    let (relay, station) = (crowded(), Home::station());
    let players: Vec<String> = (1..=4).map(|number| secret(number).public().npub()).collect();
    std::fs::write(station.data().join("station-players.txt"), players.join("\n")).unwrap();
    assert_eq!(station.sync(relay.url())["new"], 3);
}

#[test]
fn a_relay_that_never_says_that_it_is_done_is_not_waited_for_and_what_came_is_kept() {
    let relay = stocked(Manner { never_done: true, ..Manner::default() });
    let station = Home::station();
    station.run(&["station", "sync", relay.url()]).refused(2, &["stopped answering", "3 new results are kept"]);
    assert_eq!(station.states().len(), 3);
    relay.set(|manner| manner.never_done = false);
    assert_eq!(station.sync(relay.url())["new"], 0);
}

#[test]
fn a_relay_that_gives_little_at_once_is_asked_until_it_has_given_all() {
    let relay = stocked(Manner { page: 1, ..Manner::default() });
    let station = Home::station();
    assert_eq!(station.sync(relay.url())["new"], 3);
}

#[test]
fn an_interruption_loses_nothing() {
    let relay = stocked(Manner { page: 1, ends_after: Some(3), ..Manner::default() });
    let station = Home::station();
    let cut = station.run(&["station", "sync", relay.url()]);
    assert_eq!(cut.code, Some(2), "{}", cut.err);
    let kept = station.states().len();
    assert!((1..3).contains(&kept), "{kept}");
    relay.set(|manner| manner.ends_after = None);
    let rest = station.sync(relay.url());
    assert_eq!(rest["new"], 3 - kept, "{rest}");
}

#[test]
fn a_relay_that_forgets_gets_it_again_and_one_that_refuses_says_so() {
    let relay = Relay::with(Manner { forgets: true, ..Manner::default() });
    let station = Home::station();
    station.import(&[&complete(1, &[1, 2])]);
    for _ in 0..2 {
        assert_eq!(station.sync(relay.url())["sent"], 1);
    }
    relay.set(|manner| manner.refuses = true);
    let refused = station.run(&["station", "sync", relay.url()]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.err.contains("did not keep 2: blocked: full"), "{}", refused.err);
}

#[test]
fn what_a_relay_says_it_has_a_later_one_of_is_not_told_as_sent() {
    let relay = Relay::with(Manner { outdates: true, ..Manner::default() });
    let player = Home::player(1);
    player.import(&[&complete(1, &[1, 2])]);
    let refused = player.run(&["results", "publish", relay.url()]);
    assert_eq!(refused.code, Some(1), "{}", refused.out);
    assert!(refused.err.contains("did not keep 1: replaced: have newer event"), "{}", refused.err);
}

#[test]
fn dates_in_the_future_and_the_past_do_not_hide_anything() {
    let relay = Relay::with(Manner::default());
    let far = result::write(&complete(1, &[1, 2]), 4_000_000_000).sign(&secret(1), &[0; 32]);
    let early = result::write(&complete(2, &[1, 3]), 0).sign(&secret(1), &[0; 32]);
    relay.put(far);
    relay.put(early);
    let station = Home::station();
    assert_eq!(station.sync(relay.url())["new"], 1, "an event of the future is no event yet");
    let honest = result::write(&complete(3, &[1, 4]), 1_767_390_000).sign(&secret(1), &[0; 32]);
    relay.put(honest);
    assert_eq!(station.sync(relay.url())["new"], 0, "it is older than what was asked for");
    let all = station.run(&["station", "sync", relay.url(), "--all", "--json"]).well();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&all).unwrap()["new"], 1);
}

#[test]
fn something_else_than_a_relay_is_recognised() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("ws://{}", listener.local_addr().unwrap());
    let answering = std::thread::spawn(move || {
        use std::io::{Read as _, Write as _};
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 1000]).unwrap();
        stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n").unwrap();
    });
    Home::station().run(&["station", "sync", &url]).refused(2, &[&url, "something else than a NOSTR relay"]);
    answering.join().unwrap();
}
