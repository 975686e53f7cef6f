//! Private tables over a network, from a player's side.
//!
//! - `commands`: `fairdeal host` and `fairdeal join`.
//! - [`entrance`]: a table before a match; [`desk`]: the match.
//! - [`screen`]: both for a person in front of a terminal.
//! - `auto`: a member for whom a computer decides; `robots`: the computers that a player runs.
//! - `knocking`: how somebody without a ticket gets in.
//! - `files`: what a member keeps; `post`: nothing on its way to or from a hub is lost.
//! - `own`: a hub in this program.
//! - [`net`]: the connection to a hub, in a thread of its own.
//! - [`hub`]: requests to a hub: a new table, the table with a code.
//! - [`nearby`]: tables in the same network, announced and found.
//! - `radio`: tables over Bluetooth, in a room without any network.
//! - `transport`: connections, encrypted where the address says so.

mod auto;
mod commands;
pub mod desk;
pub mod entrance;
mod files;
pub mod hub;
mod knocking;
pub mod nearby;
pub mod net;
mod own;
mod post;
mod radio;
mod robots;
pub mod screen;
mod transport;

pub(crate) use commands::{host, join};
pub(crate) use own::reachable;
pub(crate) use transport::Stream;
pub use transport::{At, Unreachable};
