//! What may be played on what.

use cards::{Card, parse_cards};
use proptest::prelude::*;

use crate::bigc::{Footstool, classify, on_top};

const ILLEGAL: Option<Footstool> = None;
const NONE: Option<Footstool> = Some(Footstool::None);
const HALF: Option<Footstool> = Some(Footstool::Half);
const FULL: Option<Footstool> = Some(Footstool::Full);

fn onto(previous: &str, new: &str) -> Option<Footstool> {
    with_low(previous, new, false)
}

fn with_low(previous: &str, new: &str, low: bool) -> Option<Footstool> {
    let hand = |text: &str| classify(&parse_cards(text).unwrap()).unwrap();
    on_top(&hand(new), &hand(previous), low)
}

#[test]
fn the_vectors_of_the_rule_book_are_footstools_as_it_says() {
    for (previous, new, expected) in [
        ("4C 4H", "4D 4S", HALF),
        ("4D 4C 4S", "5D 5C 5S", HALF),
        ("4D 4C 4S", "5C 5H 5S", NONE),
        ("4D 4C 4S", "5D JK JK", HALF),
        ("4D 4C 4H", "5D 5C 5S", NONE),
        ("4D 4S", "4C 4S", HALF),
        ("4D 4S", "4D 4S", FULL),
        ("2S", "3D", ILLEGAL),
        ("4S", "4S", FULL),
        ("4S", "5D", HALF),
        ("3D 4D 6D 9D TD", "5C 6C 7C 9C TC", HALF),
        ("3D 4D 6D 9D TD", "3D 5D 6D 8D TD", FULL),
        ("3D 4D 6D 9D TD", "3C 4C 6C 9C 2C", NONE),
        ("3D 4C 4H 9D 9C", "5D 4D 4S 9D 9H", HALF),
        ("3D 4C 4H 9D 9C", "3C 4C 4H 9D 9C", FULL),
        ("3D 4C 4H 2D 2C", "9S 5D 5S 2D 2C", ILLEGAL),
        ("4D 4C 4H 9D 9C", "4D 4C 4S 9D 9H", HALF),
        ("4D 4C 4H 4S 9C", "5D 5C 5H 5S 3D", HALF),
        ("4D 4C 4H 4S 9C", "5D JK JK JK 3C", HALF),
        ("4D 4C 4H 4S 9C", "4D 4C 4S 4H 2C", FULL),
    ] {
        assert_eq!(onto(previous, new), expected, "{previous} -> {new}");
    }
}

#[test]
fn a_higher_class_beats_but_never_footstools() {
    assert_eq!(onto("4D 5D 6D 9D TD", "3D 4C 5S 6H 7D"), NONE);
    assert_eq!(onto("3S 4C 5S 6H 7D", "4D 5D 6D 9D 2D"), ILLEGAL);
    assert_eq!(onto("2D 2C 2H 2S 3D", "3D 3C 3H 3S 3D"), NONE);
}

#[test]
fn hands_of_another_number_of_cards_cannot_be_compared() {
    assert_eq!(onto("3D", "4D 4C"), ILLEGAL);
    assert_eq!(onto("3D 3C 3H", "4D 4C 4H 5S 5D"), ILLEGAL);
}

#[test]
fn two_pair_are_higher_only_by_the_high_pair() {
    assert_eq!(onto("3D 4C 4H 9D 9C", "3D 4D 4C 9D 9H"), NONE);
    assert_eq!(onto("3D 8C 8H 9D 9C", "3D 4D 4C TD TH"), NONE);
    assert_eq!(onto("3D 4D 4C 9D 9C", "3D 4C 4H 9D 9C"), ILLEGAL);
    assert_eq!(onto("3D 8C 8H 9D 9C", "3D 4D 4C 9D 9C"), ILLEGAL);
}

#[test]
fn a_full_house_is_higher_by_its_triple_or_with_equal_triples_by_its_pair() {
    assert_eq!(onto("4D 4C 4H 9D 9C", "4D 4C 4H 9D 9H"), NONE);
    assert_eq!(onto("4D 4C 4H 9D 9C", "4D 4C 4H 8D 8H"), ILLEGAL);
    assert_eq!(onto("4D 4C 4H 9D 9C", "4D 4C 4H 9D 9C"), FULL);
    assert_eq!(onto("4D 4C 4H 9D 9C", "4D 4C 4S 3D 3H"), NONE);
}

#[test]
fn jokers_are_the_lowest_cards_of_a_pair_or_triple() {
    assert_eq!(onto("4S JK", "4D 4S"), HALF);
    assert_eq!(onto("4D 4S", "4S JK"), ILLEGAL);
    assert_eq!(onto("4S JK", "4S JK"), FULL);
    assert_eq!(onto("4H 4C 4D", "4S JK JK"), HALF);
}

#[test]
fn five_of_a_kind_are_footstooled_like_four() {
    assert_eq!(onto("4D 4C 4H 4S JK", "5D 5C 5H 5S JK"), HALF);
    assert_eq!(onto("4D 4C 4H 4S JK", "5C 5H 5S 5S JK"), NONE);
    assert_eq!(onto("4D 4C 4H 4S JK", "4D 4D 4H 4S JK"), FULL);
    assert_eq!(onto("4D 4C 4H 4H JK", "4D 4D 4H 4S JK"), HALF);
}

#[test]
fn a_two_joker_triple_can_be_the_lowest_of_its_rank() {
    assert_eq!(with_low("4H 4C 4D", "4S JK JK", true), ILLEGAL);
    assert_eq!(with_low("4S JK JK", "4H 4C 4D", true), NONE);
    assert_eq!(with_low("4S JK JK", "4H 4C 4D", false), ILLEGAL);
    assert_eq!(with_low("4S JK JK", "4S 4D JK", true), HALF);
    assert_eq!(with_low("4S JK JK", "4S JK JK", true), FULL);
    assert_eq!(with_low("4D JK JK", "4C JK JK", true), HALF);
    assert_eq!(with_low("4D 4C 4S", "5D JK JK", true), HALF);
    assert_eq!(with_low("4D 4C 4S", "3S JK JK", true), ILLEGAL);
}

fn some_cards(n: usize) -> impl Strategy<Value = Vec<Card>> {
    prop::collection::vec(prop_oneof![4 => 0..52u8, 1 => Just(52u8)], n)
        .prop_map(|codes| codes.into_iter().map(|code| Card::from_code(code).unwrap()).collect())
}

proptest! {
    #[test]
    fn of_two_hands_at_most_one_is_higher_and_equals_are_mutual(
        (a, b) in prop_oneof![Just(1usize), Just(2), Just(3), Just(5)].prop_flat_map(|n| (some_cards(n), some_cards(n))),
        low: bool,
    ) {
        let (Ok(a), Ok(b)) = (classify(&a), classify(&b)) else { return Ok(()) };
        prop_assert_eq!(on_top(&a, &a, low), FULL);
        match (on_top(&a, &b, low), on_top(&b, &a, low)) {
            (Some(Footstool::Full), other) => prop_assert_eq!(other, FULL),
            (Some(_), other) => prop_assert_eq!(other, ILLEGAL),
            (ILLEGAL, other) => prop_assert!(other != FULL),
        }
    }
}
