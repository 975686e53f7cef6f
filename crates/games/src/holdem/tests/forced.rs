//! The button by lot, blinds posted short, straddles and antes; setups that cannot be.

use super::*;
use crate::holdem::{Antes, BlindSeats};

#[test]
fn the_button_is_drawn_by_lot_among_those_with_chips() {
    let setup = Setup { button: None, first_deck: 7, ..setup(&[0, 500, 500, 500], 0) };
    let mut table = Table::new(Deal::deal(&setup).unwrap(), Height(0));
    assert_eq!((table.rules().button(), table.rules().decks()), (None, 7..8));
    let lot = |pips: u8| [(Slot::new(7, 0), Card::lot(pips).unwrap())].into_iter().collect::<Faces>();
    assert!(table.dealt(Height(0), &lot(4)).is_err(), "there are three lots");
    table.dealt(Height(0), &lot(2)).unwrap();
    assert_eq!((table.rules().button(), table.rules().decks()), (Some(seat(2)), 7..9));
    assert_eq!(table.rules().bets(), &per_seat(&[0, 20, 0, 10]));
    assert_eq!(table.rules().hole(seat(3)).first, Slot::new(8, 0));
}

#[test]
fn a_short_big_blind_is_called_in_full() {
    let mut hand = hand(&[1000, 1000, 12], 0);
    assert_eq!(hand.bets(), [0, 10, 12]);
    assert_eq!(hand.options(), (20, Some(40), Some(1000)));
    hand.act(&[(0, CALL), (1, CALL), (1, CHECK), (0, CHECK), (1, CHECK), (0, CHECK), (1, CHECK), (0, CHECK)]);
    assert_eq!(hand.pots(), [(36, seats(&[0, 1, 2])), (16, seats(&[0, 1]))]);
}

#[test]
fn only_what_was_put_in_is_matched_once_all_others_are_all_in() {
    // Heads-up: the big blind has 8, the small blind posts 10. Nobody acts, and 2 go back.
    let hand = hand(&[500, 8], 0);
    assert_eq!((hand.ending(), hand.pots()), ("showdown", vec![(16, seats(&[0, 1]))]));
    assert_eq!(hand.stacks().iter().sum::<i64>(), 508);
    // The same against a small blind, after a fold.
    let mut hand = super::hand(&[500, 500, 8], 0);
    hand.act(&[(0, FOLD)]);
    assert_eq!((hand.ending(), hand.pots()), ("showdown", vec![(16, seats(&[1, 2]))]));
    // Another short all-in of 15: the small blind pays 5 more, not 10.
    let mut hand = super::hand(&[15, 500, 8], 0);
    hand.act(&[(0, ALL_IN)]);
    assert_eq!((hand.turn(), hand.options()), (Some(1), (5, None, None)));
}

#[test]
fn a_big_blind_whom_all_others_called_all_in_is_not_asked() {
    let mut hand = hand(&[20, 500, 15], 1);
    assert_eq!(hand.bets(), [20, 0, 10]);
    hand.act(&[(1, FOLD), (2, ALL_IN)]);
    assert_eq!(hand.ending(), "showdown");
    let mut hand = super::hand(&[15, 10, 500], 0);
    hand.act(&[(0, ALL_IN)]);
    assert_eq!((hand.ending(), hand.pots()), ("showdown", vec![(30, seats(&[0, 1, 2])), (10, seats(&[0, 2]))]));
}

#[test]
fn a_short_small_blind_is_all_in() {
    let mut hand = hand(&[1000, 4, 1000], 0);
    assert_eq!((hand.bets(), hand.turn()), (vec![0, 4, 20], Some(0)));
    hand.act(&[(0, CALL), (2, CHECK)]);
    assert_eq!(hand.turn(), Some(2));
}

#[test]
fn straddles_move_the_first_turn_and_negative_ones_do_not() {
    let straddles = vec![Chips(40), Chips(80)];
    let mut hand = Hand::new(&Setup { straddles, ..setup(&[1000; 6], 5) });
    assert_eq!(hand.bets(), [10, 20, 40, 80, 0, 0]);
    assert_eq!((hand.turn(), hand.options()), (Some(4), (80, Some(100), Some(1000))));
    hand.act(&[(4, CALL), (5, FOLD), (0, CALL), (1, FOLD), (2, FOLD)]);
    assert_eq!((hand.turn(), hand.options()), (Some(3), (0, Some(100), Some(1000))));
    let straddles = vec![Chips(0), Chips(-20)];
    let hand = Hand::new(&Setup { straddles, ..setup(&[1000; 6], 5) });
    assert_eq!((hand.bets(), hand.turn()), (vec![10, 20, 0, 20, 0, 0], Some(2)));
}

#[test]
fn without_blinds_left_of_the_button_acts_first_and_may_check() {
    let none = Setup { small_blind: Chips(0), big_blind: Chips(0), ..setup(&[1000; 3], 1) };
    let hand = Hand::new(&Setup { antes: Antes::Each(Chips(5)), ..none.clone() });
    assert_eq!((hand.turn(), hand.options()), (Some(2), (0, Some(1), Some(995))));
    let hand = Hand::new(&Setup { min_bet: Some(Chips(50)), ..none });
    assert_eq!((hand.turn(), hand.options()), (Some(2), (0, Some(50), Some(1000))));
}

#[test]
fn an_ante_of_each_counts_like_a_bet() {
    let mut hand = Hand::new(&Setup { antes: Antes::Each(Chips(5)), ..setup(&[1000, 1000, 1000, 3], 3) });
    assert_eq!((hand.stacks(), hand.bets()), (vec![985, 975, 995, 0], vec![10, 20, 0, 0]));
    hand.act(&[(2, FOLD), (0, CALL), (1, CHECK)]);
    assert_eq!(hand.pots(), [(12, seats(&[0, 1, 3])), (46, seats(&[0, 1]))]);
}

#[test]
fn the_big_blinds_ante_is_paid_after_the_blind_into_the_main_pot() {
    let antes = Antes::BigBlind(Chips(20));
    let mut hand = Hand::new(&Setup { antes, ..setup(&[1000, 1000, 28, 15], 0) });
    assert_eq!((hand.stacks(), hand.bets()), (vec![1000, 990, 0, 15], vec![0, 10, 20, 0]));
    hand.act(&[(3, ALL_IN), (0, CALL), (1, FOLD)]);
    // 8 of the ante could be paid: they are for all, also for who has put in less than the big blind.
    assert_eq!(hand.pots(), [(15 * 3 + 10 + 8, seats(&[0, 2, 3])), (10, seats(&[0, 2]))]);
    assert_eq!(hand.result().iter().sum::<i64>(), 0);
}

#[test]
fn antes_can_be_stated_for_each_seat() {
    let amounts = per_seat(&[1, 0, 9]);
    let live = Setup { antes: Antes::Seats { amounts, dead: false }, ..setup(&[100; 3], 0) };
    assert_eq!(Hand::new(&live).stacks(), [99, 90, 71]);
    let dead = Setup { antes: Antes::Seats { amounts, dead: true }, ..live.clone() };
    assert_eq!(Hand::new(&dead).stacks(), [99, 90, 71]);
    let everybody_in = |setup: &Setup| {
        let mut hand = Hand::new(setup);
        hand.act(&[(0, CALL), (1, CALL), (2, CHECK)]);
        hand.pots()
    };
    assert_eq!(everybody_in(&dead), [(70, seats(&[0, 1, 2]))]);
    assert_eq!(everybody_in(&live), [(60, seats(&[0, 1, 2])), (2, seats(&[0, 2])), (8, seats(&[2]))]);
}

#[test]
fn an_ante_can_take_the_whole_stack() {
    let hand = Hand::new(&Setup { antes: Antes::Each(Chips(50)), ..setup(&[50, 40, 30], 0) });
    assert_eq!(hand.ending(), "showdown");
    assert_eq!(hand.pots(), [(90, seats(&[0, 1, 2])), (20, seats(&[0, 1])), (10, seats(&[0]))]);
}

#[test]
fn blind_seats_can_be_stated() {
    let blind_seats = Some(BlindSeats { small: seat(0), big: seat(2) });
    let hand = Hand::new(&Setup { blind_seats, ..setup(&[100; 4], 3) });
    assert_eq!((hand.bets(), hand.turn()), (vec![10, 0, 20, 0], Some(3)));
}

#[test]
fn setups_that_cannot_be_name_their_field() {
    let good = setup(&[100; 3], 0);
    let field = |setup: Setup| Deal::deal(&setup).unwrap_err().field;
    let chips = |amount| Some(Chips(amount));
    assert_eq!(field(Setup { players: 1, ..good.clone() }), "players");
    assert_eq!(field(Setup { players: 11, ..good.clone() }), "players");
    assert_eq!(field(Setup { players: 4, ..good.clone() }), "stacks");
    for stacks in [[0, 0, 5], [5, 5, -1], [5, 5, Chips::MOST.0 + 1]] {
        assert_eq!(field(setup(&stacks, 0)), "stacks");
    }
    assert_eq!(field(setup(&[100; 3], 3)), "button");
    assert_eq!(field(Setup { big_blind: Chips(-1), ..good.clone() }), "big_blind");
    assert_eq!(field(Setup { small_blind: Chips(21), ..good.clone() }), "small_blind");
    assert_eq!(field(Setup { small_blind: Chips(-1), ..good.clone() }), "small_blind");
    let blind_seats = |small, big| Some(BlindSeats { small: seat(small), big: seat(big) });
    for blind_seats in [blind_seats(1, 1), blind_seats(1, 3)] {
        assert_eq!(field(Setup { blind_seats, ..good.clone() }), "blind_seats");
    }
    assert_eq!(field(Setup { straddles: vec![Chips(40); 2], ..good.clone() }), "straddles");
    assert_eq!(field(Setup { straddles: vec![Chips(i64::MIN)], ..good.clone() }), "straddles");
    for antes in [Antes::Each(Chips(-1)), Antes::Seats { amounts: per_seat(&[1; 4]), dead: true }] {
        assert_eq!(field(Setup { antes, ..good.clone() }), "antes");
    }
    assert_eq!(field(Setup { min_bet: chips(0), ..good.clone() }), "min_bet");
    let told = Deal::deal(&Setup { small_blind: Chips(21), ..good }).unwrap_err();
    assert_eq!(told.to_string(), "small_blind must be from 0 to 20");
}

#[test]
fn a_setup_is_read_as_it_was_written_and_unknown_fields_are_refused() {
    let antes = Antes::Seats { amounts: per_seat(&[1, 2, 3]), dead: true };
    let written = Setup { antes, straddles: vec![Chips(40)], ..setup(&[100; 3], 2) };
    let text = serde_json::to_string(&written).unwrap();
    assert_eq!(serde_json::from_str::<Setup>(&text).unwrap(), written);
    let short = r#"{"players":2,"stacks":[50,50],"small_blind":1,"big_blind":2}"#;
    assert_eq!(serde_json::from_str::<Setup>(short).unwrap().button, None);
    assert!(serde_json::from_str::<Setup>(&short.replace("players", "player")).is_err());
}

#[test]
fn ten_players_have_cards_of_their_own() {
    let hand = hand(&[1000; 10], 0);
    let mut slots: Vec<Slot> = (0..10).flat_map(|index| hand.rules().hole(seat(index)).slots()).collect();
    slots.extend(hand.rules().board().slots());
    slots.sort_unstable();
    slots.dedup();
    assert_eq!(slots.len(), 25);
}
