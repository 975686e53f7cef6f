//! What is written down while a match is played: the record on disk, the log on the screen, and what
//! computers remember.

use std::cell::RefCell;
use std::collections::VecDeque;

use bots::Past;
use dealers::{Dealer, Log};
use ratatui::text::{Line, Span};
use table::record::{self, Evidence, Writer};
use table::{Awaiting, Eye, Faces, Known, Look as _, Move, Rules, Seat, Seats, Standing, Table};

use super::look::Look;
use super::saved::Saved;
use super::screen::{MoveOf, Scene, Screen};
use super::seating::BySeat;
use crate::computers::Memory;
use crate::failure::Failure;

/// What somebody did in a match that is played again to its last line.
pub enum Before<G: Screen> {
    /// A seat acted; nothing, where its time was up.
    Act(Option<MoveOf<G>>),
    /// These chose.
    Choices(Vec<(Seat, MoveOf<G>)>),
}

/// What is written down.
pub struct Chronicle<G: Screen> {
    /// Where it is kept.
    pub saved: Saved,
    writer: Writer,
    /// What the record says already, while a match is played again; and how far that has come.
    expected: String,
    at: usize,
    /// Why nothing can be written any more.
    failed: Option<Failure>,
    /// What happened in this deal.
    pub memory: Memory<G::Rules>,
    /// What the screen's log says.
    pub lines: Vec<Line<'static>>,
    /// What was done since the log was brought up to date.
    pending: Vec<(Seat, MoveOf<G>)>,
    /// People whose time was up since then.
    pub late: Seats,
    /// What everybody saw when the log was brought up to date.
    seen: Option<<G::Rules as Rules>::View>,
    /// Whose cards may be written into the record: those of a person who plays alone.
    open_hands: Seats,
    /// What that person has been dealt.
    pub own: Faces,
    /// What a scene needs beside the table.
    pub around: Round<G>,
}

/// The match around a deal.
pub struct Round<G: Screen> {
    /// Its settings.
    pub settings: G::Settings,
    /// Who sits where.
    pub names: BySeat<String>,
    /// How it looks.
    pub look: Look,
    /// How the match stands before this deal.
    pub standing: Standing,
    /// The number of the deal.
    pub deal: u32,
}

impl<G: Screen> Round<G> {
    /// Calls `f` with what an eye sees.
    pub fn scene<T>(
        &self,
        table: &Table<G::Rules>,
        eye: Eye,
        known: Known<'_>,
        f: impl FnOnce(&Scene<'_, G>) -> T,
    ) -> T {
        let view = table.rules().view(known, eye);
        let asked = match (table.awaiting(), eye) {
            (Awaiting::Turn(turn), Eye::Seat(seat)) if turn == seat => Some(seat),
            (Awaiting::Choices(seats), Eye::Seat(seat)) if seats.contains(seat) => Some(seat),
            _ => None,
        };
        let moves = asked.map(|seat| table.rules().moves(known, seat));
        f(&Scene {
            eye,
            view: &view,
            moves: moves.as_ref(),
            table,
            known,
            settings: &self.settings,
            standing: &self.standing,
            deal: self.deal,
            names: &self.names,
            look: self.look,
        })
    }
}

impl<G: Screen> Chronicle<G> {
    /// A new one; `expected` is what the record says already.
    pub fn new(saved: Saved, expected: String, open_hands: Seats, around: Round<G>) -> Self {
        Self {
            saved,
            writer: Writer::new(),
            expected,
            at: 0,
            failed: None,
            memory: Memory::default(),
            lines: Vec::new(),
            pending: Vec::new(),
            late: Seats::NONE,
            seen: None,
            open_hands,
            own: Faces::new(),
            around,
        }
    }

    /// What the record says was done, in order.
    pub fn before(&self) -> Result<VecDeque<Before<G>>, Failure> {
        type LineOf<R> = record::Line<<R as Rules>::Setup, <R as Rules>::Action, <R as Rules>::Choice>;
        let mut before = VecDeque::new();
        for (line, n) in self.expected.lines().zip(1..) {
            let line: LineOf<G::Rules> =
                serde_json::from_str(line).map_err(|_| self.damaged(&format!("line {n} is not part of a match")))?;
            match line {
                record::Line::Act(act) => {
                    before.push_back(Before::Act((!act.timeout).then_some(Move::Act(act.action))));
                }
                record::Line::Choices(c) => {
                    let choices = c.choices.into_iter().map(|(seat, choice)| (seat, Move::Choose(choice)));
                    before.push_back(Before::Choices(choices.collect()));
                }
                _ => {}
            }
        }
        Ok(before)
    }

    fn damaged(&self, why: &str) -> Failure {
        let path = self.saved.record().display();
        Failure::input(format!("{path}: {why}; was it changed, or written by another version?"))
    }

    /// Has everything been played again that was played before?
    pub fn is_live(&self) -> bool {
        self.at >= self.expected.len()
    }

    /// Whether anything can be written; says why not once.
    pub fn failure(&mut self) -> Option<Failure> {
        self.failed.take()
    }

    /// Writes lines of the record.
    pub fn write(&mut self, lines: impl FnOnce(&mut Writer)) {
        lines(&mut self.writer);
        let text = self.writer.take();
        let rest = self.expected.get(self.at..).unwrap_or_default();
        let fresh = if rest.is_empty() {
            text.as_str()
        } else if rest.starts_with(&text) {
            self.at += text.len();
            return;
        } else if let Some(fresh) = text.strip_prefix(rest) {
            self.at = self.expected.len();
            fresh
        } else {
            let line = self.expected.get(..self.at).unwrap_or_default().lines().count() + 1;
            self.failed.get_or_insert(self.damaged(&format!("line {line} does not follow from the lines before it")));
            return;
        };
        if let Err(why) = self.saved.append(fresh) {
            self.failed.get_or_insert(why);
        }
    }

    /// A deal begins: the table shows it before anything has happened.
    pub fn begin(&mut self, table: &Table<G::Rules>, deal: u32, standing: Standing) {
        self.memory.clear();
        self.pending.clear();
        self.around.deal = deal;
        self.around.standing = standing;
        self.seen = Some(table.rules().view(Known::public(table.open()), Eye::Public));
        let look = self.around.look;
        let line = look.sign(super::look::Sign::Line).repeat(3);
        self.lines.push(Line::styled(format!("{line} deal {deal} {line}"), look.dim()));
    }

    /// Brings the log up to date with the table.
    pub fn catch_up(&mut self, table: &Table<G::Rules>) {
        let known = Known::public(table.open());
        let Some(seen) = self.seen.take() else { return };
        let pending = std::mem::take(&mut self.pending);
        let (told, news, now) = self.around.scene(table, Eye::Public, known, |scene| {
            let told: Vec<_> = pending.iter().map(|(seat, m)| (*seat, G::phrase(&seen, scene, *seat, m))).collect();
            (told, G::news(&seen, scene), scene.view.clone())
        });
        for (seat, phrase) in told {
            let why = if self.late.contains(seat) { " (time was up)" } else { "" };
            self.late.remove(seat);
            self.tell(seat, &format!("{phrase}{why}"));
        }
        for news in news {
            self.say(&news);
        }
        self.seen = Some(now);
    }

    /// Something that a seat did or had done to it.
    pub fn tell(&mut self, seat: Seat, phrase: &str) {
        let look = self.around.look;
        let name = &self.around.names[seat];
        let name = Span::styled(format!("{}: ", look.plain(name)), look.bold());
        self.lines.push(Line::from(vec![name, Span::raw(look.plain(phrase))]));
    }

    /// Something that happened.
    pub fn say(&mut self, news: &str) {
        let look = self.around.look;
        self.lines.push(Line::styled(look.plain(news), look.tinted(ratatui::style::Color::Cyan)));
    }
}

/// A chronicle as the log of a deal.
pub struct Writing<'a, G: Screen>(pub &'a RefCell<Chronicle<G>>);

impl<G: Screen> Log<G::Rules> for Writing<'_, G> {
    fn evidence(&mut self, evidence: Vec<Evidence>) {
        if !evidence.is_empty() {
            self.0.borrow_mut().write(|writer| evidence.into_iter().for_each(|one| writer.evidence(one)));
        }
    }

    fn dealt<D: Dealer>(&mut self, table: &Table<G::Rules>, dealer: &D) {
        let mut chronicle = self.0.borrow_mut();
        chronicle.catch_up(table);
        let hands = chronicle.open_hands;
        if let Some(seat) = hands.iter().next() {
            chronicle.own = dealer.own(seat).clone();
        }
        let own = |seat: Seat, slot| if hands.contains(seat) { dealer.own(seat).face(slot) } else { None };
        chronicle.write(|writer| writer.dealt(table, dealer.opened(), own));
    }

    fn act(
        &mut self,
        table: &Table<G::Rules>,
        seat: Seat,
        action: &<G::Rules as Rules>::Action,
        faces: &impl table::Look,
        timeout: bool,
    ) {
        let mut chronicle = self.0.borrow_mut();
        chronicle.catch_up(table);
        chronicle.write(|writer| writer.act(table, seat, action, faces, timeout));
        chronicle.memory.note(Past::Did(seat, action.clone()));
        chronicle.pending.push((seat, Move::Act(action.clone())));
    }

    fn choices(&mut self, table: &Table<G::Rules>, choices: &[(Seat, <G::Rules as Rules>::Choice)]) {
        let mut chronicle = self.0.borrow_mut();
        chronicle.catch_up(table);
        chronicle.write(|writer| writer.choices::<G::Rules>(table.height(), choices));
        for (seat, choice) in choices {
            chronicle.memory.note(Past::Chose(*seat, choice.clone()));
            chronicle.pending.push((*seat, Move::Choose(choice.clone())));
        }
    }
}

#[cfg(test)]
mod tests {
    use bots::Decision;
    use dealers::{Local, play_deal};
    use games::types::Blackjack;
    use table::Match;

    use super::*;
    use crate::play::saved::Store;
    use crate::play::testing::{round, settings};

    type Deal = <Blackjack as table::Game>::Rules;

    #[test]
    fn the_log_says_whose_time_was_up() {
        let folder = tempfile::tempdir().unwrap();
        let saved = Store::new(Some(folder.path())).unwrap().create("blackjack", [1; 32]).unwrap();
        let around = round::<Blackjack>(settings::<Blackjack>(&[]), 2);
        let mut running = Match::<Blackjack>::start(&around.settings, 2).unwrap();
        let chronicle = RefCell::new(Chronicle::<Blackjack>::new(saved, String::new(), Seats::NONE, around));
        chronicle.borrow_mut().begin(running.table(), 1, running.standing());
        let mut dealer = Local::new([1; 32]);
        dealer.begin([0; 32]);
        // The first never decides in time, the second does.
        let mut decide = |table: &Table<Deal>, seat: Seat, known: Known<'_>| -> Decision<Deal> {
            chronicle.borrow_mut().catch_up(table);
            if seat.index() == 0 {
                chronicle.borrow_mut().late.insert(seat);
                return None;
            }
            table.rules().default_move(known, seat)
        };
        play_deal(running.table_mut(), &mut dealer, &mut decide, &mut Writing(&chronicle)).unwrap();
        let mut chronicle = chronicle.into_inner();
        chronicle.catch_up(running.table());
        let lines: Vec<String> = chronicle.lines.iter().map(Line::to_string).collect();
        let of = |name: &str| -> Vec<&String> {
            // What they did; hands are shown at the end for everybody.
            let did = |line: &&String| line.starts_with(&format!("{}: ", name.repeat(9))) && !line.contains(" = ");
            lines.iter().filter(did).collect()
        };
        assert!(!of("A").is_empty() && of("A").iter().all(|line| line.ends_with(" (time was up)")), "{lines:#?}");
        assert!(!of("B").is_empty() && !of("B").iter().any(|line| line.contains("time was up")), "{lines:#?}");
    }
}
