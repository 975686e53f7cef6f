//! The engine alone: nodes that take every block, execute nothing and store nothing.

use core::future::Future;
use core::pin::Pin;
use core::sync::atomic::{AtomicU64, Ordering};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ::chain::block::transactions_hash;
use ::chain::client::Wallet;
use ::chain::light::{Certificate, Validators};
use ::chain::staking::Evidence;
use ::chain::{Address, Block, Coins, Hash, Header, Signed, State};
use consensus::{App, Part, Peer, Settings, Turn};
use ed25519_dalek::SigningKey;

use crate::Result;
use crate::chain::{cpu, free_ports, secret};
use crate::transfers::{ROOM, line, sample, transfer};

/// How long it is measured.
const WINDOW: Duration = Duration::from_secs(10);
/// How many decided blocks a node keeps for others.
const KEPT: u64 = 100;

/// Lets the engine decide blocks with transfers for a while, and returns a line.
pub(crate) async fn measure(validators: u8) -> Result<String> {
    let folder = tempfile::tempdir().map_err(|why| why.to_string())?;
    let keys: Vec<SigningKey> = (0..validators).map(|number| SigningKey::from_bytes(&[number + 1; 32])).collect();
    let mut set: Validators = keys.iter().map(|key| (Address(key.verifying_key().to_bytes()), Coins(1_000))).collect();
    set.sort();
    let wallets: Vec<Wallet> = (0..ROOM).map(|number| Wallet::new(&secret(number))).collect();
    let state = State::new(&sample()?);
    let transactions: Vec<Signed> =
        (0..wallets.len()).filter_map(|from| transfer(&wallets, from, 0, [0; 32], &state)).collect();
    let (hash, transactions) = (transactions_hash(&transactions), Arc::new(transactions));
    let port = free_ports(validators.into())?;
    let at = |number: u8| SocketAddr::from(([127, 0, 0, 1], port + u16::from(number)));
    let decided = Arc::new(AtomicU64::new(0));
    let mut engines = Vec::new();
    for (number, key) in (0..).zip(&keys) {
        let settings = Settings {
            chain: [0; 32],
            name: format!("idle{number}"),
            listen: Peer(at(number)),
            peers: (0..validators).filter(|other| *other != number).map(|other| Peer(at(other))).collect(),
            node_key: [number + 1; 32],
            key: Some(key.clone()),
            log: folder.path().join(format!("signed{number}.log")),
            connected: Arc::default(),
        };
        let count = (number == 0).then(|| Arc::clone(&decided));
        let app = Idle {
            key: key.clone(),
            height: 0,
            validators: set.clone(),
            hash,
            transactions: Arc::clone(&transactions),
            parts: BTreeMap::new(),
            history: BTreeMap::new(),
            count,
        };
        engines.push(consensus::start(settings, app).await.map_err(|why| format!("{why:#}"))?);
    }
    while decided.load(Ordering::Relaxed) < 5 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let (begin, worked, first) = (Instant::now(), cpu(), decided.load(Ordering::Relaxed));
    tokio::time::sleep(WINDOW).await;
    let (took, worked) = (begin.elapsed().as_secs_f64(), cpu() - worked);
    let blocks = f64::from(u32::try_from(decided.load(Ordering::Relaxed) - first).unwrap_or(u32::MAX)).max(1.0);
    for engine in engines {
        engine.stop().await;
    }
    Ok(line("engine", validators, blocks * f64::from(ROOM) / took, blocks / took, worked / blocks))
}

/// A node that takes every block.
struct Idle {
    key: SigningKey,
    height: u64,
    validators: Validators,
    hash: Hash,
    transactions: Arc<Vec<Signed>>,
    /// What was proposed, by height, round and hash.
    parts: BTreeMap<(u64, u32, Hash), Part>,
    history: BTreeMap<u64, (Vec<u8>, Certificate)>,
    /// Counts decided blocks, at one of the nodes.
    count: Option<Arc<AtomicU64>>,
}

impl Idle {
    fn take(&mut self, part: Part) {
        self.parts.insert((part.height, part.round, part.block.header.hash()), part);
    }

    fn find(&self, height: u64, block: &Hash) -> Option<&Part> {
        self.parts.iter().find(|((at, _, hash), _)| (at, hash) == (&height, block)).map(|(_, part)| part)
    }
}

impl App for Idle {
    fn next(&self) -> Turn {
        Turn { height: self.height + 1, validators: self.validators.clone() }
    }

    fn propose(&mut self, height: u64, round: u32) -> Option<Part> {
        let proposer = Address(self.key.verifying_key().to_bytes());
        let header = Header {
            chain: [0; 32],
            height,
            parent: [0; 32],
            time: height,
            round,
            proposer,
            root: [0; 32],
            next_validators: [0; 32],
            transactions: self.hash,
        };
        let part = Part::new(round, Block { header, transactions: self.transactions.to_vec() }, &self.key);
        self.take(part.clone());
        Some(part)
    }

    fn offered(&mut self, part: Part) -> Option<bool> {
        let now = part.height == self.height + 1;
        self.take(part);
        now.then_some(true)
    }

    fn synced(&mut self, block: Block) -> Option<bool> {
        let (height, by) = (block.header.height, block.header.proposer);
        self.take(Part { height, round: u32::MAX, by, block, signature: [0; 64] });
        Some(true)
    }

    fn undecided(&mut self, height: u64, round: u32) -> Vec<(Part, bool)> {
        let all = self.parts.range((height, round, [0; 32])..=(height, round, [u8::MAX; 32]));
        all.map(|(_, part)| (part.clone(), true)).collect()
    }

    fn remembered(&self, height: u64, block: &Hash) -> Option<Part> {
        self.find(height, block).cloned()
    }

    fn decided(&mut self, certificate: Certificate) -> core::result::Result<(), String> {
        let part = self.find(certificate.height, &certificate.block).ok_or("a block is not here")?;
        let bytes = borsh::to_vec(&part.block).map_err(|why| why.to_string())?;
        self.height = certificate.height;
        self.history.insert(self.height, (bytes, certificate));
        let (height, oldest) = (self.height, self.height.saturating_sub(KEPT));
        self.history.retain(|at, _| *at > oldest);
        self.parts.retain(|(at, ..), _| *at > height);
        if let Some(count) = &self.count {
            count.store(height, Ordering::Relaxed);
        }
        Ok(())
    }

    fn signed_twice(&mut self, _: Evidence) {}

    fn rest(&self) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(core::future::ready(()))
    }

    fn history(&self, from: u64, to: u64) -> Vec<(Vec<u8>, Certificate)> {
        self.history.range(from..=to).map(|(_, kept)| kept.clone()).collect()
    }

    fn earliest(&self) -> u64 {
        self.history.keys().next().copied().unwrap_or(self.height + 1)
    }
}
