//! A node of a poker chain.
//!
//! It agrees with others on blocks ([`consensus`]), executes them ([`chain`]), deals cards if it is a validator, and
//! answers players and wallets.
//!
//! # Layout
//!
//! - [`home`]: the folder of a node
//! - [`disk`]: the database
//! - [`core`](mod@core): the state, and what the engine asks
//! - [`pool`]: transactions that wait for a block
//! - `proposals`: blocks that have been proposed and not yet decided
//! - [`dealing`]: the node's part in dealing
//! - [`gossip`]: transactions on their way to other nodes
//! - [`faucet`]: coins for newcomers
//! - [`rpc`]: questions of players and wallets
//! - [`client`]: questions to a node that runs
//! - [`network`]: the first validators of a new chain
//! - [`run`]: a node from start to stop
//! - [`dev`] and [`bots`](mod@bots): a chain to try out, with computers at a table

pub mod bots;
pub mod client;
pub mod core;
pub mod dealing;
pub mod dev;
pub mod disk;
pub mod faucet;
pub mod gossip;
pub mod home;
pub mod network;
pub mod pool;
mod proposals;
pub mod rpc;
pub mod run;
