//! Whom the table waits for, and for how long.

use table::Seats;

use super::*;

/// How long a match waits for seeds, deck by deck, if people answer like this; in simulated time.
fn waits(decks: u32, mut answers: impl FnMut(&mut Played, Seat, u32, Asked) -> bool) -> Vec<(u32, i64)> {
    let mut terms = terms(AnyGame::Blackout, 3);
    terms.settings["max"] = 13.into();
    let mut played = Played::open(terms, 1);
    played.seat(3, true);
    let mut waits = Vec::new();
    for _ in 0..20_000 {
        let play = played.room.play().unwrap();
        let Awaited::Seeds(deck, asked, seats) = play.awaited() else {
            if played.is_over() {
                break;
            }
            played.step();
            continue;
        };
        if deck >= decks {
            break;
        }
        let mut answered = false;
        for seat in seats.iter() {
            if answers(&mut played, seat, deck, asked) {
                let seed = Seed { seed: [seat.index(); 32], nonce: [7; 32] };
                let commitment = table::record::hex(&seed.commitment(&[0xab; 32], deck, seat).0);
                let command = match asked {
                    Asked::Commitments => Command::Commit { deck, commitment },
                    Asked::Seeds => {
                        Command::Reveal { deck, seed: table::record::hex(&seed.seed), nonce: "07".repeat(32) }
                    }
                };
                played.command(seat.index(), command).unwrap();
                answered = true;
            }
        }
        if !answered {
            let before = played.at;
            assert!(played.tick());
            waits.push((deck, played.at.since(before)));
        }
    }
    played.check();
    waits
}

const TEN_SECONDS: i64 = 10_000;

#[test]
fn a_seat_that_withholds_its_seed_costs_its_ten_seconds_once_over_many_decks() {
    let silent = Seat::new(1).unwrap();
    // One seat never answers, and one commits and does not reveal.
    let never = waits(20, |_, seat, _, _| seat != silent);
    let half = waits(20, |_, seat, _, asked| seat != silent || asked == Asked::Commitments);
    assert_eq!([never, half], [vec![(0, TEN_SECONDS)], vec![(0, TEN_SECONDS)]]);
}

#[test]
fn a_seat_is_asked_for_seeds_again_only_after_it_answers() {
    let silent = Seat::new(1).unwrap();
    let mut asked_for = Vec::new();
    let waited = waits(12, |played, seat, deck, _| {
        if seat == silent {
            asked_for.push(deck);
        } else if deck == 5 && played.room.play().unwrap().house().may_wake(silent) {
            played.command(1, Command::Wake {}).unwrap();
            assert_eq!(played.command(1, Command::Wake {}), Err(Refusal::Seed(dealers::house::Refusal::NotResting)));
        }
        // It does not answer for the first five decks, and answers from the sixth on.
        seat != silent || deck > 0
    });
    assert_eq!(waited, [(0, TEN_SECONDS)]);
    asked_for.dedup();
    assert_eq!(asked_for, [0, 6, 7, 8, 9, 10, 11]);
    let mut nobody = Played::open(terms(AnyGame::Blackout, 2), 1);
    nobody.seat(2, true);
    assert_eq!(nobody.command(7, Command::Wake {}), Err(Refusal::NotSeated));
}

#[test]
fn a_player_who_sends_no_seeds_is_recorded_as_such_and_can_start_sending_them() {
    let mut played = Played::open(terms(AnyGame::Blackout, 2), 1);
    played.seat(2, false);
    let me = Seat::new(0).unwrap();
    assert!(played.room.play().unwrap().house().may_wake(me));
    played.command(0, Command::Wake {}).unwrap();
    for _ in 0..1000 {
        if let Awaited::Seeds(_, _, seats) = played.room.play().unwrap().awaited() {
            assert_eq!(seats, Seats::one(me));
            played.check();
            return;
        }
        played.step();
    }
    panic!("it is asked for the next deck");
}

#[test]
fn a_match_whose_players_are_all_away_waits_between_deals_until_one_is_back() {
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
            assert!(ticks < 20_000, "{game:?}: continues for nobody");
        }
        played.check();
        if played.is_over() {
            continue;
        }
        let [one, other] = [0, 1].map(|seat| Seat::new(seat).unwrap());
        assert_eq!(played.room.stage(), Some(Stage::Between), "{game:?}: stopped after {ticks}");
        assert!(played.room.is_away(one) && played.room.is_away(other), "{game:?}");
        played.command(0, Command::Back {}).unwrap();
        assert!(!played.room.is_away(one) && played.room.is_away(other), "{game:?}");
        assert!(played.tick(), "{game:?}: continues when one of them is back");
        assert_eq!(played.room.stage(), Some(Stage::Deal), "{game:?}");
        played.check();
    }
}

/// A player who has lost all their chips never gets another turn, so nobody would notice that they have gone.
#[test]
fn a_player_who_is_out_keeps_the_match_going_only_by_asking_for_the_next_deal() {
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
    let mut played = (0..100).find_map(knocked_out).expect("with one of the seeds the player is the first to go");
    assert!(!played.room.is_away(me));
    for _ in 0..2 {
        assert_eq!((played.room.due(), played.room.stage()), (None, Some(Stage::Between)), "it continues for nobody");
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
fn a_player_who_is_out_of_the_match_holds_nobody_up() {
    let mut terms = terms(AnyGame::Holdem, 3);
    terms.settings["starting_chips"] = 100.into();
    terms.settings["big_blind"] = 20.into();
    terms.settings["small_blind"] = 10.into();
    let mut played = Played::open(terms, 5);
    played.seat(3, false);
    let out = loop {
        assert!(!played.is_over(), "with this seed one player is out before the others");
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
fn ongdu_has_the_time_limit_it_states() {
    let seconds = |limit: i64| {
        let mut terms = terms(AnyGame::Ongdu, 2);
        terms.settings["arrange_timeout"] = limit.into();
        Played::open(terms, 1).room.seconds()
    };
    assert_eq!((seconds(0), seconds(45)), (None, Some(45)));
    assert_eq!(Played::open(terms(AnyGame::Blackout, 2), 1).room.seconds(), Some(30));
}
