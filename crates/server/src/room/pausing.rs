//! Pauses in which people can see what was done, before something else covers it.
//!
//! The house pauses before it opens cards over the last move, and before it does anything over cards that it has just
//! opened: the hands of an all-in, a card of the bank. A trick or round that has come to its end is kept until the next
//! move, and computers wait longer with that. At a table without a pace there are no pauses.

use table::{Eye, Game, Known, Order, Rules};

use super::playing::{Awaited, Playing};
use super::refusal::Refusal;
use crate::ids::Millis;
use crate::page::Page;

/// What has happened that people have not had time to see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unseen {
    Nothing,
    /// Somebody did something: cards that are opened would cover it.
    Move,
    /// Cards were opened: whatever the house does next would cover it.
    Cards,
}

/// A trick or a round that has come to its end.
pub(crate) struct Settled<G: Game> {
    /// How much was done in the deal by then.
    done: usize,
    /// What everybody saw before the last move of it.
    pub(super) view: <G::Rules as Rules>::View,
}

impl<G: Page> Playing<G> {
    /// Is anybody there for whom it matters what they see in between?
    pub(super) const fn is_seen(&self) -> bool {
        self.chronicle.is_some() || self.paced
    }

    /// Keeps what was seen before, if a trick or a round has just come to its end.
    pub(super) fn settle(&mut self, before: <G::Rules as Rules>::View) {
        let table = self.running.table();
        let after = table.rules().view(Known::public(table.open()), Eye::Public);
        self.settled = G::settles(&before, &after).then(|| Settled { done: self.past.len(), view: before });
    }

    /// Has a trick or a round come to its end, and nothing been done since?
    pub(crate) fn lingers(&self) -> bool {
        self.settled.as_ref().is_some_and(|settled| settled.done == self.past.len())
    }

    /// Does the house wait until people have seen what was done?
    pub(super) fn pauses(&self) -> bool {
        let opens = || self.running.table().orders().any(|order| matches!(order, Order::Open { .. }));
        self.paced
            && match self.unseen {
                Unseen::Nothing => false,
                Unseen::Move => opens(),
                Unseen::Cards => true,
            }
    }

    /// People have seen what was done: the house deals on.
    pub(crate) fn deal_on(&mut self, at: Millis) -> Result<(), Refusal> {
        if self.awaited() != Awaited::House {
            return Err(Refusal::NotAsked);
        }
        self.unseen = Unseen::Nothing;
        self.go_on(at);
        Ok(())
    }
}
