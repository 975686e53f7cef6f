//! Three cards: what they are and which are better.

use cards::{Card, Rank};

use super::three;
use crate::ongdu::score::{rank, value_layer};
use crate::ongdu::{Category, LayerRank, Preset, rank_layer};

fn seed(text: &str) -> LayerRank {
    rank_layer(three(text), Preset::Seed).unwrap()
}

fn author(text: &str) -> LayerRank {
    rank_layer(three(text), Preset::Author).unwrap()
}

fn is(text: &str, number: u8, value: u8) {
    let rank = seed(text);
    assert_eq!((rank.category().number(), rank.value()), (number, value), "{text} is {rank}");
}

#[test]
fn layers_are_ranked_as_in_the_rule_book() {
    is("JS QS JK", 2, 0);
    is("JS QH JK", 3, 0);
    is("KS KH JK", 4, 13);
    is("5C JK JK", 4, 5);
    is("JK JK JK", 2, 0);
    is("KC 5C JK", 6, 9);
    is("KC QC TC", 6, 0);
    is("JC JD QC", 5, 0);
    is("TC TD TH", 1, 10);
    is("AC 4C 4D", 6, 9);
}

#[test]
fn a_wildcard_is_read_as_whatever_is_best() {
    for court in ["JC", "QD", "KS"] {
        is(&format!("JK {court} JK"), 2, 0);
    }
    is("JK AS JK", 4, 14);
    is("KD JK JD", 2, 0);
    is("2D 2H JK", 4, 2);
    is("JK 9C 9D", 4, 9);
    is("AC AD JK", 4, 14);
    is("KD JK AD", 6, 9);
    is("2D 3D JK", 6, 9);
    is("TD JD JK", 6, 9);
}

#[test]
fn natural_layers_need_all_their_cards() {
    is("JC QC KC", 2, 0);
    is("JC QC KD", 3, 0);
    is("QC KC AC", 6, 1);
    is("TC JC QC", 6, 0);
    is("KC KD QC", 5, 0);
    is("2C 3C 4C", 6, 9);
    is("9C 8C 7C", 6, 4);
    is("AC AD AH", 1, 14);
    is("2C 2D 2H", 1, 2);
    is("AC AD 2C", 6, 4);
}

#[test]
fn categories_and_values_are_in_order() {
    let ascending = [
        "KC QC TC", "TC KD AC", "AC AD TH", "2C TC AD", "2C 2D TC", "5C TC JC", "6C TC JC", "7C TC JC", "8C TC JC",
        "9C TC JC", "JC JD QC", "2C 2D JK", "9C JK JK", "TC TD JK", "KC KD JK", "AC AD JK", "JC QD KC", "JC QC KC",
        "2C 2D 2H", "TC TD TH", "KC KD KH", "AC AD AH",
    ];
    let ranks = ascending.map(seed);
    assert!(ranks.is_sorted_by(|a, b| a < b), "{ranks:?}");
    assert_eq!(seed("JC JD QC"), seed("KC KD QH"));
    assert_eq!(seed("JC QC KC"), seed("JK JK JK"));
    assert_eq!(seed("5C JK JK"), seed("5D 5H JK"));
}

/// What three natural cards are, told as the rule book does.
fn natural(cards: [Card; 3], preset: Preset) -> (u8, u8) {
    let mut ranks = cards.map(|card| card.rank().unwrap());
    ranks.sort();
    let [low, middle, high] = ranks;
    let suit = cards[0].suit();
    if low == middle && middle == high {
        (1, high.number())
    } else if ranks == [Rank::Jack, Rank::Queen, Rank::King] {
        (if cards.iter().all(|card| card.suit() == suit) { 2 } else { 3 }, 0)
    } else if ranks.iter().all(|rank| [Rank::Jack, Rank::Queen, Rank::King].contains(rank)) {
        (5, if preset == Preset::Author { ranks.iter().map(|rank| rank.number()).sum() } else { 0 })
    } else {
        let pips = |rank: Rank| match rank {
            Rank::Ace => 1,
            Rank::Ten | Rank::Jack | Rank::Queen | Rank::King => 10,
            small => small.number(),
        };
        (6, ranks.into_iter().map(pips).sum::<u8>() % 10)
    }
}

/// Every card that a card can stand for.
fn readings(card: Card) -> Vec<Card> {
    if card.is_joker() { Card::naturals().collect() } else { vec![card] }
}

#[test]
fn every_layer_is_as_good_as_its_best_reading() {
    let faces: Vec<Card> = Card::naturals().chain([Card::JOKER]).collect();
    for preset in [Preset::Seed, Preset::Author] {
        for (i, a) in faces.iter().enumerate() {
            for (j, b) in faces.iter().enumerate().skip(i) {
                for c in faces.iter().skip(j) {
                    let cards = [*a, *b, *c];
                    let wild = cards.contains(&Card::JOKER);
                    let mut best = (9, 0);
                    for x in readings(*a) {
                        for y in readings(*b) {
                            for z in readings(*c) {
                                let (mut number, value) = natural([x, y, z], preset);
                                if wild && number == 1 {
                                    number = 4;
                                }
                                if number < best.0 || (number == best.0 && value > best.1) {
                                    best = (number, value);
                                }
                            }
                        }
                    }
                    let found = rank(cards, preset);
                    assert_eq!((found.category().number(), found.value()), best, "{cards:?}");
                }
            }
        }
    }
}

#[test]
fn the_order_of_the_cards_does_not_matter() {
    for text in ["JS QS JK", "KC 5C JK", "5C JK JK", "AC 4C 4D", "JC JD QC", "JC QD KC"] {
        let [a, b, c] = three(text);
        for cards in [[a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]] {
            assert_eq!(rank_layer(cards, Preset::Seed), Some(seed(text)), "{text}");
        }
    }
}

#[test]
fn the_author_compares_court_cards_by_their_sum() {
    let ascending = ["JC JD QC", "JC JD KC", "QC QD KC", "QC KD KC"].map(author);
    assert!(ascending.is_sorted_by(|a, b| a < b));
    assert_eq!(ascending.map(LayerRank::value), [34, 35, 37, 38]);
    assert_eq!(author("JC QD QC"), author("JC JD KC"));
    assert!(author("QC KD KC") < author("2C 2D JK"));
    assert!(author("JC JD QC") > author("9C TC JC"));
}

#[test]
fn the_author_gives_more_points_for_better_layers() {
    let worth = |text, preset| value_layer(three(text), preset).1;
    let points = [
        ("2C 2D 2H", 5),
        ("2C 2D JK", 5),
        ("5C JK JK", 5),
        ("JC QC KC", 3),
        ("JK JK JK", 3),
        ("JC QC KD", 3),
        ("JC JD KC", 3),
        ("2C 3C 4C", 3),
        ("2C 5C JK", 3),
        ("2C 3D 4C", 1),
        ("2C 5D JK", 1),
        ("KC QC TC", 3),
    ];
    for (text, expected) in points {
        assert_eq!(worth(text, Preset::Author), expected, "{text}");
        assert_eq!(worth(text, Preset::Seed), 1, "{text}");
    }
}

#[test]
fn layers_have_names() {
    let names =
        ["7C 7D 7H", "JC QC KC", "JC QC KD", "6C 6D JK", "JC JD QC", "AC 4C 4D"].map(|text| seed(text).to_string());
    let expected = [
        "three sevens",
        "jack, queen, king of one suit",
        "jack, queen, king",
        "three sixes with a joker",
        "three court cards",
        "sum 9",
    ];
    assert_eq!(names, expected);
    assert_eq!(serde_json::to_string(&seed("7C 7D 7H")).unwrap(), r#"{"category":"three","value":7}"#);
}

#[test]
fn a_place_tells_a_layer() {
    for place in 0..LayerRank::COUNT {
        assert_eq!(LayerRank::at(place).place(), place);
    }
    let categories: Vec<Category> = (0..LayerRank::COUNT).map(|place| LayerRank::at(place).category()).collect();
    assert!(categories.is_sorted());
    assert_eq!(seed("AC AD AH").place(), LayerRank::COUNT - 1);
    assert_eq!(seed("KC QC TC").place(), 0);
}

#[test]
fn lots_are_no_cards_of_this_game() {
    let lot = Card::lot(3).unwrap();
    assert_eq!(rank_layer([lot, Card::JOKER, Card::JOKER], Preset::Seed), None);
}
