//! A node of a poker chain.
//!
//! It agrees with others on blocks ([`consensus`]), executes them ([`chain`]), deals cards if it is a validator, and
//! answers players and wallets.
//!
//! # Layout
//!
//! - [`home`]: the folder of a node
//! - [`disk`]: the database
//! - [`core`](mod@core): the state, and what waits for a block
//! - `agree`: what the engine asks
//! - [`counts`]: figures for those who watch over the node
//! - [`pool`]: transactions that wait for a block
//! - `proposals`: blocks that have been proposed and not yet decided
//! - [`dealing`]: the node's part in dealing
//! - [`gossip`]: transactions on their way to other nodes
//! - [`faucet`]: coins for newcomers
//! - [`rpc`]: questions of players and wallets
//! - [`client`]: questions to a node that runs
//! - [`join`]: the folder of a new node, and the stake of a validator
//! - [`snapshot`] and [`restore`]: how a new node begins without all the blocks
//! - [`network`]: the first validators of a new chain
//! - [`run`]: a node from start to stop
//! - `release`: a validator that was silent takes part again
//! - `watch`: notices when the disk can no longer be written
//! - [`dev`] and [`bots`](mod@bots): a chain to try out, with computers at a table

mod agree;
pub mod bots;
pub mod client;
pub mod core;
pub mod counts;
pub mod dealing;
pub mod dev;
pub mod disk;
pub mod faucet;
pub mod gossip;
pub mod home;
pub mod join;
pub mod network;
pub mod pool;
mod proposals;
mod release;
pub mod restore;
pub mod rpc;
pub mod run;
pub mod snapshot;
mod watch;
