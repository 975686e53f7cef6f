//! How a ledger takes shares of cards: public shares, sealed shares, and those that show a hand.

use std::collections::BTreeSet;

use dealing::{Dealt, Element, SealedShares, Shares};
use table::record::By;
use table::{Seat, Slot};

use super::fault::{Unfit, Void, Why};
use super::ledger::Ledger;

impl Ledger {
    /// A member's shares of the cards opened (and, with every player needed, dealt) at a height.
    pub(super) fn take_shares(&mut self, height: u64, by: By, shares: &Shares, trusted: bool) -> Result<(), Unfit> {
        let (Some(docket), Some(joint)) = (self.docket_at(height), self.keys.joint()) else {
            return Err(Void::NotAwaited.into());
        };
        if !docket.awaits_shares(&self.terms, by) {
            return Err(if docket.shared.contains(&by) { Void::Second } else { Void::NotAwaited }.into());
        }
        let slots = docket.to_share(&self.terms, by);
        let (_, public) = joint.shares.get(&by).ok_or(Void::NotYours)?;
        let bases = self.bases(&slots);
        if shares.points.len() != slots.len() {
            return Err(Why::WrongCount { needed: slots.len(), got: shares.points.len() }.into());
        }
        if !trusted {
            let context = self.terms.context(joint.ground, by).height(height);
            shares.verify(&context, public, &bases).map_err(Why::BadShares)?;
        }
        self.given.share(by, &slots, shares);
        if let Some(docket) = self.docket_mut() {
            docket.shared.insert(by);
        }
        Ok(())
    }

    /// A member's shares of the cards dealt at a height, each sealed to the owner of the card.
    pub(super) fn take_sealed(
        &mut self,
        height: u64,
        by: By,
        sealed: &SealedShares,
        trusted: bool,
    ) -> Result<(), Unfit> {
        let (Some(docket), Some(joint)) = (self.docket_at(height), self.keys.joint()) else {
            return Err(Void::NotAwaited.into());
        };
        if !docket.awaits_sealed(&self.terms, by) {
            return Err(if docket.sealed.contains(&by) { Void::Second } else { Void::NotAwaited }.into());
        }
        let slots = docket.to_seal(&self.terms);
        let (_, public) = joint.shares.get(&by).ok_or(Void::NotYours)?;
        if sealed.cards.len() != slots.len() {
            return Err(Why::WrongCount { needed: slots.len(), got: sealed.cards.len() }.into());
        }
        if !trusted {
            let context = self.terms.context(joint.ground, by).height(height);
            // A card for a player who never announced a key cannot be sealed, so nobody is asked to.
            let cards = self.dealt(&slots).ok_or(Void::NotAwaited)?;
            sealed.verify(&context, public, &cards).map_err(Why::BadShares)?;
        }
        self.given.seal(by, &slots, sealed);
        if let Some(docket) = self.docket_mut() {
            docket.sealed.insert(by);
        }
        Ok(())
    }

    /// A player lays cards face up.
    pub(super) fn take_show(
        &mut self,
        height: u64,
        by: By,
        slots: &[Slot],
        from: &[By],
        shares: &Shares,
        trusted: bool,
    ) -> Result<(), Unfit> {
        let joint = self.keys.joint().ok_or(Void::NotAwaited)?;
        let seat = self.terms.is_player(by).ok_or(Void::NotYours)?;
        let once = slots.iter().collect::<BTreeSet<_>>().len() == slots.len();
        if !once || slots.iter().any(|slot| self.owners.get(slot) != Some(&seat)) {
            return Err(Why::NotItsCard.into());
        }
        if shares.points.len() != slots.len() {
            return Err(Why::WrongCount { needed: slots.len(), got: shares.points.len() }.into());
        }
        let context = self.terms.context(joint.ground, by).height(height).step(SHOWING);
        let factors: Option<Vec<_>> = match self.terms.threshold() {
            None => {
                let (_, public) = joint.shares.get(&by).ok_or(Void::NotYours)?;
                if !trusted {
                    shares.verify(&context, public, &self.bases(slots)).map_err(Why::BadShares)?;
                }
                let factor = |(slot, own): (&Slot, &Element)| Some(self.given.all_but(joint, *slot, by)? + own.point());
                slots.iter().zip(&shares.points).map(factor).collect()
            }
            Some(threshold) => {
                let needed = usize::from(threshold);
                let sorted = |from: &[By]| from.iter().zip(from.iter().skip(1)).all(|(a, b)| a < b);
                if slots.len().checked_mul(needed) != Some(from.len()) || !from.chunks(needed).all(sorted) {
                    return Err(Why::NotItsCard.into());
                }
                let sum = |(slot, from): (&Slot, &[By])| self.given.sealed_sum(joint, *slot, from);
                let sums: Option<Vec<_>> = slots.iter().zip(from.chunks(needed)).map(sum).collect();
                let sums = sums.ok_or(Why::NotItsCard)?;
                if !trusted {
                    let public = self.keys.player(seat).ok_or(Void::NotYours)?;
                    let bases: Vec<Element> = sums.iter().map(|(k, _)| *k).collect();
                    shares.verify(&context, public, &bases).map_err(Why::BadShares)?;
                }
                let factor = |((_, e), own): (&(Element, Element), &Element)| Some(e.point() - own.point());
                sums.iter().zip(&shares.points).map(factor).collect()
            }
        };
        for (slot, factor) in slots.iter().zip(factors.ok_or(Why::NotItsCard)?) {
            let Some(card) = self.decks.card(*slot) else { return Err(Why::NotItsCard.into()) };
            let plain = card.c2.point() - factor;
            self.learn(*slot, plain.into());
        }
        Ok(())
    }

    /// The first halves of these cards, from which shares are made.
    pub(super) fn bases(&self, slots: &[Slot]) -> Vec<Element> {
        slots.iter().filter_map(|slot| Some(self.decks.card(*slot)?.c1)).collect()
    }

    /// The first halves of these cards, and the keys they are sealed to; `None` if some player has none.
    pub(super) fn dealt(&self, slots: &[(Slot, Seat)]) -> Option<Vec<Dealt>> {
        let card =
            |(slot, seat): &(Slot, Seat)| Some(Dealt { c1: self.decks.card(*slot)?.c1, to: *self.keys.player(*seat)? });
        slots.iter().map(card).collect()
    }
}

/// The context number of a player's show.
pub(super) const SHOWING: u32 = 200;
