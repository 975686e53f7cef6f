//! Proofs of a block, checked together.
//!
//! Before a block is executed, the claims of its messages about decks are checked deck by deck in a few multiplications.
//! A message found correct needs no other check when it is executed. If one claim of a deck is false, none of that deck
//! is taken for granted, and each is checked alone at its place; so this changes how long a block takes, never what it
//! does.

use std::collections::{BTreeMap, BTreeSet};

use dealers::joint::{Claim, Ledger, all_true};
use games::holdem::Deal;
use table::Table;
use table::record::By;

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
    /// Messages whose proofs are correct, by member and hash.
    proven: BTreeSet<(u8, Hash)>,
    /// Transactions with correct signatures.
    authentic: BTreeSet<Hash>,
}

impl Verified {
    /// Checks all proofs in these transactions.
    pub fn check(store: &Store, transactions: &[Signed]) -> Self {
        let mut verified = Self::default();
        let mut decks: BTreeMap<(u64, u32), Batch<'_>> = BTreeMap::new();
        for signed in transactions {
            let Body::Dealer(Tx::Deck { table, deck, member, message }) = &signed.tx.body else { continue };
            if !signed.is_authentic() {
                continue;
            }
            verified.authentic.insert(signed.id());
            let Some(state) = store.get(&DeckOf(*table, *deck)) else { continue };
            let batch = decks.entry((*table, *deck)).or_insert_with(|| Batch::new(store, *table, *deck, state));
            if let Ok(message) = decode(message) {
                batch.add(*member, message);
            }
        }
        for batch in decks.into_values() {
            if batch.claims.len() > 1 && all_true(&batch.claims) {
                verified.proven.extend(batch.messages);
            }
        }
        verified
    }

    /// Whether this message of this member is known to be correct wherever it is awaited.
    pub(super) fn is_proven(&self, member: u8, message: &Hash) -> bool {
        self.proven.contains(&(member, *message))
    }

    /// Whether the signature of this transaction is known to be correct.
    pub fn is_authentic(&self, transaction: &Hash) -> bool {
        self.authentic.contains(transaction)
    }
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

    /// Takes a message as if it were correct: the next one may build on it.
    fn add(&mut self, member: u8, message: dealers::joint::Message) {
        let by = By::Member(member);
        let Some(claim) = self.ledger.claim(self.hand, by, &message) else { return };
        self.claims.push(claim);
        self.messages.push((member, message.hash()));
        self.ledger.receive_proven(self.hand, by, message);
    }
}
