//! A chain to try out: one command, and computers are playing at a table.

use core::net::{IpAddr, Ipv4Addr, SocketAddr};
use core::time::Duration;
use std::path::Path;

use ::bots::Kind;
use chain::client::Wallet;
use chain::tables::{self, RingOf, Terms, Tx};
use chain::{Body, Coins, Event};
use tokio::task::JoinSet;

use crate::bots::Bots;
use crate::core::Shared;
use crate::network::Plan;
use crate::run::{Running, start};

/// What a chain to try out is made of.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many validators.
    pub validators: u8,
    /// How many computers play.
    pub bots: u8,
    /// How they play.
    pub kind: Kind,
    /// How long they think about a move.
    pub pace: Duration,
    /// The first port.
    pub port: u16,
}

impl Options {
    /// Where its first node answers.
    pub fn rpc(&self) -> SocketAddr {
        SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), self.port + 1)
    }
}

/// What a newcomer types next to play on the chain whose node answers there.
pub fn what_next(rpc: SocketAddr) -> Vec<String> {
    let node = if rpc.port() == 27_001 { String::new() } else { format!(" --node {rpc}") };
    let commands = ["wallet new", "wallet faucet", "sit 1"].map(|what| format!("  fairdeal chain {what}{node}"));
    [vec!["to play against the computers, type in another terminal:".to_owned()], commands.to_vec()].concat()
}

/// A chain that runs.
#[derive(Debug)]
pub struct Network {
    /// Its nodes.
    pub nodes: Vec<Running>,
    tasks: JoinSet<()>,
}

/// Starts a new chain in an empty folder: all validators in this process, a table, and computers at it.
pub async fn run(folder: &Path, options: &Options) -> Result<Network, String> {
    let mut secrets = vec![[0; 32]; usize::from(options.bots) + 3];
    for secret in &mut secrets {
        getrandom::fill(secret).map_err(|why| why.to_string())?;
    }
    let [banker, seed, faucet, secrets @ ..] = secrets.as_slice() else {
        return Err("there must be a banker".to_owned());
    };
    let banker = Wallet::new(banker);
    let players = secrets.iter().chain([faucet]).map(|secret| Wallet::new(secret).address());
    let plan = Plan {
        name: "dev".into(),
        validators: options.validators,
        port: options.port,
        members: 4,
        epoch_blocks: 500,
        accounts: players.chain([banker.address()]).collect(),
    };
    let homes = plan.create(folder)?;
    let mut nodes = Vec::new();
    // One node gives coins away: two could give with the same nonce.
    if let Some(first) = homes.first() {
        first.set_faucet_key(faucet).map_err(|why| why.to_string())?;
    }
    for home in &homes {
        nodes.push(start(home).await?);
    }
    let first = nodes.first().map(|node| node.shared.clone()).ok_or("there must be a validator")?;
    let chain = first.look(|state| state.tip().chain);
    let mut tasks = JoinSet::new();
    tasks.spawn(open_table(first.clone(), banker));
    tasks.spawn(tell(first.clone()));
    if options.bots > 0 {
        tasks.spawn(Bots::new(chain, 1, secrets, options.kind, *seed).run(first, options.pace));
    }
    Ok(Network { nodes, tasks })
}

impl Network {
    /// Waits until a node gives up, and says why.
    pub async fn ended(&mut self) -> String {
        match self.nodes.first_mut() {
            Some(node) => node.ended().await,
            None => "there is no node".to_owned(),
        }
    }

    /// Stops everything.
    pub async fn stop(mut self) {
        self.tasks.shutdown().await;
        for node in self.nodes {
            node.stop().await;
        }
    }
}

/// Tells of every hand that ends.
async fn tell(shared: Shared) {
    let (mut seen, mut cursor) = (shared.seen.clone(), 0);
    while seen.changed().await.is_ok() {
        let Ok(events) = shared.disk().events(cursor, usize::MAX, usize::MAX) else { return };
        for (at, height, event) in events {
            cursor = at + 1;
            match event {
                Event::Tables(tables::Event::PotAwarded { hand, seat, coins, .. }) => {
                    tracing::info!(height, hand, "seat {} wins {coins}", seat + 1);
                }
                Event::Tables(tables::Event::HandAborted { hand, .. }) => {
                    tracing::info!(height, hand, "a hand was aborted, and everybody got back what they put in");
                }
                _ => {}
            }
        }
    }
}

/// Creates the table, and waits until it is there.
async fn open_table(shared: Shared, banker: Wallet) {
    let mut seen = shared.seen.clone();
    let terms = Terms::small("first table");
    while seen.changed().await.is_ok() {
        let create = shared.look(|state| {
            let create = Tx::Create { terms: terms.clone(), purse: Coins(1_000_000_000) };
            let absent = state.store().get(&RingOf(1)).is_none();
            absent.then(|| banker.pay(state.store(), state.tip().chain, Body::Tables(create)))
        });
        match create.map(|create| shared.submit(create)) {
            None => return,
            Some(Err(why)) => tracing::debug!(%why, "the table cannot be opened yet"),
            Some(Ok(_)) => {}
        }
    }
}
