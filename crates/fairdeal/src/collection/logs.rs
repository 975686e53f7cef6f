//! Logs of private matches, which stand in for signatures that a result lacks.
//!
//! A log is kept under the hash that results name as `LOG_HASH`, and only if everything in it is right and it ends with a
//! result. It is checked again whenever it is to prove something: a file may have been changed since.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use ::peer::verify_entries;
use results::{Body, Form, Hash, Logs, paths};

use super::store::{Kept, Store};
use crate::durable::{self, Readers};
use crate::failure::{Failure, in_words};
use crate::logfile::{Kind, LogFile, glance};

/// The longest log that is kept: several times as long as a whole evening.
const LONGEST: u64 = 64 << 20;

/// The logs that are kept, each read once for as long as it does not change.
#[derive(Debug)]
pub(crate) struct KeptLogs {
    data: PathBuf,
    read: Mutex<BTreeMap<Hash, (Changed, Option<Body>)>>,
}

/// When a file was changed, and how long it is.
type Changed = (Option<SystemTime>, u64);

impl KeptLogs {
    pub(crate) fn new(data: &Path) -> Self {
        Self { data: data.to_owned(), read: Mutex::default() }
    }

    /// The result to which the log with this hash leads, if it is here and right.
    fn result(&self, hash: Hash) -> Option<Body> {
        let path = self.data.join(paths::log(&hash));
        let changed = changed(&path)?;
        let known = self.read.lock().unwrap_or_else(PoisonError::into_inner).get(&hash).cloned();
        if let Some((_, body)) = known.filter(|(at, _)| *at == changed) {
            return body;
        }
        let body = read(&path).ok().and_then(|bytes| replayed(&bytes).ok());
        let body = body.filter(|body| body.facts().log_hash == Some(hash));
        self.read.lock().unwrap_or_else(PoisonError::into_inner).insert(hash, (changed, body.clone()));
        body
    }
}

impl Logs for KeptLogs {
    fn replays(&self, body: &Body, _: &[usize]) -> bool {
        // Whoever is missing has joined this match and opened a seed in this log, both signed: otherwise it has no result.
        let replayed = body.facts().log_hash.and_then(|hash| self.result(hash));
        replayed.is_some_and(|log| {
            let deals = matches!(body.form(), Form::CardGame) || body.form() == log.form();
            deals && log.facts().same(body.facts())
        })
    }
}

impl Store {
    /// The logs, to prove something with.
    pub(crate) fn proofs(&self) -> KeptLogs {
        KeptLogs::new(self.data())
    }

    /// Keeps a log that leads to a result; says to which.
    pub(crate) fn keep_log(&self, from: &Path) -> Result<(Kept, PathBuf, Body), Failure> {
        let refused = |why: String| Failure::Check(why);
        let bytes = read(from).map_err(refused)?;
        let body = replayed(&bytes).map_err(refused)?;
        let hash = body.facts().log_hash.ok_or_else(|| refused("its result names no log".to_owned()))?;
        let path = self.data().join(paths::log(&hash));
        // Another one that leads to the same result proves as much.
        if read(&path).is_ok_and(|there| replayed(&there).as_ref() == Ok(&body)) {
            return Ok((Kept::Known, path, body));
        }
        let folder = self.data().join(paths::logs());
        durable::make_folder(&folder).map_err(|why| Failure::file(&folder, "create this folder", &why))?;
        durable::replace(&path, &bytes, Readers::Usual).map_err(|why| Failure::file(&path, "write", &why))?;
        Ok((Kept::New, path, body))
    }

    /// All logs that are kept, with the hashes that their names say, and what tells whether they have changed.
    pub(crate) fn logs(&self) -> BTreeMap<Hash, (PathBuf, Changed)> {
        let entries = fs::read_dir(self.data().join(paths::logs())).into_iter().flatten().flatten();
        let logs = entries.filter_map(|entry| {
            let path = entry.path();
            let hash = Hash::from_hex(path.file_name()?.to_str()?.strip_suffix(".jsonl")?)?;
            let changed = path.is_file().then(|| changed(&path))??;
            Some((hash, (path, changed)))
        });
        logs.collect()
    }
}

/// Whether a file is the log of a private match, by its beginning.
pub(super) fn is_log(path: &Path) -> bool {
    let opened = File::open(path).ok().filter(|_| path.is_file());
    opened.and_then(|file| glance(std::io::BufReader::new(file)).ok()).is_some_and(|(kind, _)| kind == Kind::Private)
}

fn changed(path: &Path) -> Option<Changed> {
    let about = fs::metadata(path).ok()?;
    Some((about.modified().ok(), about.len()))
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let file = File::open(path).map_err(|why| format!("cannot open: {}", in_words(&why)))?;
    let mut bytes = Vec::new();
    let read = file.take(LONGEST + 1).read_to_end(&mut bytes);
    read.map_err(|why| format!("cannot read: {}", in_words(&why)))?;
    match u64::try_from(bytes.len()) {
        Ok(length) if length <= LONGEST => Ok(bytes),
        _ => Err(format!("a log of more than {} MB", LONGEST >> 20)),
    }
}

/// Checks everything in a log; returns the result to which it leads.
fn replayed(bytes: &[u8]) -> Result<Body, String> {
    let progress = &mut |_| ();
    let mut log = LogFile::open(bytes, progress).map_err(|why| why.to_string())?;
    let (key, hub) = (log.key.clone(), log.hub);
    let found = verify_entries(&key, hub, &mut log);
    if log.stopped.is_some() {
        return Err("the log is damaged; `fairdeal verify` says where".to_owned());
    }
    if found.hub.is_some() {
        return Err("the hub did wrong; `fairdeal verify` says what".to_owned());
    }
    let result = found.played.and_then(|played| played.result);
    result.map(|signed| signed.body().clone()).ok_or_else(|| "the match in this log has no result".to_owned())
}
