//! Chat and names, and that neither can end a match.

use super::*;

fn say(text: &str) -> Command {
    Command::Say { text: text.to_owned() }
}

fn names(room: &Room) -> Vec<String> {
    room.chairs().filter_map(|(seat, chair)| chair.face(seat)).map(|face| face.name).collect()
}

#[test]
fn a_match_does_not_end_because_people_talk() {
    let mut played = Played::open(terms(AnyGame::Holdem, 2), 1);
    played.seat(2, false);
    let before = played.room.events;
    let mut said = 0;
    while played.command(0, say(&"x".repeat(400))).is_ok() {
        said += 1;
        assert!(said < 1000, "the amount of chat is limited");
    }
    assert!(said > 200, "{said}");
    assert_eq!(played.command(0, say("x")), Ok(()), "a short message still fits");
    while played.command(0, say("x")).is_ok() {}
    assert_eq!(played.command(0, say("x")), Err(Refusal::SaidEnough));
    assert_eq!(played.room.events, before);
    assert_eq!(played.command(1, say("at last")), Ok(()), "everybody has their own share");
    let log: usize = played.entries.iter().map(|entry| serde_json::to_string(entry).unwrap().len()).sum();
    assert!(log < 200 << 10, "{log} bytes");
    while !played.is_over() && played.room.play().unwrap().deals_over() < 3 {
        played.step();
    }
    played.check();
}

#[test]
fn chat_before_the_match_does_not_use_up_chat_during_it() {
    let mut played = Played::open(terms(AnyGame::Holdem, 2), 1);
    let mut who = 10;
    while played.command(who, say(&"x".repeat(400))).is_ok() {
        who = if who == 200 { 10 } else { who + 1 };
    }
    assert_eq!(played.command(who, say(&"x".repeat(400))), Err(Refusal::SaidEnough));
    played.seat(2, false);
    assert_eq!(played.command(1, say("hello")), Ok(()));
    played.check();
}

#[test]
fn commands_without_effect_cannot_fill_the_log() {
    let mut played = Played::open(terms(AnyGame::Blackjack, 2), 1);
    played.seat(2, false);
    assert_eq!(played.command(0, Command::Back {}), Err(Refusal::NotAway));
    // A bet may be changed until all have bet, but not forever.
    let height = played.room.play().unwrap().height();
    let bet = |chips: u32| Command::Choose { height, choice: RawValue::from_string(chips.to_string()).unwrap() };
    let mut chips = [10, 20].into_iter().cycle();
    let mut changes = 0;
    while played.command(0, bet(chips.next().unwrap())).is_ok() {
        changes += 1;
        assert!(changes < 1000, "it is limited");
    }
    assert!(changes > 20, "{changes}");
    played.command(1, bet(10)).expect("the others can still bet");
    while played.room.stage() == Some(Stage::Deal) {
        played.step();
    }
    let deal = played.room.play().unwrap().deals_over();
    played.command(0, Command::Ready { deal }).unwrap();
    assert_eq!(played.command(0, Command::Ready { deal }), Err(Refusal::ChosenAlready));
    played.check();
}

#[test]
fn people_who_only_come_and_go_do_not_use_up_the_match() {
    let mut played = Played::open(terms(AnyGame::Holdem, 2), 1);
    played.command(0, Command::Sit { seat: None, seeds: false }).unwrap();
    let sit = Command::Sit { seat: None, seeds: false };
    let mut times = 0;
    while played.command(9, sit.clone()).is_ok() {
        played.command(9, Command::Stand {}).unwrap();
        times += 1;
        assert!(times < 10_000, "it is limited");
    }
    assert_eq!(played.command(9, sit), Err(Refusal::Full));
    assert!(played.room.events < MOST_EVENTS / 10);
}

#[test]
fn only_the_owner_mutes_others() {
    let mut played = Played::open(terms(AnyGame::Holdem, 3), 1);
    for who in 0..2 {
        played.command(who, Command::Sit { seat: None, seeds: false }).unwrap();
    }
    let mute = |who: Option<u8>, muted: bool| Command::Mute { player: who.map(player), muted };
    let heard = |played: &Played| played.room.said().map(|remark| remark.text.clone()).collect::<Vec<_>>();
    for who in [0, 1, 7, 8] {
        played.command(who, say(&format!("hello from {who}"))).unwrap();
    }
    assert_eq!(played.command(1, mute(Some(0), true)), Err(Refusal::NotOwner));
    assert_eq!(played.command(7, mute(Some(0), true)), Err(Refusal::NotOwner));
    played.command(0, mute(Some(1), true)).unwrap();
    played.command(0, mute(Some(7), true)).unwrap();
    assert_eq!(played.command(0, mute(Some(7), true)), Err(Refusal::ChosenAlready));
    assert_eq!(heard(&played), ["hello from 0", "hello from 8"]);
    let muted: Vec<_> = played.room.muted().map(|(_, name)| name.to_owned()).collect();
    assert_eq!(muted, ["Player 1", "Player 7"]);
    assert_eq!(played.command(1, say("but")), Err(Refusal::Muted));
    assert_eq!(played.command(7, say("but")), Err(Refusal::Muted));
    // A log in which a muted player still speaks is damaged.
    let said = Event::Said { player: player(7), name: "x".to_owned(), text: "but".to_owned() };
    assert_eq!(played.event(said), Err(Refusal::Muted));
    played.command(0, mute(None, true)).unwrap();
    assert_eq!(played.command(8, say("but")), Err(Refusal::Muted));
    assert_eq!(heard(&played), ["hello from 0"]);
    played.command(0, mute(Some(1), false)).unwrap();
    played.command(0, mute(None, false)).unwrap();
    played.command(1, say("thanks")).unwrap();
    assert_eq!(heard(&played), ["hello from 0", "hello from 1", "hello from 8", "thanks"]);
    let mut times = 0;
    while played.command(0, mute(Some(1), times % 2 == 0)).is_ok() {
        times += 1;
        assert!(times < 10_000, "that is limited, too");
    }
    let log: usize = played.entries.iter().map(|entry| serde_json::to_string(entry).unwrap().len()).sum();
    assert!(log < 100 << 10, "{log} bytes");
    let again = Room::replay(SECRET, played.entries.clone(), Keep::default()).unwrap();
    assert!(again.said().eq(played.room.said()) && again.muted().eq(played.room.muted()));
}

#[test]
fn spectators_and_players_can_be_told_apart() {
    let mut played = Played::open(terms(AnyGame::Holdem, 2), 1);
    let anna = Face { name: "Anna".to_owned(), avatar: 1 };
    let sit = played.room.event(player(0), &anna, Command::Sit { seat: None, seeds: false }).unwrap();
    played.event(sit).unwrap();
    for who in [0, 7] {
        let said = played.room.event(player(who), &anna, say("hello")).unwrap();
        played.event(said).unwrap();
    }
    let said: Vec<_> = played.room.said().map(|remark| (remark.name.as_str(), remark.seated)).collect();
    assert_eq!(said, [("Anna", true), ("Anna (2)", false)]);
    let looker = crate::sight::Looker { moderates: true, ..crate::sight::tests::looker(0) };
    let talk = page::beside::talk(crate::sight::remarks(&played.room), looker.lang).0;
    assert_eq!(talk.matches("watching").count(), 1, "{talk}");
    let hush = |looker: &crate::sight::Looker| {
        page::beside::hush(crate::sight::order(&played.room, looker).as_ref(), looker.lang).0
    };
    let shown = hush(&looker);
    assert!(shown.contains(&player(7).to_string()) && !shown.contains(&player(0).to_string()), "{shown}");
    assert!(!hush(&crate::sight::Looker { moderates: false, ..looker }).contains("button"));
}

#[test]
fn no_two_at_a_table_have_names_that_look_the_same() {
    let mut played = Played::open(terms(AnyGame::Holdem, 4), 1);
    let called = |name: &str| Face { name: name.to_owned(), avatar: 1 };
    for (who, name) in [(0, "Anna"), (1, "anna"), (2, "Аnna")] {
        let sit = played.room.event(player(who), &called(name), Command::Sit { seat: None, seeds: false }).unwrap();
        played.event(sit).unwrap();
    }
    assert_eq!(names(&played.room), ["Anna", "anna (2)", "Аnna (3)"]);
    let rename = played.room.event(player(1), &called("ANNA "), Command::Rename {}).unwrap();
    played.event(rename).unwrap();
    assert_eq!(names(&played.room), ["Anna", "ANNA (2)", "Аnna (3)"]);
    // The same holds for a person and a computer, even if the person was first.
    let rename = played.room.event(player(1), &called("Dag"), Command::Rename {}).unwrap();
    played.event(rename).unwrap();
    let seat = Seat::new(3).unwrap();
    played.command(0, Command::Computer { seat, level: Some(bots::Kind::Easy) }).unwrap();
    assert_eq!(names(&played.room), ["Anna", "Dag (2)", "Аnna (3)", "Dag"]);
    let again = Room::replay(SECRET, played.entries.clone(), Keep::default()).unwrap();
    assert_eq!(names(&again), names(&played.room));
}

#[test]
fn names_and_messages_are_visible_and_not_too_long() {
    let mut played = Played::open(terms(AnyGame::Holdem, 2), 1);
    for text in ["", "  ", "a\nb", "\u{202e}abc", &"x".repeat(401)] {
        assert!(played.command(0, Command::Say { text: text.to_owned() }).is_err(), "{text:?}");
    }
    let nothing =
        ["\u{3164}", "\u{115f}", "\u{1160}\u{ffa0}", "\u{2800}\u{2800}", "\u{ad}", "\u{61c}", "\u{e0041}\u{e0042}"];
    for nothing in nothing.into_iter().chain(["\u{fe0f}", "\u{180b}", "\u{2060}", "\u{a0}\u{3000}"]) {
        assert!(check_text(nothing, LONGEST_NAME).is_err(), "{nothing:?} is invisible");
    }
    for hidden in ["An\u{ad}na", "Anna\u{3164}", "Anna\u{e0041}", "\u{61c}Anna", "An\u{34f}na"] {
        assert!(check_text(hidden, LONGEST_NAME).is_err(), "{hidden:?} looks like another name");
    }
    for name in ["Anna", "Jörg-Uwe O'Neill", "ﷺ", "♥\u{fe0f}", "葛\u{e0100}", "🂡", "а", "하늘"] {
        assert!(check_text(name, LONGEST_NAME).is_ok(), "{name:?}");
    }
    played.command(0, Command::Say { text: "<b>hello</b> ♥ 你好".to_owned() }).unwrap();
    assert_eq!(played.room.said().count(), 1);
    let event = Event::Sat {
        seat: Seat::new(0).unwrap(),
        who: Sitter::Player { player: player(1), face: Face { name: "x".repeat(25), avatar: 1 }, seeds: false },
    };
    assert!(played.event(event).is_err());
}

#[test]
fn players_of_one_table_have_different_pictures() {
    let mut played = Played::open(terms(AnyGame::Holdem, 4), 1);
    let last = AVATARS - 1;
    for (who, avatar) in [(0, 5), (1, 5), (2, last), (3, last)] {
        let same = Face { name: format!("Player {who}"), avatar };
        let sit = played.room.event(player(who), &same, Command::Sit { seat: None, seeds: false }).unwrap();
        played.event(sit).unwrap();
    }
    let pictures = |room: &Room| -> Vec<u8> {
        room.chairs().filter_map(|(seat, chair)| chair.face(seat)).map(|face| face.avatar).collect()
    };
    assert_eq!(pictures(&played.room), [5, 6, last, 1]);
    let seat = Seat::new(0).unwrap();
    played.event(Event::Renamed { seat, face: Face { name: "Player 0".to_owned(), avatar: 6 } }).unwrap();
    assert_eq!(pictures(&played.room), [7, 6, last, 1]);
}
