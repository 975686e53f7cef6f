//! `fairdeal rank`: how good hands of cards are.

use std::io::{self, IsTerminal, Write};

use cards::{describe, parse_cards, rank_cards};
use serde::Serialize;

use crate::cli::RankArgs;
use crate::failure::Failure;
use crate::lines::Lines;

/// A way to rank hands. A game that compares hands of its own adds a line to [`Ranker::ALL`].
#[derive(Debug)]
pub struct Ranker {
    /// What the command calls it.
    pub name: &'static str,
    rank: fn(&str) -> Result<Ranked, String>,
}

/// How good a hand is.
struct Ranked {
    rank: u32,
    /// The kind of hand, in one word for machines.
    category: &'static str,
    /// For people.
    words: String,
}

impl Ranker {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self { name: "holdem", rank: holdem }];

    /// The one with this name.
    pub fn from_name(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|ranker| ranker.name == name)
    }
}

pub(crate) fn run(args: &RankArgs, out: &mut impl Write) -> Result<(), Failure> {
    if !args.cards.is_empty() {
        return print(args, &args.cards.join(" "), out, |why| why);
    }
    // Whoever types hands wants to see each answer at once.
    let typed = io::stdin().is_terminal();
    let mut lines = Lines::new(io::stdin().lock());
    while let Some(line) = lines.advance() {
        let at = |why: String| format!("standard input:{}: {why}", lines.number());
        line.map_err(|why| Failure::input(at(why.to_string())))?;
        if !lines.text().trim().is_empty() {
            print(args, lines.text().trim(), out, at)?;
        }
        if typed {
            out.flush()?;
        }
    }
    Ok(())
}

fn print(args: &RankArgs, cards: &str, out: &mut impl Write, at: impl FnOnce(String) -> String) -> Result<(), Failure> {
    /// One line of JSON; `cards` as they came in, so that lines can be matched.
    #[derive(Serialize)]
    struct Object<'a> {
        cards: &'a str,
        rank: u32,
        category: &'static str,
    }
    let Ranked { rank, category, words } = (args.ranker.rank)(cards).map_err(|why| Failure::input(at(why)))?;
    if args.json {
        serde_json::to_writer(&mut *out, &Object { cards, rank, category }).map_err(io::Error::from)?;
        writeln!(out)?;
    } else {
        writeln!(out, "{cards}: {words}")?;
    }
    Ok(())
}

/// Five to seven cards, of which the best five count.
fn holdem(cards: &str) -> Result<Ranked, String> {
    let cards = parse_cards(cards).map_err(|e| e.to_string())?;
    let rank = rank_cards(&cards).map_err(|e| e.to_string())?;
    let words = describe(&cards).map_err(|e| e.to_string())?;
    let position = rank.position();
    Ok(Ranked {
        rank: u32::from(position),
        category: rank.category().key(),
        words: format!("{words} (rank {position} of {})", cards::HandRank::COUNT),
    })
}
