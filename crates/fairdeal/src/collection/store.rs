//! The results that are kept: files in folders, as other programs expect them.
//!
//! A file is written once. A second one with the same body adds signatures to it; one that says something else is
//! kept beside it, as a contradiction, and both are judged together.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use games::AnyGame;
use results::{
    Body, Checked, Hash, MatchKey, Session, Settled, Signed, Timestamp, Uuid, Verdict, by_match, check_all, paths,
    settle,
};
use sha2::{Digest as _, Sha256};

use crate::durable::{self, Readers};
use crate::failure::Failure;

/// How many results are checked together.
const PART: usize = 1000;

/// Results on disk.
#[derive(Debug)]
pub(crate) struct Store {
    data: PathBuf,
}

/// Everything that is kept, checked.
#[derive(Default, Debug)]
pub(crate) struct Loaded {
    /// In the order of `files`.
    pub(crate) results: Vec<Checked>,
    /// Where each result is.
    pub(crate) files: Vec<PathBuf>,
    /// Files that are no results, and why.
    pub(crate) unreadable: Vec<(PathBuf, String)>,
}

/// What became of a result that was to be kept.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Kept {
    /// It is new.
    New,
    /// It brought so many signatures that were missing.
    Completed(usize),
    /// It brought nothing new.
    Known,
    /// Another one with its id says something else; both are kept.
    Aside,
}

impl Store {
    pub(crate) fn new(data: PathBuf) -> Self {
        Self { data }
    }

    pub(super) fn data(&self) -> &Path {
        &self.data
    }

    /// Reads and checks everything of these games; `done` hears how many files have been checked.
    pub(crate) fn load(&self, games: &[AnyGame], done: &mut dyn FnMut(usize)) -> Result<Loaded, Failure> {
        let mut loaded = Loaded::default();
        let mut part = Vec::new();
        for path in self.files(games)? {
            match read(&path).and_then(|bytes| Signed::parse(&bytes).map_err(|why| why.to_string())) {
                Ok(signed) => {
                    part.push(signed);
                    loaded.files.push(path);
                }
                Err(why) => loaded.unreadable.push((path, why)),
            }
            if part.len() == PART {
                loaded.results.extend(check_all(std::mem::take(&mut part)));
                done(PART);
            }
        }
        done(part.len());
        loaded.results.extend(check_all(part));
        Ok(loaded)
    }

    /// All files of results of these games, in order.
    pub(crate) fn files(&self, games: &[AnyGame]) -> Result<Vec<PathBuf>, Failure> {
        let mut files = Vec::new();
        for game in games {
            for folder in [paths::results(*game), paths::exports(*game), paths::contradictions(*game)] {
                let folder = self.data.join(folder);
                let entries = match fs::read_dir(&folder) {
                    Ok(entries) => entries,
                    Err(why) if why.kind() == io::ErrorKind::NotFound => continue,
                    Err(why) => return Err(Failure::file(&folder, "read", &why)),
                };
                let mut here = Vec::new();
                for entry in entries {
                    let path = entry.map_err(|why| Failure::file(&folder, "read", &why))?.path();
                    // Something else with such a name, a pipe for instance, could make a reader wait forever.
                    if path.extension().is_some_and(|ending| ending == "txt") && path.is_file() {
                        here.push(path);
                    }
                }
                here.sort();
                files.extend(here);
            }
        }
        Ok(files)
    }

    /// Keeps a result.
    pub(crate) fn keep(&self, checked: &Checked) -> Result<(Kept, PathBuf), Failure> {
        let _lock = self.lock()?;
        let path = self.data.join(paths::result(checked.body()));
        let text = checked.signed().text();
        if !path.exists() {
            durable::create(&path, text.as_bytes(), Readers::Usual).map_err(|e| Failure::file(&path, "write", &e))?;
            return Ok((Kept::New, path));
        }
        let mut there = read(&path).ok().and_then(|bytes| Signed::parse(&bytes).ok());
        match there.as_mut().and_then(|there| there.merge(checked.signed()).ok()) {
            Some(0) => Ok((Kept::Known, path)),
            Some(added) => {
                let text = there.map(|there| there.text()).unwrap_or(text);
                durable::replace(&path, text.as_bytes(), Readers::Usual)
                    .map_err(|e| Failure::file(&path, "write", &e))?;
                Ok((Kept::Completed(added), path))
            }
            None => self.keep_aside(checked, &text),
        }
    }

    /// Whether a file with this very body is kept, so that signatures can be added to it.
    pub(crate) fn holds(&self, body: &Body) -> bool {
        let hash = Hash(Sha256::digest(body.text()).into());
        [paths::result(body), paths::contradiction(body, &hash)].iter().any(|path| {
            let there = read(&self.data.join(path)).ok().and_then(|bytes| Signed::parse(&bytes).ok());
            there.is_some_and(|there| there.body() == body)
        })
    }

    fn keep_aside(&self, checked: &Checked, text: &str) -> Result<(Kept, PathBuf), Failure> {
        let hash = Hash(Sha256::digest(checked.body().text()).into());
        let path = self.data.join(paths::contradiction(checked.body(), &hash));
        let there = read(&path).ok().and_then(|bytes| Signed::parse(&bytes).ok());
        let text = match there {
            None => text.to_owned(),
            Some(mut there) => match there.merge(checked.signed()) {
                Ok(0) => return Ok((Kept::Known, path)),
                Ok(added) => {
                    durable::replace(&path, there.text().as_bytes(), Readers::Usual)
                        .map_err(|e| Failure::file(&path, "write", &e))?;
                    return Ok((Kept::Completed(added), path));
                }
                Err(_) => text.to_owned(),
            },
        };
        durable::replace(&path, text.as_bytes(), Readers::Usual).map_err(|e| Failure::file(&path, "write", &e))?;
        Ok((Kept::Aside, path))
    }

    /// Keeps a session; another one of the same match is refused.
    pub(crate) fn keep_session(&self, session: &Session) -> Result<(Kept, PathBuf), Failure> {
        let _lock = self.lock()?;
        let path = self.data.join(paths::session(session.id()));
        match read(&path) {
            Ok(bytes) if bytes == session.text().as_bytes() => Ok((Kept::Known, path)),
            Ok(_) => Err(Failure::Check(format!("{}: another session with this id is kept here", path.display()))),
            Err(_) => {
                let kept = durable::create(&path, session.text().as_bytes(), Readers::Usual);
                kept.map_err(|e| Failure::file(&path, "write", &e))?;
                Ok((Kept::New, path))
            }
        }
    }

    /// The session of a match, if it is kept here and readable.
    pub(crate) fn session(&self, id: Uuid) -> Option<Session> {
        read(&self.data.join(paths::session(id))).ok().and_then(|bytes| Session::parse(&bytes).ok())
    }

    /// Whether a result is of the session of its match, as far as that is kept.
    pub(crate) fn fits_session(&self, body: &Body) -> bool {
        self.session(body.facts().id).is_none_or(|session| session.fits(body.facts()))
    }

    /// When sessions were last added.
    pub(crate) fn sessions_changed(&self) -> Option<SystemTime> {
        fs::metadata(self.data.join(paths::sessions())).and_then(|about| about.modified()).ok()
    }

    /// Two programs do not change files at the same time.
    fn lock(&self) -> Result<File, Failure> {
        let folder = self.data.join(paths::COLLECTION);
        durable::make_folder(&folder).map_err(|e| Failure::file(&folder, "create this folder", &e))?;
        let path = folder.join(".lock");
        let wrong = |e: io::Error| Failure::file(&path, "lock", &e);
        let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(wrong)?;
        file.lock().map_err(wrong)?;
        Ok(file)
    }
}

impl Loaded {
    /// Forgets results that cannot have ended when they say, or do not fit the session of their match; returns how many.
    pub(crate) fn forget_impossible(&mut self, store: &Store, now: Timestamp) -> usize {
        let before = self.results.len();
        let all = std::mem::take(&mut self.results).into_iter().zip(std::mem::take(&mut self.files));
        let possible =
            all.filter(|(result, _)| result.body().facts().plausible(now).is_ok() && store.fits_session(result.body()));
        (self.results, self.files) = possible.unzip();
        before - self.results.len()
    }

    /// The results that prove something, so that others may want them.
    pub(crate) fn worth_sharing(&self) -> Vec<&Checked> {
        let signed = |result: &&Checked| matches!(result.verdict(), Verdict::Complete | Verdict::Partial { .. });
        self.results.iter().filter(signed).collect()
    }

    /// The logs that results name which not everybody has signed.
    pub(crate) fn wanted_logs(&self) -> BTreeSet<Hash> {
        let partial = |result: &&Checked| matches!(result.verdict(), Verdict::Partial { .. });
        self.results.iter().filter(partial).filter_map(|result| result.body().facts().log_hash).collect()
    }

    /// What is proven about each match, also by the logs and sessions that are kept.
    pub(crate) fn settled(&self, store: &Store) -> BTreeMap<MatchKey, Settled<'_>> {
        let logs = store.proofs();
        let settled = by_match(&self.results).into_iter().map(|(key, mut files)| {
            files.retain(|file| store.fits_session(file.body()));
            (key, settle(&files, &logs))
        });
        settled.collect()
    }

    /// The results whose id begins so, with their files.
    pub(crate) fn with_id(&self, begin: &str) -> Vec<(&Checked, &Path)> {
        let all = self.results.iter().zip(&self.files);
        let chosen = all.filter(|(result, _)| result.body().facts().id.to_string().starts_with(begin));
        chosen.map(|(result, path)| (result, path.as_path())).collect()
    }
}

/// A file of results, sessions or boards, no longer than any of them; why it cannot be had otherwise.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, String> {
    let file = File::open(path).map_err(|why| format!("cannot open: {}", crate::failure::in_words(&why)))?;
    read_from(file)
}

/// The same from anything that is open.
pub(crate) fn read_from(input: impl io::Read) -> Result<Vec<u8>, String> {
    let most = u64::try_from(results::leaderboard::LARGEST_BOARD).unwrap_or(u64::MAX) + 1;
    let mut bytes = Vec::new();
    let read = input.take(most).read_to_end(&mut bytes);
    read.map_err(|why| format!("cannot read: {}", crate::failure::in_words(&why)))?;
    Ok(bytes)
}
