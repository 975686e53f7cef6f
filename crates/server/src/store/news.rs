//! Changes by other servers on the same PostgreSQL.
//!
//! Every transaction that adds to logs also announces the ids of their tables, and nothing else: a server that wants
//! to know more reads the log, by the usual rules. PostgreSQL delivers the message when the transaction is committed,
//! in the order of commits. While the listener is disconnected nothing is kept for it, so after that anything may have
//! changed. A connection can die silently, and a quiet night is silent, too: so the listener checks from time to time
//! whether its connection is alive.

use std::collections::BTreeSet;
use std::time::Duration;

use sqlx::postgres::PgListener;
use sqlx::{AnyConnection, AnyPool, Executor as _};
use tokio::sync::broadcast;
use tokio::time::{sleep, timeout};

use super::batch::Outcome;
use super::{PrivateId, TableId};

/// The PostgreSQL channel of these messages, and the one for what is said beside the logs of private tables.
const CHANNEL: &str = "fairdeal_tables";
const ASIDE: &str = "fairdeal_private";

/// How many tables one message names: PostgreSQL takes less than 8,000 bytes. Ids of private tables are longer.
const TABLES_PER_MESSAGE: usize = 450;
const PRIVATE_PER_MESSAGE: usize = 120;

/// How long to wait without news before checking the connection, and how long the check may take.
pub(super) const QUIET: Duration = Duration::from_secs(10);

/// Something that happened to the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableChanged {
    /// Entries were added to this table's log.
    Table {
        /// The table.
        id: TableId,
        /// Whether this store did it.
        own: bool,
    },
    /// Entries were added to this private table's log.
    Private {
        /// The table.
        id: PrivateId,
        /// Whether this store did it.
        own: bool,
    },
    /// Messages may have been lost: any table may have changed.
    Missed,
}

/// Something that another server says about a private table, and that is not stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aside {
    /// Which server says it.
    pub server: u64,
    /// The table.
    pub table: PrivateId,
    /// What it says.
    pub text: String,
}

/// Tells all servers something about a private table.
pub(super) async fn tell_aside(pool: &AnyPool, instance: u64, table: PrivateId, text: &str) -> Result<(), sqlx::Error> {
    let message = format!("{instance:016x} {table} {text}");
    let telling = sqlx::query("SELECT CAST(pg_notify($1, $2) AS TEXT)").bind(ASIDE).bind(message);
    telling.execute(pool).await.map(drop)
}

/// What another server says; nothing if it is this one, or cannot be understood.
fn understand_aside(message: &str, instance: u64) -> Option<Aside> {
    let mut words = message.splitn(3, ' ');
    let server = u64::from_str_radix(words.next()?, 16).ok().filter(|server| *server != instance)?;
    let table = words.next()?.parse().ok()?;
    Some(Aside { server, table, text: words.next()?.to_owned() })
}

/// Announces what this transaction has changed, and returns the transaction's number.
pub(super) async fn tell(
    connection: &mut AnyConnection,
    instance: u64,
    outcome: &Outcome,
) -> Result<String, sqlx::Error> {
    let private = messages(instance, &outcome.private, PRIVATE_PER_MESSAGE);
    for message in messages(instance, &outcome.changed, TABLES_PER_MESSAGE).into_iter().chain(private) {
        sqlx::query("SELECT CAST(pg_notify($1, $2) AS TEXT)")
            .bind(CHANNEL)
            .bind(message)
            .execute(&mut *connection)
            .await?;
    }
    let (number,): (String,) =
        sqlx::query_as("SELECT CAST(pg_current_xact_id() AS TEXT)").fetch_one(&mut *connection).await?;
    Ok(number)
}

/// Passes on PostgreSQL's messages while somebody can listen.
pub(super) async fn listen(
    first: PgListener,
    address: String,
    instance: u64,
    news: broadcast::Sender<TableChanged>,
    asides: broadcast::Sender<Aside>,
    quiet: Duration,
) {
    let mut listener = Some(first);
    loop {
        let Some(listening) = &mut listener else {
            match connect(&address).await {
                Ok(again) => {
                    listener = Some(again);
                    let _ = news.send(TableChanged::Missed);
                }
                Err(_) => sleep(Duration::from_millis(200)).await,
            }
            continue;
        };
        match timeout(quiet, listening.try_recv()).await {
            Ok(Ok(Some(message))) if message.channel() == ASIDE => {
                if let Some(aside) = understand_aside(message.payload(), instance) {
                    let _ = asides.send(aside);
                }
            }
            Ok(Ok(Some(message))) => {
                for change in understand(message.payload(), instance) {
                    // Nobody may be listening right now.
                    let _ = news.send(change);
                }
            }
            Err(_) if lives(listening, quiet).await => {}
            Ok(Ok(None) | Err(_)) | Err(_) => listener = None,
        }
    }
}

/// A connection that receives all messages from now on.
pub(super) async fn connect(address: &str) -> Result<PgListener, sqlx::Error> {
    let connecting = async {
        let mut listener = PgListener::connect(address).await?;
        listener.eager_reconnect(false);
        listener.listen_all([CHANNEL, ASIDE]).await?;
        Ok(listener)
    };
    timeout(QUIET, connecting).await.unwrap_or(Err(sqlx::Error::PoolTimedOut))
}

/// Whether PostgreSQL still answers on this connection. Messages that arrive meanwhile are kept.
async fn lives(listener: &mut PgListener, patience: Duration) -> bool {
    matches!(timeout(patience, listener.execute("SELECT 1")).await, Ok(Ok(_)))
}

fn messages(instance: u64, tables: &BTreeSet<impl ToString>, most: usize) -> Vec<String> {
    let tables: Vec<String> = tables.iter().map(ToString::to_string).collect();
    tables.chunks(most).map(|tables| format!("{instance:016x} {}", tables.join(" "))).collect()
}

/// A message that cannot be decoded (perhaps another version's) still says that something changed.
fn understand(message: &str, instance: u64) -> Vec<TableChanged> {
    let mut words = message.split(' ');
    let own = words.next().is_some_and(|word| word == format!("{instance:016x}"));
    let change = |word: &str| match (word.parse(), word.parse()) {
        (Ok(id), _) => TableChanged::Table { id, own },
        (_, Ok(id)) => TableChanged::Private { id, own },
        _ => TableChanged::Missed,
    };
    words.map(change).collect()
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use sqlx::{Connection as _, PgConnection};

    use super::super::postgres::Postgres;
    use super::*;

    #[tokio::test]
    async fn a_connection_that_died_silently_is_noticed() {
        let address = Postgres::shared().database().await;
        let mut other = PgConnection::connect(&address).await.unwrap();
        let (news, mut heard) = broadcast::channel(100);
        let listener = connect(&address).await.unwrap();
        let (pid,): (i32,) = sqlx::query_as(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
        )
        .fetch_one(&mut other)
        .await
        .unwrap();
        let listening =
            tokio::spawn(listen(listener, address, 7, news, broadcast::channel(9).0, Duration::from_secs(2)));
        // Meanwhile the connection has been checked, and lost nothing by that.
        for id in 0..2 {
            sleep(Duration::from_secs(3)).await;
            sqlx::query("SELECT pg_notify($1, $2)")
                .bind(CHANNEL)
                .bind(format!("{:016x} {}", 8, TableId(id)))
                .execute(&mut other)
                .await
                .unwrap();
            assert_eq!(heard.recv().await.unwrap(), TableChanged::Table { id: TableId(id), own: false });
        }
        let signal = |name: &str| Command::new("kill").args([name, &pid.to_string()]).status().unwrap();
        assert!(signal("-STOP").success());
        let told = timeout(Duration::from_secs(60), heard.recv()).await;
        assert!(signal("-CONT").success());
        assert_eq!(told.expect("it is noticed").unwrap(), TableChanged::Missed);
        listening.abort();
    }

    #[test]
    fn messages_stay_below_the_limit_and_name_every_table() {
        let tables: BTreeSet<TableId> = (0..1000).map(|id| TableId(u64::MAX - id)).collect();
        let private: BTreeSet<PrivateId> = (0..200).map(|id| PrivateId([id; 32])).collect();
        let mut all = messages(7, &tables, TABLES_PER_MESSAGE);
        all.extend(messages(7, &private, PRIVATE_PER_MESSAGE));
        assert_eq!(all.len(), 5);
        assert!(all.iter().all(|message| message.len() < 8000));
        let heard: Vec<TableChanged> = all.iter().flat_map(|message| understand(message, 7)).collect();
        let told = tables.iter().map(|id| TableChanged::Table { id: *id, own: true });
        let private = private.iter().map(|id| TableChanged::Private { id: *id, own: true });
        assert_eq!(heard, told.chain(private).collect::<Vec<_>>());
    }

    #[test]
    fn messages_from_other_servers_are_not_taken_for_own_ones() {
        let message = format!("{:016x} {}", 8, TableId(3));
        assert_eq!(understand(&message, 7), [TableChanged::Table { id: TableId(3), own: false }]);
        assert_eq!(understand("gibberish here", 7), [TableChanged::Missed]);
        let table = PrivateId([3; 32]);
        let aside = Aside { server: 8, table, text: "h 3".to_owned() };
        assert_eq!(understand_aside(&format!("{:016x} {table} h 3", 8), 7), Some(aside));
        assert_eq!(understand_aside(&format!("{:016x} {table} h 3", 7), 7), None, "its own");
        assert_eq!(understand_aside("gibberish here too", 7), None);
    }
}
