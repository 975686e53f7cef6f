//! Cards on a page.
//!
//! A card is one element of the class `card`, with its suit as a further class, and its slot in `data-slot`:
//! the same card keeps its slot wherever it is, so it can move visibly from place to place.

use ::table::Slot;
use cards::{Card, Rank, Suit};
use maud::{Markup, html};

use super::Tile;
use crate::Lang;

/// The name of a card, for screen readers.
pub fn card_name(card: Card, lang: Lang) -> String {
    match (card.natural(), card.pips(), lang) {
        (Some((rank, suit)), _, Lang::En) => format!("{} of {}", rank.name(), suit_name(suit, lang)),
        (Some((rank, suit)), _, Lang::De) => format!("{} {}", suit_name(suit, lang), rank_name(rank)),
        (None, Some(pips), _) => pips.to_string(),
        (None, None, _) => lang.pick("joker", "Joker").to_owned(),
    }
}

/// A card in a sentence: "7♥". German cards have German letters.
pub fn card_text(card: Card, lang: Lang) -> String {
    match (card.natural(), card.pips()) {
        (Some((rank, suit)), _) => format!("{}{}", rank_sign(rank, lang), suit.symbol()),
        (None, Some(pips)) => pips.to_string(),
        (None, None) => "★".to_owned(),
    }
}

/// A card that cannot be pressed; `None` is a card whose face the viewer does not know.
pub fn face(slot: Slot, card: Option<Card>, lang: Lang) -> Markup {
    html! {
        span class={ "card " (class(card)) } data-slot=(slot) role="img" aria-label=(label(card, lang)) { (print(card, lang)) }
    }
}

/// The back of a card, one of several that look the same.
pub fn back(lang: Lang) -> Markup {
    html! { span class="card back" role="img" aria-label=(label(None, lang)) {} }
}

/// A card of the hand: a button, pressed while it is marked.
pub fn tile(tile: Tile, marked: bool, can_mark: bool, lang: Lang) -> Markup {
    let Tile { slot, card, usable } = tile;
    let class = class(card);
    html! {
        @if can_mark {
            button type="button" class={ "card " (class) @if !usable { " unusable" } } data-slot=(slot)
                aria-pressed=(if marked { "true" } else { "false" }) aria-label=(label(card, lang)) { (print(card, lang)) }
        } @else {
            span class={ "card " (class) } data-slot=(slot) role="img" aria-label=(label(card, lang)) { (print(card, lang)) }
        }
    }
}

/// A card in a place that can be chosen.
pub fn place_card(place: u16, slot: Slot, card: Option<Card>, about: &str, lang: Lang) -> Markup {
    html! {
        button type="button" class={ "card " (class(card)) } data-slot=(slot) data-place=(place)
            aria-label={ (label(card, lang)) ", " (about) } { (print(card, lang)) }
    }
}

/// A place that can be chosen, with nothing in it; `about` says what it is.
pub fn empty_place(place: u16, about: &str) -> Markup {
    html! { button type="button" class="card place" data-place=(place) aria-label=(about) {} }
}

/// A card within a text: "7♥".
pub fn mini(card: Option<Card>, lang: Lang) -> Markup {
    html! { span class={ "mini " (class(card)) } role="img" aria-label=(label(card, lang)) { (short(card, lang)) } }
}

/// Several.
pub fn minis(cards: impl IntoIterator<Item = Option<Card>>, lang: Lang) -> Markup {
    html! { @for card in cards { (mini(card, lang)) " " } }
}

/// What the style sheet prints on it. Screen readers get the name of the card instead.
fn print(card: Option<Card>, lang: Lang) -> Markup {
    let Some(card) = card else { return html! {} };
    html! {
        @match (card.natural(), card.pips()) {
            (Some((rank, suit)), _) => {
                b data-sign=(rank_sign(rank, lang)) {}
                i data-sign={ (suit.symbol()) "\u{fe0e}" } {}
            }
            (None, Some(pips)) => { b data-sign=(pips) {} }
            (None, None) => { b data-sign="★" {} i data-sign="Joker" {} }
        }
    }
}

fn short(card: Option<Card>, lang: Lang) -> String {
    match card {
        Some(card) if card.natural().is_some() => format!("{}\u{fe0e}", card_text(card, lang)),
        Some(card) => card_text(card, lang),
        None => "▒".to_owned(),
    }
}

fn label(card: Option<Card>, lang: Lang) -> String {
    card.map_or_else(|| lang.pick("a face-down card", "eine verdeckte Karte").to_owned(), |card| card_name(card, lang))
}

const fn class(card: Option<Card>) -> &'static str {
    let Some(card) = card else { return "back" };
    match card.suit() {
        Some(Suit::Clubs) => "clubs",
        Some(Suit::Diamonds) => "diamonds",
        Some(Suit::Hearts) => "hearts",
        Some(Suit::Spades) => "spades",
        None => "joker",
    }
}

/// The sign in the corner of a card: in German B is the Bube (jack) and D the Dame (queen).
fn rank_sign(rank: Rank, lang: Lang) -> String {
    match (rank, lang) {
        (Rank::Ten, _) => "10".to_owned(),
        (Rank::Jack, Lang::De) => "B".to_owned(),
        (Rank::Queen, Lang::De) => "D".to_owned(),
        (other, _) => other.letter().to_string(),
    }
}

const fn suit_name(suit: Suit, lang: Lang) -> &'static str {
    match suit {
        Suit::Clubs => lang.pick("clubs", "Kreuz"),
        Suit::Diamonds => lang.pick("diamonds", "Karo"),
        Suit::Hearts => lang.pick("hearts", "Herz"),
        Suit::Spades => lang.pick("spades", "Pik"),
    }
}

fn rank_name(rank: Rank) -> String {
    match rank {
        Rank::Ace => "Ass".to_owned(),
        Rank::King => "König".to_owned(),
        Rank::Queen => "Dame".to_owned(),
        Rank::Jack => "Bube".to_owned(),
        other => other.number().to_string(),
    }
}
