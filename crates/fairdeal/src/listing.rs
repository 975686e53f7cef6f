//! `fairdeal games`: which games there are, and what can be set in them.

use std::io::{self, Write};

use games::AnyGame;
use serde::Serialize;
use table::{Counting, Described, Game, Settings};

use crate::cli::GamesArgs;
use crate::failure::Failure;
use crate::{locale, text};

/// Where the text of a game begins, under its title.
const ABOUT_INDENT: usize = 11;

/// A game, described.
#[derive(Serialize)]
struct About {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    players: Players,
    /// What the results of its deals count.
    result: Counting,
    settings: Vec<Described>,
}

#[derive(Serialize)]
struct Players {
    least: u8,
    most: u8,
}

pub(crate) fn run(args: &GamesArgs, out: &mut impl Write) -> Result<(), Failure> {
    let all = AnyGame::ALL.iter().map(|game| about(*game));
    match (args.game.map(about), args.json) {
        (Some(one), false) => one.print_whole(out)?,
        (Some(one), true) => print_json(&one, out)?,
        (None, true) => print_json(&all.collect::<Vec<_>>(), out)?,
        (None, false) => {
            for one in all {
                one.print_heading(out)?;
            }
            writeln!(out, "\nFor the settings of a game: fairdeal games GAME")?;
        }
    }
    Ok(())
}

fn about(game: AnyGame) -> About {
    fn of<G: Game>() -> About {
        let players = Players { least: *G::PLAYERS.start(), most: *G::PLAYERS.end() };
        let settings = G::Settings::described();
        About { name: G::NAME, title: G::TITLE, about: G::ABOUT, players, result: G::RESULT, settings }
    }
    games::with_game!(game, G => of::<G>())
}

fn print_json(value: &impl Serialize, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}

impl About {
    fn print_heading(&self, out: &mut impl Write) -> io::Result<()> {
        let Players { least, most } = self.players;
        let players = if least == most { format!("{least}") } else { format!("{least} to {most}") };
        let width = text::width();
        let heading = format!("{:10} {} ({players} players)", self.name, self.title);
        writeln!(out, "{}", locale::shown(&heading))?;
        write!(out, "{}", text::wrapped(&locale::shown(self.about), width, ABOUT_INDENT.min(width / 4)))
    }

    fn print_whole(&self, out: &mut impl Write) -> io::Result<()> {
        let width = text::width();
        self.print_heading(out)?;
        writeln!(out, "\nSettings, with --option NAME=VALUE:")?;
        for setting in &self.settings {
            let Described { name, about, default, range, follows } = setting;
            let follows = follows.map_or_else(String::new, |preset| format!(" If not set, {preset} decides."));
            let about = locale::shown(&format!("{about} Allowed: {range}.{follows}"));
            write!(out, "  {name}={default}\n{}", text::wrapped(&about, width, 6))?;
        }
        Ok(())
    }
}
