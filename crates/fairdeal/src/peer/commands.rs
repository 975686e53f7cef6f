//! `fairdeal host` and `fairdeal join`: a table is created, joined or continued, and then played at.

use std::io::{IsTerminal as _, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use ::peer::{Begun, TableKey, Ticket};
use games::AnyGame;
use parcels::Advertisement;
use relays::RelayUrl;
use relays::address::{Through, means_relay};
use relays::offer::{Invitation, Offer};
use results::{Callsign, Public, Secret};
use table::{Game, Value as _};

use super::auto::{self, Decides, Listener as _, Program};
use super::entrance::{Coming, Entrance};
use super::files::{self, Folder, Found, Hosting, Kept, Part, Relayed, Unfinished};
use super::hub::{About, create};
use super::knocking::{AtDoor, Way};
use super::own::{Listening, Opened, OwnHub, reachable};
use super::radio::Sign;
use super::transport::RADIO;
use super::{At, knocking, nearby, screen};
use crate::cli::{HostArgs, JoinArgs, PartArgs};
use crate::collection::{Place, publish_own};
use crate::failure::Failure;
use crate::keyring::{self, Owner, random};
use crate::options::data_folder;
use crate::play::seating::name_of;
use crate::relay::client::Published;
use crate::relay::hosting;
use crate::{interrupt, locale, sim};

/// The longest name of a table.
const LONGEST_TITLE: usize = 24;

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

/// The command without what does not change the table.
fn asked(args: &HostArgs) -> String {
    let bots: Vec<String> = args.bots.iter().map(|kind| kind.text()).collect();
    let all = (
        (args.game.map(AnyGame::name), args.listen.map(|listen| listen.0), &args.via, args.seats),
        (bots, &args.options, &args.name, &args.table, args.unlisted, args.no_knock),
    );
    if args.bluetooth {
        return format!("{all:?} over Bluetooth");
    }
    if let Some(relay) = &args.relay {
        return format!("{all:?} through {relay} to {:?}", args.invite);
    }
    format!("{all:?}")
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

/// A table to be created.
struct Plan {
    about: About,
    hub: Where,
    options: Vec<String>,
    computers: Vec<String>,
    /// The player's name.
    name: String,
    asked: String,
    patience: u64,
    /// It can be reached over Bluetooth.
    bluetooth: bool,
    /// It can be reached through this relay, and these are invited.
    relay: Option<(RelayUrl, Vec<Public>)>,
}

/// Where the hub of a table is.
enum Where {
    /// In this program.
    Here(Listening),
    /// At a server.
    There(At),
}

/// Plans the table that was asked for.
fn planned(args: &HostArgs, game: AnyGame, asked: String, identity: &Secret) -> Result<Plan, Failure> {
    let name = player_name(args.name.as_deref(), identity)?;
    let seats = games::with_game!(game, G => checked::<G>(args))?;
    let title = args.table.clone().unwrap_or_else(|| format!("{name}'s table"));
    if title.trim().is_empty() || title.chars().count() > LONGEST_TITLE || title.chars().any(char::is_control) {
        return Err(Failure::input(format!("--table: a name must have 1 to {LONGEST_TITLE} characters")));
    }
    let hub = match &args.via {
        Some(url) => Where::There(url.parse().map_err(|why| Failure::input(format!("--via {url}: {why}")))?),
        None => Where::Here(match args.listen {
            Some(listen) => Listening::At(listen.0),
            None if args.bluetooth || args.relay.is_some() => Listening::Here,
            None => Listening::Anywhere,
        }),
    };
    let about =
        About { game: game.name().to_owned(), seats, name: title, listed: !args.unlisted, knock: !args.no_knock };
    let computers = args.bots.iter().map(|kind| kind.text()).collect();
    let (options, patience) = (args.options.clone(), args.part.patience);
    let relay = args.relay.clone().map(|relay| (relay, args.invite.clone()));
    Ok(Plan { about, hub, options, computers, name, asked, patience, bluetooth: args.bluetooth, relay })
}

/// Creates a table.
fn created(plan: Plan, data: &Path) -> Result<(Found, Option<OwnHub>), Failure> {
    let Plan { about, hub, options, computers, name, asked, patience, bluetooth, relay } = plan;
    let relay = relay.map(|(relay, invited)| Ok::<_, Failure>((files::new_key()?, relay, invited))).transpose()?;
    let key = TableKey::new(random()?);
    let path = files::table(data, key.table());
    let (ticket, code, opened) = match hub {
        Where::There(at) => {
            let created = create(&at, key, &about).map_err(|why| Failure::input(format!("{at}: {why}")))?;
            (created.ticket, created.code, None)
        }
        Where::Here(listening) => {
            crate::durable::make_folder(&path).map_err(|e| Failure::file(&path, "create this folder", &e))?;
            let opened = Opened::new(&path.join(files::HUB), listening)?;
            let (hub, code) = opened.make(&key, &about)?;
            let at = if bluetooth && opened.listen().ip().is_loopback() {
                format!("{RADIO}{}", advertisement(data)?)
            } else if let Some((key, relay, _)) = relay.as_ref().filter(|_| opened.listen().ip().is_loopback()) {
                Through { relay: relay.clone(), key: key.public() }.to_string()
            } else {
                format!("http://{}", reachable(opened.listen()))
            };
            (Ticket { at, key, hub }, code, Some(opened))
        }
    };
    let mut kept = Kept::new(&ticket, &name, Part::Player)?;
    if opened.is_none() {
        kept = standing(kept, &ticket)?;
    }
    (kept.computers, kept.patience) = (computers, patience);
    kept.hosting = Some(Hosting {
        game: about.game,
        seats: about.seats,
        options,
        title: about.name,
        listen: opened.as_ref().map(Opened::listen),
        bluetooth,
        relay: relay.map(|(key, relay, invited)| Relayed {
            url: relay.to_string(),
            key: key.hex(),
            invited: invited.iter().map(Public::npub).collect(),
            offered: about.listed && about.knock,
        }),
        announce: about.listed && code.is_some(),
        code,
        asked,
    });
    let found = Folder::create(&path, kept)?;
    Ok((found, opened.map(Opened::run).transpose()?))
}

/// A new table for the players of a match that is over, where this player is the first: its ticket.
pub(super) fn new_rematch(folder: &Folder, data: &Path, begun: &Begun, at: &str, own: bool) -> Result<Ticket, Failure> {
    let (kept, start) = (&folder.kept, &begun.start);
    let hosting = kept.hosting.as_ref();
    let listen = hosting.and_then(|hosting| hosting.listen).filter(|_| own);
    let bluetooth = hosting.is_some_and(|hosting| own && hosting.bluetooth) || at.starts_with(RADIO);
    // The others have the ticket of the rematch from the log, so nobody has to be invited.
    let relay = at.parse::<Through>().ok().map(|through| through.relay);
    let relay = relay.or_else(|| hosting.filter(|_| own)?.relay.as_ref()?.url.parse().ok());
    let hub = match (listen, start.hub_run_by) {
        (Some(listen), _) => Where::Here(Listening::At((listen.ip(), 0).into())),
        (None, Some(_)) if bluetooth || relay.is_some() => Where::Here(Listening::Here),
        (None, Some(_)) => Where::Here(Listening::Anywhere),
        (None, None) => Where::There(at.parse().map_err(Failure::input)?),
    };
    let about = About {
        game: start.game.name().to_owned(),
        seats: u8::try_from(begun.players.len()).unwrap_or(u8::MAX),
        name: hosting.map_or_else(|| format!("{}'s table", kept.name), |hosting| hosting.title.clone()),
        listed: false,
        knock: false,
    };
    let plan = Plan {
        about,
        hub,
        options: start.settings.iter().map(|(name, value)| format!("{name}={value}")).collect(),
        computers: kept.computers.clone(),
        name: kept.name.clone(),
        asked: String::new(),
        patience: kept.patience,
        bluetooth,
        relay: relay.map(|relay| (relay, Vec::new())),
    };
    let (found, hub) = created(plan, data)?;
    let ticket = found.folder.kept.ticket().ok_or_else(|| Failure::input("the rematch has no ticket"))?;
    drop(entered(found, hub, &identity(data)?, data)?);
    Ok(ticket)
}

/// The number of seats, if the game can be played like this.
fn checked<G: Game>(args: &HostArgs) -> Result<u8, Failure> {
    let usual = if args.part.auto.is_some() { sim::default_players::<G>() } else { *G::PLAYERS.end() };
    let seats = args.seats.unwrap_or(usual);
    G::check_players(seats).map_err(|bad| Failure::input(format!("--seats {seats}: {bad} in {}", G::NAME)))?;
    if args.bots.len() >= usize::from(seats) {
        return Err(Failure::input(format!("--bots: {seats} seats are not enough for you and these computers")));
    }
    let settings = sim::settings::<G>(args.options.iter().map(String::as_str)).map_err(Failure::Input)?;
    G::start(&settings, seats).map_err(|bad| Failure::input(format!("--option: {bad}")))?;
    Ok(seats)
}

/// A table that this player hosts, with its hub where it was.
fn reopened(path: &Path, mut found: Found) -> Result<(Found, Option<OwnHub>), Failure> {
    let kept = &mut found.folder.kept;
    let Some(listen) = kept.hosting.as_ref().and_then(|hosting| hosting.listen) else { return Ok((found, None)) };
    let opened = Opened::new(&path.join(files::HUB), Listening::At(listen))?;
    let damaged = || Failure::input(format!("{}: damaged", path.join("table.json").display()));
    let ticket = kept.ticket().ok_or_else(damaged)?;
    let at = format!("http://{}", reachable(opened.listen()));
    if ticket.at != at && !ticket.at.starts_with(RADIO) && !means_relay(&ticket.at) {
        // This computer is in another network now.
        kept.moved(&Ticket { at, ..ticket });
        found.folder.keep()?;
    }
    Ok((found, Some(opened.run()?)))
}

/// A table that somebody else hosts.
fn joined(args: &JoinArgs, to: &str, data: &Path, identity: &Secret, out: &mut impl Write) -> Result<Found, Failure> {
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
struct Taking {
    name: String,
    part: Part,
    computers: Vec<String>,
    patience: u64,
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
fn seated(ticket: &Ticket, taking: Taking, data: &Path) -> Result<Found, Failure> {
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

/// The table of a rematch: this player's own, or somebody else's.
fn next_table(ticket: &str, before: Taking, data: &Path) -> Result<(Found, Option<OwnHub>), Failure> {
    let ticket: Ticket = ticket.parse().map_err(Failure::input)?;
    let path = files::table(data, ticket.table());
    let own = files::read_kept(&path).is_ok_and(|kept| kept.hosting.is_some());
    if own { reopened(&path, Folder::open(&path)?) } else { Ok((seated(&ticket, before, data)?, None)) }
}

/// Gets ready to run a hub, if the one of the table is lost: behind the same relay, or in the same network.
fn standing(kept: Kept, ticket: &Ticket) -> Result<Kept, Failure> {
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

/// Goes to the table.
fn entered(found: Found, mut hub: Option<OwnHub>, identity: &Secret, data: &Path) -> Result<Entrance, Failure> {
    let kept = &found.folder.kept;
    if let (Some(hosting), Some(hub), Some(ticket)) = (kept.hosting.as_ref(), &mut hub, kept.ticket())
        && hosting.bluetooth
    {
        let sign = Sign::new(ticket.table(), &hosting.title, &hosting.game);
        hub.go_on_air(advertisement(data)?, sign).map_err(Failure::input)?;
    }
    if let (Some(hosting), Some(hub), Some(ticket)) = (kept.hosting.as_ref(), &mut hub, kept.ticket())
        && let Some(relayed) = &hosting.relay
    {
        let sign = relay_sign(hosting, relayed, &ticket, identity)?;
        let at = relayed.url.clone();
        hub.go_behind(sign).map_err(|why| Failure::input(format!("{at}: {why}")))?;
    }
    let mut notes = Vec::new();
    let announced = match (kept.hosting.as_ref(), kept.ticket()) {
        (Some(hosting), Some(ticket)) => announced(hosting, &ticket, &mut notes),
        _ => None,
    };
    let identity = (kept.part == Part::Player).then(|| identity.clone());
    let hosts = kept.hosting.is_some();
    let coming = Coming { found, identity, run_by: None, data: Some(data.to_owned()), hub, announced, notes };
    let mut entrance = Entrance::open(coming)?;
    // Nobody gets the ticket before the host is there.
    if hosts {
        entrance.introduce()?;
    }
    Ok(entrance)
}

/// What this computer says on a relay.
fn relay_sign(
    hosting: &Hosting,
    relayed: &Relayed,
    ticket: &Ticket,
    identity: &Secret,
) -> Result<hosting::Sign, Failure> {
    let damaged = || Failure::input("the file of the table is damaged");
    let game = AnyGame::from_name(&hosting.game).ok_or_else(damaged)?;
    let name = hosting.title.clone();
    let table = ticket.table();
    let offer = Offer { table: table.0, game, name: name.clone(), seats: hosting.seats };
    Ok(hosting::Sign {
        relay: relayed.url.parse().map_err(|_| damaged())?,
        key: relayed.key.parse().map_err(|_| damaged())?,
        table,
        offer: relayed.offered.then_some(offer),
        invitations: Some(hosting::Invitations {
            invitation: Invitation { game, name, ticket: ticket.to_string() },
            to: relayed.invited.iter().filter_map(|npub| npub.parse().ok()).collect(),
            identity: identity.clone(),
        }),
    })
}

/// What this computer says over Bluetooth about who it is.
fn advertisement(data: &Path) -> Result<Advertisement, Failure> {
    let callsign = Callsign::of_player(&identity(data)?.public());
    let machine = std::fs::read("/etc/machine-id").unwrap_or_default();
    let device = Advertisement::device_of(&machine);
    Advertisement::new(device, &callsign.to_string()).map_err(|why| Failure::input(format!("{callsign}: {why}")))
}

/// Announces a table in the network, unless only this computer can reach it.
fn announced(hosting: &Hosting, ticket: &Ticket, notes: &mut Vec<String>) -> Option<nearby::Announced> {
    let listen = hosting.listen.filter(|listen| hosting.announce && !listen.ip().is_loopback())?;
    match nearby::announce(&hosting.title, listen.port(), ticket.table(), &hosting.game) {
        Ok(announced) => Some(announced),
        Err(why) => {
            notes.push(why.to_string());
            None
        }
    }
}
