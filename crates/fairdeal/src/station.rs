//! `fairdeal station`: leaderboards from the results that are kept here.

use std::io::Write;
use std::path::Path;

use games::AnyGame;
use results::{Checked, Leaderboard, NoLogs, Secret, Timestamp, game_name, paths, tally};
use serde_json::json;

use crate::Done;
use crate::cli::{StationArgs, StationCommand};
use crate::collection::{Store, load, now};
use crate::durable::{self, Readers};
use crate::failure::{Failure, complain};
use crate::keyring::{self, Owner, random};
use crate::options::data_folder;

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
            let mut loaded = load(&Store::new(data.clone()), games)?;
            let before = loaded.results.len();
            loaded.results.retain(|result| result.body().facts().plausible(now).is_ok());
            if loaded.results.len() < before {
                let left_out = before - loaded.results.len();
                complain(format_args!("{left_out} results are not counted: they have impossible dates"));
            }
            for game in games {
                let board = rank(*game, &loaded.results, now, &secret)?;
                write_board(&data, &board)?;
                tell(&board, args.json, out)?;
            }
            Ok(if loaded.unreadable.is_empty() { Done::Well } else { Done::BadInput })
        }
    }
}

fn rank(game: AnyGame, results: &[Checked], now: Timestamp, station: &Secret) -> Result<Leaderboard, Failure> {
    Ok(Leaderboard::new(game, &tally(game, results, &NoLogs), now, station, &random()?))
}

fn write_board(data: &Path, board: &Leaderboard) -> Result<(), Failure> {
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
