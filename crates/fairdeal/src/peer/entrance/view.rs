//! What a screen shows of a table before a match.

use ::peer::Offered;
use ::peer::place::{AtDoor, CannotStart, Person};
use games::AnyGame;

use super::Entrance;
use crate::peer::transport::RADIO;
use relays::address::means_relay;

/// Everything that a screen shows.
#[derive(Clone, Debug)]
pub struct View {
    /// The game, once this program knows it: the host from the beginning, others when the match is on offer.
    pub game: Option<AnyGame>,
    /// The settings that differ from the usual ones.
    pub settings: Vec<(String, String)>,
    /// How many will play, as far as this program knows.
    pub seats: Option<u8>,
    /// Everybody at the table, the computers included.
    pub people: Vec<Person>,
    /// The ticket. It is a secret: anyone who reads it can join.
    pub ticket: String,
    /// The code for people who knock.
    pub code: Option<String>,
    /// Where the hub is, as people type it after the code: `host:port`, or a link.
    pub address: String,
    /// Whether other computers in the network can find the table.
    pub announced: bool,
    /// Whether people in range of Bluetooth can find it and knock.
    pub on_air: bool,
    /// The match on offer.
    pub offered: Option<Offered>,
    /// Whether this player sits in the match on offer and has not accepted it.
    pub to_accept: bool,
    /// Those who knock.
    pub knocks: Vec<AtDoor>,
    /// The connection works, or why not.
    pub online: Result<(), String>,
    /// This player's number; `None` for a spectator, and before their introduction is in the log.
    pub me: Option<u8>,
    /// Whether this player only watches.
    pub watches: bool,
    /// Whether this player is the host, who starts.
    pub is_host: bool,
    /// Why the host cannot start yet.
    pub cannot_start: Option<String>,
    /// Whether this program is itself the hub: if it stops, everybody has to wait.
    pub is_hub: bool,
    /// The command that comes back to the table.
    pub way_back: String,
}

impl Entrance {
    /// Everything that a screen shows.
    pub fn view(&self) -> View {
        let (lobby, hosting) = (self.foyer.guest.lobby(), self.folder.kept.hosting.as_ref());
        let offered = lobby.offered();
        let seats = hosting.map(|hosting| hosting.seats);
        let offered_seats = || offered.and_then(|offered| u8::try_from(offered.start.seats.len()).ok());
        let settings = || offered.map(|offered| offered.start.settings.clone());
        View {
            game: hosting.and_then(|hosting| hosting.game()).or_else(|| offered.map(|offered| offered.start.game)),
            settings: hosting.map(|hosting| hosting.settings()).or_else(settings).unwrap_or_default(),
            seats: seats.or_else(offered_seats),
            people: self.foyer.people(|number| self.post.is_here(number)),
            ticket: self.ticket.to_string(),
            // Over Bluetooth nobody can be asked for the table with a code.
            code: hosting
                .filter(|_| !self.ticket.at.starts_with(RADIO) && !means_relay(&self.ticket.at))
                .and_then(|hosting| hosting.code.clone()),
            address: self.ticket.at.strip_prefix("http://").unwrap_or(&self.ticket.at).to_owned(),
            announced: self.announced.is_some(),
            on_air: hosting.is_some_and(|hosting| hosting.bluetooth && hosting.code.is_some()),
            offered: offered.cloned(),
            to_accept: self.foyer.has_to_accept(),
            knocks: self.door.knocks(),
            online: self.post.online().clone(),
            me: self.foyer.guest.member().number(),
            watches: !self.plays(),
            is_host: self.foyer.is_host(),
            cannot_start: self.cannot_start(),
            is_hub: self.hub.is_some(),
            way_back: self.folder.way_back(),
        }
    }

    /// Why this player cannot start yet.
    fn cannot_start(&self) -> Option<String> {
        let not_the_host = || CannotStart::NotTheHost.to_string();
        let Some(offer) = self.offer() else { return Some(not_the_host()) };
        self.foyer.members_to_play(&offer).err().map(|why| why.to_string())
    }
}
