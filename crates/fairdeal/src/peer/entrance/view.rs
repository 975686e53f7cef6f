//! What a screen shows of a table before a match.

use ::peer::Offered;
use games::AnyGame;
use results::Callsign;

use super::Entrance;
use crate::peer::transport::RADIO;

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
    pub knocks: Vec<Knock>,
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

/// Somebody at the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Person {
    /// Their number.
    pub number: u8,
    /// Their name.
    pub name: String,
    /// What their key makes them be called.
    pub callsign: String,
    /// For a computer: the name of the player who runs it.
    pub computer_of: Option<String>,
    /// Whether they are connected.
    pub here: bool,
    /// Whether they are the host.
    pub host: bool,
    /// Whether they have accepted the match on offer.
    pub accepted: bool,
}

/// Somebody at the door.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Knock {
    /// The number of the knock.
    pub number: u32,
    /// What they want to be called. Anybody can say that.
    pub name: String,
    /// The words that both compare, once they are known.
    pub words: Option<[&'static str; 4]>,
}

impl Entrance {
    /// Everything that a screen shows.
    pub fn view(&self) -> View {
        let (lobby, hosting) = (self.guest.lobby(), self.folder.kept.hosting.as_ref());
        let offered = lobby.offered();
        let name = |number: u8| self.names.get(&number).cloned().unwrap_or_default();
        let people = lobby.joined().iter().map(|(number, joined)| Person {
            number: *number,
            name: name(*number),
            callsign: Callsign::of_player(&joined.join.identity).to_string(),
            computer_of: joined.join.run_by.map(|run_by| name(run_by.number)),
            here: self.post.is_here(*number),
            host: lobby.host() == Some(*number),
            accepted: offered.is_some_and(|offered| offered.accepted.contains_key(number)),
        });
        let seats = hosting.map(|hosting| hosting.seats);
        let offered_seats = || offered.and_then(|offered| u8::try_from(offered.start.seats.len()).ok());
        let settings = || offered.map(|offered| offered.start.settings.clone());
        View {
            game: hosting.and_then(|hosting| hosting.game()).or_else(|| offered.map(|offered| offered.start.game)),
            settings: hosting.map(|hosting| hosting.settings()).or_else(settings).unwrap_or_default(),
            seats: seats.or_else(offered_seats),
            people: people.collect(),
            ticket: self.ticket.to_string(),
            // Over Bluetooth nobody can be asked for the table with a code.
            code: hosting.filter(|_| !self.ticket.at.starts_with(RADIO)).and_then(|hosting| hosting.code.clone()),
            address: self.ticket.at.strip_prefix("http://").unwrap_or(&self.ticket.at).to_owned(),
            announced: self.announced.is_some(),
            on_air: hosting.is_some_and(|hosting| hosting.bluetooth && hosting.code.is_some()),
            offered: offered.cloned(),
            to_accept: self.has_to_accept(),
            knocks: self.door.knocks(),
            online: self.post.online().clone(),
            me: self.guest.member().number(),
            watches: !self.plays(),
            is_host: self.is_host(),
            cannot_start: self.members_to_play().err(),
            is_hub: self.hub.is_some(),
            way_back: self.folder.way_back(),
        }
    }
}
