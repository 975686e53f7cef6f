//! Blackjack's screen: what is said of totals, and matches of random moves.

use games::blackjack::Ground;

use super::*;
use crate::play::testing::screens_hold;

#[test]
fn every_position_can_be_looked_at() {
    screens_hold::<Blackjack>(2, &[], 8, 1);
    screens_hold::<Blackjack>(4, &[("max_split_hands", "4"), ("split_by_value", "true"), ("decks", "1")], 10, 2);
    screens_hold::<Blackjack>(3, &[("tie_rounds", "2"), ("rounds", "2")], 4, 3);
}

#[test]
fn totals_are_told_in_words() {
    let total = |points, soft, natural| total_text(Total { points, soft, natural });
    assert_eq!(total(18, true, false), "soft 18");
    assert_eq!(total(18, false, false), "18");
    assert_eq!(total(21, true, true), "21, a natural");
    assert_eq!(total(24, false, false), "24, bust");
}

#[test]
fn a_player_who_loses_with_everybody_is_not_told_that_they_lost_no_ground() {
    assert_eq!(telling::compared(Ground::Same, true), "everybody lost");
    assert_eq!(telling::compared(Ground::Same, false), "neither gained nor lost ground");
}

#[test]
fn the_bank_shows_what_its_first_card_counts() {
    let says = |card: &str| shows(card.parse().unwrap());
    assert_eq!(says("Ks"), "10");
    assert_eq!(says("7d"), "7");
    assert_eq!(says("Ah"), "ace (1 or 11)");
}
