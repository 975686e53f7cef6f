//! Who is called late, and who is not: devices that slept, lines that were dead, pages that were loaded again.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "what goes wrong here fails a test")]

mod room;

use room::Room;
use serde_json::json;

/// Two pages that play Hold'em with these settings, until somebody has to move. Returns who.
fn asked(room: &mut Room, settings: &[(&str, &str)]) -> usize {
    room.come("Ada", Some(json!({ "game": "holdem", "settings": settings, "seats": 2 })));
    room.come("Bob", None);
    for (place, wanted) in [(0, "start"), (0, "accept"), (1, "accept")] {
        room.want(place, &json!(wanted));
    }
    for _ in 0..100 {
        let asked = |place: &usize| room.pages[*place].last("match").is_some_and(|told| told["asked"] == true);
        if let Some(place) = (0..2).find(asked) {
            return place;
        }
        room.wait(100);
    }
    panic!("nobody is asked");
}

fn late(room: &Room) -> bool {
    room.pages.iter().any(|page| page.all("seen").iter().any(|seen| seen.get("late").is_some()))
}

#[test]
fn whose_line_was_dead_calls_nobody_late_afterwards() {
    for steps in [12, 30, 55, 80, 110, 140] {
        let mut room = Room::new(steps);
        room.come("Ada", Some(json!({ "game": "blackout", "settings": [["max", "3"]], "seats": 2 })));
        room.come("Bob", None);
        room.begin();
        for _ in 0..steps {
            room.step();
        }
        // Nothing arrives any more, at one and then at the other, and nobody is told. Everything else that can be said is.
        room.pages[1].dead = true;
        room.wait(5_000);
        room.pages[0].dead = true;
        room.wait(70_000);
        // One is back first.
        room.pages[0].dead = false;
        room.lose(0);
        room.wait(3_000);
        assert!(!late(&room), "after {steps} steps");
        room.pages[1].dead = false;
        room.lose(1);
        room.wait(20_000);
        assert!(!late(&room), "after {steps} steps");
        room.play();
        assert!(!late(&room));
    }
}

#[test]
fn a_dead_line_is_given_up_and_opened_again() {
    let mut room = Room::new(1);
    asked(&mut room, &[("hand_limit", "10")]);
    let online = |room: &Room| room.pages[0].last("match").unwrap()["online"].clone();
    room.wait(30_000);
    assert_eq!((online(&room), room.opened(0)), (json!(true), 1), "a hub that says only that it is there is there");
    room.pages[0].dead = true;
    room.wait(14_000);
    assert_eq!(online(&room), true);
    room.wait(3_000);
    assert_eq!(online(&room), "the hub has fallen silent");
    // The connections that it opens meanwhile lead nowhere.
    room.wait(60_000);
    room.pages[0].dead = false;
    room.wait(40_000);
    assert_eq!(online(&room), true);
}

#[test]
fn who_has_slept_has_no_vote_until_they_were_awake_for_the_whole_time() {
    let mut room = Room::new(2);
    room.come("Ada", Some(json!({ "game": "blackout", "settings": [["max", "3"]], "seats": 2 })));
    room.come("Bob", None);
    room.begin();
    for _ in 0..60 {
        room.step();
    }
    // Bob's device is gone; Ada's sleeps for most of the time, with a line that works.
    room.pages[1].dead = true;
    for _ in 0..20 {
        room.tick(4_000);
        room.settle();
    }
    assert!(!late(&room));
    assert_eq!(room.opened(0), 1, "the connection is kept");
    room.wait(25_000);
    assert!(!late(&room));
    room.wait(40_000);
    assert!(late(&room), "now she was awake for long enough");
}

#[test]
fn a_tab_that_is_called_once_a_minute_keeps_its_connection_and_votes_about_nobody() {
    let mut room = Room::new(3);
    room.come("Ada", Some(json!({ "game": "blackout", "settings": [["max", "3"]], "seats": 2 })));
    room.come("Bob", None);
    room.begin();
    for _ in 0..60 {
        room.step();
    }
    room.pages[1].dead = true;
    for _ in 0..5 {
        // What the hub sends comes in time.
        for _ in 0..12 {
            room.pass(5_000);
            room.settle();
        }
        room.tick(1);
        room.settle();
    }
    assert!(!late(&room));
    assert_eq!(room.opened(0), 1);
}

#[test]
fn a_page_that_is_loaded_again_has_the_time_that_was_left() {
    let mut room = Room::new(4);
    let place = asked(&mut room, &[("hand_limit", "10"), ("action_timeout", "120")]);
    let left = |room: &Room| {
        let parts = room.pages[place].all("page").into_iter().filter_map(|told| told.get("parts")).next_back();
        parts.unwrap()["clock"]["left"].as_u64().unwrap()
    };
    let acted = |room: &Room| room.pages[place].all("seen").iter().any(|seen| seen.get("acted").is_some());
    room.wait(60_000);
    room.reload(place);
    room.want(place, &json!({ "draw": "en" }));
    assert!((55_000..=61_000).contains(&left(&room)), "{}", left(&room));
    room.wait(55_000);
    assert!(!acted(&room));
    room.wait(10_000);
    assert!(acted(&room) && !late(&room), "their own program has moved");
    room.wait(40_000);
    assert!(!late(&room), "and nobody was called late");
}

#[test]
fn who_was_away_while_it_became_their_turn_has_the_time_that_is_left() {
    let mut room = Room::new(5);
    let place = asked(&mut room, &[("hand_limit", "10"), ("action_timeout", "120")]);
    let other = 1 - place;
    room.pages[other].dead = true;
    room.lose(other);
    room.want(place, &json!({ "act": "call" }));
    room.wait(100_000);
    room.pages[other].dead = false;
    room.lose(other);
    room.wait(5_000);
    let now = room.pages[other].last("match").unwrap();
    assert_eq!((&now["asked"], &now["waits"][0]["seat"]), (&json!(true), &now["me"]));
    assert!(now["waits"][0]["for_ms"].as_u64().unwrap() > 90_000, "{now}");
    room.wait(40_000);
    assert!(!late(&room), "their own program has moved in time");
}
