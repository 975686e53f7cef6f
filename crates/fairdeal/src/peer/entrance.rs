//! A private table before a match: who is there, who knocks, and how the match begins.
//!
//! A screen polls it in its own loop, since nothing here takes long. When a match begins, it becomes a [`Desk`].

use std::time::Duration;

use ::peer::Offered;
use games::AnyGame;
use table::Game;

use super::desk::Desk;
use crate::failure::Failure;

/// A place at a table before a match.
pub struct Entrance {
    // Its fields follow.
    _private: (),
}

/// Something that has happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum News {
    /// Somebody has joined.
    Joined(String),
    /// Somebody has left.
    Left(String),
    /// The host has started a match, which everybody has to accept.
    Offered,
    /// Somebody has accepted it.
    Accepted(String),
    /// The match on offer is none any more.
    Withdrawn,
    /// Somebody knocks, or the words to compare with them are known: see [`View::knocks`].
    Knock(u32),
    /// Somebody said something.
    Chat {
        /// Their name.
        from: String,
        /// What.
        text: String,
    },
    /// The connection works, or why not.
    Connection(Result<(), String>),
    /// Something that the person should know.
    Note(String),
    /// The match begins: time for [`Entrance::sit`].
    Begun,
}

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
    /// Where the hub is, as people type it: `host:port`, or a link.
    pub address: String,
    /// Whether other computers in the network can find the table.
    pub announced: bool,
    /// The match on offer.
    pub offered: Option<Offered>,
    /// Whether this player sits in the match on offer and has not accepted it.
    pub to_accept: bool,
    /// Those who knock.
    pub knocks: Vec<Knock>,
    /// The connection works, or why not.
    pub online: Result<(), String>,
    /// This player's number.
    pub me: Option<u8>,
    /// Whether this player is the host, who starts.
    pub is_host: bool,
    /// Why the host cannot start yet.
    pub cannot_start: Option<String>,
    /// Whether this program is itself the hub: if it stops, everybody has to wait.
    pub is_hub: bool,
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
    /// What has happened; waits for something at most this long.
    pub fn poll(&mut self, wait: Duration) -> Result<Vec<News>, Failure>;

    /// Everything that a screen shows.
    pub fn view(&self) -> View;

    /// Starts the match with everybody who is there, if this player is the host.
    pub fn start(&mut self) -> Result<(), String>;

    /// Accepts the match on offer.
    pub fn accept(&mut self);

    /// Gives up the seat.
    pub fn leave(&mut self);

    /// Lets somebody in whose words are the same.
    pub fn admit(&mut self, knock: u32);

    /// Does not.
    pub fn turn_away(&mut self, knock: u32);

    /// Says something, beside the log.
    pub fn chat(&mut self, text: &str);

    /// Sits down at the match that has begun.
    pub fn sit<G: Game>(self) -> Result<Desk<G>, Failure>;
}
