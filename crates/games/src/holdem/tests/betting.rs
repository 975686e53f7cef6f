//! Turns, calls, raises, and when they are refused.

use super::super::NoRaise;
use super::*;
use crate::holdem::{Reopen, Street};

#[test]
fn left_of_the_big_blind_acts_first_and_later_left_of_the_button() {
    let mut hand = hand(&[1000; 4], 1);
    assert_eq!(hand.bets(), [0, 0, 10, 20]);
    hand.act(&[(0, CALL), (1, CALL), (2, CALL), (3, CHECK)]);
    assert_eq!((hand.rules().street(), hand.board()), (Street::Flop, 3));
    hand.act(&[(2, CHECK), (3, CHECK), (0, CHECK), (1, CHECK)]);
    assert_eq!((hand.rules().street(), hand.board()), (Street::Turn, 4));
    hand.act(&[(2, CHECK), (3, FOLD), (0, CHECK), (1, CHECK)]);
    assert_eq!((hand.rules().street(), hand.board()), (Street::River, 5));
    hand.act(&[(2, CHECK), (0, CHECK), (1, CHECK)]);
    assert_eq!(hand.ending(), "showdown");
    assert!(hand.is_open(0) && hand.is_open(1) && hand.is_open(2) && !hand.is_open(3));
}

#[test]
fn heads_up_the_button_posts_the_small_blind_and_acts_first_only_before_the_flop() {
    let mut hand = hand(&[1000, 0, 1000], 2);
    assert_eq!(hand.bets(), [20, 0, 10]);
    hand.act(&[(2, CALL), (0, CHECK), (0, CHECK), (2, CHECK), (0, to(20)), (2, FOLD)]);
    assert_eq!((hand.ending(), hand.result()), ("all folded", vec![20, 0, -20]));
}

#[test]
fn empty_seats_are_passed_over_by_cards_blinds_and_turns() {
    let hand = hand(&[0, 500, 0, 500, 500, 0], 1);
    assert_eq!(hand.bets(), [0, 0, 0, 10, 20, 0]);
    assert_eq!(hand.turn(), Some(1));
    let places = |index| hand.rules().hole(seat(index)).slots().map(|s| s.index).collect::<Vec<_>>();
    assert_eq!([places(3), places(4), places(1), places(0)], [vec![0, 3], vec![1, 4], vec![2, 5], vec![]]);
    assert_eq!(hand.rules().board().slots().map(|s| s.index).collect::<Vec<_>>(), [6, 7, 8, 9, 10]);
}

#[test]
fn the_big_blind_may_raise_when_everybody_called() {
    let mut hand = hand(&[1000; 3], 0);
    hand.act(&[(0, CALL), (1, CALL)]);
    assert_eq!((hand.turn(), hand.options()), (Some(2), (0, Some(40), Some(1000))));
    hand.act(&[(2, to(60)), (0, FOLD), (1, CALL)]);
    assert_eq!(hand.rules().street(), Street::Flop);
}

#[test]
fn a_check_needs_a_matched_bet_and_a_call_an_unmatched_one() {
    let mut hand = hand(&[1000; 3], 0);
    assert_eq!(hand.refusal(0, CHECK), Illegal::CheckNotAllowed { to_call: Chips(20) });
    hand.act(&[(0, CALL), (1, CALL)]);
    assert_eq!(hand.refusal(2, CALL), Illegal::NothingToCall);
}

#[test]
fn only_the_seat_in_turn_acts_and_only_while_there_is_betting() {
    let mut hand = hand(&[1000, 1000, 1000, 0], 0);
    assert_eq!(hand.refusal(1, CALL), Illegal::NotYourTurn);
    assert_eq!(hand.refusal(3, CALL), Illegal::NotSeated);
    hand.act_only(0, CALL);
    hand.act_only(1, CALL);
    hand.act_only(2, CHECK);
    assert_eq!(hand.refusal(1, CHECK), Illegal::WrongPhase);
    hand.deal();
    hand.act(&[(1, FOLD)]);
    assert_eq!(hand.refusal(1, CHECK), Illegal::NotYourTurn);
    hand.act(&[(2, FOLD)]);
    assert!(matches!(
        hand.table.act(hand.table.height(), seat(0), &CHECK, &hand.faces),
        Err(Refused::NotAwaited(Awaiting::Over))
    ));
}

#[test]
fn a_bet_is_at_least_the_big_blind_and_a_raise_at_least_the_last_one() {
    let mut hand = hand(&[1000; 3], 0);
    assert_eq!(hand.options(), (20, Some(40), Some(1000)));
    assert_eq!(hand.refusal(0, to(39)), Illegal::RaiseTooSmall { least: Chips(40), got: Chips(39) });
    hand.act(&[(0, to(70))]);
    assert_eq!(hand.options(), (60, Some(120), Some(1000)));
    hand.act(&[(1, to(120)), (2, FOLD), (0, to(170)), (1, CALL)]);
    assert_eq!(hand.options(), (0, Some(20), Some(830)));
    assert_eq!(hand.refusal(1, to(19)), Illegal::RaiseTooSmall { least: Chips(20), got: Chips(19) });
    hand.act(&[(1, to(20))]);
    assert_eq!(hand.options(), (20, Some(40), Some(830)));
}

#[test]
fn amounts_must_be_above_zero_and_within_the_stack() {
    let mut hand = hand(&[1000; 3], 0);
    for amount in [0, -5, i64::MIN] {
        assert_eq!(hand.refusal(0, to(amount)), Illegal::AmountOutOfRange { got: Chips(amount) });
    }
    for amount in [1001, i64::MAX] {
        let refusal = hand.refusal(0, to(amount));
        assert_eq!(refusal, Illegal::NotEnoughChips { most: Chips(1000), got: Chips(amount) });
    }
}

#[test]
fn a_call_takes_no_more_than_the_stack() {
    let mut hand = hand(&[1000, 1000, 50], 0);
    hand.act(&[(0, to(300)), (1, FOLD)]);
    assert_eq!(hand.options(), (30, None, None));
    assert_eq!(hand.refusal(2, to(50)), Illegal::RaiseNotAllowed(NoRaise::StackTooSmall));
    hand.act_only(2, CALL);
    assert_eq!(hand.stacks(), [950, 990, 0]);
    hand.deal();
    assert_eq!(hand.ending(), "showdown");
    assert_eq!(hand.pots(), [(110, seats(&[0, 2]))]);
}

#[test]
fn all_in_is_a_call_a_bet_or_a_raise() {
    let mut hand = hand(&[1000, 400, 15, 700], 3);
    hand.act(&[(2, ALL_IN)]);
    assert_eq!(hand.stacks(), [990, 380, 0, 700]);
    assert_eq!(hand.options(), (20, Some(40), Some(700)));
    hand.act(&[(3, CALL), (0, CALL), (1, CHECK), (0, ALL_IN)]);
    assert_eq!(hand.options(), (380, None, None));
    hand.act(&[(1, ALL_IN)]);
    assert_eq!(hand.turn(), Some(3));
}

#[test]
fn an_all_in_raise_below_the_least_one_is_allowed() {
    let mut hand = hand(&[1000, 1000, 1000, 35], 0);
    assert_eq!(hand.options(), (20, Some(35), Some(35)));
    hand.act(&[(3, to(35))]);
    assert_eq!(hand.options(), (35, Some(55), Some(1000)));
}

/// Big blind 100; after the flop A bets 100, B is all-in with 125, C calls, D is all-in with 200, E calls.
fn short_all_ins_in_a_row(reopen: Reopen) -> Hand {
    let stacks = [1000, 225, 1000, 300, 1000].map(Chips);
    let blinds = Setup::new(&stacks, Some(seat(4)), Chips(50), Chips(100));
    let mut hand = Hand::new(&Setup { reopen, ..blinds });
    hand.act(&[(2, CALL), (3, CALL), (4, CALL), (0, CALL), (1, CHECK)]);
    hand.act(&[(0, to(100)), (1, ALL_IN), (2, CALL), (3, ALL_IN), (4, CALL)]);
    hand
}

#[test]
fn short_all_ins_add_up_to_a_full_raise() {
    let mut hand = short_all_ins_in_a_row(Reopen::Tda);
    assert_eq!((hand.turn(), hand.options()), (Some(0), (100, Some(300), Some(900))));
    hand.act(&[(0, CALL)]);
    assert_eq!((hand.turn(), hand.options()), (Some(2), (75, None, None)));
    assert_eq!(hand.refusal(2, to(300)), Illegal::RaiseNotAllowed(NoRaise::NotReopened));
    assert_eq!(hand.refusal(2, ALL_IN), Illegal::RaiseNotAllowed(NoRaise::NotReopened));
    assert!(!hand.moves().can_all_in);
}

#[test]
fn every_all_in_above_the_bet_reopens_where_the_setting_says_so() {
    let mut hand = short_all_ins_in_a_row(Reopen::Any);
    hand.act(&[(0, CALL)]);
    assert_eq!((hand.turn(), hand.options()), (Some(2), (75, Some(300), Some(900))));
}

#[test]
fn a_short_opening_all_in_does_not_reopen_for_those_who_checked() {
    let stacks = [1000, 160, 1000].map(Chips);
    let mut hand = Hand::new(&Setup::new(&stacks, Some(seat(2)), Chips(50), Chips(100)));
    hand.act(&[(2, CALL), (0, CALL), (1, CHECK), (0, CHECK), (1, ALL_IN)]);
    assert_eq!((hand.turn(), hand.options()), (Some(2), (60, Some(160), Some(900))));
    hand.act(&[(2, CALL)]);
    assert_eq!((hand.turn(), hand.options()), (Some(0), (60, None, None)));
}

#[test]
fn a_full_raise_reopens_for_everybody() {
    let mut hand = hand(&[1000; 3], 0);
    hand.act(&[(0, to(60)), (1, CALL), (2, to(100))]);
    assert_eq!(hand.options(), (40, Some(140), Some(1000)));
    hand.act(&[(0, to(140))]);
    assert_eq!(hand.options(), (80, Some(180), Some(1000)));
}

#[test]
fn nobody_raises_whom_nobody_can_answer() {
    let mut hand = hand(&[1000, 200, 100], 0);
    hand.act(&[(0, to(60)), (1, ALL_IN), (2, ALL_IN)]);
    assert_eq!((hand.turn(), hand.options()), (Some(0), (140, None, None)));
    assert_eq!(hand.refusal(0, to(400)), Illegal::RaiseNotAllowed(NoRaise::NobodyCanAnswer));
    hand.act(&[(0, CALL)]);
    assert_eq!(hand.ending(), "showdown");
}

#[test]
fn a_player_who_can_only_call_all_in_cannot_answer_either() {
    let mut hand = hand(&[1000, 90, 1000, 100], 1);
    hand.act(&[(0, FOLD), (1, FOLD), (2, FOLD)]);
    assert_eq!(hand.ending(), "all folded");
    let mut hand = super::hand(&[100, 1000, 80, 1000], 3);
    hand.act(&[(2, FOLD), (3, FOLD), (0, ALL_IN)]);
    assert_eq!((hand.turn(), hand.options()), (Some(1), (80, None, None)));
    let mut hand = super::hand(&[80, 1000, 100, 1000], 0);
    // Seat 2 has 80 behind its blind; against the all-in of seat 0 only seat 3 could raise on.
    hand.act(&[(3, FOLD), (0, ALL_IN)]);
    assert_eq!(hand.options(), (70, Some(140), Some(1000)));
    hand.act(&[(1, CALL)]);
    assert_eq!((hand.turn(), hand.options()), (Some(2), (60, Some(100), Some(100))));
}

#[test]
fn once_nobody_can_bet_live_hands_are_shown_and_then_the_board() {
    let mut hand = hand(&[300, 300, 1000], 0);
    hand.act_only(0, ALL_IN);
    hand.act_only(1, FOLD);
    hand.act_only(2, CALL);
    assert_eq!((hand.board(), hand.is_open(0)), (0, false));
    hand.deal_once();
    assert!(hand.board() == 0 && hand.is_open(0) && hand.is_open(2) && !hand.is_open(1));
    hand.deal_once();
    assert_eq!((hand.board(), hand.ending()), (5, "showdown"));
}

#[test]
fn live_hands_are_shown_last_where_the_setup_says_so() {
    let mut hand = Hand::new(&Setup { early_allin_reveal: false, ..setup(&[300, 300, 1000], 0) });
    hand.act_only(0, ALL_IN);
    hand.act_only(1, FOLD);
    hand.act_only(2, CALL);
    hand.deal_once();
    assert!(hand.board() == 5 && !hand.is_open(0) && !hand.is_open(2));
    hand.deal_once();
    assert!(hand.is_open(0) && hand.is_open(2) && !hand.is_open(1));
    assert_eq!(hand.ending(), "showdown");
}

#[test]
fn one_player_left_takes_the_pot_and_shows_nothing() {
    let mut hand = hand(&[1000; 3], 0);
    hand.act(&[(0, to(60)), (1, FOLD), (2, CALL), (2, CHECK), (0, to(50)), (2, FOLD)]);
    assert_eq!((hand.ending(), hand.result()), ("all folded", vec![70, -10, -60]));
    assert!(hand.board() == 3 && !hand.is_open(0));
    assert_eq!(hand.pots(), [(130, seats(&[0]))]);
}

#[test]
fn time_out_checks_where_it_can_and_folds_where_it_cannot() {
    let mut hand = hand(&[1000; 3], 0);
    let default = |hand: &Hand, index| hand.rules().default_move(Known::public(hand.table.open()), seat(index));
    assert_eq!(default(&hand, 0), Some(table::Move::Act(FOLD)));
    assert_eq!(default(&hand, 1), None);
    hand.act(&[(0, CALL), (1, CALL)]);
    assert_eq!(default(&hand, 2), Some(table::Move::Act(CHECK)));
}

#[test]
fn refusals_are_told_in_words() {
    let told = [
        (Illegal::NotSeated, "the seat is not in this hand"),
        (Illegal::WrongPhase, "this cannot be done now"),
        (Illegal::NotYourTurn, "it is another seat's turn"),
        (Illegal::CheckNotAllowed { to_call: Chips(20) }, "there is a bet: calling costs 20"),
        (Illegal::NothingToCall, "there is nothing to call"),
        (Illegal::AmountOutOfRange { got: Chips(0) }, "a bet must be above zero, not 0"),
        (Illegal::NotEnoughChips { most: Chips(5), got: Chips(6) }, "at most 5 on this street (all-in), not 6"),
        (Illegal::RaiseTooSmall { least: Chips(40), got: Chips(25) }, "a bet or raise must go to at least 40, not 25"),
        (
            Illegal::RaiseNotAllowed(NoRaise::NotReopened),
            "cannot bet or raise: there has been no full raise since the seat acted",
        ),
    ];
    for (illegal, text) in told {
        assert_eq!(illegal.to_string(), text);
    }
}

#[test]
fn actions_are_written_as_words_and_totals() {
    let text = |action: Action| serde_json::to_string(&action).unwrap();
    assert_eq!([FOLD, CHECK, CALL, ALL_IN].map(text), ["\"fold\"", "\"check\"", "\"call\"", "\"all_in\""]);
    assert_eq!(text(to(40)), r#"{"raise_to":40}"#);
}
