//! Connections: none is held open without asking, and none takes its time.

use core::net::SocketAddr;
use core::pin::pin;
use core::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, Extension};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::Site;
use super::limits::Kind;

/// The head of a request must be here after this long.
const HEAD: Duration = Duration::from_secs(5);
/// The longest head of a request.
const LONGEST_HEAD: usize = 16 << 10;
/// A connection that does not become a line is closed after this long, whatever it does.
const LIFE: Duration = Duration::from_secs(60);
/// What is being answered then has this long to end.
const END: Duration = Duration::from_secs(5);

/// Answers whoever connects, until the node stops.
pub(super) async fn run(listener: TcpListener, app: Router, site: Site) {
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(LONGEST_HEAD);
    let mut connections = JoinSet::new();
    loop {
        let (stream, from) = next(&listener).await;
        while connections.try_join_next().is_some() {}
        let Some(seat) = site.limits.seat(from.ip(), Kind::Asking) else {
            site.shared.counts.refused_connection();
            continue;
        };
        let app = app.clone().layer(Extension(ConnectInfo(from)));
        let connection = builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(app));
        connections.spawn(async move {
            let mut connection = pin!(connection.with_upgrades());
            // A connection that breaks off is the other side's business.
            if timeout(LIFE, connection.as_mut()).await.is_err() {
                connection.as_mut().graceful_shutdown();
                let _ = timeout(END, connection).await;
            }
            drop(seat);
        });
    }
}

/// The next connection. When there are too many open files, others may end meanwhile.
async fn next(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, from)) => {
                // Answers are short: waiting for more to send helps nobody.
                let _ = stream.set_nodelay(true);
                return (stream, from);
            }
            Err(why) => {
                tracing::warn!(%why, "a connection cannot be accepted");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}
