//! The form for a new table: the game, its settings, the seats. The same for all kinds of tables, and checked by the same
//! code on a server and in a browser.
//!
//! - `filled`: the contents of the form, and what is wrong with them
//! - `show`: the form itself
//! - `told`: the settings of a table, for people who come to it
//! - `words`: the labels of settings
//! - `about`: what every page says about games and players

mod about;
mod filled;
mod show;
mod told;
mod words;

use games::AnyGame;
use table::{Game, Settings};

pub use about::{DEFAULT_PACE, PACES, about, avatar, title};
pub use filled::{Filled, Wrong};
pub use show::{alone, page, private};
pub use told::{labels, told};

/// The default number of players.
pub fn usual_players(game: AnyGame) -> u8 {
    let range = games::with_game!(game, G => G::PLAYERS);
    3.clamp(*range.start(), *range.end())
}

/// The settings of a game.
fn described(game: AnyGame) -> Vec<table::Described> {
    let mut all = games::with_game!(game, G => <<G as Game>::Settings as Settings>::described());
    all.retain(|setting| !words::idle(game).contains(&setting.name));
    all
}
