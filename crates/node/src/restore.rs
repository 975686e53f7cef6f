//! A new node that begins with a snapshot: fetched from a node that runs, or from a file, and checked.

use core::fmt::Display;
use core::net::SocketAddr;
use core::str::FromStr;

use chain::light::{BadCertificate, Decided, Doubt, Light};
use chain::{Genesis, Hash, Header, hex, unhex};
use serde_json::{Value, json};

use crate::client::Line;
use crate::core::now;
use crate::disk::Disk;
use crate::home::Home;
use crate::snapshot::{MOST_BYTES, Snapshot};

/// The most headers that are asked for on the way to a snapshot.
const MOST_STEPS: u32 = 200;

/// A block that the operator vouches for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trust {
    /// Its height.
    pub height: u64,
    /// The hash of its header.
    pub hash: Hash,
}

impl FromStr for Trust {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let expected = "expected HEIGHT:HASH, as `fairdeal-node status` shows them";
        let (height, hash) = text.split_once(':').ok_or(expected)?;
        let hash = unhex(hash).and_then(|hash| Hash::try_from(hash).ok()).ok_or(expected)?;
        Ok(Self { height: height.parse().map_err(|_| expected)?, hash })
    }
}

/// Fetches the newest snapshot of a node. Nothing of it has been checked.
pub async fn fetch(line: &mut Line) -> Result<Snapshot, String> {
    let answer = line.ask("snapshot", json!({})).await?;
    let nothing = "the node has no snapshot yet: try again after its next block";
    let number = |name: &str| answer.get(name).and_then(Value::as_u64).ok_or(nothing);
    let (height, bytes, part) = (number("height")?, number("bytes")?, number("part")?);
    if bytes > MOST_BYTES || part == 0 {
        return Err(format!("a snapshot has at most {MOST_BYTES} bytes, but the node offers one of {bytes}"));
    }
    let (last, next): (Header, Decided) = decoded(&answer, "proof")?;
    let mut state = Vec::new();
    for number in 0..bytes.div_ceil(part) {
        let answer = line.ask("snapshot_part", json!({ "height": height, "part": number })).await?;
        let data = answer.get("data").and_then(Value::as_str).and_then(unhex);
        let data = data.ok_or("the node has stopped sending the snapshot: try again")?;
        // Every part is as long as was said, so that nobody can send for ever.
        let expected = part.min(bytes - number * part);
        if u64::try_from(data.len()) != Ok(expected) {
            return Err(format!("part {number} of the snapshot must have {expected} bytes, not {}", data.len()));
        }
        state.extend_from_slice(&data);
    }
    Ok(Snapshot { last, next, state })
}

/// What is trusted at first: a block that the operator vouches for, or the genesis.
async fn anchor(line: &mut Line, genesis: &Genesis, trust: Option<Trust>) -> Result<Light, String> {
    let Some(Trust { height, hash }) = trust else { return Ok(Light::new(genesis)) };
    let block = header(line, height).await?;
    let before = header(line, height.saturating_sub(1)).await?.header;
    Light::trusted(&genesis.chain(), &before, &block, &hash)
        .map_err(|why| format!("the node's block {height} is not the trusted one: {why}"))
}

/// Moves what is trusted so close to a block that this can be taken. Where too many validators have changed at once, the
/// way is halved.
async fn approach(line: &mut Line, light: &mut Light, to: &Snapshot, trusted: u64) -> Result<(), String> {
    let target = to.next.header.height;
    let (mut last, mut next) = (to.last.clone(), to.next.clone());
    for _ in 0..MOST_STEPS {
        let mut tried = light.clone();
        match tried.skip(&last, &next, now(), trusted) {
            Ok(()) if tried.height() == target => return Ok(()),
            Ok(()) => {
                *light = tried;
                (last, next) = (to.last.clone(), to.next.clone());
            }
            Err(Doubt::Certificate(BadCertificate::Power { .. })) if next.header.height > light.height() + 1 => {
                let middle = light.height().midpoint(next.header.height).max(light.height() + 1);
                next = header(line, middle).await?;
                last = if middle > 1 { header(line, middle - 1).await?.header } else { next.header.clone() };
            }
            // What is wrong with the snapshot itself is said when it is checked.
            Err(_) if next.header.height == target => return Ok(()),
            Err(why) => return Err(format!("block {} is not proven: {why}", next.header.height)),
        }
    }
    Err("the validators have changed too often: give a newer block with --trust HEIGHT:HASH".to_owned())
}

async fn header(line: &mut Line, height: u64) -> Result<Decided, String> {
    let answer = line.ask("header", json!({ "height": height })).await?;
    if answer.is_null() {
        return Err(format!("the node does not have block {height}: ask another one, or trust a newer block"));
    }
    decoded(&answer, "decided")
}

fn decoded<T: borsh::BorshDeserialize>(answer: &Value, name: &str) -> Result<T, String> {
    let bytes = answer.get(name).and_then(Value::as_str).and_then(unhex);
    bytes.and_then(|bytes| borsh::from_slice(&bytes).ok()).ok_or_else(|| format!("the node's {name:?} cannot be read"))
}

/// Begins a node's chain with the newest snapshot of another node. Returns the height.
pub async fn from_node(home: &Home, rpc: SocketAddr, trust: Option<Trust>) -> Result<u64, String> {
    let genesis = home.genesis().map_err(|why| why.to_string())?;
    let disk = empty(home)?;
    let mut line = Line::open(rpc).await?;
    let snapshot = fetch(&mut line).await?;
    let mut light = anchor(&mut line, &genesis, trust).await?;
    let trusted = genesis.params.staking.unbonding;
    if light.height() < snapshot.next.header.height {
        approach(&mut line, &mut light, &snapshot, trusted).await?;
    }
    begin(&disk, &snapshot, &mut light, trusted)
}

/// Begins a node's chain with the snapshot in a file. Returns the height. The operator can vouch only for the block whose
/// header proves the snapshot; otherwise the genesis must be young enough.
pub fn from_file(home: &Home, file: &std::path::Path, trust: Option<Trust>) -> Result<u64, String> {
    let genesis = home.genesis().map_err(|why| why.to_string())?;
    let (disk, snapshot) = (empty(home)?, Snapshot::read(file)?);
    let next = &snapshot.next;
    let mut light = match trust {
        None => Light::new(&genesis),
        Some(Trust { height, hash }) if (height, hash) == (next.header.height, next.header.hash()) => {
            Light::trusted(&genesis.chain(), &snapshot.last, next, &hash).map_err(|why| why.to_string())?
        }
        Some(_) => {
            let (height, hash) = (next.header.height, hex(&next.header.hash()));
            return Err(format!("the file is proven by block {height} with hash {hash}, which is not the trusted one"));
        }
    };
    begin(&disk, &snapshot, &mut light, genesis.params.staking.unbonding)
}

/// The database of a node that has no chain yet.
fn empty(home: &Home) -> Result<Disk, String> {
    let file = home.database();
    let said = |why: &dyn Display| format!("{}: {why}", file.display());
    let disk = Disk::open(&file).map_err(|why| said(&why))?;
    match disk.state() {
        Ok(None) => Ok(disk),
        Ok(Some(_)) => Err(said(&"the node has a chain already; only a new one can begin with a snapshot")),
        Err(why) => Err(said(&why)),
    }
}

fn begin(disk: &Disk, snapshot: &Snapshot, light: &mut Light, trusted: u64) -> Result<u64, String> {
    let state = snapshot.check(light, now(), trusted).map_err(|why| why.to_string())?;
    disk.begin(&state).map_err(|why| why.to_string())?;
    Ok(state.tip().height)
}
