//! A hub in this program, because the one of the table is lost.

use std::time::Instant;

use table::Game;

use super::thread::{AGAIN, Sitting};
use crate::failure::Failure;
use crate::peer::files::STANDBY;
use crate::peer::own::{Listening, Opened};
use crate::relay::hosting::Sign;

impl<G: Game> Sitting<'_, G> {
    /// Runs a hub if the one in office has been silent for half of what it may be, or if this one is in office.
    pub(super) fn stand_by(&mut self) -> Result<(), Failure> {
        let Some((key, listen)) = self.folder.kept.standing().filter(|_| self.standby.is_none()) else { return Ok(()) };
        let successors = &self.place.seated.session().begun().start.successors;
        let listed = successors.iter().any(|standby| standby.hub == key.public());
        let in_office = *self.place.seated.member().chain().hub() == key.public();
        let again = self.stood.is_none_or(|at| at.elapsed() > AGAIN);
        if !listed || !again || !(in_office || self.post.is_lost_for(self.patience / 2)) {
            return Ok(());
        }
        self.stood = Some(Instant::now());
        let Some(ticket) = self.folder.kept.ticket() else { return Ok(()) };
        let (entries, behind) = (self.folder.entries()?, self.folder.kept.behind());
        let opened = Opened::new(&self.folder.join(STANDBY), Listening::At(listen));
        // Somebody else may listen there by now; then another player has to run the hub.
        self.standby = opened
            .and_then(|opened| {
                opened.stand_by(&ticket, &key, &entries)?;
                let mut hub = opened.run()?;
                if let Some((relay, key)) = behind {
                    let sign = Sign { relay, key, table: ticket.table(), offer: None, invitations: None };
                    hub.stand_behind(sign).map_err(Failure::input)?;
                }
                Ok(hub)
            })
            .ok();
        Ok(())
    }

    /// Whether the hub in office is in this program.
    pub(super) fn is_hub(&self) -> bool {
        let office = *self.place.seated.member().chain().hub();
        let standing = self.folder.kept.standing().filter(|_| self.standby.is_some());
        match standing {
            Some((key, _)) if key.public() == office => true,
            _ => self.hub.is_some() && self.place.seated.member().chain().changes() == 0,
        }
    }
}
