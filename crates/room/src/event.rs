//! The events at a table, as the log stores them.
//!
//! A table's log is a list of entries, each with a height and a time; an entry holds one event or several that belong
//! together. Applying them in order makes the table. What dealers and rules do automatically follows from them and is
//! not stored.

use bots::Kind;
use serde::{Deserialize, Serialize};
use table::{Height, Seat};

use super::decided::Decided;
use crate::ids::{Millis, PlayerId, TableId};

/// One entry of a log.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// When it happened.
    pub at: Millis,
    /// The events, in order.
    pub events: Vec<Event>,
}

/// Something that happened at a table.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The table was created: always the first event of a log, and only the first.
    Opened(Box<Terms>),
    /// Somebody sat down.
    Sat {
        /// The seat.
        seat: Seat,
        /// The player or computer.
        who: Sitter,
    },
    /// A player stood up: freely before the match, for good during it.
    Stood {
        /// The seat.
        seat: Seat,
    },
    /// The owner is away: before the match, the table is handed to a player who is there.
    Handed {
        /// The new owner.
        seat: Seat,
    },
    /// The match begins.
    Started,
    /// A seat committed to its seed.
    Committed {
        /// The seat.
        seat: Seat,
        /// The deck.
        deck: u32,
        /// 64 hexadecimal digits.
        commitment: String,
    },
    /// A seat revealed its seed.
    Revealed {
        /// The seat.
        seat: Seat,
        /// The deck.
        deck: u32,
        /// 64 hexadecimal digits.
        seed: String,
        /// 64 hexadecimal digits.
        nonce: String,
    },
    /// The time for commitments, or for seeds, is up.
    SeedsDue,
    /// A seat that sent no seeds will send them again.
    Woke {
        /// The seat.
        seat: Seat,
    },
    /// A seat acted.
    Acted {
        /// The seat.
        seat: Seat,
        /// The height it answers.
        height: Height,
        /// The action.
        action: Decided,
        /// Whether it was done for a seat whose time was up.
        #[serde(default, skip_serializing_if = "core::ops::Not::not")]
        timeout: bool,
    },
    /// A seat chose in secret.
    Chose {
        /// The seat.
        seat: Seat,
        /// The height it answers.
        height: Height,
        /// The choice; nobody else sees it until all have chosen.
        choice: Decided,
        /// Whether it was made for a seat whose time was up.
        #[serde(default, skip_serializing_if = "core::ops::Not::not")]
        timeout: bool,
    },
    /// People have seen the last move: the house continued dealing.
    Dealt,
    /// A seat has seen how the deal ended.
    Ready {
        /// The seat.
        seat: Seat,
        /// The deal that is over.
        deal: u32,
    },
    /// A seat got a hint: what a strong player would do.
    Hinted {
        /// The seat.
        seat: Seat,
        /// The height.
        height: Height,
    },
    /// The next deal begins, even if some players have not said that they are ready.
    Next,
    /// A player who was away is back.
    Back {
        /// The seat.
        seat: Seat,
    },
    /// Somebody said something.
    Said {
        /// The player.
        player: PlayerId,
        /// Their name at that time.
        name: String,
        /// The text.
        text: String,
    },
    /// The owner muted a player, or unmuted them.
    Muted {
        /// The player; all spectators, if `None`.
        player: Option<PlayerId>,
        /// Whether they are muted from now on.
        muted: bool,
    },
    /// A player changed their name or picture.
    Renamed {
        /// The seat.
        seat: Seat,
        /// The new name and picture.
        face: Face,
    },
    /// The players moved on to another table.
    Again {
        /// The table.
        table: TableId,
        /// The player who asked for it; older logs do not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<Seat>,
    },
}

impl Event {
    /// Whether it brings a deal, a match or a player's stay closer to its end. The number of such events is limited;
    /// people can cause any number of the others.
    pub(super) const fn ends_something(&self) -> bool {
        match self {
            Self::Stood { .. }
            | Self::Committed { .. }
            | Self::Revealed { .. }
            | Self::SeedsDue
            | Self::Acted { .. }
            | Self::Chose { .. }
            | Self::Dealt
            | Self::Next
            | Self::Again { .. } => true,
            Self::Opened(_)
            | Self::Sat { .. }
            | Self::Handed { .. }
            | Self::Started
            | Self::Ready { .. }
            | Self::Hinted { .. }
            | Self::Back { .. }
            | Self::Woke { .. }
            | Self::Said { .. }
            | Self::Muted { .. }
            | Self::Renamed { .. } => false,
        }
    }

    /// Whether it is about chat, and not about the match.
    pub(super) const fn is_talk(&self) -> bool {
        matches!(self, Self::Said { .. } | Self::Muted { .. })
    }
}

/// The terms a table was created with.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Terms {
    /// The game's name.
    pub game: String,
    /// The version of its rules.
    pub rules: u32,
    /// The number of seats.
    pub players: u8,
    /// The game's settings.
    pub settings: serde_json::Value,
    /// The player who created it; `None` if an operator did.
    pub owner: Option<PlayerId>,
    /// Whether it is in the public list.
    pub listed: bool,
    /// When the house publishes its seeds: `auto`, `after_deal` or `after_match`.
    pub reveal: String,
    /// The shortest time a computer thinks, in milliseconds. The lengths of pauses follow from it.
    pub pace: u32,
    /// Who may ask for hints.
    pub hints: Hints,
    /// Bound into all evidence: 64 hexadecimal digits.
    pub session: String,
}

/// Who may ask what a strong player would do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hints {
    /// A player who is alone with computers.
    #[default]
    Alone,
    /// Everybody. The others see it when a player does.
    On,
    /// Nobody.
    Off,
}

impl Hints {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Alone, Self::On, Self::Off];

    /// Its name in forms and in the API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Alone => "alone",
            Self::On => "on",
            Self::Off => "off",
        }
    }

    /// The one with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|hints| hints.name() == name)
    }
}

/// How a player appears to others.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Face {
    /// Their name.
    pub name: String,
    /// The number of their picture.
    pub avatar: u8,
}

/// The occupant of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sitter {
    /// A person, or a person's program.
    Player {
        /// The player.
        player: PlayerId,
        /// Their name and picture.
        face: Face,
        /// Whether they will send seeds. The table does not wait for a player who will not.
        seeds: bool,
    },
    /// A computer of the house.
    Computer(Kind),
}
