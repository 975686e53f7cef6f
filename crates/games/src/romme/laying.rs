//! Laying cards on the table: new melds, lay-offs, and swapping jokers.
//!
//! Each is checked to the end before anything changes.

use table::{Faces, Slot};

use super::action::{Laid, MeldId, Use};
use super::meld::{Meld, Part};
use super::phase::Turn;
use super::{Deal, Illegal};

impl Deal {
    /// New melds; before the opening they must reach its points.
    pub(super) fn meld(&mut self, open: &Faces, turn: &Turn, melds: &[Vec<Laid>]) -> Result<(), Illegal> {
        let parts: Vec<Vec<Part>> =
            melds.iter().map(|cards| self.parts(open, turn, cards, None)).collect::<Result<_, _>>()?;
        let all: Vec<Slot> = melds.iter().flatten().map(|laid| laid.slot).collect();
        checked_once(&all)?;
        let new = parts.iter().map(|parts| Meld::new(turn.seat, parts));
        let new: Vec<Meld> = new.collect::<Result<_, _>>().map_err(Illegal::IllegalMeld)?;
        if !self.opened.contains(turn.seat) {
            let (needed, got) = (self.setup.first_meld, new.iter().map(|meld| meld.shape.points()).sum());
            if got < needed {
                return Err(Illegal::OpeningTooLow { needed, got });
            }
        }
        self.keeps_one(turn, all.len())?;
        self.melds.extend(new);
        self.opened.insert(turn.seat);
        self.laid(turn, &all);
        Ok(())
    }

    /// Cards added to a meld of any player.
    pub(super) fn lay_off(&mut self, open: &Faces, turn: &Turn, meld: MeldId, cards: &[Laid]) -> Result<(), Illegal> {
        let before = self.find(meld)?;
        let parts = self.parts(open, turn, cards, None)?;
        let all: Vec<Slot> = cards.iter().map(|laid| laid.slot).collect();
        checked_once(&all)?;
        self.has_opened(turn)?;
        let after = before.with(&parts).map_err(Illegal::IllegalMeld)?;
        self.keeps_one(turn, all.len())?;
        self.put(meld, after);
        self.laid(turn, &all);
        Ok(())
    }

    /// A natural card for the joker that stands for it, which goes to another meld at once.
    pub(super) fn swap(
        &mut self,
        open: &Faces,
        turn: &Turn,
        meld: MeldId,
        card: Slot,
        then: &Use,
    ) -> Result<(), Illegal> {
        let before = self.find(meld)?;
        let target = match then {
            Use::Meld(_) => None,
            Use::LayOff { meld: same, .. } if *same == meld => return Err(Illegal::SameMeld(meld)),
            Use::LayOff { meld: other, .. } => Some((*other, self.find(*other)?)),
        };
        let is_joker = |slot: Slot| open.get(slot).is_some_and(|face| face.is_joker());
        let lying = then.cards().iter().map(|laid| laid.slot).find(|slot| before.slots.contains(*slot));
        let joker = lying.filter(|slot| is_joker(*slot)).ok_or(Illegal::NoUseForJoker)?;
        let parts = self.parts(open, turn, then.cards(), Some(joker))?;
        let given = self.parts(open, turn, &[Laid::from(card)], None)?;
        let from_hand = then.cards().iter().map(|laid| laid.slot).filter(|slot| *slot != joker);
        let all: Vec<Slot> = core::iter::once(card).chain(from_hand).collect();
        checked_once(&all)?;
        if then.cards().iter().filter(|laid| laid.slot == joker).count() > 1 {
            return Err(Illegal::DuplicateCard(joker));
        }
        self.has_opened(turn)?;
        let after = given.first().and_then(|part| before.swapped(part.face, card, joker));
        let after = after.ok_or(Illegal::NothingToSwap { meld, card })?;
        let used = match target {
            None => Meld::new(turn.seat, &parts),
            Some((_, target)) => target.with(&parts),
        };
        let used = used.map_err(Illegal::IllegalMeld)?;
        self.keeps_one(turn, all.len())?;
        self.put(meld, after);
        match target {
            None => self.melds.push(used),
            Some((id, _)) => self.put(id, used),
        }
        self.laid(turn, &all);
        Ok(())
    }

    pub(super) fn find(&self, meld: MeldId) -> Result<Meld, Illegal> {
        meld.index().and_then(|at| self.melds.get(at)).copied().ok_or(Illegal::UnknownMeld(meld))
    }

    fn put(&mut self, meld: MeldId, after: Meld) {
        if let Some(place) = meld.index().and_then(|at| self.melds.get_mut(at)) {
            *place = after;
        }
    }

    /// The cards with their faces; all must be in hand but the joker that is being swapped.
    fn parts(&self, open: &Faces, turn: &Turn, cards: &[Laid], swapped: Option<Slot>) -> Result<Vec<Part>, Illegal> {
        if cards.is_empty() {
            return Err(Illegal::NothingLaid);
        }
        let hand = &self.hands[turn.seat];
        let part = |laid: &Laid| {
            let there = hand.contains(laid.slot) || Some(laid.slot) == swapped;
            let face = open.get(laid.slot).filter(|_| there).ok_or(Illegal::CardNotInHand(laid.slot))?;
            Ok(Part { slot: laid.slot, face, stands_for: laid.stands_for })
        };
        cards.iter().map(part).collect()
    }

    fn has_opened(&self, turn: &Turn) -> Result<(), Illegal> {
        if self.opened.contains(turn.seat) { Ok(()) } else { Err(Illegal::NotOpened) }
    }

    /// A card must be left for the discard, unless the settings say otherwise.
    fn keeps_one(&self, turn: &Turn, laid: usize) -> Result<(), Illegal> {
        if laid < self.hands[turn.seat].len() || self.setup.out_without_discard {
            Ok(())
        } else {
            Err(Illegal::MustKeepDiscard)
        }
    }

    /// The cards leave the hand, which may end the round.
    fn laid(&mut self, turn: &Turn, slots: &[Slot]) {
        slots.iter().for_each(|slot| self.hands[turn.seat].remove(*slot));
        if self.hands[turn.seat].len() == 0 {
            self.go_out(turn);
        }
    }
}

/// Cards must be laid, and each only once.
fn checked_once(slots: &[Slot]) -> Result<(), Illegal> {
    let mut before = slots.iter().enumerate();
    match before.find(|(i, slot)| slots.iter().take(*i).any(|other| other == *slot)) {
        _ if slots.is_empty() => Err(Illegal::NothingLaid),
        Some((_, slot)) => Err(Illegal::DuplicateCard(*slot)),
        None => Ok(()),
    }
}
