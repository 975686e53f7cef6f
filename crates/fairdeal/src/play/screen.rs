//! What a game adds to the common screen: the trait [`Screen`] and what it speaks about.
//!
//! The common screen has, from top to bottom: a title, the other players, the middle of the table, the log,
//! the viewer's hand, a line about what is marked, and buttons. A game says what stands in these places and
//! what its buttons do; marking cards, keys, mouse, windows and drawing are common to all.

use bots::Computer;
use cards::Card;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use table::{Breakdown, Eye, Known, Outcome, Rules, Seat, Standing, Table};

pub use games::desk::{Amount, Button, Draft, Marking, MoveOf, Press, Tile};

use super::look::Look;
use super::page::Page;
use super::seating::BySeat;
use crate::text::listed;

/// Everything that a screen shows, for one pair of eyes.
pub struct Scene<'a, G: Computer> {
    /// Who looks: a seat, or everybody round the screen.
    pub eye: Eye,
    /// What they see.
    pub view: &'a <G::Rules as Rules>::View,
    /// What the viewer can do now, if they are asked.
    pub moves: Option<&'a <G::Rules as Rules>::Moves>,
    /// The table, public facts only.
    pub table: &'a Table<G::Rules>,
    /// The faces the viewer knows.
    pub known: Known<'a>,
    /// The settings of the match.
    pub settings: &'a G::Settings,
    /// How the match stands before this deal.
    pub standing: &'a Standing,
    /// The number of the deal, from 1.
    pub deal: u32,
    /// Who sits where.
    pub names: &'a BySeat<String>,
    /// How it looks.
    pub look: Look,
}

impl<G: Computer> Scene<'_, G> {
    /// The seat that looks, if it is one.
    pub fn me(&self) -> Option<Seat> {
        match self.eye {
            Eye::Seat(seat) => Some(seat),
            Eye::Public => None,
        }
    }

    /// What a seat is called.
    pub fn name(&self, seat: Seat) -> &str {
        &self.names[seat]
    }

    /// What a seat is called in a sentence: "you", or its name.
    pub fn who(&self, seat: Seat) -> &str {
        if self.eye.is(seat) { "you" } else { self.name(seat) }
    }

    /// Names of several.
    pub fn list(&self, seats: impl IntoIterator<Item = Seat>) -> String {
        listed(&seats.into_iter().map(|seat| self.who(seat)).collect::<Vec<_>>())
    }

    /// Why a deal could not be finished. `cheated` says what players with a false claim did.
    pub fn broken(&self, why: Breakdown, cheated: &str) -> String {
        match why {
            Breakdown::DealerFailed => "The cards could not be dealt.".to_owned(),
            Breakdown::Vanished(seats) => format!("No longer at the table: {}.", self.list(seats.iter())),
            Breakdown::FalseClaim(seats) => format!("{cheated}: {}.", self.list(seats.iter())),
            Breakdown::Cheated { proven, .. } => format!("Cheated when dealing: {}.", self.list(proven.iter())),
        }
    }

    /// The other seats, clockwise from the viewer; all of them, from the first, where everybody looks. A seat without a
    /// name is one where nobody sits.
    pub fn others(&self) -> Vec<Seat> {
        let all: table::Seats = self.names.seats().filter(|(_, name)| !name.is_empty()).map(|(seat, _)| seat).collect();
        match self.me() {
            Some(me) => all.clockwise_after(me).filter(|seat| *seat != me).collect(),
            None => all.iter().collect(),
        }
    }

    /// The short form of a card.
    pub fn card(&self, card: Option<Card>) -> String {
        self.look.short(card)
    }

    /// Several cards.
    pub fn cards(&self, cards: impl IntoIterator<Item = Option<Card>>) -> String {
        cards.into_iter().map(|card| self.card(card)).collect::<Vec<_>>().join(" ")
    }
}

/// A player who is not the viewer: two or three short lines.
#[derive(Clone, Debug, Default)]
pub struct Panel {
    /// Beside the name: chips, points, number of cards.
    pub facts: String,
    /// Marks before the name: dealer, button.
    pub mark: &'static str,
    /// What can be seen of their cards.
    pub cards: Line<'static>,
    /// What they did, how they stand.
    pub status: Line<'static>,
    /// Is everybody waiting for them?
    pub turn: bool,
    /// Are they out of this deal?
    pub out: bool,
}

/// What the viewer can do with the screen: their hand, what the marked cards make, the buttons.
pub struct Desk<G: Computer> {
    /// The hand, in the order it is shown in.
    pub hand: Vec<Tile>,
    /// How its cards are marked.
    pub marking: Marking,
    /// What is marked, what it makes, whether it is legal; or what the viewer is asked to do.
    pub says: Line<'static>,
    /// The buttons; Enter presses the first that can be pressed.
    pub buttons: Vec<Button<G>>,
    /// A number to be chosen, if there is one.
    pub amount: Option<Amount>,
}

impl<G: Computer> Default for Desk<G> {
    fn default() -> Self {
        Self { hand: Vec::new(), marking: Marking::None, says: Line::default(), buttons: Vec::new(), amount: None }
    }
}

/// A game on a terminal.
pub trait Screen: Computer {
    /// What a draft needs beside marked cards and an amount.
    type Extra: Default + Clone;

    /// The rules and what the scores mean, for people, in a few dozen lines. Lines that begin with `# ` are
    /// headings.
    const RULES: &'static str;

    /// What the numbers on this very screen mean, in the same form; nothing where the rules say it.
    const NUMBERS: &'static str = "";

    /// Beside the title: blinds, round, trump.
    fn title(scene: &Scene<'_, Self>) -> String;

    /// Another player.
    fn panel(scene: &Scene<'_, Self>, seat: Seat) -> Panel;

    /// How many lines the middle of the table needs at least, in this width.
    fn middle_height(scene: &Scene<'_, Self>, width: u16) -> u16;

    /// The middle of the table.
    fn middle(scene: &Scene<'_, Self>, draft: &Draft<Self::Extra>, page: &mut Page<'_>, area: Rect);

    /// The viewer's own facts: chips, the name of their hand, points.
    fn own(scene: &Scene<'_, Self>) -> Line<'static>;

    /// The viewer's hand and buttons. Also called when they are not asked: then there is only the hand.
    fn desk(scene: &Scene<'_, Self>, draft: &Draft<Self::Extra>) -> Desk<Self>;

    /// A button of [`Press::Command`] was pressed. The answer is shown to the viewer.
    fn command(_: &Scene<'_, Self>, _: &mut Draft<Self::Extra>, _key: char) -> Option<String> {
        None
    }

    /// A place that the middle offered ([`Page::place`]) was chosen. The answer is shown to the viewer.
    fn place(_: &Scene<'_, Self>, _: &mut Draft<Self::Extra>, _place: u16) -> Option<String> {
        None
    }

    /// A card of the hand was marked, or its mark taken away. The answer is shown to the viewer.
    fn marked(_: &Scene<'_, Self>, _: &mut Draft<Self::Extra>) -> Option<String> {
        None
    }

    /// The button that choosing a place presses, where it does more than change the draft.
    fn button_at(_: &Scene<'_, Self>, _: &Draft<Self::Extra>, _place: u16) -> Option<char> {
        None
    }

    /// Takes back what was prepared last: a mark, or whatever else a game prepares.
    fn undo(_: &Scene<'_, Self>, draft: &mut Draft<Self::Extra>) {
        draft.marked.pop();
    }

    /// The only thing that can be done, where there is nothing to decide.
    fn forced(_: &Scene<'_, Self>) -> Option<MoveOf<Self>> {
        None
    }

    /// Prepares in the draft what a move would do, so that advice can be looked at before it is taken.
    fn prepare(_: &Scene<'_, Self>, _: &mut Draft<Self::Extra>, _: &MoveOf<Self>) {}

    /// A move in a few words, without who makes it: "raise to 120". Faces only as far as the scene knows them.
    /// `before` is what the viewer saw before the move; the scene is what they see after it, or still before it.
    fn phrase(
        before: &<Self::Rules as Rules>::View,
        scene: &Scene<'_, Self>,
        seat: Seat,
        a_move: &MoveOf<Self>,
    ) -> String;

    /// What everybody sees has happened between two public views, beside what the seats did themselves:
    /// "flop: 7♠ 7♦ K♣", "Anna takes the trick".
    fn news(_before: &<Self::Rules as Rules>::View, _after: &Scene<'_, Self>) -> Vec<String> {
        Vec::new()
    }

    /// How the deal ended: who won what, and why.
    fn summary(scene: &Scene<'_, Self>, outcome: &Outcome) -> Vec<Line<'static>>;

    /// What the standing of a match counts: "chips", "points".
    const COUNTS: &'static str;

    /// Seconds a person has to decide, where the settings say so.
    fn seconds(_: &Scene<'_, Self>) -> Option<u64> {
        None
    }
}

/// A name with a verb: somebody may be called "You".
pub fn does(name: &str, they: &str, you: &str) -> String {
    format!("{name} {}", if name == "You" { you } else { they })
}

/// Spans from a text, for lines that are put together.
pub fn text(of: impl Into<String>) -> Span<'static> {
    Span::raw(of.into())
}
