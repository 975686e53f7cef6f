//! A station: it keeps signed results and ranks players by them.
//!
//! The server shows the boards and accepts results; where they are kept is the business of whoever runs the server.

use core::fmt;
use std::sync::Arc;

use games::AnyGame;
use results::{Leaderboard, Public};

/// What a server needs from a station. Calls may take a while, so they are made on threads of their own.
pub trait Station: Send + Sync {
    /// The station's key.
    fn key(&self) -> Public;

    /// Whether only matches of players whom the operator has listed count.
    fn is_closed(&self) -> bool;

    /// The board of a game, signed by the station.
    ///
    /// # Errors
    /// Says why it cannot be had.
    fn board(&self, game: AnyGame) -> Result<Arc<Leaderboard>, String>;

    /// Checks a file, and keeps it if it is a result that is signed as it should be, and wanted.
    ///
    /// # Errors
    /// Says why it is not kept.
    fn take(&self, file: &[u8], wanted: Wanted) -> Result<Taken, NotTaken>;
}

/// Which results are wanted from somebody.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// All.
    Everything,
    /// Those that are kept already, which may have signatures that are missing there.
    Known,
}

/// What became of a result that somebody sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taken {
    /// What it brought.
    pub brought: Brought,
    /// Whether all players have signed what is kept now.
    pub complete: bool,
}

/// What a result brought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Brought {
    /// A match that was not known.
    Match,
    /// Signatures that were missing.
    Signatures,
    /// Nothing new.
    Nothing,
    /// A contradiction: another result of the same match is kept, too, and neither counts if all signed both.
    Contradiction,
}

/// Why a result is not kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotTaken {
    /// It is no file of a result.
    Unreadable(String),
    /// A signature in it is wrong.
    Forged,
    /// Nobody has signed it.
    Unsigned,
    /// Somebody in it is not one of the players whom the operator has listed.
    Stranger,
    /// It cannot have ended when it says.
    Implausible(String),
    /// Too many results that are not signed by all are kept already.
    Full,
    /// It is not kept yet, and only what is kept was [wanted](Wanted).
    TooMany,
    /// It could not be stored. The reason is the operator's business.
    Unavailable(String),
}

impl Brought {
    /// For programs.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Match => "new",
            Self::Signatures => "completed",
            Self::Nothing => "known",
            Self::Contradiction => "contradiction",
        }
    }
}

impl NotTaken {
    /// For programs; it never changes.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "unreadable",
            Self::Forged => "forged",
            Self::Unsigned => "unsigned",
            Self::Stranger => "stranger",
            Self::Implausible(_) => "implausible",
            Self::Full => "full",
            Self::TooMany => "too_many",
            Self::Unavailable(_) => "unavailable",
        }
    }
}

impl fmt::Display for NotTaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(why) => write!(f, "this is no result: {why}"),
            Self::Forged => f.write_str("a signature is wrong, or the file was changed after signing"),
            Self::Unsigned => f.write_str("signed by nobody, so it proves nothing"),
            Self::Stranger => f.write_str("this station counts only players whom it knows, and not all of these are"),
            Self::Implausible(why) => f.write_str(why),
            Self::Full => f.write_str("send it again when all players have signed it"),
            Self::TooMany => f.write_str("too many new results; try again tomorrow"),
            Self::Unavailable(_) => f.write_str("it could not be stored; try again soon"),
        }
    }
}

impl std::error::Error for NotTaken {}
