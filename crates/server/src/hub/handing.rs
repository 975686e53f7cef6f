//! Who is there before a match, so that every table with people at it can begin.
//!
//! Only the owner of a table starts the match. An owner who closes the page, or loses the connection for good, would
//! leave the others waiting forever: so a table whose owner has been away for a while is handed to the next player who
//! is there. Coming back does not return the table; the new owner may be about to begin.
//!
//! A server knows who has a table open on that server. Servers that share a database tell each other through it who
//! sits at a table and has it open, so none of them takes another server's players for absent.

use std::time::{Duration, Instant};

use table::Seats;

use super::{Hub, HubError, Live, lock};
use crate::clock::now;
use crate::ids::{Millis, PlayerId, TableId};
use crate::room::{Event, Refusal, Room};

/// How long a player may be away before others need not wait: long enough to reload a page, or for a phone to change
/// networks.
pub(super) const AWAY: Duration = Duration::from_secs(30);
/// How often servers tell each other who is there.
const TELL: Duration = Duration::from_secs(10);

impl Hub {
    /// Whether another player than this one sits at the table and is there.
    pub async fn is_attended(&self, id: TableId, besides: PlayerId) -> Result<bool, HubError> {
        let live = self.table(id);
        let others = {
            let room = self.read(&live).await?;
            let players = room.chairs().filter_map(|(_, chair)| chair.player());
            players.filter(|player| *player != besides).collect::<Vec<_>>()
        };
        if others.iter().any(|player| live.present.seen(*player).is_some_and(|ago| ago < AWAY)) {
            return Ok(true);
        }
        if !self.store().is_shared() {
            return Ok(false);
        }
        let here = self.store().here(id).await?;
        Ok(here.iter().any(|(player, at)| *player != besides && is_recent(*at)))
    }

    /// Checks the tables that have not begun: whose owner is away, and who is there.
    pub(super) async fn attend(&self) {
        let tables: Vec<_> = self.tables().values().filter(|live| live.is_watched()).cloned().collect();
        let tell = self.store().is_shared() && self.is_time_to_tell();
        let mut here = Vec::new();
        for live in tables {
            // A table that cannot be checked now is checked again in a second.
            let gathers = |room: &Room| room.stage().is_none().then(|| people_here(&live, room));
            let Some(people) = live.peek(gathers).flatten() else { continue };
            if tell {
                here.extend(people.into_iter().map(|player| (live.id(), player)));
            }
            if let Err(why) = self.hand_on(&live, AWAY).await {
                tracing::debug!(table = %live.id(), %why, "a table could not be handed on");
            }
        }
        if !here.is_empty()
            && let Err(why) = self.store().set_here(here, now().0).await
        {
            tracing::warn!(%why, "presence could not be written");
        }
    }

    fn is_time_to_tell(&self) -> bool {
        let mut told = lock(&self.0.told);
        let due = told.is_none_or(|told| told.elapsed() >= TELL);
        if due {
            *told = Some(Instant::now());
        }
        due
    }

    /// Hands on a table that has not begun, if its owner has been away for long enough and another player is there.
    pub(super) async fn hand_on(&self, live: &Live, away: Duration) -> Result<(), HubError> {
        let (owner, seat) = {
            let room = self.read(live).await?;
            let Some(owner) = room.owner().filter(|_| room.stage().is_none()) else { return Ok(()) };
            if live.is_watched_by(owner) || live.present.away(owner) < away {
                return Ok(());
            }
            let all = Seats::first(room.terms().players);
            let first = room.seat_of(owner).unwrap_or_default();
            let is_here = |player: PlayerId| player != owner && live.is_watched_by(player);
            let player = |seat| room.chair(seat).and_then(|chair| chair.player());
            let next = all.clockwise_after(first).chain([first]).find(|seat| player(*seat).is_some_and(is_here));
            let Some(seat) = next else { return Ok(()) };
            (owner, seat)
        };
        if self.store().is_shared() {
            let here = self.store().here(live.id()).await?;
            if here.iter().any(|(player, at)| *player == owner && is_recent(*at)) {
                return Ok(());
            }
        }
        let handed = self.act(live, |room| match room.owner() == Some(owner) {
            true => Ok(Event::Handed { seat }),
            false => Err(Refusal::NotOwner),
        });
        match handed.await {
            // Another server was faster.
            Err(HubError::Refused(_)) => Ok(()),
            handed => handed,
        }
    }
}

/// The players who sit at a table and have it open on this server.
fn people_here(live: &Live, room: &Room) -> Vec<PlayerId> {
    let players = room.chairs().filter_map(|(_, chair)| chair.player());
    players.filter(|player| live.is_watched_by(*player)).collect()
}

/// Whether that was no longer ago than a player may be away.
fn is_recent(at: i64) -> bool {
    now().since(Millis(at)) < i64::try_from((AWAY + TELL).as_millis()).unwrap_or(i64::MAX)
}
