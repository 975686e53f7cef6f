//! Who is waited for, and for how long.

use table::Seats;

use super::*;

#[test]
fn a_match_that_all_are_away_from_waits_between_deals_until_one_is_back() {
    for game in AnyGame::ALL {
        let mut terms = terms(*game, 2);
        if *game == AnyGame::Ongdu {
            terms.settings["arrange_timeout"] = 30.into();
        }
        let mut played = Played::open(terms, 1);
        played.seat(2, true);
        let mut ticks = 0;
        while played.tick() {
            ticks += 1;
            assert!(ticks < 20_000, "{game:?}: goes on for nobody");
        }
        played.check();
        if played.is_over() {
            continue;
        }
        let [one, other] = [0, 1].map(|seat| Seat::new(seat).unwrap());
        assert_eq!(played.room.stage(), Some(Stage::Between), "{game:?}: stands still after {ticks}");
        assert!(played.room.is_away(one) && played.room.is_away(other), "{game:?}");
        played.command(0, Command::Back {}).unwrap();
        assert!(!played.room.is_away(one) && played.room.is_away(other), "{game:?}");
        assert!(played.tick(), "{game:?}: goes on when one of them is back");
        assert_eq!(played.room.stage(), Some(Stage::Deal), "{game:?}");
        played.check();
    }
}

/// Whoever has lost all his chips is never asked again, so nobody would notice that he has gone.
#[test]
fn whoever_is_out_of_the_match_keeps_it_going_by_asking_for_the_next_deal_and_not_otherwise() {
    let me = Seat::new(0).unwrap();
    let knocked_out = |seed: u8| {
        let mut terms = terms(AnyGame::Holdem, 4);
        terms.session = format!("{seed:02x}").repeat(32);
        for (name, value) in [("big_blind", 20), ("small_blind", 10), ("starting_chips", 100), ("buy_in_min", 5)] {
            terms.settings[name] = value.into();
        }
        terms.settings["ring"] = true.into();
        let mut played = Played::open(terms, 1);
        played.seat(1, false);
        while !played.is_over() {
            if played.room.stage() == Some(Stage::Between) && !played.room.play().unwrap().takes_part(me) {
                return Some(played);
            }
            assert!(played.room.play().unwrap().takes_part(me));
            played.step();
        }
        None
    };
    let mut played = (0..100).find_map(knocked_out).expect("somewhere he is the first to go");
    assert!(!played.room.is_away(me));
    for _ in 0..2 {
        assert_eq!((played.room.due(), played.room.stage()), (None, Some(Stage::Between)), "it goes on for nobody");
        let deal = played.room.play().unwrap().deals_over();
        played.command(0, Command::Ready { deal }).unwrap();
        assert_eq!(played.room.stage(), Some(Stage::Deal));
        while played.room.stage() == Some(Stage::Deal) {
            assert!(played.tick());
        }
        played.check();
        if played.is_over() {
            return;
        }
    }
}

#[test]
fn whoever_is_out_of_the_match_holds_nobody_up() {
    let mut terms = terms(AnyGame::Holdem, 3);
    terms.settings["starting_chips"] = 100.into();
    terms.settings["big_blind"] = 20.into();
    terms.settings["small_blind"] = 10.into();
    let mut played = Played::open(terms, 5);
    played.seat(3, false);
    let out = loop {
        assert!(!played.is_over(), "with this seed one goes before the others");
        let play = played.room.play().unwrap();
        let seats = Seats::first(3);
        if let (Stage::Between, Some(out)) = (play.stage(), seats.iter().find(|seat| !play.takes_part(*seat))) {
            break out;
        }
        played.step();
    };
    assert_eq!(played.room.looking(), Seats::first(3) - Seats::one(out));
    let deal = played.room.play().unwrap().deals_over();
    for who in played.room.looking().iter() {
        assert_eq!(played.room.stage(), Some(Stage::Between));
        played.command(who.index(), Command::Ready { deal }).unwrap();
    }
    assert_eq!(played.room.stage(), Some(Stage::Deal));
}

#[test]
fn ongdu_has_the_limit_on_time_that_it_says() {
    let seconds = |limit: i64| {
        let mut terms = terms(AnyGame::Ongdu, 2);
        terms.settings["arrange_timeout"] = limit.into();
        Played::open(terms, 1).room.seconds()
    };
    assert_eq!((seconds(0), seconds(45)), (None, Some(45)));
    assert_eq!(Played::open(terms(AnyGame::Blackout, 2), 1).room.seconds(), Some(30));
}
