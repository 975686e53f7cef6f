//! A node from start to stop.

use core::net::SocketAddr;
use core::time::Duration;
use std::sync::Arc;

use chain::Address;
use consensus::Peer;
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};
use zeroize::Zeroizing;

use crate::core::Shared;
use crate::dealing::Dealer;
use crate::disk::Disk;
use crate::faucet::Faucet;
use crate::gossip;
use crate::home::Home;
use crate::{release, rpc, watch};

/// A node that runs.
#[derive(Debug)]
pub struct Running {
    /// What its parts share.
    pub shared: Shared,
    engine: consensus::Handle,
    tasks: JoinSet<()>,
    watch: JoinHandle<String>,
}

/// Starts the node in this folder.
pub async fn start(home: &Home) -> Result<Running, String> {
    start_with(home, None).await
}

/// Starts the node in this folder. Whether it deals is as its settings say, unless `dealer` says otherwise.
pub async fn start_with(home: &Home, dealer: Option<bool>) -> Result<Running, String> {
    let said = |why: &dyn core::fmt::Display| why.to_string();
    let settings = home.settings().map_err(|why| said(&why))?;
    let deals = dealer.unwrap_or(settings.dealer);
    let genesis = home.genesis().map_err(|why| said(&why))?;
    let key = home.validator_key().map_err(|why| said(&why))?;
    let faucet = home.faucet_key().map_err(|why| said(&why))?.map(|secret| Faucet::new(&secret));
    let node_key = home.node_key().map_err(|why| said(&why))?;
    let disk = open(home).await?;
    let shared = Shared::open(disk, &genesis, key.clone()).map_err(|why| said(&why))?;
    let listener = TcpListener::bind(settings.rpc).await.map_err(|why| format!("{}: {why}", settings.rpc))?;
    let mut tasks = JoinSet::new();
    let known = settings.gossip.iter().chain(&settings.peers).map(SocketAddr::ip).collect();
    tasks.spawn(rpc::serve(listener, shared.clone(), faucet, settings.name.clone(), known));
    for to in settings.gossip.iter().copied().filter(|to| *to != settings.rpc) {
        tasks.spawn(gossip::tell(shared.clone(), to, settings.both));
    }
    match &key {
        Some(key) if deals => {
            let dealer = Dealer::new(&key.to_bytes(), home.seeds()).map_err(|why| format!("seeds: {why}"))?;
            tasks.spawn(dealer.run(shared.clone()));
            tasks.spawn(release::run(Zeroizing::new(key.to_bytes()), shared.clone()));
        }
        Some(_) => {
            tracing::warn!("the node does not deal: a validator with a seat in a committee pays for its silence")
        }
        None => {}
    }
    let who = key.as_ref().map(|key| Address(key.verifying_key().to_bytes()));
    let engine = consensus::Settings {
        chain: genesis.chain(),
        name: settings.name.clone(),
        listen: Peer(settings.listen),
        peers: settings.peers.iter().copied().filter(|peer| *peer != settings.listen).map(Peer).collect(),
        node_key: *node_key,
        key,
        log: home.signed(),
        connected: Arc::clone(&shared.counts.peers),
    };
    watch::free_log(&home.signed()).await?;
    let engine = consensus::start(engine, shared.clone()).await.map_err(|why| format!("{why:#}"))?;
    match who {
        Some(who) => tracing::info!(%who, rpc = %settings.rpc, "the node runs as a validator"),
        None => tracing::info!(rpc = %settings.rpc, "the node runs"),
    }
    let watch = tokio::spawn(watch::disk(shared.clone(), home.data()));
    Ok(Running { shared, engine, tasks, watch })
}

/// A node that was stopped a moment ago may not have let go of its files yet.
async fn open(home: &Home) -> Result<Disk, String> {
    let mut tries = 0;
    loop {
        match Disk::open(&home.database()) {
            Ok(disk) => return Ok(disk),
            Err(why) if tries >= 20 => return Err(format!("{}: {why}", home.database().display())),
            Err(_) => tries += 1,
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

impl Running {
    /// Waits until the engine gives up, and says why.
    pub async fn ended(&mut self) -> String {
        tokio::select! {
            ended = self.engine.ended() => match ended {
                Ok(()) => "the engine has stopped".to_owned(),
                Err(why) => format!("{why:#}"),
            },
            Ok(why) = &mut self.watch => why,
            why = self.shared.disk().failed() => format!("{why}; make room on the disk, then start the node again"),
            Some(_) = self.tasks.join_next() => "a part of the node has failed".to_owned(),
        }
    }

    /// Stops everything.
    pub async fn stop(mut self) {
        self.watch.abort();
        self.tasks.shutdown().await;
        self.engine.stop().await;
    }
}
