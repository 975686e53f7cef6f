//! What a player has prepared, and how it changes.

use cards::Card;
use serde::{Deserialize, Serialize};
use table::{Height, Slot};

use super::{At, Bench, Not};
use crate::romme::{self, Action, Goal, Laid, MeldId, Moves, Place, Shape, Use};

/// How the cards of a hand are ordered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// By suit, then by rank.
    #[default]
    Suit,
    /// By rank, then by suit.
    Rank,
}

impl Order {
    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Suit => Self::Rank,
            Self::Rank => Self::Suit,
        }
    }
}

/// What a player has prepared, beside the cards that are marked.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Prepared {
    /// How the hand is ordered.
    pub order: Order,
    /// Melds set aside, to be laid together. They stay set aside until they are laid or taken back.
    pub(super) ready: Vec<Vec<Laid>>,
    /// The meld that cards are to be added to, and when it was chosen: with the next move that is forgotten.
    pub(super) chosen: Option<(MeldId, Height)>,
    /// Which way to read the marked cards, where there are several.
    pub(super) way: usize,
}

impl Prepared {
    /// Nothing prepared, and the hand in this order.
    pub fn with_order(order: Order) -> Self {
        Self { order, ..Self::default() }
    }

    /// What stays after a move: the order of the hand, and the melds set aside.
    #[must_use]
    pub fn kept(self) -> Self {
        Self { chosen: None, way: 0, ..self }
    }

    /// The next way to read the marked cards.
    pub const fn next_way(&mut self) {
        self.way = self.way.wrapping_add(1);
    }

    /// Other cards are marked: the first way to read them.
    pub const fn first_way(&mut self) {
        self.way = 0;
    }

    /// A meld on the table is chosen; choosing it again, or none, is to choose no longer.
    pub fn choose(&mut self, at: At<'_>, meld: Option<MeldId>) {
        let now = Bench::new(at, &[], self).chosen().map(|meld| meld.id);
        self.chosen = meld.filter(|meld| now != Some(*meld)).map(|meld| (meld, at.table.height()));
    }

    /// The marked meld is set aside.
    pub fn set_aside(&mut self, at: At<'_>, marked: &mut Vec<Slot>) -> Result<(), Not> {
        let bench = Bench::new(at, marked, self);
        let meld = bench.marked_meld()?.laid;
        let mut ready = bench.ready();
        ready.push(meld);
        self.ready = ready;
        self.way = 0;
        marked.clear();
        Ok(())
    }

    /// A meld set aside goes back into the hand, its cards marked: the `n`-th, or the last.
    pub fn take_back(&mut self, at: At<'_>, marked: &mut Vec<Slot>, n: Option<usize>) {
        let mut ready = Bench::new(at, marked, self).ready();
        let n = n.or(ready.len().checked_sub(1)).filter(|n| *n < ready.len());
        if let Some(n) = n {
            *marked = ready.remove(n).iter().map(|laid| laid.slot).collect();
        }
        self.ready = ready;
        self.way = 0;
    }

    /// The melds that leave the fewest points in hand are set aside.
    ///
    /// Before the opening it may be that only melds with fewer points are there; then they are set aside all
    /// the same, so that players see what they have. Without a meld in hand, a joker that can be swapped or a
    /// card that fits a meld on the table is marked.
    pub fn find(&mut self, at: At<'_>, marked: &mut Vec<Slot>) -> Result<(), Not> {
        marked.clear();
        self.ready.clear();
        self.way = 0;
        let bench = Bench::new(at, marked, self);
        let keep = !at.table.rules().setup.out_without_discard;
        let enough = match at.moves {
            Some(Moves::Play(play)) => play.best(),
            Some(Moves::None | Moves::Draw(_)) | None => None,
        };
        let Some(plan) = enough.or_else(|| romme::best(bench.pool(), Goal { least: 0, keep })) else {
            return self.find_addition(at, marked);
        };
        let mut free = bench.loose();
        let mut take = |card: Card| {
            let at = free.iter().rposition(|(_, face)| *face == card)?;
            Some(free.remove(at).0)
        };
        let mut meld = |shape: Shape| -> Option<Vec<Laid>> {
            let cards = shape.cards().map(|place| match place {
                Place::Natural(card) => Some(Laid::from(take(card)?)),
                Place::Joker(stands_for) => Some(Laid { slot: take(Card::JOKER)?, stands_for }),
            });
            cards.collect()
        };
        self.ready = plan.melds().filter_map(&mut meld).collect();
        Ok(())
    }

    fn find_addition(&mut self, at: At<'_>, marked: &mut Vec<Slot>) -> Result<(), Not> {
        let Some(Moves::Play(play)) = at.moves else { return Err(Not::NoMeldInHand) };
        let found = play.swaps().chain(play.lay_offs()).next().ok_or(Not::NothingCanBeLaid)?;
        self.prepare(at, marked, &found);
        Ok(())
    }

    /// Prepares what a move would do; the order of the hand stays.
    pub fn prepare(&mut self, at: At<'_>, marked: &mut Vec<Slot>, action: &Action) {
        let slots = |laid: &[Laid]| laid.iter().map(|laid| laid.slot).collect::<Vec<_>>();
        marked.clear();
        *self = Self::with_order(self.order);
        match action {
            Action::DrawStock | Action::DrawDiscard => {}
            Action::Meld(melds) => self.ready.clone_from(melds),
            Action::LayOff { meld, cards } => {
                *marked = slots(cards);
                self.choose(at, Some(*meld));
            }
            Action::Swap { meld, card, then } => {
                *marked = vec![*card];
                let hand = &at.view.hand;
                marked.extend(slots(then.cards()).iter().filter(|slot| hand.iter().any(|held| held.slot == **slot)));
                let ((Use::Meld(_), goes_to) | (Use::LayOff { meld: goes_to, .. }, _)) = (then, meld);
                self.choose(at, Some(*goes_to));
            }
            Action::Discard(slot) => *marked = vec![*slot],
        }
        self.way = self.way_to(at, marked, action);
    }

    /// The way in which the marked cards make this very move; the first if they do not.
    fn way_to(&self, at: At<'_>, marked: &[Slot], action: &Action) -> usize {
        let mut tried = self.clone();
        let ways = Bench::new(at, marked, &tried).ways();
        let mut does = |way: &usize| {
            tried.way = *way;
            let bench = Bench::new(at, marked, &tried);
            match action {
                Action::LayOff { .. } => bench.lay_off().is_ok_and(|(_, done)| done == *action),
                Action::Swap { .. } => bench.swap().is_ok_and(|(_, done)| done == *action),
                Action::DrawStock | Action::DrawDiscard | Action::Meld(_) | Action::Discard(_) => true,
            }
        };
        (0..ways).find(&mut does).unwrap_or(0)
    }
}
