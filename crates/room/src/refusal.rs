//! Why a table refuses a command.

use core::any::Any;
use core::fmt;
use std::sync::Arc;

use table::{Height, Rules, Seat};

use super::Kept;

/// Why something is refused. Reveals nothing that the player may not know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// There is no such seat.
    NoSuchSeat,
    /// The seat is taken.
    Taken(Seat),
    /// The player already sits at this table.
    SeatedAlready(Seat),
    /// The player does not sit at this table.
    NotSeated,
    /// Only the owner may do that.
    NotOwner,
    /// There are empty seats.
    EmptyChairs(u8),
    /// Only computers sit here.
    Nobody,
    /// The match has begun.
    Begun,
    /// The match has not begun.
    NotBegun,
    /// The match is over.
    Over,
    /// The match is not over yet.
    NotOver,
    /// It answers another height.
    Height {
        /// The height of the table.
        now: Height,
        /// The height it answers.
        got: Height,
    },
    /// Another deal is on the table.
    OtherDeal,
    /// It is not the player's turn.
    NotAsked,
    /// The player has already made exactly this choice.
    ChosenAlready,
    /// This table gives no hints.
    NoHints,
    /// The seat has already had a hint here.
    HintedAlready,
    /// It is not a move of this game.
    NotAMove(String),
    /// The game refuses it.
    Illegal(Illegal),
    /// Seeds: not 64 hexadecimal digits.
    NotHex,
    /// Seeds: the house refuses.
    Seed(dealers::house::Refusal),
    /// A name or text that is empty or too long.
    Text {
        /// The most characters.
        most: usize,
    },
    /// The player is not marked away.
    NotAway,
    /// The owner has muted this player.
    Muted,
    /// The player has used up their share of the chat.
    SaidEnough,
    /// The log has become too long.
    Full,
    /// The table was created under other rules.
    OtherRules,
    /// The entry makes no sense: the log is damaged.
    Damaged(&'static str),
}

impl Refusal {
    /// For programs: a code that never changes.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoSuchSeat => "no_such_seat",
            Self::Taken(_) => "taken",
            Self::SeatedAlready(_) => "seated_already",
            Self::NotSeated => "not_seated",
            Self::NotOwner => "not_owner",
            Self::EmptyChairs(_) => "empty_chairs",
            Self::Nobody => "nobody",
            Self::Begun => "begun",
            Self::NotBegun => "not_begun",
            Self::Over => "over",
            Self::NotOver => "not_over",
            Self::Height { .. } => "height",
            Self::OtherDeal => "other_deal",
            Self::NotAsked => "not_asked",
            Self::ChosenAlready => "chosen_already",
            Self::NoHints => "no_hints",
            Self::HintedAlready => "hinted_already",
            Self::NotAMove(_) => "not_a_move",
            Self::Illegal(_) => "illegal",
            Self::NotHex => "not_hex",
            Self::Seed(_) => "seed",
            Self::Text { .. } => "text",
            Self::NotAway => "not_away",
            Self::Muted => "muted",
            Self::SaidEnough => "said_enough",
            Self::Full => "full",
            Self::OtherRules => "other_rules",
            Self::Damaged(_) => "damaged",
        }
    }

    /// Whether the same could be accepted at another height of the log.
    pub const fn may_pass(&self) -> bool {
        match self {
            Self::Taken(_)
            | Self::SeatedAlready(_)
            | Self::NotSeated
            | Self::NotOwner
            | Self::EmptyChairs(_)
            | Self::Nobody
            | Self::Begun
            | Self::NotBegun
            | Self::Over
            | Self::NotOver
            | Self::Height { .. }
            | Self::OtherDeal
            | Self::NotAsked
            | Self::ChosenAlready
            | Self::NoHints
            | Self::HintedAlready
            | Self::NotAway
            | Self::Muted
            | Self::Seed(_) => true,
            Self::NoSuchSeat
            | Self::NotAMove(_)
            | Self::Illegal(_)
            | Self::NotHex
            | Self::Text { .. }
            | Self::SaidEnough
            | Self::Full
            | Self::OtherRules
            | Self::Damaged(_) => false,
        }
    }
}

/// Why the rules of a game refuse a move, as that game says it.
#[derive(Clone)]
pub struct Illegal(Arc<dyn Reason>);

trait Reason: Any + fmt::Debug + Send + Sync {}

impl<T: Any + fmt::Debug + Send + Sync> Reason for T {}

impl Illegal {
    pub(super) fn new(why: impl Any + fmt::Debug + Send + Sync) -> Self {
        Self(Arc::new(why))
    }

    /// The reason, if it is one of this game.
    pub fn of<G: Kept>(&self) -> Option<&<G::Rules as Rules>::Illegal> {
        let why: &dyn Any = &*self.0;
        why.downcast_ref()
    }
}

impl fmt::Debug for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl PartialEq for Illegal {
    fn eq(&self, other: &Self) -> bool {
        format!("{self:?}") == format!("{other:?}")
    }
}

impl Eq for Illegal {}
