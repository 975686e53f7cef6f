//! How things are and how a match ended, for a screen.

use std::path::PathBuf;

use ::peer::Session;
use table::{Game, Seat, Seats};

use super::thread::{Sitting, names};
use super::{Now, Over, Waiting};

impl<G: Game> Now<G> {
    /// How things are in this match at this time of the program's own clock, with these seats connected.
    pub(in crate::peer) fn of(session: &Session<G>, now: u64, here: Seats, online: Result<(), String>) -> Self {
        let (waits, preparing) = (session.waits(), session.preparing());
        let waiting = waits.all().iter().map(|(seat, wait)| Waiting {
            seat: *seat,
            duty: wait.duty,
            for_ms: now.saturating_sub(wait.heard),
            limit_ms: waits.limit(wait.duty),
        });
        let longest = waits.all().values().map(|wait| now.saturating_sub(wait.heard)).max();
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
            hopeless: longest.is_some_and(|longest| longest >= ::peer::ABANDON),
            online,
        }
    }
}

impl Over {
    /// How this match ended, if it has, with its log in this file. Nothing is stored yet, and nobody lacks anything.
    pub(in crate::peer) fn of<G: Game>(session: &Session<G>, log: PathBuf) -> Option<Self> {
        let ended = session.ended()?;
        Some(Self {
            game: session.begun().start.game,
            names: names(session),
            me: session.me(),
            why: ended.why,
            standing: ended.standing.clone(),
            deals: ended.deals,
            result: ended.result().cloned(),
            unsigned: ended.unsigned(),
            complete: ended.is_complete(),
            lacking: Vec::new(),
            done: false,
            stored: None,
            log,
        })
    }
}

impl<G: Game> Sitting<'_, G> {
    /// How things are.
    pub(super) fn state(&self) -> Now<G> {
        let session = self.seated.session();
        let players = u8::try_from(session.begun().players.len()).unwrap_or(0);
        let here = |seat: &Seat| self.number(*seat).is_some_and(|number| self.post.is_here(number));
        let here = Seats::first(players).iter().filter(here).collect();
        Now::of(session, self.now(), here, self.post.online().clone())
    }
}
