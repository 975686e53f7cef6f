//! What is kept about wallets and chains, in the folder `chain` of the data folder.
//!
//! | file | what | when it is written |
//! |---|---|---|
//! | `wallet.key` | the key of the wallet, in hex or protected by a passphrase; mode 600 | by `wallet new` and `wallet import` |
//! | `CHAIN/anchor` | a block that is trusted; nothing older is believed any more | after every command, and while playing |
//! | `CHAIN/name` | what the chain calls itself | at the first contact |
//! | `CHAIN/table-N-KEY.seat` | the secret of the key that cards are sealed to; mode 600 | before the seat is taken |
//! | `nodes.json` | which chain each node belonged to | at the first contact |

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ::chain::client::Wallet;
use ::chain::{Hash, hex, unhex};
use dealing::Secret as CardSecret;
use rand::SeedableRng as _;
use rand::rngs::ChaCha20Rng;
use remote::{Anchor, Place};
use results::protected::{self, EFFORT, Fresh};
use results::{KeyKind, Secret};
use zeroize::Zeroizing;

use crate::durable::{self, Readers};
use crate::failure::Failure;
use crate::keyring::random;
use crate::options::data_folder;
use crate::passphrase::{passphrase, read_line};

/// The folder.
#[derive(Clone, Debug)]
pub(super) struct Files(PathBuf);

impl Files {
    /// Below this data folder, or the user's own.
    pub(super) fn open(data: Option<&Path>) -> Result<Self, Failure> {
        Ok(Self(data_folder(data.map(Path::to_owned))?.join("chain")))
    }

    /// Where the wallet's key is.
    pub(super) fn wallet_file(&self) -> PathBuf {
        self.0.join("wallet.key")
    }

    /// Refuses if there is a wallet already.
    pub(super) fn refuse_second(&self) -> Result<(), Failure> {
        let path = self.wallet_file();
        if path.symlink_metadata().is_ok() { Err(second(&path)) } else { Ok(()) }
    }

    /// Keeps the key of a new wallet, protected where there is a passphrase.
    pub(super) fn keep_wallet(&self, secret: &Secret, passphrase: Option<&str>) -> Result<(), Failure> {
        let text = match passphrase {
            None => secret.hex(),
            Some(passphrase) => sealed(secret, passphrase)?,
        };
        let (path, line) = (self.wallet_file(), Zeroizing::new(format!("{}\n", *text)));
        durable::create(&path, line.as_bytes(), Readers::Owner).map_err(|why| match why.kind() {
            io::ErrorKind::AlreadyExists => second(&path),
            _ => Failure::file(&path, "write", &why),
        })
    }

    /// The secret of the wallet. A passphrase is asked for, or read from this file, where one is needed.
    pub(super) fn secret(&self, passphrase_file: Option<&Path>) -> Result<Secret, Failure> {
        let path = self.wallet_file();
        let file = fs::File::open(&path).map_err(|why| match why.kind() {
            io::ErrorKind::NotFound => {
                Failure::input("you have no wallet yet; make one with `fairdeal chain wallet new`")
            }
            _ => Failure::file(&path, "read", &why),
        })?;
        refuse_readable(&path, &file)?;
        let line = read_line(&mut io::BufReader::new(file))?;
        understood(line.trim(), passphrase_file).map_err(|why| match why {
            Failure::Input(why) => Failure::Input(format!("{}: {why}", path.display())),
            other => other,
        })
    }

    /// The wallet.
    pub(super) fn wallet(&self, passphrase_file: Option<&Path>) -> Result<Wallet, Failure> {
        self.secret(passphrase_file).map(|secret| Wallet::new(secret.bytes()))
    }

    /// Where everything about a chain is.
    pub(super) fn of_chain(&self, chain: &Hash) -> PathBuf {
        self.0.join(hex(chain))
    }

    /// Chains that were used before.
    pub(super) fn chains(&self) -> Vec<Hash> {
        let Ok(list) = fs::read_dir(&self.0) else { return Vec::new() };
        let chain = |name: String| unhex(&name).and_then(|bytes| Hash::try_from(bytes).ok());
        let mut chains: Vec<Hash> =
            list.flatten().filter_map(|entry| chain(entry.file_name().into_string().ok()?)).collect();
        chains.sort_unstable();
        chains
    }

    /// What is trusted of a chain, if anything is.
    pub(super) fn anchor(&self, chain: &Hash) -> Option<Anchor> {
        let bytes = fs::read(self.of_chain(chain).join("anchor")).ok()?;
        Anchor::from_bytes(&bytes).filter(|anchor| anchor.light.chain() == chain)
    }

    /// Keeps what is trusted of a chain.
    pub(super) fn keep_anchor(&self, anchor: &Anchor) -> Result<(), Failure> {
        let path = self.of_chain(anchor.light.chain()).join("anchor");
        durable::replace(&path, &anchor.to_bytes(), Readers::Owner).map_err(|why| Failure::file(&path, "write", &why))
    }

    /// Keeps what a chain calls itself.
    pub(super) fn keep_name(&self, chain: &Hash, name: &str) -> Result<(), Failure> {
        let path = self.of_chain(chain).join("name");
        durable::replace(&path, name.as_bytes(), Readers::Usual).map_err(|why| Failure::file(&path, "write", &why))
    }

    /// Which chain a node belonged to when it was used last.
    pub(super) fn pinned(&self, node: &Place) -> Option<Hash> {
        let text = self.pins().remove(&node.to_string())?;
        unhex(&text).and_then(|bytes| Hash::try_from(bytes).ok())
    }

    /// Remembers which chain a node belongs to.
    pub(super) fn pin(&self, node: &Place, chain: &Hash) -> Result<(), Failure> {
        let mut pins = self.pins();
        pins.insert(node.to_string(), hex(chain));
        let path = self.0.join("nodes.json");
        let text = serde_json::to_string_pretty(&pins).unwrap_or_default();
        durable::replace(&path, text.as_bytes(), Readers::Usual).map_err(|why| Failure::file(&path, "write", &why))
    }

    fn pins(&self) -> BTreeMap<String, String> {
        let text = fs::read_to_string(self.0.join("nodes.json")).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// A new key for cards at this table, on the disk before anybody hears of it.
    pub(super) fn new_seat(&self, chain: &Hash, table: u64) -> Result<CardSecret, Failure> {
        let seed = Zeroizing::new(random::<32>()?);
        let secret = card_secret(&seed);
        let path = self.seat_file(chain, table, secret.public().bytes());
        let line = Zeroizing::new(format!("{}\n", *Zeroizing::new(hex(&*seed))));
        durable::create(&path, line.as_bytes(), Readers::Owner).map_err(|why| Failure::file(&path, "write", &why))?;
        Ok(secret)
    }

    /// The secret of a key that a seat was taken with, if it is here.
    pub(super) fn seat(&self, chain: &Hash, table: u64, key: &[u8; 32]) -> Result<Option<CardSecret>, Failure> {
        let path = self.seat_file(chain, table, key);
        let file = match fs::File::open(&path) {
            Ok(file) => file,
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(why) => return Err(Failure::file(&path, "read", &why)),
        };
        refuse_readable(&path, &file)?;
        let line = read_line(&mut io::BufReader::new(file))?;
        let bytes = Zeroizing::new(unhex(line.trim()).unwrap_or_default());
        let seed = <[u8; 32]>::try_from(bytes.as_slice()).map(Zeroizing::new);
        let seed = seed.map_err(|_| Failure::input(format!("{}: a key has 64 hexadecimal digits", path.display())))?;
        Ok(Some(card_secret(&seed)).filter(|secret| secret.public().bytes() == key))
    }

    /// Forgets the keys for cards of a table where nobody sits with them any more.
    pub(super) fn forget_seats(&self, chain: &Hash, table: u64) {
        let Ok(list) = fs::read_dir(self.of_chain(chain)) else { return };
        let begin = format!("table-{table}-");
        for entry in list.flatten() {
            let name = entry.file_name();
            let ours = name.to_str().is_some_and(|name| name.starts_with(&begin) && name.ends_with(".seat"));
            if ours {
                // What is left of it does no harm: it opens only cards of hands that are over.
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    fn seat_file(&self, chain: &Hash, table: u64, key: &[u8; 32]) -> PathBuf {
        let key: String = hex(key).chars().take(16).collect();
        self.of_chain(chain).join(format!("table-{table}-{key}.seat"))
    }
}

/// The secret of a key for cards, from its seed.
fn card_secret(seed: &[u8; 32]) -> CardSecret {
    CardSecret::random(&mut ChaCha20Rng::from_seed(*seed))
}

/// A wallet's key under a passphrase.
pub(super) fn sealed(secret: &Secret, passphrase: &str) -> Result<Zeroizing<String>, Failure> {
    let fresh = Fresh { salt: random()?, nonce: random()? };
    protected::protect(secret, passphrase, EFFORT, &fresh).map(Zeroizing::new).map_err(Failure::input)
}

/// A key as it is kept or typed.
pub(super) fn understood(text: &str, passphrase_file: Option<&Path>) -> Result<Secret, Failure> {
    if KeyKind::of(text) == Some(KeyKind::Ncryptsec) {
        let passphrase = passphrase(passphrase_file, false)?;
        return protected::open(text, &passphrase)
            .map_err(|why| Failure::input(format!("the wallet cannot be opened: {why}")));
    }
    let bytes = Zeroizing::new(unhex(text).unwrap_or_default());
    let secret = <[u8; 32]>::try_from(bytes.as_slice()).map(Zeroizing::new).ok();
    let secret = secret.and_then(|bytes| Secret::from_bytes(&bytes).ok());
    secret.ok_or_else(|| Failure::input("expected the key of a wallet: 64 hexadecimal digits, or ncryptsec1…"))
}

fn refuse_readable(path: &Path, file: &fs::File) -> Result<(), Failure> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = file.metadata().map_err(|why| Failure::file(path, "read", &why))?.permissions().mode();
        if mode & 0o077 != 0 {
            return Err(Failure::input(format!("{0}: others can read this key; `chmod 600 {0}`", path.display())));
        }
    }
    Ok(())
}

fn second(path: &Path) -> Failure {
    Failure::input(format!("{}: there is a wallet already, and it is never overwritten", path.display()))
}
