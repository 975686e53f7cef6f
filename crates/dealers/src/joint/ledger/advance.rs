//! Advancing wherever nothing is missing: keys, decks, the cards of a height, opened faces.

use dealing::Element;
use table::{Awaiting, Order, Rules, Slot, Table};

use super::Ledger;
use crate::joint::decks::BadDeck;
use crate::joint::docket::Docket;

impl Ledger {
    /// Advances wherever nothing is missing: keys, decks, the docket of this height, opened cards.
    pub(super) fn advance<R: Rules>(&mut self, table: &Table<R>) {
        self.keys.advance(&self.terms, &self.left_out);
        self.choosing.at(table.height().0);
        let Some(joint) = self.keys.joint() else { return };
        if table.awaiting() != Awaiting::Dealer {
            return;
        }
        let height = table.height().0;
        if !self.dockets.contains_key(&height) {
            let mut finished = true;
            for order in table.orders() {
                let Order::Shuffle { deck, from } = order else { continue };
                let order = (self.terms.ceremonies() == 1).then(|| joint.shares.keys().copied().collect());
                let begun: Result<(), BadDeck> = self.decks.begin(deck, &from, table.open(), &self.points, order);
                finished &= begun.is_ok() && self.decks.get(deck).is_some_and(|deck| deck.is_finished(&self.left_out));
            }
            if !finished {
                return;
            }
            self.learn_what_is_known(table);
            if let Some(docket) = self.docket(table) {
                self.owners.extend(docket.deals.iter().copied());
                self.dockets.insert(height, docket);
            }
        }
        self.open_cards(height);
    }

    /// A deck of one open card needs no share: everybody knows it already.
    fn learn_what_is_known<R: Rules>(&mut self, table: &Table<R>) {
        for order in table.orders() {
            let (Order::Deal { slots, .. } | Order::Open { slots }) = order else { continue };
            for slot in slots.slots() {
                if let Some(card) = self.decks.card(slot).copied().filter(|card| card.c1.is_identity()) {
                    self.learn(slot, card.c2);
                }
            }
        }
    }

    /// The cards that the table now orders dealt and opened.
    fn docket<R: Rules>(&self, table: &Table<R>) -> Option<Docket> {
        let (mut deals, mut opens) = (Vec::new(), Vec::new());
        let closed = |slot: Slot| self.decks.card(slot).is_some_and(|card| !card.c1.is_identity());
        for order in table.orders() {
            match order {
                Order::Shuffle { .. } => {}
                Order::Deal { to, slots } => {
                    for slot in slots.slots().filter(|slot| closed(*slot)) {
                        // Nobody can seal a card to a player who never announced a key; it stays closed.
                        let readable = self.terms.threshold().is_none() || self.keys.player(to).is_some();
                        if readable && !self.owners.contains_key(&slot) && table.open().get(slot).is_none() {
                            deals.push((slot, to));
                        }
                    }
                }
                Order::Open { slots } => {
                    for slot in slots.slots().filter(|slot| closed(*slot)) {
                        // The table decides whether a card is open, so it is the same on every replica.
                        if table.open().get(slot).is_none() {
                            opens.push((slot, self.owners.get(&slot).copied()));
                        }
                    }
                }
            }
        }
        Some(Docket::new(deals, opens, &self.decks, self.keys.joint()?))
    }

    /// Finds the faces of cards to be opened at this height, as far as there are shares.
    fn open_cards(&mut self, height: u64) {
        let (Some(docket), Some(joint)) = (self.dockets.get(&height), self.keys.joint()) else { return };
        for (slot, _) in &docket.opens {
            if self.points.contains_key(slot) {
                continue;
            }
            let card = self.decks.card(*slot);
            let plain = card.and_then(|card| self.given.open(&self.terms, joint, *slot, card));
            if let Some(plain) = plain
                && let Some(face) = self.decks.face(&plain)
            {
                self.points.insert(*slot, plain);
                self.opened.insert(*slot, face);
            }
        }
    }

    /// A card whose plain point is known now.
    pub(in crate::joint) fn learn(&mut self, slot: Slot, plain: Element) -> bool {
        let Some(face) = self.decks.face(&plain) else { return false };
        self.points.insert(slot, plain);
        self.opened.insert(slot, face);
        true
    }
}
