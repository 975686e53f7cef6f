//! Leaderboards as events: the file that a station has signed, in an event that it has signed, too.

use core::fmt;

use results::leaderboard::WrongSignature;
use results::{Leaderboard, Public, Unreadable, game_name};

use crate::event::tag;
use crate::{Draft, Event, Filter, Kind};

/// How many players a board in an event has: more would be too long for many relays.
pub const MOST_ROWS: usize = 500;

/// Why an event is no leaderboard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadBoard {
    /// It is an event of another kind.
    Kind(Kind),
    /// Its content is no file of a leaderboard.
    File(Unreadable),
    /// The signature in the file is wrong.
    Signature(WrongSignature),
    /// The file is signed by somebody else, or by nobody.
    OtherStation,
    /// The event says that it is about another game or time than the file.
    OtherBoard,
}

/// An event with this board; the station signs it with the key that signed the board.
pub fn write(board: &Leaderboard) -> Draft {
    let game = game_name(board.game());
    let tags = vec![
        tag("d", game),
        tag("t", "card_game"),
        tag("callsign", board.station().to_string()),
        tag("alt", format!("leaderboard of {game} at {}", board.station())),
    ];
    Draft { at: board.updated().seconds(), kind: Kind::BOARD, tags, content: board.text() }
}

/// The board in an event, by the station that signed the event.
pub fn read(event: &Event) -> Result<Leaderboard, BadBoard> {
    if event.kind() != Kind::BOARD {
        return Err(BadBoard::Kind(event.kind()));
    }
    let board = Leaderboard::parse(event.content().as_bytes()).map_err(BadBoard::File)?;
    if board.signer().map_err(BadBoard::Signature)? != Some(event.by()) {
        return Err(BadBoard::OtherStation);
    }
    if event.tag("d") != Some(game_name(board.game())) || event.at() != board.updated().seconds() {
        return Err(BadBoard::OtherBoard);
    }
    Ok(board)
}

/// All boards of a station.
pub fn of_station(station: Public) -> Filter {
    Filter::of(Kind::BOARD).by(station)
}

impl fmt::Display for BadBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind(Kind(kind)) => write!(f, "an event of kind {kind} is no leaderboard"),
            Self::File(why) => why.fmt(f),
            Self::Signature(why) => why.fmt(f),
            Self::OtherStation => f.write_str("the station that published the board has not signed it"),
            Self::OtherBoard => f.write_str("the event is about another game or time than the board in it"),
        }
    }
}

impl std::error::Error for BadBoard {}
