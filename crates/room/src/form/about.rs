//! What every page says about games and players.

use games::AnyGame;
use maud::{Markup, html};
use table::Game;

use page::Lang;

/// The title of a game.
pub fn title(game: AnyGame) -> &'static str {
    games::with_game!(game, G => G::TITLE)
}

/// One sentence about a game.
pub fn about(game: AnyGame, lang: Lang) -> &'static str {
    let english = games::with_game!(game, G => G::ABOUT);
    let german = match game {
        AnyGame::Holdem => "No-Limit-Poker: zwei eigene Karten, fünf für alle.",
        AnyGame::Blackjack => "Komm näher an 21 als die Bank und nimm ihr mehr Chips ab als die anderen.",
        AnyGame::Romme => "Leg Sätze und Folgen aus und werde deine Karten vor allen anderen los.",
        AnyGame::BigC => "Spiel höher oder steig auf die letzten Karten und werde deine vor allen anderen los.",
        AnyGame::Ongdu => "Ordne neun Karten in drei Reihen und vergleiche sie mit denen aller anderen.",
        AnyGame::Blackout => "Sag an, wie viele Stiche du machst, und mach dann genau so viele.",
    };
    lang.pick(english, german)
}

/// A player's picture.
pub fn avatar(number: u8) -> Markup {
    html! { span class={ "avatar a" (number) } aria-hidden="true" {} }
}

/// The shortest time a computer thinks, in milliseconds, and its label.
pub const PACES: [(u32, [&str; 2]); 4] = [
    (0, ["at once", "sofort"]),
    (500, ["fast", "schnell"]),
    (DEFAULT_PACE, ["like a person", "wie ein Mensch"]),
    (2_500, ["slow", "langsam"]),
];

/// The default.
pub const DEFAULT_PACE: u32 = 1_200;
