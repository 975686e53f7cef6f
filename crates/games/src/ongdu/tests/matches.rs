//! Matches: cash, the end, places and settings.

use table::{Breakdown, Chips, Game as _, Outcome, PerSeat, Rules as _, Seat, Seats, Series as _, Settings as _};

use super::seat;
use crate::ongdu::{Deal, Ongdu, Preset, Series, Settings};

fn start(settings: &Settings, players: u8) -> Series {
    Ongdu::start(settings, players).unwrap()
}

/// Counts a round in which the seats won or lost this, started by `starter` unless the match says who.
fn round(series: &mut Series, starter: u8, result: &[i64]) {
    let mut setup = series.next(0).unwrap();
    setup.starter = setup.starter.or(Some(seat(starter)));
    let result: Vec<Chips> = result.iter().map(|chips| Chips(*chips)).collect();
    let outcome = Outcome::played("compared", PerSeat::from_slice(&result).unwrap());
    series.finish(&Deal::deal(&setup).unwrap(), &outcome);
}

fn places(series: &Series) -> Vec<u8> {
    series.standing().place.iter().copied().collect()
}

#[test]
fn everybody_begins_with_the_same_cash_and_a_lot_says_who_starts() {
    let series = start(&Settings::default(), 4);
    assert!(series.standing().total.iter().all(|cash| *cash == Chips(1000)));
    let setup = series.next(3).unwrap();
    assert_eq!((setup.starter, setup.first_deck, setup.players), (None, 3, 4));
    assert_eq!((setup.foul, setup.special, setup.point_value), (10, 10, Chips(1)));
}

#[test]
fn the_starting_player_moves_anti_clockwise() {
    let mut series = start(&Settings::default(), 3);
    let mut starters = Vec::new();
    for _ in 0..4 {
        round(&mut series, 1, &[0, 0, 0]);
        starters.push(series.next(0).unwrap().starter.unwrap().index());
    }
    assert_eq!(starters, [0, 2, 1, 0]);
    let samples = (0..4).map(|turn| Ongdu::sample(&Settings::default(), 3, turn).unwrap().starter.unwrap().index());
    assert!(samples.eq([0, 2, 1, 0]));
}

#[test]
fn the_match_ends_when_somebody_has_no_cash_left_and_the_richest_wins() {
    let mut series = start(&Settings { starting_cash: Chips(20), ..Settings::default() }, 3);
    round(&mut series, 0, &[-19, 9, 10]);
    assert!(!series.standing().over);
    round(&mut series, 0, &[-1, 1, 0]);
    let standing = series.standing();
    assert!(standing.over);
    assert_eq!(series.next(0), None);
    assert_eq!(places(&series), [3, 1, 1]);
    assert_eq!(standing.total[seat(0)], Chips(0));
}

#[test]
fn cash_may_fall_below_zero_and_ties_are_shared() {
    let mut series = start(&Settings { starting_cash: Chips(10), ..Settings::default() }, 4);
    round(&mut series, 0, &[-30, 10, 10, 10]);
    assert!(series.standing().over);
    assert_eq!(series.standing().total[seat(0)], Chips(-20));
    assert_eq!(places(&series), [4, 1, 1, 1]);
    assert_eq!(series.standing().winners(), Seats::first(4).without(seat(0)));
}

#[test]
fn a_match_may_have_a_last_round() {
    let mut series = start(&Settings { max_rounds: 2, ..Settings::default() }, 2);
    round(&mut series, 0, &[1, -1]);
    assert!(!series.standing().over);
    round(&mut series, 0, &[1, -1]);
    assert!(series.standing().over);
    assert_eq!(series.rounds(), 2);
    assert_eq!(places(&series), [1, 2]);
}

#[test]
fn leavers_come_after_everybody_who_stayed() {
    let mut series = start(&Settings::default(), 3);
    round(&mut series, 0, &[500, -250, -250]);
    series.concede(seat(0));
    assert!(!series.standing().over);
    assert_eq!(places(&series), [3, 1, 1]);
    assert_eq!(series.next(0).unwrap().gone, Seats::one(seat(0)));
    series.concede(seat(1));
    assert!(series.standing().over);
    assert_eq!(places(&series), [2, 3, 1]);
    series.concede(Seat::new(9).unwrap());
}

#[test]
fn a_round_that_could_not_be_finished_counts_as_it_ended() {
    let mut series = start(&Settings::default(), 3);
    let deal = Deal::deal(&series.next(0).unwrap()).unwrap();
    let vanished = deal.break_off(Breakdown::Vanished(Seats::one(seat(1))));
    series.finish(&deal, &vanished);
    assert_eq!(series.standing().total[seat(1)], Chips(980));
    let next = series.next(0).unwrap();
    assert_eq!(next.starter, None, "the lot was not drawn yet");
    assert_eq!(next.gone, Seats::NONE, "who vanished once may come back");
    series.finish(&deal, &vanished);
    assert_eq!(series.next(0).unwrap().gone, Seats::one(seat(1)), "who vanished twice has left the match");
}

#[test]
fn settings_are_checked_and_named() {
    let refused = |name: &str, value: &str| Settings::default().set(name, value).unwrap_err().to_string();
    assert_eq!(refused("starting_cash", "9"), "starting_cash must be from 10 to 1000000");
    assert_eq!(refused("point_value", "1001"), "point_value must be from 1 to 1000");
    assert_eq!(refused("foul", "51"), "foul must be from 0 to 50");
    assert_eq!(refused("special", "-1"), "special must be from 0 to 50");
    assert_eq!(refused("preset", "mine"), "preset must be seed or author");
    assert_eq!(refused("arrange_timeout", "29"), "arrange_timeout must be 0 or from 30 to 600");
    assert_eq!(refused("max_rounds", "1001"), "max_rounds must be from 0 to 1000");
    let bad = Settings { foul: 99, ..Settings::default() };
    assert_eq!(Ongdu::start(&bad, 3).unwrap_err().to_string(), "foul must be from 0 to 50");
    for players in [0, 1, 7] {
        assert_eq!(Ongdu::start(&Settings::default(), players).unwrap_err().field, "players");
    }
    let mut settings = Settings::default();
    settings.set("preset", "author").unwrap();
    settings.set("arrange_timeout", "600").unwrap();
    assert_eq!(start(&settings, 2).next(0).unwrap().preset, Preset::Author);
}
