//! What a page shows of a match, and what a button on it does.

use maud::Markup;
use table::{Outcome, Seat, Slot, Standing, TieBreak};

use super::changing::Changing;
use super::event::Event;
use crate::page::{Amount, Marking, Mood, Panel, Tile};

/// Everything that a page shows of a match.
pub struct Shown {
    /// Next to the title.
    pub title: String,
    /// Every player, by seat.
    pub panels: Vec<Panel>,
    /// The middle of the table.
    pub middle: Markup,
    /// The viewer's own facts.
    pub own: Markup,
    /// Their hand.
    pub hand: Vec<Tile>,
    /// How its cards can be marked.
    pub marking: Marking,
    /// The cards that are marked.
    pub marked: Vec<Slot>,
    /// The text before the hand.
    pub bench: Option<Markup>,
    /// The text about the marked cards.
    pub says: (String, Mood),
    /// The buttons.
    pub buttons: Vec<Key>,
    /// A number to choose, and the one chosen.
    pub amount: Option<(Amount, i64)>,
    /// The draft, as it was understood.
    pub draft: String,
    /// Whether it is the viewer's turn.
    pub asked: bool,
    /// Whether they can change their choice.
    pub changing: Changing,
    /// How the last deal ended, while people look at it.
    pub ending: Option<Ending>,
    /// The scores.
    pub counts: &'static str,
}

/// A button.
pub struct Key {
    /// Its key.
    pub key: char,
    /// Its label.
    pub label: String,
    /// Whether it makes a move, or only changes the draft.
    pub moves: bool,
    /// Why it cannot be pressed.
    pub refused: Option<String>,
    /// Whether it should be guarded against accidental presses.
    pub grave: bool,
    /// Whether it is the only thing to do, so that the page presses it automatically.
    pub forced: bool,
    /// The question the page asks before it is pressed.
    pub sure: Option<String>,
}

/// How a deal ended.
pub struct Ending {
    /// The number of the deal.
    pub deal: u32,
    /// In words.
    pub summary: Markup,
    /// The points each seat won or lost.
    pub outcome: Outcome,
    /// The score of the match after it.
    pub standing: Standing,
    /// Why a seat ranks ahead of the next one, if the totals do not show it.
    pub ties: Vec<(Seat, TieBreak)>,
}

/// The effect of a button.
#[derive(Debug)]
pub enum Pressed {
    /// A move; and the draft that remains.
    Event(Event, String),
    /// The draft has changed; there may be a message about it.
    Draft(String, Option<String>),
}
