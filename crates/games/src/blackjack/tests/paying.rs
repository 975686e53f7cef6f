//! What hands are paid, and how the players compare.

use super::*;
use crate::blackjack::{Ground, Verdict};
use Action::{Bust, Double, Hit, Split, Stand, Surrender};

/// Seat 0 plays with this hand; seat 1 has 20 and stands. Gives what seat 0 wins.
fn against(words: &str, hand: &str, bank: &str, drawn: &str, bet: i64, actions: &[Action]) -> i64 {
    let mut round = Round::with(words, &[hand, "TC TD"], bank, drawn);
    round.bet(&[bet, 10]);
    round.act(0, actions);
    round.act(1, &[Stand]);
    round.result()[0]
}

#[test]
fn a_natural_wins_three_for_two_rounded_down() {
    assert_eq!(against("", "AS KS", "TH QH", "", 15, &[Stand]), 22);
}

#[test]
fn a_natural_can_be_set_to_win_less() {
    assert_eq!(against("blackjack_pays=6:5", "AS KS", "TH QH", "", 18, &[Stand]), 21);
    assert_eq!(against("blackjack_pays=1:1", "AS KS", "TH QH", "", 15, &[Stand]), 15);
}

#[test]
fn two_naturals_are_a_push() {
    assert_eq!(against("", "AS KS", "AH QH", "", 15, &[Stand]), 0);
}

#[test]
fn a_natural_beats_a_bank_that_draws_to_21() {
    assert_eq!(against("", "AS KS", "5H 6H", "TH", 20, &[Stand]), 30);
}

#[test]
fn a_bank_natural_beats_21_in_three_cards() {
    assert_eq!(against("", "5S 6S", "AH QH", "TS", 10, &[Hit, Stand]), -10);
}

#[test]
fn a_bank_natural_takes_only_the_first_stake_of_a_doubled_hand() {
    assert_eq!(against("", "5S 6S", "AH QH", "9S", 10, &[Double]), -10);
}

#[test]
fn a_bank_natural_takes_only_the_first_stake_of_split_hands() {
    assert_eq!(against("", "8S 8H", "AH QH", "TS TH", 10, &[Split, Stand, Stand]), -10);
}

#[test]
fn a_hand_that_is_bust_loses_all_of_its_stake_to_a_bank_natural_too() {
    // The first hand is lost as the first bet, the second because it is bust.
    assert_eq!(against("", "8S 8H", "AH QH", "TS TH TD", 10, &[Split, Stand, Hit, Bust]), -20);
    assert_eq!(against("", "8S 8H", "AH QH", "TS TH TD", 10, &[Split, Hit, Bust, Stand]), -10);
}

#[test]
fn split_aces_with_a_ten_are_21_and_no_natural() {
    // Both get one card and are finished; seat 1 is next at once.
    assert_eq!(against("", "AS AH", "TH QH", "KS 9S", 10, &[Split]), 10);
}

#[test]
fn an_ace_on_a_split_ten_is_21_and_no_natural() {
    assert_eq!(against("", "KS KH", "TH QH", "AS AH", 10, &[Split, Stand, Stand]), 20);
}

#[test]
fn split_21_loses_against_a_bank_natural() {
    assert_eq!(against("", "KS KH", "AD QH", "AS AH", 10, &[Split, Stand, Stand]), -10);
}

#[test]
fn the_higher_total_wins_and_equal_totals_push() {
    assert_eq!(against("", "TS 9S", "TH 8H", "", 10, &[Stand]), 10);
    assert_eq!(against("", "TS 8S", "TH 8H", "", 10, &[Stand]), 0);
    assert_eq!(against("", "TS 7S", "TH 8H", "", 10, &[Stand]), -10);
}

#[test]
fn a_bank_above_21_pays_every_hand_that_is_not() {
    assert_eq!(against("", "TS 2S", "TH 6H", "KH", 10, &[Stand]), 10);
}

#[test]
fn a_bust_hand_loses_even_if_the_bank_is_bust_too() {
    assert_eq!(against("", "TS 6S", "TH 6H", "KS KH", 10, &[Hit, Bust]), -10);
}

#[test]
fn a_doubled_hand_wins_or_loses_twice_the_bet() {
    assert_eq!(against("", "5S 6S", "TH QH", "TS", 10, &[Double]), 20);
    assert_eq!(against("", "5S 6S", "TH QH", "2S", 10, &[Double]), -20);
}

#[test]
fn a_doubled_hand_above_21_is_found_bust_when_it_is_shown() {
    assert_eq!(against("", "TS 6S", "TH 6H", "KS KH", 10, &[Double]), -20);
}

#[test]
fn each_split_hand_is_paid_on_its_own() {
    let mut round = Round::new(&["8S 8H", "TC TD"], "TH 9H", "TS 2H TD");
    round.bet(&[10, 10]);
    round.act(0, &[Split, Stand, Hit, Stand]);
    round.act(1, &[Stand]);
    assert_eq!(round.result(), [0, 10]);
    let hands = &round.public().players[0].hands;
    assert_eq!(hands.iter().map(|hand| hand.verdict).collect::<Vec<_>>(), [Some(Verdict::Lose), Some(Verdict::Win)]);
}

#[test]
fn surrendering_loses_all_stakes_and_the_others_play_on() {
    let mut round = Round::new(&["AS KS", "TC TD", "TS 8S"], "TH 9H", "");
    round.bet(&[30, 10, 10]);
    round.act(0, &[Surrender]);
    assert_eq!(round.refusal(0, Stand), Illegal::NotSeated);
    round.act(1, &[Stand]);
    round.act(2, &[Stand]);
    assert_eq!(round.result(), [-30, 10, -10]);
    assert_eq!(round.deal_state().left(), Seats::one(seat(0)));
}

#[test]
fn the_round_is_compared_with_the_mean_of_the_others() {
    // 19, 20 and 18 against 19: seat 0 is even, as the others are on average.
    let mut round = Round::new(&["TS 9S", "TC TD", "TH 8C"], "TH 9H", "");
    round.bet(&[10, 10, 10]);
    assert_eq!(round.public().players[0].ground, None);
    (0..3).for_each(|index| round.act(index, &[Stand]));
    assert_eq!(round.result(), [0, 10, -10]);
    assert!(!round.public().everybody_lost());
    let ground: Vec<_> = round.public().players.iter().map(|player| player.ground).collect();
    assert_eq!(ground, [Some(Ground::Same), Some(Ground::Gained), Some(Ground::Lost)]);
}

#[test]
fn nobody_gains_ground_if_all_have_lost() {
    let mut round = Round::new(&["TS 7S", "TC 8D"], "TH 9H", "");
    round.bet(&[10, 50]);
    (0..2).for_each(|index| round.act(index, &[Stand]));
    assert_eq!(round.result(), [-10, -50]);
    assert!(round.public().players.iter().all(|player| player.ground == Some(Ground::Same)));
    assert!(round.public().everybody_lost());
    let text = serde_json::to_value(round.public()).expect("json");
    assert_eq!(text["players"][0]["ground"], "no change");
    assert_eq!(text["players"][0]["hands"][0]["verdict"], "lose");
}
