//! A rematch of the same people: another table, to which everybody is invited.
//!
//! Several players may ask at the same moment, on different servers, and a server may stop between the two writes. So
//! the id of the next table is derived from the secret of the first: the second request finds the table already
//! created, and anything written twice is the same.

use sha2::{Digest, Sha256};

use super::{Hub, HubError, Opening, to_the_end};
use crate::ids::{PlayerId, TableId};
use crate::room::{Event, Refusal, Room, Stage};

impl Hub {
    /// The table of the next match after this one, created with the same terms and with everybody seated who still
    /// sits here. The first player to ask owns it; only a player who stayed to the end may ask.
    ///
    /// # Errors
    /// Fails if the match is not over, the player does not sit there, or the database cannot be written.
    pub async fn again(&self, id: TableId, player: PlayerId) -> Result<TableId, HubError> {
        let live = self.table(id);
        let opening = {
            let room = self.read(&live).await?;
            if room.stage() != Some(Stage::Over) {
                return Err(Refusal::NotOver.into());
            }
            room.seat_of(player).ok_or(Refusal::NotSeated)?;
            if let Some(next) = room.again() {
                return Ok(next);
            }
            opening(&room, player)
        };
        let next = self.next_id(id).await?;
        self.open_as(next, opening).await?;
        let hub = self.clone();
        let told = async move {
            let tell = |room: &Room| match room.again() {
                Some(_) => Err(Refusal::Over),
                None => Ok(Event::Again { table: next, seat: room.seat_of(player) }),
            };
            hub.act(&live, tell).await
        };
        match to_the_end(told).await {
            Ok(()) | Err(HubError::Refused(Refusal::Over)) => Ok(next),
            Err(why) => Err(why),
        }
    }

    async fn next_id(&self, id: TableId) -> Result<TableId, HubError> {
        let secret = self.0.store.secret(id).await?.ok_or(HubError::NoTable)?;
        let hash: [u8; 32] =
            Sha256::new().chain_update("fairdeal/server/again").chain_update(secret.expose()).finalize().into();
        Ok(TableId(u64::from_be_bytes(hash.first_chunk().copied().unwrap_or_default())))
    }
}

/// The next table. The seat of a player who left is free, even if a computer played on for them.
fn opening(room: &Room, owner: PlayerId) -> Opening {
    let mut terms = room.terms().clone();
    terms.owner = Some(owner);
    let stays = room.chairs().filter(|(_, chair)| chair.left.is_none());
    let events = stays.filter_map(|(seat, chair)| chair.who.clone().map(|who| Event::Sat { seat, who }));
    Opening { terms, events: events.collect() }
}
