//! A station for a server: its boards, always as fresh as the files, and results that people send.
//!
//! Results are files, and other programs add some: `fairdeal station sync`, for instance. So every few seconds the names
//! of the files are compared with those that were read before; only new and changed ones are read and checked.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use games::AnyGame;
use results::{Checked, Hash, Leaderboard, Public, Secret, Signed, Timestamp, Verdict, check_all};
use server::station::{Brought, NotTaken, Station, Taken};

use super::players::Players;
use super::{ranked, write_board};
use crate::collection::{Kept, KeptLogs, Store, now, read_file, refusal};
use crate::failure::Failure;
use crate::keyring::{self, Owner};

/// How often the files are looked at, at most.
const FRESH: Duration = Duration::from_secs(3);
/// How many results that are not complete may be kept before no more are accepted from strangers.
const MOST_PARTIAL: usize = 10_000;

/// A station that a server runs.
pub(crate) struct Serving {
    data: PathBuf,
    secret: Secret,
    logs: KeptLogs,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    looked: Option<Instant>,
    files: BTreeMap<PathBuf, File>,
    logs: BTreeMap<Hash, (PathBuf, (Option<SystemTime>, u64))>,
    players: Players,
    boards: BTreeMap<AnyGame, Arc<Leaderboard>>,
}

/// A file as it was when it was read; `None` if it was no result.
struct File {
    changed: (Option<SystemTime>, u64),
    result: Option<Checked>,
}

impl Serving {
    /// Opens the station with this data folder, and reads everything.
    pub(crate) fn open(data: &Path) -> Result<Self, Failure> {
        let secret = keyring::load(data, Owner::Station)?;
        let serving = Self { data: data.to_owned(), secret, logs: KeptLogs::new(data), state: Mutex::default() };
        drop(serving.refreshed()?);
        Ok(serving)
    }

    /// What is known, no older than a few seconds.
    fn refreshed(&self) -> Result<MutexGuard<'_, State>, Failure> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.looked.is_none_or(|looked| looked.elapsed() >= FRESH) {
            let now = now()?;
            let players = Players::read(&self.data)?;
            let others = std::mem::replace(&mut state.players, players);
            if state.read(&Store::new(self.data.clone()))? || state.players != others || state.boards.is_empty() {
                self.rank(&mut state, now)?;
            }
            state.looked = Some(Instant::now());
        }
        Ok(state)
    }

    /// Makes boards anew, and keeps those that have changed.
    fn rank(&self, state: &mut State, now: Timestamp) -> Result<(), Failure> {
        let possible = |result: &&Checked| result.body().facts().plausible(now).is_ok();
        let known = |result: &&Checked| state.players.know(result);
        let results = state.files.values().filter_map(|file| file.result.as_ref());
        let results: Vec<Checked> = results.filter(possible).filter(known).cloned().collect();
        for board in ranked(AnyGame::ALL, &results, &self.logs, now, &self.secret)? {
            if state.boards.get(&board.game()).is_none_or(|before| before.rows() != board.rows()) {
                write_board(&self.data, &board)?;
                state.boards.insert(board.game(), Arc::new(board));
            }
        }
        Ok(())
    }
}

impl State {
    /// Reads new and changed files; says whether there were any.
    fn read(&mut self, store: &Store) -> Result<bool, Failure> {
        let mut before = std::mem::take(&mut self.files);
        let (mut read, mut places) = (Vec::new(), Vec::new());
        let count = before.len();
        for path in store.files(AnyGame::ALL)? {
            let about = std::fs::metadata(&path).ok();
            let changed = about.map_or((None, 0), |about| (about.modified().ok(), about.len()));
            if let Some(file) = before.remove(&path).filter(|file| file.changed == changed) {
                self.files.insert(path, file);
                continue;
            }
            match read_file(&path).ok().and_then(|bytes| Signed::parse(&bytes).ok()) {
                Some(signed) => {
                    read.push(signed);
                    places.push((path, changed));
                }
                None => drop(self.files.insert(path, File { changed, result: None })),
            }
        }
        let before = std::mem::replace(&mut self.logs, store.logs());
        let new = !read.is_empty() || self.files.len() != count || self.logs != before;
        for ((path, changed), result) in places.into_iter().zip(check_all(read)) {
            self.files.insert(path, File { changed, result: Some(result) });
        }
        Ok(new)
    }

    fn partial(&self) -> usize {
        let results = self.files.values().filter_map(|file| file.result.as_ref());
        results.filter(|result| matches!(result.verdict(), Verdict::Partial { .. })).count()
    }
}

impl Station for Serving {
    fn key(&self) -> Public {
        self.secret.public()
    }

    fn is_closed(&self) -> bool {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).players.are_listed()
    }

    fn board(&self, game: AnyGame) -> Result<Arc<Leaderboard>, String> {
        let state = self.refreshed().map_err(in_words)?;
        state.boards.get(&game).cloned().ok_or_else(|| "there is no such board".to_owned())
    }

    fn take(&self, file: &[u8]) -> Result<Taken, NotTaken> {
        let unavailable = |why| NotTaken::Unavailable(in_words(why));
        let signed = Signed::parse(file).map_err(|why| NotTaken::Unreadable(why.to_string()))?;
        let result = signed.check();
        let store = Store::new(self.data.clone());
        let complete = match result.verdict() {
            Verdict::Forged { .. } => return Err(NotTaken::Forged),
            Verdict::Unsigned => return Err(NotTaken::Unsigned),
            Verdict::Partial { .. } if self.refreshed().map_err(unavailable)?.partial() >= MOST_PARTIAL => {
                return Err(NotTaken::Full);
            }
            Verdict::Partial { .. } => false,
            Verdict::Complete => true,
        };
        if !self.refreshed().map_err(unavailable)?.players.know(&result) {
            return Err(NotTaken::Stranger);
        }
        if let Some(why) = refusal(&result, now().map_err(unavailable)?) {
            return Err(NotTaken::Implausible(why));
        }
        let (kept, path) = store.keep(&result).map_err(unavailable)?;
        let brought = match kept {
            Kept::New => Brought::Match,
            Kept::Completed(_) => Brought::Signatures,
            Kept::Known => Brought::Nothing,
            Kept::Aside => Brought::Contradiction,
        };
        let now_complete = || {
            let kept = read_file(&path).ok().and_then(|bytes| Signed::parse(&bytes).ok());
            kept.is_some_and(|kept| *kept.check().verdict() == Verdict::Complete)
        };
        Ok(Taken { brought, complete: complete || now_complete() })
    }
}

fn in_words(why: Failure) -> String {
    match why {
        Failure::Input(why) | Failure::Check(why) => why,
        Failure::Closed | Failure::Interrupted => "interrupted".to_owned(),
    }
}
