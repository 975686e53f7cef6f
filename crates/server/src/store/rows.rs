//! What goes into the store and comes out of it. Times are milliseconds since 1970.

use super::{Code, PlayerId, Secret, TableId};

/// How far a table is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// People are still sitting down.
    Gathering,
    /// A match is being played.
    Playing,
    /// Nothing will be added.
    Over,
}

/// A table to be made, with the first entry of its log.
#[derive(Debug, Clone)]
pub struct NewTable {
    /// Its name for ever.
    pub id: TableId,
    /// Its code until it is over.
    pub code: Code,
    /// The game's name.
    pub game: String,
    /// The version of the game's rules.
    pub rules: i64,
    /// Whether strangers find it in the lobby.
    pub listed: bool,
    /// How far it is.
    pub phase: Phase,
    /// When it is made.
    pub at: i64,
    /// When something is due though nobody does anything.
    pub due_at: Option<i64>,
    /// What the lobby shows, as JSON.
    pub summary: String,
    /// The house's secret.
    pub secret: Secret,
    /// Who sits there.
    pub seated: Vec<PlayerId>,
    /// The entry at height 0, as JSON.
    pub body: String,
}

/// What the store knows of a table beside its log. The secret is asked for apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableRow {
    /// Its name for ever.
    pub id: TableId,
    /// Its code until it is over.
    pub code: Code,
    /// The game's name.
    pub game: String,
    /// The version of the game's rules.
    pub rules: i64,
    /// Whether strangers find it in the lobby.
    pub listed: bool,
    /// How far it is.
    pub phase: Phase,
    /// When it was made.
    pub created_at: i64,
    /// When it was changed last.
    pub changed_at: i64,
    /// When something is due though nobody does anything.
    pub due_at: Option<i64>,
    /// What the lobby shows, as JSON.
    pub summary: String,
}

/// One entry of a table's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its place in the log, from 0.
    pub height: i64,
    /// When it was appended.
    pub at: i64,
    /// What happened, as JSON.
    pub body: String,
}

/// What an entry changes beside the log, written together with it or not at all.
#[derive(Debug, Clone)]
pub struct Change {
    /// How far the table is now.
    pub phase: Phase,
    /// When something is due though nobody does anything.
    pub due_at: Option<i64>,
    /// What the lobby shows now, as JSON.
    pub summary: String,
    /// Who sits there now, if that changed.
    pub seated: Option<Vec<PlayerId>>,
    /// One for each seat, when a match is finished.
    pub results: Vec<SeatResult>,
    /// The finished match's record.
    pub record: Option<String>,
}

/// How one seat came out of a finished match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatResult {
    /// The seat.
    pub seat: i64,
    /// Who sat there; nobody for computers.
    pub player: Option<PlayerId>,
    /// The name at that time.
    pub name: String,
    /// The game's name.
    pub game: String,
    /// How many played.
    pub players: i64,
    /// From 1; equal totals have equal places.
    pub place: i64,
    /// Chips or points in the end.
    pub total: i64,
    /// Whether it was first alone.
    pub won: bool,
    /// Whether it was first together with others.
    pub shared: bool,
    /// How many deals were played.
    pub deals: i64,
    /// When the match ended.
    pub over_at: i64,
}

/// A finished match as one of its players finds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// Where it was played.
    pub table: TableId,
    /// How the player came out of it.
    pub result: SeatResult,
}

/// Somebody who was here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    /// The name for ever.
    pub id: PlayerId,
    /// The name that others see.
    pub name: String,
    /// The picture that others see.
    pub avatar: String,
    /// When the player first came.
    pub created_at: i64,
    /// When the player was here last.
    pub seen_at: i64,
}

/// All finished matches of a player in one game.
#[derive(Debug, Clone, PartialEq)]
pub struct Statistics {
    /// The game's name.
    pub game: String,
    /// How many matches.
    pub matches: i64,
    /// How many were won alone.
    pub won: i64,
    /// How many were won together with others.
    pub shared: i64,
    /// How many deals.
    pub deals: i64,
    /// The sum of the totals.
    pub total: i64,
    /// The mean of the places, from 1.
    pub mean_place: f64,
}

impl Phase {
    /// As the database keeps it.
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
