//! What an entry does: a seed, a move, a vote, a signature, or nothing.

use dealers::joint;
use results::Uuid;
use table::record::By;
use table::{Game, Seat, Seats, Series as _};

use super::{Effect, Fault, Nothing, Phase, Seen, Session, Why, Wrong, to_seat};
use crate::body::Body;
use crate::lobby::Begun;
use crate::member::Heard;
use crate::waits::{NoVote, Verdict};

impl<G: Game> Session<G> {
    /// A player's seat says this.
    pub(super) fn take(&mut self, seat: Seat, body: &Body, heard: &Heard) -> Effect {
        let void = Effect::Void(Nothing::NotNow);
        match (&mut self.phase, body) {
            (Phase::Seeding(seeds), Body::Seed(seed)) if !seeds.contains_key(&seat) => {
                if !opens(&self.begun, seat, seed) {
                    return fault(seat, heard, Wrong::Seed);
                }
                seeds.insert(seat, *seed);
                Effect::Counts
            }
            (Phase::Playing(playing, _), Body::Dealing { set, message }) => {
                judged(seat, heard, playing.dealing(seat, *set, (**message).clone()))
            }
            (Phase::Playing(playing, _), Body::Act { height, on, action }) => {
                let Ok(action) = serde_json::from_slice(action) else { return Effect::Void(Nothing::Unreadable) };
                let before = self.seen.copy(playing.replica.table()).zip(self.seen.copy(&action));
                let said = joint::Said::Act { height: *height, on: *on, action };
                let verdict = playing.replica.receive(By::Seat(seat), said);
                playing.collect();
                if let (Some((table, action)), joint::Verdict::Valid) = (before, &verdict) {
                    self.seen.push(|| Seen::Acted { table, seat, action });
                }
                judged(seat, heard, verdict)
            }
            (Phase::Playing(playing, _), Body::Leave) => {
                playing.series.concede(seat);
                playing.replica.leave(By::Seat(seat));
                playing.collect();
                self.seen.push(|| Seen::Left(seat));
                Effect::Counts
            }
            (Phase::Playing(playing, _), Body::Here) => {
                if playing.is_out(seat) {
                    self.seen.push(|| Seen::Back(seat));
                }
                playing.come_back(seat);
                Effect::Counts
            }
            (Phase::Ended(ended), Body::Here) => {
                ended.informed.insert(seat);
                Effect::Counts
            }
            (Phase::Seeding(_) | Phase::Playing(..), Body::Overdue { who, since }) => {
                self.overdue(seat, *who, *since, heard)
            }
            (Phase::Playing(..), Body::Abandon) => self.abandon(seat, heard),
            (Phase::Ended(ended), Body::Sign { result, export }) => match ended.sign(seat, *result, *export) {
                Some(true) => Effect::Counts,
                Some(false) => fault(seat, heard, Wrong::Signature),
                None => void,
            },
            (Phase::Ended(ended), Body::Again(ticket)) => match ended.invite(seat, ticket, self.begun.table) {
                Ok(()) => Effect::Counts,
                Err(why) => Effect::Void(why),
            },
            _ => void,
        }
    }

    pub(super) fn overdue(&mut self, by: Seat, who: u8, since: u64, heard: &Heard) -> Effect {
        let accused = self.begun.players.iter().position(|player| player.number == who).and_then(to_seat);
        let (Some(seat), Some(person)) = (accused, self.people.of(by)) else {
            return Effect::Void(Nothing::Vote(NoVote::NotAwaited));
        };
        match self.waits.vote(&self.people, person, seat, since, heard.clock) {
            Err(why) => return Effect::Void(Nothing::Vote(why)),
            Ok(Verdict::Counted) => {}
            Ok(Verdict::Disputed) => self.end(Why::Disputed { by: by.index(), seat }, heard),
            Ok(Verdict::Late) => match &mut self.phase {
                Phase::Playing(playing, _) => {
                    playing.replica.late(By::Seat(seat));
                    playing.collect();
                    self.seen.push(|| Seen::Late(seat));
                }
                Phase::Seeding(_) => self.end(Why::NotBegun { seat }, heard),
                Phase::Ended(_) => {}
            },
        }
        Effect::Counts
    }

    pub(super) fn abandon(&mut self, by: Seat, heard: &Heard) -> Effect {
        let Some(person) = self.people.of(by).filter(|_| self.waits.is_hopeless(heard.clock)) else {
            return Effect::Void(Nothing::NotNow);
        };
        if !self.abandon.contains(&person) {
            self.abandon.push(person);
        }
        let awaited: Seats = self.waits.all().keys().copied().collect();
        let left = (self.people.still_in - awaited).iter().filter_map(|seat| self.people.of(seat));
        if left.into_iter().all(|person| self.abandon.contains(&person)) {
            self.end(Why::Abandoned, heard);
        }
        Effect::Counts
    }
}

fn opens(begun: &Begun, seat: Seat, seed: &[u8; 32]) -> bool {
    let place = usize::from(seat.index());
    let (Some(player), Some(hash)) = (begun.players.get(place), begun.seed_hashes.get(place)) else { return false };
    results::seed_hash(&Uuid::from_hash(&begun.id), &player.join.identity, seed).0 == *hash
}

fn fault(seat: Seat, heard: &Heard, what: Wrong) -> Effect {
    Effect::Fault(Box::new(Fault { seat, height: heard.head.height, what }))
}

fn judged(seat: Seat, heard: &Heard, verdict: joint::Verdict) -> Effect {
    match verdict {
        joint::Verdict::Valid => Effect::Counts,
        joint::Verdict::Void(why) => Effect::Void(Nothing::Dealing(why)),
        // A complaint may show that somebody else did wrong.
        joint::Verdict::Fault(found) => {
            let seat = if let By::Seat(guilty) = found.by { guilty } else { seat };
            fault(seat, heard, Wrong::Dealing(found.why))
        }
    }
}
