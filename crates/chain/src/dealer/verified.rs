//! Proofs of a block, checked together.
//!
//! Before a block is executed, the claims of its messages about decks are checked deck by deck in a few multiplications.
//! A message found correct needs no other check when it is executed. If one claim of a deck is false, none of that deck
//! is taken for granted, and each is checked alone at its place; so this changes how long a block takes, never what it
//! does.

use std::collections::{BTreeMap, BTreeSet};

use dealers::joint::{Claim, Ledger, Message, all_true};
use games::holdem::Deal;
use sha2::{Digest, Sha256};
use table::Table;
use table::record::By;

use super::decks::member_of;
use super::execute::decode;
use super::keys::DeckOf;
use super::{Tx, data};
use crate::store::Store;
use crate::tables;
use crate::tx::{Body, Signed};
use crate::units::Hash;

/// What is known about the transactions of a block before they are executed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Verified {
    /// Messages about decks, by member and the hash of their bytes: decoding takes as long as checking.
    messages: BTreeMap<(u8, Hash), Said>,
    /// Transactions with correct signatures.
    authentic: BTreeSet<Hash>,
}

/// A message that has been decoded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Said {
    pub(super) message: Message,
    /// Whether it is known to be correct wherever it is awaited.
    pub(super) proven: bool,
}

impl Verified {
    /// Checks all proofs in these transactions.
    pub fn check(store: &Store, transactions: &[Signed]) -> Self {
        Self::check_knowing(store, transactions, BTreeSet::new())
    }

    /// The same if the signatures of some transactions are known to be correct, by their names.
    pub(crate) fn check_knowing(store: &Store, transactions: &[Signed], authentic: BTreeSet<Hash>) -> Self {
        let mut verified = Self { messages: BTreeMap::new(), authentic };
        let mut decks: BTreeMap<(u64, u32), Batch<'_>> = BTreeMap::new();
        for signed in transactions {
            let Body::Dealer(Tx::Deck { table, deck, member, message: bytes }) = &signed.tx.body else { continue };
            let Some(state) = store.get(&DeckOf(*table, *deck)) else { continue };
            // What others say in a member's place is no reason to check that member's messages one by one.
            if member_of(store, state.epoch, *member) != Some(signed.tx.from) {
                continue;
            }
            let id = signed.id();
            if !verified.authentic.contains(&id) {
                if !signed.is_authentic() {
                    continue;
                }
                verified.authentic.insert(id);
            }
            let Ok(message) = decode(bytes) else { continue };
            let batch = decks.entry((*table, *deck)).or_insert_with(|| Batch::new(store, *table, *deck, state));
            let said = hash_of(bytes);
            batch.add(*member, &message, said);
            verified.messages.insert((*member, said), Said { message, proven: false });
        }
        for batch in decks.into_values() {
            if batch.claims.len() > 1 && all_true(&batch.claims) {
                for said in batch.messages {
                    verified.messages.entry(said).and_modify(|said| said.proven = true);
                }
            }
        }
        verified
    }

    /// The message of this member that has this hash, if it was in the block.
    pub(super) fn message(&self, member: u8, hash: &Hash) -> Option<&Said> {
        self.messages.get(&(member, *hash))
    }

    /// Whether the signature of this transaction is known to be correct.
    pub fn is_authentic(&self, transaction: &Hash) -> bool {
        self.authentic.contains(transaction)
    }
}

/// Identifies a message by its bytes.
pub(super) fn hash_of(message: &[u8]) -> Hash {
    Sha256::digest(message).into()
}

/// The messages about one deck.
struct Batch<'a> {
    ledger: Ledger,
    hand: Option<&'a Table<Deal>>,
    claims: Vec<Claim>,
    messages: Vec<(u8, Hash)>,
}

impl<'a> Batch<'a> {
    fn new(store: &'a Store, table: u64, number: u32, deck: &data::Deck) -> Self {
        let hand = tables::hand(store, table).filter(|(hand, _)| deck.in_hand && *hand == number);
        let hand = hand.map(|(_, deal)| deal);
        let mut ledger = deck.ledger.0.clone();
        if let Some(hand) = hand {
            ledger.look(hand);
        }
        Self { ledger, hand, claims: Vec::new(), messages: Vec::new() }
    }

    /// Takes a message as if it were correct: a shuffle builds on the one before. Shares do not build on each other, and
    /// once there are enough, no more are looked at.
    fn add(&mut self, member: u8, message: &Message, said: Hash) {
        let by = By::Member(member);
        let given = || self.messages.len() >= usize::from(self.ledger.terms().threshold().unwrap_or(u8::MAX));
        if self.hand.is_some() && (given() || self.messages.iter().any(|(other, _)| *other == member)) {
            return;
        }
        let Some(claim) = self.ledger.claim(self.hand, by, message) else { return };
        self.claims.push(claim);
        self.messages.push((member, said));
        if self.hand.is_none() {
            self.ledger.receive_proven(self.hand, by, message.clone());
        }
    }
}
