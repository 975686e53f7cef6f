//! `fairdeal chain tables`: the lobby.

use std::io::Write;

use ::chain::tables::{Phase, SEATS};
use ::chain::{Coins, hex};
use remote::{Listed, Stage};
use serde_json::{Value, json};

use super::contact::Contact;
use super::wallet::MOST_TABLES;
use crate::cli::TablesArgs;
use crate::failure::Failure;
use crate::text::{grouped, shown};

pub(super) fn run(args: &TablesArgs, out: &mut impl Write) -> Result<(), Failure> {
    let mut contact = Contact::open(&args.at)?;
    let tables = contact.block(async |remote| remote.lobby(1, MOST_TABLES).await)?;
    contact.keep()?;
    if args.json {
        let list: Vec<Value> = tables.iter().map(described).collect();
        return Ok(writeln!(out, "{}", json!({ "chain": hex(&contact.chain()), "tables": list }))?);
    }
    if tables.is_empty() {
        return Ok(writeln!(out, "There are no tables yet.")?);
    }
    let rows: Vec<[String; 6]> = tables.iter().map(row).collect();
    let head = ["table", "blinds", "buy-in", "bond", "players", "now"].map(str::to_owned);
    let widths: Vec<usize> = (0..6)
        .map(|column| {
            let all = rows.iter().chain([&head]).filter_map(|row| row.get(column));
            all.map(|text| text.chars().count()).max().unwrap_or_default()
        })
        .collect();
    for row in [&head].into_iter().chain(&rows) {
        let line: Vec<String> = row.iter().zip(&widths).map(|(text, &width)| format!("{text:width$}")).collect();
        writeln!(out, "{}", crate::locale::shown(line.join("  ").trim_end()))?;
    }
    Ok(())
}

fn row(listed: &Listed) -> [String; 6] {
    let terms = &listed.terms;
    let between = |a: Coins, b: Coins| format!("{}–{}", grouped(a.0), grouped(b.0));
    [
        format!("{} {}", listed.table, shown(&terms.label)),
        format!("{}/{}", terms.small_blind, terms.big_blind),
        between(terms.min_buy_in, terms.max_buy_in),
        grouped(terms.player_bond.0),
        format!("{}/{SEATS}", listed.players.len()),
        now(listed.stage),
    ]
}

fn now(stage: Stage) -> String {
    match stage {
        Stage::Waiting => "waiting for players".to_owned(),
        Stage::Between => "the next hand is about to begin".to_owned(),
        Stage::Playing { hand, phase } => format!("hand {hand}: {}", phase_in_words(phase)),
    }
}

/// Where a hand is, as players say it.
pub(super) const fn phase_in_words(phase: Phase) -> &'static str {
    match phase {
        Phase::HandInit | Phase::Shuffle | Phase::DealHole => "dealing",
        Phase::PreflopBetting => "before the flop",
        Phase::FlopReveal | Phase::FlopBetting => "flop",
        Phase::TurnReveal | Phase::TurnBetting => "turn",
        Phase::RiverReveal | Phase::RiverBetting => "river",
        Phase::Showdown => "showdown",
        Phase::HandComplete => "over",
    }
}

fn described(listed: &Listed) -> Value {
    let terms = &listed.terms;
    let players: Vec<String> = listed.players.iter().map(ToString::to_string).collect();
    let (hand, phase) = match listed.stage {
        Stage::Playing { hand, phase } => (Some(hand), phase_in_words(phase)),
        Stage::Waiting => (None, "waiting"),
        Stage::Between => (None, "between"),
    };
    json!({
        "table": listed.table, "label": terms.label, "small_blind": terms.small_blind.0, "big_blind": terms.big_blind.0,
        "min_buy_in": terms.min_buy_in.0, "max_buy_in": terms.max_buy_in.0, "bond": terms.player_bond.0,
        "seconds_to_act": terms.action_timeout_secs, "players": players, "ready": listed.ready, "hand": hand,
        "phase": phase,
    })
}
