//! What a node has to say: about keys, decks, cards and its own choice.

use dealing::dkg::{Polynomial, Unusable};
use dealing::{Knowledge, Shares, beacon, seal, share, shuffle};
use table::record::By;
use table::{Awaiting, Order, Rules, Slot, Table};

use super::Node;
use crate::joint::choices::closing;
use crate::joint::decks::Lying;
use crate::joint::keys::{PLAYER_KEY, Phase};
use crate::joint::message::{Announced, Body, Complaining, Message, Place};
use crate::joint::opening::SHOWING;

impl Node {
    /// The next message about keys and decks, if any.
    pub(super) fn next_ahead(&mut self) -> Option<Message> {
        if self.ledger.left_out.contains(&self.me) {
            return None;
        }
        self.about_keys().or_else(|| {
            if !self.ledger.members().contains(&self.me) {
                return None;
            }
            self.learn_own_shares();
            self.about_decks()
        })
    }

    /// The next message, if any.
    pub(super) fn next<R: Rules>(&mut self, table: &Table<R>) -> Option<Message> {
        self.next_ahead().or_else(|| match table.awaiting() {
            Awaiting::Dealer if self.ledger.members().contains(&self.me) => self.about_cards(table.height().0),
            Awaiting::Choices(_) => self.about_choice(table),
            Awaiting::Dealer | Awaiting::Turn(_) | Awaiting::Over => None,
        })
    }

    fn about_choice<R: Rules>(&self, table: &Table<R>) -> Option<Message> {
        let choosing = &self.ledger.choosing;
        let (seat, round) = (self.seat()?, choosing.round());
        let (_, choice) = self.choice.as_ref().filter(|(at, _)| *at == round)?;
        let ground = self.ledger.keys.joint()?.ground;
        if R::CHOICES_NAME_SLOTS {
            let place = self.unsaid(Place::Choice(round), &ground)?;
            choosing.awaits(table, place, seat).ok()?;
            return Some(Message { place, on: ground, body: Body::Choice(choice.to_vec()) });
        }
        let nonce = self.choice_nonce(round, choice);
        let hash = closing(self.ledger.terms(), round, seat, choice, &nonce);
        if choosing.awaits(table, Place::Commit(round), seat).is_ok() {
            let place = self.unsaid(Place::Commit(round), &ground)?;
            return Some(Message { place, on: ground, body: Body::Commit(hash) });
        }
        // A node that committed to something else before a restart cannot reveal this.
        let on = choosing.ground();
        let place = self.unsaid(Place::Reveal(round), &on).filter(|_| choosing.has_closed(seat, &hash))?;
        choosing.awaits(table, place, seat).ok()?;
        Some(Message { place, on, body: Body::Reveal { choice: choice.to_vec(), nonce } })
    }

    fn about_keys(&self) -> Option<Message> {
        let terms = self.ledger.terms();
        let keys = &self.ledger.keys;
        if keys.bound().is_none() {
            if terms.is_member(self.me)
                && let Some(place) = self.unsaid(Place::Key, &[0; 32])
            {
                let announced = (0..terms.ceremonies()).map(|ceremony| self.announce(ceremony.into())).collect();
                return Some(Message { place, on: [0; 32], body: Body::Keys(announced) });
            }
            terms.threshold().and_then(|_| self.seat())?;
            let place = self.unsaid(Place::PlayerKey, &[0; 32])?;
            return Some(Message { place, on: [0; 32], body: Body::Keys(vec![self.announce(PLAYER_KEY)]) });
        }
        match keys.phase(&self.ledger.left_out) {
            Phase::Dealing(ceremony, generation) => {
                let number = generation.number(self.me)?;
                let on = keys.bound()?;
                let place = self.unsaid(Place::Dealing(ceremony), &on)?;
                let mut rng = self.rng(place, &on);
                let polynomial = Polynomial::random(generation.ceremony.threshold(), &mut rng);
                let dealing = generation.ceremony.deal(number, polynomial, &mut rng).ok()?;
                Some(Message { place, on, body: Body::Dealing(Box::new(dealing)) })
            }
            Phase::Complaining(ceremony, generation) => {
                let number = generation.number(self.me).filter(|_| !generation.is_ready(self.me))?;
                let on = generation.ground(&self.ledger.left_out);
                let place = self.unsaid(Place::Ready(ceremony), &on)?;
                let mut rng = self.rng(place, &on);
                let key = self.key(ceremony.into());
                let mut complaints = Vec::new();
                for (by, dealer, dealing) in generation.qualified(&self.ledger.left_out) {
                    let received = generation.ceremony.receive(number, &key, dealer, dealing, &mut rng);
                    if let Err(Unusable::Wrong(complaint)) = received {
                        complaints.push(Complaining { against: by, complaint: *complaint });
                    }
                }
                Some(Message { place, on, body: Body::Complaints(complaints) })
            }
            Phase::Announcing | Phase::Done | Phase::Failed => None,
        }
    }

    fn about_decks(&self) -> Option<Message> {
        let joint = self.ledger.keys.joint()?;
        for (deck, shuffling) in self.ledger.decks.iter() {
            let context = self.ledger.terms().context(joint.ground, self.me);
            let on = joint.ground;
            if let Some(place) = self.unsaid(Place::Beacon(deck), &on).filter(|_| shuffling.needs_order()) {
                let secret = self.shares.get(&1)?;
                let said = beacon::contribute(&context.height(deck.into()), secret, &mut self.rng(place, &on));
                return Some(Message { place, on, body: Body::Beacon(said) });
            }
            if shuffling.turn(&self.ledger.left_out) == Some(self.me)
                && let Lying::Many(before) = &shuffling.cards
            {
                let on = shuffling.ground(&joint.ground, deck);
                let Some(place) = self.unsaid(Place::Shuffle(deck), &on) else { continue };
                let mut rng = self.rng(place, &on);
                let permutation = self.permutation(deck, before.len(), shuffling.steps(), &mut rng);
                let context = context.deck(deck).step(shuffling.steps());
                let (after, proof) = shuffle(&context, &joint.key, before, &permutation, &mut rng).ok()?;
                return Some(Message { place, on, body: Body::Shuffle(Box::new((after, proof))) });
            }
        }
        None
    }

    fn about_cards(&self, height: u64) -> Option<Message> {
        let terms = self.ledger.terms();
        let joint = self.ledger.keys.joint()?;
        let docket = self.ledger.docket_at(height)?;
        let secret = self.shares.get(&0)?;
        let (on, context) = (docket.ground, terms.context(joint.ground, self.me).height(height));
        let unsaid = |place: Place| self.unsaid(place, &on);
        if let Some(place) = unsaid(Place::Shares(height)).filter(|_| docket.awaits_shares(terms, self.me)) {
            let slots = docket.to_share(terms, self.me);
            let shares = share(&context, secret, &self.ledger.bases(&slots), &mut self.rng(place, &on));
            return Some(Message { place, on, body: Body::Shares(shares) });
        }
        if let Some(place) = unsaid(Place::Sealed(height)).filter(|_| docket.awaits_sealed(terms, self.me)) {
            let cards = self.ledger.dealt(&docket.to_seal(terms))?;
            let sealed = seal(&context, secret, &cards, &mut self.rng(place, &on));
            return Some(Message { place, on, body: Body::Sealed(sealed) });
        }
        None
    }

    pub(super) fn showing<R: Rules>(&mut self, table: &Table<R>, slots: Vec<Slot>) -> Option<Message> {
        self.learn_own_shares();
        let terms = self.ledger.terms();
        let joint = self.ledger.keys.joint()?;
        let height = table.height().0;
        let place = Place::Show(height);
        let context = terms.context(joint.ground, self.me).height(height).step(SHOWING);
        // Cards dealt at different heights may have been sealed by different members.
        let mut sealers = Vec::new();
        if terms.threshold().is_some() {
            let each = slots.iter().map(|slot| self.ledger.given.sealers(terms, *slot));
            sealers = each.collect::<Option<Vec<_>>>()?;
        }
        let from: Vec<By> = sealers.iter().flatten().copied().collect();
        let on = self.ledger.show_ground(table, &slots, &from)?;
        let mut rng = self.rng(place, &on);
        let shares: Shares = if from.is_empty() {
            share(&context, self.shares.get(&0)?, &self.ledger.bases(&slots), &mut rng)
        } else {
            let base = |(slot, from): (&Slot, &Vec<By>)| Some(self.ledger.given.sealed_sum(joint, *slot, from)?.0);
            let bases: Option<Vec<_>> = slots.iter().zip(&sealers).map(base).collect();
            share(&context, &self.key(PLAYER_KEY), &bases?, &mut rng)
        };
        Some(Message { place, on, body: Body::Show { slots, from, shares } })
    }

    fn announce(&self, step: u32) -> Announced {
        let secret = self.key(step);
        let context = self.ledger.terms().context(self.ledger.terms().session, self.me).step(step);
        let mut rng = self.rng(Place::Key, &self.derive("announce", &step.to_le_bytes(), &[]));
        Announced { key: secret.public(), proof: Knowledge::prove(&context, &secret, &mut rng) }
    }

    /// Finds the faces of cards dealt to this player at this height.
    pub(super) fn look_at_own_cards<R: Rules>(&mut self, table: &Table<R>) {
        self.learn_own_shares();
        let Some(seat) = self.seat() else { return };
        for order in table.orders() {
            let Order::Deal { to, slots } = order else { continue };
            for slot in slots.slots().filter(|_| to == seat) {
                if self.own.get(slot).is_some() {
                    continue;
                }
                let face = self.ledger.opened().get(slot).or_else(|| self.own_face(slot));
                if let Some(face) = face {
                    self.own.insert(slot, face);
                }
            }
        }
    }

    pub(in crate::joint) fn own_face(&self, slot: Slot) -> Option<cards::Card> {
        let joint = self.ledger.keys.joint()?;
        let card = self.ledger.decks.card(slot)?;
        let terms = self.ledger.terms();
        let factor = if terms.threshold().is_none() {
            self.ledger.given.all_but(joint, slot, self.me)? + card.c1.point() * self.shares.get(&0)?.scalar()
        } else {
            let from = self.ledger.given.sealers(terms, slot)?;
            let (k, e) = self.ledger.given.sealed_sum(joint, slot, &from)?;
            e.point() - k.point() * self.key(PLAYER_KEY).scalar()
        };
        self.ledger.decks.face(&(card.c2.point() - factor).into())
    }
}
