//! One participant: a ledger, and the secrets of its owner.
//!
//! Everything secret follows from one seed, and each message follows from the seed, its place and what it builds on. So a
//! node that is restarted with its seed and the log says the same again. If what it builds on has changed, because
//! somebody was left out, it says it again on the new ground, with other random numbers: no nonce is used twice.
//!
//! A node's own messages count like all others, when they come back from the log.

#[cfg(feature = "laws")]
mod cheating;
mod secrets;
mod speaking;

use std::collections::{BTreeMap, BTreeSet};

use cards::Pack;
use dealing::Secret;
use table::record::By;
use table::{Awaiting, Faces, Map, Rules, Seat, Slot, Table};
use zeroize::Zeroizing;

use super::choices::closing;
use super::fault::Verdict;
use super::ledger::Ledger;
use super::message::{Body, LONGEST_CHOICE, Message, Place};
use super::terms::Terms;
use crate::DealerError;

pub use secrets::Seeds;

/// A member, a player, or both.
///
/// One node has one set of keys. It may outlive a deal, and is dropped when its last deck is no longer dealt from, which
/// erases its secrets. The next keys are another node with another seed.
pub struct Node {
    ledger: Ledger,
    me: By,
    seed: Zeroizing<[u8; 32]>,
    /// Its own shares of the joint keys, once known.
    pub(super) shares: Map<u8, Secret>,
    own: Faces,
    /// The choice asked for at a height, until it is revealed.
    choice: Option<(u64, Zeroizing<Vec<u8>>)>,
    outbox: Vec<Message>,
    /// The hash of what it has said in a place on a ground.
    said: Map<(Place, [u8; 32]), [u8; 32]>,
    /// The last commitment to a choice: its height and hash.
    closed: Option<(u64, [u8; 32])>,
    /// The key that this player's cards are sealed to, if it does not follow from the seed.
    pub(super) player_key: Option<Secret>,
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
    /// A participant at the beginning of a session. The seed is secret and must be different for all keys ([`Seeds`]).
    pub fn new(terms: Terms, me: By, seed: [u8; 32]) -> Self {
        Self::with_ledger(Ledger::new(terms), me, seed)
    }

    pub(super) fn with_ledger(ledger: Ledger, me: By, seed: [u8; 32]) -> Self {
        Self {
            ledger,
            me,
            seed: Zeroizing::new(seed),
            shares: Map::new(),
            own: Faces::new(),
            choice: None,
            outbox: Vec::new(),
            said: Map::new(),
            closed: None,
            player_key: None,
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

    /// The messages for the log, since the last call.
    pub fn take_outbox(&mut self) -> Vec<Message> {
        core::mem::take(&mut self.outbox)
    }

    /// Permutes decks as given, and leaves other decks unshuffled. For tests that need known cards.
    pub fn stack(&mut self, orders: BTreeMap<u32, Vec<u16>>) {
        self.stacked = Some(orders);
    }

    /// Makes keys and shuffles this fresh pack before any table orders it ([`Ledger::prepare`]).
    pub fn prepare(&mut self, deck: u32, pack: Pack) {
        self.ledger.prepare(deck, pack);
        self.advance_ahead();
    }

    /// Says what can be said by now about keys and prepared decks. For keys that no table uses yet.
    pub fn advance_ahead(&mut self) {
        self.ledger.advance_ahead();
        while let Some(message) = self.next_ahead() {
            self.say(message);
        }
    }

    /// The next message in the log, for keys that no table uses yet.
    pub fn receive_ahead(&mut self, by: By, message: Message) -> Verdict {
        let (said, trusted) = self.recognise(by, &message);
        let verdict = self.ledger.take_ahead(by, message, trusted);
        self.remember_if_valid(said, &verdict);
        self.advance_ahead();
        verdict
    }

    /// This one is late, for keys that no table uses yet; `false` if nobody waits for it. All replicas must be told at
    /// the same point of the log.
    pub fn late_ahead(&mut self, by: By) -> bool {
        let awaited = self.ledger.missing_ahead().iter().any(|(missing, _)| *missing == by);
        if awaited {
            self.ledger.leave_out_ahead(by);
            self.advance_ahead();
        }
        awaited
    }

    /// The next message in the log, from somebody else or from this node.
    pub fn receive<R: Rules>(&mut self, table: &Table<R>, by: By, message: Message) -> Verdict {
        let (said, trusted) = self.recognise(by, &message);
        let verdict = self.ledger.take(table, by, message, trusted);
        self.remember_if_valid(said, &verdict);
        verdict
    }

    /// Says everything that the table orders from this node and that can be said by now; `true` once all orders
    /// are filled.
    pub fn fill<R: Rules>(&mut self, table: &Table<R>) -> Result<bool, DealerError> {
        self.speak(table);
        let filled = self.ledger.filled(table)?;
        if filled {
            self.look_at_own_cards(table);
        }
        Ok(filled)
    }

    /// Says everything that can be said by now: about keys, decks, cards and its own choice.
    pub fn speak<R: Rules>(&mut self, table: &Table<R>) {
        self.ledger.advance(table);
        while let Some(message) = self.next(table) {
            self.say(message);
        }
    }

    /// Lays these cards face up; `false` if they are not this player's.
    pub fn show<R: Rules>(&mut self, table: &Table<R>, slots: &[Slot]) -> bool {
        let known = |slot: &Slot| table.open().get(*slot).is_some() || self.ledger.opened().get(*slot).is_some();
        let slots: BTreeSet<Slot> = slots.iter().copied().filter(|slot| !known(slot)).collect();
        if slots.is_empty() {
            return true;
        }
        let mine = |slot: &Slot| self.seat().is_some() && self.ledger.owners.get(slot).copied() == self.seat();
        if !slots.iter().all(mine) {
            return false;
        }
        let Some(message) = self.showing(table, slots.into_iter().collect()) else { return false };
        if self.unsaid(message.place, &message.on).is_some() {
            self.say(message);
        }
        true
    }

    /// Chooses in secret, in the form used in records. Sent at once, or first committed to, and then revealed when
    /// everybody has committed. `false` if this cannot be chosen: a node that committed to something before a restart
    /// cannot reveal anything else.
    pub fn choose<R: Rules>(&mut self, table: &Table<R>, choice: Vec<u8>) -> bool {
        if choice.is_empty() || choice.len() > LONGEST_CHOICE {
            return false;
        }
        self.ledger.advance(table);
        let round = self.ledger.choosing.round();
        if let (Some(seat), Some((at, hash))) = (self.seat(), self.closed)
            && at == round
            && closing(self.ledger.terms(), round, seat, &choice, &self.choice_nonce(round, &choice)) != hash
        {
            return false;
        }
        self.choice = Some((round, Zeroizing::new(choice)));
        self.speak(table);
        true
    }

    /// Whether this player has answered the table's question for a choice.
    pub fn has_chosen<R: Rules>(&self, table: &Table<R>) -> bool {
        let round = self.ledger.choosing.round();
        matches!(table.awaiting(), Awaiting::Choices(_)) && self.choice.as_ref().is_some_and(|(at, _)| *at == round)
    }

    /// This node said this before a restart, and it is not in the log yet. It is sent again, and nothing else is said
    /// in its place.
    pub fn remember(&mut self, message: Message) {
        if self.unsaid(message.place, &message.on).is_some() {
            self.say(message);
        }
    }

    /// A deal is over: decks before this one are no longer in play, nor is anything said before this height.
    pub(super) fn forget_before(&mut self, deck: u32, height: u64) {
        self.ledger.forget_before(deck);
        self.said.retain(|(place, _), _| match place {
            Place::Beacon(of) | Place::Shuffle(of) => *of >= deck,
            _ => place.height().is_none_or(|at| at >= height),
        });
    }

    pub(super) fn seat(&self) -> Option<Seat> {
        self.ledger.terms().is_player(self.me)
    }

    fn say(&mut self, message: Message) {
        self.note(&message);
        self.outbox.push(message);
    }

    fn note(&mut self, message: &Message) {
        self.said.insert((message.place, message.on), message.hash());
        if let (Place::Commit(round), Body::Commit(hash)) = (message.place, &message.body) {
            self.closed = Some((round, *hash));
        }
    }

    /// Only what this node itself has said needs no check, not everything that comes under its name.
    fn recognise(&self, by: By, message: &Message) -> (Option<Message>, bool) {
        if by != self.me {
            return (None, false);
        }
        let trusted = self.said.get(&(message.place, message.on)) == Some(&message.hash());
        (Some(message.clone()).filter(|_| !trusted), trusted)
    }

    /// What was said under its name, by another program of the same player, binds it, too.
    fn remember_if_valid(&mut self, said: Option<Message>, verdict: &Verdict) {
        if let Some(message) = said.filter(|_| *verdict == Verdict::Valid) {
            self.note(&message);
        }
    }

    /// The place, if nothing has been said there yet on this ground.
    fn unsaid(&self, place: Place, on: &[u8; 32]) -> Option<Place> {
        Some(place).filter(|place| !self.said.contains_key(&(*place, *on)))
    }
}
