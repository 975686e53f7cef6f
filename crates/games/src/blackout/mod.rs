//! Blackout: say how many tricks you will take, then take exactly that many.
//!
//! Two to seven players, one pack, ace high. Rounds of `start` up to `max` and down to `end` cards; a new
//! shuffle every round. Left of the dealer bids and leads first; suit must be followed, nobody has to
//! trump. An exact bid scores 10 and its tricks, anything else nothing. Most points win.
//!
//! Following suit is a *claim*: nobody but its owner knows a hand, so a player of another suit says by
//! that "I hold none". The rest of the hand is played out in the open, so every such claim is judged by
//! the end of the round.

mod action;
mod draft;
mod score;
mod series;
mod state;
mod view;

#[cfg(test)]
mod tests;

use core::ops::RangeInclusive;

use table::{BadSetting, Counting, Game, Range, Settings as _};

pub use action::{Action, Claim, Illegal};
pub use draft::{Sorting, Would};
pub use score::beats;
pub use series::Series;
pub use state::{Deal, Setup};
pub use view::{Moves, PlayerView, View};

/// The rules, for people, in English; lines that begin with `# ` are headings.
pub const RULES_EN: &str = include_str!("rules.en.txt");
/// The same in German.
pub const RULES_DE: &str = include_str!("rules.de.txt");

table::settings! {
    /// What a match of Blackout is created with.
    pub struct Settings {
        /// Cards each player gets in the first round.
        start: i64 = 1, Range::whole(1, 26);
        /// Cards each player gets in the largest round; 0 means as many as possible.
        max: i64 = 0, Range::or_zero(1, 26);
        /// Cards each player gets in the last round.
        end: i64 = 1, Range::whole(1, 26);
        /// Points for making a bid, in addition to its tricks.
        points_for_correct_bet: i64 = 10, Range::whole(0, 100);
        /// Rounds played without trump, counted from 1.
        no_trump_rounds: Vec<u16> = Vec::new(), Range::Numbers { least: 1, most: 51 };
        /// The hook rule: the dealer may not make the bids add up to the number of tricks.
        hook: bool = false, Range::Flag;
        /// The largest round always leaves a card for trump.
        reserve_trump: bool = false, Range::Flag;
    }
}

/// The game of Blackout.
#[derive(Clone, Copy, Debug)]
pub struct Blackout;

impl Game for Blackout {
    const NAME: &'static str = "blackout";
    const TITLE: &'static str = "Blackout";
    const ABOUT: &'static str = "Bid how many tricks you will take, then take exactly that many.";
    const PLAYERS: RangeInclusive<u8> = 2..=7;
    const RESULT: Counting = Counting::Points;
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
    /// The most cards each player can be dealt.
    fn possible(&self, players: u8) -> u8 {
        let pack = if self.reserve_trump { 51 } else { 52 };
        pack / players.max(1)
    }

    /// Cards per round, in order, or which setting is out of range.
    fn sizes(&self, players: u8) -> Result<Vec<u8>, BadSetting> {
        self.check_ranges()?;
        let possible = self.possible(players);
        let max = if self.max == 0 { possible } else { u8::try_from(self.max).unwrap_or(u8::MAX) };
        if max > possible {
            return Err(BadSetting::new("max", format!("from 1 to {possible} with {players} players")));
        }
        let size = |field, value: i64| {
            let size = u8::try_from(value).ok().filter(|v| (1..=max).contains(v));
            size.ok_or_else(|| BadSetting::new(field, format!("from 1 to {max}, the largest round")))
        };
        let (start, end) = (size("start", self.start)?, size("end", self.end)?);
        let sizes: Vec<u8> = (start..=max).chain((end..max).rev()).collect();
        if let Some(beyond) = self.no_trump_rounds.iter().find(|n| usize::from(**n) > sizes.len()) {
            let rounds = sizes.len();
            return Err(BadSetting::new("no_trump_rounds", format!("rounds from 1 to {rounds}, not {beyond}")));
        }
        Ok(sizes)
    }
}

impl crate::desk::Pace for Blackout {
    fn settles(before: &View, after: &View) -> bool {
        !before.trick.is_empty() && after.trick.is_empty()
    }
}
