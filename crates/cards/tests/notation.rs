//! Laws of the text forms: everything written can be read back, and no text makes a reader panic.

use cards::{Card, CardList, CardSet, PhysicalCard, Played, parse_cards};
use proptest::collection::vec;
use proptest::prelude::*;

fn any_card() -> impl Strategy<Value = Card> {
    any::<u8>().prop_filter_map("no such code", Card::from_code)
}

fn any_natural() -> impl Strategy<Value = Card> {
    (0u8..52).prop_filter_map("no such code", Card::from_code)
}

fn any_physical() -> impl Strategy<Value = PhysicalCard> {
    (any_card(), 1u8..).prop_map(|(face, copy)| PhysicalCard { face, copy })
}

/// Text that looks like cards often enough to get deep into the readers.
fn almost_cards() -> impl Strategy<Value = String> {
    "[2-9TJQKA10tjqkadshcDSHCJKd♠♥♦♣♤♡♢♧\u{FE0E}\u{FE0F}#=, ]{0,12}"
}

fn read_everything(text: &str) {
    let _ = text.parse::<Card>();
    let _ = text.parse::<PhysicalCard>();
    let _ = text.parse::<Played>();
    if let Err(error) = parse_cards(text) {
        assert!(error.position < text.chars().count());
        assert!(error.to_string().len() < 400);
    }
}

proptest! {
    #[test]
    fn a_list_is_read_as_it_is_written(cards in vec(any_card(), 0..20)) {
        let text = CardList(&cards).to_string();
        prop_assert_eq!(parse_cards(&text).unwrap(), cards);
    }

    #[test]
    fn naturals_may_run_together(cards in vec(any_natural(), 0..20), pretty: bool) {
        let write = |card: &Card| if pretty { card.pretty().to_string() } else { card.to_string() };
        let text: String = cards.iter().map(write).collect();
        prop_assert_eq!(parse_cards(&text).unwrap(), cards);
    }

    #[test]
    fn a_played_card_is_read_as_it_is_written(
        card in any_physical(), joker in 1u8.., natural in any_natural(),
    ) {
        prop_assert_eq!(card.to_string().parse(), Ok(card));
        let plain = Played::from(card);
        prop_assert_eq!(plain.to_string().parse(), Ok(plain));
        let joker = PhysicalCard { face: Card::JOKER, copy: joker };
        let standing = Played::standing(joker, natural).unwrap();
        prop_assert_eq!(standing.to_string().parse(), Ok(standing));
        prop_assert_eq!(standing.value(), natural);
    }

    #[test]
    fn json_gives_back_what_it_was_given(
        cards in vec(any_card(), 0..20), card in any_physical(), natural in any_natural(),
    ) {
        let set: CardSet = cards.iter().copied().collect();
        let all = (cards, set, card, Played::from(card), natural.rank(), natural.suit());
        let text = serde_json::to_string(&all).unwrap();
        let back = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(all, back);
    }

    #[test]
    fn no_text_makes_a_reader_panic(text: String, almost in almost_cards()) {
        read_everything(&text);
        read_everything(&almost);
    }
}
