//! The chairs round a table and who sits on them.

use bots::Kind;
use table::{Seat, Value as _};

use super::event::{Face, Sitter};
use crate::ids::PlayerId;
use crate::lang::Lang;

/// A chair.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Chair {
    /// Who sits there.
    pub who: Option<Sitter>,
    /// Who left it for good, while the match was played.
    pub left: Option<Leaver>,
}

/// Somebody who left a match before its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leaver {
    /// Who.
    pub player: PlayerId,
    /// How he looked.
    pub face: Face,
}

impl Chair {
    /// The player on it.
    pub fn player(&self) -> Option<PlayerId> {
        match &self.who {
            Some(Sitter::Player { player, .. }) => Some(*player),
            Some(Sitter::Computer(_)) | None => None,
        }
    }

    /// The computer on it.
    pub const fn computer(&self) -> Option<Kind> {
        match &self.who {
            Some(Sitter::Computer(kind)) => Some(*kind),
            Some(Sitter::Player { .. }) | None => None,
        }
    }

    /// Does whoever sits here send seeds?
    pub const fn sends_seeds(&self) -> bool {
        matches!(&self.who, Some(Sitter::Player { seeds: true, .. }))
    }

    /// How whoever sits, or sat, here looks; a computer is told by its place.
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

/// What a computer in this seat is called.
const fn computer_name(seat: Seat) -> &'static str {
    const NAMES: [&str; 12] = ["Ada", "Bo", "Cleo", "Dag", "Eli", "Finn", "Gil", "Hope", "Ivo", "Juno", "Kai", "Lux"];
    match NAMES.as_slice().split_at_checked(seat.index() as usize) {
        Some((_, [name, ..])) => name,
        _ => "Max",
    }
}

/// How well a computer plays, in a word.
pub fn level(kind: Kind, lang: Lang) -> String {
    match lang {
        Lang::En => kind.text(),
        Lang::De => match kind {
            Kind::Random => "zufällig",
            Kind::Easy => "leicht",
            Kind::Normal => "mittel",
            Kind::Hard => "schwer",
        }
        .to_owned(),
    }
}
