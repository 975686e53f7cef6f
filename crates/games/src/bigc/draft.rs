//! What people look at while they think: the order of a hand, what marked cards would be, what could be played.

use cards::Card;
use serde::{Deserialize, Serialize};
use table::Slot;

use super::{Footstool, Hand, HandView, Moves, NotAHand, Options, Playable, classify, on_top, place};
use crate::Held;

/// Hands that are suggested, at most.
const MOST_SUGGESTED: usize = 400;

/// How a hand is sorted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sorting {
    /// From the three to the two.
    #[default]
    Ranks,
    /// By suit, for flushes.
    Suits,
}

impl Sorting {
    /// The other way.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Ranks => Self::Suits,
            Self::Suits => Self::Ranks,
        }
    }

    /// A hand in this order, low cards first and jokers last.
    pub fn sort(self, hand: &[Held]) -> Vec<Held> {
        let mut hand = hand.to_vec();
        hand.sort_by_key(|held| {
            let place = held.card.map(place).filter(|place| *place > 0).unwrap_or(u8::MAX);
            let suit = if place == u8::MAX { u8::MAX } else { (place - 1) % 4 };
            match self {
                Self::Ranks => (place, 0, held.slot),
                Self::Suits => (suit, place, held.slot),
            }
        });
        hand
    }
}

/// What cards would be if they were played now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judged {
    /// No hand.
    NotAHand(NotAHand),
    /// A hand of another number of cards than the one on the table.
    WrongSize(Hand),
    /// A hand that is neither higher than the one on the table nor its equal.
    NotHigher(Hand),
    /// A hand that begins a round.
    Leads(Hand),
    /// A hand that can be played on the one on the table, and what it does to that.
    Beats(Hand, Footstool),
}

impl Judged {
    /// Can it be played?
    pub const fn is_legal(&self) -> bool {
        matches!(self, Self::Leads(_) | Self::Beats(..))
    }
}

/// How to go on from one suggestion to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// To the next higher.
    Next,
    /// To the one before.
    Before,
    /// To the first of more cards.
    More,
}

impl Options {
    /// What these cards would be.
    pub fn judge(&self, cards: &[Card]) -> Judged {
        let hand = match classify(cards) {
            Ok(hand) => hand,
            Err(why) => return Judged::NotAHand(why),
        };
        match self.beat() {
            None => Judged::Leads(hand),
            Some(beat) if beat.class().size() != hand.class().size() => Judged::WrongSize(hand),
            Some(beat) => match on_top(&hand, beat, self.two_joker_triple_low) {
                Some(footstool) => Judged::Beats(hand, footstool),
                None => Judged::NotHigher(hand),
            },
        }
    }

    /// Can anything be played?
    pub fn any_at_all(&self) -> bool {
        let mut found = false;
        [1, 2, 3, 5].into_iter().for_each(|size| self.each(size, |_| found = true));
        found
    }

    /// Hands that can be played now, the lowest first: fewer cards, lower classes, lower cards; jokers last.
    pub fn suggestions(&self) -> Vec<Playable> {
        let mut list = self.list(MOST_SUGGESTED);
        list.sort_by_cached_key(|playable| {
            let key: Vec<u8> = playable.hand.key().into_iter().map(place).collect();
            let all: Vec<u8> = playable.cards.iter().filter_map(|slot| self.card(slot)).map(place).collect();
            let jokers = all.iter().filter(|place| **place == 0).count();
            (playable.hand.class().size(), playable.hand.class(), key, jokers, all)
        });
        list
    }

    /// The faces that can be played on the hand on the table, where that can be told: with hands of one, two
    /// or three cards.
    pub fn usable(&self) -> Option<Vec<Card>> {
        let size = self.beat()?.class().size();
        if size > 3 {
            return None;
        }
        let mut faces = Vec::new();
        self.each(size, |playable| faces.extend(playable.cards.iter().filter_map(|slot| self.card(slot))));
        Some(faces)
    }
}

impl Moves {
    /// What a seat that is asked for a hand has.
    pub const fn options(&self) -> Option<&Options> {
        match self {
            Self::Lead(options) | Self::Answer { options, .. } => Some(options),
            Self::None | Self::Show(_) => None,
        }
    }
}

impl HandView {
    /// The hand that its cards are.
    pub fn hand(&self) -> Option<Hand> {
        let cards: Option<Vec<Card>> = self.cards.iter().map(|held| held.card).collect();
        classify(&cards?).ok()
    }
}

/// Where marked cards are among suggestions.
pub fn position(list: &[Playable], marked: &[Slot]) -> Option<usize> {
    list.iter().position(|playable| {
        usize::from(playable.cards.len()) == marked.len() && playable.cards.iter().all(|slot| marked.contains(&slot))
    })
}

/// Another suggestion than the marked cards, round and round.
pub fn step(list: &[Playable], marked: &[Slot], step: Step) -> Option<Playable> {
    let last = list.len().checked_sub(1)?;
    let size = |n: usize| list.get(n).map_or(0, |playable| playable.cards.len());
    let next = match (position(list, marked), step) {
        (None, Step::Before) => last,
        (None, Step::Next | Step::More) => 0,
        (Some(at), Step::Before) => at.checked_sub(1).unwrap_or(last),
        (Some(at), Step::Next) => (at + 1) % list.len(),
        (Some(at), Step::More) => (at..list.len()).find(|n| size(*n) > size(at)).unwrap_or(0),
    };
    list.get(next).copied()
}
