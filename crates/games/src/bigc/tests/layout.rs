//! Hands as they lie on the table.

use cards::{CardList, parse_cards};
use table::{Eye, Faces, Known, Rules as _, Slot};

use super::help::{Script, setup};
use crate::bigc::{Few, Setup};

/// These cards, laid out.
fn laid_out(cards: &str) -> String {
    let slots: Vec<Slot> = (0..5).map(|i| Slot::new(0, i)).collect();
    let cards = parse_cards(cards).unwrap();
    let faces: Faces = slots.iter().copied().zip(cards.iter().copied()).collect();
    let few = Few::new(&slots[..cards.len()]).unwrap();
    let laid: Vec<_> = few.laid_out(&faces).into_iter().map(|held| held.card.unwrap()).collect();
    CardList(&laid).to_string().replace(',', " ")
}

#[test]
fn cards_of_one_rank_or_suit_lie_from_low_to_high() {
    assert_eq!(laid_out("7S 7D"), "7D 7S");
    assert_eq!(laid_out("JK 9S 9C"), "9C 9S JK");
    assert_eq!(laid_out("AH 3H 9H 2H 7H"), "3H 7H 9H AH 2H");
    assert_eq!(laid_out("AH JK 9H 3H 7H"), "3H 7H 9H AH JK");
    assert_eq!(laid_out("8S 8D JK 8H 8D"), "8D 8D 8H 8S JK");
}

#[test]
fn a_straight_lies_in_a_row() {
    assert_eq!(laid_out("7S 3D 5C 4D 6H"), "3D 4D 5C 6H 7S");
    assert_eq!(laid_out("2S KD AC JD QH"), "JD QH KD AC 2S");
    assert_eq!(laid_out("5S 4D 3C 2D AH"), "AH 2D 3C 4D 5S");
    assert_eq!(laid_out("6S 5S 4S 3S 2S"), "2S 3S 4S 5S 6S");
}

#[test]
fn a_joker_in_a_straight_fills_the_gap_or_stands_below() {
    assert_eq!(laid_out("8S JK 5D 6C 9D"), "5D 6C JK 8S 9D");
    assert_eq!(laid_out("8S JK 5D JK 9D"), "5D JK JK 8S 9D");
    assert_eq!(laid_out("8S 7D 6C 5D JK"), "JK 5D 6C 7D 8S");
    assert_eq!(laid_out("AS KS QS JS JK"), "JK JS QS KS AS");
    assert_eq!(laid_out("4D 3C JK 5S AH"), "AH JK 3C 4D 5S");
    assert_eq!(laid_out("3D JK 4S AC 2H"), "AC 2H 3D 4S JK", "there is no straight below the ace");
}

#[test]
fn what_counts_lies_together_and_the_weightier_part_first() {
    assert_eq!(laid_out("4D 9S 4S 9C KH"), "9C 9S 4D 4S KH");
    assert_eq!(laid_out("4D 9S 4S 9C 4H"), "4D 4H 4S 9C 9S");
    assert_eq!(laid_out("6D TS 6S 6C 6H"), "6D 6C 6H 6S TS");
}

#[test]
fn a_joker_lies_with_the_part_that_it_completes() {
    assert_eq!(laid_out("JK 4D 9S 4S 9C"), "9C 9S JK 4D 4S");
    assert_eq!(laid_out("JK 4D 9S 4S QC"), "QC JK 4D 4S 9S");
    assert_eq!(laid_out("JK TS 6S 6C 6H"), "6C 6H 6S JK TS");
    assert_eq!(laid_out("JK JK 4D 9S QC"), "QC JK 9S JK 4D");
    assert_eq!(laid_out("JK JK JK 4D QS"), "QS JK JK JK 4D");
}

#[test]
fn what_is_no_hand_stays_as_it_is() {
    assert_eq!(laid_out("9S 4D"), "9S 4D");
    assert_eq!(laid_out("9S 4D 5D 5C KH"), "9S 4D 5D 5C KH");
    let slot = Slot::new(0, 3);
    let unknown = Few::new(&[slot]).unwrap().laid_out(&Faces::default());
    assert_eq!(unknown.iter().map(|held| (held.slot, held.card)).collect::<Vec<_>>(), [(slot, None)]);
}

#[test]
fn everybody_sees_a_hand_laid_out() {
    let setup = Setup { hand_size: 6, ..setup(2) };
    let mut script = Script::begun(&setup, &["AH 3H 9H 2H 7H 3D", "4D 4S 5D 5S 6D 6S"], "");
    script.play(0, "AH 3H 9H 2H 7H");
    let view = script.table.rules().view(Known::public(script.table.open()), Eye::Public);
    let cards: Vec<_> = view.table.unwrap().cards.iter().map(|held| held.card.unwrap()).collect();
    assert_eq!(cards, parse_cards("3H 7H 9H AH 2H").unwrap());
}
