//! The folder of a private table: what one member has to keep so that no power failure, no `kill -9` and no closed
//! laptop costs them the match.
//!
//! | file | what | when it is written |
//! |---|---|---|
//! | `table.json` | the ticket, the member's own key, how they take part; mode 600 | when the table is created or joined |
//! | `log.jsonl` | the log ([`Record`]); mode 600 | before an entry is acted on |
//! | `secret` | what nobody else may know ([`Private`]); mode 600 | before anything is sent |
//! | `hub.sqlite` | the hub's log and key, if this program is the hub | by the hub |
//! | `standby.sqlite` | the same of a hub that replaced one that was lost | by that hub |
//! | `lock` | held by the program that plays | |
//!
//! Without its `secret` a member plays on from the next keys on. After the match only `log.jsonl`, and a `table.json` without keys, are left.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use ::peer::{Entry, Private, Record, TableId, Ticket};
use games::AnyGame;
use relays::RelayUrl;
use results::Secret;
use serde::{Deserialize, Serialize};
use table::record::{hex, unhex};
use zeroize::Zeroizing;

use crate::durable::{self, Readers};
use crate::failure::Failure;
use crate::keyring::random;
use crate::options::{data_folder, data_option};

const FORMAT: u32 = 1;
/// How many seconds a hub may be silent, by default.
pub(super) const PATIENCE: u64 = 60;

/// What is kept about a table: `table.json`.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Kept {
    table: u32,
    /// The ticket, with the table's key; empty after the match.
    ticket: Zeroizing<String>,
    /// Signs this member's entries.
    key: Zeroizing<String>,
    /// A computer's own identity; people have theirs in the data folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    identity: Option<Zeroizing<String>>,
    /// Goes into their introduction, which must be the same after a restart.
    fresh: String,
    /// What they are called.
    pub(super) name: String,
    /// How they take part.
    pub(super) part: Part,
    /// The computers that this player runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) computers: Vec<String>,
    /// What the host knows about the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) hosting: Option<Hosting>,
    /// How many seconds a hub may be silent before the players replace it.
    pub(super) patience: u64,
    /// The hub that this player would run then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    standing: Option<Standing>,
}

/// A hub that may replace the one that is lost.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Standing {
    key: Zeroizing<String>,
    listen: SocketAddr,
    /// The relay behind which it would be, if the one that is lost was there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    relay: Option<Behind>,
}

/// A hub's place behind a relay.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Behind {
    url: String,
    /// The hub's secret key there.
    key: Zeroizing<String>,
}

/// How somebody takes part.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Part {
    /// They play, or want to.
    Player,
    /// They watch.
    Spectator,
    /// Nothing remains to be done.
    Over,
}

/// A relay through which a table can be reached.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Relayed {
    /// The relay.
    pub(super) url: String,
    /// The hub's secret key there.
    pub(super) key: Zeroizing<String>,
    /// Who is invited.
    pub(super) invited: Vec<String>,
    /// Whether the table is offered to everybody.
    pub(super) offered: bool,
}

/// What the creator of a table keeps.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Hosting {
    /// The game.
    pub(super) game: String,
    /// How many play.
    pub(super) seats: u8,
    /// Settings, as they were typed.
    pub(super) options: Vec<String>,
    /// What the table is called.
    pub(super) title: String,
    /// Where the hub of this program listens; `None` if the hub is elsewhere.
    pub(super) listen: Option<std::net::SocketAddr>,
    /// The code for people who knock.
    pub(super) code: Option<String>,
    /// Whether it can be reached over Bluetooth.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) bluetooth: bool,
    /// The relay through which it can be reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) relay: Option<Relayed>,
    /// Whether the table is announced in the network.
    pub(super) announce: bool,
    /// The command, to tell whether the same one is given again.
    pub(super) asked: String,
}

impl Kept {
    /// A new member, with a new key.
    pub(super) fn new(ticket: &Ticket, name: &str, part: Part) -> Result<Self, Failure> {
        Ok(Self {
            table: FORMAT,
            ticket: Zeroizing::new(ticket.to_string()),
            key: new_key()?.hex(),
            identity: None,
            fresh: hex(&random::<32>()?),
            name: name.to_owned(),
            part,
            computers: Vec::new(),
            hosting: None,
            patience: PATIENCE,
            standing: None,
        })
    }

    /// Gets ready to run a hub at a free port of this address, if that of the table is lost.
    pub(super) fn standing_at(mut self, ip: IpAddr) -> Result<Self, Failure> {
        // Where nobody can listen, nobody can replace a hub.
        let free = TcpListener::bind((ip, 0)).and_then(|listener| listener.local_addr());
        if let Ok(listen) = free {
            self.standing = Some(Standing { key: new_key()?.hex(), listen, relay: None });
        }
        Ok(self)
    }

    /// Gets ready to run a hub behind this relay.
    pub(super) fn standing_behind(self, relay: &RelayUrl) -> Result<Self, Failure> {
        let mut kept = self.standing_at(Ipv4Addr::LOCALHOST.into())?;
        if let Some(standing) = &mut kept.standing {
            standing.relay = Some(Behind { url: relay.to_string(), key: new_key()?.hex() });
        }
        Ok(kept)
    }

    /// The relay behind which that hub would be, and its key there.
    pub(super) fn behind(&self) -> Option<(RelayUrl, Secret)> {
        let behind = self.standing.as_ref()?.relay.as_ref()?;
        Some((behind.url.parse().ok()?, behind.key.parse().ok()?))
    }

    /// The hub that this player would run: its key, and where it would listen.
    pub(super) fn standing(&self) -> Option<(Secret, SocketAddr)> {
        let standing = self.standing.as_ref()?;
        Some((standing.key.parse().ok()?, standing.listen))
    }

    /// Gives a computer an identity of its own.
    pub(super) fn with_identity(mut self) -> Result<Self, Failure> {
        self.identity = Some(new_key()?.hex());
        Ok(self)
    }

    pub(super) fn ticket(&self) -> Option<Ticket> {
        self.ticket.parse().ok()
    }

    /// The same table at another address.
    pub(super) fn moved(&mut self, ticket: &Ticket) {
        self.ticket = Zeroizing::new(ticket.to_string());
    }

    pub(super) fn key(&self) -> Option<Secret> {
        self.key.parse().ok()
    }

    pub(super) fn identity(&self) -> Option<Secret> {
        self.identity.as_ref().and_then(|identity| identity.parse().ok())
    }

    pub(super) fn fresh(&self) -> Option<[u8; 32]> {
        unhex(&self.fresh)?.try_into().ok()
    }
}

/// A key for one table.
pub(super) fn new_key() -> Result<Secret, Failure> {
    loop {
        // All but a few of 2^128 are a key.
        if let Ok(key) = Secret::from_bytes(&Zeroizing::new(random::<32>()?)) {
            return Ok(key);
        }
    }
}

/// The folder of a table, while this program plays there. Nobody else does at the same time.
pub(super) struct Folder {
    path: PathBuf,
    pub(super) kept: Kept,
    log: File,
    _lock: File,
}

/// What was found in a folder.
pub(super) struct Found {
    pub(super) folder: Folder,
    pub(super) entries: Vec<Entry>,
    pub(super) private: Private,
    /// What only this member knew is gone, and the match goes on without it.
    pub(super) lost: bool,
}

impl Folder {
    /// A new folder for a member of a table.
    pub(super) fn create(path: &Path, kept: Kept) -> Result<Found, Failure> {
        let damaged = || Failure::input(format!("{}: a new table without a ticket", path.display()));
        let ticket = kept.ticket().ok_or_else(damaged)?;
        durable::make_folder(path).map_err(|e| Failure::file(path, "create this folder", &e))?;
        only_for_owner(path)?;
        let lock = lock(path)?;
        let private = Private::new(&Zeroizing::new(random::<32>()?));
        write_secret(path, &private)?;
        let header = Record::header(&ticket.key, &ticket.hub);
        let log = path.join(LOG);
        durable::replace(&log, header.as_bytes(), Readers::Owner).map_err(|e| Failure::file(&log, "write", &e))?;
        write_kept(path, &kept)?;
        let folder = Self { path: path.to_owned(), kept, log: appending(&log)?, _lock: lock };
        Ok(Found { folder, entries: Vec::new(), private, lost: false })
    }

    /// Continues at a table.
    pub(super) fn open(path: &Path) -> Result<Found, Failure> {
        let lock = lock(path)?;
        let kept = read_kept(path)?;
        let log = path.join(LOG);
        let wrong = |e: io::Error| Failure::file(&log, "read", &e);
        let mut file = appending(&log)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(wrong)?;
        // A line without an end was cut off before anybody acted on it.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        if whole < text.len() {
            text.truncate(whole);
            let length = u64::try_from(whole).unwrap_or(0);
            file.set_len(length).and_then(|()| file.sync_all()).map_err(wrong)?;
        }
        let record = Record::parse(&text, false);
        let record = record.map_err(|why| Failure::input(format!("{}: {why}", log.display())))?;
        let (private, lost) = match read_secret(path)? {
            Some(private) => (private, false),
            None => {
                let private = Private::lost(&Zeroizing::new(random::<32>()?));
                write_secret(path, &private)?;
                (private, true)
            }
        };
        let folder = Self { path: path.to_owned(), kept, log: file, _lock: lock };
        Ok(Found { folder, entries: record.entries, private, lost })
    }

    /// Writes `table.json` again.
    pub(super) fn keep(&self) -> Result<(), Failure> {
        write_kept(&self.path, &self.kept)
    }

    /// Adds entries to the log, on the disk.
    pub(super) fn append(&mut self, entries: &[Entry]) -> Result<(), Failure> {
        if entries.is_empty() {
            return Ok(());
        }
        let lines: String = entries.iter().map(Record::line).collect();
        let written = self.log.write_all(lines.as_bytes()).and_then(|()| self.log.sync_data());
        written.map_err(|e| Failure::file(&self.path.join(LOG), "write", &e))
    }

    /// Keeps what nobody else may know.
    pub(super) fn store(&self, private: &Private) -> Result<(), Failure> {
        write_secret(&self.path, private)
    }

    /// The match is over and nothing remains to be done: every key is erased. The log stays.
    pub(super) fn erase(&mut self) -> Result<(), Failure> {
        let secret = self.path.join(SECRET);
        match fs::remove_file(&secret) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(Failure::file(&secret, "remove", &e)),
            _ => {}
        }
        self.kept.part = Part::Over;
        (self.kept.ticket, self.kept.key, self.kept.identity, self.kept.standing) = Default::default();
        if let Some(relay) = self.kept.hosting.as_mut().and_then(|hosting| hosting.relay.as_mut()) {
            relay.key = Zeroizing::default();
        }
        self.keep()
    }

    /// Removes what computers and a hub have left. What cannot be removed stays in a folder that only its owner reads.
    pub(super) fn clear(&self) {
        for place in 1..=self.kept.computers.len() {
            let _ = fs::remove_dir_all(self.computer(place));
        }
        for hub in [HUB, STANDBY] {
            for name in ["", "-wal", "-shm", ".lock"] {
                let _ = fs::remove_file(self.join(&format!("{hub}{name}")));
            }
        }
    }

    /// The folder of a computer that this player runs, counted from 1.
    pub(super) fn computer(&self, place: usize) -> PathBuf {
        self.join(&format!("computer-{place}"))
    }

    /// The command that continues here.
    pub(super) fn way_back(&self) -> String {
        let command = if self.kept.hosting.is_some() { "host" } else { "join" };
        let id = self.path.file_name().and_then(|name| name.to_str()).and_then(|name| name.get(..8));
        let data = self.path.ancestors().nth(2).filter(|data| data_folder(None).ok().as_deref() != Some(*data));
        let data = data.map(data_option).unwrap_or_default();
        format!("fairdeal {command} --resume {}{data}", id.unwrap_or_default())
    }

    /// Every entry of the log.
    pub(super) fn entries(&self) -> Result<Vec<Entry>, Failure> {
        let log = self.log();
        let text = fs::read_to_string(&log).map_err(|e| Failure::file(&log, "read", &e))?;
        let record = Record::parse(&text, true);
        Ok(record.map_err(|why| Failure::input(format!("{}: {why}", log.display())))?.entries)
    }

    /// Where the log is.
    pub(super) fn log(&self) -> PathBuf {
        self.path.join(LOG)
    }

    /// Where something else in this folder is.
    pub(super) fn join(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

/// The database of a table's own hub, and of one that may replace another.
pub(super) const HUB: &str = "hub.sqlite";
pub(super) const STANDBY: &str = "standby.sqlite";
const LOG: &str = "log.jsonl";
const SECRET: &str = "secret";
const TABLE: &str = "table.json";

/// Where a player's private tables are.
pub(super) fn tables(data: &Path) -> PathBuf {
    data.join("private")
}

/// Where this table is.
pub(super) fn table(data: &Path, id: TableId) -> PathBuf {
    tables(data).join(id.to_string())
}

/// A table that is not over.
pub(super) struct Unfinished {
    pub(super) path: PathBuf,
    pub(super) kept: Kept,
    last: SystemTime,
}

/// The tables that are not over, the one used last first. Folders that are no such thing are passed over.
pub(super) fn unfinished(data: &Path) -> Vec<Unfinished> {
    let folders = fs::read_dir(tables(data)).into_iter().flatten().flatten();
    let mut found: Vec<Unfinished> = folders
        .filter_map(|entry| {
            let path = entry.path();
            let kept = read_kept(&path).ok().filter(|kept| kept.part != Part::Over)?;
            let last = fs::metadata(path.join(LOG)).ok()?.modified().ok()?;
            Some(Unfinished { path, kept, last })
        })
        .collect();
    found.sort_by(|a, b| b.last.cmp(&a.last).then_with(|| a.path.cmp(&b.path)));
    found
}

impl Unfinished {
    /// Whether its id begins like this.
    pub(super) fn is(&self, begin: &str) -> bool {
        self.path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(begin))
    }
}

/// The game that is hosted there.
impl Hosting {
    pub(super) fn game(&self) -> Option<AnyGame> {
        AnyGame::from_name(&self.game)
    }

    /// The settings as names and values.
    pub(super) fn settings(&self) -> Vec<(String, String)> {
        let pair = |option: &String| {
            let (name, value) = option.split_once('=')?;
            Some((name.trim().to_owned(), value.trim().to_owned()))
        };
        self.options.iter().filter_map(pair).collect()
    }
}

pub(super) fn read_kept(path: &Path) -> Result<Kept, Failure> {
    let path = path.join(TABLE);
    let text = fs::read_to_string(&path).map(Zeroizing::new).map_err(|e| Failure::file(&path, "read", &e))?;
    let kept: Option<Kept> = serde_json::from_str(&text).ok().filter(|kept: &Kept| kept.table == FORMAT);
    kept.ok_or_else(|| Failure::input(format!("{}: not the file of a private table", path.display())))
}

fn write_kept(path: &Path, kept: &Kept) -> Result<(), Failure> {
    let path = path.join(TABLE);
    let text = Zeroizing::new(serde_json::to_string_pretty(kept).unwrap_or_default() + "\n");
    durable::replace(&path, text.as_bytes(), Readers::Owner).map_err(|e| Failure::file(&path, "write", &e))
}

/// What only this member knows; `None` if the file is gone, or something else is in it.
fn read_secret(path: &Path) -> Result<Option<Private>, Failure> {
    let path = path.join(SECRET);
    match fs::read(&path).map(Zeroizing::new) {
        Ok(bytes) => Ok(dealing::decode(&bytes).ok()),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        // The secrets may still be there: nobody gives them up unasked.
        Err(e) => Err(Failure::input(format!(
            "{}: cannot read: {}; without this file you play from the next keys on: remove it if it cannot be repaired",
            path.display(),
            crate::failure::in_words(&e)
        ))),
    }
}

fn write_secret(path: &Path, private: &Private) -> Result<(), Failure> {
    let path = path.join(SECRET);
    let bytes = Zeroizing::new(dealing::encode(private));
    durable::replace(&path, &bytes, Readers::Owner).map_err(|e| Failure::file(&path, "write", &e))
}

fn appending(path: &Path) -> Result<File, Failure> {
    File::options().read(true).append(true).open(path).map_err(|e| Failure::file(path, "write", &e))
}

/// Nobody else may play here at the same time.
fn lock(path: &Path) -> Result<File, Failure> {
    let file = path.join("lock");
    let opened = File::options().create(true).truncate(false).write(true).open(&file);
    let opened = opened.map_err(|e| Failure::file(&file, "write", &e))?;
    let busy = |_| Failure::input(format!("{}: another program plays at this table already", path.display()));
    opened.try_lock().map_err(busy)?;
    Ok(opened)
}

fn only_for_owner(path: &Path) -> Result<(), Failure> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let set = fs::set_permissions(path, fs::Permissions::from_mode(0o700));
        set.map_err(|e| Failure::file(path, "protect", &e))?;
    }
    Ok(())
}
