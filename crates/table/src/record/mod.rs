//! One record format for every way of playing: JSON Lines.
//!
//! A file holds one record after another. Each begins with a header. Then follows, for every deal, how it
//! began, its inputs in order, and how it ended, with the state hash. `docs/record.md` describes every field.
//!
//! Writing ([`Writer`]) and reading ([`Reader`]) are pure: lines of text in and out. A reader trusts nothing:
//! it replays every input on its own table and compares.

mod evidence;
mod read;
mod write;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Breakdown, Faces, Height, Leaving, Outcome, Seat, Standing};

pub use evidence::{By, Evidence, hex, session, unhex};
pub use read::{Reader, Step, Trouble};
pub use write::Writer;

/// The version this program writes, and the only one it reads so far.
pub const FORMAT: u32 = 1;

/// The longest line a record may have; a reader refuses longer ones.
pub const LONGEST_LINE: usize = 1 << 20;

/// The first line of a record.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// [`FORMAT`].
    pub format: u32,
    /// The game's name.
    pub game: String,
    /// The number of seats.
    pub players: u8,
    /// Identifies this table: 64 hexadecimal digits, bound into all evidence. Absent if the dealer leaves no
    /// evidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The settings of the match; absent in a record of single deals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settings: Option<serde_json::Value>,
    /// Who sat where; empty if unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// Who dealt: `local`, `house`, …, or `unknown` for hands that come from elsewhere.
    pub dealer: String,
    /// Anything else a program wants to keep, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub extra: BTreeMap<String, serde_json::Value>,
}

/// One line. `S`, `A` and `C` are the game's setup, action and choice.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Line<S, A, C> {
    /// A record begins.
    Fairdeal(Header),
    /// A deal begins.
    Deal(Deal<S>),
    /// Something that can be checked, about later or earlier lines.
    Evidence(Evidence),
    /// The dealer carried out its orders.
    Dealt(Dealt),
    /// A seat acted.
    Act(Act<A>),
    /// All seats that had to choose have chosen.
    Choices(Choices<C>),
    /// A seat left for good.
    Gone(Gone),
    /// The deal could not continue.
    Broken(Broken),
    /// The deal is over.
    End(End),
}

/// A deal begins.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deal<S> {
    /// Counted from 1 in each record.
    pub number: u32,
    /// How it begins.
    pub setup: S,
}

/// The dealer carried out its orders.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dealt {
    /// The height it answers.
    pub height: Height,
    /// What everybody saw.
    #[serde(default, skip_serializing_if = "Faces::is_empty")]
    pub open: Faces,
    /// What single seats saw, if the owner of the record may know it. Not needed for replay.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub private: BTreeMap<Seat, Faces>,
}

/// A seat acted.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Act<A> {
    /// The height it answers.
    pub height: Height,
    /// Who.
    pub seat: Seat,
    /// What.
    pub action: A,
    /// The cards it laid face up.
    #[serde(default, skip_serializing_if = "Faces::is_empty")]
    pub open: Faces,
    /// The seat's time was up, and this was done for it.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub timeout: bool,
}

/// All seats that had to choose have chosen.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choices<C> {
    /// The height they answer.
    pub height: Height,
    /// By seat.
    pub choices: Vec<(Seat, C)>,
}

/// A seat left the deal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gone {
    /// The height it answers.
    pub height: Height,
    /// Who.
    pub seat: Seat,
    /// How; absent if it left for good.
    #[serde(default, skip_serializing_if = "is_default")]
    pub how: Leaving,
}

fn is_default(how: &Leaving) -> bool {
    *how == Leaving::default()
}

/// The deal could not continue.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Broken {
    /// The height it answers.
    pub height: Height,
    /// Why.
    pub why: Breakdown,
}

/// The deal is over.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// How it ended.
    pub outcome: Outcome,
    /// The state hash, in hexadecimal.
    pub hash: String,
    /// How the match stands after it; absent in a record of single deals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standing: Option<Standing>,
}
