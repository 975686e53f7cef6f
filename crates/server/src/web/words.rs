//! Texts that several pages share.

use games::AnyGame;
use jiff::Timestamp;
use maud::{Markup, html};
use table::Game;

use page::Lang;

/// The title of a game.
pub(super) fn title(game: AnyGame) -> &'static str {
    games::with_game!(game, G => G::TITLE)
}

/// The title of the game with this name.
pub(super) fn title_of(name: &str) -> &str {
    AnyGame::from_name(name).map_or(name, |game| title(game))
}

/// One sentence about a game.
pub(super) fn about(game: AnyGame, lang: Lang) -> &'static str {
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

/// How many can play a game: "2–9".
pub(super) fn players(game: AnyGame) -> String {
    let range = games::with_game!(game, G => G::PLAYERS);
    format!("{}–{}", range.start(), range.end())
}

/// The time limit for a move.
pub(super) fn limit(seconds: i64, lang: Lang) -> String {
    match (seconds, lang) {
        (..=0, lang) => lang.pick("no time limit", "ohne Zeitlimit").to_owned(),
        (seconds, Lang::En) => format!("{seconds} s per move"),
        (seconds, Lang::De) => format!("{seconds} s pro Zug"),
    }
}

/// A time, in milliseconds since 1970. With scripts it is shown in the visitor's time zone.
pub(super) fn time(millis: i64) -> Markup {
    let time = Timestamp::from_millisecond(millis).unwrap_or_default();
    let shown = time.strftime("%Y-%m-%d %H:%M UTC").to_string();
    let whole = time.round(jiff::Unit::Second).unwrap_or(time);
    html! { time datetime=(whole) { (shown) } }
}

/// A player's picture.
pub(super) fn avatar(number: u8) -> Markup {
    html! { span class={ "avatar a" (number) } aria-hidden="true" {} }
}

/// The shortest time a computer thinks, in milliseconds, and its label.
pub(super) const PACES: [(u32, [&str; 2]); 4] = [
    (0, ["at once", "sofort"]),
    (500, ["fast", "schnell"]),
    (DEFAULT_PACE, ["like a person", "wie ein Mensch"]),
    (2_500, ["slow", "langsam"]),
];

/// The default.
pub(super) const DEFAULT_PACE: u32 = 1_200;
