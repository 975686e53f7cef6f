//! What the program says when it is called without a command.

use std::io::{self, Write};

use games::AnyGame;
use table::Game as _;

pub(crate) fn print(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "fairdeal: card games that nobody can rig and nobody can peek into.\n\nGames:")?;
    let width = AnyGame::ALL.iter().map(|game| game.name().len()).max().unwrap_or(0);
    for game in AnyGame::ALL {
        let about = games::with_game!(*game, G => G::ABOUT);
        writeln!(out, "  {:width$}  {about}", game.name())?;
    }
    let game = AnyGame::ALL.first().map_or("", |game| game.name());
    let examples = [
        ("play".to_owned(), "sit down at a table in this terminal"),
        (format!("games {game}"), "what can be set in a game"),
        (format!("sim {game} --deals 100000"), "let computers play, and sum up"),
        (format!("arena {game} --bots hard,easy"), "which computer plays better"),
        ("rank holdem As Ah 2c 7d 9h".to_owned(), "how good a hand is"),
    ];
    writeln!(out, "\nTry:")?;
    let width = examples.iter().map(|(command, _)| command.len()).max().unwrap_or(0);
    for (command, about) in examples {
        writeln!(out, "  fairdeal {command:width$}  {about}")?;
    }
    writeln!(out, "\nAll commands: fairdeal --help. One command with examples: fairdeal sim --help.")
}
