//! Main pot, side pots, split pots and odd chips.

use super::super::score;
use super::*;

fn pots_of(total: &[i64], live: &[u8], dead: i64) -> Vec<(i64, Seats)> {
    score::pots(&per_seat(total), seats(live), Chips(dead)).map(|pot| (pot.amount.0, pot.eligible)).collect()
}

#[test]
fn side_pots_hold_what_each_could_match() {
    assert_eq!(pots_of(&[50, 150, 150], &[0, 1], 0), [(150, seats(&[0, 1])), (200, seats(&[1]))]);
    assert_eq!(pots_of(&[100, 200, 200], &[1, 2], 0), [(500, seats(&[1, 2]))]);
    assert_eq!(
        pots_of(&[10, 20, 30], &[0, 1, 2], 0),
        [(30, seats(&[0, 1, 2])), (20, seats(&[1, 2])), (10, seats(&[2]))]
    );
}

#[test]
fn what_nobody_live_has_reached_belongs_to_the_last_pot() {
    assert_eq!(pots_of(&[50, 80, 200], &[0, 1], 0), [(150, seats(&[0, 1])), (180, seats(&[1]))]);
    assert_eq!(pots_of(&[50, 50, 200], &[0, 1], 0), [(300, seats(&[0, 1]))]);
}

#[test]
fn dead_money_belongs_to_the_main_pot() {
    assert_eq!(pots_of(&[20, 40, 40], &[0, 1, 2], 7), [(67, seats(&[0, 1, 2])), (40, seats(&[1, 2]))]);
    assert_eq!(pots_of(&[0, 40, 40], &[0, 1, 2], 7), [(7, seats(&[0, 1, 2])), (80, seats(&[1, 2]))]);
    assert_eq!(pots_of(&[0, 0], &[0, 1], 0), []);
}

#[test]
fn odd_chips_go_clockwise_from_left_of_the_button() {
    let split = |amount, among: &[u8], button| {
        let mut won = PerSeat::new(4);
        score::split(Chips(amount), seats(among), seat(button), &mut won);
        won.iter().map(|chips: &Chips| chips.0).collect::<Vec<_>>()
    };
    assert_eq!(split(101, &[1, 3], 2), [0, 50, 0, 51]);
    assert_eq!(split(101, &[1, 3], 3), [0, 51, 0, 50]);
    assert_eq!(split(11, &[0, 1, 2], 0), [3, 4, 4, 0]);
    assert_eq!(split(2, &[0, 1, 2], 1), [1, 0, 1, 0]);
}

#[test]
fn the_best_hand_takes_the_main_pot_and_the_next_the_side_pot() {
    let cards = [(0, "Ac Ad"), (1, "Kc Kd"), (2, "Qc Qd"), (3, "2c 7d")];
    let setup = setup(&[100, 300, 900, 900], 3);
    let mut hand = Hand::with_cards(&setup, &cards, "3h 4h 9s Ts Jh");
    hand.act(&[(2, to(300)), (3, FOLD), (0, ALL_IN), (1, ALL_IN)]);
    assert_eq!(hand.pots(), [(300, seats(&[0, 1, 2])), (400, seats(&[1, 2]))]);
    assert_eq!(hand.result(), [200, 100, -300, 0]);
}

#[test]
fn what_nobody_called_goes_back() {
    let cards = [(0, "2c 7d"), (1, "Ac Ad"), (2, "Kc Kd")];
    let mut hand = Hand::with_cards(&setup(&[900, 300, 900], 0), &cards, "3h 4h 9s Ts Jh");
    hand.act(&[(0, to(60)), (1, ALL_IN), (2, FOLD)]);
    hand.act(&[(0, CALL)]);
    assert_eq!(hand.stacks(), [600, 620, 880]);
    let mut hand = Hand::with_cards(&setup(&[900, 300, 900], 0), &cards, "3h 4h 9s Ts Jh");
    hand.act(&[(0, to(700)), (1, CALL), (2, FOLD)]);
    assert_eq!((hand.stacks(), hand.pots()), (vec![600, 620, 880], vec![(620, seats(&[0, 1]))]));
}

#[test]
fn a_raise_that_folds_everybody_wins_only_what_they_put_in() {
    let mut hand = hand(&[900; 3], 0);
    hand.act(&[(0, to(60)), (1, to(200)), (2, FOLD), (0, FOLD)]);
    assert_eq!(hand.result(), [-60, 80, -20]);
    assert_eq!(hand.pots(), [(140, seats(&[1]))]);
}

#[test]
fn equal_hands_split_each_pot_on_its_own() {
    // The board plays for all: 15 of seat 0 make a main pot of 45, the side pot is 2 x 10.
    let cards = [(0, "2c 3d"), (1, "2d 3c"), (2, "2h 3h")];
    let mut hand = Hand::with_cards(&setup(&[15, 25, 25], 0), &cards, "As Ks Qs Js Ts");
    hand.act(&[(0, ALL_IN), (1, ALL_IN), (2, CALL)]);
    assert_eq!(hand.result(), [0, 0, 0]);
    // With a folded small blind of 10, 25 chips are split: the odd one is seat 2's, left of the button.
    let cards = [(0, "2c 3d"), (2, "2h 3h")];
    let small = Setup { small_blind: Chips(7), ..setup(&[500; 3], 0) };
    let mut hand = Hand::with_cards(&small, &cards, "As Ks Qs Js Ts");
    hand.act(&[(0, CALL), (1, FOLD), (2, CHECK)]);
    hand.act(&[(2, CHECK), (0, CHECK), (2, CHECK), (0, CHECK), (2, CHECK), (0, CHECK)]);
    assert_eq!(hand.result(), [3, -7, 4]);
}

#[test]
fn best_five_of_seven_with_kickers_and_the_low_ace() {
    let play = |one: &str, other: &str, board: &str| {
        let mut hand = Hand::with_cards(&setup(&[100, 100], 0), &[(0, one), (1, other)], board);
        hand.act(&[(0, ALL_IN), (1, CALL)]);
        hand.result()
    };
    assert_eq!(play("Ac 9d", "Kc 9h", "9s 5h 2d 3c Jh"), [100, -100]);
    assert_eq!(play("Ac 2d", "Kc Kd", "3s 4h 5d Kh Th"), [100, -100]);
    assert_eq!(play("Ac 2d", "6c 7d", "3s 4h 5d Kh Th"), [-100, 100], "five high loses to seven high");
    assert_eq!(play("As 2s", "Ad 3d", "Kh Kc Qh Qd Jc"), [0, 0], "suits and sixth cards never count");
}

#[test]
fn a_showdown_needs_every_live_hand() {
    let mut hand = hand(&[100, 100], 0);
    hand.act_only(0, ALL_IN);
    hand.act_only(1, CALL);
    let slot = hand.rules().hole(seat(1)).slots().next().unwrap();
    let mut faces = hand.faces.clone();
    faces.remove(slot);
    assert_eq!(hand.table.dealt(hand.table.height(), &faces), Err(Refused::NotShown(slot)));
}
