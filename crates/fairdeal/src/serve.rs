//! `fairdeal serve`: the lobby and the tables in browsers.

use std::io::Write;
use std::net::SocketAddr;
use std::time::Duration;

use server::web::PublicUrl;
use tokio::net::TcpListener;
use tracing_subscriber::EnvFilter;

use crate::cli::{LogForm, ServeArgs};
use crate::failure::Failure;
use crate::options::{Chosen, choose};

/// Serves until somebody ends it.
pub(crate) fn run(args: ServeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let chosen = choose(args)?;
    log(chosen.log);
    allow_many_files();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|why| Failure::input(format!("threads cannot be started: {why}")))?;
    let served = runtime.block_on(serve(chosen, out));
    // What still hangs is not waited for.
    runtime.shutdown_timeout(Duration::from_secs(1));
    served
}

async fn serve(chosen: Chosen, out: &mut impl Write) -> Result<(), Failure> {
    let Chosen { listen, config, .. } = chosen;
    let listener = TcpListener::bind(listen).await;
    let listener = listener.map_err(|why| Failure::input(format!("cannot listen on {listen}: {why}")))?;
    let listen = listener.local_addr().unwrap_or(listen);
    let asked = Asked::listen().map_err(|why| Failure::input(format!("signals cannot be caught: {why}")))?;
    let named = config.public_url.clone();
    let server = server::Server::open(config).await.map_err(Failure::input)?;
    tell(out, listen, named.as_ref())?;
    server.run(listener, ended(asked)).await;
    writeln!(out, "Stopped. Everything is stored.")?;
    Ok(())
}

/// Says where the server is, as an address that can be opened.
fn tell(out: &mut impl Write, listen: SocketAddr, named: Option<&PublicUrl>) -> Result<(), Failure> {
    let address = named.cloned().unwrap_or_else(|| PublicUrl::here(listen));
    writeln!(out, "fairdeal is at {address}")?;
    if named.is_none() && listen.ip().is_unspecified() {
        writeln!(out, "It listens at all addresses of this machine. --public-url says which one is for links.")?;
    }
    writeln!(out, "Stop it with Ctrl-C. Options: fairdeal serve --help")?;
    out.flush()?;
    Ok(())
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
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn,server=info"));
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // It is set once; where it is set already, that stays.
    let _ = match form {
        LogForm::Text => lines.with_ansi(false).try_init(),
        LogForm::Json => lines.json().try_init(),
    };
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
