//! Private tables over a network, from a player's side.
//!
//! - [`net`]: the connection to a hub, in a thread of its own.
//! - [`hub`]: requests to a hub: a new table, the table with a code.
//! - [`nearby`]: tables in the same network, announced and found.
//! - `transport`: connections, encrypted where the address says so.
//!
//! Nothing here knows what is in an entry.

pub mod hub;
pub mod nearby;
pub mod net;
mod transport;

pub use transport::{At, Unreachable};
