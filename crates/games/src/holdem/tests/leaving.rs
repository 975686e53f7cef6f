//! Leaving in every phase, and hands that cannot be finished.

use table::{Breakdown, Input};

use super::*;

#[test]
fn leaving_folds_and_passes_the_turn_on() {
    let mut hand = hand(&[1000; 4], 0);
    hand.leave(3);
    assert_eq!(hand.turn(), Some(0));
    hand.leave(2);
    assert_eq!(hand.turn(), Some(0), "the big blind stays in the pot, and the others play on");
    hand.act(&[(0, CALL), (1, CALL)]);
    hand.act(&[(1, CHECK), (0, CHECK), (1, CHECK), (0, CHECK), (1, CHECK), (0, CHECK)]);
    assert_eq!(hand.pots(), [(60, seats(&[0, 1]))]);
    assert!(!hand.is_open(2));
}

#[test]
fn nobody_leaves_twice_or_from_a_seat_that_is_empty() {
    let mut hand = hand(&[1000, 1000, 1000, 0], 0);
    hand.leave(1);
    for index in [1, 3] {
        let again = hand.table.gone(hand.table.height(), seat(index));
        assert_eq!(again, Err(Refused::Illegal(Illegal::NotSeated)));
    }
    assert_eq!(hand.refusal(1, FOLD), Illegal::NotSeated);
    hand.act(&[(0, FOLD)]);
    assert_eq!(hand.ending(), "all folded");
    assert!(hand.table.gone(hand.table.height(), seat(0)).is_err());
}

#[test]
fn who_has_folded_may_leave_too() {
    let mut hand = hand(&[1000; 3], 0);
    hand.act(&[(0, FOLD)]);
    hand.leave(0);
    assert_eq!(hand.turn(), Some(1));
}

#[test]
fn leaving_before_the_cards_costs_the_blind_and_before_the_button_nothing() {
    let mut table = Table::new(Deal::deal(&setup(&[1000; 2], 0)).unwrap(), Height(0));
    table.gone(Height(0), seat(0)).unwrap();
    assert_eq!(table.outcome().unwrap().result, per_seat(&[-10, 10]));
    let drawn = Setup { button: None, ..setup(&[1000; 2], 0) };
    let mut table = Table::new(Deal::deal(&drawn).unwrap(), Height(0));
    table.gone(Height(0), seat(0)).unwrap();
    assert_eq!(table.outcome().unwrap().result, per_seat(&[0, 0]));
}

#[test]
fn who_leaves_while_the_button_is_drawn_neither_gets_it_nor_pays() {
    let drawn = Setup { button: None, ..setup(&[1000; 3], 0) };
    let mut table = Table::new(Deal::deal(&drawn).unwrap(), Height(0));
    table.gone(Height(0), seat(1)).unwrap();
    let lot = [(Slot::new(0, 0), Card::lot(2).unwrap())].into_iter().collect::<Faces>();
    table.dealt(Height(1), &lot).unwrap();
    assert_eq!(table.rules().button(), Some(seat(2)));
    assert_eq!(table.rules().bets(), &per_seat(&[20, 0, 10]));
    assert_eq!(table.rules().hole(seat(1)).len, 0);
}

#[test]
fn who_leaves_while_cards_are_dealt_gets_none() {
    let mut table = Table::new(Deal::deal(&setup(&[1000; 3], 0)).unwrap(), Height(0));
    assert_eq!(table.orders().count(), 4);
    table.gone(Height(0), seat(2)).unwrap();
    assert_eq!(table.orders().count(), 3);
    table.dealt(Height(1), &Faces::new()).unwrap();
    assert_eq!(table.awaiting(), Awaiting::Turn(seat(0)));
}

#[test]
fn an_all_in_player_who_leaves_is_folded() {
    let mut hand = hand(&[300, 1000, 1000], 0);
    hand.act_only(0, ALL_IN);
    hand.act_only(1, CALL);
    hand.act_only(2, CALL);
    assert_eq!(hand.table.awaiting(), Awaiting::Dealer);
    hand.leave(0);
    hand.deal();
    assert_eq!(hand.turn(), Some(1));
    hand.act(&[(1, to(20)), (2, FOLD)]);
    assert_eq!(hand.result(), [-300, 600, -300]);
}

#[test]
fn leaving_during_a_showdown_folds_too() {
    let mut hand = hand(&[300; 3], 0);
    hand.act_only(0, ALL_IN);
    hand.act_only(1, CALL);
    hand.act_only(2, CALL);
    hand.deal_once();
    assert!(hand.is_open(0) && hand.board() == 0);
    hand.leave(0);
    hand.deal_once();
    assert_eq!((hand.ending(), hand.result()[0]), ("showdown", -300));
    assert_eq!(hand.pots(), [(900, seats(&[1, 2]))]);
}

#[test]
fn a_player_need_not_act_any_more_when_their_last_opponent_with_chips_leaves() {
    let mut hand = hand(&[500, 500, 20, 500], 3);
    hand.act(&[(2, ALL_IN), (3, FOLD), (0, CALL)]);
    assert_eq!(hand.turn(), Some(1));
    hand.leave(0);
    assert_eq!(hand.table.awaiting(), Awaiting::Dealer);
    hand.deal();
    assert_eq!(hand.pots(), [(60, seats(&[1, 2]))]);
}

#[test]
fn a_bet_of_somebody_who_left_stands() {
    let mut hand = hand(&[500; 4], 3);
    hand.act(&[(2, to(100)), (3, CALL)]);
    hand.leave(2);
    assert_eq!(hand.options(), (90, Some(180), Some(500)));
    hand.act(&[(0, CALL), (1, FOLD)]);
    assert_eq!(hand.pots(), [(320, seats(&[0, 3]))]);
}

#[test]
fn the_last_one_left_wins_at_once_wherever_the_others_leave() {
    let mut hand = hand(&[500; 3], 0);
    hand.act(&[(0, to(100)), (1, CALL)]);
    hand.leave(0);
    hand.leave(1);
    assert_eq!((hand.ending(), hand.result()), ("all folded", vec![-100, -100, 200]));
    assert_eq!(hand.board(), 0);
}

#[test]
fn what_nobody_called_goes_back_to_a_leaver_too() {
    let mut hand = hand(&[500; 3], 0);
    hand.act(&[(0, to(300)), (1, FOLD)]);
    hand.leave(0);
    assert_eq!((hand.ending(), hand.result()), ("all folded", vec![-20, -10, 30]));
}

fn broken(hand: &Hand, why: Breakdown) -> Vec<i64> {
    let outcome = hand.rules().break_off(why);
    assert_eq!(outcome.broken_off, Some(why));
    outcome.result.iter().map(|chips| chips.0).collect()
}

#[test]
fn a_failed_dealer_costs_nobody_anything() {
    let mut hand = hand(&[500; 4], 3);
    assert_eq!(broken(&hand, Breakdown::DealerFailed), [0; 4]);
    hand.act(&[(2, to(100)), (3, CALL), (0, FOLD), (1, CALL)]);
    assert_eq!(broken(&hand, Breakdown::DealerFailed), [0; 4]);
}

#[test]
fn what_a_culprit_has_put_in_is_divided_among_the_live() {
    let mut hand = hand(&[500; 4], 3);
    hand.act(&[(2, to(101)), (3, CALL), (0, FOLD), (1, CALL)]);
    // No live player is without blame: the others of this hand share what the culprits have put in.
    assert_eq!(broken(&hand, Breakdown::Vanished(seats(&[1, 2, 3]))), [303, -101, -101, -101]);
    assert_eq!(broken(&hand, Breakdown::Vanished(seats(&[0, 1, 2, 3]))), [0; 4]);
}

#[test]
fn a_culprit_pays_every_live_player_what_they_could_have_won() {
    let mut hand = hand(&[500; 4], 3);
    hand.act(&[(2, to(101)), (3, CALL), (0, FOLD), (1, CALL)]);
    // The pot is 313, and each of the live has put in 101. What seat 3 has put in is not enough: it pays the rest.
    assert_eq!(broken(&hand, Breakdown::Vanished(seats(&[3]))), [0, 212, 212, -424]);
    let cheated = Breakdown::Cheated { proven: seats(&[2]), vanished: seats(&[3]) };
    assert_eq!(broken(&hand, cheated), [0, 212, -106, -106]);
    // One who has folded pays, too.
    let outcome = hand.rules().break_off(Breakdown::Vanished(seats(&[0])));
    assert_eq!(outcome.result, per_seat(&[-500, 167, 167, 166]), "in equal parts: 636 are owed, and 500 are there");
    assert_eq!(outcome.unpaid, seats(&[0]));
}

#[test]
fn one_who_folded_cannot_void_a_hand_that_a_friend_is_losing() {
    // Seats 1 and 2 are all in; seat 0, a friend of one of them, has folded without a chip in the pot.
    let mut hand = hand(&[3000, 1000, 1000], 0);
    for (index, action) in [(0, FOLD), (1, ALL_IN), (2, CALL)] {
        hand.act_only(index, action);
    }
    let outcome = hand.rules().break_off(Breakdown::Vanished(seats(&[0])));
    assert_eq!(outcome.result, per_seat(&[-2000, 1000, 1000]));
    assert!(outcome.unpaid.is_empty());
}

#[test]
fn nobody_is_owed_more_than_the_pots_they_are_in() {
    // Seat 1 is all in for 100, seats 2 and 3 for 1000 each; seat 0 has folded and breaks the hand off.
    let mut hand = hand(&[1500, 100, 1000, 1000], 0);
    for (index, action) in [(3, ALL_IN), (0, FOLD), (1, ALL_IN), (2, CALL)] {
        hand.act_only(index, action);
    }
    // 300 less 100, and 2100 less 1000 for two, are owed; 1500 are there, and the odd chip goes left of the button.
    assert_eq!(broken(&hand, Breakdown::Vanished(seats(&[0]))), [-1500, 126, 687, 687]);
}

#[test]
fn a_hand_can_be_broken_off_in_every_phase() {
    let draw = Setup { button: None, ..setup(&[500; 3], 0) };
    let outcome = Deal::deal(&draw).unwrap().break_off(Breakdown::Vanished(seats(&[0])));
    assert_eq!(outcome.result, per_seat(&[0; 3]));
    let dealing = Deal::deal(&setup(&[500; 3], 0)).unwrap().break_off(Breakdown::Vanished(seats(&[2])));
    assert_eq!(dealing.result, per_seat(&[30, 20, -50]));
    let mut hand = hand(&[100; 3], 0);
    hand.act_only(0, ALL_IN);
    hand.act_only(1, FOLD);
    hand.act_only(2, CALL);
    assert_eq!(broken(&hand, Breakdown::Vanished(seats(&[0]))), [-100, 0, 100]);
    hand.deal_once();
    assert_eq!(broken(&hand, Breakdown::Vanished(seats(&[0]))), [-100, 0, 100]);
}

#[test]
fn the_rules_refuse_what_they_do_not_wait_for() {
    let mut deal = Deal::deal(&setup(&[500; 2], 0)).unwrap();
    let open = Faces::new();
    let act = |deal: &mut Deal| deal.apply(&open, Input::Act { seat: seat(0), action: &CALL });
    assert_eq!(act(&mut deal), Err(Illegal::WrongPhase));
    deal.apply(&open, Input::Dealt).unwrap();
    assert_eq!(deal.apply(&open, Input::Dealt), Err(Illegal::WrongPhase));
    assert_eq!(deal.apply(&open, Input::Choices(&[])), Err(Illegal::WrongPhase));
    act(&mut deal).unwrap();
    deal.apply(&open, Input::Gone(seat(1))).unwrap();
    assert_eq!(deal.apply(&open, Input::Gone(seat(0))), Err(Illegal::WrongPhase));
}
