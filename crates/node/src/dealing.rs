//! The node's part in dealing: what its seats in committees have to say, said as soon as it is due.
//!
//! Seeds are files of their own, beside the database: one for every key generation, written before anything is said with
//! it, and removed when its epoch is over. They must never be in a backup: with the seeds of enough validators, cards of
//! the past could be read.

use core::time::Duration;
use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use chain::client::Wallet;
use chain::dealer::keeper::Keeper;
use chain::{Body, Hash, Signed, State, hex, unhex};
use zeroize::Zeroizing;

use crate::core::Shared;

/// Duties are looked for at most this often.
const PAUSE: Duration = Duration::from_millis(20);
/// What is still awaited is said again after this long: it may have been lost.
const AGAIN: Duration = Duration::from_secs(2);

/// A node's seats in committees.
#[derive(Debug)]
pub struct Dealer {
    keeper: Keeper,
    wallet: Wallet,
    seeds: Seeds,
}

impl Dealer {
    /// The seats of the validator with this consensus key, with seeds in this folder.
    pub fn new(secret: &[u8; 32], folder: PathBuf) -> io::Result<Self> {
        let (wallet, seeds) = (Wallet::new(secret), Seeds::open(folder)?);
        let mut keeper = Keeper::new(wallet.address());
        for (session, seed) in seeds.all()? {
            keeper.give_seed(session, *seed);
        }
        Ok(Self { keeper, wallet, seeds })
    }

    /// Says whatever is due, until the node stops.
    pub async fn run(mut self, shared: Shared) {
        loop {
            let _ = tokio::time::timeout(AGAIN, shared.duty.notified()).await;
            tokio::time::sleep(PAUSE).await;
            let moment = shared.moment();
            let worked = tokio::task::spawn_blocking(move || {
                let said = self.say(&moment);
                (self, said)
            });
            let Ok((dealer, said)) = worked.await else {
                tracing::error!("dealing has failed: restart the node");
                return;
            };
            self = dealer;
            match said {
                // What is waiting already is refused, and that is fine.
                Ok(said) => said.into_iter().for_each(|signed| {
                    let _ = shared.submit_own(signed);
                }),
                Err(why) => tracing::error!(%why, "a seed cannot be stored, so nothing is said with it"),
            }
        }
    }

    fn say(&mut self, (state, pending): &(State, Vec<Signed>)) -> io::Result<Vec<Signed>> {
        if let Some(session) = self.keeper.wants_seed(state) {
            let mut seed = Zeroizing::new([0; 32]);
            getrandom::fill(&mut *seed).map_err(io::Error::other)?;
            self.seeds.keep(&session, &seed)?;
            self.keeper.give_seed(session, *seed);
        }
        let duties = self.keeper.duties(state, pending);
        let kept: BTreeSet<Hash> = self.keeper.sessions().copied().collect();
        self.seeds.erase_others(&kept)?;
        let chain = state.tip().chain;
        Ok(duties.into_iter().map(|duty| self.wallet.duty(chain, Body::Dealer(duty))).collect())
    }
}

/// Seeds on the disk.
#[derive(Debug)]
struct Seeds {
    folder: PathBuf,
}

impl Seeds {
    fn open(folder: PathBuf) -> io::Result<Self> {
        private_folder(&folder)?;
        Ok(Self { folder })
    }

    fn file(&self, session: &Hash) -> PathBuf {
        self.folder.join(hex(session))
    }

    /// Writes a seed, and returns once it is on the disk.
    fn keep(&self, session: &Hash, seed: &[u8; 32]) -> io::Result<()> {
        let file = self.file(session);
        // Half a file would be in the way of the next try; nothing has been said with it.
        write_secret(&file, seed).inspect_err(|_| drop(fs::remove_file(&file)))?;
        fs::File::open(&self.folder)?.sync_all()
    }

    fn all(&self) -> io::Result<Vec<(Hash, Zeroizing<[u8; 32]>)>> {
        let mut seeds = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let name = path.file_name().and_then(|name| name.to_str()).and_then(unhex);
            let Some(session) = name.and_then(|name| Hash::try_from(name).ok()) else { continue };
            let bytes = Zeroizing::new(fs::read(&path)?);
            match <[u8; 32]>::try_from(bytes.as_slice()) {
                Ok(seed) => seeds.push((session, Zeroizing::new(seed))),
                // A crash in the middle of writing: nothing has been said with it.
                Err(_) => fs::remove_file(&path)?,
            }
        }
        Ok(seeds)
    }

    /// Erases all seeds but these.
    fn erase_others(&self, kept: &BTreeSet<Hash>) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let name = path.file_name().and_then(|name| name.to_str()).and_then(unhex);
            let session = name.and_then(|name| Hash::try_from(name).ok());
            if session.is_some_and(|session| !kept.contains(&session)) {
                erase(&path)?;
            }
        }
        Ok(())
    }
}

/// Overwrites a file and removes it.
fn erase(path: &Path) -> io::Result<()> {
    let length = fs::metadata(path)?.len();
    let mut file = OpenOptions::new().write(true).open(path)?;
    file.write_all(&vec![0; usize::try_from(length).unwrap_or(0)])?;
    file.sync_all()?;
    fs::remove_file(path)
}

/// A folder that only its owner can look into.
pub(crate) fn private_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
}

/// Writes a new file that only its owner can read.
pub(crate) fn write_secret(path: &Path, secret: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(secret)?;
    file.sync_all()
}
