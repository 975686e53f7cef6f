//! Stations that never meet.

use games::AnyGame;
use relays::{Kind, board, result};
use results::{Body, Callsign, Facts, Hash, Secret, Session, Uuid};

use super::relay::Relay;
use super::{Home, body, complete, files, secret, signed};

#[test]
fn two_stations_that_never_met_agree_on_the_leaderboard() {
    let relay = Relay::start();
    let (one, two) = (Home::station(), Home::station());
    one.import(&[&complete(1, &[1, 2]), &complete(2, &[1, 3])]);
    two.import(&[&complete(3, &[2, 1]), &complete(1, &[1, 2])]);
    assert_eq!(one.sync(relay.url())["sent"], 2);
    let second = two.sync(relay.url());
    assert_eq!((&second["new"], &second["sent"]), (&1.into(), &1.into()), "{second}");
    assert_eq!(one.sync(relay.url())["new"], 1);
    assert_eq!(files(&one.data()), files(&two.data()));
    let board = one.board();
    assert_eq!(board, two.board());
    let wins: Vec<(u64, u64)> = board.iter().map(|(_, wins, losses)| (*wins, *losses)).collect();
    assert_eq!(wins, [(2, 1), (1, 1), (0, 1)]);
}

#[test]
fn doing_it_again_changes_nothing_on_either_side() {
    let relay = Relay::start();
    let (one, two) = (Home::station(), Home::station());
    one.import(&[&complete(1, &[1, 2])]);
    for home in [&one, &two, &one, &two] {
        home.sync(relay.url());
    }
    let (before, kept) = (relay.events(), files(&one.data()));
    for home in [&one, &two] {
        let again = home.sync(relay.url());
        for nothing in ["new", "completed", "contradictions", "refused", "sent", "leaderboards", "ignored"] {
            assert_eq!(again[nothing], 0, "{nothing} in {again}");
        }
    }
    assert_eq!((relay.events(), files(&one.data()), files(&two.data())), (before, kept.clone(), kept));
}

#[test]
fn players_publish_their_own_signatures_and_a_station_puts_them_together() {
    let relay = Relay::start();
    let players = [1, 2, 3];
    for (index, number) in players.iter().enumerate() {
        let home = Home::player(*number);
        home.import(&[&signed(&body(1, &players), &players, &[index])]);
        assert_eq!(home.run(&["results", "publish", relay.url()]).well(), format!("{}: 1 result sent\n", relay.url()));
        let again = home.run(&["results", "publish", relay.url()]).well();
        assert_eq!(again, format!("{}: everything is there already\n", relay.url()));
    }
    let station = Home::station();
    let synced = station.sync(relay.url());
    assert_eq!((&synced["new"], &synced["completed"]), (&1.into(), &2.into()), "{synced}");
    assert_eq!(station.states(), ["complete"]);
    assert_eq!(station.board().len(), 3);
    // The next one finds the complete file, too.
    let other = Home::station();
    other.sync(relay.url());
    assert_eq!(other.states(), ["complete"]);
    let stranger = Home::player(9);
    stranger.import(&[&complete(1, &players)]);
    stranger.run(&["results", "publish", relay.url()]).refused(2, &["no result here that you signed"]);
}

#[test]
fn what_a_relay_has_of_the_same_author_with_a_later_date_is_replaced_nevertheless() {
    let relay = Relay::with(super::relay::Manner::default());
    let (players, later) = ([1, 2], 4_000_000_000);
    let part = signed(&body(1, &players), &players, &[0]);
    relay.put(result::write(&part, later).sign(&secret(1), &[0; 32]));
    let home = Home::player(1);
    home.import(&[&complete(1, &players)]);
    assert_eq!(home.run(&["results", "publish", relay.url()]).well(), format!("{}: 1 result sent\n", relay.url()));
    let there = relay.events();
    assert_eq!((there.len(), there[0].at()), (1, later + 1));
    assert_eq!(there[0].content(), complete(1, &players).text());
}

#[test]
fn forged_doubled_partial_and_disputed_results_count_for_nobody() {
    let relay = Relay::with(super::relay::Manner::default());
    let publish = |text: String, by: &Secret, mark: &results::Signed| {
        let mut draft = result::write(mark, 1_767_390_000);
        draft.content = text;
        relay.put(draft.sign(by, &[0; 32]));
    };
    let whole = |result: &results::Signed, by: u8| publish(result.text(), &secret(by), result);
    // The same match twice, by two authors: counts once.
    let doubled = complete(1, &[1, 2]);
    whole(&doubled, 1);
    whole(&doubled, 2);
    // One signature is missing: does not count.
    whole(&signed(&body(2, &[3, 4]), &[3, 4], &[0]), 3);
    // Player 3 signs for player 4: refused.
    let honest = signed(&body(3, &[3, 4]), &[3, 4], &[0]);
    let line = honest.text().lines().last().unwrap().to_owned();
    let forged = format!("{}{}\n", honest.text(), line.replace("signature_1", "signature_2"));
    publish(forged, &secret(3), &honest);
    // Both signed that each of them has won: counts for nobody.
    whole(&complete(4, &[5, 6]), 5);
    whole(&complete(4, &[6, 5]), 6);
    // Somebody copies the id of a match for one of their own: harms nobody.
    whole(&complete(1, &[7, 8]), 7);
    // Nobody signed, and nonsense.
    whole(&signed(&body(5, &[1, 2]), &[1, 2], &[]), 9);
    publish("nonsense".to_owned(), &secret(9), &doubled);
    let station = Home::station();
    let synced = station.run(&["station", "sync", relay.url(), "--json"]);
    let said: serde_json::Value = serde_json::from_str(&synced.out).unwrap();
    assert_eq!((synced.code, &said["refused"]), (Some(0), &3.into()), "{said}");
    assert!(synced.err.contains("3 results were not taken"), "{}", synced.err);
    assert_eq!(station.states(), ["complete", "complete", "disputed", "disputed", "partial"]);
    let mut won: Vec<(u64, u64)> = station.board().into_iter().map(|(_, wins, losses)| (wins, losses)).collect();
    won.sort_unstable();
    assert_eq!(won, [(0, 1), (0, 1), (1, 0), (1, 0)]);
    // Another station hears of all that from this one, and counts the same; nothing refused has travelled on.
    let stick = tempfile::tempdir().unwrap();
    station.sync(stick.path().to_str().unwrap());
    let other = Home::station();
    let copied = other.sync(stick.path().to_str().unwrap());
    assert_eq!((&copied["new"], &copied["refused"]), (&3.into(), &0.into()), "{copied}");
    assert_eq!((other.board(), other.states()), (station.board(), station.states()));
}

/// Keeps the session of the first match, in which this was the first player's seed.
fn keep_session(home: &Home, seed: u8) {
    let players = [(1, seed), (2, 2)].map(|(number, seed)| {
        let callsign = Callsign::of_player(&secret(number).public());
        (callsign, Hash([seed; 32]))
    });
    let started = "2026-01-02 19:00:00".parse().unwrap();
    let session = Session::new(Uuid::random([1; 16]), AnyGame::Holdem, players.to_vec(), started).unwrap();
    let path = home.0.path().join("session.txt");
    std::fs::write(&path, session.text()).unwrap();
    home.run(&["results", "import", path.to_str().unwrap()]).well();
}

#[test]
fn a_result_with_another_seed_than_its_session_is_neither_taken_nor_counted() {
    let (relay, result) = (Relay::start(), complete(1, &[1, 2]));
    let (first, right, wrong) = (Home::station(), Home::station(), Home::station());
    first.import(&[&result]);
    assert_eq!((first.sync(relay.url())["sent"].clone(), first.board().len()), (1.into(), 2));
    keep_session(&right, 1);
    assert_eq!(right.sync(relay.url())["new"], 1);
    keep_session(&wrong, 9);
    let refused = wrong.sync(relay.url());
    assert_eq!((&refused["new"], &refused["refused"]), (&0.into(), &1.into()), "{refused}");
    assert!(refused["reasons"][0]["why"].as_str().unwrap().contains("does not fit the session"), "{refused}");
    // A result that was there before its session no longer counts.
    keep_session(&first, 9);
    assert!(first.board().is_empty());
}

#[test]
fn a_match_with_complete_results_in_two_games_counts_in_neither() {
    let station = Home::station();
    let other = body(1, &[1, 2]);
    let facts = Facts { game: AnyGame::Blackjack, ..other.facts().clone() };
    let other = signed(&Body::new(facts, other.form()).unwrap(), &[1, 2], &[0, 1]);
    station.import(&[&complete(1, &[1, 2]), &other]);
    assert!(station.board().is_empty(), "also if only one game is asked for");
    let listed = station.run(&["results", "list", "--game", "holdem"]).well();
    assert!(listed.contains("disputed") && listed.lines().count() == 1, "{listed}");
}

#[test]
fn boards_are_published_under_the_stations_key_and_only_when_they_change() {
    let relay = Relay::with(super::relay::Manner::default());
    let station = Home::station();
    station.import(&[&complete(1, &[1, 2])]);
    assert_eq!(station.sync(relay.url())["leaderboards"], 1);
    let board = |count: usize| {
        let boards: Vec<_> = relay.events().into_iter().filter(|event| event.kind() == Kind::BOARD).collect();
        assert_eq!(boards.len(), 1, "one for each game that was played");
        let read = board::read(&boards[0]).unwrap();
        assert_eq!(read.rows().len(), count);
        boards[0].id()
    };
    let first = board(2);
    assert_eq!(station.sync(relay.url())["leaderboards"], 0);
    assert_eq!(board(2), first);
    // Twice within one second is no reason to keep the old one.
    station.import(&[&complete(2, &[1, 3])]);
    assert_eq!(station.sync(relay.url())["leaderboards"], 1);
    assert_ne!(board(3), first);
}

#[test]
fn results_from_before_there_was_a_network_are_published_later() {
    let relay = Relay::start();
    let station = Home::station();
    station.import(&[&complete(1, &[1, 2])]);
    let nobody = { Relay::with(super::relay::Manner::default()).url().to_owned() };
    station.run(&["station", "sync", &nobody]).refused(2, &[&nobody, "nobody answers"]);
    assert_eq!(station.sync(relay.url())["sent"], 1);
}

#[test]
fn what_cannot_be_asked_for_is_refused_in_one_line() {
    let station = Home::station();
    for (words, saying) in [
        (vec!["station", "sync", "https://relay.example.org"], "begins with wss://"),
        (vec!["station", "sync", "ws://"], "wss://relay.example.org"),
        (vec!["station", "sync", "wss://x y"], "wss://relay.example.org"),
        (vec!["station", "sync", "nowhere"], "cannot open"),
        (vec!["station", "sync", "data"], "own data folder"),
        (vec!["station", "sync", "data/station.nsec"], "not a folder"),
        (vec!["station", "sync", ".", "--all"], "--all is for relays"),
        (vec!["results", "publish", "nonsense"], "expected a relay"),
        (vec!["results", "publish", "wss://relay.example.org"], "there is no key yet"),
    ] {
        station.run(&words).refused(2, &[saying]);
    }
    Home::new().run(&["station", "sync", "."]).refused(2, &["fairdeal station init"]);
}
