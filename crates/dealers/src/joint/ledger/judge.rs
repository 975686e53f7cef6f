//! Judging a message at its place in the log.
//!
//! A message is at fault only if the table awaits it from its author, it builds on the current ground, and it is wrong
//! all the same: only its author can have caused that. Any other message that does not fit is void.

use dealing::beacon::{self, Contribution};
use sha2::{Digest, Sha256};
use table::record::By;
use table::{Awaiting, Rules, Seat, Slot, Table};

use super::Ledger;
use crate::joint::decks::drawn_order;
use crate::joint::fault::{Unfit, Void, Why};
use crate::joint::keys::Phase;
use crate::joint::message::{Body, Message, Place};
use crate::joint::terms::author;

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

    /// Messages about keys and decks, which need no table.
    pub(super) fn judge_ahead(&mut self, by: By, message: &Message, trusted: bool) -> Result<(), Unfit> {
        match (message.place, &message.body) {
            (Place::Key, Body::Keys(keys)) => {
                on([0; 32], message)?;
                self.keys.announce(&self.terms, by, keys, trusted)
            }
            (Place::PlayerKey, Body::Keys(keys)) => {
                on([0; 32], message)?;
                let seat = self.terms.is_player(by).ok_or(Void::NotYours)?;
                self.keys.announce_player(&self.terms, seat, keys, trusted)
            }
            (Place::Dealing(ceremony), Body::Dealing(dealing)) => {
                if !matches!(self.keys.phase(&self.left_out), Phase::Dealing(now, _) if now == ceremony) {
                    return Err(Void::NotAwaited.into());
                }
                on(self.keys.bound().ok_or(Void::NotAwaited)?, message)?;
                self.keys.deal(ceremony, by, message, dealing, trusted)
            }
            (Place::Ready(ceremony), Body::Complaints(complaints)) => {
                match self.keys.phase(&self.left_out) {
                    Phase::Complaining(now, generation) if now == ceremony => {
                        on(generation.ground(&self.left_out), message)?;
                    }
                    _ => return Err(Void::NotAwaited.into()),
                }
                for guilty in self.keys.complain(ceremony, by, complaints)? {
                    self.find(guilty, Why::BadShareDealt { to: by }, by, message);
                }
                Ok(())
            }
            (Place::Beacon(deck), Body::Beacon(contribution)) => {
                self.take_beacon(deck, by, message, contribution, trusted)
            }
            (Place::Shuffle(deck), Body::Shuffle(shuffled)) => {
                let joint = self.keys.joint().ok_or(Void::NotAwaited)?;
                let shuffling = self.decks.get_mut(deck).ok_or(Void::NotAwaited)?;
                if shuffling.is_past(by) {
                    return Err(Void::Second.into());
                }
                if shuffling.turn(&self.left_out) != Some(by) {
                    return Err(Void::NotAwaited.into());
                }
                on(shuffling.ground(&joint.ground, deck), message)?;
                let (after, proof) = (shuffled.0.clone(), &shuffled.1);
                shuffling.shuffled(&self.terms, joint, deck, by, (after, proof), trusted)
            }
            // Decoding gives every place its own kind of body.
            _ => Err(Void::NotYours.into()),
        }
    }

    /// Messages about cards and choices, which answer what the table asks.
    pub(super) fn judge<R: Rules>(
        &mut self,
        table: &Table<R>,
        by: By,
        message: &Message,
        trusted: bool,
    ) -> Result<(), Unfit> {
        let now = table.height().0;
        match (message.place, &message.body) {
            (Place::Shares(height) | Place::Sealed(height), body) => {
                let docket = self.docket_at(now).filter(|_| height == now && table.awaiting() == Awaiting::Dealer);
                on(docket.ok_or(Void::NotAwaited)?.ground, message)?;
                match body {
                    Body::Shares(shares) => self.take_shares(height, by, shares, trusted),
                    Body::Sealed(sealed) => self.take_sealed(height, by, sealed, trusted),
                    _ => Err(Void::NotYours.into()),
                }
            }
            (Place::Show(height), Body::Show { slots, from, shares }) => {
                if height != now || !matches!(table.awaiting(), Awaiting::Turn(seat) if By::Seat(seat) == by) {
                    return Err(Void::NotAwaited.into());
                }
                if self.shown == Some(height) {
                    return Err(Void::Second.into());
                }
                on(self.show_ground(table, slots, from).ok_or(Void::OtherGround)?, message)?;
                self.take_show(height, by, slots, from, shares, trusted)?;
                self.shown = Some(height);
                Ok(())
            }
            (place, body) => {
                let seat = self.terms.is_player(by).ok_or(Void::NotYours)?;
                self.choosing.awaits(table, place, seat)?;
                let ground = self.keys.joint().ok_or(Void::NotAwaited)?.ground;
                match body {
                    Body::Commit(hash) if !R::CHOICES_NAME_SLOTS => {
                        on(ground, message)?;
                        self.choosing.commit(seat, *hash);
                    }
                    Body::Choice(choice) if R::CHOICES_NAME_SLOTS => {
                        on(ground, message)?;
                        admits(table, seat, choice)?;
                        self.choosing.open(seat, choice);
                    }
                    Body::Reveal { choice, nonce } if !R::CHOICES_NAME_SLOTS => {
                        on(self.choosing.ground(), message)?;
                        self.choosing.opens(&self.terms, seat, choice, nonce)?;
                        // Committing to nonsense is no better than opening something else.
                        admits(table, seat, choice).map_err(|_| Why::BadReveal)?;
                        self.choosing.open(seat, choice);
                    }
                    _ => return Err(Void::NotYours.into()),
                }
                Ok(())
            }
        }
    }

    fn take_beacon(
        &mut self,
        deck: u32,
        by: By,
        message: &Message,
        contribution: &Contribution,
        trusted: bool,
    ) -> Result<(), Unfit> {
        let (Some(joint), Some(threshold)) = (self.keys.joint(), self.terms.threshold()) else {
            return Err(Void::NotAwaited.into());
        };
        let shuffling = self.decks.get_mut(deck).filter(|deck| deck.needs_order()).ok_or(Void::NotAwaited)?;
        if shuffling.beacon.contains_key(&by) {
            return Err(Void::Second.into());
        }
        on(joint.ground, message)?;
        let (_, public) = joint.beacon.get(&by).ok_or(Void::NotYours)?;
        let context = self.terms.context(joint.ground, by).height(deck.into());
        if !trusted {
            contribution.verify(&context, public).map_err(Why::BadShares)?;
        }
        shuffling.beacon.insert(by, contribution.clone());
        let numbered: Vec<_> =
            shuffling.beacon.iter().filter_map(|(by, share)| Some((joint.beacon.get(by)?.0, share))).collect();
        if let Some(random) = beacon::output(&context, threshold.into(), &numbered) {
            shuffling.set_order(drawn_order(&random, joint.shares.keys().copied()));
        }
        Ok(())
    }

    /// What a show builds on: the table, the ciphertexts and owners of the cards, and the sealed shares they are opened
    /// from.
    pub(in crate::joint) fn show_ground<R: Rules>(
        &self,
        table: &Table<R>,
        slots: &[Slot],
        from: &[By],
    ) -> Option<[u8; 32]> {
        let joint = self.keys.joint()?;
        let mut hash = Sha256::new_with_prefix(b"fairdeal/show/v1");
        hash.update(joint.ground);
        hash.update(table.state_hash());
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
                hash.update(sealed.k.bytes());
                hash.update(sealed.e.bytes());
            }
        }
        Some(hash.finalize().into())
    }
}

/// Does the message build on this?
fn on(ground: [u8; 32], message: &Message) -> Result<(), Void> {
    if message.on == ground { Ok(()) } else { Err(Void::OtherGround) }
}

/// Do the rules allow this choice?
fn admits<R: Rules>(table: &Table<R>, seat: Seat, choice: &[u8]) -> Result<(), Why> {
    let choice: R::Choice = serde_json::from_slice(choice).map_err(|why| Why::Illegal(why.to_string()))?;
    table.rules().admits_choice(seat, &choice).map_err(|why| Why::Illegal(why.to_string()))
}
