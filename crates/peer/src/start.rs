//! How a match begins: what the host writes down for everybody.

use core::fmt;

use dealers::joint::{Keepers, Terms};
use dealing::{Malformed, Reader, Wire, write_counted};
use games::AnyGame;
use results::Public;
use table::Seats;

use crate::body::read_text;
use crate::change::Standby;
use crate::hash::hash;
use crate::seal::TableId;

/// The longest name of a game, a setting, or a setting's value.
const MOST_TEXT: usize = 64;
/// The most settings.
const MOST_SETTINGS: usize = 64;
/// The most seats, and the most hubs.
pub(crate) const MOST_SEATS: usize = 12;

/// What a match is played with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Start {
    /// The game.
    pub game: AnyGame,
    /// Settings that differ from the game's own, by name, in order.
    pub settings: Vec<(String, String)>,
    /// Who sits where: the number of a member for each seat, and a hash of how they introduced themselves.
    pub seats: Vec<(u8, [u8; 32])>,
    /// How many players can open a card; `None` if all are needed.
    pub threshold: Option<u8>,
    /// Who runs the hub: the number of a member, or nobody at the table.
    pub hub_run_by: Option<u8>,
    /// Who may put the log in order if the hub is lost, in this order.
    pub successors: Vec<Standby>,
}

/// Why a match cannot start like this.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadStart {
    /// A seat is given to somebody who has not joined, or twice.
    Seats,
    /// The threshold must be this.
    Threshold(Option<u8>),
    /// A successor of the hub does not play, has not said that they could run it, or is there twice.
    Successors,
    /// The game cannot be played like this.
    Settings(String),
}

impl fmt::Display for BadStart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seats => f.write_str("a seat belongs to somebody who has not joined, or to two players"),
            Self::Threshold(None) => f.write_str("every player must be needed to open a card"),
            Self::Threshold(Some(right)) => write!(f, "{right} players must be enough to open a card"),
            Self::Successors => f.write_str("only a player who said that they could run a hub can replace it"),
            Self::Settings(why) => f.write_str(why),
        }
    }
}

impl core::error::Error for BadStart {}

impl Start {
    /// Identifies the match.
    pub fn id(&self, table: TableId, hub: &Public) -> [u8; 32] {
        hash("match", &[&table.0, hub.bytes(), &dealing::encode(self)])
    }

    /// The threshold for these players, by the number of the person who runs each seat: with four or more people,
    /// one seat each, all but one are enough; otherwise every player is needed, since somebody with two seats
    /// would hold two keys.
    pub fn right_threshold(people: &[u8]) -> Option<u8> {
        let mut different = people.to_vec();
        different.sort_unstable();
        different.dedup();
        let seats = u8::try_from(people.len()).ok()?;
        (different.len() == people.len() && seats >= 4).then(|| seats - 1)
    }

    /// Who deals, among these seats, in a key set.
    pub fn terms(&self, session: [u8; 32], players: Seats) -> Terms {
        // With fewer players left than the threshold allows, all of them are needed.
        let keepers = match self.threshold {
            Some(_) if players.len() >= 4 => Keepers::Players { threshold: players.len() - 1 },
            _ => Keepers::EveryPlayer,
        };
        Terms { session, players, keepers }
    }
}

impl Wire for Start {
    fn write(&self, out: &mut Vec<u8>) {
        write_counted(self.game.name().as_bytes(), out);
        u16::try_from(self.settings.len()).unwrap_or(u16::MAX).write(out);
        for (name, value) in &self.settings {
            write_counted(name.as_bytes(), out);
            write_counted(value.as_bytes(), out);
        }
        u16::try_from(self.seats.len()).unwrap_or(u16::MAX).write(out);
        for (number, hash) in &self.seats {
            number.write(out);
            hash.write(out);
        }
        self.threshold.unwrap_or(0).write(out);
        self.hub_run_by.unwrap_or(u8::MAX).write(out);
        write_counted(&self.successors, out);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let game = AnyGame::from_name(&read_text(from, MOST_TEXT)?).ok_or(Malformed::Unknown(0))?;
        let settings = from.length(0, MOST_SETTINGS)?;
        let settings = (0..settings).map(|_| Ok((read_text(from, MOST_TEXT)?, read_text(from, MOST_TEXT)?)));
        let settings = settings.collect::<Result<_, Malformed>>()?;
        let seats = from.length(2, MOST_SEATS)?;
        let seats = (0..seats).map(|_| Ok((u8::read(from)?, from.array()?))).collect::<Result<_, Malformed>>()?;
        Ok(Self {
            game,
            settings,
            seats,
            threshold: Some(u8::read(from)?).filter(|number| *number != 0),
            hub_run_by: Some(u8::read(from)?).filter(|number| *number != u8::MAX),
            successors: from.counted(0, MOST_SEATS)?,
        })
    }
}
