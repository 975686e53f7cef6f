//! Players who leave, and what becomes of the match.

use super::*;

#[test]
fn anybody_may_leave_at_any_time_and_the_match_continues() {
    for game in AnyGame::ALL {
        for seed in 0..12 {
            let players = most(*game);
            let mut terms = terms(*game, players);
            if seed % 2 == 1 {
                terms.settings["on_leave"] = "bot".into();
            }
            let mut played = Played::open(terms, seed);
            played.seat(players, false);
            let leaves = played.rng.random_range(0..60);
            for n in 0..300 {
                if played.is_over() {
                    break;
                }
                if n == leaves {
                    let who = played.rng.random_range(0..players);
                    played.command(who, Command::Stand {}).unwrap();
                    assert_eq!(played.command(who, Command::Stand {}), Err(Refusal::NotSeated));
                    assert_eq!(played.command(who, Command::Sit { seat: None, seeds: false }), Err(Refusal::Begun));
                } else {
                    played.step();
                }
            }
            played.check();
        }
    }
}

#[test]
fn when_one_player_is_left_the_match_is_over_at_once() {
    for game in AnyGame::ALL {
        for seed in 0..12 {
            let players = most(*game);
            let mut played = Played::open(terms(*game, players), seed);
            played.seat(players, seed % 2 == 0);
            // In the middle of a deal, or between two.
            let (steps, between) = (played.rng.random_range(0..80), seed % 3 == 2);
            for n in 0..400 {
                let now = if between { played.room.stage() == Some(Stage::Between) } else { n == steps };
                if now || played.is_over() {
                    break;
                }
                played.step();
            }
            let last = played.rng.random_range(0..players);
            for who in (0..players).filter(|who| *who != last) {
                if !played.is_over() {
                    played.command(who, Command::Stand {}).unwrap();
                }
            }
            assert!(played.is_over(), "{game:?}, seed {seed}: {:?}", played.room.play().unwrap().awaited());
            played.check();
        }
    }
}

#[test]
fn when_the_last_person_leaves_the_match_ends_with_the_deal() {
    for game in AnyGame::ALL {
        for between in [false, true] {
            let mut terms = terms(*game, most(*game));
            terms.settings["on_leave"] = "bot".into();
            let mut played = Played::open(terms, 1);
            played.seat(1, true);
            while between && played.room.stage() == Some(Stage::Deal) {
                played.step();
            }
            let deals = played.room.play().unwrap().deals_over();
            if !played.is_over() {
                played.command(0, Command::Stand {}).unwrap();
            }
            while played.tick() {}
            assert!(played.is_over(), "{game:?}");
            let after = played.room.play().unwrap().deals_over();
            assert_eq!(after, deals.max(1), "{game:?}: no deal is played for nobody");
            played.check();
        }
    }
}
