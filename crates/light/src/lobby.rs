//! The tables of a chain.

use chain::Address;
use chain::store::{Key as _, Store};
use chain::tables::{self, Hand, HandOf, Phase, RingOf, Tables, Terms, Turn};

use crate::{Error, Net, Remote};

/// How many tables are looked at with one question: each has two entries.
const AT_ONCE: u64 = 30;

/// A table in the lobby. All of it is proven.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// Its number.
    pub table: u64,
    /// What it was created with: label, blinds, buy-ins, bond, time to act.
    pub terms: Terms,
    /// Who sits there.
    pub players: Vec<Address>,
    /// How many of them are ready for the next hand, or in this one.
    pub ready: usize,
    /// What happens there.
    pub stage: Stage,
    /// Whose turn it is, and until when.
    pub turn: Option<Turn>,
    /// Who sits there without being dealt in.
    pub out: Vec<Address>,
}

/// What happens at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// There are fewer than two players.
    Waiting,
    /// The next hand is about to begin.
    Between,
    /// A hand is being played.
    Playing {
        /// Its number.
        hand: u32,
        /// Where it is.
        phase: Phase,
    },
}

impl<N: Net> Remote<N> {
    /// Tables by their numbers: from this one on, at most so many. Numbers of tables that were closed are left out. If
    /// there are many, tables at the end may be seen some blocks later than those at the beginning.
    pub async fn lobby(&mut self, from: u64, most: u64) -> Result<Vec<Listed>, Error> {
        let created = self.see(&[Tables().bytes()]).await?.store.get(&Tables()).copied().unwrap_or_default();
        let last = created.min(from.saturating_add(most).saturating_sub(1));
        let mut list = Vec::new();
        let mut next = from.max(1);
        while next <= last {
            let end = last.min(next.saturating_add(AT_ONCE - 1));
            let keys: Vec<Vec<u8>> =
                (next..=end).flat_map(|table| [RingOf(table).bytes(), HandOf(table).bytes()]).collect();
            let seen = self.see(&keys).await?;
            list.extend((next..=end).filter_map(|table| Listed::new(&seen.store, table)));
            next = end.saturating_add(1);
        }
        Ok(list)
    }
}

impl Listed {
    /// A table as it is; `None` if there is none with this number.
    pub fn new(store: &Store, table: u64) -> Option<Self> {
        let (ring, hand) = (store.get(&RingOf(table))?, store.get(&HandOf(table)));
        let ready = hand.map_or_else(|| ring.ready(), Hand::seats).iter().count();
        let stage = match hand {
            Some(hand) => Stage::Playing { hand: hand.number(), phase: Phase::of(hand) },
            None if ready < 2 => Stage::Waiting,
            None => Stage::Between,
        };
        let players = ring.players().map(|(_, player)| player.address).collect();
        let out = ring.players().filter(|(_, player)| player.out.is_some()).map(|(_, player)| player.address).collect();
        Some(Self { table, terms: ring.terms.clone(), players, ready, stage, turn: tables::turn(store, table), out })
    }
}
