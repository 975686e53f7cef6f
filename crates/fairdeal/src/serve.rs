//! `fairdeal serve`: the lobby and the tables in browsers.

use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use server::Config;
use server::web::Network;
use tokio::net::TcpListener;
use tracing_subscriber::EnvFilter;

use crate::cli::{LogForm, ServeArgs};
use crate::failure::Failure;

/// What a configuration file may say: the names of the options.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    listen: Option<SocketAddr>,
    public_url: Option<String>,
    data: Option<PathBuf>,
    database: Option<String>,
    max_tables: Option<usize>,
    max_connections: Option<usize>,
    connections_per_address: Option<usize>,
    requests_per_second: Option<u32>,
    messages_per_second: Option<u32>,
    tables_per_minute: Option<u32>,
    wrong_codes_per_minute: Option<u32>,
    trusted_proxy: Option<Vec<String>>,
    open_metrics: Option<bool>,
    keep_days: Option<u32>,
    log: Option<LogForm>,
}

/// Everything that was said, and defaults for the rest.
struct Chosen {
    listen: SocketAddr,
    config: Config,
    public_url: Option<String>,
    log: LogForm,
}

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
    let Chosen { listen, mut config, public_url, .. } = chosen;
    let listener = TcpListener::bind(listen).await;
    let listener = listener.map_err(|why| Failure::input(format!("cannot listen on {listen}: {why}")))?;
    let address = listener.local_addr().unwrap_or(listen);
    let asked = Asked::listen().map_err(|why| Failure::input(format!("signals cannot be caught: {why}")))?;
    config.public_url = public_url.unwrap_or_else(|| format!("http://{address}"));
    let address = config.public_url.clone();
    let server = server::Server::open(config).await.map_err(Failure::input)?;
    writeln!(out, "fairdeal is at {address}\nStop it with Ctrl-C. Options: fairdeal serve --help")?;
    out.flush()?;
    server.run(listener, ended(asked)).await;
    writeln!(out, "Stopped. Everything is stored.")?;
    Ok(())
}

/// Whoever wants the server to end: listened to before anybody is told that it runs.
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

/// Waits until somebody wants the server to end; whoever wants it twice does not wait.
async fn ended(mut asked: Asked) {
    asked.heard().await;
    tracing::info!("ending");
    tokio::spawn(async move {
        asked.heard().await;
        std::process::exit(130);
    });
}

/// The command line, then variables, then the file, then defaults.
fn choose(args: ServeArgs) -> Result<Chosen, Failure> {
    let file = match &args.config {
        Some(path) => read(path)?,
        None => File::default(),
    };
    let database = database(args.data.or(file.data), args.database.or(file.database))?;
    let public_url = args.public_url.or(file.public_url);
    if let Some(url) = &public_url {
        let fine = url.starts_with("http://") || url.starts_with("https://");
        if !fine {
            return Err(Failure::input(format!("--public-url {url}: it must begin with http:// or https://")));
        }
    }
    Ok(Chosen {
        listen: args.listen.or(file.listen).unwrap_or(SocketAddr::from(([127, 0, 0, 1], 7777))),
        config: Config {
            database,
            public_url: String::new(),
            most_tables: args.max_tables.or(file.max_tables).unwrap_or(20_000),
            most_connections: args.max_connections.or(file.max_connections).unwrap_or(20_000),
            each_connections: args.connections_per_address.or(file.connections_per_address).unwrap_or(1_000),
            requests: args.requests_per_second.or(file.requests_per_second).unwrap_or(50),
            messages: args.messages_per_second.or(file.messages_per_second).unwrap_or(50),
            tables: args.tables_per_minute.or(file.tables_per_minute).unwrap_or(30),
            wrong_codes: args.wrong_codes_per_minute.or(file.wrong_codes_per_minute).unwrap_or(6),
            proxies: proxies(args.trusted_proxy, file.trusted_proxy)?,
            open_metrics: args.open_metrics || file.open_metrics.unwrap_or(false),
            keep_days: args.keep_days.or(file.keep_days).unwrap_or(0),
        },
        public_url,
        log: args.log.or(file.log).unwrap_or(LogForm::Text),
    })
}

/// The proxies that are believed, if it was said which.
fn proxies(args: Vec<Network>, file: Option<Vec<String>>) -> Result<Option<Vec<Network>>, Failure> {
    if !args.is_empty() {
        return Ok(Some(args));
    }
    let read = |text: String| {
        text.parse::<Network>().map_err(|why| Failure::input(format!("trusted-proxy \"{text}\": {why}")))
    };
    file.map(|file| file.into_iter().map(read).collect()).transpose()
}

/// The database that is meant.
pub(crate) fn database(data: Option<PathBuf>, database: Option<String>) -> Result<String, Failure> {
    if let Some(database) = database {
        return Ok(database);
    }
    let data = match data {
        Some(data) => data,
        None => data_folder()?,
    };
    let path = data.join("fairdeal.sqlite");
    let path = path.to_str().ok_or_else(|| Failure::input(format!("{}: not text", path.display())))?;
    Ok(format!("sqlite:{path}"))
}

fn read(path: &Path) -> Result<File, Failure> {
    let text = std::fs::read_to_string(path).map_err(|why| Failure::file(path, "read", &why))?;
    toml::from_str(&text).map_err(|why| {
        let why = why.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        Failure::input(format!("{}: {why}", path.display()))
    })
}

fn data_folder() -> Result<PathBuf, Failure> {
    let folders = directories::ProjectDirs::from("", "", "fairdeal");
    let folders = folders.ok_or_else(|| Failure::input("there is no folder for data; give --data DIR"))?;
    Ok(folders.data_dir().to_owned())
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
