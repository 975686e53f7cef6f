//! Who may ask for hints, what they say, and how the others learn of it.

use super::*;

/// A table of two people, or of one and a computer, whose match has begun and whose log in words is kept.
fn begun(hints: Hints, people: u8) -> Played {
    let mut played = Played::open(Terms { hints, ..terms(AnyGame::Blackout, 2) }, 1);
    played.room.keep.words = true;
    played.seat(people, false);
    while played.room.play().unwrap().awaited().seats().lowest() != Seat::new(0) {
        assert!(played.room.stage() == Some(Stage::Deal));
        match played.room.play().unwrap().awaited() {
            Awaited::House => assert!(played.tick()),
            _ => played.step(),
        }
    }
    played
}

fn hinted(played: &Played, seat: u8) -> Event {
    Event::Hinted { seat: Seat::new(seat).unwrap(), height: played.room.play().unwrap().height() }
}

#[test]
fn hints_are_for_players_alone_with_computers_by_default() {
    let allowed = |hints, people| {
        let mut played = begun(hints, people);
        let event = hinted(&played, 0);
        let taken = played.event(event);
        assert_eq!(taken.is_ok(), played.room.allows_hints());
        assert!(matches!(taken, Ok(()) | Err(Refusal::NoHints)));
        taken.is_ok()
    };
    assert_eq!(
        Hints::ALL.map(|hints| (allowed(hints, 1), allowed(hints, 2))),
        [(true, false), (true, true), (false, false)]
    );
}

#[test]
fn the_others_see_once_per_turn_that_a_player_used_a_hint() {
    let mut played = begun(Hints::On, 2);
    let (me, event) = (Seat::new(0).unwrap(), hinted(&played, 0));
    let (height, since) = (played.room.play().unwrap().height(), played.room.since(me));
    assert!(!played.room.was_hinted(me, height));
    played.at = played.at.plus(5_000);
    played.event(event.clone()).unwrap();
    assert_eq!(played.room.since(me), since, "it neither costs nor adds time");
    assert_eq!(played.event(event.clone()), Err(Refusal::HintedAlready));
    assert_eq!(played.event(hinted(&played, 1)), Err(Refusal::NotAsked));
    assert_eq!((played.room.hints(me), played.room.was_hinted(me, height)), (1, true));
    let log = |lang| crate::page::beside::log(&played.room, lang).into_string();
    assert_eq!(log(Lang::En).matches("Player 0 used a hint").count(), 1);
    assert_eq!(log(Lang::De).matches("Player 0 hat sich einen Tipp geholt").count(), 1);
    let play = played.room.play().unwrap();
    let other = play.show(Eye::Seat(Seat::new(1).unwrap()), Lang::En, None);
    let looker = super::looking::looker(1);
    let felt = crate::page::table::felt(&played.room, Some(&other), &looker).into_string();
    assert!(felt.contains("1 hint"), "{felt}");
    played.step();
    assert!(matches!(played.event(event), Err(Refusal::Height { .. } | Refusal::HintedAlready)));
    played.check();
}

#[test]
fn the_hint_button_is_shown_only_if_hints_are_allowed() {
    for (hints, people, there) in
        [(Hints::Alone, 1, true), (Hints::Alone, 2, false), (Hints::On, 2, true), (Hints::Off, 1, false)]
    {
        let played = begun(hints, people);
        let shown = played.room.play().unwrap().show(Eye::Seat(Seat::new(0).unwrap()), Lang::En, None);
        let desk = crate::page::table::desk(&played.room, Some(&shown), &super::looking::looker(0)).into_string();
        assert_eq!(desk.contains("data-hint"), there, "{hints:?} with {people}");
    }
}

#[test]
fn a_hint_is_computed_without_the_table_and_only_for_a_seat_whose_turn_it_is() {
    for game in AnyGame::ALL {
        let mut played = Played::open(terms(*game, 2), 5);
        played.seat(2, false);
        let play = played.room.play().unwrap();
        assert!(matches!(play.awaited(), Awaited::Turn(_) | Awaited::Choices(_)), "{game:?}");
        let asked = play.awaited().seats();
        for seat in (0..2).filter_map(Seat::new) {
            let thinking = play.hint(seat, Lang::En);
            assert_eq!(thinking.is_some(), asked.contains(seat), "{game:?}");
        }
        let seat = asked.lowest().unwrap();
        let thinking = [Lang::En, Lang::De].map(|lang| play.hint(seat, lang).unwrap());
        drop(played);
        let [english, german] = thinking.map(|thinking| thinking().unwrap());
        assert!(!english.what.is_empty() && english.draft == german.draft, "{game:?}: {english:?} {german:?}");
    }
}

#[test]
fn a_hint_names_the_button_that_plays_it_once_it_is_prepared() {
    for game in AnyGame::ALL {
        let mut played = Played::open(terms(*game, 3), 8);
        played.seat(3, false);
        let mut hints = 0;
        for _ in 0..60 {
            let play = played.room.play().unwrap();
            let asked = play.awaited().seats().lowest().filter(|seat| play.asks(*seat));
            if let Some(seat) = asked {
                let hint = play.hint(seat, Lang::En).unwrap()().unwrap();
                let key = hint.key.unwrap_or_else(|| panic!("{game:?}: no button for {hint:?}"));
                let draft = RawValue::from_string(hint.draft).unwrap();
                let Ok(Pressed::Event(event, _)) = play.press(seat, Lang::En, key, Some(&*draft)) else {
                    panic!("{game:?}: [{key}] does not {}", hint.what);
                };
                assert_eq!(hint.height, play.height());
                let [done, meant] = [Some(event), hint.event].map(|event| serde_json::to_string(&event).unwrap());
                assert_eq!(done, meant, "{game:?}: {}", hint.what);
                hints += 1;
            }
            if played.is_over() {
                break;
            }
            played.step();
        }
        assert!(hints > 5, "{game:?}: {hints}");
    }
}
