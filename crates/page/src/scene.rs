//! What one viewer sees of a deal, and the places on the page that a game fills.

use ::table::{Eye, Known, Rules, Seat, Seats, Standing, Table};
use bots::Computer;
use maud::Markup;

use crate::{Amount, Button, Lang, Marking, Tile};

/// Everything that a page shows of a deal, for one viewer.
pub struct Scene<'a, G: Computer> {
    /// The viewer's language.
    pub lang: Lang,
    /// The viewer: a seat, or the public.
    pub eye: Eye,
    /// What they see.
    pub view: &'a <G::Rules as Rules>::View,
    /// What the viewer can do, if it is their turn and they have not chosen yet, or want to change their choice.
    pub moves: Option<&'a <G::Rules as Rules>::Moves>,
    /// The viewer's secret choice, while others are still choosing.
    pub chosen: Option<&'a <G::Rules as Rules>::Choice>,
    /// The seats that still have to act or choose. A seat that has made its secret choice is no longer in it.
    pub awaited: Seats,
    /// The table, public facts only.
    pub table: &'a Table<G::Rules>,
    /// The faces the viewer knows.
    pub known: Known<'a>,
    /// What everybody saw before the last move, if that move ended a trick or a round.
    pub settled: Option<&'a <G::Rules as Rules>::View>,
    /// The settings of the match.
    pub settings: &'a G::Settings,
    /// The standing of the match: before this deal, and including it once it is over.
    pub standing: &'a Standing,
    /// The number of the deal, from 1.
    pub deal: u32,
    /// The names of the players, by seat.
    pub names: &'a [String],
}

impl<G: Computer> Scene<'_, G> {
    /// The viewer's seat, if they have one.
    pub const fn me(&self) -> Option<Seat> {
        match self.eye {
            Eye::Seat(seat) => Some(seat),
            Eye::Public => None,
        }
    }

    /// The name of the player in a seat.
    pub fn name(&self, seat: Seat) -> &str {
        self.names.get(usize::from(seat.index())).map_or("?", String::as_str)
    }

    /// The names of several players, with "you" for the viewer.
    pub fn list(&self, seats: impl IntoIterator<Item = Seat>) -> String {
        let you = self.lang.pick("you", "du");
        let names: Vec<&str> =
            seats.into_iter().map(|seat| if self.eye.is(seat) { you } else { self.name(seat) }).collect();
        enumerate(&names, self.lang)
    }

    /// The other seats, clockwise from the viewer; for the public, all of them from the first.
    pub fn others(&self) -> Vec<Seat> {
        let all = Seats::first(self.table.rules().players());
        match self.me() {
            Some(me) => all.clockwise_after(me).filter(|seat| *seat != me).collect(),
            None => all.iter().collect(),
        }
    }

    /// The viewer has chosen, as `done` says, and the table waits for others.
    pub fn has_chosen(&self, done: &str) -> String {
        let others = self.list(self.awaited.iter());
        format!("{done}; {} {others} …", self.pick("waiting for", "warten auf"))
    }

    /// One of two texts.
    pub const fn pick<'t>(&self, english: &'t str, german: &'t str) -> &'t str {
        self.lang.pick(english, german)
    }
}

/// Names in a sentence: "Anna, Bert and Cleo".
pub(crate) fn enumerate<S: AsRef<str>>(names: &[S], lang: Lang) -> String {
    match names.split_last() {
        None => String::new(),
        Some((only, [])) => only.as_ref().to_owned(),
        Some((last, others)) => {
            let others: Vec<&str> = others.iter().map(AsRef::as_ref).collect();
            format!("{} {} {}", others.join(", "), lang.pick("and", "und"), last.as_ref())
        }
    }
}

/// The tone of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mood {
    /// Neutral.
    #[default]
    Plain,
    /// Good for the player it is about.
    Good,
    /// Bad for the player it is about.
    Bad,
    /// No longer in the game, or not important.
    Dim,
}

impl Mood {
    /// Its CSS class.
    pub const fn class(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Good => "good",
            Self::Bad => "bad",
            Self::Dim => "dim",
        }
    }
}

/// Another player.
#[derive(Clone, Debug, Default)]
pub struct Panel {
    /// Next to the name: chips, points, number of cards.
    pub facts: String,
    /// Marks next to the name: dealer, button. Short words that are shown in a badge.
    pub marks: Vec<String>,
    /// Their cards, as the viewer sees them.
    pub cards: Markup,
    /// Their last move or state: "stand", "bust", "folded", "all-in".
    pub status: Option<(String, Mood)>,
    /// Whether they are out of this deal.
    pub out: bool,
}

/// What the viewer can do: their hand, what the marked cards make, the buttons.
pub struct Desk<G: Computer> {
    /// The hand, in the order it is shown in.
    pub hand: Vec<Tile>,
    /// How its cards are marked.
    pub marking: Marking,
    /// The area between the middle of the table and the hand, if a game has one: rows to put cards in, melds in
    /// preparation.
    pub bench: Option<Markup>,
    /// What is marked, what it makes, whether it is legal; or what the viewer should do.
    pub says: (String, Mood),
    /// The buttons. Enter presses the button of a prepared hint, or the only one that moves and is not grave.
    pub buttons: Vec<Button<G>>,
    /// A number to choose, if there is one.
    pub amount: Option<Amount>,
}

impl<G: Computer> Default for Desk<G> {
    fn default() -> Self {
        Self {
            hand: Vec::new(),
            marking: Marking::None,
            bench: None,
            says: (String::new(), Mood::Plain),
            buttons: Vec::new(),
            amount: None,
        }
    }
}
