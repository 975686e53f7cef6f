//! What a page is given of a match, and what comes of a button on it.

use maud::Markup;
use table::{Outcome, Seat, Slot, Standing, TieBreak};

use super::changing::Changing;
use super::event::Event;
use crate::page::{Amount, Marking, Mood, Panel, Tile};

/// Everything that a page shows of a match.
pub struct Shown {
    /// Beside the title.
    pub title: String,
    /// Every player, by seat.
    pub panels: Vec<Panel>,
    /// The middle of the table.
    pub middle: Markup,
    /// The looker's own facts.
    pub own: Markup,
    /// His hand.
    pub hand: Vec<Tile>,
    /// How its cards are marked.
    pub marking: Marking,
    /// Those that are.
    pub marked: Vec<Slot>,
    /// What stands before the hand.
    pub bench: Option<Markup>,
    /// What is said about what is marked.
    pub says: (String, Mood),
    /// What can be pressed.
    pub buttons: Vec<Key>,
    /// A number to be chosen, and what is chosen.
    pub amount: Option<(Amount, i64)>,
    /// What is prepared, as it was understood.
    pub draft: String,
    /// Is the looker asked?
    pub asked: bool,
    /// Can he choose something else than he has chosen?
    pub changing: Changing,
    /// How the last deal ended, while that is looked at.
    pub ending: Option<Ending>,
    /// What is counted.
    pub counts: &'static str,
}

/// A button.
pub struct Key {
    /// Its key.
    pub key: char,
    /// What it is called.
    pub label: String,
    /// Does it make a move, or only change what is prepared?
    pub moves: bool,
    /// Why it cannot be pressed.
    pub refused: Option<String>,
    /// Is it not to be pressed by accident?
    pub grave: bool,
    /// Is it all that can be done, so that the page presses it by itself?
    pub forced: bool,
    /// What the page asks before it is pressed.
    pub sure: Option<String>,
}

/// How a deal ended.
pub struct Ending {
    /// The number of the deal.
    pub deal: u32,
    /// In words.
    pub summary: Markup,
    /// What each seat won or lost.
    pub outcome: Outcome,
    /// How the match stands after it.
    pub standing: Standing,
    /// Why a seat is before the next one, where the totals do not say it.
    pub ties: Vec<(Seat, TieBreak)>,
}

/// What comes of a button.
#[derive(Debug)]
pub enum Pressed {
    /// Something is done; and what stays prepared.
    Event(Event, String),
    /// What is prepared has changed; something may be said about it.
    Draft(String, Option<String>),
}
