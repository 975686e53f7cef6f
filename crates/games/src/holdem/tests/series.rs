//! Matches: button, blinds, elimination, places, ring games.

use table::{Breakdown, Game, Match, Outcome, Series as _, SetError, Settings as _};

use super::super::{AnteBy, Antes, BadBuyIn, Series, Settings};
use super::*;

fn start(settings: &Settings, players: u8) -> Series {
    Holdem::start(settings, players).unwrap()
}

/// Plays one hand whose results are given; the button is drawn for `lot` where it is not known yet.
fn play(series: &mut Series, result: &[i64], lot: u8) -> Setup {
    let setup = series.next(0).unwrap();
    let mut table = Table::new(Deal::deal(&setup).unwrap(), Height(0));
    if setup.button.is_none() {
        let drawn = [(Slot::new(0, 0), Card::lot(lot + 1).unwrap())].into_iter().collect::<Faces>();
        table.dealt(Height(0), &drawn).unwrap();
    }
    series.finish(table.rules(), &Outcome::played("showdown", per_seat(result)));
    setup
}

fn button(series: &Series) -> Option<u8> {
    series.next(0).unwrap().button.map(Seat::index)
}

#[test]
fn the_first_button_is_drawn_and_then_moves_to_the_next_with_chips() {
    let mut series = start(&Settings::default(), 4);
    assert_eq!(button(&series), None);
    play(&mut series, &[0, -1000, 1000, 0], 0);
    assert_eq!(button(&series), Some(2));
    play(&mut series, &[0; 4], 0);
    assert_eq!(button(&series), Some(3));
    play(&mut series, &[0; 4], 0);
    assert_eq!(button(&series), Some(0));
}

#[test]
fn of_two_nobody_has_the_big_blind_twice_in_a_row() {
    // Button 0, small blind 1, big blind 2; seat 1 goes out. Moving on, seat 2 would have the button and
    // seat 0 the big blind: fine.
    let mut series = start(&Settings::default(), 3);
    play(&mut series, &[1000, -1000, 0], 0);
    assert_eq!(button(&series), Some(2));
    // Seat 0 goes out instead: seat 1 would have the button and seat 2 the big blind once more.
    let mut series = start(&Settings::default(), 3);
    play(&mut series, &[-1000, 1000, 0], 0);
    assert_eq!(button(&series), Some(2));
    let next = Deal::deal(&series.next(0).unwrap()).unwrap();
    assert_eq!(next.blind_seats().unwrap().big, seat(1));
    play(&mut series, &[0; 3], 0);
    assert_eq!(button(&series), Some(1));
}

#[test]
fn blinds_double_after_ten_hands_up_to_a_quarter_of_the_chips() {
    let mut series = start(&Settings::default(), 2);
    let mut seen = Vec::new();
    for _ in 0..80 {
        seen.push(play(&mut series, &[0, 0], 0).big_blind.0);
    }
    let levels: Vec<i64> = [20, 40, 80, 160, 320, 320, 320, 320].iter().flat_map(|big| [*big; 10]).collect();
    assert_eq!(seen, levels, "640 would be more than a quarter of 2000");
    assert_eq!(series.blinds(), (Chips(160), Chips(320)));
}

#[test]
fn blinds_rise_by_percent_rounded_half_up_and_antes_with_them() {
    let settings =
        Settings { small_blind: 5, big_blind: 10, ante: 1, blind_every: 1, blind_factor: 125, ..Default::default() };
    let mut series = start(&settings, 3);
    play(&mut series, &[0; 3], 0);
    let setup = play(&mut series, &[0; 3], 0);
    assert_eq!((setup.small_blind.0, setup.big_blind.0, setup.antes), (6, 13, Antes::Each(Chips(1))));
    let setup = play(&mut series, &[0; 3], 0);
    assert_eq!((setup.small_blind.0, setup.big_blind.0), (8, 16));
    let fixed = Settings { blind_every: 0, ..settings };
    let mut series = start(&fixed, 3);
    (0..30).for_each(|_| assert_eq!(play(&mut series, &[0; 3], 0).big_blind, Chips(10)));
}

#[test]
fn the_ante_is_paid_by_whom_the_settings_say() {
    let settings = Settings { ante: 20, ante_by: AnteBy::BigBlind, ..Default::default() };
    assert_eq!(start(&settings, 3).next(0).unwrap().antes, Antes::BigBlind(Chips(20)));
}

#[test]
fn one_with_all_chips_wins_and_the_others_are_placed_by_when_they_went_out() {
    let mut series = start(&Settings::default(), 4);
    play(&mut series, &[-1000, 1000, 0, 0], 0);
    assert!(!series.standing().over);
    play(&mut series, &[0, -500, 500, 0], 0);
    // Seats 1 and 3 go out together: seat 1 had 1500 at the beginning of the hand, seat 3 1000.
    play(&mut series, &[0, -1500, 2500, -1000], 0);
    let standing = series.standing();
    assert!(standing.over && series.next(0).is_none());
    assert_eq!(standing.place.as_slice(), [4, 2, 1, 3]);
    assert_eq!(standing.total, per_seat(&[0, 0, 4000, 0]));
}

#[test]
fn equal_stacks_that_go_out_together_share_a_place() {
    let mut series = start(&Settings::default(), 3);
    play(&mut series, &[-1000, 2000, -1000], 0);
    assert_eq!(series.standing().place.as_slice(), [2, 1, 2]);
}

#[test]
fn at_the_hand_limit_most_chips_win_and_equal_chips_share() {
    let mut series = start(&Settings { hand_limit: 10, ..Default::default() }, 4);
    (0..9).for_each(|_| {
        play(&mut series, &[0; 4], 0);
    });
    assert!(!series.standing().over);
    play(&mut series, &[100, -300, 100, 100], 0);
    assert!(series.standing().over && series.next(0).is_none());
    assert_eq!(series.standing().place.as_slice(), [1, 4, 1, 1]);
}

#[test]
fn the_time_limit_counts_between_hands() {
    let mut series = start(&Settings { time_limit: 5, ..Default::default() }, 2);
    series.elapsed(299);
    assert!(!series.standing().over);
    play(&mut series, &[-20, 20], 0);
    series.elapsed(300);
    assert!(series.standing().over);
    assert_eq!(series.standing().place.as_slice(), [2, 1]);
}

#[test]
fn a_player_who_concedes_takes_their_chips_and_is_last_of_those_still_in() {
    let mut series = start(&Settings::default(), 4);
    play(&mut series, &[-1000, 1000, 0, 0], 0);
    series.concede(seat(1));
    assert_eq!(series.next(0).unwrap().stacks, per_seat(&[0, 0, 1000, 1000]));
    play(&mut series, &[0, 0, 400, -400], 0);
    play(&mut series, &[0, 0, 600, -600], 0);
    let standing = series.standing();
    assert_eq!((standing.over, standing.place.as_slice()), (true, [4, 3, 1, 2].as_slice()));
    assert_eq!(standing.total, per_seat(&[0, 2000, 2000, 0]), "all chips together are still 4000");
}

#[test]
fn with_one_player_left_the_match_is_over() {
    let mut series = start(&Settings::default(), 3);
    series.concede(seat(2));
    series.concede(seat(2));
    series.concede(seat(9));
    assert!(!series.standing().over);
    series.concede(seat(0));
    assert_eq!((series.standing().over, series.standing().winners()), (true, seats(&[1])));
}

#[test]
fn conceding_in_a_running_hand_folds_it() {
    let mut running = Match::<Holdem>::start(&Settings::default(), 3).unwrap();
    let lot = [(Slot::new(0, 0), Card::lot(1).unwrap())].into_iter().collect::<Faces>();
    running.table_mut().dealt(Height(0), &lot).unwrap();
    running.table_mut().dealt(Height(1), &Faces::new()).unwrap();
    running.table_mut().act(Height(2), seat(0), &FOLD, &Faces::new()).unwrap();
    running.concede(seat(2));
    assert_eq!(running.table().outcome().unwrap().result, per_seat(&[0, 10, -10]));
    running.advance(0).unwrap();
    assert_eq!(running.standing().total, per_seat(&[1000, 1010, 990]));
    assert_eq!(running.table().rules().setup().stacks, per_seat(&[1000, 1010, 0]));
}

#[test]
fn a_hand_the_dealer_failed_is_dealt_again_with_the_same_button() {
    let mut series = start(&Settings { blind_every: 1, ..Default::default() }, 3);
    play(&mut series, &[0; 3], 1);
    let setup = series.next(0).unwrap();
    let deal = Deal::deal(&setup).unwrap();
    series.finish(&deal, &deal.break_off(Breakdown::DealerFailed));
    assert_eq!((series.next(0).unwrap(), series.hands()), (setup.clone(), 1));
    series.finish(&deal, &deal.break_off(Breakdown::Vanished(seats(&[1]))));
    assert_eq!((button(&series), series.hands()), (Some(0), 2));
}

#[test]
fn a_ring_game_has_fixed_blinds_and_buy_ins_between_hands() {
    let mut series = start(&Settings { ring: true, blind_every: 1, ..Default::default() }, 3);
    play(&mut series, &[-1000, 500, 500], 0);
    play(&mut series, &[0, 100, -100], 0);
    assert_eq!(series.blinds(), (Chips(10), Chips(20)));
    let range = BadBuyIn::OutOfRange { least: Chips(800), most: Chips(2000) };
    for (index, amount) in [(0, 799), (0, 2001), (0, -5), (1, 401), (1, 0)] {
        assert_eq!(series.buy_in(seat(index), Chips(amount)), Err(range));
    }
    assert_eq!(series.buy_in(seat(3), Chips(1000)), Err(BadBuyIn::NoSuchSeat(seat(3))));
    series.buy_in(seat(0), Chips(800)).unwrap();
    series.buy_in(seat(1), Chips(400)).unwrap();
    assert_eq!(series.next(0).unwrap().stacks, per_seat(&[800, 2000, 1400]));
    series.leave(seat(1));
    assert_eq!(series.next(0).unwrap().stacks, per_seat(&[800, 0, 1400]));
    assert_eq!(series.standing().total, per_seat(&[-1000, 600, 400]));
    assert_eq!(series.standing().place.as_slice(), [3, 1, 2]);
    series.buy_in(seat(1), Chips(1000)).unwrap();
    assert_eq!(series.next(0).unwrap().stacks, per_seat(&[800, 1000, 1400]));
    assert_eq!(series.standing().total, per_seat(&[-1000, 600, 400]));
}

#[test]
fn a_ring_game_rests_while_fewer_than_two_have_chips() {
    let mut series = start(&Settings { ring: true, ..Default::default() }, 2);
    play(&mut series, &[-1000, 1000], 0);
    assert!(series.standing().over && series.next(0).is_none());
    series.buy_in(seat(0), Chips(1000)).unwrap();
    assert!(!series.standing().over && series.next(0).is_some());
    let mut freeze_out = start(&Settings::default(), 2);
    assert_eq!(freeze_out.buy_in(seat(0), Chips(1000)), Err(BadBuyIn::NotARing));
}

#[test]
fn settings_out_of_range_name_their_field() {
    let refused = |name: &str, value: &str| match Settings::default().set(name, value) {
        Err(SetError::Bad(bad)) => bad.field,
        other => panic!("{name}={value}: {other:?}"),
    };
    for (name, value) in [
        ("starting_chips", "99"),
        ("starting_chips", "1000001"),
        ("small_blind", "0"),
        ("blind_every", "101"),
        ("blind_factor", "124"),
        ("blind_factor", "301"),
        ("hand_limit", "9"),
        ("hand_limit", "501"),
        ("time_limit", "4"),
        ("time_limit", "241"),
        ("ante_by", "button"),
        ("reopen", "never"),
        ("ring", "perhaps"),
    ] {
        assert_eq!(refused(name, value), name);
    }
}

#[test]
fn settings_that_do_not_fit_together_are_refused() {
    let field = |settings: Settings| Holdem::start(&settings, 3).unwrap_err().field;
    assert_eq!(field(Settings { small_blind: 20, ..Default::default() }), "small_blind");
    assert_eq!(field(Settings { big_blind: 201, ..Default::default() }), "big_blind");
    assert_eq!(field(Settings { ante: 21, ..Default::default() }), "ante");
    assert_eq!(field(Settings { ring: true, buy_in_min: 101, ..Default::default() }), "buy_in_min");
    assert_eq!(field(Settings { ring: true, starting_chips: 700, ..Default::default() }), "starting_chips");
    assert_eq!(field(Settings { starting_chips: 50, ..Default::default() }), "starting_chips");
    for players in [1, 10] {
        assert_eq!(Holdem::start(&Settings::default(), players).unwrap_err().field, "players");
    }
}

#[test]
fn samples_move_the_button_and_begin_without_dice() {
    let button = |turn| Holdem::sample(&Settings::default(), 6, turn).unwrap().button;
    assert_eq!([0, 1, 5, 6].map(button), [0, 1, 5, 0].map(|index| Some(seat(index))));
}

#[test]
fn who_has_left_during_a_hand_is_not_dealt_in_again() {
    let mut series = start(&Settings::default(), 3);
    let setup = Setup { button: Some(seat(0)), ..series.next(0).unwrap() };
    let mut table = Table::new(Deal::deal(&setup).unwrap(), Height(0));
    table.gone(Height(0), seat(2)).unwrap();
    series.finish(table.rules(), &Outcome::played("showdown", per_seat(&[10, 10, -20])));
    assert_eq!(series.next(0).unwrap().stacks, per_seat(&[1010, 1010, 0]));
    assert_eq!(series.standing().total, per_seat(&[1010, 1010, 980]));
    assert!(!series.standing().over);
    assert_eq!(series.standing().place.as_slice(), [1, 1, 3]);
    let cheated = Breakdown::Cheated { proven: Seats::one(seat(0)), vanished: Seats::NONE };
    series.finish(table.rules(), &Outcome::broken(cheated, per_seat(&[-10, 10, 0])));
    assert!(series.standing().over);
    assert_eq!(series.standing().place.as_slice(), [3, 1, 2], "a cheat comes after everybody else");
}

#[test]
fn breaking_a_hand_off_by_silence_ends_the_match_only_the_second_time() {
    let mut series = start(&Settings::default(), 3);
    let setup = Setup { button: Some(seat(0)), ..series.next(0).unwrap() };
    let mut deal = Deal::deal(&setup).unwrap();
    let silent = Breakdown::Vanished(Seats::one(seat(2)));
    series.finish(&deal, &deal.break_off(silent));
    let next = series.next(0).unwrap();
    assert!(next.stacks[seat(2)] > Chips::ZERO, "it may come back");
    deal = Deal::deal(&next).unwrap();
    series.finish(&deal, &deal.break_off(silent));
    assert_eq!(series.next(0).unwrap().stacks[seat(2)], Chips::ZERO);
    assert_eq!(series.standing().place[seat(2)], 3);
}

#[test]
fn a_seat_that_was_away_is_dealt_in_again() {
    let mut series = start(&Settings::default(), 3);
    let setup = Setup { button: Some(seat(0)), ..series.next(0).unwrap() };
    let mut table = Table::new(Deal::deal(&setup).unwrap(), Height(0));
    table.leave(Height(0), seat(2), table::Leaving::Away).unwrap();
    let outcome = Outcome { away: Seats::one(seat(2)), ..Outcome::played("showdown", per_seat(&[10, 10, -20])) };
    series.finish(table.rules(), &outcome);
    assert_eq!(series.next(0).unwrap().stacks, per_seat(&[1010, 1010, 980]));
}

#[test]
fn one_who_cannot_pay_for_breaking_a_hand_off_is_out_of_the_match() {
    let mut series = start(&Settings { ring: true, ..Settings::default() }, 3);
    let deal = Deal::deal(&Setup { button: Some(seat(0)), ..series.next(0).unwrap() }).unwrap();
    let broken = Outcome::broken(Breakdown::Vanished(Seats::one(seat(1))), per_seat(&[500, -1000, 500]));
    series.finish(&deal, &Outcome { unpaid: Seats::one(seat(1)), ..broken });
    assert_eq!(series.next(0).unwrap().stacks, per_seat(&[1500, 0, 1500]));
}

#[test]
fn a_player_who_concedes_to_the_last_opponent_leaves_them_the_pot() {
    let mut running = Match::<Holdem>::start(&Settings::default(), 2).unwrap();
    let lot = [(Slot::new(0, 0), Card::lot(1).unwrap())].into_iter().collect::<Faces>();
    running.table_mut().dealt(Height(0), &lot).unwrap();
    running.table_mut().dealt(Height(1), &Faces::new()).unwrap();
    running.table_mut().act(Height(2), seat(0), &CALL, &Faces::new()).unwrap();
    running.concede(seat(1));
    assert!(running.standing().over);
    assert!(running.advance(0).is_some());
    assert_eq!(running.standing().total, per_seat(&[1020, 980]));
    assert_eq!(running.standing().place.as_slice(), [1, 2]);
    assert_eq!(running.advance(0), None);
}
