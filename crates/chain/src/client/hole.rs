//! The key that a player's cards are sealed to, and the cards.

use cards::Card;
use dealers::joint::Node;
use dealing::{Knowledge, Secret};
use rand::CryptoRng;
use table::Seat;

use crate::dealer::DeckOf;
use crate::store::Store;
use crate::tables::{self, HandOf, key_context, player_secret};
use crate::units::{Address, Coins, Hash};

/// The secret of the key that a player sits down with at a table. Make a new one for every table.
pub struct Hole {
    chain: Hash,
    table: u64,
    secret: Secret,
}

impl core::fmt::Debug for Hole {
    /// Shows where it is used, never the secret.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Hole(table {})", self.table)
    }
}

impl Hole {
    /// The secret for a table of this chain.
    pub const fn new(chain: Hash, table: u64, secret: Secret) -> Self {
        Self { chain, table, secret }
    }

    /// Sits down with this key.
    pub fn sit(&self, address: &Address, seat: Option<u8>, buy_in: Coins, rng: &mut impl CryptoRng) -> tables::Tx {
        let context = key_context(&self.chain, self.table, address);
        let proof = dealing::encode(&Knowledge::prove(&context, &self.secret, rng));
        let proof = proof.try_into().expect("a proof of knowledge has 64 bytes");
        tables::Tx::Sit { table: self.table, seat, buy_in, key: *self.secret.public().bytes(), proof }
    }

    /// The player's cards in the hand that is being played, once enough shares of both are there.
    pub fn cards(&self, store: &Store, seat: Seat) -> Option<[Card; 2]> {
        let hand = store.get(&HandOf(self.table))?;
        let deck = store.get(&DeckOf(self.table, hand.number()))?;
        let key = player_secret(&self.chain, self.table, hand.number(), &self.secret);
        let dealt = hand.begun().player(seat)?;
        // Cards sealed to another key are not ours: the seat was taken with another secret.
        if dealt.key != *key.public().bytes() {
            return None;
        }
        let node = Node::of_player(deck.ledger.0.clone(), seat, key);
        let mut slots = hand.table().rules().hole(seat).slots();
        Some([node.card(slots.next()?)?, node.card(slots.next()?)?])
    }
}
