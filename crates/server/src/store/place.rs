//! Where the database is, and connections to it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Once;
use std::time::Duration;

use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::{AnyConnection, AnyPool, ConnectOptions, Connection};
use tokio::time::timeout;

use super::{StoreError, files};

/// How long a database may take to answer a new connection.
const PATIENCE: Duration = Duration::from_secs(5);

/// Settings of every SQLite connection. The log is written through to the disk with every commit (`FULL`). Every table
/// has a page that its entries are written to; the cache has room for those of a few thousand tables. A checkpoint
/// comes every 16,000 pages (64 MB), since it writes a page once that has changed many times since the last one.
const PRAGMAS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
    PRAGMA busy_timeout = 10000; PRAGMA wal_autocheckpoint = 16000; PRAGMA journal_size_limit = 67108864; \
    PRAGMA cache_size = -16000";

/// The parts of an address that name files, as PostgreSQL's own programs and the driver spell them.
const FILES: [&str; 7] = ["sslrootcert", "ssl-root-cert", "ssl-ca", "sslcert", "ssl-cert", "sslkey", "ssl-key"];

/// Where the database is. It has no `Debug`, since an address can hold a password.
#[derive(Clone)]
pub(super) enum Place {
    Sqlite(PathBuf),
    Postgres(String),
}

impl FromStr for Place {
    type Err = StoreError;

    fn from_str(address: &str) -> Result<Self, StoreError> {
        if let Some(path) = address.strip_prefix("sqlite:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            let path = PathBuf::from(path);
            return match path.file_name() {
                Some(name) if name != ":memory:" => Ok(Place::Sqlite(path)),
                _ => Err(StoreError::Address),
            };
        }
        if address.starts_with("postgres://") || address.starts_with("postgresql://") {
            return Ok(Place::Postgres(address.to_owned()));
        }
        Err(StoreError::Address)
    }
}

impl Place {
    /// Checks that the other files an address names can be read: certificates and keys. The driver would not say which
    /// one is missing.
    pub(super) fn check_files(&self) -> Result<(), StoreError> {
        let Place::Postgres(_) = self else { return Ok(()) };
        for (key, value) in self.options()?.database_url.query_pairs() {
            // The driver also accepts the text of a certificate.
            if FILES.contains(&key.as_ref()) && !value.trim_start().starts_with("-----BEGIN") {
                let path = Path::new(value.as_ref());
                std::fs::File::open(path).map_err(|error| files::trouble(path, error))?;
            }
        }
        Ok(())
    }

    /// The same error, with the name of the file if there is one: operators may have several.
    pub(super) fn named(&self, error: impl Into<StoreError>) -> StoreError {
        match (self, error.into()) {
            (Place::Sqlite(path), StoreError::Database(complaint)) => StoreError::DatabaseFile(path.clone(), complaint),
            (_, other) => other,
        }
    }

    /// A separate connection, ready for use.
    pub(super) async fn connect(&self) -> Result<AnyConnection, sqlx::Error> {
        let options = self.options()?;
        let connecting = async {
            let mut connection = AnyConnection::connect_with(&options).await?;
            self.prepare(&mut connection).await?;
            Ok(connection)
        };
        timeout(PATIENCE, connecting).await.unwrap_or(Err(sqlx::Error::PoolTimedOut))
    }

    /// Connections for reading.
    pub(super) fn pool(&self) -> Result<AnyPool, sqlx::Error> {
        let place = self.clone();
        let pool =
            AnyPoolOptions::new().max_connections(4).acquire_timeout(PATIENCE).after_connect(move |connection, _| {
                let place = place.clone();
                Box::pin(async move { place.prepare(connection).await })
            });
        Ok(pool.connect_lazy_with(self.options()?))
    }

    async fn prepare(&self, connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
        match self {
            Place::Sqlite(_) => sqlx::raw_sql(PRAGMAS).execute(connection).await.map(drop),
            Place::Postgres(_) => Ok(()),
        }
    }

    fn options(&self) -> Result<AnyConnectOptions, sqlx::Error> {
        static DRIVERS: Once = Once::new();
        DRIVERS.call_once(sqlx::any::install_default_drivers);
        let options = match self {
            Place::Sqlite(path) => AnyConnectOptions::from_str(&sqlite_address(path))?,
            Place::Postgres(address) => AnyConnectOptions::from_str(address)?,
        };
        Ok(options.disable_statement_logging())
    }
}

/// The path as an address, in which `?`, `#` and the like have no special meaning.
fn sqlite_address(path: &Path) -> String {
    let mut address = "sqlite://".to_owned();
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => address.push(char::from(*byte)),
            other => {
                let _ = write!(address, "%{other:02X}");
            }
        }
    }
    address
}
