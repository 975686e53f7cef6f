//! A table of one's own: planned as it was asked for, created, and opened again.

use std::path::Path;

use ::peer::{Begun, TableKey, Ticket};
use games::AnyGame;
use relays::RelayUrl;
use relays::address::{Through, means_relay};
use results::{Public, Secret};
use table::{Game, Value as _};

use super::entering::{advertisement, entered};
use super::joining::standing;
use super::{identity, player_name};
use crate::cli::HostArgs;
use crate::failure::Failure;
use crate::keyring::random;
use crate::peer::At;
use crate::peer::files::{self, Folder, Found, Hosting, Kept, Part, Relayed};
use crate::peer::hub::{About, create};
use crate::peer::own::{Listening, Opened, OwnHub, reachable};
use crate::peer::transport::RADIO;
use crate::sim;

/// The longest name of a table.
const LONGEST_TITLE: usize = 24;

/// The command without what does not change the table.
pub(super) fn asked(args: &HostArgs) -> String {
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

/// A table to be created.
pub(super) struct Plan {
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
pub(super) fn planned(args: &HostArgs, game: AnyGame, asked: String, identity: &Secret) -> Result<Plan, Failure> {
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
pub(super) fn created(plan: Plan, data: &Path) -> Result<(Found, Option<OwnHub>), Failure> {
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
pub(in crate::peer) fn new_rematch(
    folder: &Folder,
    data: &Path,
    begun: &Begun,
    at: &str,
    own: bool,
) -> Result<Ticket, Failure> {
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
pub(super) fn reopened(path: &Path, mut found: Found) -> Result<(Found, Option<OwnHub>), Failure> {
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
