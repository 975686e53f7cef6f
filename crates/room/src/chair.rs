//! The seats around a table and the players in them.

use bots::Kind;
use table::Seat;

use super::event::{Face, Sitter};
use crate::ids::PlayerId;

/// A seat.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Chair {
    /// The player or computer in it.
    pub who: Option<Sitter>,
    /// The player who left it for good during the match.
    pub left: Option<Leaver>,
}

/// A player who left a match before its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leaver {
    /// The player.
    pub player: PlayerId,
    /// Their name and picture.
    pub face: Face,
}

impl Chair {
    /// The player in it.
    pub fn player(&self) -> Option<PlayerId> {
        match &self.who {
            Some(Sitter::Player { player, .. }) => Some(*player),
            Some(Sitter::Computer(_)) | None => None,
        }
    }

    /// The computer in it.
    pub const fn computer(&self) -> Option<Kind> {
        match &self.who {
            Some(Sitter::Computer(kind)) => Some(*kind),
            Some(Sitter::Player { .. }) | None => None,
        }
    }

    /// Whether the occupant of this seat sends seeds.
    pub const fn sends_seeds(&self) -> bool {
        matches!(&self.who, Some(Sitter::Player { seeds: true, .. }))
    }

    /// Name and picture of the current or former occupant; a computer is identified by its seat.
    pub fn face(&self, seat: Seat) -> Option<Face> {
        match (&self.left, &self.who) {
            (Some(Leaver { face, .. }), _) | (None, Some(Sitter::Player { face, .. })) => Some(face.clone()),
            (None, Some(Sitter::Computer(_))) => {
                Some(Face { name: computer_name(seat).to_owned(), avatar: COMPUTER_AVATAR })
            }
            (None, None) => None,
        }
    }
}

/// The picture of computers.
const COMPUTER_AVATAR: u8 = 0;

/// The name of a computer in this seat.
fn computer_name(seat: Seat) -> &'static str {
    const NAMES: [&str; 12] = ["Ada", "Bo", "Cleo", "Dag", "Eli", "Finn", "Gil", "Hope", "Ivo", "Juno", "Kai", "Lux"];
    NAMES.get(usize::from(seat.index())).copied().unwrap_or("Max")
}
