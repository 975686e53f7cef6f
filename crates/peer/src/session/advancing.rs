//! What follows from the log without anybody saying it: the match begins, the next deal, the end, and whom everybody waits
//! for.

use table::record::By;
use table::{Awaiting, Breakdown, Game, Map, Move, Seat, Series as _};

use super::playing::{Next, Own, Playing};
use super::{Ended, Fault, Phase, Seen, Session, Why, Wrong};
use crate::body::Body;
use crate::hash::hash;
use crate::member::Heard;
use crate::waits::Duty;

impl<G: Game> Session<G> {
    /// Advances wherever nothing is missing.
    pub(super) fn advance(&mut self, heard: &Heard) {
        if let Some(seat) = self.faults.iter().find(|fault| fault.what == Wrong::Seed).map(|fault| fault.seat)
            && matches!(self.phase, Phase::Seeding(_))
        {
            self.end(Why::NotBegun { seat }, heard);
        }
        if let Phase::Seeding(seeds) = &self.phase
            && seeds.len() == self.begun.players.len()
        {
            self.begin(heard);
        }
        loop {
            let Phase::Playing(playing, _) = &mut self.phase else { return };
            let mut own = Own { seat: self.me, private: &mut self.private, start: &self.begun.start };
            if playing.replica.table().awaiting() != Awaiting::Over {
                playing.look_ahead(&mut own);
                return;
            }
            let outcome = playing.replica.table().outcome();
            if let Some(Breakdown::FalseClaim(seats)) = outcome.and_then(|outcome| outcome.broken_off) {
                for seat in seats.iter() {
                    let fault = Fault { seat, height: heard.head.height, what: Wrong::Claim };
                    self.seen.push(|| Seen::Fault(fault.clone()));
                    self.faults.push(fault);
                }
            }
            let elapsed = heard.clock.saturating_sub(self.began) / 1000;
            let last = self.seen.copy(playing.replica.table()).zip(self.seen.copy(playing.replica.known().own));
            let next = playing.next_deal(elapsed, &mut own);
            if let Some((table, own)) = last
                && let Some(outcome) = table.outcome().cloned()
            {
                let standing = playing.series.standing();
                self.seen.push(|| Seen::DealOver { table, own, outcome, standing });
            }
            match next {
                Some(Next::Deal) => self.see_deal(),
                Some(Next::Over) | None => {
                    self.end(Why::Over, heard);
                    return;
                }
            }
        }
    }

    /// All seeds are open.
    pub(super) fn begin(&mut self, heard: &Heard) {
        let Phase::Seeding(seeds) = &self.phase else { return };
        let seeds: Vec<[u8; 32]> = seeds.values().copied().collect();
        let combined = results::combined(&self.id(), &seeds);
        let ground = hash("ground", &[&self.begun.id, &combined.0]);
        let players = u8::try_from(self.begun.players.len()).unwrap_or(u8::MAX);
        let mut own = Own { seat: self.me, private: &mut self.private, start: &self.begun.start };
        let series = G::start(&self.settings, players).ok();
        let playing = series.and_then(|series| Playing::new(series, ground, &mut own));
        self.began = heard.clock;
        match playing {
            Some(playing) => {
                self.phase = Phase::Playing(Box::new(playing), combined);
                self.see_deal();
            }
            // The settings were checked before; a match without a first deal is over.
            None => self.end(Why::Abandoned, heard),
        }
    }

    /// The match is over, whatever comes later.
    pub(super) fn end(&mut self, why: Why, heard: &Heard) {
        let (standing, deals, combined) = match &self.phase {
            Phase::Seeding(_) => (None, 0, None),
            Phase::Playing(playing, combined) => (Some(playing.series.standing()), playing.deals, Some(*combined)),
            Phase::Ended(_) => return,
        };
        let ended = Ended::new(&self.begun, why, standing, deals, combined, heard);
        if let (Some(seat), Some(identity)) = (self.me, &self.identity) {
            self.outbox.extend(ended.signature(seat, identity));
        }
        self.phase = Phase::Ended(Box::new(ended));
        self.private.finish();
    }

    /// A choice that was hidden in the log before a restart is made again.
    pub(super) fn choose_again(&mut self) {
        let Phase::Playing(playing, _) = &mut self.phase else { return };
        let height = playing.replica.table().height().0;
        let (Some(_), Some(choice)) = (playing.is_asked(), self.private.chosen(height)) else { return };
        if let Ok(choice) = serde_json::from_slice(choice) {
            playing.replica.decide(Move::Choose(choice));
            playing.collect();
        }
    }

    /// What the table makes this player say.
    pub(super) fn collect(&mut self) {
        let Phase::Playing(playing, _) = &mut self.phase else { return };
        for (set, message) in playing.take_dealing() {
            self.outbox.push(Body::Dealing { set, message: Box::new(message) });
        }
        for (height, on, action) in playing.take_acts() {
            self.outbox.push(Body::Act { height, on, action: serde_json::to_vec(&action).unwrap_or_default() });
        }
        if self.me.is_none() {
            self.outbox.clear();
        }
    }

    /// Notes whom everybody waits for now.
    pub(super) fn watch(&mut self, heard: &Heard, now: u64) {
        if let Phase::Playing(playing, _) = &self.phase {
            self.people.still_in = playing.still_in();
        }
        let duties: Map<Seat, Duty> = match &self.phase {
            Phase::Seeding(seeds) => {
                let silent = self.people.still_in.iter().filter(|seat| !seeds.contains_key(seat));
                silent.map(|seat| (seat, Duty::Seed)).collect()
            }
            Phase::Playing(playing, _) => {
                let height = playing.replica.table().height().0;
                let missing = playing.replica.missing().into_iter();
                let by_seat = missing.filter_map(|(by, duty)| match by {
                    By::Seat(seat) => Some((seat, Duty::Play(duty, height))),
                    By::House | By::Member(_) => None,
                });
                by_seat.collect()
            }
            Phase::Ended(ended) => ended.unsigned().into_iter().map(|seat| (seat, Duty::Sign)).collect(),
        };
        self.waits.update(&duties, heard.head.height, heard.clock, now);
    }
}
