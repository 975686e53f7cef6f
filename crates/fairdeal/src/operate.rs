//! `fairdeal table` and `fairdeal database`: what operators do beside a running server.

use std::io::Write;

use server::operate;
use server::store::Store;

use crate::cli::{DatabaseArgs, DatabaseCommand, TableArgs, TableCommand};
use crate::failure::Failure;
use crate::options::place;

pub(crate) fn run(args: TableArgs, out: &mut impl Write) -> Result<(), Failure> {
    runtime()?.block_on(async {
        let address = place(args.place)?;
        let store = match &args.command {
            TableCommand::Quickstart { .. } => match Store::open_beside(&address).await {
                // Nobody has served from here yet.
                Err(server::store::StoreError::Missing(_)) => Store::open(&address).await,
                other => other,
            },
            TableCommand::List { .. } | TableCommand::Show { .. } => Store::open_beside(&address).await,
        };
        let store = store.map_err(Failure::input)?;
        let done = carry_out(&store, args.command, args.json, out).await;
        store.close().await;
        done
    })
}

/// Copies a database, or puts a copy back.
pub(crate) fn database(args: DatabaseArgs, out: &mut impl Write) -> Result<(), Failure> {
    runtime()?.block_on(async {
        let address = place(args.place)?;
        match args.command {
            DatabaseCommand::Backup { file } => {
                let store = Store::open_beside(&address).await.map_err(Failure::input)?;
                let done = store.backup(&file).await.map_err(Failure::input);
                store.close().await;
                done?;
                writeln!(
                    out,
                    "Backup written to {}. It contains secrets of running matches: keep it private.",
                    file.display()
                )?;
            }
            DatabaseCommand::Restore { file } => {
                let before = Store::restore(&address, &file).await.map_err(Failure::input)?;
                writeln!(out, "The backup has been restored.")?;
                if let Some(before) = before {
                    writeln!(out, "The old database is in {}.", before.display())?;
                }
            }
        }
        Ok(())
    })
}

fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|why| Failure::input(format!("cannot start threads: {why}")))
}

async fn carry_out(store: &Store, command: TableCommand, json: bool, out: &mut impl Write) -> Result<(), Failure> {
    match command {
        TableCommand::List { limit } => {
            let tables = operate::list(store, limit).await.map_err(Failure::input)?;
            if json {
                let tables: Vec<serde_json::Value> = tables
                    .iter()
                    .map(|row| {
                        serde_json::json!({
                            "table": row.id.to_string(), "code": row.code.to_string(), "game": row.game,
                            "phase": row.phase.name(), "listed": row.listed, "created_at": row.created_at,
                            "changed_at": row.changed_at, "log": row.id.tag(),
                        })
                    })
                    .collect();
                writeln!(out, "{}", serde_json::Value::from(tables))?;
                return Ok(());
            }
            if tables.is_empty() {
                writeln!(out, "There are no tables.")?;
            } else {
                writeln!(out, "{:<16}  {:<6}  {:<9}  {:<9}  in the log", "table", "code", "phase", "game")?;
            }
            for row in tables {
                let (phase, tag) = (row.phase.name(), row.id.tag());
                writeln!(out, "{}  {}  {phase:<9}  {:<9}  {tag}", row.id, row.code, row.game)?;
            }
        }
        TableCommand::Show { id } => {
            let id = id.parse().map_err(|_| {
                Failure::input(format!("{id}: a table id has 16 hexadecimal digits, as in `fairdeal table list`"))
            })?;
            let facts = operate::show(store, id).await.map_err(Failure::input)?;
            if json {
                let mut all = serde_json::Map::new();
                for (name, fact) in facts {
                    let fact = match name {
                        "settings" | "view" => serde_json::from_str(&fact).unwrap_or_default(),
                        _ => serde_json::Value::from(fact),
                    };
                    if name == "seat" {
                        let seats = all.entry("seats").or_insert_with(|| serde_json::Value::Array(Vec::new()));
                        if let Some(seats) = seats.as_array_mut() {
                            seats.push(fact);
                        }
                    } else {
                        all.insert(name.to_owned(), fact);
                    }
                }
                writeln!(out, "{}", serde_json::Value::from(all))?;
                return Ok(());
            }
            for (name, fact) in facts {
                writeln!(out, "{name:<9} {fact}")?;
            }
        }
        TableCommand::Quickstart { game } => {
            let started = operate::quickstart(store, game).await.map_err(Failure::input)?;
            if json {
                let players: Vec<serde_json::Value> = started
                    .players
                    .iter()
                    .map(|(name, key)| serde_json::json!({ "name": name, "key": key.text() }))
                    .collect();
                let table = serde_json::json!({ "table": started.table.to_string(), "code": started.code.to_string(), "players": players });
                writeln!(out, "{table}")?;
                return Ok(());
            }
            writeln!(out, "{}", started.table)?;
            writeln!(out, "To play as one of them, enter the key at /me.")?;
            for (name, key) in started.players {
                writeln!(out, "{name:<8} {}", key.text())?;
            }
        }
    }
    Ok(())
}
