//! The cards dealt and opened at one height, and the shares received for them.
//!
//! The list follows from the table alone, so it is the same for everybody, and nobody can ask for more.

use std::collections::BTreeSet;

use dealing::{Ciphertext, Element, Interpolation, Point, SealedShares, Shares};
use sha2::{Digest, Sha256};
use table::record::By;
use table::{Map, Seat, Slot};

use super::decks::Decks;
use super::keys::Joint;
use super::terms::Terms;

/// The cards of one height.
#[derive(Clone, Debug)]
pub(super) struct Docket {
    /// Cards for one seat each.
    pub(super) deals: Vec<(Slot, Seat)>,
    /// Cards for everybody, with their owners if they were dealt before.
    pub(super) opens: Vec<(Slot, Option<Seat>)>,
    /// What shares build on: a hash over the table and the ciphertexts of all these cards.
    pub(super) ground: [u8; 32],
    /// Who has given shares.
    pub(super) shared: BTreeSet<By>,
    /// Who has given sealed shares.
    pub(super) sealed: BTreeSet<By>,
}

impl Docket {
    pub(super) fn new(
        deals: Vec<(Slot, Seat)>,
        opens: Vec<(Slot, Option<Seat>)>,
        decks: &Decks,
        joint: &Joint,
        table: [u8; 32],
    ) -> Self {
        let mut hash = Sha256::new_with_prefix(b"fairdeal/docket/v1");
        hash.update(joint.ground);
        hash.update(table);
        let mut bind = |slot: Slot, mark: u8, seat: u8| {
            hash.update([mark, seat]);
            hash.update(slot.deck.to_le_bytes());
            hash.update(slot.index.to_le_bytes());
            if let Some(card) = decks.card(slot) {
                hash.update(card.c1.bytes());
                hash.update(card.c2.bytes());
            }
        };
        deals.iter().for_each(|(slot, seat)| bind(*slot, 0, seat.index()));
        opens.iter().for_each(|(slot, owner)| bind(*slot, 1, owner.map_or(u8::MAX, Seat::index)));
        let ground = hash.finalize().into();
        Self { deals, opens, ground, shared: BTreeSet::new(), sealed: BTreeSet::new() }
    }

    /// The cards whose shares this member must publish, in order.
    pub(super) fn to_share(&self, terms: &Terms, by: By) -> Vec<Slot> {
        if terms.threshold().is_some() {
            return self.opens.iter().map(|(slot, _)| *slot).collect();
        }
        // Every player is needed: all but the owner give shares of a dealt card, so that only the owner's is
        // missing to open it later.
        let dealt = self.deals.iter().filter(|(_, seat)| By::Seat(*seat) != by).map(|(slot, _)| *slot);
        let opened = self.opens.iter().filter(|(_, owner)| owner.is_none_or(|seat| By::Seat(seat) == by));
        dealt.chain(opened.map(|(slot, _)| *slot)).collect()
    }

    /// The cards whose shares members must seal, in order.
    pub(super) fn to_seal(&self, terms: &Terms) -> Vec<(Slot, Seat)> {
        if terms.threshold().is_some() { self.deals.clone() } else { Vec::new() }
    }

    /// Are shares awaited from this member, or not any more, since there are enough?
    pub(super) fn awaits_shares(&self, terms: &Terms, by: By) -> bool {
        let enough = terms.threshold().is_some_and(|threshold| self.shared.len() >= usize::from(threshold));
        !enough && !self.shared.contains(&by) && !self.to_share(terms, by).is_empty()
    }

    /// The same for sealed shares.
    pub(super) fn awaits_sealed(&self, terms: &Terms, by: By) -> bool {
        let enough = terms.threshold().is_none_or(|threshold| self.sealed.len() >= usize::from(threshold));
        !enough && !self.sealed.contains(&by) && !self.deals.is_empty()
    }

    /// Who still has to contribute; nobody, once enough have.
    pub(super) fn missing(&self, terms: &Terms, members: &BTreeSet<By>) -> Vec<By> {
        let owes = |by: &By| self.awaits_shares(terms, *by) || self.awaits_sealed(terms, *by);
        members.iter().copied().filter(owes).collect()
    }
}

/// The shares received, card by card.
#[derive(Clone, Debug, Default)]
pub(super) struct Given {
    pub(super) shares: Map<Slot, Map<By, Element>>,
    pub(super) sealed: Map<Slot, Map<By, Envelope>>,
}

/// A sealed share whose proof has been checked: `K` and `E`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Envelope {
    pub(super) k: Element,
    pub(super) e: Element,
}

impl Given {
    pub(super) fn share(&mut self, by: By, slots: &[Slot], shares: &Shares) {
        for (slot, share) in slots.iter().zip(&shares.points) {
            self.shares.or_insert_with(*slot, Map::new).insert(by, *share);
        }
    }

    pub(super) fn seal(&mut self, by: By, slots: &[(Slot, Seat)], sealed: &SealedShares) {
        for ((slot, _), sealed) in slots.iter().zip(&sealed.cards) {
            // The first counts: a show may already build on it.
            let envelope = Envelope { k: *sealed.k(), e: *sealed.e() };
            self.sealed.or_insert_with(*slot, Map::new).or_insert_with(by, || envelope);
        }
    }

    /// The plain card, once enough shares are public. Cards are mostly opened by the same members as the one before.
    pub(super) fn open(
        &self,
        terms: &Terms,
        joint: &Joint,
        slot: Slot,
        card: &Ciphertext,
        before: &mut Option<Interpolation>,
    ) -> Option<Element> {
        let shares = self.shares.get(&slot)?;
        let factor = match terms.threshold() {
            None if joint.shares.keys().all(|by| shares.contains_key(by)) => shares.values().map(Element::point).sum(),
            None => return None,
            Some(threshold) => {
                let numbered = shares.iter().filter_map(|(by, share)| Some((joint.shares.get(by)?.0, *share.point())));
                let (ids, points): (Vec<u16>, Vec<Point>) = numbered.take(threshold.into()).unzip();
                if ids.len() < usize::from(threshold) {
                    return None;
                }
                if before.as_ref().is_none_or(|before| before.ids() != ids) {
                    *before = Interpolation::new(&ids);
                }
                before.as_ref()?.combine(&points)?
            }
        };
        Some((card.c2.point() - factor).into())
    }

    /// Every player needed: the sum of all shares of a card except the owner's.
    pub(super) fn all_but(&self, joint: &Joint, slot: Slot, owner: By) -> Option<Point> {
        let shares = self.shares.get(&slot)?;
        let others = || joint.shares.keys().filter(|by| **by != owner);
        others()
            .all(|by| shares.contains_key(by))
            .then(|| others().filter_map(|by| shares.get(by)).map(Element::point).sum())
    }

    /// Threshold: as many members as needed whose sealed shares of this card are here.
    pub(super) fn sealers(&self, terms: &Terms, slot: Slot) -> Option<Vec<By>> {
        let sealed = self.sealed.get(&slot)?;
        let enough: Vec<By> = sealed.keys().copied().take(terms.threshold()?.into()).collect();
        (Some(enough.len()) == terms.threshold().map(usize::from)).then_some(enough)
    }

    /// Threshold: this member's sealed share of this card.
    pub(super) fn sealed(&self, slot: Slot, by: By) -> Option<&Envelope> {
        self.sealed.get(&slot)?.get(&by)
    }

    /// Threshold: the sealed shares of this card by these members, interpolated: (K, E), where E - qK opens the
    /// card.
    pub(super) fn sealed_sum(&self, joint: &Joint, slot: Slot, from: &[By]) -> Option<(Element, Element)> {
        let sealed = self.sealed.get(&slot)?;
        let ids: Option<Vec<u16>> = from.iter().map(|by| Some(joint.shares.get(by)?.0)).collect();
        let envelopes: Option<Vec<&Envelope>> = from.iter().map(|by| sealed.get(by)).collect();
        let (interpolation, envelopes) = (Interpolation::new(&ids?)?, envelopes?);
        let sum = |part: fn(&Envelope) -> &Element| {
            let parts: Vec<Point> = envelopes.iter().map(|envelope| *part(envelope).point()).collect();
            interpolation.combine(&parts).map(Element::from)
        };
        Some((sum(|envelope| &envelope.k)?, sum(|envelope| &envelope.e)?))
    }

    /// The public shares of a card.
    #[cfg(feature = "laws")]
    pub(super) fn public(&self, slot: Slot) -> Map<By, Point> {
        let shares = self.shares.get(&slot).into_iter().flatten();
        shares.map(|(by, share)| (*by, *share.point())).collect()
    }

    pub(super) fn forget_before(&mut self, deck: u32) {
        let first = Slot::new(deck, 0);
        self.shares = self.shares.split_off(&first);
        self.sealed = self.sealed.split_off(&first);
    }
}
