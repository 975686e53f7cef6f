//! Ongdu: arrange nine cards in three layers of three and compare them with everybody.
//!
//! Two to six players, one pack and three wildcards. Nine cards each, dealt one at a time anti-clockwise
//! from the starting player; with six players that player gets the last card too and discards one face up. Then
//! everybody arranges their cards in secret, the bottom layer at least as good as the middle one and that at
//! least as good as the top one. All hands are opened at once and every two players compare them layer by
//! layer. The match ends when somebody is out of cash; the richest wins.
//!
//! An arrangement names slots, which say nothing about faces: it is its own commitment. Nothing here
//! depends on closed cards, so there are no claims.

mod action;
mod arrange;
mod places;
mod score;
mod series;
mod state;
mod view;

#[cfg(test)]
mod tests;

use core::ops::RangeInclusive;

use table::{BadSetting, Chips, Counting, Game, Range};

pub use action::{Action, Arrangement, Illegal};
pub use arrange::{Arranged, best_arrangement};
pub use places::{Laying, Places};
pub use score::{Category, Class, Comparison, HandRank, LayerRank, Preset, Special, Stakes, rank_hand, rank_layer};
pub use series::Series;
pub use state::{Deal, Setup};
pub use view::{Hand, LayerView, Moves, PairView, PlayerView, View};

table::settings! {
    /// What a match of Ongdu is created with.
    pub struct Settings {
        /// Cash each player starts with.
        starting_cash: Chips = Chips(1000), Range::whole(10, 1_000_000);
        /// How much cash a point is worth.
        point_value: Chips = Chips(1), Range::whole(1, 1000);
        /// How layers score: by the original rules, or by the author's current rules.
        preset: Preset = Preset::Seed, Range::Words(Preset::WORDS.to_vec());
        /// Points that a foul hand pays to each opponent.
        foul: i64 = 10, Range::whole(0, 50);
        /// Points that a special hand gets from each opponent.
        special: i64 = 10, Range::whole(0, 50);
        /// Seconds to discard and to arrange; 0 means no limit.
        arrange_timeout: i64 = 0, Range::or_zero(30, 600);
        /// The match ends after at most this many rounds; 0 means no limit.
        max_rounds: i64 = 0, Range::or_zero(1, 1000);
    }
}

/// The rules for people, in English. Lines that begin with `# ` are headings.
pub const RULES_EN: &str = include_str!("rules.en.txt");
/// The same in German.
pub const RULES_DE: &str = include_str!("rules.de.txt");

/// The game of Ongdu.
#[derive(Clone, Copy, Debug)]
pub struct Ongdu;

impl Game for Ongdu {
    const NAME: &'static str = "ongdu";
    const TITLE: &'static str = "Ongdu";
    const ABOUT: &'static str = "Arrange nine cards in three layers and compare them with everybody else's.";
    const PLAYERS: RangeInclusive<u8> = 2..=6;
    const RESULT: Counting = Counting::Chips;
    const KEEPS_CLOSED: bool = true;

    type Settings = Settings;
    type Rules = Deal;
    type Series = Series;

    fn start(settings: &Settings, players: u8) -> Result<Series, BadSetting> {
        Self::check_players(players)?;
        Series::new(settings, players)
    }
}

impl crate::desk::Pace for Ongdu {
    // Players may take their time arranging nine cards, unless the table has a limit for it.
    fn seconds(settings: &Self::Settings) -> Option<u64> {
        u64::try_from(settings.arrange_timeout).ok().filter(|seconds| *seconds > 0)
    }
}
