//! A validator's part in dealing: what it has to say, and the secrets it says it with.
//!
//! A [`Keeper`] looks at the state of the chain and says whatever is due from its seats, and nothing else: nobody can ask
//! it for a share. What it says follows from one random seed for every key generation and from the state, so a keeper
//! that is started again with its seeds says the same again, never something else in the same place.
//!
//! Seeds are random, so they must be stored before anything is said with them ([`Keeper::wants_seed`] tells when), and
//! never in a backup. When an epoch is closed, its secrets are erased.

use std::collections::BTreeMap;

#[cfg(feature = "laws")]
use dealers::joint::Message;
use dealers::joint::{Ledger, Node};
use dealing::{Secret, beacon};
use games::holdem::Deal;
use rand::SeedableRng;
use rand::rngs::ChaCha20Rng;
use table::Table;
use table::record::By;
use zeroize::Zeroizing;

use super::data::{Ceremony, Deck, Epoch};
use super::decks::member_number;
use super::epochs::beacon_context;
use super::keys::{BeaconKey, CeremonyKey, CourseKey, DeckOf, EpochOf, KeysOf};
use super::{Tx, execute};
use crate::execute::State;
use crate::store::Store;
use crate::tables;
use crate::tx::{Body, Signed};
use crate::units::{Address, Hash, hash};

/// A validator's seats in committees.
pub struct Keeper {
    me: Address,
    /// The seed of every key generation that has not been given up, by its session.
    seeds: BTreeMap<Hash, Zeroizing<[u8; 32]>>,
    /// The session whose keys an epoch has, and the shares of each of its own seats.
    epochs: BTreeMap<u64, Secrets>,
}

struct Secrets {
    session: Hash,
    shares: BTreeMap<u8, [Secret; 2]>,
}

impl core::fmt::Debug for Keeper {
    /// Shows whose it is, never what it knows.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Keeper({:?})", self.me)
    }
}

impl Keeper {
    /// The seats of the validator with this consensus key.
    pub const fn new(me: Address) -> Self {
        Self { me, seeds: BTreeMap::new(), epochs: BTreeMap::new() }
    }

    /// The key generation that needs a new seed, if one does. Nothing is said in it before it has one.
    pub fn wants_seed(&self, state: &State) -> Option<Hash> {
        let ceremony = state.store().get(&CeremonyKey())?;
        let session = ceremony.ledger.0.terms().session;
        (self.seats(&ceremony.members).next().is_some() && !self.seeds.contains_key(&session)).then_some(session)
    }

    /// A random seed for a key generation. It must be on the disk before.
    pub fn give_seed(&mut self, session: Hash, seed: [u8; 32]) {
        self.seeds.insert(session, Zeroizing::new(seed));
    }

    /// The key generations whose seeds must be kept; the others may be erased.
    pub fn sessions(&self) -> impl Iterator<Item = &Hash> {
        self.seeds.keys()
    }

    /// Everything that is due from its seats now. `pending` are transactions that will be in the next block, in order: a
    /// shuffle may build on one of them.
    pub fn duties(&mut self, state: &State, pending: &[Signed]) -> Vec<Tx> {
        let store = state.store();
        self.learn(store);
        self.forget(store);
        let mut duties = self.about_keys(store);
        duties.extend(self.about_beacon(store));
        for (key, deck) in store.all::<DeckOf>() {
            self.about_deck(state, key, deck, pending, &mut duties);
        }
        duties
    }

    /// Finds its shares of keys that have been generated.
    fn learn(&mut self, store: &Store) {
        for (KeysOf(epoch), ceremony) in store.all::<KeysOf>() {
            let session = ceremony.ledger.0.terms().session;
            if self.epochs.contains_key(&epoch) || !self.seeds.contains_key(&session) {
                continue;
            }
            let shares = self.seats(&ceremony.members).filter_map(|member| {
                let shares = self.keys_node(ceremony, member)?.epoch_shares()?;
                Some((member, shares))
            });
            let shares = shares.collect();
            self.epochs.insert(epoch, Secrets { session, shares });
        }
    }

    /// Erases the secrets of epochs that are closed, and of key generations that came to nothing.
    fn forget(&mut self, store: &Store) {
        let open = |epoch: &u64| store.get(&EpochOf(*epoch)).is_some_and(|epoch| !epoch.closed);
        self.epochs.retain(|epoch, _| open(epoch));
        let running = store.get(&CeremonyKey()).map(|ceremony| ceremony.ledger.0.terms().session);
        let used: Vec<Hash> = self.epochs.values().map(|epoch| epoch.session).chain(running).collect();
        self.seeds.retain(|session, _| used.contains(session));
    }

    fn about_keys(&self, store: &Store) -> Vec<Tx> {
        let Some(ceremony) = store.get(&CeremonyKey()) else { return Vec::new() };
        let attempt = store.get(&CourseKey()).map_or(0, |course| course.attempt);
        let missing = ceremony.ledger.0.missing_ahead();
        let due = |member: &u8| missing.iter().any(|(by, _)| *by == By::Member(*member));
        let mut said = Vec::new();
        for member in self.seats(&ceremony.members).filter(due) {
            let Some(mut node) = self.keys_node(ceremony, member) else { continue };
            node.advance_ahead();
            let messages = node.take_outbox().into_iter();
            said.extend(messages.map(|message| Tx::Keys {
                epoch: ceremony.epoch,
                attempt,
                member,
                message: dealing::encode(&message),
            }));
        }
        said
    }

    /// A message of a key generation, but wrong: a dealing with a wrong share, or a complaint about a right one.
    #[cfg(feature = "laws")]
    pub fn wrong_keys(&self, ceremony: &Ceremony, member: u8, message: &Message) -> Option<Message> {
        let node = self.keys_node(ceremony, member)?;
        node.wrong_dealing(message).or_else(|| node.false_complaint(message))
    }

    fn about_beacon(&self, store: &Store) -> Vec<Tx> {
        let next = || {
            let (beacon, course) = (store.get(&BeaconKey())?, store.get(&CourseKey())?);
            let current = course.current?;
            Some((beacon, course.next, current, store.get(&EpochOf(current))?))
        };
        let Some((beacon, next, number, epoch)) = next() else { return Vec::new() };
        let Some(secrets) = self.epochs.get(&number) else { return Vec::new() };
        let due = secrets.shares.iter().filter(|(member, _)| !beacon.contributions.contains_key(member));
        let say = |(member, [_, share]): (&u8, &[Secret; 2])| {
            let context = beacon_context(epoch, next).author((*member).into());
            let mut rng = self.rng(&secrets.session, *member, &[b"beacon", &next.to_le_bytes()])?;
            let contribution = dealing::encode(&beacon::contribute(&context, share, &mut rng));
            Some(Tx::Beacon { epoch: next, member: *member, contribution })
        };
        due.filter_map(say).collect()
    }

    fn about_deck(&self, state: &State, key: DeckOf, deck: &Deck, pending: &[Signed], said: &mut Vec<Tx>) {
        let DeckOf(table, number) = key;
        let store = state.store();
        let Some((secrets, epoch)) = self.epochs.get(&deck.epoch).zip(store.get(&EpochOf(deck.epoch))) else { return };
        let hand = tables::hand(store, table).filter(|(hand, _)| deck.in_hand && *hand == number);
        let hand = hand.map(|(_, deal)| deal);
        let mut ledger = deck.ledger.0.clone();
        match hand {
            Some(hand) => ledger.look(hand),
            None => build_on(&mut ledger, key, pending),
        }
        let mine = |by: By| member_number(by).filter(|member| secrets.shares.contains_key(member));
        // Shares of all its seats are due at once; a shuffle may follow another of its own.
        let missing = hand.map_or_else(Vec::new, |hand| ledger.missing(hand));
        let mut shares = missing.into_iter().filter_map(|(by, _)| mine(by));
        while let Some(member) = if hand.is_some() { shares.next() } else { ledger.shuffler(number).and_then(mine) } {
            let Some([share, _]) = secrets.shares.get(&member) else { return };
            let Some(mut node) = self.deck_node(state, key, deck, epoch, (member, share), &ledger) else { return };
            speak(&mut node, hand);
            let messages = node.take_outbox();
            if messages.is_empty() {
                return;
            }
            for message in messages {
                let encoded = dealing::encode(&message);
                ledger.receive_proven(hand, By::Member(member), message);
                said.push(Tx::Deck { table, deck: number, member, message: encoded });
            }
        }
    }

    fn deck_node(
        &self,
        state: &State,
        DeckOf(table, number): DeckOf,
        deck: &Deck,
        epoch: &Epoch,
        (member, share): (u8, &Secret),
        ledger: &Ledger,
    ) -> Option<Node> {
        let session = &self.epochs.get(&deck.epoch)?.session;
        let salt = deck.salt(&state.tip().chain, deck.epoch, table);
        let share = epoch.joint.0.secret_for_deck(number, &salt, share);
        let seed = self.seed(session, member, &[b"deck", &table.to_le_bytes(), &number.to_le_bytes()])?;
        Some(Node::of_deck(ledger.clone(), By::Member(member), *seed, share))
    }

    fn keys_node(&self, ceremony: &Ceremony, member: u8) -> Option<Node> {
        let ledger = ceremony.ledger.0.clone();
        let seed = self.seed(&ledger.terms().session, member, &[b"keys"])?;
        Some(Node::of_epoch(ledger, By::Member(member), *seed))
    }

    fn seats<'a>(&'a self, members: &'a [super::Member]) -> impl Iterator<Item = u8> + 'a {
        (0..).zip(members).filter(|(_, seat)| seat.validator == self.me).map(|(member, _)| member)
    }

    fn seed(&self, session: &Hash, member: u8, what: &[&[u8]]) -> Option<Zeroizing<[u8; 32]>> {
        let seed = self.seeds.get(session)?;
        let mut fields: Vec<&[u8]> = vec![seed.as_slice()];
        let member = [member];
        fields.push(&member);
        fields.extend(what);
        Some(Zeroizing::new(hash("fairdeal/chain/keeper/v1", &fields)))
    }

    fn rng(&self, session: &Hash, member: u8, what: &[&[u8]]) -> Option<ChaCha20Rng> {
        Some(ChaCha20Rng::from_seed(*self.seed(session, member, what)?))
    }
}

fn speak(node: &mut Node, hand: Option<&Table<Deal>>) {
    match hand {
        Some(hand) => node.speak(hand),
        None => node.advance_ahead(),
    }
}

/// Takes the shuffles of a deck that are pending. Each is checked: to build on a wrong one would be in vain.
fn build_on(ledger: &mut Ledger, DeckOf(table, number): DeckOf, pending: &[Signed]) {
    for signed in pending {
        let Body::Dealer(Tx::Deck { table: of, deck, member, message }) = &signed.tx.body else { continue };
        if (*of, *deck) == (table, number)
            && let Ok(message) = execute::decode(message)
        {
            ledger.receive_ahead(By::Member(*member), message);
        }
    }
}
