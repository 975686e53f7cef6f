//! What a game adds to the common page of a table: the trait [`Page`] and its types.
//!
//! The common page ([`table`]) has, from top to bottom: a title, the other players, the middle of the table, the
//! viewer's own facts, their hand, a line about the marked cards, and buttons; next to it log and chat. A game fills
//! these places and says what its buttons do. Marking cards, keys, sending, moving cards around and sounds are common
//! to all, in `assets/table.js`.
//!
//! Nothing is decided in the browser. It keeps a [`Draft`] (marked cards, an amount, and the game's own
//! [`Page::Extra`]), sends it along, and shows the server's answer. So all knowledge of the rules is here, and a person
//! with a bare socket can do no more than one with the page.
//!
//! A [`Scene`] holds what one viewer sees, and nothing else can be rendered.

pub mod beside;
mod bigc;
mod blackjack;
mod blackout;
mod card;
pub mod fairness;
mod holdem;
mod ongdu;
mod romme;
pub mod table;
#[cfg(test)]
mod testing;
mod ties;
mod trying;

use ::table::{Eye, Known, Outcome, Rules, Seat, Seats, Settings as _, Standing, Table};
use bots::Computer;
use maud::Markup;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::lang::Lang;

pub use games::desk::{Amount, Button, Draft, Marking, MoveOf, Press, Tile};

pub use card::{back, card_name, card_text, empty_place, face, mini, minis, place_card, tile};

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
fn enumerate<S: AsRef<str>>(names: &[S], lang: Lang) -> String {
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

/// A game on a page.
pub trait Page: Computer<Settings: Send + Sync, Series: Send + Sync, Rules: Sendable> {
    /// What a draft needs apart from marked cards and an amount.
    type Extra: Default + Clone + Serialize + DeserializeOwned;

    /// Next to the title: blinds, round, trump.
    fn title(scene: &Scene<'_, Self>) -> String;

    /// Another player.
    fn panel(scene: &Scene<'_, Self>, seat: Seat) -> Panel;

    /// The middle of the table.
    fn middle(scene: &Scene<'_, Self>, draft: &Draft<Self::Extra>) -> Markup;

    /// The viewer's own facts: chips, the name of their hand, points, deadwood.
    fn own(scene: &Scene<'_, Self>) -> Markup;

    /// The viewer's hand and buttons. Also called when it is not their turn: then there is only the hand.
    fn desk(scene: &Scene<'_, Self>, draft: &Draft<Self::Extra>) -> Desk<Self>;

    /// A button of [`Press::Command`] was pressed. The answer is shown to the viewer.
    fn command(_: &Scene<'_, Self>, _: &mut Draft<Self::Extra>, _key: char) -> Option<String> {
        None
    }

    /// A place that the page offered ([`place_card`], [`empty_place`]) was chosen. The answer is shown to the viewer.
    fn place(_: &Scene<'_, Self>, _: &mut Draft<Self::Extra>, _place: u16) -> Option<String> {
        None
    }

    /// The marks may have changed: updates the draft, in games where a marked card is placed at once.
    fn marked(_: &Scene<'_, Self>, _: &mut Draft<Self::Extra>) {}

    /// The button that choosing a place presses, if it does more than change the draft.
    fn button_at(_: &Scene<'_, Self>, _: &Draft<Self::Extra>, _place: u16) -> Option<char> {
        None
    }

    /// Prepares a move in the draft, so that the viewer sees a hint before they follow it.
    fn prepare(_: &Scene<'_, Self>, _: &mut Draft<Self::Extra>, _: &MoveOf<Self>) {}

    /// What stays prepared after the viewer's move: nothing, or how they sort their cards.
    fn kept(_: Self::Extra) -> Self::Extra {
        Self::Extra::default()
    }

    /// What a player did, as a sentence for the log: "Anna raises to 120". The scene is the public's, after the move;
    /// `before` is what the public saw before it.
    fn phrase(
        before: &<Self::Rules as Rules>::View,
        scene: &Scene<'_, Self>,
        seat: Seat,
        a_move: &MoveOf<Self>,
    ) -> String;

    /// The name of a move, as a suggestion to the viewer: "Raise to 120". The scene is theirs, before the move.
    fn suggestion(scene: &Scene<'_, Self>, a_move: &MoveOf<Self>) -> String;

    /// A reason for a suggestion, as a sentence without a full stop.
    fn reason(why: &Self::Why, lang: Lang) -> String;

    /// Why the game refuses a move, as a sentence without a full stop.
    fn refusal(why: &<Self::Rules as Rules>::Illegal, lang: Lang) -> String;

    /// What has happened between two public views, apart from the players' own moves: "Flop: 7♠ 7♦ K♣",
    /// "Anna takes the trick". The scene is the public's, after it.
    fn news(_before: &<Self::Rules as Rules>::View, _after: &Scene<'_, Self>) -> Vec<String> {
        Vec::new()
    }

    /// Whether a trick or a round ended between two public views. People want to look at it before the next move
    /// covers it.
    fn settles(_before: &<Self::Rules as Rules>::View, _after: &<Self::Rules as Rules>::View) -> bool {
        false
    }

    /// In how many steps pages show the cards that were opened between these views, if they come in more than one.
    fn streets(_before: &<Self::Rules as Rules>::View, _after: &<Self::Rules as Rules>::View) -> u32 {
        0
    }

    /// How the deal ended, as sentences for the log: "Anna wins 116 with a pair of eights". The scene is the public's.
    fn closing(_: &Scene<'_, Self>, _: &Outcome) -> Vec<String> {
        Vec::new()
    }

    /// How the deal ended: who won what, and why. Table rows or paragraphs.
    fn summary(scene: &Scene<'_, Self>, outcome: &Outcome) -> Markup;

    /// The unit of a match's standing: "chips", "points".
    fn counts(lang: Lang) -> &'static str;

    /// The rules and what beats what, for people. Lines that begin with `# ` are headings.
    fn rules(lang: Lang) -> &'static str;

    /// What a setting does, in a sentence; the English is [`::table::Described::about`].
    fn setting(name: &str, english: &'static str, lang: Lang) -> &'static str;

    /// Seconds a player has to decide; `None` if there is no limit.
    fn seconds(settings: &Self::Settings) -> Option<u64> {
        settings.action_timeout()
    }
}

/// Rules that a server can keep: all their parts can move between threads.
pub trait Sendable:
    Rules<
        Setup: Send + Sync,
        Action: Send + Sync,
        Choice: Send + Sync,
        Claim: Send + Sync,
        View: Send + Sync,
        Moves: Send + Sync,
    > + Send
    + Sync
    + 'static
{
}

impl<R> Sendable for R where
    R: Rules<
            Setup: Send + Sync,
            Action: Send + Sync,
            Choice: Send + Sync,
            Claim: Send + Sync,
            View: Send + Sync,
            Moves: Send + Sync,
        > + Send
        + Sync
        + 'static
{
}

/// What the settings that all games have do, in German.
pub fn common_setting(name: &str) -> Option<&'static str> {
    Some(match name {
        "action_timeout" => "So viele Sekunden hat man für einen Zug; 0 heißt unbegrenzt.",
        "away_after" => "Wer so viele Züge nacheinander verpasst, gilt als abwesend.",
        "on_leave" => "Wer weiterspielt, wenn jemand gegangen ist.",
        _ => return None,
    })
}
