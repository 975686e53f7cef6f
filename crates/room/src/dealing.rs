//! What the house and the rules do automatically in a match: deals begin, cards are dealt, deals end.

use dealers::{Dealer as _, Filling};
use table::record::{End, Evidence, Line, hex};
use table::{Awaiting, Breakdown, Eye, Known, Order, Rules, Seat, Series as _};

use super::Kept;
use super::ended::Ended;
use super::pausing::Unseen;
use super::playing::{Playing, Stage};
use super::seen::Seen;
use crate::ids::Millis;

impl<G: Kept> Playing<G> {
    /// The next deal begins.
    pub(super) fn next_deal(&mut self, at: Millis) {
        self.stage = Stage::Deal;
        self.past.clear();
        self.proofs.clear();
        self.chosen.clear();
        self.standing = self.running.standing();
        (self.unseen, self.settled, self.streets) = (Unseen::Nothing, None, 0);
        if let (Some(record), Some(setup)) = (&mut self.record, self.running.series().next(self.first_deck)) {
            record.writer.deal::<G::Rules>(self.running.deals(), &setup);
        }
        if let Some(table) = self.copy() {
            let (number, standing) = (self.running.deals(), self.standing.clone());
            self.see(|| Seen::Deal { number, table, standing });
        }
        for seat in core::mem::take(&mut self.leaving).iter() {
            self.gone(seat);
        }
        self.go_on(at);
    }

    /// The match ends here, between two deals, although the game would continue.
    pub(super) fn close(&mut self, at: Millis) {
        if self.stage != Stage::Between {
            return;
        }
        self.stage = Stage::Over;
        self.house.retire(None);
        if let Some(record) = &mut self.record {
            self.house.evidence().into_iter().for_each(|evidence| record.writer.evidence(evidence));
        }
        self.go_on(at);
    }

    /// Does what house and rules do automatically, until the table waits for somebody or something must be seen first.
    pub(super) fn go_on(&mut self, at: Millis) {
        while self.stage == Stage::Deal {
            match self.running.table().awaiting() {
                Awaiting::Dealer if self.pauses() => break,
                Awaiting::Dealer => match self.house.fill(self.running.table()) {
                    Ok(Filling::Done) => self.dealt(),
                    Ok(Filling::Waiting(_)) => break,
                    Err(_) => self.broken(),
                },
                // Everybody else the table waited for may have left.
                Awaiting::Choices(seats)
                    if !self.chosen.is_empty() && (seats - self.chosen.keys().copied().collect()).is_empty() =>
                {
                    if self.reveal_choices().is_err() {
                        self.broken();
                    }
                }
                Awaiting::Turn(_) | Awaiting::Choices(_) => break,
                Awaiting::Over => self.end_deal(at),
            }
        }
        if !matches!(self.running.table().awaiting(), Awaiting::Choices(_)) {
            self.chosen.clear();
        }
        // If there is no record to write it to, it must not pile up.
        if self.record.is_none() {
            let seen = self.seen.is_some();
            let shown =
                |evidence: &Evidence| seen && matches!(evidence.kind.as_str(), "commit" | "reveal" | "root" | "seed");
            self.proofs.extend(self.house.evidence().into_iter().filter(shown));
        }
    }

    fn dealt(&mut self) {
        if let Some(record) = &mut self.record {
            self.house.evidence().into_iter().for_each(|evidence| record.writer.evidence(evidence));
            let (house, private) = (&self.house, record.private);
            record.writer.dealt(self.running.table(), house.opened(), |seat, slot| {
                private.then(|| house.own(seat).get(slot)).flatten()
            });
        }
        let table = self.running.table();
        let before = self.is_seen().then(|| table.rules().view(Known::public(table.open()), Eye::Public));
        let (height, opened, seen) = (table.height(), self.house.opened(), self.copy());
        let opens = table.orders().any(|order| matches!(order, Order::Open { .. }));
        if self.running.table_mut().dealt(height, opened).is_err() {
            self.broken();
            return;
        }
        // Before the first move all cards are on their way: nothing covers anything.
        if opens && !self.past.is_empty() {
            self.unseen = Unseen::Cards;
        }
        if let Some(before) = before {
            let table = self.running.table();
            let after = table.rules().view(Known::public(table.open()), Eye::Public);
            self.streets = self.streets.max(G::streets(&before, &after));
        }
        if let Some(table) = seen {
            self.see(|| Seen::Dealt { table });
        }
    }

    /// Should never happen: the house and the rules do not understand each other. Nobody is to blame.
    fn broken(&mut self) {
        let (height, before) = (self.running.table().height(), self.copy());
        let _ = self.running.table_mut().break_off(height, Breakdown::DealerFailed);
        self.see_change(before);
        if let Some(record) = &mut self.record {
            record.writer.broken(height, Breakdown::DealerFailed);
        }
    }

    fn end_deal(&mut self, at: Millis) {
        let table = self.running.table().clone();
        let own = (0..table.rules().players()).filter_map(Seat::new).map(|seat| self.house.own(seat).clone()).collect();
        let deal = self.running.deals();
        self.first_deck = table.rules().decks().end;
        let elapsed = u64::try_from(at.since(self.began) / 1000).unwrap_or(0);
        let Some(outcome) = self.running.advance(elapsed) else {
            self.stage = Stage::Over;
            return;
        };
        let after = self.running.standing();
        // The house forgets them now, and this is when people want to check their cards.
        let players = if self.seen.is_some() { table.rules().players() } else { 0 };
        let openings = (0..players).filter_map(Seat::new).map(|seat| self.openings_now(seat)).collect();
        self.house.retire((!after.over).then(|| self.running.table().rules().decks().start));
        if let Some(record) = &mut self.record {
            let end = End { outcome: outcome.clone(), hash: hex(&table.state_hash()), standing: Some(after.clone()) };
            record.writer.line(&Line::<(), (), ()>::End(end));
            self.house.evidence().into_iter().for_each(|evidence| record.writer.evidence(evidence));
        }
        self.stage = if after.over { Stage::Over } else { Stage::Between };
        let past = core::mem::take(&mut self.past);
        let series = self.running.series();
        let ties = after.neighbours().into_iter().filter_map(|(a, b)| Some((a, series.tie_break(a, b)?))).collect();
        self.see(|| Seen::Over { table: table.clone(), outcome: outcome.clone(), standing: after.clone() });
        self.ended = Some(Box::new(Ended { table, outcome, after, ties, deal, own, openings, past }));
    }
}
