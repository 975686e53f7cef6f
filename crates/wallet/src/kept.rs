//! Keys, and what is trusted: what a page keeps for the module.
//!
//! - kept: which chain every node belonged to when it was met, and of each of these chains a block that is trusted. JSON.
//! - secret: the key of the wallet, 32 bytes.
//! - log: the keys for cards, one entry per seat that was taken. Nothing is ever taken out: two pages of one browser that
//!   take seats at the same time cannot lose each other's keys, and a key without a seat opens nothing.

use std::collections::BTreeMap;

use chain::client::{Hole, Wallet};
use chain::{Address, Hash, hex, unhex};
use dealing::Secret;
use light::{Anchor, Place};
use rand::SeedableRng as _;
use rand::rngs::ChaCha20Rng;
use serde::{Deserialize, Serialize};
use serde_json::json;
use zeroize::{Zeroize, Zeroizing};

use crate::call::Effect;
use crate::world::World;

/// What a page keeps.
pub(crate) struct Kept {
    trusted: Trusted,
    secret: Zeroizing<[u8; 32]>,
    seats: Vec<SeatKey>,
}

/// What is trusted.
#[derive(Serialize, Deserialize, Default)]
struct Trusted {
    /// The chain of each node.
    nodes: BTreeMap<String, String>,
    /// A block of each chain.
    anchors: BTreeMap<String, String>,
}

/// The key that cards are sealed to, at one table.
#[derive(Serialize, Deserialize)]
struct SeatKey {
    chain: String,
    table: u64,
    /// What the key is made of.
    seed: Zeroizing<String>,
}

/// How somebody begins.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish {
    /// The key of a wallet from elsewhere.
    key: Option<Zeroizing<String>>,
}

impl Kept {
    /// A new wallet, or one from elsewhere; with what has to be stored.
    pub(crate) fn new(wish: &str, random: [u8; 32]) -> Result<(Self, Vec<Effect>), String> {
        let wish: Wish = serde_json::from_str(wish).map_err(|why| format!("nobody begins like this: {why}"))?;
        let secret = match &wish.key {
            Some(key) => read_key(key)?,
            // Not the bytes themselves: they are used for other things as well.
            None => Zeroizing::new({
                let mut rng = ChaCha20Rng::from_seed(random);
                let mut secret = [0; 32];
                rand::Rng::fill_bytes(&mut rng, &mut secret);
                secret
            }),
        };
        let kept = Self { trusted: Trusted::default(), secret, seats: Vec::new() };
        let effects = vec![Effect::Secret(kept.secret.to_vec()), kept.keep()];
        Ok((kept, effects))
    }

    /// What was stored before.
    pub(crate) fn resume(kept: &str, secret: &[u8], entries: &[&[u8]]) -> Result<Self, String> {
        let trusted = serde_json::from_str(kept).map_err(|why| format!("what was kept is damaged: {why}"))?;
        let secret = <[u8; 32]>::try_from(secret).map_err(|_| "the key of the wallet is damaged")?;
        let seat = |entry: &&[u8]| serde_json::from_slice(entry).map_err(|why| format!("a key is damaged: {why}"));
        let seats = entries.iter().map(seat).collect::<Result<_, _>>()?;
        Ok(Self { trusted, secret: Zeroizing::new(secret), seats })
    }

    pub(crate) fn keep(&self) -> Effect {
        Effect::Keep(serde_json::to_string(&self.trusted).unwrap_or_default())
    }

    pub(crate) fn secret(&self) -> &[u8; 32] {
        &self.secret
    }

    pub(crate) fn wallet(&self) -> Wallet {
        Wallet::new(&self.secret)
    }

    pub(crate) fn address(&self) -> Address {
        self.wallet().address()
    }

    /// The chain that a node belonged to.
    pub(crate) fn chain_of(&self, node: &Place) -> Option<Hash> {
        read_hash(self.trusted.nodes.get(&node.to_string())?)
    }

    /// Remembers the chain of a node; chains that no node belongs to any more are forgotten.
    pub(crate) fn pin(&mut self, node: &Place, chain: &Hash) {
        let Trusted { nodes, anchors } = &mut self.trusted;
        nodes.insert(node.to_string(), hex(chain));
        anchors.retain(|chain, _| nodes.values().any(|known| known == chain));
    }

    /// The block that is trusted of a chain.
    pub(crate) fn anchor(&self, chain: &Hash) -> Option<Anchor> {
        let bytes = unhex(self.trusted.anchors.get(&hex(chain))?)?;
        Anchor::from_bytes(&bytes).filter(|anchor| anchor.light.chain() == chain)
    }

    /// Trusts this block from now on. Returns what has to be stored.
    pub(crate) fn trust(&mut self, anchor: &Anchor) -> Effect {
        self.trusted.anchors.insert(hex(anchor.light.chain()), hex(&anchor.to_bytes()));
        self.keep()
    }

    /// A new key for cards at this table; with what has to be stored before anybody hears of it.
    pub(crate) fn new_seat(&mut self, chain: &Hash, table: u64, seed: [u8; 32]) -> (Hole, Effect) {
        let mut seed = seed;
        let key = SeatKey { chain: hex(chain), table, seed: Zeroizing::new(hex(&seed)) };
        let entry = serde_json::to_vec(&key).unwrap_or_default();
        self.seats.push(key);
        let height = u64::try_from(self.seats.len()).unwrap_or(u64::MAX);
        let hole = Hole::new(*chain, table, card_secret(&seed));
        seed.zeroize();
        (hole, Effect::Log { height, entry })
    }

    /// The secret of a key that a seat was taken with, if it is here.
    pub(crate) fn hole(&self, chain: &Hash, table: u64, key: &[u8; 32]) -> Option<Hole> {
        let name = hex(chain);
        let here = self.seats.iter().filter(|seat| seat.chain == name && seat.table == table);
        let secrets = here.filter_map(|seat| read_hash(&seat.seed)).map(|seed| card_secret(&seed));
        let mut fitting = secrets.filter(|secret| secret.public().bytes() == key);
        fitting.next().map(|secret| Hole::new(*chain, table, secret))
    }
}

/// The secret of a key for cards, from its seed.
fn card_secret(seed: &[u8; 32]) -> Secret {
    Secret::random(&mut ChaCha20Rng::from_seed(*seed))
}

/// 64 digits.
pub(crate) fn read_hash(text: &str) -> Option<Hash> {
    unhex(text.trim()).and_then(|bytes| Hash::try_from(bytes).ok())
}

fn read_key(text: &str) -> Result<Zeroizing<[u8; 32]>, String> {
    let bytes = Zeroizing::new(unhex(&text.trim().to_ascii_lowercase()).unwrap_or_default());
    let key = <[u8; 32]>::try_from(bytes.as_slice()).ok().filter(|key| *key != [0; 32]);
    key.map(Zeroizing::new).ok_or_else(|| "expected the key of a wallet: 64 hexadecimal digits".to_owned())
}

/// What a page can ask.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Question {
    /// Whose wallet this is, with its key: for a backup.
    Key,
    /// Whose wallet has this key.
    Whose(Zeroizing<String>),
}

/// Answers a question that changes nothing.
pub(crate) fn answer(question: &str, world: Option<&World>) -> Vec<Effect> {
    let answered = serde_json::from_str(question).map_err(|why| format!("not a question: {why}")).and_then(|asked| {
        let (address, secret) = match asked {
            Question::Key => world.and_then(World::owner).ok_or("there is no wallet yet")?,
            Question::Whose(key) => read_key(&key).map(|secret| (Wallet::new(&secret).address(), secret))?,
        };
        Ok(json!({ "address": address.to_string(), "key": hex(&*secret) }))
    });
    match answered {
        Ok(answer) => vec![Effect::Tell(json!({ "answer": answer }).to_string())],
        Err(why) => vec![Effect::Failed(why)],
    }
}
