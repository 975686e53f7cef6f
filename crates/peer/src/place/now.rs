//! How things are in a match, for a screen or a computer.

use table::{Faces, Game, Seat, Seats, Standing, Table};

use super::Post;
use crate::session::Session;
use crate::waits::{ABANDON, Duty};

/// How things are.
pub struct Now<G: Game> {
    /// This player's seat; `None` for a spectator.
    pub me: Option<Seat>,
    /// Everybody's name, by seat.
    pub names: Vec<String>,
    /// The settings of the match.
    pub settings: G::Settings,
    /// The deal on the table; `None` before the first and after the last.
    pub table: Option<Table<G::Rules>>,
    /// The cards that only this player knows.
    pub own: Faces,
    /// Whether this player has to decide now.
    pub asked: bool,
    /// The number of the deal, from 1.
    pub deal: u32,
    /// How the match stands.
    pub standing: Option<Standing>,
    /// Whom the table waits for.
    pub waits: Vec<Waiting>,
    /// Milliseconds that a person has for a move.
    pub thinking: Option<u64>,
    /// The seats that are connected.
    pub here: Seats,
    /// The seats that have opened their seeds.
    pub seeds: Seats,
    /// The seats whose part of the keys is there.
    pub keys: Seats,
    /// The seats that have shuffled this deal's deck.
    pub shuffled: Seats,
    /// Whether the deck of the next deal is ready.
    pub ahead: bool,
    /// Whether those who are left can abandon the match, because the table has waited for ten minutes.
    pub hopeless: bool,
    /// The connection works, or why not.
    pub online: Result<(), String>,
}

/// A seat that the table waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Waiting {
    /// Who.
    pub seat: Seat,
    /// For what.
    pub duty: Duty,
    /// Milliseconds since then, as far as this program knows.
    pub for_ms: u64,
    /// After how many milliseconds others may call the seat late.
    pub limit_ms: u64,
}

impl<G: Game> Now<G> {
    /// How things are in this match at this time of the program's own clock, with these seats connected.
    pub fn of(session: &Session<G>, now: u64, here: Seats, online: Result<(), String>) -> Self {
        let (waits, preparing) = (session.waits(), session.preparing());
        let waiting = waits.all().iter().map(|(seat, wait)| Waiting {
            seat: *seat,
            duty: wait.duty,
            for_ms: wait.passed(now),
            limit_ms: waits.limit(wait.duty),
        });
        let longest = waits.all().values().map(|wait| wait.passed(now)).max();
        Self {
            me: session.me(),
            names: names(session),
            settings: session.settings().clone(),
            table: session.table().cloned(),
            own: session.known().map(|known| known.own.clone()).unwrap_or_default(),
            asked: session.is_asked().is_some(),
            deal: session.deals(),
            standing: session.standing(),
            waits: waiting.collect(),
            thinking: waits.thinking(),
            here,
            seeds: session.seeds(),
            keys: preparing.keys,
            shuffled: preparing.shuffled,
            ahead: preparing.ahead,
            hopeless: longest.is_some_and(|longest| longest >= ABANDON),
            online,
        }
    }

    /// The same, with those who are connected as the post knows them.
    pub fn with(session: &Session<G>, post: &Post, now: u64) -> Self {
        let players = session.begun().players.iter();
        let here = players.zip((0..).map_while(Seat::new)).filter(|(player, _)| post.is_here(player.number));
        Self::of(session, now, here.map(|(_, seat)| seat).collect(), post.online().clone())
    }
}

/// Everybody's name, by seat.
pub fn names<G: Game>(session: &Session<G>) -> Vec<String> {
    session.begun().players.iter().map(|player| player.join.name.clone()).collect()
}
