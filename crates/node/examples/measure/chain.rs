//! Validators in this process, and what they did when.

use std::net::TcpListener;
use std::time::Instant;

use ::chain::client::Wallet;
use ::chain::tables::{Terms, Tx};
use ::chain::{Address, Body, Coins, Event, Genesis, Params};
use node::core::Shared;
use node::home::Home;
use node::network::Plan;
use node::run::{Running, start};
use tempfile::TempDir;

use crate::Result;

/// A chain that runs.
pub(crate) struct Chain {
    folder: TempDir,
    homes: Vec<Home>,
    nodes: Vec<Running>,
    pub(crate) genesis: Genesis,
    banker: Wallet,
    tables: u64,
}

impl Chain {
    /// A new chain with as many seats to deal as validators, at least four; all of them pass transactions on, or none.
    pub(crate) async fn start(
        validators: u8,
        accounts: impl IntoIterator<Item = Address>,
        gossip: bool,
        change: impl FnOnce(&mut Params),
    ) -> Result<Self> {
        let folder = tempfile::tempdir().map_err(|why| why.to_string())?;
        let banker = Wallet::new(&[255; 32]);
        let plan = Plan {
            name: "measured".into(),
            validators,
            port: free_ports(2 * u16::from(validators))?,
            members: validators.max(4),
            epoch_blocks: 100_000,
            accounts: accounts.into_iter().chain([banker.address()]).collect(),
        };
        let homes = plan.create(folder.path())?;
        let first = homes.first().ok_or("a chain has a validator")?;
        let mut genesis = first.genesis().map_err(|why| why.to_string())?;
        change(&mut genesis.params);
        let mut nodes = Vec::new();
        for home in &homes {
            home.set_genesis(&genesis).map_err(|why| why.to_string())?;
            if !gossip {
                let mut settings = home.settings().map_err(|why| why.to_string())?;
                settings.gossip.clear();
                let text = toml::to_string(&settings).map_err(|why| why.to_string())?;
                std::fs::write(home.folder().join("node.toml"), text).map_err(|why| why.to_string())?;
            }
            nodes.push(start(home).await?);
        }
        Ok(Self { folder, homes, nodes, genesis, banker, tables: 0 })
    }

    /// What the parts of a node share.
    pub(crate) fn node(&self, number: usize) -> Result<&Shared> {
        self.nodes.get(number).map(|node| &node.shared).ok_or_else(|| "there is no such node".to_owned())
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Opens tables until there are so many.
    pub(crate) async fn open_tables(&mut self, count: u64) -> Result<()> {
        let shared = self.node(0)?.clone();
        let mut seen = shared.seen.clone();
        while self.tables < count {
            let create = shared.look(|state| {
                let create = Tx::Create { terms: Terms::small("table"), purse: Coins(1_000_000_000) };
                self.banker.pay(state.store(), state.tip().chain, Body::Tables(create))
            });
            shared.submit(create).map_err(|why| why.to_string())?;
            let number = self.tables + 1;
            while shared.look(|state| state.store().get(&::chain::tables::RingOf(number)).is_none()) {
                seen.changed().await.map_err(|why| why.to_string())?;
            }
            self.tables = number;
        }
        Ok(())
    }

    /// Stops all nodes; the folder of the first stays for as long as this is held.
    pub(crate) async fn stop(self) -> Result<(TempDir, Home, Genesis)> {
        for node in self.nodes {
            node.stop().await;
        }
        let home = self.homes.into_iter().next().ok_or("a chain has a validator")?;
        Ok((self.folder, home, self.genesis))
    }
}

/// What happens on a chain, with the time at which a node has executed it.
pub(crate) struct Watch {
    shared: Shared,
    seen: tokio::sync::watch::Receiver<node::core::Seen>,
    cursor: u64,
}

impl Watch {
    /// From now on.
    pub(crate) fn new(shared: &Shared) -> Self {
        let seen = shared.seen.clone();
        let cursor = seen.borrow().cursor;
        Self { shared: shared.clone(), seen, cursor }
    }

    /// Waits for the next block: when it came, its height, and what happened since the last.
    pub(crate) async fn next(&mut self) -> Result<(Instant, u64, Vec<Event>)> {
        self.seen.changed().await.map_err(|why| why.to_string())?;
        let (now, seen) = (Instant::now(), *self.seen.borrow());
        let events = self.shared.disk().events(self.cursor, usize::MAX, usize::MAX).map_err(|why| why.to_string())?;
        self.cursor = events.last().map_or(self.cursor, |(cursor, ..)| cursor + 1);
        Ok((now, seen.height, events.into_iter().map(|(_, _, event)| event).collect()))
    }
}

/// The CPU time of this process so far, in seconds.
pub(crate) fn cpu() -> f64 {
    // Linux counts in hundredths of a second there, on every machine we know.
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(") ").next().unwrap_or_default();
    let ticks = after_name.split(' ').skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

/// The secret of an account for a measurement.
pub(crate) fn secret(number: u16) -> [u8; 32] {
    let mut secret = [7; 32];
    let [low, high] = number.to_le_bytes();
    (secret[0], secret[1]) = (low, high);
    secret
}

/// The median and the most of some seconds.
pub(crate) fn median_and_most(mut all: Vec<f64>) -> (f64, f64) {
    all.sort_by(f64::total_cmp);
    let median = all.get(all.len() / 2).copied().unwrap_or(f64::NAN);
    (median, all.last().copied().unwrap_or(f64::NAN))
}

/// The first of so many ports in a row that nobody uses.
pub(crate) fn free_ports(count: u16) -> Result<u16> {
    let begin = u16::try_from(std::process::id() % 10_000).unwrap_or(0);
    let free = |port: u16| TcpListener::bind(("127.0.0.1", port)).is_ok();
    let mut firsts = (0..200).map(|tries: u16| 15_000 + (begin + tries * 97) % 15_000);
    firsts.find(|first| (*first..*first + count).all(free)).ok_or_else(|| "there are no free ports".to_owned())
}
