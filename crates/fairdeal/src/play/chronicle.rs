//! What is written down while a match is played: the record on disk, and what the screen tells.

use std::cell::RefCell;
use std::collections::VecDeque;

use dealers::{Dealer, Log};
use table::record::{self, Evidence, Writer};
use table::{Look as _, Move, Rules, Seat, Seats, Table};

use super::saved::Saved;
use super::screen::{MoveOf, Screen};
use super::story::{Round, Story};
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
    /// What the screen tells.
    pub story: Story<G>,
    /// Whose cards may be written into the record: those of a person who plays alone.
    open_hands: Seats,
}

impl<G: Screen> Chronicle<G> {
    /// A new one; `expected` is what the record says already.
    pub fn new(saved: Saved, expected: String, open_hands: Seats, around: Round<G>) -> Self {
        let story = Story::new(around, saved.way_back());
        Self { saved, writer: Writer::new(), expected, at: 0, failed: None, story, open_hands }
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
        chronicle.story.catch_up(table);
        let hands = chronicle.open_hands;
        if let Some(seat) = hands.iter().next() {
            chronicle.story.own = dealer.own(seat).clone();
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
        chronicle.write(|writer| writer.act(table, seat, action, faces, timeout));
        chronicle.story.acts(table, seat, action);
    }

    fn choices(&mut self, table: &Table<G::Rules>, choices: &[(Seat, <G::Rules as Rules>::Choice)]) {
        let mut chronicle = self.0.borrow_mut();
        chronicle.write(|writer| writer.choices::<G::Rules>(table.height(), choices));
        chronicle.story.choose(table, choices);
    }
}

#[cfg(test)]
mod tests {
    use bots::Decision;
    use dealers::{Local, play_deal};
    use games::types::Blackjack;
    use table::{Known, Match};

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
        chronicle.borrow_mut().story.begin(running.table(), 1, running.standing());
        let mut dealer = Local::new([1; 32]);
        dealer.begin([0; 32]);
        // The first never decides in time, the second does.
        let mut decide = |table: &Table<Deal>, seat: Seat, known: Known<'_>| -> Decision<Deal> {
            chronicle.borrow_mut().story.catch_up(table);
            if seat.index() == 0 {
                chronicle.borrow_mut().story.late.insert(seat);
                return None;
            }
            table.rules().default_move(known, seat)
        };
        play_deal(running.table_mut(), &mut dealer, &mut decide, &mut Writing(&chronicle)).unwrap();
        let mut story = chronicle.into_inner().story;
        story.catch_up(running.table());
        let lines: Vec<String> = story.lines.iter().map(ratatui::text::Line::to_string).collect();
        let of = |name: &str| -> Vec<&String> {
            // What they did; hands are shown at the end for everybody.
            let did = |line: &&String| line.starts_with(&format!("{}: ", name.repeat(9))) && !line.contains(" = ");
            lines.iter().filter(did).collect()
        };
        assert!(!of("A").is_empty() && of("A").iter().all(|line| line.ends_with(" (time was up)")), "{lines:#?}");
        assert!(!of("B").is_empty() && !of("B").iter().any(|line| line.contains("time was up")), "{lines:#?}");
    }
}
