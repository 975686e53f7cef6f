//! A place at somebody else's table: found, asked for, and kept.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::Path;

use ::peer::Ticket;
use relays::address::{Through, means_relay};
use results::Secret;
use table::Value as _;

use super::player_name;
use crate::cli::JoinArgs;
use crate::failure::Failure;
use crate::peer::files::{self, Folder, Found, Kept, Part};
use crate::peer::knocking::{self, AtDoor, Way};

/// A table that somebody else hosts.
pub(super) fn joined(
    args: &JoinArgs,
    to: &str,
    data: &Path,
    identity: &Secret,
    out: &mut impl Write,
) -> Result<Found, Failure> {
    let name = player_name(args.name.as_deref(), identity)?;
    let auto = args.part.auto.is_some();
    let door = match to.split_once('@') {
        _ if to == "nearby" => {
            let found = knocking::nearby(args.table.as_deref(), &mut |text| say_note(text, auto, out))?;
            Some(found)
        }
        _ if means_relay(to) && !to.contains('#') => {
            match knocking::on_relay(to, args.table.as_deref(), identity, &mut |text| say_note(text, auto, out))? {
                Way::Door(door) => Some(door),
                Way::Ticket(ticket) => {
                    let part = if args.watch { Part::Spectator } else { Part::Player };
                    let computers = args.bots.iter().map(|kind| kind.text()).collect();
                    return seated(&ticket, Taking { name, part, computers, patience: args.part.patience }, data);
                }
            }
        }
        Some((code, host)) if !to.contains('#') => Some(knocking::by_code(code, host)?),
        _ => None,
    };
    let ticket = match door {
        Some(door) => let_in(&door, &name, auto, out)?,
        None => to.parse().map_err(|why| Failure::input(format!("the ticket cannot be read: {why}")))?,
    };
    let part = if args.watch { Part::Spectator } else { Part::Player };
    let computers = args.bots.iter().map(|kind| kind.text()).collect();
    seated(&ticket, Taking { name, part, computers, patience: args.part.patience }, data)
}

/// Tells a person or a program something that does not stop them.
fn say_note(text: &str, auto: bool, out: &mut impl Write) -> Result<(), Failure> {
    let note = if auto { "note " } else { "" };
    Ok(writeln!(out, "{note}{text}").and_then(|()| out.flush())?)
}

/// How somebody takes part at a table.
pub(super) struct Taking {
    pub(super) name: String,
    pub(super) part: Part,
    pub(super) computers: Vec<String>,
    pub(super) patience: u64,
}

/// Knocks until somebody at the table opens.
fn let_in(door: &knocking::Door, name: &str, auto: bool, out: &mut impl Write) -> Result<Ticket, Failure> {
    // A person is told in words; nothing in a name that strangers made up steers the terminal.
    let shown: String = door.name.chars().filter(|c| !c.is_control()).collect();
    let mut say = |text: String| Ok(writeln!(out, "{text}").and_then(|()| out.flush())?);
    say(if auto { format!("door {} {shown}", door.game) } else { format!("The table \"{shown}\" ({})", door.game) })?;
    let mut told = |at_door: AtDoor| {
        say(match (at_door, auto) {
            (AtDoor::Knocking, true) => "knocking".to_owned(),
            (AtDoor::Knocking, false) => {
                "You knock. Somebody at the table has to let you in; Ctrl-C gives up.".to_owned()
            }
            (AtDoor::Words(words), true) => format!("words {}", words.join(" ")),
            (AtDoor::Words(words), false) => {
                format!("Compare these words with somebody at the table: {}", words.join(" "))
            }
            (AtDoor::Offline(why), true) => format!("offline {why}"),
            (AtDoor::Offline(why), false) => format!("No connection: {why}"),
        })
    };
    knocking::knock(door, name, &mut told)
}

/// A place at a table that somebody else hosts: a new one, or the one that was taken before.
pub(super) fn seated(ticket: &Ticket, taking: Taking, data: &Path) -> Result<Found, Failure> {
    let Taking { name, part, computers, patience } = taking;
    let path = files::table(data, ticket.table());
    if !path.join("table.json").exists() {
        let mut kept = Kept::new(ticket, &name, part)?;
        (kept.computers, kept.patience) = (computers, patience);
        if part == Part::Player {
            kept = standing(kept, ticket)?;
        }
        return Folder::create(&path, kept);
    }
    let kept = files::read_kept(&path)?;
    match kept.part {
        Part::Over => {
            return Err(Failure::input(format!("the match at this table is over; its log is in {}", path.display())));
        }
        Part::Player if part == Part::Spectator => {
            return Err(Failure::input("you sit at this table already, so you cannot watch it"));
        }
        Part::Spectator if part == Part::Player => {
            return Err(Failure::input("you watch this table already; add --watch"));
        }
        Part::Player | Part::Spectator => {}
    }
    if kept.hosting.is_some() {
        return Err(Failure::input("this is your own table; fairdeal host --resume continues there"));
    }
    let mut found = Folder::open(&path)?;
    if found.folder.kept.ticket().is_none_or(|before| before.at != ticket.at) {
        found.folder.kept.moved(ticket);
        found.folder.keep()?;
    }
    Ok(found)
}

/// Gets ready to run a hub, if the one of the table is lost: behind the same relay, or in the same network.
pub(super) fn standing(kept: Kept, ticket: &Ticket) -> Result<Kept, Failure> {
    if let Ok(through) = ticket.at.parse::<Through>() {
        return kept.standing_behind(&through.relay);
    }
    match standing_at(ticket) {
        Some(ip) => kept.standing_at(ip),
        None => Ok(kept),
    }
}

/// Where a player could run a hub: on the same kind of address as the one that may be lost. A server with a name of its
/// own is not replaced by somebody's laptop, which others may not reach.
fn standing_at(ticket: &Ticket) -> Option<IpAddr> {
    let at: SocketAddr = ticket.at.strip_prefix("http://")?.parse().ok()?;
    Some(match at.ip() {
        ip if ip.is_loopback() => ip,
        IpAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        IpAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    })
}
