//! How things are and how a match ended, for a screen.

use std::path::PathBuf;

use ::peer::Session;
use ::peer::place::{Now, names};
use table::Game;

use super::Over;
use super::thread::Sitting;

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
        Now::with(self.place.seated.session(), self.post.known(), self.now())
    }
}
