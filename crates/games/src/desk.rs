//! What players have before them when they are asked: their cards, what they have prepared, and buttons.
//!
//! Terminals and pages draw it each in their way. What buttons a game offers, and what they are called, is said there;
//! here is what both have in common.

use cards::Card;
use serde::{Deserialize, Serialize};
use table::{Game, Height, Move, Rules, Settings as _, Slot};

/// What can be done in one step.
pub type MoveOf<G> = Move<<<G as Game>::Rules as Rules>::Action, <<G as Game>::Rules as Rules>::Choice>;

/// How people follow a game: what they want to look at before the next move covers it, and how long they may think.
pub trait Pace: Game {
    /// Whether a trick or a round ended between two public views. People want to look at it before the next move
    /// covers it.
    fn settles(_before: &<Self::Rules as Rules>::View, _after: &<Self::Rules as Rules>::View) -> bool {
        false
    }

    /// In how many steps the cards that were opened between these views are shown, if they come in more than one.
    fn streets(_before: &<Self::Rules as Rules>::View, _after: &<Self::Rules as Rules>::View) -> u32 {
        0
    }

    /// Seconds a player has to decide; `None` if there is no limit.
    fn seconds(settings: &Self::Settings) -> Option<u64> {
        settings.action_timeout()
    }
}

/// Who made a seat's move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Made {
    /// The seat itself.
    Freely,
    /// The table, because the seat's time was up.
    TimeUp,
    /// The table, because the seat's player is away.
    Away,
}

/// A card in the looker's hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tile {
    /// Which.
    pub slot: Slot,
    /// Its face.
    pub card: Option<Card>,
    /// Can it be used now, as far as that can be told?
    pub usable: bool,
}

/// How cards of the hand are marked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Marking {
    /// Not at all.
    #[default]
    None,
    /// One at a time.
    One,
    /// Any number.
    Many,
}

/// A number to be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Amount {
    /// Smallest.
    pub least: i64,
    /// Largest.
    pub most: i64,
    /// By how much one step changes it.
    pub step: i64,
    /// Where it begins.
    pub start: i64,
}

impl Amount {
    /// The number chosen so far, within its range.
    pub fn now(self, chosen: Option<i64>) -> i64 {
        chosen.unwrap_or(self.start).clamp(self.least, self.most.max(self.least))
    }

    /// The number after one more digit was typed. What becomes too large is as large as it can be; but small
    /// numbers begin anew, so that after a wrong one you just type the right one.
    pub fn typed(self, chosen: Option<i64>, digit: i64) -> i64 {
        let longer = chosen.unwrap_or(0).saturating_mul(10).saturating_add(digit);
        if longer > self.most && self.most < 100 { digit } else { longer }.min(self.most)
    }
}

/// Something that can be done.
pub struct Button<G: Game> {
    /// The key that does it; each button of a desk has its own.
    pub key: char,
    /// What it is called.
    pub label: String,
    /// What it does, or why it cannot be done now.
    pub press: Result<Press<G>, String>,
    /// Is it not to be pressed by accident (fold, give up)? Enter alone never does.
    pub grave: bool,
    /// Is it all that can be done, so that nobody need be asked?
    pub forced: bool,
    /// What is asked before it is done, where it would be a pity by accident: "You can check for free. Fold anyway?"
    pub sure: Option<String>,
}

/// What a button does.
pub enum Press<G: Game> {
    /// Moves.
    Move(MoveOf<G>),
    /// Changes what is prepared, in a way that the game knows by the button's key.
    Command,
    /// Sets the amount.
    Amount(i64),
}

impl<G: Game> Button<G> {
    /// A button that acts.
    pub fn act(key: char, label: impl Into<String>, action: <G::Rules as Rules>::Action) -> Self {
        Self::maybe(key, label, Ok(Move::Act(action)))
    }

    /// A button that chooses.
    pub fn choose(key: char, label: impl Into<String>, choice: <G::Rules as Rules>::Choice) -> Self {
        Self::maybe(key, label, Ok(Move::Choose(choice)))
    }

    /// A button that moves, or says why not.
    pub fn maybe(key: char, label: impl Into<String>, to_move: Result<MoveOf<G>, String>) -> Self {
        Self { key, label: label.into(), press: to_move.map(Press::Move), grave: false, forced: false, sure: None }
    }

    /// A button that changes what is prepared.
    pub fn command(key: char, label: impl Into<String>) -> Self {
        Self { key, label: label.into(), press: Ok(Press::Command), grave: false, forced: false, sure: None }
    }

    /// A button that sets the amount.
    pub fn amount(key: char, label: impl Into<String>, amount: i64) -> Self {
        Self { key, label: label.into(), press: Ok(Press::Amount(amount)), grave: false, forced: false, sure: None }
    }

    /// A button that cannot be pressed now.
    pub fn refused(key: char, label: impl Into<String>, why: impl Into<String>) -> Self {
        Self { key, label: label.into(), press: Err(why.into()), grave: false, forced: false, sure: None }
    }

    /// The same, but marked as one not to be pressed by accident.
    #[must_use]
    pub fn grave(mut self) -> Self {
        self.grave = true;
        self
    }

    /// The same, but the player is asked this before it is done.
    #[must_use]
    pub fn sure(mut self, question: impl Into<String>) -> Self {
        self.sure = Some(question.into());
        self
    }

    /// The same, but marked as one that need not be pressed by hand.
    #[must_use]
    pub fn forced(mut self) -> Self {
        self.forced = true;
        self
    }
}

/// What somebody has prepared and not yet done. A browser keeps it itself; what it sends is not trusted.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Draft<E> {
    /// The marked cards, in the order of marking.
    pub marked: Vec<Slot>,
    /// The chosen number, once it was touched.
    pub amount: Option<i64>,
    /// At which height a secret choice that was made already is to be changed.
    pub changing: Option<Height>,
    /// Whatever else a game needs.
    pub extra: E,
}

impl<E> Draft<E> {
    /// Nothing prepared; how things are arranged stays.
    pub fn clear(&mut self) {
        self.marked.clear();
        self.amount = None;
    }

    /// Marks a card, or takes the mark away.
    pub fn toggle(&mut self, slot: Slot, marking: Marking) {
        let was = self.marked.contains(&slot);
        match marking {
            Marking::None => {}
            Marking::One => {
                self.marked.clear();
                if !was {
                    self.marked.push(slot);
                }
            }
            Marking::Many if was => self.marked.retain(|marked| *marked != slot),
            Marking::Many => self.marked.push(slot),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_numbers_grow_and_small_ones_begin_anew() {
        let bid = Amount { least: 0, most: 7, step: 1, start: 0 };
        assert_eq!(bid.typed(None, 3), 3);
        assert_eq!(bid.typed(Some(3), 5), 5, "35 would be too many");
        assert_eq!(bid.typed(None, 9), 7);
        let raise = Amount { least: 40, most: 1000, step: 20, start: 40 };
        assert_eq!(raise.typed(Some(12), 0), 120);
        assert_eq!(raise.typed(Some(120), 0), 1000, "as large as it can be");
    }

    #[test]
    fn a_number_stays_within_its_range_even_if_that_is_empty() {
        let raise = Amount { least: 40, most: 1000, step: 20, start: 60 };
        assert_eq!([None, Some(1), Some(5000)].map(|chosen| raise.now(chosen)), [60, 40, 1000]);
        let nothing = Amount { least: 40, most: 10, step: 20, start: 40 };
        assert_eq!(nothing.now(Some(i64::MAX)), 40);
    }

    #[test]
    fn cards_are_marked_one_at_a_time_or_many() {
        let [first, second] = [Slot::new(0, 1), Slot::new(0, 2)];
        let mut draft = Draft::<()>::default();
        let mut toggled = |slot, marking| {
            draft.toggle(slot, marking);
            draft.marked.clone()
        };
        assert_eq!(toggled(first, Marking::None), []);
        assert_eq!(toggled(first, Marking::One), [first]);
        assert_eq!(toggled(second, Marking::One), [second]);
        assert_eq!(toggled(first, Marking::Many), [second, first]);
        assert_eq!(toggled(second, Marking::Many), [first]);
        assert_eq!(toggled(first, Marking::One), []);
    }
}
