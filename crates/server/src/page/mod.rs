//! What a game adds to the common page of a table: the trait [`Page`] and what it speaks about.
//!
//! The common page ([`table`]) has, from top to bottom: a title, the other players, the middle of the table,
//! the looker's own facts, his hand, a line about what is marked, and buttons; beside it log and chat. A game
//! says what stands in these places and what its buttons do. Marking cards, keys, sending, moving cards about
//! and sounds are common to all, in `assets/table.js`.
//!
//! Nothing is decided in the browser. It keeps a [`Draft`] (marked cards, an amount, and whatever a game
//! puts into [`Page::Extra`]), sends it along, and shows what the server makes of it. So all knowledge of the
//! rules is here, and a person with a bare socket can do no more than one with the page.
//!
//! A scene holds what one pair of eyes sees, and nothing else can be rendered.

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

/// Everything that a page shows of a deal, for one pair of eyes.
pub struct Scene<'a, G: Computer> {
    /// The looker's language.
    pub lang: Lang,
    /// Who looks: a seat, or the public.
    pub eye: Eye,
    /// What they see.
    pub view: &'a <G::Rules as Rules>::View,
    /// What the looker can do now, if he is asked and has not chosen yet, or wants to choose something else.
    pub moves: Option<&'a <G::Rules as Rules>::Moves>,
    /// What the looker has chosen in secret, while others have still to choose.
    pub chosen: Option<&'a <G::Rules as Rules>::Choice>,
    /// Who has still to act or to choose. In secret choices, whoever has chosen is not in it any more.
    pub awaited: Seats,
    /// The table, public facts only.
    pub table: &'a Table<G::Rules>,
    /// The faces the looker knows.
    pub known: Known<'a>,
    /// What everybody saw before the last move, if that ended a trick or a round and nothing was done since.
    pub settled: Option<&'a <G::Rules as Rules>::View>,
    /// The settings of the match.
    pub settings: &'a G::Settings,
    /// How the match stands: before this deal, and with it once it is over.
    pub standing: &'a Standing,
    /// The number of the deal, from 1.
    pub deal: u32,
    /// What the seats are called, by seat.
    pub names: &'a [String],
}

impl<G: Computer> Scene<'_, G> {
    /// The seat that looks, if it is one.
    pub const fn me(&self) -> Option<Seat> {
        match self.eye {
            Eye::Seat(seat) => Some(seat),
            Eye::Public => None,
        }
    }

    /// What a seat is called.
    pub fn name(&self, seat: Seat) -> &str {
        self.names.get(usize::from(seat.index())).map_or("?", String::as_str)
    }

    /// Names of several, with "you" for the looker.
    pub fn list(&self, seats: impl IntoIterator<Item = Seat>) -> String {
        let you = self.lang.pick("you", "du");
        let names: Vec<&str> =
            seats.into_iter().map(|seat| if self.eye.is(seat) { you } else { self.name(seat) }).collect();
        match names.split_last() {
            None => String::new(),
            Some((only, [])) => (*only).to_owned(),
            Some((last, others)) => format!("{} {} {last}", others.join(", "), self.lang.pick("and", "und")),
        }
    }

    /// The other seats, clockwise from the looker; all of them, from the first, where the public looks.
    pub fn others(&self) -> Vec<Seat> {
        let all = Seats::first(self.table.rules().players());
        match self.me() {
            Some(me) => all.clockwise_after(me).filter(|seat| *seat != me).collect(),
            None => all.iter().collect(),
        }
    }

    /// What the looker has chosen stands, as `done` says, and others are waited for.
    pub fn has_chosen(&self, done: &str) -> String {
        let others = self.list(self.awaited.iter());
        format!("{done}; {} {others} …", self.pick("waiting for", "warten auf"))
    }

    /// One of two texts.
    pub const fn pick<'t>(&self, english: &'t str, german: &'t str) -> &'t str {
        self.lang.pick(english, german)
    }
}

/// How something is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mood {
    /// Neither.
    #[default]
    Plain,
    /// Good for whom it is about.
    Good,
    /// Bad for whom it is about.
    Bad,
    /// Not in the game any more, or not important.
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
    /// Beside the name: chips, points, number of cards.
    pub facts: String,
    /// Marks beside the name: dealer, button. Short words that are shown in a badge.
    pub marks: Vec<String>,
    /// What is seen of his cards.
    pub cards: Markup,
    /// What he did, how he stands: "stand", "bust", "folded", "all-in".
    pub status: Option<(String, Mood)>,
    /// Is he out of this deal?
    pub out: bool,
}

/// What the looker can do: his hand, what the marked cards make, the buttons.
pub struct Desk<G: Computer> {
    /// The hand, in the order it is shown in.
    pub hand: Vec<Tile>,
    /// How its cards are marked.
    pub marking: Marking,
    /// What stands between the middle of the table and the hand, where a game has such a thing: rows to lay
    /// cards into, melds being put together.
    pub bench: Option<Markup>,
    /// What is marked, what it makes, whether it is legal; or what is awaited of the looker.
    pub says: (String, Mood),
    /// The buttons; Enter presses the one that makes a prepared hint, or the only one that moves and is not grave.
    pub buttons: Vec<Button<G>>,
    /// A number to be chosen, if there is one.
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
    /// What a draft needs beside marked cards and an amount.
    type Extra: Default + Clone + Serialize + DeserializeOwned;

    /// Beside the title: blinds, round, trump.
    fn title(scene: &Scene<'_, Self>) -> String;

    /// Another player.
    fn panel(scene: &Scene<'_, Self>, seat: Seat) -> Panel;

    /// The middle of the table.
    fn middle(scene: &Scene<'_, Self>, draft: &Draft<Self::Extra>) -> Markup;

    /// The looker's own facts: chips, the name of his hand, points, deadwood.
    fn own(scene: &Scene<'_, Self>) -> Markup;

    /// The looker's hand and buttons. Also called when he is not asked: then there is only the hand.
    fn desk(scene: &Scene<'_, Self>, draft: &Draft<Self::Extra>) -> Desk<Self>;

    /// A button of [`Press::Command`] was pressed. The answer is said to the looker.
    fn command(_: &Scene<'_, Self>, _: &mut Draft<Self::Extra>, _key: char) -> Option<String> {
        None
    }

    /// A place that the page offered ([`place_card`], [`empty_place`]) was chosen. The answer is said to the looker.
    fn place(_: &Scene<'_, Self>, _: &mut Draft<Self::Extra>, _place: u16) -> Option<String> {
        None
    }

    /// The marks may have changed: what that does to the draft by itself, where a marked card is laid at once.
    fn marked(_: &Scene<'_, Self>, _: &mut Draft<Self::Extra>) {}

    /// The button that choosing a place presses, where it does more than change the draft.
    fn button_at(_: &Scene<'_, Self>, _: &Draft<Self::Extra>, _place: u16) -> Option<char> {
        None
    }

    /// Prepares in the draft what a move would do, so that a hint can be looked at before it is taken.
    fn prepare(_: &Scene<'_, Self>, _: &mut Draft<Self::Extra>, _: &MoveOf<Self>) {}

    /// What stays prepared after the looker's move: nothing, or how he likes his cards arranged.
    fn kept(_: Self::Extra) -> Self::Extra {
        Self::Extra::default()
    }

    /// What somebody did, as a sentence for the log: "Anna raises to 120". The scene is the public's, after it;
    /// `before` is what the public saw before.
    fn phrase(
        before: &<Self::Rules as Rules>::View,
        scene: &Scene<'_, Self>,
        seat: Seat,
        a_move: &MoveOf<Self>,
    ) -> String;

    /// What a move is called, as a suggestion to the looker: "Raise to 120". The scene is his, before it.
    fn suggestion(scene: &Scene<'_, Self>, a_move: &MoveOf<Self>) -> String;

    /// A reason for a suggestion, as a sentence without a full stop.
    fn reason(why: &Self::Why, lang: Lang) -> String;

    /// Why the game refuses a move, as a sentence without a full stop.
    fn refusal(why: &<Self::Rules as Rules>::Illegal, lang: Lang) -> String;

    /// What has happened between two public views, beside what the seats did themselves: "Flop: 7♠ 7♦ K♣",
    /// "Anna takes the trick". The scene is the public's, after it.
    fn news(_before: &<Self::Rules as Rules>::View, _after: &Scene<'_, Self>) -> Vec<String> {
        Vec::new()
    }

    /// Has a trick or a round come to its end between two public views? People want to look at it before the next
    /// move covers it.
    fn settles(_before: &<Self::Rules as Rules>::View, _after: &<Self::Rules as Rules>::View) -> bool {
        false
    }

    /// How the deal ended, as sentences for the log: "Anna wins 116 with a pair of eights". The scene is the public's.
    fn closing(_: &Scene<'_, Self>, _: &Outcome) -> Vec<String> {
        Vec::new()
    }

    /// How the deal ended: who won what, and why. Table rows or paragraphs.
    fn summary(scene: &Scene<'_, Self>, outcome: &Outcome) -> Markup;

    /// What the standing of a match counts: "chips", "points".
    fn counts(lang: Lang) -> &'static str;

    /// The rules and what beats what, for people. Lines that begin with `# ` are headings.
    fn rules(lang: Lang) -> &'static str;

    /// What a setting does, in a sentence; the English is [`::table::Described::about`].
    fn setting(name: &str, english: &'static str, lang: Lang) -> &'static str;

    /// Seconds a player has to decide; `None` where there is no limit.
    fn seconds(settings: &Self::Settings) -> Option<u64> {
        settings.action_timeout()
    }
}

/// Rules that can be kept in a server: whatever they consist of can go from thread to thread.
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
        "action_timeout" => "Sekunden, die man für einen Zug hat; 0 heißt unbegrenzt.",
        "away_after" => "Nach so vielen verpassten Zügen nacheinander gilt man als abwesend.",
        "on_leave" => "Wer für jemanden weiterspielt, der gegangen ist.",
        _ => return None,
    })
}
