//! For any text, card notation gives cards or an error, and the cards can be written and read again.
#![no_main]

use cards::{CardList, PhysicalCard, Played, parse_cards};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(cards) = parse_cards(text) {
        assert_eq!(parse_cards(&CardList(&cards).to_string()), Ok(cards));
    }
    if let Ok(card) = text.parse::<PhysicalCard>() {
        assert_eq!(card.to_string().parse(), Ok(card));
    }
    if let Ok(played) = text.parse::<Played>() {
        assert_eq!(played.to_string().parse(), Ok(played));
    }
    let _ = text.parse::<table::Slot>();
});
