//! Which cards make a meld, against the rules written out the long way.

use cards::{Card, Rank, Suit};
use table::Slot;

use crate::romme::meld::{Flaw, Meld, Part, Shape};
use crate::romme::score::in_hand;

use super::{card, seat};

/// `5S JK=6S JK` as parts, with slots in order.
fn parts(text: &str) -> Vec<Part> {
    let part = |(index, word): (u16, &str)| {
        let (face, name) = word.split_once('=').map_or((word, None), |(face, name)| (face, Some(card(name))));
        Part { slot: Slot::new(0, index), face: card(face), stands_for: name }
    };
    (0..).zip(text.split_whitespace()).map(part).collect()
}

fn shape(text: &str) -> Result<Shape, Flaw> {
    Shape::new(&parts(text))
}

fn points(text: &str) -> u16 {
    shape(text).unwrap_or_else(|flaw| panic!("{text}: {flaw}")).points()
}

#[test]
fn cards_count_in_hand_what_the_table_says() {
    for (text, expected) in
        [("2C", 2), ("9D", 9), ("TH", 10), ("JS", 10), ("QC", 10), ("KD", 10), ("AH", 11), ("JK", 20)]
    {
        assert_eq!(in_hand(card(text)), expected, "{text}");
    }
    let sample = ["2S", "5D", "8H", "8C", "AC", "JK"].map(|text| in_hand(card(text)));
    assert_eq!(sample.iter().sum::<u16>(), 54);
}

#[test]
fn melds_count_what_their_cards_stand_for() {
    assert_eq!(points("7S 7H 7D") + points("3C 4C 5C"), 33);
    assert_eq!(points("QC QH QS"), 30);
    assert_eq!(points("7S 7H 7D"), 21);
    assert_eq!(points("KS KH JK"), 30);
    assert_eq!(points("5S JK=6S 7S JK=8S"), 26);
    assert_eq!(points("AS AH AD"), 33);
    assert_eq!(points("AS 2S 3S"), 6);
    assert_eq!(points("QS KS AS"), 31);
    assert_eq!(points("JK=AS 2S 3S"), 6);
    assert_eq!(points("QS KS JK=AS"), 31);
    assert_eq!(points("9S TS JS QS"), 39);
}

#[test]
fn what_is_no_meld_says_why() {
    for (text, flaw) in [
        ("", Flaw::TooShort),
        ("7S 7H", Flaw::TooShort),
        ("KS JK JK", Flaw::TooManyJokers),
        ("JK JK JK", Flaw::TooManyJokers),
        ("5S JK=6S JK=7S 8S", Flaw::JokersSideBySide),
        ("JK=4S 5S JK=6S 7S JK=8S", Flaw::TooManyJokers),
        ("KS AS 2S", Flaw::Gap),
        ("QS KS AS 2S", Flaw::Gap),
        ("JK=AS 2S KS", Flaw::Gap),
        ("5S 6S 8S", Flaw::Gap),
        ("5S 6S 7H", Flaw::NoSetNoRun),
        ("7S 7H 8H", Flaw::NoSetNoRun),
        ("7S 7S 7H", Flaw::SuitTwice(Suit::Spades)),
        ("7S 7H 7D 7C JK", Flaw::TooLong),
        ("5S 6S 6S 7S", Flaw::CardTwice(card("6S"))),
        ("5S 6S JK=6S 7S", Flaw::CardTwice(card("6S"))),
        ("5S 6S JK", Flaw::JokerWithoutName),
        ("5S 6S JK=7H", Flaw::JokerWithoutName),
        ("7S 7H JK=7D", Flaw::JokerWithName),
        ("5S 6S 7S=8S", Flaw::NotAJoker(card("7S"))),
        ("7S 7H 7D=7C", Flaw::NotAJoker(card("7D"))),
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS", Flaw::TooLong),
    ] {
        assert_eq!(shape(text), Err(flaw), "{text}");
    }
}

#[test]
fn a_run_of_thirteen_may_end_with_the_ace_or_begin_with_it() {
    assert_eq!(points("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"), 85);
    // Here only the high ace keeps the jokers apart.
    assert_eq!(points("JK=AS JK=2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"), 95);
    let low = shape("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS").unwrap();
    assert_eq!(low.with(&parts("KS")).map(Shape::points), Ok(85));
    let high = shape("3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS").unwrap();
    assert_eq!(high.with(&parts("2S")).map(Shape::points), Ok(95));
    assert_eq!(high.with(&parts("2S AS")), Err(Flaw::CardTwice(card("AS"))));
}

/// The rules in the long form: some row of neighbours, or different suits of one rank.
fn is_meld(parts: &[Part]) -> bool {
    let jokers = parts.iter().filter(|p| p.face.is_joker()).count();
    if jokers > parts.len() - jokers || parts.iter().any(|p| !p.face.is_joker() && p.stands_for.is_some()) {
        return false;
    }
    let naturals: Vec<(Rank, Suit)> = parts.iter().filter_map(|p| p.face.natural()).collect();
    let one_rank = naturals.iter().all(|(rank, _)| *rank == naturals[0].0);
    let mut suits: Vec<Suit> = naturals.iter().map(|(_, suit)| *suit).collect();
    suits.sort_unstable();
    suits.dedup();
    let unnamed = parts.iter().all(|p| p.stands_for.is_none());
    if (3..=4).contains(&parts.len()) && one_rank && suits.len() == naturals.len() && unnamed {
        return true;
    }
    let row: Vec<Rank> = core::iter::once(Rank::Ace).chain(Rank::ALL).collect();
    (3..=13).contains(&parts.len())
        && row.windows(parts.len()).any(|window| {
            let mut before = false;
            window.iter().all(|rank| {
                let wanted = Card::new(*rank, naturals[0].1);
                let there: Vec<&Part> = parts.iter().filter(|p| p.stands_for.unwrap_or(p.face) == wanted).collect();
                let [part] = there.as_slice() else { return false };
                let beside = before && part.face.is_joker();
                before = part.face.is_joker();
                !beside
            })
        })
}

fn agrees(parts: &[Part]) {
    let found = Shape::new(parts);
    assert_eq!(found.is_ok(), is_meld(parts), "{parts:?}: {found:?}");
}

/// Every natural card, every named joker and the joker without a name.
fn all_kinds(of: impl Fn(Card) -> bool) -> Vec<Part> {
    let naturals: Vec<Card> = Card::naturals().filter(|card| of(*card)).collect();
    let part = |face, stands_for| Part { slot: Slot::default(), face, stands_for };
    let named = naturals.iter().map(|card| part(Card::JOKER, Some(*card)));
    naturals.iter().map(|card| part(*card, None)).chain(named).chain([part(Card::JOKER, None)]).collect()
}

#[test]
fn every_three_cards_are_judged_by_the_rules() {
    let kinds = all_kinds(|_| true);
    for (i, a) in kinds.iter().enumerate() {
        for (j, b) in kinds.iter().enumerate().skip(i) {
            kinds.iter().skip(j).for_each(|c| agrees(&[*a, *b, *c]));
        }
    }
}

#[test]
fn four_cards_at_the_ends_of_a_suit_are_judged_by_the_rules() {
    let ends = [Rank::Ace, Rank::Two, Rank::Three, Rank::Queen, Rank::King];
    let kinds = all_kinds(|card| card.natural().is_some_and(|(r, s)| ends.contains(&r) && s <= Suit::Diamonds));
    for a in &kinds {
        for (j, b) in kinds.iter().enumerate() {
            for (k, c) in kinds.iter().enumerate().skip(j) {
                kinds.iter().skip(k).for_each(|d| agrees(&[*a, *b, *c, *d]));
            }
        }
    }
}

#[test]
fn every_run_with_every_choice_of_jokers_is_judged_by_the_rules() {
    let row: Vec<Rank> = core::iter::once(Rank::Ace).chain(Rank::ALL).collect();
    for len in 3..=13usize {
        for window in row.windows(len) {
            for jokers in 0..1u32 << len {
                let part = |(i, rank): (usize, &Rank)| {
                    let card = Card::new(*rank, Suit::Hearts);
                    let joker = jokers & (1 << i) != 0;
                    let (face, stands_for) = if joker { (Card::JOKER, Some(card)) } else { (card, None) };
                    Part { slot: Slot::default(), face, stands_for }
                };
                let parts: Vec<Part> = window.iter().enumerate().map(part).collect();
                if parts.iter().any(|p| !p.face.is_joker()) {
                    agrees(&parts);
                }
            }
        }
    }
}

#[test]
fn adding_to_a_meld_gives_what_laying_all_at_once_gives() {
    for (lying, added) in [
        ("7S 7H 7D", "7C"),
        ("7S 7H JK", "7C"),
        ("7S 7H 7D", "JK"),
        ("7S 7H JK", "JK"),
        ("5S 6S 7S", "8S 9S"),
        ("5S 6S 7S", "4S JK=8S 9S"),
        ("2S 3S 4S", "AS"),
        ("JS QS KS", "AS"),
        ("JS QS KS", "JK=AS"),
        ("JK=4S 5S JK=6S 7S", "JK=8S 9S"),
    ] {
        let before = Meld::new(seat(0), &parts(lying)).unwrap();
        let all = parts(&format!("{lying} {added}"));
        let more = &all[parts(lying).len()..];
        let after = before.with(more).unwrap_or_else(|flaw| panic!("{lying} + {added}: {flaw}"));
        assert_eq!(after, Meld::new(seat(0), &all).unwrap(), "{lying} + {added}");
    }
    for (lying, added, flaw) in [
        ("7S 7H 7D", "7D", Flaw::SuitTwice(Suit::Diamonds)),
        ("7S 7H 7D 7C", "JK", Flaw::TooLong),
        ("7S 7H 7D", "8D", Flaw::NoSetNoRun),
        ("5S 6S 7S", "9S", Flaw::Gap),
        ("5S 6S 7S", "8H", Flaw::NoSetNoRun),
        ("5S 6S JK=7S", "JK=8S", Flaw::JokersSideBySide),
        ("JS QS KS AS", "2S", Flaw::Gap),
        ("AS 2S 3S", "KS", Flaw::Gap),
        ("5S 6S JK=7S", "7S", Flaw::CardTwice(card("7S"))),
        ("JK=4S 5S JK=6S 7S", "JK=8S", Flaw::TooManyJokers),
    ] {
        assert_eq!(shape(lying).unwrap().with(&parts(added)), Err(flaw), "{lying} + {added}");
    }
}

#[test]
fn a_joker_is_swapped_only_for_what_it_stands_for() {
    for (meld, card_text, after) in [
        ("5S JK=6S 7S", "6S", Some("5S 6S 7S")),
        ("5S JK=6S 7S", "5S", None),
        ("5S JK=6S 7S", "6H", None),
        ("7S 7H JK", "7C", Some("7S 7H 7C")),
        ("7S 7H JK", "7D", Some("7S 7H 7D")),
        ("7S 7H JK", "7H", None),
        ("7S 7H JK", "8C", None),
        ("7S 7H 7C JK", "7D", Some("7S 7H 7C 7D")),
        ("7S 7H JK JK", "7D", Some("7S 7H 7D JK")),
        ("JK=AS 2S 3S", "AS", Some("AS 2S 3S")),
        ("QS KS JK=AS", "AS", Some("QS KS AS")),
        ("7S 7H 7D", "7C", None),
    ] {
        assert_eq!(
            shape(meld).unwrap().swapped(card(card_text)),
            after.map(|m| shape(m).unwrap()),
            "{meld}, {card_text}"
        );
    }
    assert_eq!(shape("7S 7H JK").unwrap().swapped(Card::JOKER), None);
}
