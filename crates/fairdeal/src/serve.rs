//! `fairdeal serve`: the lobby and the tables in browsers.

use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use server::web::PublicUrl;
use tokio::net::TcpListener;
use tracing::Level;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::prelude::*;

use crate::cli::{LogForm, ServeArgs};
use crate::failure::Failure;
use crate::options::{Chosen, choose};
use crate::peer::reachable;
use crate::station::Serving;

/// Serves until somebody ends it.
pub(crate) fn run(args: ServeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let chosen = choose(args)?;
    log(chosen.log);
    allow_many_files();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|why| Failure::input(format!("cannot start threads: {why}")))?;
    let served = runtime.block_on(serve(chosen, out));
    // What still hangs is not waited for.
    runtime.shutdown_timeout(Duration::from_secs(1));
    served
}

async fn serve(chosen: Chosen, out: &mut impl Write) -> Result<(), Failure> {
    let Chosen { listen, config, station, .. } = chosen;
    let station = station.map(|data| Serving::open(&data)).transpose()?;
    let listener = TcpListener::bind(listen).await;
    let listener = listener.map_err(|why| Failure::input(format!("cannot listen on {listen}: {why}")))?;
    let listen = listener.local_addr().unwrap_or(listen);
    let asked = Asked::listen().map_err(|why| Failure::input(format!("cannot catch signals: {why}")))?;
    let named = config.public_url.clone();
    let server = server::Server::open(config).await.map_err(Failure::input)?;
    let server = match station {
        Some(station) => server.with_station(Arc::new(station)),
        None => server,
    };
    tell(out, listen, named.as_ref())?;
    server.run(listener, ended(asked)).await;
    writeln!(out, "Stopped. Everything is stored.")?;
    Ok(())
}

/// Says where the server is, as an address that can be opened.
fn tell(out: &mut impl Write, listen: SocketAddr, named: Option<&PublicUrl>) -> Result<(), Failure> {
    let address = named.cloned().unwrap_or_else(|| PublicUrl::here(listen));
    writeln!(out, "fairdeal is at {address}")?;
    if named.is_none() {
        writeln!(out, "{}", others(listen, reachable(listen)))?;
    }
    if let Some(left_out) = server::web::module::left_out() {
        writeln!(out, "{left_out}")?;
    }
    writeln!(out, "Stop it with Ctrl-C. Options: fairdeal serve --help")?;
    out.flush()?;
    Ok(())
}

/// How other computers reach a server that listens there; `seen` is its address in the network.
fn others(listen: SocketAddr, seen: SocketAddr) -> String {
    if listen.ip().is_loopback() {
        return format!(
            "Only this computer reaches it. For phones and friends in your network: fairdeal serve --listen 0.0.0.0:{}",
            listen.port()
        );
    }
    if seen.ip().is_loopback() {
        return "It listens on all addresses of this computer, which seems to be in no network.".to_owned();
    }
    format!("Phones and friends in your network reach it at {}", PublicUrl::here(seen))
}

/// Signals that end the server, listened to before anybody is told that it runs.
#[cfg(unix)]
struct Asked {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Asked {
    fn listen() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    async fn heard(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

#[cfg(not(unix))]
struct Asked;

#[cfg(not(unix))]
impl Asked {
    fn listen() -> std::io::Result<Self> {
        Ok(Self)
    }

    async fn heard(&mut self) {
        let _ = tokio::signal::ctrl_c().await;
    }
}

/// Waits until somebody wants the server to end; a second signal ends it at once.
async fn ended(mut asked: Asked) {
    asked.heard().await;
    tracing::info!("ending");
    tokio::spawn(async move {
        asked.heard().await;
        std::process::exit(130);
    });
}

/// Lines about what goes on, on stderr; `RUST_LOG` says how many.
fn log(form: LogForm) {
    let filter = log_filter(std::env::var("RUST_LOG").ok().as_deref());
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let lines = match form {
        LogForm::Text => lines.with_ansi(false).boxed(),
        LogForm::Json => lines.json().boxed(),
    };
    // It is set once; where it is set already, that stays.
    let _ = tracing_subscriber::registry().with(lines.with_filter(filter)).try_init();
}

/// What is asked for, if it can be understood, or what is usual.
fn log_filter(asked: Option<&str>) -> Targets {
    let usual = || Targets::new().with_default(Level::WARN).with_target("server", Level::INFO);
    asked.filter(|asked| !asked.is_empty()).and_then(|asked| asked.parse().ok()).unwrap_or_else(usual)
}

/// Every connection is an open file, and systems allow only some unless they are asked for more.
#[cfg(unix)]
fn allow_many_files() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    // Where it cannot be raised, there are fewer connections.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
}

#[cfg(not(unix))]
fn allow_many_files() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_said_how_others_reach_the_server() {
        let say = |listen: &str, seen: &str| others(listen.parse().unwrap(), seen.parse().unwrap());
        assert!(say("127.0.0.1:7777", "127.0.0.1:7777").ends_with("fairdeal serve --listen 0.0.0.0:7777"));
        assert!(say("0.0.0.0:7777", "192.0.2.5:7777").ends_with("reach it at http://192.0.2.5:7777"));
        assert!(say("192.0.2.5:80", "192.0.2.5:80").contains("http://192.0.2.5"));
        assert!(say("0.0.0.0:7777", "127.0.0.1:7777").contains("in no network"));
    }

    #[test]
    fn a_log_is_as_long_as_asked_for() {
        let usual = log_filter(None);
        assert!(usual.would_enable("server::hub", &Level::INFO) && !usual.would_enable("server::hub", &Level::DEBUG));
        assert!(usual.would_enable("sqlx", &Level::WARN) && !usual.would_enable("sqlx", &Level::INFO));
        let asked = log_filter(Some("error,server=debug"));
        assert!(asked.would_enable("server::hub", &Level::DEBUG) && !asked.would_enable("sqlx", &Level::WARN));
        assert!(log_filter(Some("trace")).would_enable("sqlx", &Level::TRACE));
        for nothing in ["", "server=loudly"] {
            assert_eq!(log_filter(Some(nothing)), usual, "{nothing:?}");
        }
    }
}
