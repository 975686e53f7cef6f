//! Texas Hold'em, no limit: two cards of one's own, five for all, and the best five of seven win.
//!
//! Two to nine players, one pack, shuffled anew for every hand. A match is a freeze-out with rising
//! blinds; a ring game has fixed blinds, and players buy in and leave between hands.
//!
//! Amounts are whole chips, and every bet is a total for its street ("raise to"). Nothing is ever claimed
//! about closed cards: the hands that are compared are opened, all others stay closed for ever. There is
//! no mucking and no burning.

mod action;
mod betting;
mod breaking;
mod draft;
mod flow;
mod phase;
pub mod phh;
pub mod pokerstars;
mod score;
mod series;
mod setup;
mod state;
mod view;

#[cfg(test)]
mod tests;

use core::ops::RangeInclusive;

use table::{BadSetting, Counting, Game, Range};

pub use action::{Action, Claim, Illegal, NoRaise};
pub use draft::Sizes;
pub use phase::{Did, Street};
pub use score::Pot;
pub use series::{BadBuyIn, Series};
pub use setup::{Antes, BlindSeats, Reopen, Setup};
pub use state::Deal;
pub use view::{Moves, PlayerView, PotView, Status, View};

/// The rules, for people, in English; lines that begin with `# ` are headings.
pub const RULES_EN: &str = include_str!("rules.en.txt");
/// The same in German.
pub const RULES_DE: &str = include_str!("rules.de.txt");

table::words! {
    /// Who pays the ante.
    pub enum AnteBy {
        /// Each player.
        Each = "each",
        /// The big blind for all.
        BigBlind = "big_blind",
    }
}

table::settings! {
    /// What a match of Hold'em is created with.
    pub struct Settings {
        /// Chips each player starts with.
        starting_chips: i64 = 1000, Range::whole(100, 1_000_000);
        /// The first small blind.
        small_blind: i64 = 10, Range::whole(1, 200_000);
        /// The first big blind: more than the small one, at most a fifth of the chips.
        big_blind: i64 = 20, Range::whole(2, 200_000);
        /// Blinds rise after this many hands; 0 means never.
        blind_every: i64 = 10, Range::or_zero(1, 100);
        /// Each time, the blinds rise to this many percent.
        blind_factor: i64 = 200, Range::whole(125, 300);
        /// The ante, paid before the deal: at most a big blind; it rises with the blinds.
        ante: i64 = 0, Range::whole(0, 200_000);
        /// Who pays the ante.
        ante_by: AnteBy = AnteBy::Each, Range::Words(AnteBy::WORDS.to_vec());
        /// A ring game: blinds are fixed, and players can buy in and leave between hands.
        ring: bool = false, Range::Flag;
        /// The smallest buy-in in a ring game, in big blinds.
        buy_in_min: i64 = 40, Range::whole(1, 1000);
        /// The largest buy-in in a ring game, in big blinds.
        buy_in_max: i64 = 100, Range::whole(1, 1000);
        /// The match ends after this many hands; 0 means no limit.
        hand_limit: i64 = 0, Range::or_zero(10, 500);
        /// The match ends after this many minutes; 0 means no limit.
        time_limit: i64 = 0, Range::or_zero(5, 240);
        /// When a player who has acted may raise again.
        reopen: Reopen = Reopen::Tda, Range::Words(Reopen::WORDS.to_vec());
        /// Hands are shown as soon as nobody can bet any more, before the rest of the board is dealt.
        early_allin_reveal: bool = true, Range::Flag;
    }
}

/// The game of Texas Hold'em.
#[derive(Clone, Copy, Debug)]
pub struct Holdem;

impl Game for Holdem {
    const NAME: &'static str = "holdem";
    const TITLE: &'static str = "Texas Hold'em";
    const ABOUT: &'static str = "No-limit poker: two cards of your own, five for all.";
    const PLAYERS: RangeInclusive<u8> = 2..=9;
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

impl Settings {
    /// Checks what depends on several settings.
    fn check_together(&self) -> Result<(), BadSetting> {
        if self.small_blind >= self.big_blind {
            let most = self.big_blind - 1;
            return Err(BadSetting::new("small_blind", format!("from 1 to {most}, less than the big blind")));
        }
        if self.big_blind > self.starting_chips / 5 {
            let most = self.starting_chips / 5;
            return Err(BadSetting::new("big_blind", format!("from 2 to {most}, a fifth of the chips")));
        }
        if self.ante > self.big_blind {
            return Err(BadSetting::new("ante", format!("from 0 to {}, the big blind", self.big_blind)));
        }
        if self.ring {
            if self.buy_in_min > self.buy_in_max {
                let most = self.buy_in_max;
                return Err(BadSetting::new("buy_in_min", format!("from 1 to {most}, the largest buy-in")));
            }
            let (least, most) = (self.buy_in_min * self.big_blind, self.buy_in_max * self.big_blind);
            if !(least..=most).contains(&self.starting_chips) {
                return Err(BadSetting::new("starting_chips", format!("a buy-in from {least} to {most}")));
            }
        }
        Ok(())
    }
}

impl crate::desk::Pace for Holdem {
    fn streets(before: &View, after: &View) -> u32 {
        let opened = |end: &&usize| (before.board.len() + 1..=after.board.len()).contains(*end);
        match [3, 4, 5].iter().filter(opened).count() {
            2 => 2,
            3 => 3,
            _ => 0,
        }
    }
}
