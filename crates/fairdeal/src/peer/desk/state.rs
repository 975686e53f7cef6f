//! How things are, for a screen.

use table::{Game, Seat, Seats};

use super::thread::{Sitting, names};
use super::{Now, Waiting};

impl<G: Game> Sitting<'_, G> {
    /// How things are.
    pub(super) fn state(&self) -> Now<G> {
        let session = self.seated.session();
        let (now, waits, preparing) = (self.now(), session.waits(), session.preparing());
        let waiting = waits.all().iter().map(|(seat, wait)| Waiting {
            seat: *seat,
            duty: wait.duty,
            for_ms: now.saturating_sub(wait.heard),
            limit_ms: waits.limit(wait.duty),
        });
        let longest = waits.all().values().map(|wait| now.saturating_sub(wait.heard)).max();
        let players = u8::try_from(session.begun().players.len()).unwrap_or(0);
        let here = |seat: &Seat| self.number(*seat).is_some_and(|number| self.post.is_here(number));
        Now {
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
            here: Seats::first(players).iter().filter(here).collect(),
            seeds: session.seeds(),
            keys: preparing.keys,
            shuffled: preparing.shuffled,
            ahead: preparing.ahead,
            hopeless: longest.is_some_and(|longest| longest >= ::peer::ABANDON),
            online: self.post.online().clone(),
        }
    }
}
