//! Rommé: German rummy with laying out. Lay down sets and runs, and be the first to get rid of your cards.
//!
//! Two to four players, two packs and six jokers, thirteen cards each. A turn is: draw a card from the
//! stock or take the top of the discard pile; lay as much as you like; throw one card away. The first
//! melds a player lays must count 30 together; after that they may also add to any meld on the table, and
//! take a joker from it in exchange for the card it stands for, if they use it at once elsewhere. The player
//! who discards their last card ends the round; the others count what they still hold. Few points are
//! good.
//!
//! Nothing has to be claimed about closed cards: whatever is laid is laid open, and a turn can always be
//! finished. So [`table::NoClaim`] is the claim of this game.
//!
//! # Layout
//!
//! Besides the files every game has:
//!
//! - `meld`: what a legal set or run is, jokers included.
//! - `partition`: the melds in a hand, and the best choice of several at once.
//! - `flow`: how a round moves on.
//! - `laying`: the actions that lay cards.
//! - `phase`: where a round is, and how it can end.
//! - `moves`: what a seat can do, found when asked for.
//! - `slots`: a short list of slots.
//! - [`mod@bench`]: what a player prepares before playing it.

mod action;
pub mod bench;
mod flow;
mod laying;
mod meld;
mod moves;
mod partition;
mod phase;
mod score;
mod series;
mod slots;
mod state;
mod view;

#[cfg(test)]
mod tests;

use core::ops::RangeInclusive;

use table::{BadSetting, Counting, Game, Range};

pub use action::{Action, Illegal, Laid, MeldId, ParseLaidError, Use};
pub use meld::{Flaw, Meld, Part, Place, Shape};
pub use moves::{Drawing, Moves, Play};
pub use partition::{Goal, MOST_STEPS, Plan, Pool, best, is_half_a_meld};
pub use phase::Drawn;
pub use score::{PENALTY, in_hand};
pub use series::Series;
pub use state::{Deal, Setup};
pub use view::{DrawView, MeldCard, MeldView, PlayerView, View};

/// The rules, for people, in English; lines that begin with `# ` are headings.
pub const RULES_EN: &str = include_str!("rules.en.txt");
/// The same in German.
pub const RULES_DE: &str = include_str!("rules.de.txt");

table::words! {
    /// Who may take the top card of the discard pile.
    pub enum DiscardDraw {
        /// Everybody.
        Free = "free",
        /// Those who have laid their first melds.
        AfterOpening = "after_opening",
    }
}

table::words! {
    /// When a match ends.
    pub enum Mode {
        /// After the round in which somebody reaches the target.
        Target = "target",
        /// After a number of rounds.
        Rounds = "rounds",
        /// Players who reach the target are out, until one is left.
        Knockout = "knockout",
    }
}

table::settings! {
    /// What a match of Rommé is created with.
    pub struct Settings {
        /// Points a player's first melds must be worth together.
        first_meld: i64 = 30, Range::whole(0, 60);
        /// Jokers in the game.
        jokers: i64 = 6, Range::whole(2, 6);
        /// Who may take the top card of the discard pile.
        discard_draw: DiscardDraw = DiscardDraw::Free, Range::Words(DiscardDraw::WORDS.to_vec());
        /// Whether a player may go out without a discard.
        out_without_discard: bool = false, Range::Flag;
        /// When a match ends.
        mode: Mode = Mode::Target, Range::Words(Mode::WORDS.to_vec());
        /// Points that end the match or, in a knockout, put a player out.
        target: i64 = 200, Range::whole(50, 1000);
        /// Rounds in a match that ends after a number of rounds.
        rounds: i64 = 10, Range::whole(1, 50);
        /// How often the discard pile is shuffled into a new draw pile.
        max_reshuffles: i64 = 2, Range::whole(0, 5);
    }
}

/// The game of Rommé.
#[derive(Clone, Copy, Debug)]
pub struct Romme;

impl Game for Romme {
    const NAME: &'static str = "romme";
    const TITLE: &'static str = "Rommé";
    const ABOUT: &'static str = "Lay down sets and runs, and be the first to get rid of your cards.";
    const PLAYERS: RangeInclusive<u8> = 2..=4;
    const RESULT: Counting = Counting::Penalties;
    const KEEPS_CLOSED: bool = false;

    type Settings = Settings;
    type Rules = Deal;
    type Series = Series;

    fn start(settings: &Settings, players: u8) -> Result<Series, BadSetting> {
        Self::check_players(players)?;
        Series::new(settings, players)
    }
}

impl crate::desk::Pace for Romme {}
