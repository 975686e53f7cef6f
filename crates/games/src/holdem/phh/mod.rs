//! Published hands: the Poker Hand History format (PHH), read, played again and written.
//!
//! A `.phh` file is a TOML document with one hand, a `.phhs` file has a table for each hand: `[1]`, `[2]`
//! and so on. A hand says what it begins with (stacks, blinds, antes) and what happened, line by line.
//! Only no-limit Texas hold'em (`variant = "NT"`) is known here.
//!
//! ```text
//! text -> decode -> PhhHand -> replay  -> stacks
//!                           -> encode  -> text
//!                           -> record  -> lines of a record;  FromRecord: and back
//! ```
//!
//! Players are numbered from left of the button, so with three or more `p1` has the small blind and the
//! last one the button. Heads-up the last one, `p2`, has button and small blind, and a file lists blinds
//! and antes the other way round: small blind first, for `p2`.
//!
//! # What is different here
//!
//! - Nobody mucks: a hand that reaches the showdown and is known is compared, even if the file puts it
//!   away. A hand that is *unknown* there (`sm ????`, `sm -`, `sm`, or nothing said) is *mucked*, which is a fold,
//!   as long as another hand is known or the file's `winnings` tell who has won. Otherwise the showdown is
//!   impossible, and that is an error.
//! - A stack may be unlimited (`inf`): nobody knows it. A player whose turn is passed over from some moment on
//!   was all-in then, with what had been put in.
//! - Rake is not part of the rules. Where a file's `finishing_stacks` or `winnings` tell it, it is reported, see
//!   [`Replayed::rake`]; stacks are those without it.
//! - A negative entry of `blinds_or_straddles` is posted by a player who comes back. As far as it exceeds the big
//!   blind, or falls short of it, it is dead money, as a missed small blind is; read like that, or else as a bet,
//!   whichever agrees with the file.
//! - Nobody is asked what changes nothing. Where all others are all-in and matched, a file may have a last
//!   check that is not awaited here; it is passed over, there and nowhere else.
//! - Chips that cannot be divided go one by one to the winners left of the button. What one chip is
//!   follows from how the amounts of the hand are written, see [`Unit`].
//!
//! ```
//! use games::holdem::phh;
//!
//! let hand = phh::decode(r#"
//!     variant = "NT"
//!     antes = [0, 0]
//!     blinds_or_straddles = [1, 2]
//!     min_bet = 2
//!     starting_stacks = [100, 100]
//!     actions = ["d dh p1 AhKh", "d dh p2 ????", "p2 cbr 6", "p1 cbr 20", "p2 f"]
//! "#)?;
//! let replayed = phh::replay(&hand)?;
//! let stacks: Vec<String> = replayed.stacks.iter().map(|s| hand.unit.show(*s)).collect();
//! assert_eq!(stacks, ["106", "94"]);
//! # Ok::<(), phh::PhhError>(())
//! ```

mod amount;
mod decode;
mod encode;
mod error;
mod from_record;
mod known;
mod notation;
mod reading;
mod replay;
mod seating;
mod to_record;
mod told;

use table::Chips;

pub use amount::{BadAmount, Unit};
pub use decode::{Entry, decode, decode_all};
pub use encode::{encode, encode_all};
pub use error::{Awaited, PhhError, Place, Reason};
pub use from_record::{FromRecord, RecordError};
pub use notation::{Line, Maybe, Play, Player};
pub use replay::{Given, Replayed, Step, replay, replay_steps};
pub use to_record::to_record;

pub(super) use reading::play;
pub(super) use replay::{Played, Seen, Watch};
pub(super) use seating::Seating;

/// Files larger than this many bytes are refused.
pub const LARGEST: usize = 64 << 20;
/// Hands with more lines of play are refused.
pub const MOST_LINES: usize = 10_000;

/// A hand as a file has it. The lists go by player, in the order of the file.
#[derive(Clone, PartialEq, Debug)]
pub struct PhhHand {
    /// What its table is called in a file with several hands.
    pub label: Option<String>,
    /// What all its amounts are counted in.
    pub unit: Unit,
    /// Whether antes count like bets, of which nobody can win more than they have paid, or belong to the main
    /// pot in full, as they do where the file does not say.
    pub ante_trimming_status: Option<bool>,
    /// Antes; heads-up the other way round.
    pub antes: Vec<Chips>,
    /// Blinds and straddles; heads-up the other way round.
    ///
    /// A negative amount is posted by a player who comes back to the table.
    pub blinds_or_straddles: Vec<Chips>,
    /// The least bet.
    pub min_bet: Chips,
    /// Stacks before antes and blinds; for an unlimited one, more than can be needed.
    pub starting_stacks: Vec<Chips>,
    /// Players whose stacks are unlimited.
    pub unlimited: Vec<Player>,
    /// What happened.
    pub lines: Vec<Line>,
    /// Stacks at the end.
    pub finishing_stacks: Option<Vec<Chips>>,
    /// Every other field, by name.
    pub fields: toml::Table,
}

impl PhhHand {
    /// How many play.
    pub const fn players(&self) -> usize {
        self.starting_stacks.len()
    }

    /// What each player took from the pot, if the file tells it; some files have zeros instead of telling it.
    pub fn winnings(&self) -> Option<Vec<Chips>> {
        let list = self.fields.get("winnings")?.as_array()?;
        let all: Option<Vec<Chips>> = list.iter().map(|value| self.unit.chips(amount::of_value(value)?).ok()).collect();
        let all = all.filter(|all| all.len() == self.players() && all.iter().all(|chips| *chips >= Chips::ZERO))?;
        all.iter().any(|chips| *chips > Chips::ZERO).then_some(all)
    }

    /// A line of play as the file has it, counted from 0.
    pub fn line(&self, index: usize) -> Option<String> {
        self.lines.get(index).map(|line| line.write(self.unit))
    }

    fn error_at(&self, index: usize, reason: Reason) -> PhhError {
        let text = self.line(index).unwrap_or_default();
        self.error(PhhError::action(index, &text, reason))
    }

    fn error(&self, error: PhhError) -> PhhError {
        match &self.label {
            Some(label) => error.of_hand(label),
            None => error,
        }
    }
}
