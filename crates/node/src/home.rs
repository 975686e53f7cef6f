//! The folder of a node: its keys, its settings, the genesis, and its data.
//!
//! ```text
//! genesis         how the chain begins (borsh)
//! node.toml       settings
//! node.key        identifies the node to others        (only its owner can read it)
//! faucet.key      the account that coins are given away from; if there is one  (only its owner can read it)
//! validator.key   signs blocks and deals; if there is one  (only its owner can read it)
//! seeds/          what cards are dealt with; never back it up  (only its owner can read it)
//! data/           the chain: chain.redb, and signed.log
//! ```

use core::fmt;
use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use chain::{Genesis, hex, unhex};
use ed25519_dalek::SigningKey;
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use crate::dealing::{private_folder, write_secret};

/// A node's settings.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// What the node is called in logs and metrics.
    pub name: String,
    /// Where it listens for other nodes.
    pub listen: SocketAddr,
    /// Where it listens for players, wallets and transactions of other nodes.
    pub rpc: SocketAddr,
    /// Where other nodes listen for each other.
    #[serde(default)]
    pub peers: Vec<SocketAddr>,
    /// Where other nodes listen for transactions.
    #[serde(default)]
    pub gossip: Vec<SocketAddr>,
    /// Whether they send theirs back over the same line: for a node that they do not know.
    #[serde(default)]
    pub both: bool,
    /// Whether it deals, if it is a validator.
    #[serde(default = "yes")]
    pub dealer: bool,
}

const fn yes() -> bool {
    true
}

/// The folder of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Home(PathBuf);

/// Why a node's folder cannot be used.
#[derive(Debug)]
pub struct BadHome {
    what: String,
    why: String,
}

impl fmt::Display for BadHome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.why)
    }
}

impl core::error::Error for BadHome {}

fn bad(path: &Path, why: impl fmt::Display) -> BadHome {
    BadHome { what: path.display().to_string(), why: why.to_string() }
}

impl Home {
    /// The node in this folder.
    pub const fn new(folder: PathBuf) -> Self {
        Self(folder)
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// Makes a new folder with new keys. One that has a node already is left alone.
    pub fn create(&self, settings: &Settings, validator: Option<&[u8; 32]>) -> Result<(), BadHome> {
        let io = |path: &Path, done: io::Result<()>| done.map_err(|why| bad(path, why));
        if self.0.join("node.toml").exists() {
            return Err(bad(&self.0, "there is a node in this folder already"));
        }
        io(&self.0, fs::create_dir_all(self.0.join("data")))?;
        io(&self.0, private_folder(&self.0.join("seeds")))?;
        let mut secret = Zeroizing::new([0; 32]);
        getrandom::fill(&mut *secret).map_err(|why| bad(&self.0, why))?;
        let key = self.0.join("node.key");
        io(&key, write_secret(&key, Zeroizing::new(hex(&*secret)).as_bytes()))?;
        if let Some(validator) = validator {
            let key = self.0.join("validator.key");
            io(&key, write_secret(&key, Zeroizing::new(hex(validator)).as_bytes()))?;
        }
        let file = self.0.join("node.toml");
        let text = toml::to_string_pretty(settings).map_err(|why| bad(&file, why))?;
        io(&file, fs::write(&file, text))
    }

    /// Writes the genesis.
    pub fn set_genesis(&self, genesis: &Genesis) -> Result<(), BadHome> {
        let file = self.0.join("genesis");
        let bytes = borsh::to_vec(genesis).map_err(|why| bad(&file, why))?;
        fs::write(&file, bytes).map_err(|why| bad(&file, why))
    }

    /// How the chain begins.
    pub fn genesis(&self) -> Result<Genesis, BadHome> {
        let file = self.0.join("genesis");
        let bytes = fs::read(&file).map_err(|why| bad(&file, why))?;
        let genesis: Genesis = borsh::from_slice(&bytes).map_err(|_| bad(&file, "this is not a genesis"))?;
        genesis.check().map_err(|why| bad(&file, why))?;
        Ok(genesis)
    }

    /// The settings.
    pub fn settings(&self) -> Result<Settings, BadHome> {
        let file = self.0.join("node.toml");
        let text = fs::read_to_string(&file).map_err(|why| match why.kind() {
            io::ErrorKind::NotFound => {
                bad(&self.0, "there is no node in this folder; `fairdeal-node testnet` makes some")
            }
            _ => bad(&file, why),
        })?;
        toml::from_str(&text).map_err(|why| bad(&file, why.message()))
    }

    /// The secret that identifies the node to others.
    pub fn node_key(&self) -> Result<Zeroizing<[u8; 32]>, BadHome> {
        read_secret(&self.0.join("node.key"))
    }

    /// The consensus key, if the node has one.
    pub fn validator_key(&self) -> Result<Option<SigningKey>, BadHome> {
        let file = self.0.join("validator.key");
        if !file.exists() {
            return Ok(None);
        }
        Ok(Some(SigningKey::from_bytes(&*read_secret(&file)?)))
    }

    /// The secret of the account that coins are given away from, if this node does that.
    pub fn faucet_key(&self) -> Result<Option<Zeroizing<[u8; 32]>>, BadHome> {
        let file = self.faucet_file();
        if file.exists() { read_secret(&file).map(Some) } else { Ok(None) }
    }

    /// Gives coins away from the account with this secret.
    pub fn set_faucet_key(&self, secret: &[u8; 32]) -> Result<(), BadHome> {
        let file = self.faucet_file();
        write_secret(&file, Zeroizing::new(hex(secret)).as_bytes()).map_err(|why| bad(&file, why))
    }

    fn faucet_file(&self) -> PathBuf {
        self.0.join("faucet.key")
    }

    /// The database.
    pub fn database(&self) -> PathBuf {
        self.0.join("data").join("chain.redb")
    }

    /// The chain, and what was signed.
    pub fn data(&self) -> PathBuf {
        self.0.join("data")
    }

    /// What was signed.
    pub fn signed(&self) -> PathBuf {
        self.0.join("data").join("signed.log")
    }

    /// What cards are dealt with.
    pub fn seeds(&self) -> PathBuf {
        self.0.join("seeds")
    }
}

pub(crate) fn read_secret(file: &Path) -> Result<Zeroizing<[u8; 32]>, BadHome> {
    let text = Zeroizing::new(fs::read_to_string(file).map_err(|why| bad(file, why))?);
    let bytes = Zeroizing::new(unhex(text.trim_end()).unwrap_or_default());
    let key = <[u8; 32]>::try_from(bytes.as_slice()).map_err(|_| bad(file, "a key has 64 hexadecimal digits"))?;
    Ok(Zeroizing::new(key))
}
