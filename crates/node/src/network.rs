//! The first validators of a new chain, each with its folder, on one computer.

use core::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;

use chain::client::Wallet;
use chain::{Address, Coins, FirstValidator, Genesis, Params};
use zeroize::Zeroizing;

use crate::core::now;
use crate::home::{Home, Settings};

/// What every first validator has staked.
pub const STAKE: Coins = Coins(10_000_000_000);

/// What every first account has.
pub const WEALTH: Coins = Coins(1_000_000_000_000);

/// A new chain.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What it is called.
    pub name: String,
    /// How many validators.
    pub validators: u8,
    /// The first port; every node has two.
    pub port: u16,
    /// How many seats a committee has.
    pub members: u8,
    /// How many blocks a committee deals.
    pub epoch_blocks: u64,
    /// Who has coins at first, besides the validators.
    pub accounts: Vec<Address>,
}

impl Plan {
    /// Where the node with this number listens for other nodes, and for everybody.
    pub fn addresses(&self, number: u16) -> (SocketAddr, SocketAddr) {
        let at = |port| SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port);
        let first = self.port + 2 * number;
        (at(first), at(first + 1))
    }

    /// Makes the folders of all nodes under this one: `node0`, `node1` and so on.
    pub fn create(&self, under: &Path) -> Result<Vec<Home>, String> {
        let said = |why: &dyn core::fmt::Display| why.to_string();
        let count = u16::from(self.validators);
        let mut secrets = Vec::new();
        for _ in 0..count {
            let mut secret = Zeroizing::new([0; 32]);
            getrandom::fill(&mut *secret).map_err(|why| said(&why))?;
            secrets.push(secret);
        }
        let genesis = self.genesis(&secrets.iter().map(|secret| Wallet::new(secret).address()).collect::<Vec<_>>());
        genesis.check().map_err(|why| said(&why))?;
        let all: Vec<(SocketAddr, SocketAddr)> = (0..count).map(|number| self.addresses(number)).collect();
        let mut homes = Vec::new();
        for (number, secret) in (0..).zip(&secrets) {
            let home = Home::new(under.join(format!("node{number}")));
            let (listen, rpc) = self.addresses(number);
            let others = || all.iter().filter(|(other, _)| *other != listen);
            let settings = Settings {
                name: format!("node{number}"),
                listen,
                rpc,
                peers: others().map(|(peer, _)| *peer).collect(),
                gossip: others().map(|(_, rpc)| *rpc).collect(),
                both: false,
                dealer: true,
            };
            home.create(&settings, Some(secret)).map_err(|why| said(&why))?;
            home.set_genesis(&genesis).map_err(|why| said(&why))?;
            homes.push(home);
        }
        Ok(homes)
    }

    fn genesis(&self, validators: &[Address]) -> Genesis {
        let mut params = Params::default();
        params.dealer.members = self.members;
        params.dealer.epoch_blocks = self.epoch_blocks;
        params.tables.hand_gap = 1;
        let first = |address: &Address| FirstValidator { consensus: *address, operator: *address, stake: STAKE };
        Genesis {
            name: self.name.clone(),
            time: now(),
            params,
            accounts: validators.iter().chain(&self.accounts).map(|address| (*address, WEALTH)).collect(),
            validators: validators.iter().map(first).collect(),
        }
    }
}
