//! A game as a whole: its name, its settings, its deals and its matches.

use core::ops::RangeInclusive;

use serde::Serialize;

use crate::{BadSetting, Breakdown, Outcome, Rules, Seat, Settings, Standing, TieBreak};

/// What the results of a game's deals count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Counting {
    /// Chips that players win from one another: a deal's results add up to zero.
    Chips,
    /// Chips won from or lost to a bank.
    BankChips,
    /// Points; more is better.
    Points,
    /// Penalty points; fewer is better.
    Penalties,
}

/// One of the games. A type without values that ties the parts together.
pub trait Game: Sized + 'static {
    /// Its name in commands and records.
    const NAME: &'static str;
    /// Its name for people.
    const TITLE: &'static str;
    /// One sentence about it.
    const ABOUT: &'static str;
    /// How many people can play.
    const PLAYERS: RangeInclusive<u8>;
    /// What the results of its deals count.
    const RESULT: Counting;
    /// Whether the rules keep some cards closed for good, such as a folded hand, or an undealt rest that would
    /// show what others held. If not, a used deck can be opened from top to bottom without revealing anything a
    /// player may keep secret, and a dealer that can do so does.
    const KEEPS_CLOSED: bool;
    /// Goes up whenever the rules change so that a match begun earlier could not be continued.
    const VERSION: u32 = 1;

    /// The settings of a match.
    type Settings: Settings;
    /// One deal.
    type Rules: Rules;
    /// A match.
    type Series: Series<Rules = Self::Rules>;

    /// A new match, or which setting is out of range.
    fn start(settings: &Self::Settings, players: u8) -> Result<Self::Series, BadSetting>;

    /// A single deal as it might occur in such a match: [`Series::sample`] of a new one.
    fn sample(settings: &Self::Settings, players: u8, turn: u64) -> Result<<Self::Rules as Rules>::Setup, BadSetting> {
        Self::start(settings, players).map(|series| series.sample(turn))
    }

    /// Checks the number of players.
    fn check_players(players: u8) -> Result<(), BadSetting> {
        if Self::PLAYERS.contains(&players) {
            return Ok(());
        }
        let (least, most) = (Self::PLAYERS.start(), Self::PLAYERS.end());
        Err(BadSetting::new("players", format!("from {least} to {most}")))
    }
}

/// A match: one deal after another, until somebody has won.
///
/// It decides how each deal begins and takes its outcome; it never looks into a running deal.
pub trait Series: Clone + core::fmt::Debug + Serialize {
    /// The rules of its deals.
    type Rules: Rules;

    /// How the next deal begins, its decks numbered from `first_deck`; `None` once the match is over.
    fn next(&self, first_deck: u32) -> Option<<Self::Rules as Rules>::Setup>;

    /// A single deal as it might occur in this match, for simulation, its decks numbered from 0; `turn` moves
    /// everything that rotates from deal to deal (button, dealer, starting seat).
    fn sample(&self, turn: u64) -> <Self::Rules as Rules>::Setup;

    /// Whether the deal after this one will begin with fresh decks, as far as can be told while it is played. They can
    /// then be shuffled ahead.
    fn renews(&self, _deal: &Self::Rules) -> bool {
        true
    }

    /// Takes the outcome of the deal that [`Series::next`] began. `deal` is its last state.
    fn finish(&mut self, deal: &Self::Rules, outcome: &Outcome);

    /// A seat concedes the match, between two deals or during one (which is then finished as usual).
    fn concede(&mut self, seat: Seat);

    /// Called between deals: this many seconds have passed since the match began.
    fn elapsed(&mut self, _seconds: u64) {}

    /// How the match stands.
    fn standing(&self) -> Standing;

    /// Why a seat is placed before another, where their totals do not say it.
    fn tie_break(&self, _ahead: Seat, _behind: Seat) -> Option<TieBreak> {
        None
    }
}

/// Whether an outcome says that this seat broke the deal.
pub fn blamed(outcome: &Outcome, seat: Seat) -> bool {
    outcome.broken_off.is_some_and(|why: Breakdown| why.culprits().contains(seat))
}
