//! Private tables over Bluetooth LE, in a room without any network.
//!
//! ```text
//! guest: net ── socket in memory ── carry ── parcels::Link ── wire ── radio
//! host:  hub ── socket ─────────── carry ── parcels::Link ── wire ── radio      one for each guest
//! ```
//!
//! A hub knows nothing of radios: the host's program talks to its own hub for each guest, through a socket. `bluez` is
//! all that calls Bluetooth; it is there on Linux, if the program is built with the feature `bluetooth`.
//!
//! - `carry`: a socket's messages through a wire, and back.
//! - `serving`: the lines of all guests, at the host; `room`: what is said to all of them at once.
//! - `bluez`, or `without`: the radio; `guests`: who has written to it; `seeking`: who is asked for a table.

#![allow(dead_code, reason = "a program with Bluetooth and one without need different parts")]

#[cfg(all(feature = "bluetooth", target_os = "linux"))]
mod bluez;
mod carry;
mod guests;
#[cfg(test)]
pub(super) mod pretend;
mod room;
mod seeking;
mod serving;
#[cfg(test)]
mod tests;
#[cfg(not(all(feature = "bluetooth", target_os = "linux")))]
mod without;

use std::fmt;
use std::time::Duration;

use ::peer::TableId;
use parcels::{Limits, Link};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

use super::transport::Stream;
#[cfg(all(feature = "bluetooth", target_os = "linux"))]
use bluez as air;
pub(super) use serving::Serving;
#[cfg(not(all(feature = "bluetooth", target_os = "linux")))]
use without as air;

/// How many pieces may wait to be looked at. More are lost, and sent again.
const MOST_HEARD: usize = 1024;
/// How many parcels may wait to be written.
const MOST_WRITTEN: usize = 4;
/// The buffer of a socket in memory.
const BUFFER: usize = 64 << 10;

/// Why there is no Bluetooth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum NoRadio {
    /// The program was built without it.
    Without,
    /// Nothing in the system provides it, or may not be used.
    Unusable(String),
    /// Nobody with this name is in range.
    OutOfRange(String),
}

impl fmt::Display for NoRadio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Without => f.write_str(
                "this program was built without Bluetooth; on Linux, build it with --features bluetooth to have it",
            ),
            Self::Unusable(why) => write!(f, "Bluetooth cannot be used: {why}"),
            Self::OutOfRange(name) => write!(f, "{name} is not in range of Bluetooth"),
        }
    }
}

impl std::error::Error for NoRadio {}

/// What a host says about its table to everybody in range.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Sign {
    v: u8,
    table: String,
    /// The table's name.
    pub(super) name: String,
    /// The game's name.
    pub(super) game: String,
}

impl Sign {
    pub(super) fn new(table: TableId, name: &str, game: &str) -> Self {
        Self { v: 1, table: table.to_string(), name: name.to_owned(), game: game.to_owned() }
    }

    fn text(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Reads a sign. Anybody may have made it, so everything is checked.
    fn read(bytes: &[u8]) -> Option<Self> {
        let sign: Self = serde_json::from_slice(bytes.get(..bytes.len().min(parcels::MOST_PIECE))?).ok()?;
        let shown = |text: &str| text.len() <= super::nearby::LONGEST_NAME && !text.chars().any(char::is_control);
        let fits = sign.v == 1 && shown(&sign.name) && games::AnyGame::from_name(&sign.game).is_some();
        (fits && sign.table().is_some()).then_some(sign)
    }

    /// The table.
    pub(super) fn table(&self) -> Option<TableId> {
        super::hub::table_id(&self.table)
    }
}

/// A way to one other end, piece by piece.
pub(super) struct Wire {
    /// What was heard.
    heard: mpsc::Receiver<Vec<u8>>,
    /// What is to be written: the pieces of a parcel, one after another.
    write: mpsc::Sender<Vec<Vec<u8>>>,
    /// How many bytes a piece may have.
    piece: usize,
    /// What a guest asks of the host.
    limits: Limits,
    /// Whether everybody who is connected hears what is written.
    everybody: bool,
    /// What ends when nothing more is heard and written: the connection.
    connection: Option<JoinHandle<()>>,
}

/// A socket as if there were a network, and the task that carries it. The task goes on for a moment after the socket is
/// closed, so that what was said before gets there.
pub(super) type Carried = (WebSocketStream<Box<dyn Stream>>, JoinHandle<()>);

/// Connects to the table's hub at the host with this name. Who only knocks comes back at once if they are let in, so the
/// connection stays; the host ends it if they do not.
pub(super) async fn connect(
    name: &str,
    table: TableId,
    knocks: bool,
    config: WebSocketConfig,
) -> Result<Carried, NoRadio> {
    #[cfg(test)]
    let pretended = pretend::connect(name);
    #[cfg(not(test))]
    let pretended: Option<Wire> = None;
    let wire = match pretended {
        Some(wire) => wire,
        None => air::connect(name, table, knocks).await?,
    };
    let (ours, theirs) = tokio::io::duplex(BUFFER);
    let ours = WebSocketStream::from_raw_socket(Box::new(ours) as Box<dyn Stream>, Role::Client, Some(config)).await;
    let theirs = WebSocketStream::from_raw_socket(theirs, Role::Server, Some(config)).await;
    let session = getrandom::u32().map_err(|why| NoRadio::Unusable(why.to_string()))?;
    let link = Link::guest(session, wire.limits);
    let carrying = tokio::spawn(async move {
        let over = carry::carry(link, wire, theirs, carry::Host::default()).await;
        tracing::debug!(?over, "the line over Bluetooth is over");
    });
    Ok((ours, carrying))
}

/// The tables whose hosts answer within about this time, each with the name of its host.
pub(super) fn find(patience: Duration) -> Result<Vec<(String, Sign)>, NoRadio> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|why| NoRadio::Unusable(why.to_string()))?;
    let found = runtime.block_on(air::find(patience));
    runtime.shutdown_background();
    found
}
