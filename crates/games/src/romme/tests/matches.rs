//! Settings, and matches as a whole.

use table::{Breakdown, Chips, Game, PerSeat, Series as _, Settings as _};

use super::*;
use crate::romme::{Mode, Series, Settings};

#[test]
fn settings_out_of_range_are_named() {
    let mut settings = Settings::default();
    for (field, bad, words) in [
        ("first_meld", "61", "first_meld must be from 0 to 60"),
        ("first_meld", "-1", "first_meld must be from 0 to 60"),
        ("jokers", "1", "jokers must be from 2 to 6"),
        ("jokers", "7", "jokers must be from 2 to 6"),
        ("discard_draw", "never", "discard_draw must be free or after_opening"),
        ("out_without_discard", "maybe", "out_without_discard must be true or false"),
        ("mode", "endless", "mode must be target or rounds or knockout"),
        ("target", "49", "target must be from 50 to 1000"),
        ("target", "1001", "target must be from 50 to 1000"),
        ("rounds", "0", "rounds must be from 1 to 50"),
        ("rounds", "51", "rounds must be from 1 to 50"),
        ("max_reshuffles", "6", "max_reshuffles must be from 0 to 5"),
    ] {
        assert_eq!(settings.set(field, bad).unwrap_err().to_string(), words);
    }
    assert_eq!(settings, Settings::default());
    let direct = Settings { jokers: 9, ..Settings::default() };
    assert_eq!(Romme::start(&direct, 3).unwrap_err().field, "jokers");
    for players in [0, 1, 5] {
        assert_eq!(Romme::start(&settings, players).unwrap_err().field, "players");
    }
}

#[test]
fn a_setup_out_of_range_is_named() {
    let far: Seats = [seat(0), seat(3)].into_iter().collect();
    for (bad, field) in [
        (Setup { players: 1, ..setup(2) }, "players"),
        (Setup { players: 5, ..setup(2) }, "players"),
        (Setup { playing: Seats::one(seat(0)), ..setup(2) }, "playing"),
        (Setup { playing: far, ..setup(2) }, "playing"),
        (Setup { dealer: Some(seat(2)), ..setup(2) }, "dealer"),
        (Setup { playing: far, dealer: Some(seat(1)), ..setup(4) }, "dealer"),
        (Setup { first_meld: 61, ..setup(2) }, "first_meld"),
        (Setup { jokers: 1, ..setup(2) }, "jokers"),
        (Setup { jokers: 7, ..setup(2) }, "jokers"),
        (Setup { max_reshuffles: 6, ..setup(2) }, "max_reshuffles"),
    ] {
        assert_eq!(Deal::deal(&bad).unwrap_err().field, field);
    }
}

/// A match with these settings in which rounds have these results.
fn after(settings: &Settings, rounds: &[&[i64]]) -> Series {
    let mut series = Romme::start(settings, u8::try_from(rounds[0].len()).unwrap()).unwrap();
    for points in rounds {
        finish(&mut series, points);
    }
    series
}

fn finish(series: &mut Series, points: &[i64]) {
    let setup = series.next(0).expect("the match goes on");
    let dealer = setup.dealer.or(Some(seat(0)));
    let deal = Deal::deal(&Setup { dealer, ..setup }).unwrap();
    let points: Vec<Chips> = points.iter().map(|p| Chips(*p)).collect();
    series.finish(&deal, &Outcome::played("went out", PerSeat::from_slice(&points).unwrap()));
}

fn places(series: &Series) -> Vec<u8> {
    series.standing().place.iter().copied().collect()
}

#[test]
fn a_match_ends_when_somebody_reaches_the_target_and_the_lowest_total_wins() {
    let series = after(&Settings::default(), &[&[0, 100, 187, 100], &[45, 12, 0, 99]]);
    assert!(!series.standing().over);
    let series = after(&Settings::default(), &[&[0, 100, 187, 100], &[45, 12, 0, 103]]);
    assert!(series.standing().over);
    assert_eq!(places(&series), [1, 2, 3, 4]);
    assert!(series.next(0).is_none());
}

#[test]
fn equal_totals_share_a_place() {
    let series = after(&Settings::default(), &[&[10, 10, 250]]);
    assert_eq!(places(&series), [1, 1, 3]);
}

#[test]
fn a_match_may_have_a_fixed_number_of_rounds() {
    let two = Settings { mode: Mode::Rounds, rounds: 2, ..Settings::default() };
    let series = after(&two, &[&[0, 300]]);
    assert!(!series.standing().over);
    let series = after(&two, &[&[0, 300], &[400, 0]]);
    assert!(series.standing().over);
    assert_eq!(places(&series), [2, 1]);
}

#[test]
fn in_a_knockout_a_player_who_reaches_the_target_is_out() {
    let knockout = Settings { mode: Mode::Knockout, target: 100, ..Settings::default() };
    let mut series = after(&knockout, &[&[0, 120, 50, 60]]);
    assert_eq!(series.next(0).unwrap().playing, [0, 2, 3].map(seat).into_iter().collect());
    finish(&mut series, &[90, 0, 0, 30]);
    assert_eq!(places(&series), [2, 4, 1, 2]);
    finish(&mut series, &[10, 0, 0, 10]);
    assert!(series.standing().over);
    assert_eq!(places(&series), [2, 4, 1, 2], "out in one round with equal totals");
    assert_eq!(series.standing().winners(), Seats::one(seat(2)));
}

#[test]
fn if_all_reach_the_target_in_one_round_the_lowest_total_wins_the_knockout() {
    let knockout = Settings { mode: Mode::Knockout, target: 100, ..Settings::default() };
    let series = after(&knockout, &[&[110, 105]]);
    assert!(series.standing().over);
    assert_eq!(places(&series), [2, 1]);
}

#[test]
fn the_deal_goes_round_clockwise_and_skips_those_who_are_out() {
    let knockout = Settings { mode: Mode::Knockout, target: 50, ..Settings::default() };
    let mut series = Romme::start(&knockout, 4).unwrap();
    assert_eq!(series.next(0).unwrap().dealer, None, "by lot");
    finish(&mut series, &[0, 60, 1, 1]);
    assert_eq!(series.next(0).unwrap().dealer, Some(seat(2)));
    finish(&mut series, &[0, 0, 1, 1]);
    assert_eq!(series.next(7).unwrap().dealer, Some(seat(3)));
    assert_eq!(series.next(7).unwrap().first_deck, 7);
    finish(&mut series, &[0, 0, 1, 1]);
    assert_eq!(series.next(0).unwrap().dealer, Some(seat(0)));
}

#[test]
fn leavers_come_last_and_are_not_dealt_in_again() {
    let mut series = after(&Settings::default(), &[&[0, 90, 100]]);
    series.concede(seat(0));
    assert_eq!(places(&series), [3, 1, 2]);
    assert_eq!(series.next(0).unwrap().playing, [1, 2].map(seat).into_iter().collect());
    series.concede(seat(1));
    assert!(series.standing().over);
    assert_eq!(series.standing().winners(), Seats::one(seat(2)));
    // The winner cannot lose it any more.
    series.concede(seat(2));
    assert_eq!(series.standing().winners(), Seats::one(seat(2)));
}

#[test]
fn a_player_who_was_knocked_out_keeps_their_place_after_leaving() {
    let knockout = Settings { mode: Mode::Knockout, target: 50, ..Settings::default() };
    let mut series = after(&knockout, &[&[0, 60, 1]]);
    series.concede(seat(1));
    series.concede(seat(2));
    assert_eq!(places(&series), [1, 2, 3]);
}

#[test]
fn a_player_who_breaks_a_round_loses_the_match() {
    let mut series = after(&Settings::default(), &[&[0, 90, 100]]);
    let deal = Deal::deal(&Setup { dealer: Some(seat(0)), ..series.next(0).unwrap() }).unwrap();
    series.finish(&deal, &deal.break_off(Breakdown::Vanished(Seats::one(seat(0)))));
    assert_eq!(places(&series), [3, 1, 2]);
    assert!(!series.standing().over, "the others go on");
    let void = Deal::deal(&series.next(0).unwrap()).unwrap();
    let before = series.standing().total;
    series.finish(&void, &void.break_off(Breakdown::DealerFailed));
    assert_eq!(series.standing().total, before);
    assert_eq!(series.next(0).unwrap().playing, [1, 2].map(seat).into_iter().collect());
}

#[test]
fn leaving_a_round_of_two_loses_the_match() {
    let mut scene = Scene::new(&[OPENER, DULL], "9H", "");
    let mut series = Romme::start(&Settings::default(), 2).unwrap();
    scene.table.gone(scene.table.height(), seat(1)).unwrap();
    scene.deal();
    series.finish(scene.rules(), scene.outcome());
    assert!(series.standing().over);
    assert_eq!(series.standing().winners(), Seats::one(seat(0)));
}

#[test]
fn a_sample_moves_the_deal_round() {
    for turn in 0..8 {
        let setup = Romme::sample(&Settings::default(), 4, turn).unwrap();
        assert_eq!(setup.dealer, Some(Seat::round(turn, 4)));
        assert!(Deal::deal(&setup).is_ok());
    }
}
