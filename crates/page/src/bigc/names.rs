//! The names of hands and cards in Big-C.

use cards::{Card, Rank};
use games::bigc::{Class, Hand, NotAHand};

use crate::Lang;
use crate::card_text;

/// A card: "K♥".
pub(super) fn card(card: Option<Card>, lang: Lang) -> String {
    card.map(|card| format!("{}\u{fe0e}", card_text(card, lang))).unwrap_or_default()
}

/// Several.
pub(super) fn row(cards: impl IntoIterator<Item = Option<Card>>, lang: Lang) -> String {
    cards.into_iter().map(|one| card(one, lang)).collect::<Vec<_>>().join(" ")
}

/// "1 card", "2 cards".
pub(super) fn cards(number: usize, lang: Lang) -> String {
    match (number, lang) {
        (1, Lang::En) => "1 card".to_owned(),
        (n, Lang::En) => format!("{n} cards"),
        (1, Lang::De) => "1 Karte".to_owned(),
        (n, Lang::De) => format!("{n} Karten"),
    }
}

/// "1 joker", "2 jokers".
pub(super) fn jokers(number: usize, lang: Lang) -> String {
    match (number, lang) {
        (1, Lang::En) => "1 joker".to_owned(),
        (n, Lang::En) => format!("{n} jokers"),
        (n, Lang::De) => format!("{n} Joker"),
    }
}

/// "1 point", "2 points".
pub(super) fn points(number: i64, lang: Lang) -> String {
    match (number, lang) {
        (1, Lang::En) => "1 point".to_owned(),
        (n, Lang::En) => format!("{n} points"),
        (1, Lang::De) => "1 Punkt".to_owned(),
        (n, Lang::De) => format!("{n} Punkte"),
    }
}

/// A player has only a few cards left.
pub(super) fn only(number: usize, lang: Lang) -> String {
    match lang {
        Lang::En => format!("{number} left!"),
        Lang::De => format!("nur noch {number}!"),
    }
}

/// The name of a class of hands.
pub(super) const fn class(class: Class, lang: Lang) -> &'static str {
    match lang {
        Lang::En => class.name(),
        Lang::De => match class {
            Class::Single => "einzelne Karte",
            Class::Pair => "Paar",
            Class::Triple => "Drilling",
            Class::TwoPair => "zwei Paare",
            Class::Flush => "Flush",
            Class::Straight => "Straße",
            Class::FullHouse => "Full House",
            Class::FourOfAKind => "Vierling",
            Class::FiveOfAKind => "Fünfling",
            Class::StraightFlush => "Straight Flush",
        },
    }
}

/// The name of a hand: "pair of sixes", "full house, nines over fours", "flush up to K♠".
pub(super) fn hand(hand: &Hand, lang: Lang) -> String {
    let key = hand.key();
    let high = card(key.first().copied(), lang);
    let of = |n: usize| {
        key.get(n)
            .and_then(|card| card.rank())
            .map_or_else(|| lang.pick("jokers", "Joker").to_owned(), |rank| plural(rank, lang))
    };
    let first = of(0);
    match (hand.class(), lang) {
        (Class::Single, _) => high,
        (Class::Pair, Lang::En) => format!("pair of {first}"),
        (Class::Pair, Lang::De) => format!("Paar {first}"),
        (Class::Triple, Lang::En) => format!("three {first}"),
        (Class::Triple, Lang::De) => format!("Drilling, {first}"),
        (Class::TwoPair, Lang::En) => format!("two pair, {first} and {}", of(2)),
        (Class::TwoPair, Lang::De) => format!("zwei Paare, {first} und {}", of(2)),
        (Class::Flush, Lang::En) => format!("flush up to {high}"),
        (Class::Flush, Lang::De) => format!("Flush bis {high}"),
        (Class::Straight, Lang::En) => format!("straight up to {high}"),
        (Class::Straight, Lang::De) => format!("Straße bis {high}"),
        (Class::FullHouse, Lang::En) => format!("full house, {first} over {}", of(3)),
        (Class::FullHouse, Lang::De) => format!("Full House, {first} über {}", of(3)),
        (Class::FourOfAKind, Lang::En) => format!("four {first}"),
        (Class::FourOfAKind, Lang::De) => format!("Vierling, {first}"),
        (Class::FiveOfAKind, Lang::En) => format!("five {first}"),
        (Class::FiveOfAKind, Lang::De) => format!("Fünfling, {first}"),
        (Class::StraightFlush, Lang::En) => format!("straight flush up to {high}"),
        (Class::StraightFlush, Lang::De) => format!("Straight Flush bis {high}"),
    }
}

/// The same at the beginning of a sentence.
pub(super) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The hands played in a round.
pub(super) const fn round(size: u8, lang: Lang) -> &'static str {
    match size {
        1 => lang.pick("single cards", "einzelne Karten"),
        2 => lang.pick("pairs", "Paare"),
        3 => lang.pick("triples", "Drillinge"),
        _ => lang.pick("five cards", "fünf Karten"),
    }
}

/// Why cards are not a hand.
pub(super) fn no_hand(why: NotAHand, lang: Lang) -> String {
    match (why, lang) {
        (why, Lang::En) => why.to_string(),
        (NotAHand::WrongSize(n), _) => format!("man legt 1, 2, 3 oder 5 Karten, nicht {n}"),
        (NotAHand::NoCard(other), _) => format!("{other} ist keine Spielkarte"),
        (NotAHand::OnlyJokers, _) => "mindestens eine Karte darf kein Joker sein".to_owned(),
        (NotAHand::NotOneRank, _) => "die Karten eines Paars oder Drillings müssen denselben Rang haben".to_owned(),
        (NotAHand::NoClass, _) => "diese fünf Karten sind nicht einmal zwei Paare".to_owned(),
    }
}

fn plural(rank: Rank, lang: Lang) -> String {
    match (lang, rank) {
        (Lang::En, rank) => rank.plural().to_owned(),
        (Lang::De, Rank::Ace) => "Asse".to_owned(),
        (Lang::De, Rank::King) => "Könige".to_owned(),
        (Lang::De, Rank::Queen) => "Damen".to_owned(),
        (Lang::De, Rank::Jack) => "Buben".to_owned(),
        (Lang::De, other) => format!("{}er", other.number()),
    }
}
