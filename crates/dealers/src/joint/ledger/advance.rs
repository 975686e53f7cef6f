//! Advancing wherever nothing is missing: keys, decks, the cards of a height, opened faces.

use dealing::Element;
use table::record::By;
use table::{Awaiting, Order, Rules, Seat, Slot, Table};

use super::Ledger;
use crate::joint::docket::Docket;
use crate::joint::keys::Joint;

impl Ledger {
    /// Advances wherever nothing is missing: keys, decks, the docket of this height, opened cards.
    pub(in crate::joint) fn advance<R: Rules>(&mut self, table: &Table<R>) {
        self.advance_ahead();
        self.choosing.look(table);
        let Some(joint) = self.keys.joint() else { return };
        if table.awaiting() != Awaiting::Dealer {
            return;
        }
        let height = table.height().0;
        if self.docket_at(height).is_none() {
            let mut finished = true;
            for order in table.orders() {
                let Order::Shuffle { deck, from } = order else { continue };
                let order = first_order(self.terms.ceremonies(), joint);
                let (owners, needed) = (&self.owners, self.terms.threshold().is_none());
                let dealt = |slot: Slot| needed && owners.contains_key(&slot);
                let begun = self.decks.begin(deck, &from, table.open(), &self.points, dealt, order);
                self.impossible |= begun.is_err();
                finished &= begun.is_ok() && self.decks.get(deck).is_some_and(|deck| deck.is_finished(&self.left_out));
            }
            if !finished {
                return;
            }
            self.learn_what_is_known(table);
            if let Some(docket) = self.make_docket(table) {
                self.owners.extend(docket.deals.iter().copied());
                self.docket = Some((height, docket));
            }
        }
        self.open_cards(height);
    }

    /// The same for what needs no table: keys, and decks prepared for later.
    pub(in crate::joint) fn advance_ahead(&mut self) {
        self.keys.advance(&self.terms, &self.left_out);
        let Some(joint) = self.keys.joint() else { return };
        for (deck, pack) in &self.prepared {
            self.decks.prepare(*deck, *pack, first_order(self.terms.ceremonies(), joint));
        }
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
    fn make_docket<R: Rules>(&self, table: &Table<R>) -> Option<Docket> {
        let joint = self.keys.joint()?;
        let (mut deals, mut opens) = (Vec::new(), Vec::new());
        let closed = |slot: Slot| self.decks.card(slot).is_some_and(|card| !card.c1.is_identity());
        for order in table.orders() {
            match order {
                Order::Shuffle { .. } => {}
                Order::Deal { to, slots } => {
                    let readable = self.is_readable(joint, to);
                    for slot in slots.slots().filter(|slot| readable && closed(*slot)) {
                        if !self.is_dealt(joint, slot) && table.open().get(slot).is_none() {
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
        Some(Docket::new(deals, opens, &self.decks, joint, table.state_hash()))
    }

    /// A card can be dealt to nobody but a player who takes part in these keys; for others it stays closed.
    fn is_readable(&self, joint: &Joint, seat: Seat) -> bool {
        if self.terms.threshold().is_some() {
            self.keys.player(seat).is_some()
        } else {
            joint.shares.contains_key(&By::Seat(seat))
        }
    }

    /// Has this card been dealt completely? If somebody left while it was dealt, some shares may be missing.
    fn is_dealt(&self, joint: &Joint, slot: Slot) -> bool {
        self.owners.get(&slot).is_some_and(|owner| {
            if self.terms.threshold().is_some() {
                self.given.sealers(&self.terms, slot).is_some()
            } else {
                self.given.all_but(joint, slot, By::Seat(*owner)).is_some()
            }
        })
    }

    /// Finds the faces of cards to be opened at this height, as far as there are shares.
    fn open_cards(&mut self, height: u64) {
        let Some((_, docket)) = self.docket.as_ref().filter(|(at, _)| *at == height) else { return };
        let Some(joint) = self.keys.joint() else { return };
        let mut interpolation = None;
        for (slot, _) in &docket.opens {
            if self.points.contains_key(slot) {
                continue;
            }
            let card = self.decks.card(*slot);
            let plain = card.and_then(|card| self.given.open(&self.terms, joint, *slot, card, &mut interpolation));
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

/// Who shuffles a new deck; `None` if the beacon decides.
fn first_order(ceremonies: u8, joint: &Joint) -> Option<Vec<By>> {
    (ceremonies == 1).then(|| joint.shares.keys().copied().collect())
}
