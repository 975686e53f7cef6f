//! `fairdeal host` and `fairdeal join`: a table is created, joined or continued, and then played at.

mod entering;
mod hosting;
mod joining;

use std::io::{IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use ::peer::Ticket;
use results::{Callsign, Secret};

use super::auto::{self, Decides, Listener as _, Program};
use super::files::{self, Folder, Found, Kept, Unfinished};
use super::own::OwnHub;
use super::screen;
use crate::cli::{HostArgs, JoinArgs, PartArgs};
use crate::collection::{Place, publish_own};
use crate::failure::Failure;
use crate::keyring::{self, Owner};
use crate::options::data_folder;
use crate::play::seating::name_of;
use crate::relay::client::Published;
use crate::{interrupt, locale};
use entering::entered;
pub(super) use hosting::new_rematch;
use hosting::{asked, created, planned, reopened};
use joining::{Taking, joined, seated};

/// Runs `fairdeal host`.
pub(crate) fn host(args: HostArgs, out: &mut impl Write) -> Result<(), Failure> {
    let data = ready(&args.part)?;
    let identity = identity(&data)?;
    let (path, found) = match (&args.resume, args.game) {
        (Some(id), _) => continued(&data, id, |kept| kept.hosting.is_some(), "fairdeal host GAME")?,
        (None, Some(game)) => {
            let asked = asked(&args);
            let same = |one: &Unfinished| one.kept.hosting.as_ref().is_some_and(|hosting| hosting.asked == asked);
            match files::unfinished(&data).into_iter().find(|one| !args.new && same(one)) {
                Some(unfinished) => (unfinished.path.clone(), Folder::open(&unfinished.path)?),
                None => {
                    let (found, hub) = created(planned(&args, game, asked, &identity)?, &data)?;
                    return at_table(found, hub, &identity, &data, &args.part, out);
                }
            }
        }
        (None, None) => return Err(Failure::input("which game? fairdeal games lists them")),
    };
    let (found, hub) = reopened(&path, found)?;
    at_table(found, hub, &identity, &data, &args.part, out)
}

/// Runs `fairdeal join`.
pub(crate) fn join(args: JoinArgs, out: &mut impl Write) -> Result<(), Failure> {
    let data = ready(&args.part)?;
    let identity = identity(&data)?;
    let found = match (&args.resume, args.to.as_deref()) {
        (Some(id), _) => continued(&data, id, |kept| kept.hosting.is_none(), "fairdeal join TICKET")?.1,
        (None, Some(to)) => joined(&args, to, &data, &identity, out)?,
        (None, None) => return Err(Failure::input("where to? a ticket, CODE@HOST, nearby or a relay")),
    };
    at_table(found, None, &identity, &data, &args.part, out)
}

/// Checks that somebody can play here; returns where everything is kept.
fn ready(part: &PartArgs) -> Result<PathBuf, Failure> {
    let terminal = std::io::stdout().is_terminal() && std::io::stdin().is_terminal();
    if part.auto.is_none() && !terminal {
        return Err(Failure::input("this needs a terminal; without one, --auto LEVEL lets a computer play for you"));
    }
    if part.auto.is_some() {
        interrupt::listen();
    } else if let Some(why) = locale::no_screens() {
        return Err(Failure::input(why));
    }
    data_folder(part.data.clone())
}

/// The player's key; a first one is made.
fn identity(data: &Path) -> Result<Secret, Failure> {
    if keyring::has(data, Owner::Player) {
        return keyring::load(data, Owner::Player);
    }
    keyring::make(data, Owner::Player)
}

fn player_name(typed: Option<&str>, identity: &Secret) -> Result<String, Failure> {
    match typed {
        Some(name) => name_of(name).map_err(|why| Failure::input(format!("--name: {why}"))),
        None => Ok(Callsign::of_player(&identity.public()).to_string()),
    }
}

/// The table to be continued.
fn continued(data: &Path, id: &str, fits: impl Fn(&Kept) -> bool, instead: &str) -> Result<(PathBuf, Found), Failure> {
    let mut all = files::unfinished(data).into_iter().filter(|one| fits(&one.kept));
    let found = all.find(|one| id.is_empty() || one.is(id));
    let none = || match id {
        "" => Failure::input(format!("there is no unfinished table; {instead} begins one")),
        id => Failure::input(format!(
            "there is no unfinished table {id:?}; --resume without a name continues the last one"
        )),
    };
    let found = found.ok_or_else(none)?;
    Ok((found.path.clone(), Folder::open(&found.path)?))
}

/// The table of a rematch: this player's own, or somebody else's.
fn next_table(ticket: &str, before: Taking, data: &Path) -> Result<(Found, Option<OwnHub>), Failure> {
    let ticket: Ticket = ticket.parse().map_err(Failure::input)?;
    let path = files::table(data, ticket.table());
    let own = files::read_kept(&path).is_ok_and(|kept| kept.hosting.is_some());
    if own { reopened(&path, Folder::open(&path)?) } else { Ok((seated(&ticket, before, data)?, None)) }
}

/// Goes to the table, and plays there; with a person also at the tables of rematches.
fn at_table(
    found: Found,
    hub: Option<OwnHub>,
    identity: &Secret,
    data: &Path,
    part: &PartArgs,
    out: &mut impl Write,
) -> Result<(), Failure> {
    if let Some(kind) = part.auto {
        let entrance = entered(found, hub, identity, data)?;
        let mut program = Program::new(out);
        let view = entrance.view();
        program.line(&format!("ticket {}", view.ticket))?;
        if let Some(code) = view.code {
            program.line(&format!("code {code}@{}", view.address))?;
        }
        auto::play(entrance, Decides { kind, think: Duration::from_secs(part.think) }, &mut program)?;
        if let Some((text, _)) = part.publish.as_ref().map(|to| published(to, data)) {
            program.line(&text)?;
        }
        return Ok(());
    }
    let mut next = Some((found, hub));
    while let Some((found, hub)) = next {
        let kept = found.folder.kept.clone();
        let before = Taking { name: kept.name, part: kept.part, computers: kept.computers, patience: kept.patience };
        let again = screen::play(entered(found, hub, identity, data)?, &part.look, out)?;
        if let Some((_, text)) = part.publish.as_ref().map(|to| published(to, data)) {
            writeln!(out, "{text}")?;
        }
        next = again.map(|ticket| next_table(&ticket, before, data)).transpose()?;
    }
    Ok(())
}

/// Publishes this player's results, for a program and for a person in words. Results that cannot be published now are
/// kept, so this is no reason to fail.
fn published(to: &Place, data: &Path) -> (String, String) {
    match publish_own(to, data) {
        Ok(Published { kept, refused: 0, .. }) => {
            (format!("published {kept}"), format!("Your results are published at {to}."))
        }
        Ok(Published { why, .. }) => later(to, &why.unwrap_or_default()),
        Err(Failure::Input(why) | Failure::Check(why)) => later(to, &why),
        Err(Failure::Closed | Failure::Interrupted) => later(to, "interrupted"),
    }
}

fn later(to: &Place, why: &str) -> (String, String) {
    let text = format!("the result is kept, but not published ({why}); later: fairdeal results publish {to}");
    (format!("note {text}"), text)
}
