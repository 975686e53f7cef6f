//! What is around a deal, and the same in every game: who sits where, whom the table waits for, where links lead.

use ::table::{Height, Seat, Seats, Value as _};
use bots::Kind;
use games::AnyGame;

use crate::{Lang, scene};

/// What is around a deal, for one viewer.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The viewer's language.
    pub lang: Lang,
    /// Their seat, if they have one.
    pub me: Option<Seat>,
    /// The game.
    pub game: AnyGame,
    /// The seats, in order.
    pub chairs: Vec<Chair>,
    /// How far the match is.
    pub stage: Stage,
    /// The number of the deal on the table, or of the last.
    pub deal: u32,
    /// The number of the deal that ended last; 0 before.
    pub ended: u32,
    /// The height that the next input must name.
    pub height: Height,
    /// What the table waits for.
    pub awaited: Awaited,
    /// The seats that have seen how the deal ended, and those that are still looking.
    pub ready: Seats,
    /// See [`Frame::ready`].
    pub looking: Seats,
    /// Whether the match continues without the viewer's seat.
    pub out: bool,
    /// How long a move or opened cards stay visible before more are opened, in milliseconds.
    pub beat: i64,
    /// Whether players may ask for hints.
    pub hints: bool,
    /// Whether a computer plays on for a player who leaves.
    pub plays_on: bool,
    /// The seat of the player who can start the match.
    pub owner: Option<Seat>,
    /// Whether the viewer may start the match and seat computers.
    pub owns: bool,
    /// Where links lead.
    pub links: Links,
}

/// A seat and the player in it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Chair {
    /// The current occupant.
    pub who: Who,
    /// Name of the current or former occupant.
    pub name: String,
    /// The number of their picture.
    pub avatar: u8,
    /// Whether a player left it for good during the match.
    pub left: bool,
    /// Whether the table plays for them, because they do not answer.
    pub away: bool,
    /// Whether they are known not to have the table open.
    pub absent: bool,
    /// The number of hints they have used in this match.
    pub hints: u32,
    /// Whether the viewer's own device has checked all that this player's device has done for the deal.
    pub checked: bool,
}

/// The occupant of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Who {
    /// Nobody.
    #[default]
    Nobody,
    /// A person, or a person's program.
    Person,
    /// A computer.
    Computer(Kind),
}

/// How far a match is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// It has not begun: people sit down.
    Gathering,
    /// A deal is played.
    Deal,
    /// A deal is over, and people are looking at it.
    Between,
    /// It is over.
    Over,
}

/// What a table waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Awaited {
    /// What these seats add to a shuffle of the house.
    Seeds(Seats),
    /// What the devices of these seats do by themselves, at a table without a house.
    Devices(Step, Seats),
    /// A seat's turn.
    Turn(Seat),
    /// Secret choices of these seats.
    Choices(Seats),
    /// People have to see how the deal ended: [`Frame::looking`].
    Looking,
    /// Nothing, or only that people have seen the last move.
    Nothing,
}

/// What players' devices do by themselves at a table without a house.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// They open their seeds for the match.
    Seeds,
    /// They make keys together.
    Keys,
    /// They shuffle.
    Shuffle,
    /// They open cards for the player who gets them, or for all.
    Cards,
    /// They reveal the choice that their player has committed to.
    Reveal,
    /// They sign the result.
    Sign,
}

/// Where links lead; what is `None` is not offered.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Links {
    /// A form that asks for a rematch.
    pub rematch: Option<String>,
    /// The replay of the match.
    pub replay: Option<String>,
    /// The lobby.
    pub lobby: Option<String>,
    /// A form that begins a match against computers.
    pub alone: Option<String>,
    /// How others join, before the match.
    pub invite: Option<Invite>,
    /// The next match, once somebody has asked for one.
    pub next: Option<Next>,
}

/// How others join.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invite {
    /// The code to type in, if there is one.
    pub code: Option<String>,
    /// The address.
    pub link: String,
    /// Where the address is as a picture.
    pub picture: String,
}

/// The next match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Next {
    /// Its address.
    pub address: String,
    /// The player who asked for it.
    pub asker: Option<Seat>,
}

impl Chair {
    /// The computer in it.
    pub const fn computer(&self) -> Option<Kind> {
        match self.who {
            Who::Computer(kind) => Some(kind),
            Who::Nobody | Who::Person => None,
        }
    }
}

impl Awaited {
    /// The seats whose players have to act or choose.
    pub const fn players(self) -> Seats {
        match self {
            Self::Turn(seat) => Seats::one(seat),
            Self::Choices(seats) => seats,
            Self::Seeds(_) | Self::Devices(..) | Self::Looking | Self::Nothing => Seats::NONE,
        }
    }
}

impl Frame {
    /// A table before its match, at which the viewer can do nothing.
    pub fn new(lang: Lang, game: AnyGame, chairs: Vec<Chair>) -> Self {
        Self {
            lang,
            me: None,
            game,
            chairs,
            stage: Stage::Gathering,
            deal: 0,
            ended: 0,
            height: Height::default(),
            awaited: Awaited::Nothing,
            ready: Seats::NONE,
            looking: Seats::NONE,
            out: false,
            beat: 0,
            hints: false,
            plays_on: false,
            owner: None,
            owns: false,
            links: Links::default(),
        }
    }

    /// The seats with their chairs.
    pub(crate) fn seats(&self) -> impl Iterator<Item = (Seat, &Chair)> {
        (0..).map_while(Seat::new).zip(&self.chairs)
    }

    /// One of them.
    pub(crate) fn chair(&self, seat: Seat) -> Option<&Chair> {
        self.chairs.get(usize::from(seat.index()))
    }

    /// The viewer's own.
    pub(crate) fn own(&self) -> Option<(Seat, &Chair)> {
        let me = self.me?;
        Some((me, self.chair(me)?))
    }

    /// A player's name.
    pub(crate) fn name(&self, seat: Seat) -> &str {
        self.chair(seat).map_or("", |chair| chair.name.as_str())
    }

    /// Several names in a sentence.
    pub(crate) fn names(&self, seats: Seats) -> String {
        let names: Vec<&str> = seats.iter().map(|seat| self.name(seat)).collect();
        scene::enumerate(&names, self.lang)
    }

    /// Whether the match has begun.
    pub(crate) fn has_begun(&self) -> bool {
        self.stage != Stage::Gathering
    }

    /// The number of the deal that is shown.
    pub(crate) const fn number(&self) -> u32 {
        match self.stage {
            Stage::Gathering | Stage::Deal => self.deal,
            Stage::Between | Stage::Over => self.ended,
        }
    }
}

/// How well a computer plays, in one word.
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
