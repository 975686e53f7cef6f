//! Keys that outlive a deal: a committee generates one key for an epoch, and deals every deck with a key of its own that
//! follows from it.
//!
//! **Flow.**
//! 1. A [`Ledger`] without players generates the keys ([`Ledger::of_epoch`]) and has a [`Joint`] in the end.
//! 2. [`Joint::for_deck`] gives the keys of one deck, without any message. The salt is something that nobody could know
//!    long before.
//! 3. A [`Ledger::of_deck`] takes the shuffles of that deck, in a given order. One who does not shuffle in time is
//!    skipped ([`Ledger::skip`]), and its shares still count.
//! 4. When a table orders the deck, the keys of its players are fixed ([`Ledger::seat`]). From there on everything is as
//!    with keys for one deal: [`Ledger::receive`], [`Ledger::filled`].
//!
//! A [`Node`] of a member is made of a copy of the ledger and the member's secrets of the epoch ([`Node::of_epoch`] to
//! generate them, [`Node::of_deck`] to deal); one of a player, of a copy and the key that cards are sealed to
//! ([`Node::of_player`]).

use std::collections::BTreeSet;

use cards::{Card, Pack};
use dealing::{Context, Element, HandKey, Malformed, Reader, Secret, Wire, write_counted};
use sha2::{Digest, Sha256};
use table::record::By;
use table::{Map, Rules, Seat, Seats, Slot, Table};

use super::fault::BadTerms;
use super::keys::{Joint, Keys, PublicShares};
use super::ledger::Ledger;
use super::message::WireBy;
use super::node::Node;
use super::terms::{Keepers, MOST_MEMBERS, Terms};

impl Joint {
    /// The key that decks are encrypted to.
    pub const fn key(&self) -> &Element {
        &self.key
    }

    /// A hash that identifies these keys; bound into every proof that uses them.
    pub const fn ground(&self) -> &[u8; 32] {
        &self.ground
    }

    /// A member's number for interpolation and its public share of the key.
    pub fn share(&self, by: By) -> Option<(u16, &Element)> {
        self.shares.get(&by).map(|(number, share)| (*number, share))
    }

    /// The same for the key of the beacon.
    pub fn beacon_share(&self, by: By) -> Option<(u16, &Element)> {
        self.beacon.get(&by).map(|(number, share)| (*number, share))
    }

    /// The members who have a share.
    pub fn members(&self) -> impl Iterator<Item = By> {
        self.shares.keys().copied()
    }

    /// The keys of one deck.
    pub fn for_deck(&self, deck: u32, salt: &[u8]) -> Self {
        let factor = self.factor(deck, salt);
        let hash = Sha256::new_with_prefix(b"fairdeal/deck-keys/v1").chain_update(self.ground);
        let hash = hash.chain_update(deck.to_le_bytes()).chain_update(salt);
        Self {
            key: factor.public(&self.key),
            shares: self.shares.iter().map(|(by, (number, share))| (*by, (*number, factor.public(share)))).collect(),
            beacon: Map::new(),
            dealers: self.dealers.clone(),
            ground: hash.finalize().into(),
        }
    }

    /// A member's secret share of the keys of one deck, from its share of the epoch's.
    pub fn secret_for_deck(&self, deck: u32, salt: &[u8], share: &Secret) -> Secret {
        self.factor(deck, salt).secret(share)
    }

    fn factor(&self, deck: u32, salt: &[u8]) -> HandKey {
        HandKey::new(&Context::new(self.ground).height(deck.into()), salt)
    }
}

impl Ledger {
    /// A key generation among so many members, of whom `threshold` are enough.
    pub fn of_epoch(session: [u8; 32], members: u8, threshold: u8) -> Result<Self, BadTerms> {
        let terms = committee(session, members, threshold);
        terms.keepers.check(1)?;
        Ok(Self::new(terms))
    }

    /// The keys, once they have been generated.
    pub const fn joint(&self) -> Option<&Joint> {
        self.keys.joint()
    }

    /// A fresh deck, to be dealt with these keys and shuffled in this order. Of all members of the epoch, `threshold` are
    /// enough.
    pub fn of_deck(joint: Joint, members: u8, threshold: u8, deck: u32, pack: Pack, order: Vec<By>) -> Self {
        let mut ledger = Self::new(committee(joint.ground, members, threshold));
        ledger.keys = Keys::given(joint);
        ledger.decks.prepare(deck, pack, Some(order));
        ledger
    }

    /// Whose turn it is to shuffle this deck.
    pub fn shuffler(&self, deck: u32) -> Option<By> {
        self.decks.get(deck)?.turn(&self.left_out)
    }

    /// The one whose turn it is to shuffle this deck loses it. Its shares still count.
    pub fn skip(&mut self, deck: u32) -> Option<By> {
        self.decks.get_mut(deck)?.skip(&self.left_out)
    }

    /// How many have shuffled this deck.
    pub fn steps(&self, deck: u32) -> u32 {
        self.decks.get(deck).map_or(0, super::decks::Shuffling::steps)
    }

    /// Whether everybody has shuffled this deck or lost their turn, and enough have that one of them is honest.
    pub fn is_ready(&self, deck: u32) -> bool {
        self.is_shuffled(deck) && self.decks.get(deck).is_some_and(|deck| deck.is_safe(&self.terms))
    }

    /// The cards of this deck as they lie now.
    pub fn cards(&self, deck: u32) -> Option<&dealing::Deck> {
        match &self.decks.get(deck)?.cards {
            super::decks::Lying::One(_) => None,
            super::decks::Lying::Many(deck) => Some(deck),
        }
    }

    /// What the next shuffle of this deck builds on.
    pub fn shuffle_ground(&self, deck: u32) -> Option<[u8; 32]> {
        Some(self.decks.get(deck)?.ground(&self.keys.joint()?.ground, deck))
    }

    /// These players are dealt cards with this deck: their keys are fixed.
    pub fn seat(&mut self, players: &[(Seat, Element)]) {
        let Some(joint) = self.keys.joint() else { return };
        let mut hash = Sha256::new_with_prefix(b"fairdeal/seated/v1").chain_update(joint.ground);
        for (seat, key) in players {
            hash.update([seat.index()]);
            hash.update(key.bytes());
        }
        let ground = hash.finalize().into();
        self.terms.players = players.iter().map(|(seat, _)| *seat).collect::<Seats>();
        self.keys.seat(players.iter().copied().collect(), ground);
    }

    /// Looks at what the table orders now. Messages do so by themselves.
    pub fn look<R: Rules>(&mut self, table: &Table<R>) {
        self.advance(table);
    }

    /// The members who have given nothing of what the table ordered last.
    pub fn silent(&self) -> Vec<By> {
        let Some((_, docket)) = &self.docket else { return Vec::new() };
        let silent = |by: &By| !docket.shared.contains(by) && !docket.sealed.contains(by);
        self.members().into_iter().filter(silent).collect()
    }

    /// Whether any share of a card of this ledger is public or sealed: then its cards must never be used again.
    pub fn has_shares(&self) -> bool {
        !self.given.shares.is_empty() || !self.given.sealed.is_empty()
    }
}

impl Node {
    /// A member that generates the keys of an epoch. Everything it says follows from the seed, which is secret.
    pub fn of_epoch(ledger: Ledger, me: By, seed: [u8; 32]) -> Self {
        Self::with_ledger(ledger, me, seed)
    }

    /// Its shares of the epoch's keys, for dealing and for the beacon, once they have been generated.
    pub fn epoch_shares(&mut self) -> Option<[Secret; 2]> {
        self.learn_own_shares();
        Some([self.shares.get(&0)?.clone(), self.shares.get(&1)?.clone()])
    }

    /// A member that deals with a deck, with its share of the deck's key ([`Joint::secret_for_deck`]).
    pub fn of_deck(ledger: Ledger, me: By, seed: [u8; 32], share: Secret) -> Self {
        let mut node = Self::with_ledger(ledger, me, seed);
        node.shares.insert(0, share);
        node
    }

    /// A player who is dealt cards, with the key they are sealed to.
    pub fn of_player(ledger: Ledger, seat: Seat, key: Secret) -> Self {
        let mut node = Self::with_ledger(ledger, By::Seat(seat), [0; 32]);
        node.player_key = Some(key);
        node
    }

    /// The face of a card that was dealt to this player, once enough shares of it are there.
    pub fn card(&self, slot: Slot) -> Option<Card> {
        self.own_face(slot)
    }
}

const fn committee(session: [u8; 32], members: u8, threshold: u8) -> Terms {
    Terms { session, players: Seats::NONE, keepers: Keepers::Committee { members, threshold } }
}

impl Wire for Joint {
    fn write(&self, out: &mut Vec<u8>) {
        self.key.write(out);
        self.ground.write(out);
        for shares in [&self.shares, &self.beacon] {
            let list: Vec<Numbered> =
                shares.iter().map(|(by, (number, share))| Numbered(WireBy(*by), *number, *share)).collect();
            write_counted(&list, out);
        }
        write_counted(&self.dealers.iter().copied().map(WireBy).collect::<Vec<_>>(), out);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        let (key, ground) = (Element::read(from)?, from.array()?);
        let mut shares = || -> Result<PublicShares, Malformed> {
            let list = from.counted::<Numbered>(0, MOST_MEMBERS.into())?;
            Ok(list.into_iter().map(|Numbered(by, number, share)| (by.0, (number, share))).collect())
        };
        let (shares, beacon) = (shares()?, shares()?);
        let dealers: BTreeSet<By> =
            from.counted::<WireBy>(0, MOST_MEMBERS.into())?.into_iter().map(|by| by.0).collect();
        Ok(Self { key, shares, beacon, dealers, ground })
    }
}

struct Numbered(WireBy, u16, Element);

impl Wire for Numbered {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
        self.1.write(out);
        self.2.write(out);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Malformed> {
        Ok(Self(WireBy::read(from)?, u16::read(from)?, Element::read(from)?))
    }
}
