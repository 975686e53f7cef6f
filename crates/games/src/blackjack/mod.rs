//! Blackjack Duel: everybody plays against the same bank, and against each other for chips.
//!
//! Two to four players with 500 chips each, a shoe of six packs, ten rounds. A round is one deal:
//!
//! ```text
//! Betting   all bet in secret, then the bets are seen
//! Dealing   two cards to each player, face down; two to the bank, the first one open
//! Turn      hand after hand: hit, stand, double, split, bust, surrender
//! Drawing   the hand being played gets a card
//! Showing   all hands and the bank's second card are opened
//! Bank      the bank draws to 17
//! Over      every hand is paid, on its own, against the bank
//! ```
//!
//! Nobody but its owner knows a hand before it is shown, so nothing ends by itself: the owner says `stand`
//! on 21 and `bust` above it. Hitting *claims* a total of at most 20, standing one of at
//! most 21; all hands are open at the end, and the table judges the claims then.
//!
//! The shoe outlives a round. Who has no chips left is out; most chips after the last round win.

mod action;
mod hand;
mod score;
mod series;
mod setup;
mod shoe;
mod state;
mod view;

#[cfg(test)]
mod tests;

use core::ops::RangeInclusive;

use table::{BadSetting, Chips, Counting, Game, Range, Settings as _};

pub use action::{Action, Bet, Claim, Illegal};
pub use hand::Status;
pub use score::{Ground, Total};
pub use series::Series;
pub use setup::Setup;
pub use shoe::Shoe;
pub use state::Deal;
pub use view::{BankView, HandView, Moves, PlayerView, TurnMoves, Verdict, View};

table::words! {
    /// What the bank does on a soft 17.
    pub enum Soft17 {
        /// Stands.
        Stand = "stand",
        /// Draws.
        Hit = "hit",
    }
}

table::words! {
    /// What a natural wins, for what was staked.
    pub enum BlackjackPays {
        /// Three chips for two.
        ThreeToTwo = "3:2",
        /// Six chips for five.
        SixToFive = "6:5",
        /// As much as any other hand.
        OneToOne = "1:1",
    }
}

/// Fewer cards than this in the shoe call for a new one, unless a match is created with another number.
const RESHUFFLE_BELOW: i64 = 78;

table::settings! {
    /// What a match of Blackjack Duel is created with.
    pub struct Settings {
        /// Chips each player starts with.
        starting_chips: Chips = Chips(500), Range::whole(10, 100_000);
        /// The smallest bet; a player with fewer chips bets them all.
        min_bet: Chips = Chips(10), Range::whole(1, 100_000);
        /// The largest bet.
        max_bet: Chips = Chips(100), Range::whole(1, 100_000);
        /// Rounds in a match.
        rounds: i64 = 10, Range::whole(1, 100);
        /// Packs in the shoe.
        decks: i64 = 6, Range::whole(1, 8);
        /// With fewer cards left before a round, the shoe is reshuffled; at most half the shoe.
        reshuffle_below: i64 = RESHUFFLE_BELOW, Range::whole(26, 208);
        /// What the bank does on a soft 17.
        soft17: Soft17 = Soft17::Stand, Range::Words(Soft17::WORDS.to_vec());
        /// The most hands a player can have after splitting.
        max_split_hands: i64 = 2, Range::whole(2, 4);
        /// Any two cards of the same value can be split, not only those of the same rank.
        split_by_value: bool = false, Range::Flag;
        /// Whether a hand that comes from a split can be doubled.
        double_after_split: bool = true, Range::Flag;
        /// What a natural (21 with the first two cards) pays.
        blackjack_pays: BlackjackPays = BlackjackPays::ThreeToTwo, Range::Words(BlackjackPays::WORDS.to_vec());
        /// The most extra rounds between players tied for first.
        tie_rounds: i64 = 0, Range::whole(0, 5);
    }
}

/// The rules for people, in English. Lines that begin with `# ` are headings.
pub const RULES_EN: &str = include_str!("rules.en.txt");
/// The same in German.
pub const RULES_DE: &str = include_str!("rules.de.txt");

/// The game of Blackjack Duel.
#[derive(Clone, Copy, Debug)]
pub struct Blackjack;

impl Game for Blackjack {
    const NAME: &'static str = "blackjack";
    const TITLE: &'static str = "Blackjack Duel";
    const ABOUT: &'static str = "Get closer to 21 than the bank, and win more chips from it than the others.";
    const PLAYERS: RangeInclusive<u8> = 2..=4;
    const RESULT: Counting = Counting::BankChips;
    const KEEPS_CLOSED: bool = false;

    type Settings = Settings;
    type Rules = Deal;
    type Series = Series;

    fn start(settings: &Settings, players: u8) -> Result<Series, BadSetting> {
        Self::check_players(players)?;
        Ok(Series::new(settings.checked()?, players))
    }
}

impl Settings {
    /// The settings as they take effect, or which is out of range.
    fn checked(&self) -> Result<Self, BadSetting> {
        self.check_ranges()?;
        if self.min_bet > self.max_bet {
            return Err(BadSetting::new("min_bet", format!("from 1 to {}, the largest bet", self.max_bet)));
        }
        if self.max_bet > self.starting_chips {
            let expected = format!("from {} to {}, the starting chips", self.min_bet, self.starting_chips);
            return Err(BadSetting::new("max_bet", expected));
        }
        let half = 26 * self.decks;
        let mut checked = self.clone();
        // What nobody has set follows a small shoe.
        if self.reshuffle_below == RESHUFFLE_BELOW {
            checked.reshuffle_below = half.min(RESHUFFLE_BELOW);
        } else if self.reshuffle_below > half {
            return Err(BadSetting::new("reshuffle_below", format!("from 26 to {half}, half the shoe")));
        }
        Ok(checked)
    }
}

impl crate::desk::Pace for Blackjack {}
