//! Goes to a table; whoever hosts it tells others where it is.

use std::path::Path;

use ::peer::Ticket;
use games::AnyGame;
use parcels::Advertisement;
use relays::offer::{Invitation, Offer};
use results::{Callsign, Secret};

use super::identity;
use crate::failure::Failure;
use crate::peer::entrance::{Coming, Entrance};
use crate::peer::files::{Found, Hosting, Part, Relayed};
use crate::peer::nearby;
use crate::peer::own::OwnHub;
use crate::peer::radio::Sign;
use crate::relay::hosting;

/// Goes to the table.
pub(super) fn entered(
    found: Found,
    mut hub: Option<OwnHub>,
    identity: &Secret,
    data: &Path,
) -> Result<Entrance, Failure> {
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
pub(super) fn advertisement(data: &Path) -> Result<Advertisement, Failure> {
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
