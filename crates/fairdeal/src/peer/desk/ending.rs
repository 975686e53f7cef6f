//! The end of a match: the result is stored, everybody is waited for, all keys are erased; and the way to a rematch.

use std::time::Instant;

use table::{Game, Seat, Seats};

use super::Over;
use super::thread::{End, Sitting, TO_RETURN, TO_SIGN};
use crate::collection::Store;
use crate::failure::Failure;
use crate::peer::commands::new_rematch;

impl<G: Game> Sitting<'_, G> {
    /// Stores the result, and what has changed since the screen was told last.
    pub(super) fn ended(&mut self) -> Result<Option<Over>, Failure> {
        let session = self.seated.session();
        let Some(ended) = session.ended() else { return Ok(None) };
        let since = *self.end.since.get_or_insert_with(Instant::now);
        let unsigned = ended.unsigned();
        let signatures = ended.result().map_or(0, |result| result.signatures().iter().flatten().count());
        let mut changed = self.end.signatures != Some(signatures);
        if let (true, Some(data), Some(result)) = (changed, &self.data, ended.result()) {
            let store = Store::new(data.clone());
            let (_, path) = store.keep(&result.clone().check())?;
            if let Some(export) = ended.export().filter(|_| unsigned.is_empty()) {
                store.keep(&export.clone().check())?;
            }
            self.end.stored = Some(path);
        }
        self.end.signatures = Some(signatures);
        let complete = ended.is_complete();
        let gone = |seat: &Seat| self.number(*seat).is_none_or(|number| !self.post.is_here(number));
        let given_up = since.elapsed() > TO_SIGN && unsigned.iter().all(gone);
        let finished = complete || ended.result().is_none() || given_up;
        let players = Seats::first(u8::try_from(session.begun().players.len()).unwrap_or(0));
        let lacking: Vec<Seat> = match self.is_hub() {
            true => (players - ended.informed).iter().filter(|seat| !(given_up && gone(seat))).collect(),
            false => Vec::new(),
        };
        if finished && !self.end.said {
            self.end.said = true;
            // A spectator says nothing, and after a restart it has been said.
            if session.me().is_some_and(|me| !ended.informed.contains(me)) {
                self.seated.come_back();
                return Ok(None);
            }
        }
        // A hub that is gone has everything that was needed, or nobody is left who could ask for it.
        let said = self.seated.member().unsaid() == 0 || self.post.is_lost_for(TO_RETURN);
        let done = finished && self.end.said && lacking.is_empty() && said;
        if done && !self.end.done {
            self.end.done = true;
            changed = true;
            self.folder.erase()?;
        }
        changed |= self.end.lacking != lacking;
        self.end.lacking = lacking;
        Ok(if changed { self.over() } else { None })
    }

    fn over(&self) -> Option<Over> {
        let over = Over::of(self.seated.session(), self.folder.log())?;
        let End { lacking, done, stored, .. } = &self.end;
        Some(Over { lacking: lacking.clone(), done: *done, stored: stored.clone(), ..over })
    }

    /// Invites the others to a rematch at a new table, which opens when this player goes there.
    pub(super) fn play_again(&mut self) -> Result<(), Failure> {
        let session = self.seated.session();
        let invited = session.ended().is_none_or(|ended| ended.again().is_some());
        let (Some(data), false, Some(_)) = (&self.data, invited || self.invited, session.me()) else {
            return Ok(());
        };
        let ticket = new_rematch(&self.folder, data, session.begun(), &self.at, self.hub.is_some())?;
        self.invited = true;
        self.seated.again(ticket);
        Ok(())
    }
}
