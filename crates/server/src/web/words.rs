//! Texts that several pages share.

use games::AnyGame;
use jiff::Timestamp;
use maud::{Markup, html};
use table::Game;

use page::Lang;

pub(super) use crate::room::form::{DEFAULT_PACE, about, avatar, title};

/// The title of the game with this name.
pub(super) fn title_of(name: &str) -> &str {
    AnyGame::from_name(name).map_or(name, |game| title(game))
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
