//! The folder of a new node that joins a chain, and what its operator does with its stake.

use core::fmt::Display;
use core::net::SocketAddr;
use core::time::Duration;
use std::fs;
use std::path::{Path, PathBuf};

use chain::bank::AccountOf;
use chain::client::Wallet;
use chain::params::ParamsKey;
use chain::staking::{self, Standing, ValidatorOf, possession};
use chain::store::{Key, Proof, Store};
use chain::{Body, Coins, Genesis, Hash, hex, unhex};
use ed25519_dalek::Signer as _;
use serde_json::{Value, json};
use zeroize::Zeroizing;

use crate::client::{self, Line};
use crate::home::{Home, Settings, read_secret};

/// How long a transaction may take to get into a block.
const PATIENCE: Duration = Duration::from_secs(60);

/// Where a new node gets the genesis from.
#[derive(Clone, Debug)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// A node that runs.
    Node(SocketAddr),
}

impl Source {
    /// The genesis. One from a node is whatever that node says: its name must be compared with one from elsewhere.
    pub async fn genesis(&self) -> Result<Genesis, String> {
        let bytes = match self {
            Self::File(file) => fs::read(file).map_err(|why| format!("{}: {why}", file.display()))?,
            Self::Node(rpc) => {
                let answer = client::ask(*rpc, "genesis", json!({})).await?;
                let bytes = answer.get("genesis").and_then(Value::as_str).and_then(unhex);
                bytes.ok_or("the node's answer has no genesis")?
            }
        };
        let genesis: Genesis = borsh::from_slice(&bytes).map_err(|_| "this is not a genesis")?;
        genesis.check().map_err(|why| why.to_string())?;
        Ok(genesis)
    }
}

/// Makes the folder of a new node. With `validator`, it gets a new consensus key.
pub fn init(home: &Home, genesis: &Genesis, settings: &Settings, validator: bool) -> Result<(), String> {
    let said = |why: &dyn Display| why.to_string();
    let mut secret = Zeroizing::new([0; 32]);
    getrandom::fill(&mut *secret).map_err(|why| said(&why))?;
    home.create(settings, validator.then_some(&*secret)).map_err(|why| said(&why))?;
    home.set_genesis(genesis).map_err(|why| said(&why))
}

/// What an operator does with the stake of a validator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stake {
    /// Stakes more; the first time, registers the validator.
    Bond(Coins),
    /// Takes stake out.
    Unbond(Coins),
    /// Releases the validator from jail.
    Release,
}

/// Carries it out through the node itself, which must run. The operator's key is the one in `operator`, or the validator's
/// own. Returns what to tell.
pub async fn stake(home: &Home, operator: Option<&Path>, what: Stake) -> Result<String, String> {
    let said = |why: &dyn Display| why.to_string();
    let key = home.validator_key().map_err(|why| said(&why))?;
    let key = key.ok_or("this node has no validator.key: make one with `fairdeal-node init --validator`")?;
    let wallet = match operator {
        Some(file) => Wallet::new(&*read_secret(file).map_err(|why| said(&why))?),
        None => Wallet::new(&key.to_bytes()),
    };
    let rpc = home.settings().map_err(|why| said(&why))?.rpc;
    let chain = home.genesis().map_err(|why| said(&why))?.chain();
    let consensus = chain::Address(key.verifying_key().to_bytes());
    let mut line = Line::open(rpc).await?;
    let store =
        look(&mut line, &[ParamsKey().bytes(), AccountOf(wallet.address()).bytes(), ValidatorOf(consensus).bytes()])
            .await?;
    if store.get(&ParamsKey()).is_none() {
        return Err("the node does not show the chain's parameters".to_owned());
    }
    let known = store.get(&ValidatorOf(consensus));
    let tx = match (what, known) {
        (Stake::Bond(stake), None) => {
            let proof = key.sign(&possession(&chain, &wallet.address(), &consensus)).to_bytes();
            staking::Tx::Register { consensus, stake, proof }
        }
        (Stake::Bond(coins), Some(_)) => staking::Tx::Bond { consensus, coins },
        (Stake::Unbond(coins), _) => staking::Tx::Unbond { consensus, coins },
        (Stake::Release, _) => staking::Tx::Unjail { consensus },
    };
    let signed = wallet.pay(&store, chain, Body::Staking(tx));
    let id = signed.id();
    let bytes = hex(&borsh::to_vec(&signed).map_err(|why| said(&why))?);
    line.ask("submit", json!({ "transaction": bytes })).await?;
    receipt(&mut line, &id).await?;
    let store = look(&mut line, &[ValidatorOf(consensus).bytes()]).await?;
    Ok(match store.get(&ValidatorOf(consensus)) {
        None => format!("{consensus} has no stake any more"),
        Some(validator) => {
            let standing = match validator.standing {
                Standing::Free => "free",
                Standing::Silenced { .. } | Standing::Jailed { .. } => "jailed",
                Standing::Removed => "removed",
            };
            format!("{consensus} has staked {}, and is {standing}", validator.stake)
        }
    })
}

/// Entries of the state, as this node says.
async fn look(line: &mut Line, keys: &[Vec<u8>]) -> Result<Store, String> {
    let keys: Vec<String> = keys.iter().map(|key| hex(key)).collect();
    let answer = line.ask("entries", json!({ "keys": keys })).await?;
    let wrong = "the node's answer has no entries";
    let root = answer.get("root").and_then(Value::as_str).and_then(unhex);
    let root = root.and_then(|root| Hash::try_from(root).ok()).ok_or(wrong)?;
    let entry = |entry: &Value| -> Option<(Vec<u8>, Option<Vec<u8>>, Proof)> {
        let value = match entry.get("value")?.as_str() {
            Some(value) => Some(unhex(value)?),
            None => None,
        };
        let proof = borsh::from_slice(&unhex(entry.get("proof")?.as_str()?)?).ok()?;
        Some((unhex(entry.get("key")?.as_str()?)?, value, proof))
    };
    let entries = answer.get("entries").and_then(Value::as_array).ok_or(wrong)?;
    let entries: Vec<_> = entries.iter().map(entry).collect::<Option<_>>().ok_or(wrong)?;
    Store::proven(&root, entries).map_err(|why| why.to_string())
}

/// Waits until a transaction was carried out.
async fn receipt(line: &mut Line, id: &Hash) -> Result<(), String> {
    let until = tokio::time::Instant::now() + PATIENCE;
    loop {
        let answer = line.ask("receipt", json!({ "id": hex(id) })).await?;
        let text = |name: &str| answer.get(name).and_then(Value::as_str);
        match text("outcome") {
            Some("done") => return Ok(()),
            Some(_) => return Err(text("why").unwrap_or("the transaction failed").to_owned()),
            None if tokio::time::Instant::now() > until => {
                return Err(format!("transaction {} is not in a block yet: look again later", hex(id)));
            }
            None => tokio::time::sleep(Duration::from_millis(200)).await,
        }
    }
}
