//! Pauses that let people see the last move before something else covers it.
//!
//! The house pauses before it opens cards over the last move, and before it does anything over cards it has just
//! opened: the hands of an all-in, a card of the bank. A finished trick or round stays until the next move, and
//! computers wait longer before that. A table without a pace has no pauses.

use table::{Eye, Game, Known, Order, Rules};

use super::Kept;
use super::play::Play as _;
use super::playing::{Awaited, Playing};
use super::refusal::Refusal;
use crate::ids::Millis;

/// What has happened that people have not had time to see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unseen {
    Nothing,
    /// A player moved: cards that are opened would cover it.
    Move,
    /// Cards were opened: anything the house does next would cover it.
    Cards,
}

/// A finished trick or round.
pub(crate) struct Settled<G: Game> {
    /// The number of moves in the deal by then.
    pub(super) done: usize,
    /// What everybody saw before its last move.
    pub(super) view: <G::Rules as Rules>::View,
}

impl<G: Kept> Playing<G> {
    /// Whether anybody is there to watch.
    pub(super) const fn is_seen(&self) -> bool {
        self.seen.is_some() || self.paced
    }

    /// Keeps the view from before, if a trick or a round has just ended.
    pub(super) fn settle(&mut self, before: <G::Rules as Rules>::View) {
        let table = self.running.table();
        let after = table.rules().view(Known::public(table.open()), Eye::Public);
        self.settled = G::settles(&before, &after).then(|| Settled { done: self.past.len(), view: before });
    }

    /// Whether the house waits until people have seen the last move.
    pub(super) fn pauses(&self) -> bool {
        let opens = || self.running.table().orders().any(|order| matches!(order, Order::Open { .. }));
        self.paced
            && match self.unseen {
                Unseen::Nothing => false,
                Unseen::Move => opens(),
                Unseen::Cards => true,
            }
    }

    /// People have seen the last move: the house continues dealing.
    pub(super) fn deal_on(&mut self, at: Millis) -> Result<(), Refusal> {
        if self.awaited() != Awaited::House {
            return Err(Refusal::NotAsked);
        }
        self.unseen = Unseen::Nothing;
        self.go_on(at);
        Ok(())
    }
}
