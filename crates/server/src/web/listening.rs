//! Connections: a limit in total and per address, none held open without sending requests or reading responses, and an
//! orderly shutdown.

use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, Extension};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::timeout;

use super::patience::{Inflow, Taken};
use super::{Site, router};

/// How long running requests may take once the server is stopping.
const TO_END: Duration = Duration::from_secs(10);
/// The longest request head.
const LONGEST_HEAD: usize = 16 << 10;

/// Answers requests until `end`, and then finishes the running ones. There are never more than `most` connections that
/// have not become sockets; others wait in the system's queue. Connections from an address that already has too many
/// are closed at once.
pub async fn run(listener: TcpListener, site: Site, most: usize, end: impl Future<Output = ()>) {
    let app = router(site.clone());
    run_app(listener, site, app, most, end).await;
}

/// The same with these routes.
pub(super) async fn run_app(
    listener: TcpListener,
    site: Site,
    app: Router,
    most: usize,
    end: impl Future<Output = ()>,
) {
    let going = tokio::spawn(site.private().clone().keep_going());
    let patience = site.limits().patience();
    let places = Arc::new(Semaphore::new(most));
    let (ending, _) = watch::channel(());
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(patience.ask).max_buf_size(LONGEST_HEAD);
    let accepting = async {
        loop {
            let Ok(place) = places.clone().acquire_owned().await else { return };
            let (stream, from) = next(&listener).await;
            let Some(connected) = site.connection(from.ip().to_canonical()) else { continue };
            let inflow = Inflow::default();
            let stream = Taken::new(stream, patience.take, inflow.clone());
            let app = app.clone().layer(Extension(ConnectInfo(from))).layer(Extension(inflow));
            let connection = builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(app));
            let mut ended = ending.subscribe();
            tokio::spawn(async move {
                let mut connection = pin!(connection.with_upgrades());
                // A connection that breaks off is the other side's business.
                tokio::select! {
                    _ = connection.as_mut() => {}
                    _ = ended.changed() => {
                        connection.as_mut().graceful_shutdown();
                        let _ = connection.await;
                    }
                }
                drop((place, connected));
            });
        }
    };
    tokio::select! {
        () = accepting => {}
        () = end => {}
    }
    drop(listener);
    going.abort();
    site.private().end();
    ending.send_replace(());
    // All places are free again when the last connection has ended.
    let all = places.acquire_many(u32::try_from(most).unwrap_or(u32::MAX));
    let _ = timeout(TO_END, all).await;
}

/// The next connection. If none can be accepted (no file descriptors left, for example), it tries again.
async fn next(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, from)) => {
                // Moves are small and should not wait for more data.
                let _ = stream.set_nodelay(true);
                return (stream, from);
            }
            Err(why) => {
                tracing::warn!(%why, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        }
    }
}
