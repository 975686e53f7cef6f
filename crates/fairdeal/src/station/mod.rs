//! `fairdeal station`: leaderboards from the results that are kept here, and results from and for elsewhere.
//!
//! - `players`: whose matches count, if the operator lists them.
//! - `serving`: the boards for a server, and results that people send.
//! - `sync`: results and boards, to and from a folder or a relay.

mod players;
mod serving;
mod sync;

pub(crate) use serving::Serving;

use std::io::Write;
use std::path::Path;

use games::AnyGame;
use results::{Checked, Leaderboard, Secret, Timestamp, game_name, paths, tally};
use serde_json::json;

use crate::Done;
use crate::cli::{StationArgs, StationCommand};
use crate::collection::{KeptLogs, Loaded, Store, load, now};
use crate::durable::{self, Readers};
use crate::failure::{Failure, complain};
use crate::keyring::{self, Owner, random};
use crate::options::data_folder;
use players::Players;

pub(crate) fn run(args: StationArgs, out: &mut impl Write) -> Result<Done, Failure> {
    let data = data_folder(args.data.data)?;
    match args.command {
        StationCommand::Init => {
            let secret = keyring::make(&data, Owner::Station)?;
            keyring::tell(Owner::Station, &secret, &data, args.json, out)?;
            Ok(Done::Well)
        }
        StationCommand::Leaderboard { game } => {
            let secret = keyring::load(&data, Owner::Station)?;
            let games = game.as_ref().map_or(AnyGame::ALL, std::slice::from_ref);
            let now = now()?;
            // A match that has results in two games is judged by both.
            let loaded = counted(&data, now)?;
            for board in ranked(games, &counting(&data, &loaded)?, &KeptLogs::new(&data), now, &secret)? {
                write_board(&data, &board)?;
                tell(&board, args.json, out)?;
            }
            Ok(if loaded.unreadable.is_empty() { Done::Well } else { Done::BadInput })
        }
        StationCommand::Sync { with, all } => sync::run(&data, &with, all, args.json, out),
    }
}

/// Everything that is kept and can be counted.
fn counted(data: &Path, now: Timestamp) -> Result<Loaded, Failure> {
    let store = Store::new(data.to_owned());
    let mut loaded = load(&store, AnyGame::ALL)?;
    let left_out = loaded.forget_impossible(&store, now);
    if left_out > 0 {
        complain(format_args!(
            "{left_out} results are not counted: an impossible date, or another seed than in the session"
        ));
    }
    Ok(loaded)
}

/// The results that count here: those of players whom the operator has listed, if there is a list.
fn counting(data: &Path, loaded: &Loaded) -> Result<Vec<Checked>, Failure> {
    let players = Players::read(data)?;
    Ok(loaded.results.iter().filter(|result| players.know(result)).cloned().collect())
}

/// The boards of these games.
pub(crate) fn ranked(
    games: &[AnyGame],
    results: &[Checked],
    logs: &KeptLogs,
    now: Timestamp,
    station: &Secret,
) -> Result<Vec<Leaderboard>, Failure> {
    let rank = |game: &AnyGame| Ok(Leaderboard::new(*game, &tally(*game, results, logs), now, station, &random()?));
    games.iter().map(rank).collect()
}

/// Writes a board where others look for it.
pub(crate) fn write_board(data: &Path, board: &Leaderboard) -> Result<(), Failure> {
    let path = data.join(paths::leaderboard(board.station(), board.game()));
    let written = durable::replace(&path, board.text().as_bytes(), Readers::Usual);
    written.map_err(|why| Failure::file(&path, "write", &why))
}

fn tell(board: &Leaderboard, json: bool, out: &mut impl Write) -> Result<(), Failure> {
    if json {
        let rows: Vec<_> = (1..)
            .zip(board.rows())
            .map(|(rank, row)| {
                let (whole, tenth) = (row.rate() / 10, row.rate() % 10);
                json!({
                    "rank": rank, "callsign": row.callsign.to_string(), "wins": row.wins, "losses": row.losses,
                    "winrate": format!("{whole}.{tenth}"),
                })
            })
            .collect();
        let all = json!({
            "station": board.station().to_string(), "game": board.game().name(), "updated": board.updated().iso(),
            "rows": rows,
        });
        writeln!(out, "{all}")?;
        return Ok(());
    }
    writeln!(out, "{} at {}", game_name(board.game()), board.station())?;
    if board.rows().is_empty() {
        writeln!(out, "  no results yet")?;
    }
    for (rank, row) in (1_u32..).zip(board.rows()) {
        let (whole, tenth) = (row.rate() / 10, row.rate() % 10);
        writeln!(
            out,
            "{rank:>5}  {:<18}  {:>6} won  {:>6} lost  {whole:>3}.{tenth} %",
            row.callsign, row.wins, row.losses
        )?;
    }
    Ok(())
}
