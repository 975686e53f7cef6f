//! Whole hands, and what two players owe each other.

use cards::{Card, parse_cards};

use super::{Scripted, setup};
use crate::ongdu::{Class, HandRank, Preset, Setup, Special, Stakes, rank_hand};

const STAKES: Stakes = Stakes { foul: 10, special: 10 };

const PLAIN: &str = "2C 5C KC 2D 6D KD 2H 7H KH";
const FOUL: &str = "9C TC JC 2D 6D KD 2H 7H KH";
const FOUR: &str = "8C 8D 2C 8H 8S 3C TC TD 9C";
const NINES: &str = "9C TC JC 9D TD JD JH QH KH";

fn hand(text: &str, preset: Preset) -> HandRank {
    let cards = parse_cards(text).unwrap();
    let layers: Vec<[Card; 3]> = cards.chunks(3).map(|layer| layer.try_into().unwrap()).collect();
    rank_hand(layers.try_into().unwrap(), preset).unwrap()
}

fn class(text: &str) -> Class {
    hand(text, Preset::Seed).class
}

/// What the first hand gets from the second, and the other way round.
fn points(first: &str, second: &str) -> i64 {
    let [first, second] = [first, second].map(|text| hand(text, Preset::Seed));
    let compared = first.compare(&second, STAKES);
    assert_eq!(second.compare(&first, STAKES).points, -compared.points);
    compared.points
}

#[test]
fn layers_get_better_from_top_to_bottom_or_the_hand_is_foul() {
    assert_eq!(class(PLAIN), Class::Plain);
    assert_eq!(class(FOUL), Class::Foul);
    assert_eq!(class("2C 5C KC 9D TD KD 2H 6H KH"), Class::Foul);
    assert_eq!(class("2C 2D 2H 9D TD KD 3C 5C KC"), Class::Foul);
    // Equal layers are allowed.
    assert_eq!(class("2C 5C KC 2D 5D KD 2H 5H KH"), Class::Plain);
    assert_eq!(class("JC JD QC QD QH KC 2H 2D 2S"), Class::Special(Special::AllNine));
    assert_eq!(class("JC JD QC KC KD QD JH QH KH"), Class::Special(Special::AllNine));
}

#[test]
fn four_natural_cards_of_a_rank_are_special_anywhere() {
    assert_eq!(class(FOUR), Class::Special(Special::FourOfAKind));
    assert_eq!(class("8C TC 2C 8D TD 3C 8H 8S 4D"), Class::Foul);
    // A wildcard is no fourth card, but may lie beside four natural ones.
    assert_eq!(class("8C 8D 2C 8H JK 3C 9C TC JC"), Class::Plain);
    assert_eq!(class("8C 8D 2C 8H 8S JK QC QD JK"), Class::Special(Special::FourOfAKind));
    assert_eq!(class("8C 8D 2C 8H JK 3C 8S JK 4C"), Class::Special(Special::FourOfAKind));
    assert_eq!(class("5C 8D 2C JK 8H 8C JK 3C 8S"), Class::Foul);
}

#[test]
fn three_layers_of_nine_or_better_are_special_without_a_wildcard() {
    assert_eq!(class(NINES), Class::Special(Special::AllNine));
    assert_eq!(class("9C TC JC 9D TD JD 2H 2S 2C"), Class::Special(Special::AllNine));
    assert_eq!(class("8C TC JC 9D TD JD JH QH KH"), Class::Plain);
    assert_eq!(class("9C TC JC 9D TD JK JH QH KH"), Class::Plain);
    assert_eq!(class("9C TC JC JH QH KH 9D TD JD"), Class::Foul);
}

#[test]
fn the_author_wants_exactly_three_nines() {
    assert_eq!(hand(NINES, Preset::Author).class, Class::Plain);
    assert_eq!(hand("9C TC JC 9D TD JD 2H 3S 4C", Preset::Author).class, Class::Special(Special::AllNine));
    assert_eq!(hand("9C TC JC 9D TD JD 2H JK 4C", Preset::Author).class, Class::Plain);
    assert_eq!(hand(FOUR, Preset::Author).class, Class::Special(Special::FourOfAKind));
}

#[test]
fn whole_hands_come_before_layers() {
    assert_eq!(points(FOUR, NINES), 0);
    assert_eq!(points(FOUR, PLAIN), 10);
    assert_eq!(points(NINES, FOUL), 10);
    assert_eq!(points(FOUL, "4H TS JS 6H KS QS AC AD AH"), -10);
    assert_eq!(points(FOUL, FOUL), 0);
    let stakes = Stakes { foul: 4, special: 30 };
    let compare = |a, b| hand(a, Preset::Seed).compare(&hand(b, Preset::Seed), stakes).points;
    assert_eq!(compare(FOUL, FOUR), -30);
    assert_eq!(compare(PLAIN, FOUL), 4);
}

#[test]
fn each_layer_is_a_point_and_ties_are_nothing() {
    // Sums 7, 8, 9 against 7, 9, three twos.
    let better = "7D TC QD 9D TD JD 2H 2S 2D";
    assert_eq!(class(better), Class::Plain);
    assert_eq!(points(PLAIN, better), -2);
    let compared = hand(PLAIN, Preset::Seed).compare(&hand(better, Preset::Seed), STAKES);
    assert_eq!(compared.layers, Some([0, -1, -1]));
    assert_eq!(points(PLAIN, PLAIN), 0);
    // One layer each way.
    assert_eq!(points(PLAIN, "8H TC QD 8D TD JD 8S TH QH"), 0);
}

#[test]
fn the_author_counts_layers_by_the_winner() {
    let [first, second] = ["7D TC QD 9D TD JD 2H 2S 2D", PLAIN].map(|text| hand(text, Preset::Author));
    // Tied sums of 7; a sum of 9 in one suit; three of a kind.
    assert_eq!(first.compare(&second, STAKES).layers, Some([0, 3, 5]));
    assert_eq!(second.compare(&first, STAKES).points, -8);
}

#[test]
fn everybody_settles_with_everybody() {
    let hands = ["2C 5C KC 2D 6D KD 2H 7H KH", "9C TC JC 2S 6C KS 3C 7C QC", "7D TD QD 9D TH JD 3D 3H 3S"];
    // Seat 1 is foul and pays ten to each; seat 2 wins two layers against seat 0.
    assert_eq!(Scripted::play(&setup(3), &hands), [8, -20, 12]);
    let rich = Setup { point_value: table::Chips(25), foul: 4, ..setup(3) };
    assert_eq!(Scripted::play(&rich, &hands), [50, -200, 150]);
    let author = Setup { preset: Preset::Author, ..setup(3) };
    // Seat 2 has a nine of two suits, one point, and three threes, five.
    assert_eq!(Scripted::play(&author, &hands), [4, -20, 16]);
}
