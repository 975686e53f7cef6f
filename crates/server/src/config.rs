//! A server's configuration, and how it starts.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;

use crate::chain::Chain;
use crate::clock::now;
use crate::hub::Hub;
use crate::metrics::Metrics;
use crate::room;
use crate::station::Station;
use crate::store::{AppendError, Old, Store, StoreError};
use crate::web::{self, Limits, Network, Proxies, PublicUrl, Site};

/// A table is deleted if, for this many days, nobody has sat down or stood up and no match has begun.
const GATHERING_DAYS: u32 = 7;

/// A private table is deleted if nobody has been there for this many days. Its members have its whole log.
const PRIVATE_DAYS: u32 = 30;

/// How a server behaves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// `sqlite:PATH` or `postgres://…`. It may hold a password, so it is never shown.
    pub database: String,
    /// The address people type to get here. If it is not set, it is taken from each request.
    pub public_url: Option<PublicUrl>,
    /// The most tables in memory at once.
    pub most_tables: usize,
    /// The most connections, and the most sockets.
    pub most_connections: usize,
    /// The most connections from one address, and the most sockets; 0 means no limit.
    pub each_connections: usize,
    /// Requests per second from one address; 0 means no limit.
    pub requests: u32,
    /// Messages per second from one player; 0 means no limit.
    pub messages: u32,
    /// New tables per minute from one address; 0 means no limit.
    pub tables: u32,
    /// Wrong codes per minute from one address; 0 means no limit.
    pub wrong_codes: u32,
    /// The proxies whose `X-Forwarded-For` header is trusted; `None` for those on this machine.
    pub proxies: Option<Vec<Network>>,
    /// Whether `/metrics` can be read from anywhere.
    pub open_metrics: bool,
    /// Tables that have not changed for this many days are deleted unless a match is running; 0 keeps them forever.
    pub keep_days: u32,
    /// Nodes of a poker chain whose tables the lobby lists; empty for none.
    pub chain: Vec<remote::Place>,
}

/// A server with an open database, ready to listen.
pub struct Server {
    config: Config,
    store: Store,
    station: Option<Arc<dyn Station>>,
}

impl Server {
    /// Opens the database.
    ///
    /// # Errors
    /// Fails if the database cannot be opened.
    pub async fn open(config: Config) -> Result<Self, StoreError> {
        let store = Store::open(&config.database).await?;
        Ok(Self { config, store, station: None })
    }

    /// It is also a station: it shows leaderboards and accepts results.
    #[must_use]
    pub fn with_station(mut self, station: Arc<dyn Station>) -> Self {
        self.station = Some(station);
        self
    }

    /// Serves on this listener until `end`; then finishes the work in progress and stores everything.
    pub async fn run(self, listener: TcpListener, end: impl Future<Output = ()> + Send + 'static) {
        let Self { config, store, station } = self;
        let hub = Hub::new(store.clone(), Arc::new(Metrics::default()), config.most_tables);
        let limits = Limits::new(config.requests, config.messages, config.tables);
        let limits = limits.with_sockets(config.most_connections).with_each(config.each_connections);
        let limits = limits.with_wrong_codes(config.wrong_codes);
        let proxies = config.proxies.map(Proxies::from).unwrap_or_default();
        let listen = listener.local_addr().unwrap_or(SocketAddr::from(([127, 0, 0, 1], 0)));
        let site = Site::new(hub.clone(), listen, config.public_url, limits, proxies);
        if config.open_metrics {
            site.show_metrics();
        }
        if !config.chain.is_empty() {
            let lobby = hub.clone();
            site.show_chain(Chain::watch(config.chain, move || lobby.lobby_changed()));
        }
        if let Some(station) = station {
            site.show_station(station);
        }
        tracing::info!(version = env!("CARGO_PKG_VERSION"), database = store.kind(), %listen, "started");
        let going = tokio::spawn(hub.keep_going());
        let tidying = tokio::spawn(tidy(store.clone(), site.clone(), config.keep_days));
        let watching = tokio::spawn(watch(store.clone()));
        web::run(listener, site, config.most_connections, end).await;
        tidying.abort();
        going.abort();
        watching.abort();
        store.close().await;
        tracing::info!("ended");
    }
}

/// Logs when storing starts to fail, and when it works again.
async fn watch(store: Store) {
    let mut troubles = store.troubles();
    let mut troubled = false;
    while troubles.changed().await.is_ok() {
        let trouble = troubles.borrow_and_update().clone();
        match &trouble {
            Some(why) if !troubled => tracing::warn!(%why, "storing fails"),
            None if troubled => tracing::info!("storing works again"),
            _ => {}
        }
        troubled = trouble.is_some();
    }
}

/// Deletes old data now and then.
async fn tidy(store: Store, site: Site, keep_days: u32) {
    let mut hours = tokio::time::interval(Duration::from_secs(3600));
    loop {
        hours.tick().await;
        site.limits().shrink();
        if let Err(why) = forget(&store, keep_days).await {
            tracing::warn!(%why, "old data could not be deleted");
        }
    }
}

/// Deletes old data: tables where people gathered long ago, so that their codes can be reused, and everything past its
/// retention time.
async fn forget(store: &Store, keep_days: u32) -> Result<(), AppendError> {
    let before = |days: u32| now().plus(-i64::from(days) * 86_400_000).0;
    let mut tables = store.forget_old(&Old::Gathering, before(GATHERING_DAYS)).await?;
    let private = if keep_days > 0 { keep_days.min(PRIVATE_DAYS) } else { PRIVATE_DAYS };
    tables += store.forget_private(before(private)).await?;
    let mut players = 0;
    if keep_days > 0 {
        let before = before(keep_days);
        tables += store.forget(before).await?;
        tables += store.forget_old(&Old::OtherRules(room::rules().collect()), before).await?;
        players = store.forget_players(before).await?;
    }
    if tables + players > 0 {
        tracing::info!(tables, players, "old data deleted");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{Code, TableId};
    use crate::store::{NewTable, Phase, Secret};

    #[tokio::test]
    async fn a_table_that_gathered_nobody_for_a_week_goes_unasked_and_the_rest_stays() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&format!("sqlite:{}", folder.path().join("x").display())).await.unwrap();
        let days =
            [(1, Phase::Gathering, 8), (2, Phase::Gathering, 6), (3, Phase::Playing, 400), (4, Phase::Over, 400)];
        for (number, phase, days) in days {
            let new = NewTable {
                id: TableId(number),
                code: Code::new(u32::try_from(number).unwrap()).unwrap(),
                game: "holdem".to_owned(),
                rules: 1,
                listed: false,
                phase,
                at: now().plus(-days * 86_400_000).0,
                due_at: None,
                summary: String::new(),
                secret: Secret::new([0; 32]),
                seated: Vec::new(),
                body: String::new(),
            };
            store.create(new).await.unwrap();
        }
        let kept = async || {
            let mut kept: Vec<u64> = store.latest(9).await.unwrap().into_iter().map(|row| row.id.0).collect();
            kept.sort_unstable();
            kept
        };
        forget(&store, 0).await.unwrap();
        assert_eq!(kept().await, [2, 3, 4]);
        forget(&store, 30).await.unwrap();
        assert_eq!(kept().await, [2, 3], "never while a match is running");
        forget(&store, 5).await.unwrap();
        assert_eq!(kept().await, [3]);
        store.close().await;
    }
}
