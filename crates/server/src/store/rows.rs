//! The data that goes into the store and comes out of it. Times are milliseconds since 1970.

use super::{Code, PlayerId, Secret, TableId};

/// The phase of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// People are still sitting down.
    Gathering,
    /// A match is being played.
    Playing,
    /// The match is over; nothing will be added.
    Over,
}

/// A table to be created, with the first entry of its log.
#[derive(Debug, Clone)]
pub struct NewTable {
    /// Its permanent id.
    pub id: TableId,
    /// Its code until it is over.
    pub code: Code,
    /// The game's name.
    pub game: String,
    /// The version of the game's rules.
    pub rules: i64,
    /// Whether strangers find it in the lobby.
    pub listed: bool,
    /// Its phase.
    pub phase: Phase,
    /// When it was created.
    pub at: i64,
    /// When something is due automatically.
    pub due_at: Option<i64>,
    /// The lobby's summary, as JSON.
    pub summary: String,
    /// The house's secret.
    pub secret: Secret,
    /// The players at it.
    pub seated: Vec<PlayerId>,
    /// The entry at height 0, as JSON.
    pub body: String,
}

/// What the store knows about a table apart from its log. The secret is read separately.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableRow {
    /// Its permanent id.
    pub id: TableId,
    /// Its code until it is over.
    pub code: Code,
    /// The game's name.
    pub game: String,
    /// The version of the game's rules.
    pub rules: i64,
    /// Whether strangers find it in the lobby.
    pub listed: bool,
    /// Its phase.
    pub phase: Phase,
    /// When it was created.
    pub created_at: i64,
    /// When it last changed.
    pub changed_at: i64,
    /// When something is due automatically.
    pub due_at: Option<i64>,
    /// The lobby's summary, as JSON.
    pub summary: String,
}

/// One entry of a table's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its position in the log, from 0.
    pub height: i64,
    /// When it was appended.
    pub at: i64,
    /// The events, as JSON.
    pub body: String,
}

/// What an entry changes apart from the log, written together with it or not at all.
#[derive(Debug, Clone)]
pub struct Change {
    /// The phase of the table now.
    pub phase: Phase,
    /// When something is due automatically.
    pub due_at: Option<i64>,
    /// The lobby's summary now, as JSON.
    pub summary: String,
    /// The players at it now, if that changed.
    pub seated: Option<Vec<PlayerId>>,
    /// One result per seat, when a match is finished.
    pub results: Vec<SeatResult>,
    /// The finished match's record.
    pub record: Option<String>,
}

/// One seat's result of a finished match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatResult {
    /// The seat.
    pub seat: i64,
    /// The player; `None` for computers.
    pub player: Option<PlayerId>,
    /// The name at that time.
    pub name: String,
    /// The game's name.
    pub game: String,
    /// The number of players.
    pub players: i64,
    /// From 1; equal totals have equal places.
    pub place: i64,
    /// Chips or points at the end.
    pub total: i64,
    /// Whether it won alone.
    pub won: bool,
    /// Whether it shared the first place.
    pub shared: bool,
    /// The number of deals played.
    pub deals: i64,
    /// When the match ended.
    pub over_at: i64,
}

/// A finished match, from one player's view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// The table.
    pub table: TableId,
    /// The player's result.
    pub result: SeatResult,
}

/// A player who has been here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    /// The permanent id.
    pub id: PlayerId,
    /// The name that others see.
    pub name: String,
    /// The picture that others see.
    pub avatar: String,
    /// When the player first came.
    pub created_at: i64,
    /// When the player was last here.
    pub seen_at: i64,
}

/// All finished matches of a player in one game.
#[derive(Debug, Clone, PartialEq)]
pub struct Statistics {
    /// The game's name.
    pub game: String,
    /// The number of matches.
    pub matches: i64,
    /// Matches won alone.
    pub won: i64,
    /// Matches with a shared first place.
    pub shared: i64,
    /// The number of deals.
    pub deals: i64,
    /// The sum of the totals.
    pub total: i64,
    /// The mean of the places, from 1.
    pub mean_place: f64,
}

impl Phase {
    /// The name in the database.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Gathering => "gathering",
            Phase::Playing => "playing",
            Phase::Over => "over",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        [Phase::Gathering, Phase::Playing, Phase::Over].into_iter().find(|phase| phase.name() == name)
    }
}
