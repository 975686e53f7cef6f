//! What a server is told: on the command line, in variables, in a file. They count in this order.
//!
//! Commands beside a server read the same, so that they look at the same database.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use remote::Place;
use serde::Deserialize;
use server::Config;
use server::web::{Network, PublicUrl};

use crate::cli::{Listen, LogForm, PlaceArgs, ServeArgs};
use crate::failure::Failure;
use crate::lines::without_mark;

/// What a configuration file may say: the names of the options.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    listen: Option<Listen>,
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
    chain: Option<Vec<String>>,
    station: Option<bool>,
    log: Option<LogForm>,
}

/// Everything that was said, and defaults for the rest.
pub(crate) struct Chosen {
    pub(crate) listen: SocketAddr,
    pub(crate) config: Config,
    /// The data folder of the station, if the server is one.
    pub(crate) station: Option<PathBuf>,
    pub(crate) log: LogForm,
}

/// How a server is to run. What stands on the command line or in a variable is in `args` already.
pub(crate) fn choose(args: ServeArgs) -> Result<Chosen, Failure> {
    let file = File::named(args.place.config.as_deref())?;
    let public_url = match (args.public_url, &file.public_url) {
        (Some(url), _) => Some(url),
        (None, Some(url)) => Some(url.parse::<PublicUrl>().map_err(|why| file_says(&args.place, "public-url", why))?),
        (None, None) => None,
    };
    let proxies = match (args.trusted_proxy, file.trusted_proxy) {
        (named, Some(names)) if named.is_empty() => {
            let read = |name: String| {
                let bad = |why| file_says(&args.place, "trusted-proxy", format!("\"{name}\": {why}"));
                name.parse::<Network>().map_err(bad)
            };
            Some(names.into_iter().map(read).collect::<Result<_, _>>()?)
        }
        (named, _) => (!named.is_empty()).then_some(named),
    };
    let chain = match (args.chain, file.chain) {
        (named, Some(names)) if named.is_empty() => {
            let read = |name: String| {
                let bad = |why| file_says(&args.place, "chain", format!("\"{name}\": {why}"));
                name.parse::<Place>().map_err(bad)
            };
            names.into_iter().map(read).collect::<Result<_, _>>()?
        }
        (named, _) => named,
    };
    let is_station = args.station.or(file.station).unwrap_or(false);
    let folder = args.place.data.clone().or_else(|| file.data.clone());
    let station = if is_station { Some(data_folder(folder)?) } else { None };
    let config = Config {
        public_url,
        most_tables: args.max_tables.or(file.max_tables).unwrap_or(20_000),
        most_connections: args.max_connections.or(file.max_connections).unwrap_or(20_000),
        each_connections: args.connections_per_address.or(file.connections_per_address).unwrap_or(1_000),
        requests: args.requests_per_second.or(file.requests_per_second).unwrap_or(50),
        messages: args.messages_per_second.or(file.messages_per_second).unwrap_or(50),
        tables: args.tables_per_minute.or(file.tables_per_minute).unwrap_or(30),
        wrong_codes: args.wrong_codes_per_minute.or(file.wrong_codes_per_minute).unwrap_or(6),
        proxies,
        open_metrics: args.open_metrics.or(file.open_metrics).unwrap_or(false),
        keep_days: args.keep_days.or(file.keep_days).unwrap_or(0),
        chain,
        database: database(args.place, file.data, file.database)?,
    };
    Ok(Chosen {
        listen: args.listen.or(file.listen).map_or(SocketAddr::from(([127, 0, 0, 1], 7777)), |listen| listen.0),
        config,
        station,
        log: args.log.or(file.log).unwrap_or(LogForm::Text),
    })
}

/// The database that a server with these options has.
pub(crate) fn place(args: PlaceArgs) -> Result<String, Failure> {
    let file = File::named(args.config.as_deref())?;
    database(args, file.data, file.database)
}

/// A database that is named counts before a folder, wherever either is said: units and images always name a folder.
fn database(args: PlaceArgs, data: Option<PathBuf>, database: Option<String>) -> Result<String, Failure> {
    if let Some(database) = args.database.or(database) {
        return Ok(database);
    }
    let path = data_folder(args.data.or(data))?.join("fairdeal.sqlite");
    let path = path.to_str().ok_or_else(|| Failure::input(format!("{}: not text", path.display())))?;
    Ok(format!("sqlite:{path}"))
}

/// The folder that was asked for, or the user's own.
pub(crate) fn data_folder(asked: Option<PathBuf>) -> Result<PathBuf, Failure> {
    if let Some(folder) = asked {
        return Ok(folder);
    }
    let folders = directories::ProjectDirs::from("", "", "fairdeal");
    let folders = folders.ok_or_else(|| Failure::input("there is no data folder; use --data DIR"))?;
    Ok(folders.data_dir().to_owned())
}

/// ` --data FOLDER` as a shell reads it, for a command that finds this folder.
pub(crate) fn data_option(folder: &Path) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+:".contains(c);
    match folder.display().to_string() {
        folder if !folder.is_empty() && folder.chars().all(plain) => format!(" --data {folder}"),
        folder => format!(" --data '{}'", folder.replace('\'', "'\\''")),
    }
}

impl File {
    /// The file that was named; without one, a file that says nothing.
    fn named(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Self::default()) };
        let text = std::fs::read_to_string(path).map_err(|why| Failure::file(path, "read", &why))?;
        let text = without_mark(text);
        // Only what is wrong is said and where: the line itself may hold a password.
        toml::from_str(&text).map_err(|why| {
            let line =
                why.span().map_or(1, |span| text.get(..span.start).unwrap_or_default().matches('\n').count() + 1);
            Failure::input(format!("{}: line {line}: {}", path.display(), one_line(why.message())))
        })
    }
}

fn file_says(args: &PlaceArgs, name: &str, why: impl std::fmt::Display) -> Failure {
    let path = args.config.clone().unwrap_or_default();
    Failure::input(format!("{}: {name}: {why}", path.display()))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::cli::Cli;

    #[test]
    fn every_option_of_a_server_may_stand_in_the_file_and_in_a_variable() {
        let cli = Cli::command();
        let serve = cli.find_subcommand("serve").unwrap();
        let mut found = 0;
        for option in serve.get_arguments().filter(|option| option.get_id() != "config") {
            let name = option.get_long().unwrap();
            let variable = format!("FAIRDEAL_{}", name.to_uppercase().replace('-', "_"));
            assert_eq!(option.get_env().and_then(|name| name.to_str()), Some(variable.as_str()));
            let why = toml::from_str::<File>(&format!("{name} = {{}}")).err().unwrap().to_string();
            assert!(!why.contains("unknown field"), "{name}: {why}");
            found += 1;
        }
        assert_eq!(found, 17);
    }

    #[test]
    fn a_database_counts_before_a_folder_wherever_it_is_said() {
        let args = |data: Option<&str>, database: Option<&str>| PlaceArgs {
            data: data.map(PathBuf::from),
            database: database.map(str::to_owned),
            config: None,
        };
        let chosen = |args, data: Option<&str>, name: Option<&str>| {
            database(args, data.map(PathBuf::from), name.map(str::to_owned)).unwrap()
        };
        assert_eq!(chosen(args(Some("/a"), None), Some("/b"), Some("sqlite:/c")), "sqlite:/c");
        assert_eq!(chosen(args(Some("/a"), Some("sqlite:/d")), Some("/b"), Some("sqlite:/c")), "sqlite:/d");
        assert_eq!(chosen(args(Some("/a"), None), Some("/b"), None), "sqlite:/a/fairdeal.sqlite");
        assert_eq!(chosen(args(None, None), Some("/b"), None), "sqlite:/b/fairdeal.sqlite");
    }
}
