//! The end of a match: the result is stored, everybody is waited for, all keys are erased; and the way to a rematch.

use ::peer::place::Closing;
use table::Game;

use super::Over;
use super::thread::Sitting;
use crate::collection::Store;
use crate::failure::Failure;
use crate::peer::commands::new_rematch;

impl<G: Game> Sitting<'_, G> {
    /// Stores the result, and what has changed since the screen was told last.
    pub(super) fn ended(&mut self) -> Result<Option<Over>, Failure> {
        let (is_hub, now) = (self.is_hub(), self.now());
        let Some(ended) = self.place.seated.session().ended() else { return Ok(None) };
        let signatures = ended.result().map_or(0, |result| result.signatures().iter().flatten().count());
        let new = self.end.told.as_ref().is_none_or(|told| told.signatures != signatures);
        if let (true, Some(data), Some(result)) = (new, &self.data, ended.result()) {
            let store = Store::new(data.clone());
            let (_, path) = store.keep(&result.clone().check())?;
            if let Some(export) = ended.export().filter(|_| ended.is_complete()) {
                store.keep(&export.clone().check())?;
            }
            self.end.stored = Some(path);
        }
        let Some(closing) = self.place.close(self.post.known(), is_hub, now) else { return Ok(None) };
        let erased = self.end.told.as_ref().is_some_and(|told| told.done);
        if closing.done && !erased {
            self.folder.erase()?;
        }
        let changed = self.end.told.as_ref() != Some(&closing);
        self.end.told = Some(closing);
        Ok(if changed { self.over() } else { None })
    }

    fn over(&self) -> Option<Over> {
        let over = Over::of(self.place.seated.session(), self.folder.log())?;
        let Closing { lacking, done, .. } = self.end.told.clone()?;
        Some(Over { lacking, done, stored: self.end.stored.clone(), ..over })
    }

    /// Invites the others to a rematch at a new table, which opens when this player goes there.
    pub(super) fn play_again(&mut self) -> Result<(), Failure> {
        let session = self.place.seated.session();
        let invited = session.ended().is_none_or(|ended| ended.again().is_some());
        let (Some(data), false, Some(_)) = (&self.data, invited || self.invited, session.me()) else {
            return Ok(());
        };
        let ticket = new_rematch(&self.folder, data, session.begun(), &self.at, self.hub.is_some())?;
        self.invited = true;
        self.place.seated.again(ticket);
        Ok(())
    }
}
