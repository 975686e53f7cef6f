//! Which messages can be judged: who may send what, what is kept, and what each builds on.

use sha2::{Digest, Sha256};
use table::record::By;
use table::{Awaiting, Rules, Slot, Table};

use super::Ledger;
use crate::joint::message::{Body, Message, Place};
use crate::joint::terms::author;

/// Messages for heights further ahead are not kept.
const FAR_AHEAD: u64 = 64;
/// The same for decks.
const DECKS_AHEAD: u32 = 4;

/// Whether a message can be judged.
pub(super) enum Ripe {
    Now,
    Later,
    Never,
}

impl Ledger {
    pub(super) fn may_say(&self, by: By, place: Place) -> bool {
        match place {
            Place::Key | Place::Shuffle(_) | Place::Shares(_) => self.terms.is_member(by),
            Place::Dealing(ceremony) | Place::Ready(ceremony) => {
                self.terms.is_member(by) && self.terms.threshold().is_some() && ceremony < self.terms.ceremonies()
            }
            Place::Beacon(_) => self.terms.is_member(by) && self.terms.ceremonies() == 2,
            Place::Sealed(_) => self.terms.is_member(by) && self.terms.threshold().is_some(),
            Place::PlayerKey => self.terms.is_player(by).is_some() && self.terms.threshold().is_some(),
            Place::Show(_) | Place::Commit(_) | Place::Reveal(_) | Place::Choice(_) => {
                self.terms.is_player(by).is_some()
            }
        }
    }

    /// Bounds what is kept: nothing for heights and decks that are far ahead.
    pub(super) fn in_reach<R: Rules>(&self, table: &Table<R>, place: Place) -> bool {
        match place {
            Place::Key | Place::PlayerKey | Place::Dealing(_) | Place::Ready(_) => true,
            Place::Beacon(deck) | Place::Shuffle(deck) => {
                let decks = table.rules().decks();
                (decks.start..decks.end.saturating_add(DECKS_AHEAD)).contains(&deck)
            }
            Place::Shares(height)
            | Place::Sealed(height)
            | Place::Show(height)
            | Place::Commit(height)
            | Place::Reveal(height)
            | Place::Choice(height) => {
                let now = table.height().0;
                (now..now.saturating_add(FAR_AHEAD)).contains(&height) || self.dockets.contains_key(&height)
            }
        }
    }

    /// Whether a message can be judged now, going by its place and its ground.
    pub(super) fn ripe<R: Rules>(&self, table: &Table<R>, by: By, message: &Message) -> Ripe {
        let on = |ground: [u8; 32]| if message.on == ground { Ripe::Now } else { Ripe::Later };
        let now = table.height().0;
        match message.place {
            Place::Key if self.keys.bound().is_some() => Ripe::Never,
            Place::PlayerKey if self.keys.bound().is_some() => Ripe::Never,
            Place::Key | Place::PlayerKey => on([0; 32]),
            Place::Dealing(_) | Place::Ready(_) if self.keys.joint().is_some() => Ripe::Never,
            Place::Dealing(_) => self.keys.bound().map_or(Ripe::Later, on),
            Place::Ready(ceremony) => match self.keys.generation(ceremony) {
                Some(generation) if generation.missing_dealings(&self.left_out).is_empty() => on(generation.ground()),
                _ => Ripe::Later,
            },
            Place::Beacon(deck) => match (self.decks.get(deck), self.keys.joint()) {
                // Judged even when it is no longer needed: whether it is wrong must not depend on when it came.
                (Some(_), Some(joint)) => on(joint.ground),
                _ => Ripe::Later,
            },
            Place::Shuffle(deck) => match (self.decks.get(deck), self.keys.joint()) {
                (Some(shuffling), _) if shuffling.is_past(by) => Ripe::Never,
                (Some(shuffling), Some(joint)) if shuffling.turn(&self.left_out) == Some(by) => {
                    on(shuffling.ground(&joint.ground, deck))
                }
                _ => Ripe::Later,
            },
            Place::Shares(height) | Place::Sealed(height) => match self.dockets.get(&height) {
                Some(docket) => on(docket.ground),
                None if height < now => Ripe::Never,
                None => Ripe::Later,
            },
            Place::Show(height) if height < now => Ripe::Never,
            Place::Show(height) if height > now => Ripe::Later,
            // The owner and sealers of a card are certain only once the table gets there.
            Place::Show(height) if height > now => Ripe::Later,
            Place::Show(_) => match (table.awaiting(), &message.body) {
                (Awaiting::Turn(seat), Body::Show { slots, from, .. }) if By::Seat(seat) == by => {
                    self.show_ground(slots, from).map_or(Ripe::Later, on)
                }
                _ => Ripe::Never,
            },
            Place::Commit(height) | Place::Reveal(height) | Place::Choice(height) if height < now => Ripe::Never,
            Place::Commit(height) | Place::Choice(height) if height == now => match table.awaiting() {
                Awaiting::Choices(seats) if seats.iter().any(|seat| By::Seat(seat) == by) => {
                    self.keys.joint().map_or(Ripe::Later, |joint| on(joint.ground))
                }
                _ => Ripe::Never,
            },
            Place::Reveal(height) if height == now => match table.awaiting() {
                Awaiting::Choices(seats) if self.choosing.is_closed(now, seats) => on(self.choosing.ground()),
                Awaiting::Choices(_) => Ripe::Later,
                _ => Ripe::Never,
            },
            Place::Commit(_) | Place::Reveal(_) | Place::Choice(_) => Ripe::Later,
        }
    }

    /// What a show builds on: the ciphertexts and owners of the cards, and the sealed shares they are opened
    /// from. Called often, for any message, so it only hashes.
    pub(in crate::joint) fn show_ground(&self, slots: &[Slot], from: &[By]) -> Option<[u8; 32]> {
        let joint = self.keys.joint()?;
        let mut hash = Sha256::new_with_prefix(b"fairdeal/show/v1");
        hash.update(joint.ground);
        for slot in slots {
            let card = self.decks.card(*slot)?;
            hash.update(slot.deck.to_le_bytes());
            hash.update(slot.index.to_le_bytes());
            hash.update(card.c1.bytes());
            hash.update(card.c2.bytes());
            hash.update([self.owners.get(slot).map_or(u8::MAX, |seat| seat.index())]);
        }
        let sealers = usize::from(self.terms.threshold().unwrap_or(1));
        for (slot, from) in slots.iter().zip(from.chunks(sealers)) {
            for by in from {
                let sealed = self.given.sealed(*slot, *by)?;
                hash.update(author(*by).to_le_bytes());
                hash.update(sealed.k().bytes());
                hash.update(sealed.e().bytes());
            }
        }
        Some(hash.finalize().into())
    }
}
