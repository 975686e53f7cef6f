//! One participant: a ledger, and the secrets of its owner.
//!
//! Everything secret follows from one seed, and each message follows from the seed, its place and what it
//! builds on. So a node that is restarted with its seed and its log says the same again, never something else.

#[cfg(feature = "laws")]
mod cheating;

use std::collections::{BTreeMap, BTreeSet};

use dealing::dkg::{Polynomial, Unusable};
use dealing::{Knowledge, Permutation, Secret, Shares, beacon, seal, share, shuffle};
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;
use sha2::{Digest, Sha256};
use table::record::By;
use table::{Awaiting, Faces, Order, Rules, Seat, Slot, Table};
use zeroize::Zeroizing;

use super::choices::closing;
use super::decks::Lying;
use super::fault::Verdict;
use super::keys::{PLAYER_KEY, Phase};
use super::ledger::Ledger;
use super::message::{Announced, Body, Complaining, LONGEST_CHOICE, Message, Place};
use super::opening::SHOWING;
use super::terms::{Keepers, Terms};
use crate::DealerError;

/// A member, a player, or both.
pub struct Node {
    ledger: Ledger,
    me: By,
    seed: Zeroizing<[u8; 32]>,
    /// Its own shares of the joint keys, once known.
    pub(super) shares: BTreeMap<u8, Secret>,
    own: Faces,
    /// The choice at a height, until it is revealed.
    choice: Option<(u64, Vec<u8>)>,
    outbox: Vec<Message>,
    /// The places where it has already said something.
    said: BTreeSet<Place>,
    /// The last commitment to a choice: its height and hash.
    closed: Option<(u64, [u8; 32])>,
    /// For tests: fixed permutations of decks.
    stacked: Option<BTreeMap<u32, Vec<u16>>>,
}

impl core::fmt::Debug for Node {
    /// Shows whose node it is, never what it knows.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Node({})", self.me)
    }
}

impl Node {
    /// A participant at the beginning of a session. The seed is secret and must be different in every session.
    pub fn new(terms: Terms, me: By, seed: [u8; 32]) -> Self {
        Self {
            ledger: Ledger::new(terms, Some(me)),
            me,
            seed: Zeroizing::new(seed),
            shares: BTreeMap::new(),
            own: Faces::new(),
            choice: None,
            outbox: Vec::new(),
            said: BTreeSet::new(),
            closed: None,
            stacked: None,
        }
    }

    /// Whose node it is.
    pub const fn me(&self) -> By {
        self.me
    }

    /// Everything public.
    pub const fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Everything public, to be changed.
    pub const fn ledger_mut(&mut self) -> &mut Ledger {
        &mut self.ledger
    }

    /// The faces dealt to this player alone.
    pub const fn own(&self) -> &Faces {
        &self.own
    }

    /// The messages to send to everybody, since the last call.
    pub fn take_outbox(&mut self) -> Vec<Message> {
        core::mem::take(&mut self.outbox)
    }

    /// Permutes decks as given, and leaves other decks unshuffled. For tests that need known cards.
    pub fn stack(&mut self, orders: BTreeMap<u32, Vec<u16>>) {
        self.stacked = Some(orders);
    }

    /// A message has arrived, from somebody else or from this node's own log.
    pub fn receive<R: Rules>(&mut self, table: &Table<R>, by: By, message: Message) -> Verdict {
        if by == self.me {
            self.note(&message);
        }
        self.ledger.receive(table, by, message)
    }

    /// Says something, or repeats what it said before a restart. It will say nothing else in that place.
    pub fn say<R: Rules>(&mut self, table: &Table<R>, message: Message) {
        self.note(&message);
        if self.is_heard_at_once() {
            self.ledger.receive(table, self.me, message.clone());
        }
        self.outbox.push(message);
    }

    /// Says everything that the table orders from this node and that can be said by now; `true` once all orders
    /// are filled.
    pub fn fill<R: Rules>(&mut self, table: &Table<R>) -> Result<bool, DealerError> {
        self.ledger.settle(table);
        while let Some(message) = self.next(table) {
            self.say(table, message);
        }
        let filled = self.ledger.filled(table)?;
        if filled {
            self.look_at_own_cards(table);
        }
        Ok(filled)
    }

    /// Lays these cards face up; `false` if they are not this player's.
    pub fn show<R: Rules>(&mut self, table: &Table<R>, slots: &[Slot]) -> bool {
        let known = |slot: &Slot| table.open().get(*slot).is_some() || self.ledger.opened().get(*slot).is_some();
        let slots: BTreeSet<Slot> = slots.iter().copied().filter(|slot| !known(slot)).collect();
        if slots.is_empty() || self.said.contains(&Place::Show(table.height().0)) {
            return true;
        }
        let mine = |slot: &Slot| self.seat().is_some() && self.ledger.owners.get(slot).copied() == self.seat();
        if !slots.iter().all(mine) {
            return false;
        }
        let Some(message) = self.showing(table, slots.into_iter().collect()) else { return false };
        self.say(table, message);
        true
    }

    /// Whether this node applies its own messages at once. On a chain it does not: there a message counts once
    /// it is in the shared log, and comes back from there.
    pub fn is_heard_at_once(&self) -> bool {
        !matches!(self.ledger.terms().keepers, Keepers::Committee { .. })
    }

    fn note(&mut self, message: &Message) {
        self.said.insert(message.place);
        if let (Place::Commit(height), Body::Commit(hash)) = (message.place, &message.body) {
            self.closed = Some((height, *hash));
        }
    }

    /// Chooses in secret, in the form used in records. Sent at once, or first committed to, and then revealed
    /// by [`Node::fill_choices`] when everybody has committed. `false` if this cannot be chosen: a node that
    /// committed to something before a restart cannot reveal anything else.
    pub fn choose<R: Rules>(&mut self, table: &Table<R>, choice: Vec<u8>) -> bool {
        if choice.is_empty() || choice.len() > LONGEST_CHOICE {
            return false;
        }
        let height = table.height().0;
        if let (Some(seat), Some((at, hash))) = (self.seat(), self.closed)
            && at == height
            && closing(self.ledger.terms(), height, seat, &choice, &self.choice_nonce(height, &choice)) != hash
        {
            return false;
        }
        self.choice = Some((height, choice));
        self.fill_choices(table);
        true
    }

    /// Whether this player has chosen at this height.
    pub fn has_chosen(&self, height: u64) -> bool {
        self.choice.as_ref().is_some_and(|(at, _)| *at == height)
    }

    /// Says what can be said by now about its own choice.
    pub fn fill_choices<R: Rules>(&mut self, table: &Table<R>) {
        self.ledger.settle(table);
        // A game may begin with choices, before there is anything to deal.
        while let Some(message) = self.about_keys().or_else(|| self.next_about_choice(table)) {
            self.say(table, message);
        }
    }

    fn next_about_choice<R: Rules>(&self, table: &Table<R>) -> Option<Message> {
        let Awaiting::Choices(seats) = table.awaiting() else { return None };
        let seat = self.seat().filter(|seat| seats.contains(*seat))?;
        let height = table.height().0;
        let (_, choice) = self.choice.as_ref().filter(|(at, _)| *at == height)?;
        let choosing = &self.ledger.choosing;
        let ground = self.ledger.keys.joint()?.ground;
        if choosing.chosen(height, seat).is_some() {
            return None;
        }
        if R::CHOICES_NAME_SLOTS {
            let place = self.unsaid(Place::Choice(height))?;
            return Some(Message { place, on: ground, body: Body::Choice(choice.clone()) });
        }
        let nonce = self.choice_nonce(height, choice);
        let hash = closing(self.ledger.terms(), height, seat, choice, &nonce);
        if let Some(place) = self.unsaid(Place::Commit(height)) {
            return Some(Message { place, on: ground, body: Body::Commit(hash) });
        }
        // A node that committed to something else before a restart cannot reveal this.
        let closed = choosing.is_closed(height, seats) && choosing.has_closed(seat, &hash);
        let place = self.unsaid(Place::Reveal(height)).filter(|_| closed)?;
        Some(Message { place, on: choosing.ground(), body: Body::Reveal { choice: choice.clone(), nonce } })
    }

    /// The next message to send, if any.
    fn next<R: Rules>(&mut self, table: &Table<R>) -> Option<Message> {
        self.about_keys().or_else(|| {
            if table.awaiting() != Awaiting::Dealer || !self.ledger.members().contains(&self.me) {
                return None;
            }
            self.learn_own_shares();
            self.about_decks(table).or_else(|| self.about_cards(table.height().0))
        })
    }

    fn about_keys(&self) -> Option<Message> {
        let terms = self.ledger.terms();
        let keys = &self.ledger.keys;
        if keys.bound().is_none() {
            if terms.is_member(self.me)
                && let Some(place) = self.unsaid(Place::Key)
            {
                let announced = (0..terms.ceremonies()).map(|ceremony| self.announce(ceremony.into())).collect();
                return Some(Message { place, on: [0; 32], body: Body::Keys(announced) });
            }
            terms.threshold().and_then(|_| self.seat())?;
            let place = self.unsaid(Place::PlayerKey)?;
            return Some(Message { place, on: [0; 32], body: Body::Keys(vec![self.announce(PLAYER_KEY)]) });
        }
        match keys.phase(&self.ledger.left_out) {
            Phase::Dealing(ceremony, generation) => {
                let number = generation.number(self.me)?;
                let (place, on) = (self.unsaid(Place::Dealing(ceremony))?, keys.bound()?);
                let mut rng = self.rng(place, &on);
                let polynomial = Polynomial::random(generation.ceremony.threshold(), &mut rng);
                let dealing = generation.ceremony.deal(number, polynomial, &mut rng).ok()?;
                Some(Message { place, on, body: Body::Dealing(Box::new(dealing)) })
            }
            Phase::Complaining(ceremony, generation) => {
                let number = generation.number(self.me)?;
                let (place, on) = (self.unsaid(Place::Ready(ceremony))?, generation.ground());
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

    fn about_decks<R: Rules>(&self, table: &Table<R>) -> Option<Message> {
        let joint = self.ledger.keys.joint()?;
        for order in table.orders() {
            let Order::Shuffle { deck, .. } = order else { continue };
            let Some(shuffling) = self.ledger.decks.get(deck) else { continue };
            let context = self.ledger.terms().context(joint.ground, self.me);
            if let Some(place) = self.unsaid(Place::Beacon(deck)).filter(|_| shuffling.needs_order()) {
                let on = joint.ground;
                let secret = self.shares.get(&1)?;
                let said = beacon::contribute(&context.height(deck.into()), secret, &mut self.rng(place, &on));
                return Some(Message { place, on, body: Body::Beacon(said) });
            }
            if shuffling.turn(&self.ledger.left_out) == Some(self.me)
                && let Lying::Many(before) = &shuffling.cards
                && let Some(place) = self.unsaid(Place::Shuffle(deck))
            {
                let on = shuffling.ground(&joint.ground, deck);
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
        let docket = self.ledger.dockets.get(&height)?;
        if docket.missing(terms, &self.ledger.members()).is_empty() {
            return None;
        }
        let secret = self.shares.get(&0)?;
        let (on, context) = (docket.ground, terms.context(joint.ground, self.me).height(height));
        let slots = docket.to_share(terms, self.me);
        if let Some(place) = self.unsaid(Place::Shares(height)).filter(|_| !slots.is_empty()) {
            let shares = share(&context, secret, &self.ledger.bases(&slots), &mut self.rng(place, &on));
            return Some(Message { place, on, body: Body::Shares(shares) });
        }
        let slots = docket.to_seal(terms);
        if let Some(place) = self.unsaid(Place::Sealed(height)).filter(|_| !slots.is_empty()) {
            let mut rng = self.rng(place, &on);
            let sealed: Option<Vec<_>> = (0..)
                .zip(&slots)
                .map(|(step, (slot, seat))| {
                    let (c1, to) = (&self.ledger.decks.card(*slot)?.c1, self.ledger.keys.player(*seat)?);
                    Some(seal(&context.step(step), secret, c1, to, &mut rng))
                })
                .collect();
            return Some(Message { place, on, body: Body::Sealed(sealed?) });
        }
        None
    }

    fn showing<R: Rules>(&mut self, table: &Table<R>, slots: Vec<Slot>) -> Option<Message> {
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
        let on = self.ledger.show_ground(&slots, &from)?;
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

    /// Finds the faces of cards dealt to this player at this height.
    fn look_at_own_cards<R: Rules>(&mut self, table: &Table<R>) {
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

    fn own_face(&self, slot: Slot) -> Option<cards::Card> {
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

    /// Finds the node's own shares of the joint keys: its own key if every player is needed, otherwise the sum
    /// of the shares received in the key generation.
    fn learn_own_shares(&mut self) {
        let Some(joint) = self.ledger.keys.joint() else { return };
        if !self.shares.is_empty() || !self.ledger.terms().is_member(self.me) {
            return;
        }
        if self.ledger.terms().threshold().is_none() {
            self.shares.insert(0, self.key(0));
            return;
        }
        for ceremony in 0..self.ledger.terms().ceremonies() {
            let Some(generation) = self.ledger.keys.generation(ceremony) else { continue };
            let Some(number) = generation.number(self.me) else { continue };
            let key = self.key(ceremony.into());
            let mut rng = self.rng(Place::Ready(ceremony), &[1; 32]);
            let dealings = joint.dealers.iter().filter_map(|by| generation.dealing(*by));
            let received = dealings.map(|(dealer, dealing)| {
                generation.ceremony.receive(number, &key, dealer, dealing, &mut rng).map_err(drop)
            });
            let Ok(received) = received.collect::<Result<Vec<_>, ()>>() else { continue };
            let own = Secret::new(received.iter().map(Secret::scalar).sum());
            // Using a wrong share would look like lying, so say nothing.
            let public = if ceremony == 0 { &joint.shares } else { &joint.beacon };
            if public.get(&self.me).is_some_and(|(_, public)| *public == own.public()) {
                self.shares.insert(ceremony, own);
            }
        }
    }

    /// The place, if nothing has been said there yet.
    fn unsaid(&self, place: Place) -> Option<Place> {
        Some(place).filter(|place| !self.said.contains(place))
    }

    fn seat(&self) -> Option<Seat> {
        self.ledger.terms().is_player(self.me)
    }

    fn announce(&self, step: u32) -> Announced {
        let secret = self.key(step);
        let context = self.ledger.terms().context(self.ledger.terms().session, self.me).step(step);
        let mut rng = self.rng(Place::Key, &self.derive("announce", &step.to_le_bytes(), &[]));
        Announced { key: secret.public(), proof: Knowledge::prove(&context, &secret, &mut rng) }
    }

    /// One of its own keys: of a ceremony, or [`PLAYER_KEY`].
    pub(super) fn key(&self, number: u32) -> Secret {
        let seed = Zeroizing::new(self.derive("key", &number.to_le_bytes(), &[]));
        Secret::random(&mut ChaCha20Rng::from_seed(*seed))
    }

    fn permutation(&self, deck: u32, len: u16, step: u32, rng: &mut ChaCha20Rng) -> Permutation {
        match &self.stacked {
            None => Permutation::sample(len, rng),
            // The whole order is made in the first step.
            Some(orders) => {
                let order = orders.get(&deck).filter(|_| step == 0).cloned().and_then(Permutation::new);
                order.filter(|order| order.len() == usize::from(len)).unwrap_or_else(|| Permutation::identity(len))
            }
        }
    }

    /// The nonce of a choice's commitment.
    fn choice_nonce(&self, height: u64, choice: &[u8]) -> [u8; 32] {
        self.derive("choice", &height.to_le_bytes(), choice)
    }

    /// The randomness of one message.
    fn rng(&self, place: Place, on: &[u8; 32]) -> ChaCha20Rng {
        let seed = Zeroizing::new(self.derive("message", &dealing::encode(&place), on));
        ChaCha20Rng::from_seed(*seed)
    }

    fn derive(&self, label: &str, what: &[u8], on: &[u8]) -> [u8; 32] {
        let mut hash = Sha256::new_with_prefix(b"fairdeal/node/v1");
        for part in [self.seed.as_slice(), &self.ledger.terms().session, label.as_bytes(), what, on] {
            hash.update(u32::try_from(part.len()).unwrap_or(u32::MAX).to_le_bytes());
            hash.update(part);
        }
        hash.finalize().into()
    }
}
