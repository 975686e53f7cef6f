//! Entries of the state, proven.

use core::time::Duration;

use chain::bank::AccountOf;
use chain::dealer::{AheadOf, DeckOf};
use chain::execute::TipKey;
use chain::params::ParamsKey;
use chain::store::{Key as _, Proof, Store};
use chain::tables::{Hand, HandOf, RingOf};
use chain::{Address, Tip, hex, unhex};
use serde_json::{Value, json};

use crate::{Error, Lie, Net, Remote, in_turn};

/// The most entries that a node proves at once.
const AT_ONCE: usize = 64;
/// How long a node that is behind is given before it is asked again.
const AGAIN: Duration = Duration::from_millis(200);
/// How often a table is looked at again because the next hand has begun meanwhile.
const MOST_LOOKS: usize = 5;

/// A part of the state, proven.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The entries that were asked for; those that are missing are proven to be absent.
    pub store: Store,
    /// The state is the one after this block.
    pub height: u64,
}

impl Seen {
    /// Where the chain is.
    pub fn tip(&self) -> Option<&Tip> {
        self.store.get(&TipKey())
    }
}

impl<N: Net> Remote<N> {
    /// These entries of the latest state, at most 62; where the chain is, and its parameters, come with them.
    pub async fn see(&mut self, keys: &[Vec<u8>]) -> Result<Seen, Error> {
        let mut all = vec![TipKey().bytes(), ParamsKey().bytes()];
        all.extend(keys.iter().filter(|key| **key != TipKey().bytes() && **key != ParamsKey().bytes()).cloned());
        all.truncate(AT_ONCE);
        in_turn!(self, self.see_once(&all))
    }

    /// A table: who sits there, the hand with its deck, and the accounts of these players.
    pub async fn table(&mut self, table: u64, players: &[Address]) -> Result<Seen, Error> {
        let mut looks = 0;
        loop {
            let deck = self.decks.get(&table).copied();
            let mut keys = vec![RingOf(table).bytes(), HandOf(table).bytes(), AheadOf(table).bytes()];
            keys.extend(deck.map(|deck| DeckOf(table, deck).bytes()));
            keys.extend(players.iter().map(|player| AccountOf(*player).bytes()));
            let seen = self.see(&keys).await?;
            let number = seen.store.get(&HandOf(table)).map(Hand::number);
            looks += 1;
            if number.is_none() || number == deck || looks >= MOST_LOOKS {
                return Ok(seen);
            }
            self.decks.extend(number.map(|number| (table, number)));
        }
    }

    async fn see_once(&mut self, keys: &[Vec<u8>]) -> Result<Seen, Error> {
        let until = self.until();
        loop {
            let names: Vec<String> = keys.iter().map(|key| hex(key)).collect();
            let answer = self.ask("entries", json!({ "keys": names })).await?;
            let height = answer.get("height").and_then(Value::as_u64).ok_or_else(|| self.nonsense("a height"))?;
            let least = self.floor.max(self.anchor.light.height().saturating_sub(1));
            if height < least {
                // Another node may be a little further than this one.
                if self.net.now() >= until {
                    return Err(self.old(height, least));
                }
                self.news_once(AGAIN).await?;
                continue;
            }
            let entries = answer
                .get("entries")
                .and_then(Value::as_array)
                .map(|list| list.iter().map(entry).collect::<Option<Vec<_>>>());
            let entries = entries.flatten().ok_or_else(|| self.nonsense("entries with proofs"))?;
            if !entries.iter().map(|(key, ..)| key).eq(keys) {
                return Err(self.lie(Lie::Entries));
            }
            let root = self.root_of(height).await?;
            let store = Store::proven(&root, entries).map_err(|_| self.lie(Lie::Entry))?;
            let tip = store.get(&TipKey()).ok_or_else(|| self.lie(Lie::Entry))?;
            if tip.height != height {
                return Err(self.lie(Lie::Entry));
            }
            if let Some(params) = store.get(&ParamsKey()) {
                self.anchor.trusted = params.staking.unbonding;
            }
            return Ok(Seen { store, height });
        }
    }
}

fn entry(entry: &Value) -> Option<(Vec<u8>, Option<Vec<u8>>, Proof)> {
    let key = unhex(entry.get("key").and_then(Value::as_str)?)?;
    let value = match entry.get("value") {
        None | Some(Value::Null) => None,
        Some(value) => Some(unhex(value.as_str()?)?),
    };
    let proof = borsh::from_slice(&unhex(entry.get("proof").and_then(Value::as_str)?)?).ok()?;
    Some((key, value, proof))
}
