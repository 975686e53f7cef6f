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
use server::station::{Brought, NotTaken, Station, Taken, Wanted};

use super::players::Players;
use super::{ranked, write_board};
use crate::collection::{Kept, KeptLogs, Store, now, read_file, refusal};
use crate::failure::Failure;
use crate::keyring::{self, Owner};

/// How often the files are looked at, at most.
const FRESH: Duration = Duration::from_secs(3);
/// How many results that are not complete, of players who count here, may be kept before no more are accepted.
const MOST_PARTIAL: usize = 10_000;

/// A station that a server runs.
pub(crate) struct Serving {
    data: PathBuf,
    secret: Secret,
    logs: KeptLogs,
    most_partial: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    looked: Option<Instant>,
    files: BTreeMap<PathBuf, File>,
    logs: BTreeMap<Hash, (PathBuf, (Option<SystemTime>, u64))>,
    /// When sessions were last added.
    sessions: Option<SystemTime>,
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
        let (data, logs) = (data.to_owned(), KeptLogs::new(data));
        let serving = Self { data, secret, logs, most_partial: MOST_PARTIAL, state: Mutex::default() };
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
        let store = Store::new(self.data.clone());
        let fits = |result: &&Checked| store.fits_session(result.body());
        let results: Vec<Checked> = results.filter(possible).filter(known).filter(fits).cloned().collect();
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
        let sessions = std::mem::replace(&mut self.sessions, store.sessions_changed());
        let others = self.logs != before || self.sessions != sessions;
        let new = !read.is_empty() || self.files.len() != count || others;
        for ((path, changed), result) in places.into_iter().zip(check_all(read)) {
            self.files.insert(path, File { changed, result: Some(result) });
        }
        Ok(new)
    }

    /// How many partial results there are of players who count here. Those of others may come through a relay, and keep
    /// nobody out.
    fn partial(&self) -> usize {
        let results = self.files.values().filter_map(|file| file.result.as_ref());
        let partial = results.filter(|result| matches!(result.verdict(), Verdict::Partial { .. }));
        partial.filter(|result| self.players.know(result)).count()
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

    fn take(&self, file: &[u8], wanted: Wanted) -> Result<Taken, NotTaken> {
        let unavailable = |why| NotTaken::Unavailable(in_words(why));
        let signed = Signed::parse(file).map_err(|why| NotTaken::Unreadable(why.to_string()))?;
        let store = Store::new(self.data.clone());
        // The limits against strangers are for what is new: they stop neither what is known nor missing signatures.
        let is_new = !store.holds(signed.body());
        if is_new && wanted == Wanted::Known {
            return Err(NotTaken::TooMany);
        }
        let result = signed.check();
        let complete = match result.verdict() {
            Verdict::Forged { .. } => return Err(NotTaken::Forged),
            Verdict::Unsigned => return Err(NotTaken::Unsigned),
            Verdict::Partial { .. } => false,
            Verdict::Complete => true,
        };
        let state = self.refreshed().map_err(unavailable)?;
        if !state.players.know(&result) {
            return Err(NotTaken::Stranger);
        }
        if is_new && !complete && state.partial() >= self.most_partial {
            return Err(NotTaken::Full);
        }
        drop(state);
        let session = store.session(result.body().facts().id);
        if let Some(why) = refusal(&result, session.as_ref(), now().map_err(unavailable)?) {
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

#[cfg(test)]
mod tests {
    use results::{Body, Callsign, Facts, Form, Player, Uuid};
    use table::Chips;

    use super::*;

    fn secret(byte: u8) -> Secret {
        Secret::from_bytes(&[byte; 32]).unwrap()
    }

    /// A match of these two players, signed by one of them.
    fn signed(id: u8, players: [u8; 2], by: usize) -> String {
        let lines = (1..).zip(players).map(|(place, byte)| {
            let key = secret(byte).public();
            let amount = Chips(if place == 1 { 2000 } else { 0 });
            Player { callsign: Callsign::of_player(&key), key, place, amount }
        });
        let facts = Facts {
            id: Uuid::random([id; 16]),
            game: AnyGame::Holdem,
            at: "2026-01-02 20:00:00".parse().unwrap(),
            seed: Hash([7; 32]),
            log_hash: None,
            players: lines.collect(),
        };
        let mut signed = Signed::new(Body::new(facts, Form::Result { deals: 12 }).unwrap());
        let signature = signed.body().sign(by, &secret(players[by]), &[0; 32]).unwrap();
        signed.add(by, signature).unwrap();
        signed.text()
    }

    /// A station that keeps one partial result at most.
    fn station(data: &Path) -> Serving {
        keyring::make(data, Owner::Station).unwrap();
        Serving { most_partial: 1, ..Serving::open(data).unwrap() }
    }

    impl Serving {
        fn brings(&self, text: &str, wanted: Wanted) -> Result<Brought, NotTaken> {
            self.state.lock().unwrap().looked = None;
            self.take(text.as_bytes(), wanted).map(|taken| taken.brought)
        }
    }

    #[test]
    fn limits_against_strangers_stop_neither_what_is_known_nor_missing_signatures() {
        let folder = tempfile::tempdir().unwrap();
        let station = station(folder.path());
        assert_eq!(station.brings(&signed(1, [1, 2], 0), Wanted::Everything), Ok(Brought::Match));
        assert_eq!(station.brings(&signed(2, [3, 4], 0), Wanted::Everything), Err(NotTaken::Full));
        assert_eq!(station.brings(&signed(2, [3, 4], 0), Wanted::Known), Err(NotTaken::TooMany));
        assert_eq!(station.brings(&signed(1, [1, 2], 0), Wanted::Known), Ok(Brought::Nothing));
        assert_eq!(station.brings(&signed(1, [1, 2], 1), Wanted::Known), Ok(Brought::Signatures));
        assert_eq!(
            station.brings(&signed(2, [3, 4], 0), Wanted::Everything),
            Ok(Brought::Match),
            "there is room again"
        );
    }

    #[test]
    fn partial_results_of_players_who_do_not_count_keep_nobody_out() {
        let folder = tempfile::tempdir().unwrap();
        let station = station(folder.path());
        assert_eq!(station.brings(&signed(1, [8, 9], 0), Wanted::Everything), Ok(Brought::Match));
        let known = [1, 2].map(|byte| secret(byte).public().npub()).join("\n");
        std::fs::write(folder.path().join("station-players.txt"), known).unwrap();
        assert_eq!(station.brings(&signed(2, [1, 2], 0), Wanted::Everything), Ok(Brought::Match));
    }
}
