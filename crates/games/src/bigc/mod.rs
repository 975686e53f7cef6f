//! Big-C: play higher, or step exactly on the last hand, and get rid of your cards first.
//!
//! Two to twelve players, two packs or more with two jokers each, 13 cards each; the rest is drawn from.
//! Three is low and two is high, diamonds < clubs < hearts < spades. A chooser plays one, two, three or
//! five cards; in turn the others play as many that are higher, or pass. When all others have passed, the
//! owner of the last hand chooses anew.
//!
//! A hand that is the exact equal of the last one, or just one step above it, makes a *footstool* of it:
//! its owner draws two cards, or one.
//!
//! The order of play is a game of its own: everybody shows one card, and the lowest plays first.
//!
//! Hands lie open once played, so they are checked at once. Three things are *claims* about cards that nobody
//! else sees: that a card shown for the order of play is no joker, and that a seat has only jokers, left to
//! show or (as a chooser who passes the role on) left to play.
//!
//! What the rules leave open, decided here:
//!
//! - A player's last card wins before the footstool that it makes is paid for.
//! - With `last_chance`, the pass that lets a last hand stand draws no card; and if the last hand is made
//!   a footstool but there is no card left to draw, its owner has won after all.
//! - A player who leaves scores twice the hand size, or as much as the worst of the others if that is more.
//!   The last to stay wins at once.
//! - A joker shown for the order of play breaks the deal as soon as it is opened. A seat that says it has only
//!   jokers has them opened at the end of the deal; said falsely, that breaks the deal.
//! - The played pile is shuffled into the draw deck at most [`MOST_RECYCLINGS`] times, so every deal ends.
//! - If the owner of the last hand has left and everybody passes, whose turn it then is chooses.
//!
//! Besides the files that every game has: `class.rs` and `footstool.rs` tell what hands are worth,
//! `order.rs` and `minigame.rs` find the order of play, `phase.rs` names where a deal can be, `round.rs`
//! plays, `options.rs` and `fives.rs` find hands to play, `draft.rs` helps people who think about them,
//! `layout.rs` lays them out.

mod action;
mod class;
mod draft;
mod fives;
mod footstool;
mod layout;
mod minigame;
mod options;
mod order;
mod phase;
mod round;
mod score;
mod series;
mod setup;
mod state;
mod view;

#[cfg(test)]
mod tests;

use core::ops::RangeInclusive;

use table::{BadSetting, Counting, Game, Range, Settings as _};

pub use action::{Action, Choice, Claim, Few, Illegal};
pub use class::{Class, Hand, NotAHand, classify};
pub use draft::{Judged, Sorting, Step, position, step};
pub use footstool::{Footstool, on_top};
pub use options::{Options, Playable};
pub use phase::{Did, Stooled};
pub use round::MOST_RECYCLINGS;
pub use score::place;
pub use series::Series;
pub use setup::Setup;
pub use state::Deal;
pub use view::{HandView, Moves, PlayerView, View};

/// The rules, for people, in English; lines that begin with `# ` are headings.
pub const RULES_EN: &str = include_str!("rules.en.txt");
/// The same in German.
pub const RULES_DE: &str = include_str!("rules.de.txt");

table::words! {
    /// How the order of play is decided.
    #[derive(Default)]
    pub enum OrderBy {
        /// Everybody shows a card, lowest first.
        #[default]
        Minigame = "minigame",
        /// By lot.
        Random = "random",
    }
}

table::words! {
    /// Which rules the settings begin with.
    pub enum Preset {
        /// Those of the first rule sheet.
        Seed = "seed",
        /// Its author's later ones: passing draws a card, a last hand may be answered, the order is drawn.
        Author = "author",
    }
}

table::settings! {
    /// What a match of Big-C is created with.
    pub struct Settings {
        /// Cards each player gets.
        hand_size: i64 = 13, Range::whole(5, 20);
        /// Packs of 54 cards; 0 means as many as needed.
        decks: i64 = 0, Range::or_zero(2, 6);
        /// The rules for passing, the last chance and the order of play, unless you set those.
        preset: Preset = Preset::Seed, Range::Words(Preset::WORDS.to_vec());
        /// Cards a player draws for passing.
        pass_draws: i64 = 0, Range::whole(0, 2);
        /// When a player plays their last cards, the next player may still answer.
        last_chance: bool = false, Range::Flag;
        /// A triple with two jokers is lower than any other triple of its rank.
        two_joker_triple_low: bool = false, Range::Flag;
        /// How the order of play is decided.
        order: OrderBy = OrderBy::Minigame, Range::Words(OrderBy::WORDS.to_vec());
        /// Deals in a match.
        deals: i64 = 1, Range::whole(1, 20);
    }
    preset preset fills pass_draws, last_chance, order;
}

impl Preset {
    /// The settings of these rules.
    pub fn settings(self) -> Settings {
        let mut settings = Settings { preset: self, ..Settings::default() };
        self.fill(&mut settings);
        settings
    }

    fn fill(self, settings: &mut Settings) {
        (settings.pass_draws, settings.last_chance, settings.order) = match self {
            Self::Seed => (0, false, OrderBy::Minigame),
            Self::Author => (1, true, OrderBy::Random),
        };
    }
}

/// The game of Big-C.
#[derive(Clone, Copy, Debug)]
pub struct BigC;

impl Game for BigC {
    const NAME: &'static str = "bigc";
    const TITLE: &'static str = "Big-C";
    const ABOUT: &'static str = "Play higher or step on the last hand, and be the first to get rid of your cards.";
    const PLAYERS: RangeInclusive<u8> = 2..=12;
    const RESULT: Counting = Counting::Penalties;
    const KEEPS_CLOSED: bool = true;

    type Settings = Settings;
    type Rules = Deal;
    type Series = Series;

    fn start(settings: &Settings, players: u8) -> Result<Series, BadSetting> {
        Self::check_players(players)?;
        Series::new(settings, players)
    }
}

impl Settings {
    /// How a deal with these settings begins, or which of them is out of range.
    fn setup(&self, players: u8) -> Result<Setup, BadSetting> {
        self.check_ranges()?;
        let small = |field, value: i64| u8::try_from(value).map_err(|_| BadSetting::new(field, "a small number"));
        let by_players = match players {
            0..=6 => 2,
            7..=9 => 3,
            _ => 4,
        };
        let setup = Setup {
            players,
            decks: if self.decks == 0 { by_players } else { small("decks", self.decks)? },
            hand_size: small("hand_size", self.hand_size)?,
            order: self.order,
            pass_draws: small("pass_draws", self.pass_draws)?,
            last_chance: self.last_chance,
            two_joker_triple_low: self.two_joker_triple_low,
            gone: table::Seats::NONE,
            first_deck: 0,
        };
        setup.check()?;
        Ok(setup)
    }
}

impl crate::desk::Pace for BigC {
    fn settles(before: &View, after: &View) -> bool {
        before.table.is_some() && after.table.is_none()
    }
}
