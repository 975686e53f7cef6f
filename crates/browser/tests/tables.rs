//! Whole private tables of pages: matches to the signed result, reloads, lost secrets, and hubs that lie.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "what goes wrong here fails a test")]

mod room;

use browser::{Call, Malformed, Module};
use games::AnyGame;
use peer::frame::{FromHub, Why};
use peer::{Entry, Head, Member, NotNext, Unfit};
use room::Room;
use serde_json::json;

/// Two pages and a spectator play this to its end; returns the room.
fn play(game: &str, settings: &[(&str, &str)]) -> Room {
    let mut room = Room::new(1);
    room.come("Ada", Some(json!({ "game": game, "settings": settings, "seats": 2 })));
    room.come("Bob", None);
    room.watch();
    room.begin();
    room.play();
    agreed(&room);
    room
}

/// Everybody has the same complete result and the same log, and the log proves it.
fn agreed(room: &Room) {
    let result = |place: usize| room.pages[place].last("over").unwrap()["result"].as_str().unwrap().to_owned();
    for (place, page) in room.pages.iter().enumerate() {
        let over = page.last("over").unwrap();
        assert_eq!((&over["complete"], &over["unsigned"]), (&json!(true), &json!([])), "{over}");
        assert_eq!(result(place), result(0));
        assert_eq!(page.failed, None);
        assert!(page.secret.is_empty(), "the secret is erased");
        assert!(page.kept.contains("\"over\":true") && page.kept.contains("\"identity\":null"), "{}", page.kept);
    }
    let entries: Vec<Vec<u8>> = room.entries.iter().map(dealing::encode).collect();
    assert!(room.pages.iter().all(|page| entries.starts_with(&page.log)));
}

#[test]
fn two_pages_play_holdem_to_a_result_that_both_have_signed() {
    let mut room = play("holdem", &[("hand_limit", "10")]);
    let report = room.ask(0, &json!({ "verify": null }));
    assert_eq!((&report["clean"], &report["played"]["faults"]), (&json!(true), &json!([])), "{report}");
    assert_eq!(report["played"]["result"], room.pages[0].last("over").unwrap()["result"]);
    // The same in steps.
    let all = room.ask(0, &json!({ "check": null }))["entries"].as_u64().unwrap();
    assert_eq!(all, report["entries"].as_u64().unwrap());
    let mut steps = 0;
    let stepwise = loop {
        let answer = room.ask(0, &json!({ "check_on": 7 }));
        if let Some(report) = answer.get("report") {
            break report.clone();
        }
        steps += 1;
        assert_eq!(answer["done"], 7 * steps);
    };
    assert_eq!((stepwise, steps), (report.clone(), all / 7));
    // The record is that of the terminal.
    let record = room.ask(1, &json!("record"));
    let record = peer::Record::parse(record["record"].as_str().unwrap(), false).unwrap();
    assert!(peer::verify(&record).is_clean());
    let changed = record.text().replacen("{\"entry\":\"00", "{\"entry\":\"01", 1);
    let report = room.ask(1, &json!({ "verify": changed }));
    assert_eq!(report["clean"], false, "{report}");
}

#[test]
fn two_pages_play_blackjack() {
    play("blackjack", &[("rounds", "1"), ("decks", "1"), ("reshuffle_below", "26")]);
}

#[test]
fn two_pages_play_romme() {
    play("romme", &[("mode", "rounds"), ("rounds", "1")]);
}

#[test]
fn two_pages_play_bigc() {
    play("bigc", &[("hand_size", "5")]);
}

#[test]
fn two_pages_play_ongdu() {
    play("ongdu", &[("max_rounds", "2")]);
}

#[test]
fn two_pages_play_blackout() {
    play("blackout", &[("max", "2")]);
}

fn three(seed: u64) -> Room {
    let mut room = Room::new(seed);
    room.come("Ada", Some(json!({ "game": "blackout", "settings": [["max", "3"]], "seats": 3 })));
    room.come("Bob", None);
    room.come("Cem", None);
    room
}

#[test]
fn a_page_that_is_loaded_again_at_any_moment_plays_on() {
    let mut room = three(2);
    room.begin();
    let mut steps = 0;
    for _ in 0..6_000 {
        steps += 1;
        if steps % 37 == 0 {
            let place = steps / 37 % 3;
            room.reload(place);
            room.settle_connection(place);
            room.auto(place);
        }
        if !room.step() {
            room.tick(100);
        }
        if room.pages.iter().all(|page| page.told.iter().any(|told| told["done"] == true)) {
            break;
        }
    }
    room.play();
    agreed(&room);
    assert!(steps > 37 * 3, "every page was loaded again: {steps}");
    // Nobody ever said something wrong, and nobody was called late.
    for page in &room.pages {
        assert!(page.all("seen").iter().all(|seen| seen.get("fault").is_none() && seen.get("late").is_none()));
    }
}

#[test]
fn connections_are_lost_and_nothing_else() {
    let mut room = three(3);
    room.begin();
    for round in 0..60 {
        for _ in 0..20 {
            room.step();
        }
        room.lose(round % 3);
        room.wait(10);
    }
    room.play();
    agreed(&room);
}

#[test]
fn somebody_who_has_lost_their_secret_says_nothing_wrong() {
    let mut room = three(4);
    room.begin();
    for _ in 0..300 {
        room.step();
    }
    room.pages[1].secret = vec![1, 2, 3];
    room.reload(1);
    room.auto(1);
    assert_eq!(room.pages[1].last("news").unwrap(), &json!({ "secrets": "lost" }));
    for _ in 0..100 {
        room.wait(5_000);
    }
    for page in &room.pages {
        assert!(page.all("seen").iter().all(|seen| seen.get("fault").is_none()), "nobody is to blame");
        assert_eq!(page.failed, None);
    }
}

#[test]
fn a_hub_that_changes_an_entry_is_found_out_and_nobody_else_is_blamed() {
    let mut room = three(5);
    room.tamper = Some(|place, frame| match frame {
        FromHub::Entry(mut bytes) if place == 2 => {
            *bytes.last_mut().unwrap() ^= 1;
            Some(FromHub::Entry(bytes))
        }
        frame => Some(frame),
    });
    room.want(0, &json!("start"));
    assert!(room.pages[2].failed.as_ref().unwrap().starts_with("the hub sent an entry"), "{:?}", room.pages[2].failed);
    assert_eq!(room.pages[2].last("trouble"), Some(&json!("unsigned")));
    assert_eq!((&room.pages[0].failed, &room.pages[1].failed), (&None, &None));
}

#[test]
fn a_hub_that_tells_two_stories_convicts_itself_and_nobody_else() {
    let mut room = three(8);
    room.begin();
    room.play();
    // Two entries change places, which their authors cannot notice, and the hub signs everything anew. But whoever wrote later
    // knew the first order.
    let said = |entries: &[Entry], at: usize| entries[at].said().unwrap().envelope.clone();
    let at = (0..room.entries.len() - 1).find(|at| {
        let (one, other) = (said(&room.entries, *at), said(&room.entries, at + 1));
        one.author != other.author && usize::try_from(other.seen.height).unwrap() <= *at
    });
    let at = at.expect("two people wrote at the same time");
    room.entries.swap(at, at + 1);
    let (table, hub) = (room.key.table(), room.hub_key.public());
    let (mut reader, mut head) = (Member::new(room.key.clone(), room.key.access(), hub), Head::begin(table, &hub));
    let (mut clock, mut convicted) = (0, None);
    for (height, entry) in (1..).zip(&mut room.entries) {
        let said = entry.said().unwrap();
        clock = said.clock.max(clock);
        *entry = Entry::order(table, head, said.envelope.clone(), clock, &room.hub_key, &[0; 32]);
        match reader.hear(entry) {
            Ok(heard) => head = heard.head,
            Err(why) => {
                convicted = Some((height, why));
                break;
            }
        }
    }
    let Some((height, NotNext::Unfit(Unfit::ForeignHead(_)))) = convicted else { panic!("{convicted:?}") };
    room.entries.truncate(height);
    let eve = room.watch();
    assert_eq!(room.pages[eve].last("trouble"), Some(&json!("unfit")), "{:?}", room.pages[eve].failed);
    for page in &room.pages {
        assert!(page.all("seen").iter().all(|seen| seen.get("fault").is_none()), "no player is blamed");
    }
}

#[test]
fn a_hub_with_another_key_is_not_talked_to() {
    let mut room = Room::new(6);
    room.tamper = Some(|_, frame| match frame {
        FromHub::Welcome { head, .. } => {
            Some(FromHub::Welcome { hub: results::Secret::from_bytes(&[8; 32]).unwrap().public(), head })
        }
        frame => Some(frame),
    });
    room.come("Ada", None);
    assert!(room.pages[0].failed.as_ref().unwrap().contains("another key"), "{:?}", room.pages[0].failed);
    assert_eq!(room.pages[0].last("trouble"), Some(&json!("other_hub")));
}

#[test]
fn nothing_is_sent_before_what_it_follows_from_is_stored() {
    // The room stores effects in order and checks heights; here, nobody says a second thing differently after a reload.
    let mut room = three(7);
    room.begin();
    for round in 0..30 {
        room.step();
        // What was sent is lost on the way, and the page is loaded again.
        let place = round % 3;
        room.reload(place);
        room.auto(place);
    }
    room.play();
    agreed(&room);
}

#[test]
fn a_move_is_made_by_the_person_and_refused_if_it_is_none() {
    let mut room = Room::new(8);
    room.come("Ada", Some(json!({ "game": "holdem", "settings": [["hand_limit", "10"]], "seats": 2 })));
    room.come("Bob", None);
    room.want(0, &json!("start"));
    room.want(0, &json!("accept"));
    room.want(1, &json!("accept"));
    let asked =
        |room: &Room| (0..2).find(|place| room.pages[*place].last("match").is_some_and(|told| told["asked"] == true));
    for _ in 0..100 {
        if asked(&room).is_some() {
            break;
        }
        room.wait(100);
    }
    let place = asked(&room).unwrap();
    for wrong in [json!({ "act": "dance" }), json!({ "choose": 7 }), json!({ "act": {} }), json!("start"), json!(5)] {
        room.want(place, &wrong);
        let news = room.pages[place].last("news").unwrap();
        assert!(news["refused"].is_string(), "{wrong}: {news}");
    }
    room.want(place, &json!({ "act": "fold" }));
    assert!(room.pages[place].all("seen").iter().any(|seen| seen["acted"]["action"] == "fold"));
    (0..2).for_each(|place| room.want(place, &json!({ "auto": true })));
    room.play();
    agreed(&room);
}

#[test]
fn people_talk_and_a_spectator_only_listens() {
    let mut room = three(9);
    let watching = room.watch();
    room.want(0, &json!({ "chat": "hello" }));
    for place in [1, 2, watching] {
        let news = room.pages[place].last("news").unwrap();
        assert_eq!(news["chat"], json!({ "from": "Ada", "text": "hello" }));
    }
    room.want(watching, &json!({ "chat": "hello" }));
    assert!(room.pages[watching].last("news").unwrap()["refused"].is_string());
}

#[test]
fn somebody_without_a_seat_in_the_match_is_told() {
    let mut room = Room::new(10);
    room.come("Ada", Some(json!({ "game": "holdem", "seats": 2 })));
    room.come("Bob", None);
    room.come("Cem", None);
    for wanted in [(0, "start"), (0, "accept"), (1, "accept")] {
        room.want(wanted.0, &json!(wanted.1));
    }
    assert_eq!(room.pages[2].failed.as_deref(), Some("the match at this table has begun without you"));
}

#[test]
fn somebody_knocks_and_is_let_in_or_not() {
    let mut room = Room::new(7);
    room.come("Ada", Some(json!({ "game": "holdem", "settings": [], "seats": 2 })));
    let words = |room: &Room, place: usize| room.pages[place].last("door").unwrap()["words"].clone();
    let at_door = |room: &Room| room.pages[0].last("lobby").unwrap()["knocks"].clone();
    for admits in [false, true] {
        let bob = room.knock("Bob");
        let knocks = at_door(&room);
        let [knock] = &knocks.as_array().unwrap()[..] else { panic!() };
        assert_eq!((&knock["name"], &knock["words"]), (&json!("Bob"), &words(&room, bob)));
        assert_eq!(knock["words"].as_array().unwrap().len(), 4);
        room.want(0, &json!({ if admits { "admit" } else { "decline" }: knock["number"] }));
        let door = room.pages[bob].last("door").unwrap();
        if admits {
            assert_eq!(door["ticket"], room.ticket());
        } else {
            assert_eq!(door, "declined");
        }
        // Whatever comes later changes nothing.
        let told = room.pages[bob].told.len();
        room.wait(20_000);
        assert_eq!((room.pages[bob].told.len(), &room.pages[bob].failed), (told, &None));
    }
    // Nobody answers: they knock again, and again after the connection is lost.
    let mut empty = Room::new(8);
    let eve = empty.knock("Eve");
    assert_eq!(empty.pages[eve].all("door"), [&json!("knocking")]);
    empty.wait(11_000);
    assert_eq!(empty.pages[eve].all("door").len(), 2);
    empty.lose(eve);
    empty.settle();
    assert_eq!(empty.pages[eve].all("door")[2..], [&json!("offline"), &json!("knocking")]);
    for name in [String::new(), "x".repeat(49)] {
        let nobody = empty.knock(&name);
        assert_eq!(empty.pages[nobody].last("trouble"), Some(&json!("name")));
    }
}

#[test]
fn a_hub_that_has_waited_for_too_long_turns_nobody_away_for_good() {
    let mut room = Room::new(9);
    room.come("Ada", Some(json!({ "game": "holdem", "settings": [], "seats": 2 })));
    // A phone was frozen before it said hello.
    room.close(0, Why::TimeUp);
    room.wait(3_000);
    assert_eq!((&room.pages[0].failed, room.opened(0)), (&None, 2));
    assert_eq!(room.pages[0].last("lobby").unwrap()["online"], true);
    // Nobody decides about somebody at the door.
    let bob = room.knock("Bob");
    assert!(room.pages[bob].last("door").unwrap()["words"].is_array());
    room.close(bob, Why::TimeUp);
    assert_eq!((room.pages[bob].last("door"), &room.pages[bob].failed), (Some(&json!("unanswered")), &None));
    // Nobody was there at all.
    let mut empty = Room::new(10);
    let eve = empty.knock("Eve");
    empty.close(eve, Why::TimeUp);
    assert_eq!(empty.pages[eve].all("door")[1..], [&json!("offline"), &json!("knocking")]);
}

#[test]
fn a_module_says_which_other_one_has_the_game() {
    let mut room = Room::new(12);
    room.come("Ada", Some(json!({ "game": "blackout", "settings": [["max", "2"]], "seats": 2 })));
    room.game = AnyGame::Romme;
    room.come("Bob", None);
    room.begin();
    room.settle();
    let bob = &room.pages[1];
    let told = json!({ "trouble": "other_game", "game": "blackout" });
    assert!(bob.failed.is_some() && bob.told.contains(&told), "{:?}", bob.told);
    // Everything is stored: they play on with that one.
    room.game = AnyGame::Blackout;
    room.reload(1);
    room.auto(1);
    room.play();
    agreed(&room);
    // The record of the table, with a module for another game and with the right one.
    let record = room.ask(0, &json!("record"));
    room.game = AnyGame::Romme;
    let other = room.watch();
    for question in [json!({ "verify": record["record"] }), json!({ "check_on": 1_000 })] {
        room.ask(other, &json!({ "check": record["record"] }));
        assert_eq!(room.ask(other, &question), json!({ "other_game": "blackout" }));
    }
    assert_eq!(room.ask(0, &json!({ "verify": record["record"] }))["clean"], true);
}

#[test]
fn new_keys_and_tickets_are_made_for_a_page() {
    let mut room = Room::new(11);
    room.watch();
    let identity = room.ask(0, &json!("identity"));
    let who = room.ask(0, &json!({ "who": identity["nsec"] }));
    assert_eq!(who, identity);
    let table = room.ask(0, &json!("table"));
    let hub = room.hub_key.public().hex();
    let ticket =
        room.ask(0, &json!({ "ticket": { "at": "https://cards.example.org", "key": table["key"], "hub": hub } }));
    let read = room.ask(0, &json!({ "read": ticket["ticket"] }));
    assert_eq!(read, json!({ "at": "https://cards.example.org", "table": table["table"], "hub": hub }));
}

#[test]
fn calls_that_are_none_are_refused_and_change_nothing() {
    let mut module = Module::new::<games::types::Holdem>();
    let call = |event: u8, payload: &[u8]| [&[0; 48][..], &[event], payload].concat();
    let cut = call(2, &[9, 0, 0, 0, b'{']);
    // Before the refusal comes a word for why.
    let refused = |effects: &[u8]| match effects {
        [9, ..] => true,
        [6, a, b, c, d, rest @ ..] => {
            let word = usize::try_from(u32::from_le_bytes([*a, *b, *c, *d])).unwrap();
            rest.starts_with(b"{\"trouble\":") && rest[word] == 9
        }
        _ => false,
    };
    for (bytes, why) in [
        (&[][..], Malformed::Short),
        (&[0; 48], Malformed::Short),
        (&cut, Malformed::Short),
        (&call(0, &[]), Malformed::Unknown(0)),
        (&call(99, &[]), Malformed::Unknown(99)),
        (&call(6, &[0xff]), Malformed::Text),
    ] {
        assert_eq!(Call::read(bytes), Err(why));
        assert_eq!(module.call(bytes).first(), Some(&9));
    }
    for (event, payload) in [(1, "{}"), (1, "[]"), (3, "x"), (4, "gone"), (5, ""), (6, "\"start\""), (7, "\"record\"")]
    {
        assert!(refused(&module.call(&call(event, payload.as_bytes()))), "{event} {payload}");
    }
    for wish in [
        json!({ "ticket": "http://x", "identity": null }),
        json!({ "ticket": Room::new(0).ticket(), "identity": "nsec1x", "name": "Ada" }),
        json!({ "ticket": Room::new(0).ticket(), "identity": "33".repeat(32), "name": "" }),
        json!({ "ticket": Room::new(0).ticket(), "identity": null, "offer": { "game": "chess", "seats": 2 } }),
    ] {
        assert!(refused(&module.call(&call(1, wish.to_string().as_bytes()))), "{wish}");
    }
    let kept = |text: &str| [&u32::try_from(text.len()).unwrap().to_le_bytes(), text.as_bytes(), &[0; 4]].concat();
    for text in ["", "{}", "{\"version\":2}"] {
        assert!(refused(&module.call(&call(2, &kept(text)))), "{text}");
    }
}

#[test]
fn the_page_of_a_match_is_drawn_here_and_understands_what_is_pressed() {
    let mut room = Room::new(12);
    room.come("Ada", Some(json!({ "game": "holdem", "settings": [["hand_limit", "10"]], "seats": 2 })));
    room.come("Bob", None);
    for wanted in [(0, "start"), (0, "accept"), (1, "accept")] {
        room.want(wanted.0, &json!(wanted.1));
    }
    let asked =
        |room: &Room| (0..2).find(|place| room.pages[*place].last("match").is_some_and(|told| told["asked"] == true));
    for _ in 0..100 {
        if asked(&room).is_some() {
            break;
        }
        room.wait(100);
    }
    let place = asked(&room).unwrap();
    assert!(room.pages[place].last("page").is_none(), "nobody looks yet");
    room.want(place, &json!({ "draw": "de" }));
    let drawn = room.pages[place].last("page").unwrap()["parts"].clone();
    let html: String = drawn["parts"].as_array().unwrap().iter().map(|part| part.as_str().unwrap()).collect();
    for id in ["felt", "desk", "log", "talk", "leave"] {
        assert!(html.contains(&format!("id=\"{id}\"")), "{id}: {html}");
    }
    assert!(html.contains("Tisch verlassen") && drawn["asked"] == true, "{drawn}");
    // Nothing has changed, so nothing is drawn again.
    room.want(place, &json!({ "page": json!({ "draft": {} }).to_string() }));
    let again = &room.pages[place].last("page").unwrap()["parts"];
    assert_eq!((&again["parts"], &again["drafts"]), (&json!([]), &json!(1)));
    let height = drawn["height"].clone();
    let press = |key: &str, height: &serde_json::Value| json!({ "page": json!({ "press": { "key": key, "height": height, "draft": null } }).to_string() });
    for wrong in
        [press("f", &json!(9999)), press("~", &height), json!({ "page": "{" }), json!({ "page": "{\"hint\":{}}" })]
    {
        let refused =
            |room: &Room| room.pages[place].all("page").iter().filter(|told| told["refused"].is_string()).count();
        let before = refused(&room);
        room.want(place, &wrong);
        assert_eq!(refused(&room), before + 1, "{wrong}");
    }
    room.want(place, &press("f", &height));
    assert!(room.pages[place].all("seen").iter().any(|seen| seen["acted"]["action"] == "fold"));
    (0..2).for_each(|place| room.want(place, &json!({ "auto": true })));
    room.play();
    agreed(&room);
    let last = room.pages[place].all("page").into_iter().filter_map(|told| told.get("parts")).next_back().unwrap();
    assert_eq!(last["asked"], false);
}
