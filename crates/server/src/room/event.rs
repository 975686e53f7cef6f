//! What can happen at a table, as the log keeps it.
//!
//! The log of a table is a list of entries, each with a height and a time; an entry holds one event or
//! several that belong together. The table is what comes out when they are applied in order. What dealers
//! and rules do by themselves follows from them and is not written down.

use bots::Kind;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use table::{Height, Seat};

use crate::ids::{Millis, PlayerId, TableId};

/// One entry of a log.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// When.
    pub at: Millis,
    /// What, in order.
    pub events: Vec<Event>,
}

/// Something that happened at a table.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The table was made: the first event of every log, and of no other height.
    Opened(Box<Terms>),
    /// Somebody sat down.
    Sat {
        /// Where.
        seat: Seat,
        /// Who.
        who: Sitter,
    },
    /// Somebody stood up: freely before the match, for good while it is played.
    Stood {
        /// From where.
        seat: Seat,
    },
    /// The owner is away: the table is handed on to somebody who is there, before the match.
    Handed {
        /// To whom.
        seat: Seat,
    },
    /// The match begins.
    Started,
    /// A seat committed to its seed.
    Committed {
        /// Who.
        seat: Seat,
        /// For which deck.
        deck: u32,
        /// 64 hexadecimal digits.
        commitment: String,
    },
    /// A seat revealed its seed.
    Revealed {
        /// Who.
        seat: Seat,
        /// For which deck.
        deck: u32,
        /// 64 hexadecimal digits.
        seed: String,
        /// 64 hexadecimal digits.
        nonce: String,
    },
    /// The time for commitments, or for seeds, is over.
    SeedsDue,
    /// A seat that sent no seeds will send them again.
    Woke {
        /// Who.
        seat: Seat,
    },
    /// A seat acted.
    Acted {
        /// Who.
        seat: Seat,
        /// The height it answers.
        height: Height,
        /// What.
        action: Box<RawValue>,
        /// Done for a seat whose time was up.
        #[serde(default, skip_serializing_if = "core::ops::Not::not")]
        timeout: bool,
    },
    /// A seat chose in secret.
    Chose {
        /// Who.
        seat: Seat,
        /// The height it answers.
        height: Height,
        /// What; nobody else sees it before all have chosen.
        choice: Box<RawValue>,
        /// Done for a seat whose time was up.
        #[serde(default, skip_serializing_if = "core::ops::Not::not")]
        timeout: bool,
    },
    /// People have seen what was done: the house dealt on.
    Dealt,
    /// A seat has seen how the deal ended.
    Ready {
        /// Who.
        seat: Seat,
        /// The deal that is over.
        deal: u32,
    },
    /// A seat was told what a strong player would do.
    Hinted {
        /// Who.
        seat: Seat,
        /// At which height.
        height: Height,
    },
    /// The next deal begins, whoever has not said that he is ready.
    Next,
    /// Somebody who was away is back.
    Back {
        /// Who.
        seat: Seat,
    },
    /// Somebody said something.
    Said {
        /// Who.
        player: PlayerId,
        /// What he was called then.
        name: String,
        /// What.
        text: String,
    },
    /// The owner muted somebody, or wants to hear them again.
    Muted {
        /// Whom; everybody who looks on, if nobody is named.
        player: Option<PlayerId>,
        /// Are they muted from now on?
        muted: bool,
    },
    /// A player wants to be called, or to look, otherwise.
    Renamed {
        /// Who.
        seat: Seat,
        /// How.
        face: Face,
    },
    /// The players moved on to another table.
    Again {
        /// Which.
        table: TableId,
        /// Who asked for it; older logs do not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<Seat>,
    },
}

impl Event {
    /// Does it bring a deal, a match or somebody's stay nearer to its end? There is an end to how much of that can
    /// happen; of everything else people can make as much as they like.
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

    /// Is it about what people say, and not about the match?
    pub(super) const fn is_talk(&self) -> bool {
        matches!(self, Self::Said { .. } | Self::Muted { .. })
    }
}

/// What a table was made with.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Terms {
    /// The game's name.
    pub game: String,
    /// The version of its rules.
    pub rules: u32,
    /// How many chairs.
    pub players: u8,
    /// The game's settings.
    pub settings: serde_json::Value,
    /// Who made it; nobody, if an operator did.
    pub owner: Option<PlayerId>,
    /// Is it in the list that everybody sees?
    pub listed: bool,
    /// When the house publishes its seeds: `auto`, `after_deal` or `after_match`.
    pub reveal: String,
    /// How long a computer thinks, at least, in milliseconds. What is to be seen stays for a time that follows from it.
    pub pace: u32,
    /// Who may ask what a strong player would do.
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
    /// Everybody. The others see when somebody does.
    On,
    /// Nobody.
    Off,
}

impl Hints {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Alone, Self::On, Self::Off];

    /// What it is called in forms and in the interface for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Alone => "alone",
            Self::On => "on",
            Self::Off => "off",
        }
    }

    /// The one that is called so.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|hints| hints.name() == name)
    }
}

/// How a player wants to be seen by others.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Face {
    /// His name.
    pub name: String,
    /// His picture: the number of one of those there are.
    pub avatar: u8,
}

/// Somebody who sits down.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sitter {
    /// A person, or a program of somebody.
    Player {
        /// Who.
        player: PlayerId,
        /// How he looks.
        face: Face,
        /// Will he send seeds? Who will not is not waited for.
        seeds: bool,
    },
    /// A computer of the house.
    Computer(Kind),
}
