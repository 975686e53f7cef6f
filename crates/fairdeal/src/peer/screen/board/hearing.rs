//! What happens, one step after another.

use std::time::{Duration, Instant};

use ::peer::Seen;
use ratatui::text::Line;
use table::{Faces, Outcome, Seat, Seats, Standing, Table};

use super::{Board, Finished, Shown, Step, begun, question};
use crate::peer::desk::{Now, Told, Want};
use crate::peer::screen::end::End;
use crate::peer::screen::status::name;
use crate::peer::screen::telling;
use crate::peer::screen::typing::{harmless, said};
use crate::play::ending;
use crate::play::screen::Screen;
use crate::text::listed;

/// With more steps than this in the queue, somebody has been away: they see the last.
const MANY: usize = 12;

impl<G: Screen> Board<G> {
    /// Something happened.
    pub(in crate::peer::screen) fn hear(&mut self, told: Told<G>, at: Instant) {
        self.stale = true;
        match told {
            Told::Seen(seen) => self.queue.push_back(Step::Seen(seen)),
            Told::Now(now) => self.learn(now, at),
            Told::Chat { from, text } => self.chat(&from, &text),
            Told::Note(text) => self.say(&harmless(&text)),
            Told::Connection(online) => {
                self.connected(&online, at);
                if let Some((_, now)) = &mut self.now {
                    now.online = online;
                }
            }
            Told::Over(over) => self.queue.push_back(Step::Over(over)),
            Told::Again(ticket) => self.next_table(ticket),
            // Nothing follows: the loop ends with it.
            Told::Failed(_) => {}
        }
    }

    /// Shows what is due at this moment; a move that is made without a choice.
    pub(in crate::peer::screen) fn advance(&mut self, at: Instant) -> Option<Want<G>> {
        while self.story.is_some() && !self.is_held(at) {
            let Some(step) = self.queue.pop_front() else { break };
            self.take(step, at, false);
        }
        self.only_move(at)
    }

    /// How things are.
    fn learn(&mut self, mut now: Box<Now<G>>, at: Instant) {
        let table = now.table.take();
        let own = std::mem::replace(&mut now.own, Faces::new());
        let asked = now.asked;
        let shuffled = Some((now.deal, now.shuffled)).filter(|(_, by)| !by.is_empty() && *by == now.keys);
        self.connected(&now.online, at);
        if self.story.is_some() {
            self.notice_connections(&now);
            self.now = Some((at, now));
        } else {
            self.story = begun(&now, self.look, &self.way_back);
            self.now = Some((at, now));
            // What happened before is not shown again step by step.
            while let Some(step) = self.queue.pop_front() {
                self.take(step, at, true);
            }
        }
        if let Some(table) = table {
            self.queue.push_back(Step::Shown(Box::new(Shown { table, own, asked, shuffled })));
        }
    }

    /// Somebody said something.
    pub(super) fn chat(&mut self, from: &str, text: &str) {
        self.note(said(self.look, from, text));
    }

    /// A line for the log.
    pub(super) fn note(&mut self, line: Line<'static>) {
        if let Some(end) = &mut self.end {
            end.note(line.clone());
        }
        if let Some(story) = &mut self.story {
            story.lines.push(line);
        }
    }

    fn say(&mut self, text: &str) {
        let look = self.look;
        self.note(Line::styled(look.plain(text), look.tinted(ratatui::style::Color::Cyan)));
    }

    fn names(&self) -> Vec<String> {
        self.story.as_ref().map_or_else(Vec::new, |story| story.around.names.iter().cloned().collect())
    }

    /// This person's own connection works, or not.
    fn connected(&mut self, online: &Result<(), String>, at: Instant) {
        match online {
            Ok(()) => self.lost = None,
            Err(_) => drop(self.lost.get_or_insert(at)),
        }
    }

    /// Tells who has lost their connection, and who is back. Somebody without a connection of their own knows nothing
    /// about the others.
    fn notice_connections(&mut self, new: &Now<G>) {
        let (here, me) = (new.here, new.me);
        if self.lost.is_some() || me.is_some_and(|me| !here.contains(me)) {
            return;
        }
        let Some(before) = self.here.replace(here) else { return };
        let names = self.names();
        let others = |seats: Seats| seats.iter().filter(|seat| Some(*seat) != me).map(|seat| name(&names, seat));
        let (gone, back): (Vec<_>, Vec<_>) = (others(before - here).collect(), others(here - before).collect());
        for who in gone {
            self.say(&format!("{who} is not connected any more."));
        }
        for who in back {
            self.say(&format!("{who} is connected again."));
        }
    }

    /// Tells once per deal that its deck was shuffled by everybody.
    fn tell_of_shuffle(&mut self, deal: u32, by: Seats) {
        if std::mem::replace(&mut self.told_of, deal) != deal {
            let names = self.names();
            let who: Vec<String> = by.iter().map(|seat| name(&names, seat)).collect();
            self.say(&format!("Shuffled by {}: every shuffle is proven.", listed(&who)));
        }
    }

    /// Whether the next step has to wait, so that the last one can be seen.
    fn is_held(&self, at: Instant) -> bool {
        let seen = self.queue.iter().filter(|step| matches!(step, Step::Seen(_))).count();
        if seen > MANY || !self.queue.front().is_some_and(|step| self.changes(step)) {
            return false;
        }
        // Somebody reads how the last deal ended: the next one waits for them until it is their turn.
        let newest = self.queue.iter().rev().find_map(|step| match step {
            Step::Shown(shown) => Some(shown.asked),
            Step::Seen(_) | Step::Over(_) => None,
        });
        if self.finished.is_some() && newest != Some(true) {
            return true;
        }
        at < self.changed + self.pace
    }

    /// Whether a step changes what is on the screen.
    fn changes(&self, step: &Step<G>) -> bool {
        let on_screen = self.shown.as_ref().map(|shown| shown.table.height());
        let differs = |table: &Table<G::Rules>| on_screen.is_some_and(|height| height != table.height());
        match step {
            Step::Seen(seen) => match &**seen {
                Seen::Deal { .. } => on_screen.is_some(),
                Seen::Acted { table, .. } | Seen::Chose { table, .. } | Seen::DealOver { table, .. } => differs(table),
                Seen::Late(_) | Seen::Back(_) | Seen::Left(_) | Seen::Fault(_) => false,
            },
            Step::Shown(shown) => differs(&shown.table),
            Step::Over(_) => self.finished.is_some(),
        }
    }

    fn take(&mut self, step: Step<G>, at: Instant, past: bool) {
        match step {
            Step::Seen(seen) => self.see(*seen, at, past),
            Step::Shown(shown) => {
                if let Some((deal, by)) = shown.shuffled {
                    self.tell_of_shuffle(deal, by);
                }
                if let Some(story) = &mut self.story {
                    story.catch_up(&shown.table);
                }
                self.show(*shown, at);
            }
            Step::Over(over) => {
                let said = self.story.as_ref().map_or_else(Vec::new, |story| story.lines.clone());
                match &mut self.end {
                    Some(end) => end.over = *over,
                    None => self.end = Some(End::new(*over, said)),
                }
            }
        }
        self.stale = true;
    }

    /// Puts a table on the screen.
    fn show(&mut self, shown: Shown<G>, at: Instant) {
        let height = shown.table.height();
        if self.shown.as_ref().is_none_or(|before| before.table.height() != height) {
            self.changed = at;
            self.forced = None;
        }
        if self.sent.is_some_and(|sent| sent != height.0) {
            self.sent = None;
        }
        self.shown = Some(shown);
        self.put();
    }

    /// Puts the question again, or takes it back.
    pub(super) fn put(&mut self) {
        let me = self.me();
        match (question(self.shown.as_ref(), me, self.sent, self.pace), &self.story) {
            (Some(question), Some(story)) => self.hands.put(&question, story),
            _ => self.hands.void(),
        }
    }

    fn see(&mut self, seen: Seen<G>, at: Instant, past: bool) {
        let me = self.me();
        let names = self.names();
        let Some(story) = &mut self.story else { return };
        match seen {
            Seen::Deal { number, table, standing } => {
                story.begin(&table, number, standing);
                self.show(Shown::still(table, Faces::new()), at);
            }
            Seen::Acted { table, seat, action } => {
                if Some(seat) == me && self.sent != Some(table.height().0) && !past {
                    story.late.insert(seat);
                }
                story.acts(&table, seat, &action);
                self.stepped(table, at);
            }
            Seen::Chose { table, choices } => {
                story.choose(&table, &choices);
                self.stepped(table, at);
            }
            Seen::DealOver { table, own, outcome, standing } => {
                story.catch_up(&table);
                self.deal_over(table, own, &outcome, &standing, at, past);
            }
            Seen::Late(seat) => self.say(&telling::late(&names, seat, me)),
            Seen::Back(seat) => self.say(&telling::back(&names, seat)),
            Seen::Left(seat) => {
                self.conceded |= Some(seat) == me;
                self.say(&telling::left(&names, seat));
            }
            Seen::Fault(fault) => {
                let text = self.look.plain(&telling::fault(&names, &fault));
                self.note(Line::styled(text, self.look.bad()));
            }
        }
    }

    /// A table between two steps: the viewer's cards are those they have had so far.
    fn stepped(&mut self, table: Table<G::Rules>, at: Instant) {
        if self.shown.as_ref().is_some_and(|shown| shown.table.height() == table.height()) {
            return;
        }
        // Cards that came meanwhile are in the next state; they belong to this one if they are on its table.
        let coming = self.queue.iter().find_map(|step| match step {
            Step::Shown(shown) => Some(shown.own.clone()),
            Step::Seen(_) | Step::Over(_) => None,
        });
        let own = coming.or_else(|| self.shown.as_ref().map(|shown| shown.own.clone()));
        self.show(Shown::still(table, own.unwrap_or_else(Faces::new)), at);
    }

    fn deal_over(
        &mut self,
        table: Table<G::Rules>,
        own: Faces,
        outcome: &Outcome,
        standing: &Standing,
        at: Instant,
        past: bool,
    ) {
        if let (Some(story), false) = (&self.story, past) {
            let keys = if standing.over {
                "Enter shows the result, t shows the table"
            } else {
                "Enter continues, t shows the table"
            };
            let window = ending::window(&table, outcome, standing, story, keys);
            self.finished = Some(Finished { window, since: at, table_only: false });
        }
        self.show(Shown::still(table, own), at);
    }

    /// There is only one thing to do: it is looked at, and then done.
    fn only_move(&mut self, at: Instant) -> Option<Want<G>> {
        let me: Option<Seat> = self.me();
        let story = self.story.as_ref()?;
        let only = question(self.shown.as_ref(), me, self.sent, self.pace)?.forced(story)?;
        let since = *self.forced.get_or_insert(at);
        if at < since + self.pace * 2 {
            return None;
        }
        self.sent = self.shown.as_ref().map(|shown| shown.table.height().0);
        Some(Want::Decide(only))
    }

    /// The table continues as another one.
    fn next_table(&mut self, ticket: String) {
        if let Some(end) = &mut self.end {
            end.next = Some(ticket);
        }
    }

    /// How long ago the state was told.
    pub(super) fn age(&self, at: Instant) -> Duration {
        self.now.as_ref().map_or(Duration::ZERO, |(told, _)| at.saturating_duration_since(*told))
    }
}
