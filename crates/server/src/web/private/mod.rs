//! Private tables: their sockets, a page for people who click a link, and a server of their own.

mod new;
mod page;
mod parts;
mod socket;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use tokio::net::TcpListener;

pub(super) use parts::{hash, missing};

use super::{Limits, Proxies, Site, private_router};
use crate::hub::Hub;
use crate::metrics::Metrics;
use crate::store::Store;

/// The most private tables, connections, and connections from one address on a player's own computer.
const MOST_TABLES: usize = 100;
const MOST_CONNECTIONS: usize = 500;
const MOST_EACH: usize = 50;

/// The ways to a private table, for a site with a lobby.
pub(super) fn ways() -> Router<Site> {
    Router::new()
        .route("/private/new", get(new::choose).post(new::check))
        .route("/private/new/{game}", get(new::page))
        .route("/private/knock", get(new::knock))
}

pub(super) fn routes() -> Router<Site> {
    Router::new().route("/private/{id}", get(page::page)).route("/private/{id}/socket", get(socket::open))
}

/// Serves private tables and nothing else, until `end`: the hub on a player's own computer. Tables are created with
/// [`make`](crate::private::make) in the same store; nobody can create any over the network.
pub async fn serve(listener: TcpListener, store: Store, end: impl Future<Output = ()>) {
    let hub = Hub::new(store.clone(), Arc::new(Metrics::default()), MOST_TABLES);
    let limits = Limits::new(50, 50, 30).with_sockets(MOST_CONNECTIONS).with_each(MOST_EACH).with_wrong_codes(6);
    let listen = listener.local_addr().unwrap_or(SocketAddr::from(([127, 0, 0, 1], 0)));
    let site = Site::new(hub, listen, None, limits, Proxies::from(Vec::new()));
    site.set_only_private();
    let app = private_router(site.clone());
    super::listening::run_app(listener, site, app, MOST_CONNECTIONS, end).await;
    store.close().await;
}
