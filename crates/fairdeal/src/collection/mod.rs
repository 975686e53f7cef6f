//! `fairdeal results`: what is kept about matches, checked, shown and exchanged.
//!
//! - `store`: the files.
//! - `logs`: logs that stand in for signatures.
//! - `taking`: results from elsewhere, many at a time.
//! - `publish`: results for relays and stations.
//! - `telling`: a result in words and as JSON.

mod logs;
mod publish;
mod store;
mod taking;
mod telling;

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use games::AnyGame;
use results::{Checked, Form, Leaderboard, Session, Settled, Signed, Timestamp, Unreadable, Verdict};

pub(crate) use logs::KeptLogs;
pub(crate) use publish::{Place, publish_own};
pub(crate) use store::{Kept, Loaded, Store, read as read_file};
pub(crate) use taking::Taken;
pub(crate) use telling::refusal;

use crate::Done;
use crate::cli::{ResultsArgs, ResultsCommand};
use crate::failure::{Failure, complain, in_words};
use crate::keyring::{self, Owner, random};
use crate::new_file::NewFile;
use crate::options::data_folder;
use store::read_from;
use telling::Telling;

pub(crate) fn run(args: ResultsArgs, out: &mut impl Write) -> Result<Done, Failure> {
    let data = data_folder(args.data.data)?;
    let store = Store::new(data.clone());
    match args.command {
        ResultsCommand::List { game } => list(&store, game, args.json, out),
        ResultsCommand::Show { id } => show(&store, &id, args.json, out),
        ResultsCommand::Verify { what } => verify(&store, &what, args.json, out),
        ResultsCommand::Import { files } => import(&store, &files, args.json, out),
        ResultsCommand::Publish { to, ids } => publish::run(&store, &data, (&to, &ids), args.json, out),
        ResultsCommand::Export { id, card_game, output, force } => {
            let text = export(&store, &data, &id, card_game)?;
            match output {
                Some(path) => {
                    let mut file = NewFile::create(&path, force)?;
                    file.write(&text)?;
                    file.finish()?;
                }
                None => out.write_all(text.as_bytes())?,
            }
            Ok(Done::Well)
        }
    }
}

/// The clock, in UTC.
pub(crate) fn now() -> Result<Timestamp, Failure> {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).ok().map(|since| since.as_secs());
    seconds.and_then(Timestamp::from_seconds).ok_or_else(|| Failure::input("the clock of this machine is wrong"))
}

/// Reads everything and shows on a terminal how far it is.
pub(crate) fn load(store: &Store, games: &[AnyGame]) -> Result<Loaded, Failure> {
    let count = u64::try_from(store.files(games)?.len()).unwrap_or(u64::MAX);
    let bar = lab::sim::progress_bar(count, "results");
    let loaded = store.load(games, &mut |done| bar.inc(u64::try_from(done).unwrap_or_default()));
    bar.finish_and_clear();
    let loaded = loaded?;
    for (path, why) in &loaded.unreadable {
        complain(format_args!("{}: {why}", path.display()));
    }
    Ok(loaded)
}

fn list(store: &Store, game: Option<AnyGame>, json: bool, out: &mut impl Write) -> Result<Done, Failure> {
    // A match that has results in two games is judged by both.
    let loaded = load(store, AnyGame::ALL)?;
    let telling = Telling { store, loaded: &loaded, settled: loaded.settled(store), now: now()? };
    let mut order: Vec<(&Checked, &Path)> = loaded.with_id("");
    order.retain(|(result, _)| game.is_none_or(|game| result.body().facts().game == game));
    order.sort_by_key(|(result, path)| (std::cmp::Reverse(result.body().facts().at), path.to_owned()));
    for (result, path) in &order {
        if json {
            writeln!(out, "{}", telling.json(result, Some(path)))?;
        } else {
            writeln!(out, "{}", telling.line(result))?;
        }
    }
    if order.is_empty() && !json {
        writeln!(out, "No results are kept here.")?;
    }
    Ok(if loaded.unreadable.is_empty() { Done::Well } else { Done::BadInput })
}

fn show(store: &Store, id: &str, json: bool, out: &mut impl Write) -> Result<Done, Failure> {
    let loaded = load(store, AnyGame::ALL)?;
    let telling = Telling { store, loaded: &loaded, settled: loaded.settled(store), now: now()? };
    for (result, path) in found(&loaded, id)? {
        if json {
            writeln!(out, "{}", telling.json(result, Some(path)))?;
        } else {
            telling.whole(result, out)?;
            writeln!(out, "kept in    {}", path.display())?;
        }
    }
    Ok(Done::Well)
}

/// The results of one match; what was typed must mean one match only.
fn found<'a>(loaded: &'a Loaded, id: &str) -> Result<Vec<(&'a Checked, &'a Path)>, Failure> {
    let results = if id.len() < 4 { Vec::new() } else { loaded.with_id(id) };
    let mut ids: Vec<_> = results.iter().map(|(result, _)| result.body().facts().id).collect();
    ids.sort();
    ids.dedup();
    match ids.len() {
        1 => Ok(results),
        0 => Err(Failure::input(format!("no result with the id {id:?} is kept here; see `fairdeal results list`"))),
        count => Err(Failure::input(format!("{count} results have an id that begins with {id}; type more of it"))),
    }
}

/// What a file turned out to be.
enum Found {
    Result(Box<Checked>),
    Session(Session),
    Board(Leaderboard),
}

/// Reads a file of any kind. Marks and line ends that editors add are no part of what was signed.
fn read(path: &Path) -> Result<Found, String> {
    let bytes = if path.as_os_str() == "-" {
        read_from(io::stdin().lock())?
    } else {
        let opened = File::open(path).and_then(|file| match file.metadata()?.is_dir() {
            true => Err(io::ErrorKind::IsADirectory.into()),
            false => Ok(file),
        });
        read_from(opened.map_err(|why| format!("cannot open: {}", in_words(&why)))?)?
    };
    let bytes = plain(bytes);
    let words = |why: Unreadable| why.to_string();
    if bytes.starts_with(b"session:") {
        Session::parse(&bytes).map(Found::Session).map_err(words)
    } else if bytes.starts_with(b"# LEADERBOARD:") {
        Leaderboard::parse(&bytes).map(Found::Board).map_err(words)
    } else {
        Signed::parse(&bytes).map(|signed| Found::Result(Box::new(signed.check()))).map_err(words)
    }
}

/// Reads a result, in either of its forms.
pub(crate) fn read_result(path: &Path) -> Result<Checked, String> {
    match read(path)? {
        Found::Result(result) => Ok(*result),
        Found::Session(_) | Found::Board(_) => Err("expected a result, not a session or a leaderboard".to_owned()),
    }
}

/// Without a byte-order mark, and with the line ends that are signed.
fn plain(bytes: Vec<u8>) -> Vec<u8> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").map(<[u8]>::to_vec).unwrap_or(bytes);
    let mut plain = Vec::with_capacity(bytes.len());
    for (index, byte) in bytes.iter().enumerate() {
        if *byte != b'\r' || bytes.get(index + 1) != Some(&b'\n') {
            plain.push(*byte);
        }
    }
    plain
}

/// Says of each whether it is as it should be.
fn verify(store: &Store, what: &[PathBuf], json: bool, out: &mut impl Write) -> Result<Done, Failure> {
    let loaded = load(store, AnyGame::ALL)?;
    let telling = Telling { store, loaded: &loaded, settled: loaded.settled(store), now: now()? };
    let mut done = if loaded.unreadable.is_empty() || !what.is_empty() { Done::Well } else { Done::BadInput };
    if what.is_empty() {
        for (result, path) in loaded.with_id("") {
            done = worse(done, telling.verdict(result, Some(path), json, out)?);
        }
        if loaded.results.is_empty() && !json {
            writeln!(out, "No results are kept here.")?;
        }
    }
    for path in what {
        // Something that is there is a file; anything else may be an id.
        let id = path.to_str().filter(|_| !path.exists() && path.as_os_str() != "-");
        if let Some(id) = id.filter(|id| id.len() >= 4 && !loaded.with_id(id).is_empty()) {
            for (result, path) in found(&loaded, id)? {
                done = worse(done, telling.verdict(result, Some(path), json, out)?);
            }
            continue;
        }
        done = match read(path) {
            Ok(Found::Result(result)) => worse(done, telling.verdict(&result, Some(path), json, out)?),
            Ok(Found::Session(session)) => worse(done, telling.session(&session, path, json, out)?),
            Ok(Found::Board(board)) => worse(done, telling.board(&board, path, json, out)?),
            Err(why) => {
                complain(format_args!("{}: {why}", path.display()));
                Done::BadInput
            }
        };
    }
    Ok(done)
}

/// A file that cannot be read outweighs a check that failed.
const fn worse(one: Done, other: Done) -> Done {
    match (one, other) {
        (Done::BadInput, _) | (_, Done::BadInput) => Done::BadInput,
        (Done::CheckFailed, _) | (_, Done::CheckFailed) => Done::CheckFailed,
        (Done::Well, Done::Well) => Done::Well,
    }
}

/// Keeps what is signed as it should be.
fn import(store: &Store, files: &[PathBuf], json: bool, out: &mut impl Write) -> Result<Done, Failure> {
    let now = now()?;
    let bar = lab::sim::progress_bar(u64::try_from(files.len()).unwrap_or(u64::MAX), "files");
    let mut done = Done::Well;
    for path in files {
        bar.inc(1);
        let refuse = |why: &dyn std::fmt::Display| bar.suspend(|| complain(format_args!("{}: {why}", path.display())));
        if logs::is_log(path) {
            let kept = match store.keep_log(path) {
                Ok(kept) => kept,
                Err(Failure::Check(why)) => {
                    refuse(&why);
                    done = worse(done, Done::CheckFailed);
                    continue;
                }
                Err(why) => return Err(why),
            };
            let title = format!("log of {}", kept.2.title());
            bar.suspend(|| telling::kept(&kept.0, &title, path, &kept.1, json, out))?;
            continue;
        }
        let (kept, title) = match read(path) {
            Err(why) => {
                refuse(&why);
                done = Done::BadInput;
                continue;
            }
            Ok(Found::Board(_)) => {
                refuse(&"a leaderboard is made from results, not imported; `fairdeal results verify` checks it");
                done = Done::BadInput;
                continue;
            }
            Ok(Found::Session(session)) => (store.keep_session(&session)?, format!("session {}", session.id())),
            Ok(Found::Result(result)) => {
                let session = store.session(result.body().facts().id);
                if let Some(why) = telling::refusal(&result, session.as_ref(), now) {
                    refuse(&why);
                    done = worse(done, Done::CheckFailed);
                    continue;
                }
                (store.keep(&result)?, telling::headline(&result))
            }
        };
        if matches!(kept.0, Kept::Aside) {
            done = worse(done, Done::CheckFailed);
        }
        let said = bar.suspend(|| telling::kept(&kept.0, &title, path, &kept.1, json, out));
        said?;
    }
    bar.finish_and_clear();
    Ok(done)
}

/// A result as a file; as an export it is signed with the own key, if that is a player's.
fn export(store: &Store, data: &Path, id: &str, card_game: bool) -> Result<String, Failure> {
    let loaded = load(store, AnyGame::ALL)?;
    let results = found(&loaded, id)?;
    let best = |form: fn(Form) -> bool| {
        let mut fitting: Vec<&Checked> =
            results.iter().map(|(result, _)| *result).filter(|result| form(result.body().form())).collect();
        fitting.sort_by_key(|result| *result.verdict() != Verdict::Complete);
        fitting.first().copied()
    };
    if loaded.settled(store).values().any(|settled| match settled {
        Settled::Disputed(one, _) => results.iter().any(|(result, _)| result == one),
        Settled::Counts(_) | Settled::Open => false,
    }) {
        complain("this match has two results that contradict each other; `fairdeal results show` lists them");
    }
    let kept = best(|form| form == Form::CardGame);
    let canonical = best(|form| form != Form::CardGame);
    if !card_game {
        let result = canonical
            .ok_or_else(|| Failure::input("only the form for exchange is kept of this match; add --card-game"))?;
        return Ok(result.signed().text());
    }
    let mut signed = match (kept, canonical) {
        (Some(kept), _) => kept.signed().clone(),
        (None, Some(result)) => Signed::new(result.body().card_game()),
        (None, None) => return Err(Failure::input("nothing is kept of this match")),
    };
    if keyring::has(data, Owner::Player) {
        let secret = keyring::load(data, Owner::Player)?;
        let own = signed.body().facts().players.iter().position(|player| player.key == secret.public());
        if let Some(index) = own {
            let signature = signed.body().sign(index, &secret, &random()?).map_err(Failure::input)?;
            signed.add(index, signature).map_err(Failure::input)?;
        }
    }
    let missing = signed.signatures().iter().filter(|signature| signature.is_none()).count();
    if missing > 0 {
        complain(format_args!("{missing} of the players have not signed this form yet; each can export and import it"));
    }
    Ok(signed.text())
}
